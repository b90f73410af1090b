#include "browser/context.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "browser/fetcher.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "browser/load_limit.h"
#include "browser/memory_limit.h"
#include "browser/recording.h"
#include "browser/sandbox.h"
#include "browser/storage.h"
#include "engine/cdp/cdp.h"
#include "observe/journal.h"
#include "page/emulate.h"
#include "page/options.h"
#include "page/origins.h"
#include "page/renderer.h"
#include "page/rest.h"

struct context {
	TAILQ_ENTRY(context) link;
	struct browser *browser; /* NULL once the browser has ended */
	struct str id;           /* empty: the browser's own context */
	struct page_group pages;
	struct waitq changed;
	bool sealed;                 /* targets opened in it from now on are closed before they run */
	struct sandbox *sandbox;     /* NULL: no code has run for it */
	struct downloads *downloads; /* NULL: they are refused */
	struct uploads *uploads;     /* NULL: none yet */
	struct recording *recording; /* NULL: the user's actions are not recorded */
	struct videos *videos;       /* NULL: no video is recorded */
	struct fetcher *fetcher;     /* NULL: code has sent no request */
	struct archive *archive;     /* NULL: its requests are not recorded */
	struct context_holder holder;
	struct notices notices;
	unsigned memory_round, blob_mark;
	uint64_t grown;
	struct worker_budget worker_budget;
	unsigned opening; /* calls that are opening a page */
};

/* ---- all contexts of a browser ---- */

void contexts_init(struct contexts *all)
{
	*all = (struct contexts){};
	TAILQ_INIT(&all->list);
	TAILQ_INIT(&all->disposals);
	TAILQ_INIT(&all->attachments);
}

static void on_browser_ended(struct context *c)
{
	c->browser = NULL;
	c->pages.browser = NULL;
	if (c->fetcher)
		fetcher_browser_ended(c->fetcher);
	page_group_gone(&c->pages);
	waitq_wake(&c->changed);
}

void contexts_gone(struct contexts *all)
{
	struct context *c;

	while (!TAILQ_EMPTY(&all->disposals))
		disposal_free(TAILQ_FIRST(&all->disposals));
	contexts_forget_attachment(all, NULL);
	while ((c = TAILQ_FIRST(&all->list))) {
		TAILQ_REMOVE(&all->list, c, link);
		on_browser_ended(c);
	}
	all->persistent = NULL;
	all->own_id_awaited = false;
	str_done(&all->own_id);
}

static struct context *find_context(struct contexts *all, const char *id)
{
	struct context *c;

	TAILQ_FOREACH(c, &all->list, link)
		if (id && strcmp(str_text(&c->id), id) == 0)
			return c;
	if (all->own_id_awaited || (all->own_id.len && (!id || strcmp(all->own_id.data, id) != 0)))
		return NULL;    /* of another client of an attached browser, or not known yet and attached to later */
	return all->persistent; /* the ids of all other contexts are known before their pages attach */
}

void context_show_page(struct context *c, struct page *p)
{
	page_hide(p, false);
	videos_add_page(c, p);
	archive_add_page(c, p);
	recording_add_page(c, p);
	waitq_wake(&c->changed);
}

/* A page of `c` was attached to. NULL: it is left alone, or was closed. */
static struct page *take_target(struct context *c, struct engine_target *root, const char *session_id, const struct json *info,
				bool found)
{
	struct cdp *cdp = cdp_session_connection(root);
	struct page *known = page_group_find_target(&c->pages, json_str(info, "targetId")), *p;

	if (known && !page_session(known, session_id)) /* a second attachment to it */
		cdp_post(root, "Target.detachFromTarget", "{sessionId: ?}", session_id);
	if (known)
		return NULL;
	if (found)
		return page_found(&c->pages, cdp, session_id, info);
	p = page_attached(&c->pages, cdp, session_id, info);
	if (!p)
		page_limit_refuse(root, session_id, info);
	return p;
}

static void set_journal_owner(struct context *c, struct page *p)
{
	if (c->holder.limits)
		journal_set_owner(page_journal(p), c->holder.owner);
}

