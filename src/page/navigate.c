#include "page/navigate.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/http_status.h"
#include "base/limits.h"
#include "engine/navigation.h"
#include "engine/script.h"
#include "engine/targets.h"
#include "loop/patience.h"
#include "page/address.h"
#include "page/modal.h"
#include "page/options.h"
#include "page/internal.h"
#include "page/leaving.h"
#include "scripts/scripts.h"

#define DESCRIBE_TIMEOUT (5000 * USEC_PER_MSEC) /* for a page whose main thread may be stuck */
#define FIRST_PART_TIMEOUT (1000 * USEC_PER_MSEC)
#define CRASH_TIMEOUT (2000 * USEC_PER_MSEC)
#define CONTINUATION_TIMEOUT (1000 * USEC_PER_MSEC)

static unsigned awaited_state(enum wait_until until)
{
	static const unsigned states[] = {
		[WAIT_LOAD] = LOAD_LOAD,
		[WAIT_DOMCONTENTLOADED] = LOAD_DOMCONTENTLOADED,
		[WAIT_NETWORKIDLE] = LOAD_NETWORKIDLE,
	};

	return states[until];
}

static const char *const wait_names[] = {
	[WAIT_LOAD] = "load",
	[WAIT_DOMCONTENTLOADED] = "DOMContentLoaded",
	[WAIT_NETWORKIDLE] = "an idle network",
};

/* Has the document of `loader_id`, or one that replaced it, committed and come as far as is wanted? */
static bool has_loaded(const struct frame *f, const char *loader_id, unsigned commits_before, unsigned state)
{
	bool ours = strcmp(f->loader_id, loader_id) == 0;
	bool replaced = f->commits - commits_before >= 2;

	return (ours || replaced) && (f->load_states & state);
}

static int navigate_fail_gone(struct task *t, const struct page *p)
{
	return task_fail(t, -ESTALE, "the page %s while it loaded", p->crashed ? "crashed" : "was closed");
}

static int wait_for_state(struct task *t, struct page *p, const char *loader_id, unsigned commits_before, enum wait_until until)
{
	int r;

	while (!has_loaded(p->main, loader_id, commits_before, awaited_state(until))) {
		if (!page_alive(p))
			return navigate_fail_gone(t, p);
		r = waitq_wait(t, &p->changed, wait_names[until]);
		if (r < 0)
			return r;
	}
	return 0;
}

static const char *how_far(const struct frame *f)
{
	if (f->load_states & LOAD_LOAD)
		return "it has loaded, but the network is not idle";
	if (f->load_states & LOAD_DOMCONTENTLOADED)
		return "its document is parsed, but something it loads has not ended";
	return "its document is still being received or a script blocks it";
}

static int fail_timeout(struct task *t, struct page *p, const char *url, unsigned commits_before, enum wait_until until,
			usec_t timeout)
{
	unsigned msec = (unsigned)(timeout / USEC_PER_MSEC);

	p->busy = true;
	if (p->main->commits == commits_before) {
		/* Left alone, it would hold back every script call and later replace the page. */
		engine_stop_loading(p->target);
		return task_fail_because(t, -ERR_NAVIGATION_FAILED, REASON_NAVIGATION_UNANSWERED,
					 "{timeout: ?, url: ?, pageUrl: ?}", msec, url, page_url(p));
	}
	return task_fail_because(t, -ERR_NAVIGATION_FAILED, REASON_NAVIGATION_SLOW,
				 "{timeout: ?, awaited: ?, pageUrl: ?, progress: ?}", msec, wait_names[until], page_url(p),
				 how_far(p->main));
}

/* Whether the document that was begun had a response. */
static bool is_answered(const struct page *p, const struct engine_navigated *n)
{
	return n->document && strcmp(n->document, p->main->response.loader_id) == 0;
}

static int navigated_status(const struct page *p, const struct engine_navigated *n)
{
	return is_answered(p, n) ? p->main->response.status : 0;
}

static bool is_empty(const struct page *p, const struct engine_navigated *n)
{
	return http_status_is_empty(navigated_status(p, n));
}