struct page *context_take_page(struct context *c, struct engine_target *root, const char *session_id, const struct json *info,
			       bool found)
{
	struct page *p = take_target(c, root, session_id, info, found);

	if (p)
		set_journal_owner(c, p);
	memory_limit_page_opened(browser_memory_limit(c->browser));
	if (p && (!c->fetcher || !fetcher_takes(c->fetcher, p)))
		context_show_page(c, p);
	return p;
}

static bool is_shared_worker(const char *type)
{
	return strcmp(type, "service_worker") == 0 || strcmp(type, "shared_worker") == 0;
}

/* Pages that were there before are not windows that a page opens. */
static bool may_open(struct context *c, struct browser *b, const struct json *info)
{
	const char *type = json_text(info, "type");

	if (is_shared_worker(type))
		return page_limit_allows_worker(c);
	return strcmp(type, "page") != 0 || browser_contexts(b)->adopting ||
	       page_limit_allows(c, json_str(info, "openerId"), c->opening);
}

void contexts_on_attached(struct engine_target *root, const struct json *params, void *data)
{
	const struct json *info = json_get(params, "targetInfo");
	const char *session_id = json_str(params, "sessionId"), *type = json_str(info, "type");
	struct context *c = find_context(browser_contexts(data), json_str(info, "browserContextId"));

	if (!engine_id_is_valid(session_id) || !type)
		return;
	if (c && c->sealed) { /* it never runs, even if its opener stalls */
		cdp_post(root, "Target.closeTarget", "{targetId: ?}", json_str(info, "targetId"));
		return;
	}
	if (c && !may_open(c, data, info)) {
		page_limit_refuse(root, session_id, info);
		return;
	}
	if (!c || strcmp(type, "page") != 0 || (browser_attached(data) && !context_may_adopt(c, info))) {
		contexts_release_target(data, root, session_id, info);
		return;
	}
	context_take_page(c, root, session_id, info,
			  browser_contexts(data)->adopting && !json_bool(params, "waitingForDebugger", false));
}

void contexts_on_detached(struct engine_target *root, const struct json *params, void *data)
{
	const char *session_id = json_str(params, "sessionId");
	struct context *c;
	struct page *p;

	contexts_forget_attachment(browser_contexts(data), session_id);
	TAILQ_FOREACH(c, &browser_contexts(data)->list, link) {
		p = page_group_find_session(&c->pages, session_id);
		if (p) {
			page_gone(p);
			return;
		}
	}
}

/* ---- opening, in a browser that may not answer ---- */

static usec_t begin_setup(struct task *t, const struct browser *b)
{
	return task_set_deadline(t, MIN(task_deadline(t), browser_setup_limit(b)));
}

/* `outer` is the deadline from before, `r` the result of what was opened. */
static int end_setup(struct task *t, struct browser *b, usec_t outer, int r)
{
	task_set_deadline(t, outer);
	if (r != -ETIMEDOUT || clock_now() >= outer)
		return r;
	return browser_setup_timed_out(t, b);
}

/* Two sessions in one context would share everything, so the id of another one is refused as well. */
static int check_context_id(struct task *t, struct browser *b, const char *id)
{
	const struct context *c;

	if (!engine_id_is_valid(id))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the browser's reply to Target.createBrowserContext has no valid browserContextId; use another browser");
	TAILQ_FOREACH(c, &browser_contexts(b)->list, link)
		if (strcmp(str_text(&c->id), id) == 0)
			return task_fail(
				t, -ERR_BROWSER_ERROR,
				"the browser's reply to Target.createBrowserContext has the id of another session's context; "
				"use another browser");
	return 0;
}

/* -ENOTCONN when the browser turns out to have died, perhaps long ago. */
static int create_context(struct task *t, struct browser *b, const char *proxy, struct json **reply)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	usec_t outer;
	bool masked;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	outer = begin_setup(t, b);
	/* A context whose id is not received could not be disposed of, so this wait is not cancelable. */
	masked = task_mask_cancel(t, true);
	if (proxy)
		cdp_send(t, browser_cdp(b), &call, "Target.createBrowserContext",
			 "{disposeOnDetach: true, proxyServer: ?, proxyBypassList: '<-loopback>'}", proxy);
	else
		cdp_send(t, browser_cdp(b), &call, "Target.createBrowserContext", "{disposeOnDetach: true}");
	r = engine_await(t, &call);
	task_mask_cancel(t, masked);
	*reply = TAKE_PTR(call.reply);
	if (r == -ETIMEDOUT && call.target)
		disposal_of_late(b, &call);
	r = end_setup(t, b, outer, r);
	if (r < 0)
		return r;
	if (!browser_running(b)) /* it died between its answer and now */
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	return check_context_id(t, b, json_str(*reply, "result.browserContextId"));
}

/* A browser with windows lets pages write to the clipboard after a press without asking. */
static void own_clipboard(struct context *c)
{
	static const char *const names[] = { "clipboard-read", "clipboard-write" };

	page_group_own_clipboard(&c->pages);
	for (size_t i = 0; i < ARRAY_SIZE(names) && (!browser_options(c->browser)->headless || browser_attached(c->browser)); i++)
		cdp_post(c->pages.browser, "Browser.setPermission",
			 "{permission: {name: ?}, setting: 'denied', browserContextId: ?}", names[i], c->id.data);
}

static struct context *add_context(struct browser *b, const char *id)
{
	struct context *c = NEW(struct context);

	c->browser = b;
	str_append(&c->id, id);
	page_group_init(&c->pages);
	c->pages.browser = browser_cdp(b);
	c->pages.loop = browser_loop(b);
	c->pages.browser_process = browser_process(b);
	c->pages.main_process = load_limit_main_process(browser_load_limit(b));
	c->pages.options = &browser_options(b)->page;
	c->pages.context = c;
	c->pages.webmcp = browser_webmcp(b);
	c->pages.max_storage = *id ? browser_options(b)->max_storage : 0; /* that of a profile is on the disk */
	waitq_init(&c->changed);
	TAILQ_INSERT_TAIL(&browser_contexts(b)->list, c, link);
	/* Events are enabled although downloads are denied: otherwise the browser would stop sending those of other contexts. */
	if (*id)
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'deny', browserContextId: ?, eventsEnabled: true}", id);
	else
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior", "{behavior: 'deny', eventsEnabled: true}");
	if (*id && browser_options(b)->page.own_clipboards)
		own_clipboard(c);
	emulate_context(&c->pages, &browser_options(b)->page, id);
	return c;
}

static int fail_taken(struct task *t, const struct browser_options *o)
{
	return task_fail(
		t, -ERR_BROWSER_ERROR,
		"Browser is already in use for %s, use %s to run multiple instances of the same browser: another client of "
		"this server works in its tabs",
		o->endpoints ? o->names.endpoint : o->user_data_dir, o->names.isolated);
}

static int new_persistent(struct task *t, struct browser *b, struct context **ret)
{
	_cleanup_(context_freep) struct context *c = NULL;
	usec_t outer;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	if (browser_contexts(b)->persistent) {
		browser_log_creation(
			b); /* by its log, @playwright/mcp starts a browser for each client, and then finds the profile taken */
		return fail_taken(t, browser_options(b));
	}
	browser_contexts(b)->own_id_awaited = browser_attached(b);
	c = browser_contexts(b)->persistent = add_context(b, "");
	if (browser_attached(b)) {
		outer = begin_setup(t, b);
		r = end_setup(t, b, outer, context_adopt_pages(t, c));
	}
	if (r < 0)
		return r;
	*ret = TAKE_PTR(c);
	return 0;
}

int context_new_persistent(struct task *t, struct browser *b, struct context **ret)
{
	int r;

	linger_begin(browser_linger(b));
	r = new_persistent(t, b, ret);
	linger_end(browser_linger(b));
	return r;
}

int context_new_offline(struct task *t, struct browser *b, const char *proxy, struct context **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	linger_begin(browser_linger(b));
	r = create_context(t, b, proxy, &reply);
	if (r == -ENOTCONN && !task_cancelled(t)) { /* the call had changed nothing yet: retry with a new browser */
		reply = json_free(reply);
		r = create_context(t, b, proxy, &reply);
	}
	if (r == 0)
		*ret = add_context(b, json_str(reply, "result.browserContextId"));
	linger_end(browser_linger(b));
	return r;
}