/* Fails for a navigation that got no document. Downloads and answers without content look like an abort. */
static int fail_navigation(struct task *t, const struct page *p, const struct engine_navigated *n, const char *url)
{
	return task_fail_because(t, n->is_download ? -ERR_DOWNLOAD : -ERR_NAVIGATION_FAILED,
				 n->is_download                      ? REASON_DOWNLOAD_STARTED :
				 is_empty(p, n)                      ? REASON_NO_CONTENT :
				 p->crashed && !address_crashes(url) ? REASON_PAGE_CRASHED :
				 n->is_unproxied                     ? REASON_PROXY_UNCONNECTED :
								       REASON_NETWORK_ERROR,
				 "{url: ?, reason: ?, status: ?, pageUrl: ?}", url, n->error, navigated_status(p, n), page_url(p));
}

/*
 * Whether the document shown has begun another navigation since that of `loader_id` started. Chromium gives up the first one, or shows its
 * document and then follows the other.
 */
static bool is_overtaken(const struct page *p, const char *loader_id)
{
	return loader_id && strcmp(p->navigation.overtaken, loader_id) == 0;
}

/*
 * Firefox answers a navigation as aborted when the page goes to the same address by itself. Either load may bring the document then, and both
 * have the id of the first. The document may have come before the answer.
 */
static bool may_have_other_load(const struct page *p, const struct engine_navigated *n)
{
	return n->is_aborted && n->document && !n->is_download && !is_empty(p, n);
}

/*
 * Waits for the document as long as a request for it is open. The wait without one is bounded, because Firefox does not report that window.stop() has
 * ended a navigation. `ret_shown`: the document has come, and has reached the state `until` if the result is 0.
 */
static int await_other_load(struct task *t, struct page *p, const struct engine_navigated *n, unsigned commits_before,
			    enum wait_until until, bool *ret_shown)
{
	usec_t outer = task_deadline(t), late = 0;
	int r = 0;

	while (r == 0 && page_alive(p) && p->navigation.under_way && strcmp(p->navigation.loader_id, n->document) == 0) {
		bool open = traffic_document_open(&p->traffic, n->document);

		if (open || !late)
			late = clock_now() + patience(CONTINUATION_TIMEOUT);
		task_set_deadline(t, open ? outer : MIN(outer, late));
		r = waitq_wait(t, &p->changed, "the document of an aborted navigation");
	}
	task_set_deadline(t, outer);
	if (r == -ETIMEDOUT && clock_now() < outer)
		r = 0;
	*ret_shown = r == 0 && page_alive(p) && strcmp(p->main->loader_id, n->document) == 0;
	return *ret_shown ? wait_for_state(t, p, n->document, commits_before, until) : r;
}

/*
 * What else ends a navigation as an abort: the end of the renderer, and a navigation by the page itself that takes its place, for which
 * `ret_replaced` is set; Firefox gives up one whose response has come, too. The browser reports either after this reply, but before it replies to
 * a later call that it answers without the renderer.
 */
static int await_reason(struct task *t, struct page *p, const struct engine_navigated *n, bool *ret_replaced)
{
	int r;

	if (is_empty(p, n) || n->is_download)
		return 0;
	r = engine_confirm_navigations(t, p->target);
	if (p->crashed)
		return 0;
	if (!page_alive(p))
		return navigate_fail_gone(t, p);
	*ret_replaced = n->is_aborted && is_overtaken(p, n->document);
	return r == -EREMOTE ? 0 : r;
}

/* The browser's reply to an address that ends the renderer is no sign that it has ended. */
static int await_crash(struct task *t, struct page *p)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + CRASH_TIMEOUT));
	int r = 0;

	while (page_alive(p) && r == 0)
		r = waitq_wait(t, &p->changed, "the end of the page's process");
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT ? 0 : r;
}

/* Suspends until the reply to `call`. */
static int send_navigation(struct leaving *l, const char *url, struct engine_call *call)
{
	int r = l->stuck ? page_stop_document(l->t, l->p) : 0;

	if (r < 0)
		return r;
	leaving_ask(l);
	engine_navigate(l->t, l->p->target, call, url);
	r = leaving_await_reply(l, call);
	if (r == -EREMOTE)
		return task_fail_because(l->t, -ERR_NAVIGATION_FAILED, REASON_INVALID_ADDRESS, "{url: ?}", url);
	return r;
}

/* `ret_replaced`: a navigation of the document before takes its place, or has taken it. */
static int navigate_once(struct task *t, struct page *p, const char *url, enum wait_until until, bool *ret_replaced)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	unsigned commits_before = p->main->commits;
	struct engine_navigated n;
	bool is_shown = false;
	_cleanup_(leaving_done) struct leaving l = leave(t, p, p->busy);
	int r = send_navigation(&l, url, &call);

	*ret_replaced = false;
	if (r < 0)
		return r;
	n = engine_navigated(&call);
	if (!n.error) {
		r = n.document && l.stuck ? leaving_await_commit(&l, commits_before) : 0;
		if (r < 0)
			return r;
		r = n.document ? wait_for_state(t, p, n.document, commits_before, until) : 0;
		*ret_replaced = r == 0 && is_overtaken(p, n.document);
		return r;
	}
	r = address_crashes(url) ? await_crash(t, p) : await_reason(t, p, &n, ret_replaced);
	if (r == 0 && may_have_other_load(p, &n))
		r = await_other_load(t, p, &n, commits_before, until, &is_shown);
	return r < 0 || is_shown ? r : fail_navigation(t, p, &n, url);
}

/*
 * A page may go elsewhere late after an earlier action, because it is slow or sends a form by a timer. Such a navigation takes the place of
 * one that was begun meanwhile. That one is begun once more, because the caller asked for it last.
 */
static int navigate(struct task *t, struct page *p, const char *url, enum wait_until until)
{
	bool is_replaced;
	int r = navigate_once(t, p, url, until, &is_replaced);

	return is_replaced ? navigate_once(t, p, url, until, &is_replaced) : r;
}

/* The script's answer ends here whatever else is wrong with the page: the browser knows address and title, too. */
static int describe_by_browser(struct task *t, struct page *p, struct navigation *ret)
{
	int r = engine_title(t, p->group ? p->group->browser : NULL, p->target_id, &ret->title);

	if (r == 0)
		ret->url = arena_strdup(task_arena(t), page_url(p));
	return r;
}

void navigation_shown(struct task *t, const struct page *p, const struct json *shown, struct navigation *ret)
{
	const char *url = json_str(shown, "url"), *title = json_str(shown, "title");

	ret->url = arena_strdup(task_arena(t), url ? url : page_url(p));
	ret->title = arena_strdup(task_arena(t), title ? title : "");
}

int page_describe(struct task *t, struct page *p, struct navigation *ret)
{
	const char *script = arena_printf(task_arena(t), "%s(%d)", shown_script, LIMIT_TITLE);
	_cleanup_(json_freep) struct json *shown = NULL;
	usec_t outer;
	int r;

	outer = task_set_deadline(t, clock_now() + patience(DESCRIBE_TIMEOUT));
	r = frame_probe(t, p->main, &shown, script); /* every navigation ends with it, so it does without the script library */
	if (r == -ETIMEDOUT || (r == -ESTALE && page_alive(p))) {
		task_set_deadline(t, MAX(outer, clock_now() + patience(DESCRIBE_TIMEOUT)));
		r = describe_by_browser(t, p, ret);
		task_set_deadline(t, outer);
		return r;
	}
	task_set_deadline(t, outer);
	if (r == 0)
		navigation_shown(t, p, shown, ret);
	return r;
}

int page_navigate(struct task *t, struct page *p, const char *url, enum wait_until until, usec_t timeout, struct navigation *ret)
{
	unsigned commits_before = p->main->commits;
	usec_t outer;
	int r;

	r = address_check(t, url, page_options(p));
	if (r < 0)
		return r;
	failure_reset(&p->forbidden.failure, 0);
	outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	r = navigate(t, p, url, until);
	task_set_deadline(t, outer);
	if (r == -ETIMEDOUT)
		return fail_timeout(t, p, url, commits_before, until, timeout);
	if (r == -ECANCELED && p->target && p->main->commits == commits_before) /* as after a time-out */
		engine_stop_loading(p->target);
	if (r < 0)
		return r;
	if (p->forbidden.failure.code)
		return task_fail_of(t, &p->forbidden.failure);
	if (!ret)
		return 0;
	ret->status = strcmp(p->main->response.loader_id, p->main->loader_id) == 0 ? p->main->response.status : 0;
	return page_describe(t, p, ret);
}

/* Finds the entry `steps` after the current one. Its address is in the task's arena; its id is -1 when there is no such entry. */
static int find_entry(struct task *t, struct page *p, int steps, struct history_entry *ret)
{
	_cleanup_(page_history_done) struct page_history h = {};
	int64_t wanted;
	int r;

	*ret = (struct history_entry){ .id = -1 };
	r = engine_history(t, p->target, &h);
	if (r < 0)
		return r;
	wanted = (int64_t)h.current + steps;
	if (wanted < 0 || wanted >= (int64_t)h.count)
		return 0;
	*ret = h.items[wanted];
	ret->url = arena_strdup(task_arena(t), ret->url);
	return 0;
}