int context_new(struct task *t, struct browser *b, const char *proxy, struct context **ret)
{
	_cleanup_(context_freep) struct context *c = NULL;
	int r;

	r = proxy ? browser_require_proxied_webrtc(t, b) : 0;
	if (r == 0)
		r = context_new_offline(t, b, proxy, &c);
	if (r == 0 && browser_options(b)->storage_state)
		r = storage_restore(t, c, browser_options(b)->storage_state);
	if (r == 0)
		*ret = TAKE_PTR(c);
	return r;
}

/* In an attached browser only what was opened here; the other pages are detached from. */
static void leave_persistent(struct context *c)
{
	struct browser *b = c->browser;
	struct page *p;

	if (b && browser_attached(b))
		contexts_close_opened(browser_contexts(b));
	while ((p = page_group_next(&c->pages, NULL)))
		if (b && browser_attached(b))
			page_detach(p);
		else
			page_close(p);
	if (b)
		browser_contexts(b)->persistent = NULL;
}

struct context *context_free(struct context *c)
{
	struct disposal *disposal;
	struct browser *b;

	if (!c)
		return NULL;
	b = c->browser;
	disposal = b && c->id.len ? disposal_new(b, c->id.data) : NULL;
	if (disposal)
		videos_delay(c->videos, disposal);
	if (!c->id.len)
		leave_persistent(c);
	sandbox_free(c->sandbox);
	fetcher_end(c->fetcher);
	videos_free(c->videos);
	archive_free(c->archive);
	recording_free(context_stop_recording(c));
	downloads_free(c->downloads);
	uploads_unref(c->uploads);
	page_group_gone(&c->pages);
	if (b)
		TAILQ_REMOVE(&browser_contexts(b)->list, c, link);
	if (disposal)
		disposal_begin(disposal);
	page_group_done(&c->pages);
	str_done(&c->notices.restored);
	str_done(&c->notices.closed);
	str_done(&c->notices.too_large);
	str_done(&c->notices.drawing);
	str_done(&c->id);
	free(c);
	if (b)
		linger_look(browser_linger(b));
	return NULL;
}

void context_close_pages(struct context *c)
{
	struct page *p;

	c->sandbox = sandbox_free(c->sandbox);
	c->fetcher = fetcher_end(c->fetcher);
	while ((p = page_group_next(&c->pages, NULL)))
		page_close(p);
}

struct browser *context_browser(struct context *c)
{
	return c->browser;
}

const char *context_id(const struct context *c)
{
	return str_text(&c->id);
}

struct page_group *context_pages(struct context *c)
{
	return &c->pages;
}

struct sandbox **context_sandbox(struct context *c)
{
	return &c->sandbox;
}

struct uploads **context_uploads(struct context *c)
{
	return &c->uploads;
}

struct recording **context_recording(struct context *c)
{
	return &c->recording;
}

struct videos **context_videos(struct context *c)
{
	return &c->videos;
}

struct fetcher **context_own_fetcher(struct context *c)
{
	return &c->fetcher;
}

struct context_holder *context_holder(struct context *c)
{
	return &c->holder;
}

void context_set_holder(struct context *c, struct context_holder holder)
{
	struct page *p = NULL;

	c->holder = holder;
	while ((p = page_group_next(&c->pages, p)))
		set_journal_owner(c, p);
}

unsigned *context_blob_mark(struct context *c)
{
	return &c->blob_mark;
}

unsigned *context_memory_round(struct context *c)
{
	return &c->memory_round;
}

struct worker_budget *context_worker_budget(struct context *c)
{
	return &c->worker_budget;
}

void context_end_pages(struct context *c)
{
	struct visited_origin *o;
	struct renderer *r;
	struct page *p;

	for (p = NULL; (p = page_group_next(&c->pages, p));)
		for (r = NULL; (r = page_next_renderer(p, r));)
			renderer_kill(r);
	p = page_group_next(&c->pages, NULL);
	if (p)
		TAILQ_FOREACH(o, &c->pages.origins.list, link)
			cdp_post(page_target(p), "Storage.clearDataForOrigin",
				 "{origin: ?, storageTypes: 'indexeddb,cache_storage,file_systems,service_workers'}", o->origin);
	while ((p = page_group_next(&c->pages, NULL)))
		page_end(p);
	c->grown = 0;
}