static int go(struct task *t, struct page *p, int steps, bool *ret_gone)
{
	unsigned commits = p->main->commits;
	const char *before = arena_strdup(task_arena(t), page_url(p));
	struct history_entry entry = { .id = -1 };
	int r;

	r = p->busy ? page_stop_document(t, p) : 0;
	if (r == 0)
		r = find_entry(t, p, steps, &entry);
	*ret_gone = r == 0 && entry.id >= 0;
	if (!*ret_gone)
		return r;
	r = engine_show_entry(t, p->target, entry.id);
	*ret_gone = r != -ENOENT;
	if (r < 0)
		return *ret_gone ? r : 0;
	r = engine_confirm_navigations(t, p->target);
	if (r < 0 && r != -EREMOTE)
		return r;
	/* An entry of the same document and address (pushState) leaves no trace but the reply. */
	while (p->main->commits == commits && *entry.url && strcmp(page_url(p), before) == 0 && strcmp(entry.url, before) != 0) {
		if (!page_alive(p))
			return task_fail(t, -ESTALE, "the page was closed");
		r = waitq_wait(t, &p->changed, "another page of the history");
		if (r < 0)
			return r;
	}
	return 0;
}

int page_go(struct task *t, struct page *p, int steps, usec_t timeout, bool *ret_gone)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	int r = go(t, p, steps, ret_gone);

	task_set_deadline(t, outer);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_NAVIGATION_FAILED, "Timeout %llu ms exceeded: the %s page has not answered",
				 timeout / USEC_PER_MSEC, steps < 0 ? "previous" : "next");
	return r;
}

int page_go_back(struct task *t, struct page *p, usec_t timeout)
{
	return page_go(t, p, -1, timeout, &(bool){ false });
}

int page_wait_loaded(struct task *t, struct page *p, enum wait_until until, usec_t timeout)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	int r = 0;

	while (r == 0 && page_alive(p) && (p->navigation.under_way || !(p->main->load_states & awaited_state(until))))
		r = waitq_wait(t, &p->changed, wait_names[until]);
	task_set_deadline(t, outer);
	return r == 0 && !page_alive(p) ? task_fail(t, -ESTALE, "the page was closed while it loaded") : r;
}

/* Suspends until the frame has had more documents than `commits_before` and the last one has reached `until`. */
static int await_document(struct task *t, struct frame *f, unsigned commits_before, enum wait_until until)
{
	int r = 0;

	while (r == 0 && !f->detached && f->at.target && (f->commits <= commits_before || !(f->load_states & awaited_state(until))))
		r = waitq_wait(t, &f->page->changed, wait_names[until]);
	return r == 0 && (f->detached || !f->at.target) ? task_fail(t, -ESTALE, "the frame was removed while it loaded") : r;
}

int frame_wait_loaded(struct task *t, struct frame *f, enum wait_until until, usec_t timeout)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	int r = await_document(t, f, 0, until);

	task_set_deadline(t, outer);
	return r;
}

static int navigate_frame(struct task *t, struct frame *f, const char *url, enum wait_until until)
{
	unsigned commits_before = f->commits;
	_cleanup_(engine_call_done) struct engine_call call = {};
	struct engine_navigated n;
	int r;

	engine_navigate_frame(t, f->page->target, &call, f->at.id, url);
	r = engine_await(t, &call);
	if (r == -EREMOTE)
		return task_fail_because(t, -ERR_NAVIGATION_FAILED, REASON_INVALID_ADDRESS, "{url: ?}", url);
	if (r < 0)
		return r;
	n = engine_navigated(&call);
	if (n.error)
		return fail_navigation(t, f->page, &n, url);
	return !n.document ? 0 : await_document(t, f, commits_before, until);
}

int frame_navigate(struct task *t, struct frame *f, const char *url, enum wait_until until, usec_t timeout)
{
	usec_t outer;
	int r;

	r = address_check(t, url, page_options(f->page));
	if (r < 0)
		return r;
	outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	r = navigate_frame(t, f, url, until);
	task_set_deadline(t, outer);
	return r;
}

/*
 * The page's process sends its navigation request to the browser before its reply to this call, and the browser receives
 * them in that order.
 */
static int await_navigation_requests(struct task *t, struct page *p)
{
	_cleanup_(engine_call_done) struct engine_call alive = {};
	int r;

	engine_ask_alive(t, p->target, &alive);
	r = engine_await(t, &alive);
	if (r == 0 && page_alive(p))
		r = engine_confirm_navigations(t, p->target);
	return r == -EREMOTE || r == -ESTALE ? 0 : r;
}

unsigned page_commits(const struct page *p)
{
	return p->main->commits;
}

int page_follow(struct task *t, struct page *p, unsigned commits_before, usec_t timeout)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + timeout));
	int r = 0;

	if (!page_blocked(p) && page_alive(p))
		r = await_navigation_requests(t, p);
	while (r == 0 && page_alive(p) && p->navigation.under_way)
		r = waitq_wait(t, &p->changed, "the navigation that an action has started");
	task_set_deadline(t, outer);
	if (r == 0 && page_alive(p) && p->main->commits != commits_before)
		r = page_wait_loaded(t, p, WAIT_DOMCONTENTLOADED, FIRST_PART_TIMEOUT);
	return r == -ETIMEDOUT || r == -ESTALE ? 0 : r;
}

static int reload(struct task *t, struct page *p)
{
	unsigned commits = p->main->commits;
	int r;

	r = p->busy ? page_stop_document(t, p) : 0;
	if (r == 0)
		r = engine_reload(t, p->target);
	while (r == 0 && page_alive(p) && p->main->commits == commits)
		r = waitq_wait(t, &p->changed, "the document once more");
	return r;
}

int page_reload(struct task *t, struct page *p, enum wait_until until, usec_t timeout)
{
	usec_t start = clock_now(), outer = task_set_deadline(t, MIN(task_deadline(t), start + timeout)), spent;
	int r = reload(t, p);

	task_set_deadline(t, outer);
	spent = clock_now() - start;
	return r < 0 ? r : page_wait_loaded(t, p, until, spent < timeout ? timeout - spent : 1);
}

/* ---- the state of the main frame's navigation ---- */

bool page_loading(const struct page *p)
{
	return p->navigation.under_way || !((p->main->load_states & LOAD_LOAD) || p->navigation.stopped);
}

bool page_navigating(const struct page *p)
{
	return p->navigation.under_way;
}

int page_confirm_navigation(struct task *t, struct page *p)
{
	int r;

	if (!p->navigation.requested || p->navigation.under_way)
		return 0;
	p->navigation.requested = false;
	r = engine_confirm_navigations(t, p->target);
	return r == -EREMOTE || r == -ESTALE ? 0 : r;
}

usec_t page_navigation_began(const struct page *p)
{
	return p->navigation.began;
}

static void navigation_init(struct page *p)
{
	p->navigation.began = clock_now();
}

void navigation_committed(struct page_navigation *n)
{
	if (!n->under_way)
		n->began = clock_now();
	n->under_way = n->stopped = false;
}

static void on_requested(struct engine_target *s, const char *frame, void *data)
{
	struct page *p = data;

	if (page_find_frame(p, frame) == p->main)
		p->navigation.requested = true;
}

static void navigate_on_started(struct engine_target *s, const char *frame, const char *document, bool same_document, void *data)
{
	struct page *p = data;

	if (page_find_frame(p, frame) != p->main)
		return;
	p->navigation.requested = false;
	if (same_document)
		return;
	if (strcmp(p->navigation.loader_id, document) != 0 && strcmp(p->navigation.loader_id, p->main->loader_id) != 0)
		engine_id_set(p->navigation.overtaken, p->navigation.loader_id);
	p->navigation.under_way = true;
	p->navigation.stopped = false;
	p->navigation.began = clock_now();
	engine_id_set(p->navigation.loader_id, document);
	waitq_wake(&p->changed);
}

static void on_stopped(struct engine_target *s, const char *frame, void *data)
{
	struct page *p = data;

	if (page_find_frame(p, frame) != p->main)
		return;
	p->navigation.under_way = false;
	p->navigation.stopped = true;
	waitq_wake(&p->changed);
}

const struct engine_navigation_events page_navigation_events = {
	.requested = on_requested,
	.started = navigate_on_started,
	.stopped = on_stopped,
};

const struct page_part navigation_part = {
	.init = navigation_init,
};