uint64_t *context_grown(struct context *c)
{
	return &c->grown;
}

struct notices *context_notices(struct context *c)
{
	return &c->notices;
}

struct archive **context_archive(struct context *c)
{
	return &c->archive;
}

struct downloads **context_downloads(struct context *c)
{
	return &c->downloads;
}

/* ---- its members ---- */

void context_allow_downloads(struct context *c)
{
	struct browser *b = c->browser;

	if (browser_options(b)->no_downloads)
		return;
	if (c->id.len)
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'allowAndName', browserContextId: ?, downloadPath: ?, eventsEnabled: true}", c->id.data,
			 browser_downloads(b));
	else
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'allowAndName', downloadPath: ?, eventsEnabled: true}", browser_downloads(b));
}

struct context *browser_next_context(struct browser *b, struct context *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&browser_contexts(b)->list);
}

struct waitq *context_changed(struct context *c)
{
	return &c->changed;
}

void context_seal(struct context *c)
{
	c->sealed = true;
}

void context_keep_modals(struct context *c, bool keep)
{
	page_group_keep_modals(&c->pages, keep);
}

void context_rest(struct context *c, usec_t pause)
{
	page_group_rest(&c->pages, pause);
}

void context_wake(struct context *c)
{
	page_group_wake(&c->pages);
}

struct page *context_next_page(struct context *c, struct page *after)
{
	struct page *p = page_group_next(&c->pages, after);

	while (p && page_hidden(p))
		p = page_group_next(&c->pages, p);
	return p;
}

static int wait_for_page(struct task *t, struct context *c, const char *target_id, struct page **ret)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + ATTACH_TIMEOUT));
	struct page *p;
	int r = 0;

	while (!(p = page_group_find_target(&c->pages, target_id)) && c->browser && r == 0)
		r = waitq_wait(t, &c->changed, "Target.attachedToTarget");
	task_set_deadline(t, outer);
	if (p) {
		*ret = page_ref(p);
		return 0;
	}
	if (!c->browser)
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page that was opened has gone at once; try again");
	return r;
}

void context_announce(struct context *c, const char *text)
{
	str_set(&c->notices.restored, text);
}

/* A page whose id is not received could not be closed in the browser's own context, so this wait is not cancelable. */
static int create_page(struct task *t, struct context *c, struct json **reply)
{
	bool masked;
	int r;

	if (c->id.len)
		return cdp_call(t, browser_cdp(c->browser), reply, "Target.createTarget",
				"{url: 'about:blank', browserContextId: ?}", c->id.data);
	masked = task_mask_cancel(t, true);
	r = cdp_call(t, browser_cdp(c->browser), reply, "Target.createTarget", "{url: 'about:blank'}");
	task_mask_cancel(t, masked);
	return r;
}

static int open_page(struct task *t, struct context *c, struct page **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(page_unrefp) struct page *page = NULL;
	const char *target_id;
	int r;

	r = create_page(t, c, &reply);
	if (r < 0)
		return r;
	target_id = json_str(reply, "result.targetId");
	if (!engine_id_is_valid(target_id))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser's reply to Target.createTarget has no valid targetId");
	r = wait_for_page(t, c, target_id, &page);
	if (r < 0 && c->browser && !c->id.len)
		cdp_post(browser_cdp(c->browser), "Target.closeTarget", "{targetId: ?}", target_id);
	if (r < 0)
		return r;
	page_set_opened_here(page);
	r = page_settle_in(t, page);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(page);
	return 0;
}

int context_open_page(struct task *t, struct context *c, struct page **ret)
{
	usec_t outer;
	int r;

	if (!c->browser)
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	r = page_limit_check(t, c);
	if (r < 0)
		return r;
	outer = begin_setup(t, c->browser);
	c->opening++;
	r = open_page(t, c, ret);
	c->opening--;
	if (!c->browser) {
		task_set_deadline(t, outer);
		return r;
	}
	return end_setup(t, c->browser, outer, r);
}

struct page *context_page(struct context *c)
{
	return context_next_page(c, NULL);
}
