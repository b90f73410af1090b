#include "act/settle.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "browser/downloads.h"
#include "engine/elements.h"
#include "engine/script.h"
#include "page/modal.h"
#include "page/frame.h"

#define NAVIGATION_MAX (10 * USEC_PER_SEC) /* from the action until the new document has loaded */
#define REQUESTS_MAX (5 * USEC_PER_SEC)
#define QUESTIONS_MAX 16            /* of one document, which asks once for listeners, and again for roots as elements come */
#define STALL (250 * USEC_PER_MSEC) /* without a byte of a body */

static bool ends_waiting(int r)
{
	return r == -ECANCELED || r == -EINTR;
}

static void set_frame(struct settle *s, struct frame *f)
{
	frame_ref(f);
	frame_unref(s->frame);
	s->frame = f;
	page_watch_effects(s->page, f);
}

static int watch(struct task *t, struct settle *s, const char *function)
{
	int r;

	engine_call_done(&s->watching);
	r = frame_script_send(t, s->frame, &s->watching, function, "{}");
	s->watches = r == 0;
	return ends_waiting(r) ? r : 0;
}

int settle_await_watch(struct task *t, struct settle *s)
{
	int r = s->watching.method ? frame_script_await(t, s->frame, &s->watching, NULL) : 0;

	return ends_waiting(r) ? r : 0;
}

int settle_watch(struct task *t, struct settle *s, struct frame *f)
{
	set_frame(s, f);
	return watch(t, s, "watchEffects");
}

int settle_watch_call(struct task *t, struct settle *s, struct frame *f)
{
	set_frame(s, f);
	if (!frame_called_library(f))
		return watch(t, s, "watchCall");
	engine_run(frame_target(f), frame_world(f), "browserd.watchCall()"); /* the library is there, and no argument is needed */
	s->watches = true;
	return 0;
}

void settle_open(struct task *t, struct page *p, struct settle *ret)
{
	*ret = (struct settle){
		.page = p,
		.frame = frame_ref(page_main_frame(p)),
		.commits = page_commits(p),
		.url = arena_strdup(task_arena(t), page_url(p)),
		.opened = clock_now(),
		.from = traffic_mark(page_traffic(p)),
		.requests_to = TRAFFIC_NOW,
		.has_effect = page_blocked(p),
	};
	page_watch_effects(p, page_main_frame(p));
	if (page_context(p))
		ret->downloads = context_next_download(page_context(p));
}

int settle_begin(struct task *t, struct page *p, struct settle *ret)
{
	settle_open(t, p, ret);
	return ret->has_effect ?
		       0 :
		       settle_watch(t, ret,
				    page_main_frame(p)); /* scripts of a blocked page do not run; that they continue is an effect */
}

void settle_without_effect(struct settle *s, const struct navigation *shown)
{
	s->watches = false; /* scripts/calleffects.js stops watching with that reply */
	s->without_effect = strcmp(shown->url, page_url(s->page)) == 0 && strlen(shown->title) <= LIMIT_TITLE;
	if (s->without_effect)
		s->shown = *shown;
}

void settle_done(struct settle *s)
{
	if (s->page)
		page_watch_effects(s->page, NULL);
	engine_call_done(&s->watching);
	s->frame = frame_unref(s->frame);
	str_done(&s->text);
}

/* A response whose body does not arrive is one that no script reads, or a stream without new data. */
static bool is_stalled(const struct settle *s)
{
	return clock_now() >= page_traffic(s->page)->received + STALL;
}

/* Whether a request that began since the action is under way. `ret_any`: set if any began. */
static bool request_open(struct settle *s, bool *ret_any)
{
	const struct traffic *traffic = page_traffic(s->page);
	usec_t now = clock_now();

	if (s->requests_to == TRAFFIC_NOW && now >= s->until) /* later requests are caused by the page, not by the action */
		s->requests_to = traffic->requests;
	*ret_any |= traffic_began(traffic, s->from.requests, s->requests_to);
	return traffic_request_open(traffic, s->from.requests, s->requests_to, is_stalled(s)) ||
	       (now < s->until && traffic_socket_waits(traffic, s->from.socket_turns));
}

static bool navigated(const struct settle *s)
{
	return page_commits(s->page) != s->commits;
}

/* Whether a download has begun since the action. */
static bool download_began(const struct settle *s)
{
	return s->downloads && page_context(s->page) && context_next_download(page_context(s->page)) > s->downloads;
}

/* The next page in the context after `after` (NULL: the first) that was opened since the action began. */
static struct page *next_opened(const struct settle *s, struct page *after)
{
	struct page *p = after;

	while (page_context(s->page) && (p = context_next_page(page_context(s->page), p)))
		if (p != s->page && page_attached_at(p) >= s->opened)
			return p;
	return NULL;
}

/* Whether the action had an effect outside of the watched document. Some effects cannot be seen in the document. */
static bool has_effect_elsewhere(const struct settle *s)
{
	return s->has_effect || s->is_new || navigated(s) || download_began(s) || next_opened(s, NULL) ||
	       strcmp(s->url, page_url(s->page)) != 0;
}

static bool download_open(const struct settle *s)
{
	struct context *c = page_context(s->page);

	if (!s->downloads || !c)
		return false;
	return context_downloads_since(c, s->downloads) ||
	       context_next_download(c) - s->downloads < page_traffic(s->page)->handed_over - s->from.handed_over;
}

static bool navigation_open(const struct settle *s)
{
	return page_navigating(s->page) || ((navigated(s) || s->is_new) && page_loading(s->page));
}

/* The time until which pending network activity may be awaited; 0: none is pending. */
static usec_t network_limit(struct settle *s, bool *ret_any)
{
	usec_t now = clock_now(), limit;

	if (navigation_open(s))
		limit = s->began + NAVIGATION_MAX;
	else if (request_open(s, ret_any))
		limit = s->began + REQUESTS_MAX;
	else if (download_open(s))
		limit = s->until;
	else
		return 0;
	return now < limit ? limit : 0;
}

/* The next time at which a limit expires without an event: that of a socket, or of a stalled body. */
static usec_t next_limit(const struct settle *s)
{
	usec_t now = clock_now(), stall = page_traffic(s->page)->received + STALL;

	return MIN(s->until > now ? s->until : USEC_NEVER, stall > now ? stall : USEC_NEVER);
}

/* Returns 1 if there was network activity to wait for. */
static int wait_for_network(struct task *t, struct settle *s, bool *ret_any)
{
	usec_t limit;
	int r, waited = 0;

	while (page_alive(s->page) && !page_blocked(s->page) && (limit = network_limit(s, ret_any))) {
		waited = 1;
		task_set_deadline(t, MIN(limit, next_limit(s)));
		r = waitq_wait(t, page_changed(s->page), "the network to come to rest");
		if (ends_waiting(r))
			return r;
	}
	return waited;
}

/*
 * Whether an answer may reach the page over a channel that is not observed: a worker, a document in another process, an
 * open stream.
 */
static bool has_unseen_channel(const struct settle *s)
{
	return page_has_child_targets(s->page) || traffic_has_stream(page_traffic(s->page));
}

/*
 * Passes the types of the page's event listeners on the path of the action's events to scripts/settle.js: without listeners, none of the page's
 * scripts can have run. Scripts of the page cannot observe this. Our own listeners in the page's world have names that begin with its id.
 */
static int answer_listeners(struct task *t, struct frame *f)
{
	_cleanup_(str_done) struct str types = {};
	int r = engine_listened_types(t, frame_engine(f), "browserd.eventPath()", page_target_id(frame_page(f)), &types);

	return r < 0 ? r : frame_script(t, f, NULL, "answerListeners", "{types: [?]}", JSON_RAW(str_text(&types)));
}

/* Answers a question that the document needs to decide how long to wait. If the answer fails, the document waits longer. */
static int answer_question(struct task *t, struct settle *s, const char *question)
{
	int r;

	if (strcmp(question, "roots") == 0)
		r = engine_keep_closed_roots(t, frame_engine(s->frame), "browserd.rootCandidates()");
	else
		r = answer_listeners(t, s->frame);
	return ends_waiting(r) ? r : 0;
}

/* Responses since the last rest, or since the action, that the document may not have got yet though their ends were reported. */
static uint64_t early_ends(const struct settle *s)
{
	if (s->is_new || navigated(s) || s->frame != page_main_frame(s->page))
		return 0;
	return page_traffic(s->page)->early_ends - s->from.early_ends;
}

/* Whether such a response ended while the document came to rest: its request may have begun and ended since wait_for_network(). */
static bool has_unread_response(const struct settle *s)
{
	return clock_now() < s->until && early_ends(s) > 0;
}

/* Calls `function` and then goOn() until the document has no further question. `ret_shown` is its last answer. */
static int await_rest(struct task *t, struct settle *s, bool has_effect, const char *snapshot, struct json **ret_shown)
{
	const char *function = "comeToRest", *question;
	uint64_t responses = early_ends(s);
	bool answers = has_unseen_channel(s);
	unsigned asked = 0;
	int r;

	s->from.early_ends = page_traffic(s->page)->early_ends;
	do {
		_cleanup_(engine_call_done) struct engine_call call = {};
		usec_t now = clock_now(), left = s->until > now ? s->until - now : 0;

		*ret_shown = json_free(*ret_shown);
		task_set_deadline(t, now + left + LIMIT_BUSY);
		r = frame_script_send(
			t, s->frame, &call, function,
			"{patience: ?, isWatched: ?, effectElsewhere: ?, skipFirstWait: ?, scrolls: ?, awaitsTimers: ?, answers: ?, "
			"responses: ?, titleLimit: ?, snapshot: ?}",
			(double)left / USEC_PER_MSEC, s->watches, has_effect, s->skip_first_wait, s->scrolls, s->awaits_timers,
			answers, responses, LIMIT_TITLE, JSON_RAW(snapshot));
		if (r == 0)
			r = frame_script_await(t, s->frame, &call, ret_shown);
		question = r == 0 ? json_str(*ret_shown, "question") : NULL;
		if (question)
			r = answer_question(t, s, question);
		function = "goOn";
	} while (r == 0 && question && ++asked < QUESTIONS_MAX);
	return r;
}

/* Whether the document may take the snapshot as soon as it is at rest, which saves a round trip to the page. */
static bool takes_snapshot(const struct settle *s)
{
	return s->snapshot && s->frame == page_main_frame(s->page);
}

/* Returns 1 if another document has replaced the watched one. Negative: the document was removed or does not answer. */
static int wait_for_document(struct task *t, struct settle *s, bool has_effect)
{
	_cleanup_(snapshot_text_done) struct snapshot_text text = {};
	_cleanup_(str_done) struct str snapshot = {};
	_cleanup_(json_freep) struct json *shown = NULL;
	unsigned commits = page_commits(s->page); /* the answer may be read together with the events of a whole navigation */
	int r;

	if (takes_snapshot(s))
		snapshot_text_begin(&text, s->frame, s->snapshot, &snapshot);
	r = await_rest(t, s, has_effect, snapshot.len ? snapshot.data : "null", &shown);
	s->watches = false;
	if (r == 0 && (json_bool(shown, "isNew", false) || page_commits(s->page) != commits)) {
		s->has_effect = true;
		return 1;
	}
	if (r == 0 && s->frame == page_main_frame(s->page))
		navigation_shown(t, s->page, shown, &s->shown);
	if (r < 0 || !json_get(shown, "snapshot") || snapshot_text_end(t, &text, json_get(shown, "snapshot")) < 0)
		return r;
	r = snapshot_find_roots(t, s->frame, json_get(shown, "snapshot"));
	if (r == 0)
		str_move(&s->text, &text.text);
	return ends_waiting(r) ? r : 0;
}

/* Restarts the patience once after network activity, because a response may cause further effects. */
static void restart_patience(struct settle *s)
{
	if (s->patience_restarted)
		return;
	s->patience_restarted = true;
	s->until = clock_now() + s->patience;
	s->requests_to = TRAFFIC_NOW;
}

static void forget_shown(struct settle *s)
{
	s->shown = (struct navigation){};
	str_reset(&s->text);
}

static int settle_once(struct task *t, struct settle *s)
{
	bool any = false;
	int r;

	r = wait_for_network(t, s, &any);
	if (r < 0)
		return r;
	if (s->without_effect && !any && !has_effect_elsewhere(s))
		return 0;
	s->without_effect = false;
	forget_shown(s);
	if (r > 0)
		restart_patience(s);
	s->watches &= !s->is_new && !navigated(s);
	if (!page_alive(s->page) || (navigated(s) && s->frame != page_main_frame(s->page) && frame_detached(s->frame)))
		return -ESTALE;
	return wait_for_document(t, s, (any && !traffic_has_stream(page_traffic(s->page))) || has_effect_elsewhere(s));
}

/* A page that shows one new document after the other is not waited for longer than one that loads slowly. */
static bool is_late(const struct settle *s)
{
	return clock_now() >= s->began + NAVIGATION_MAX;
}

/* Whether the page has more to settle, after settle_once() has returned `r`. */
static bool must_go_on(struct settle *s, int r)
{
	if (r > 0)
		return !is_late(s);
	return r == 0 && (network_limit(s, &(bool){ false }) || has_unread_response(s));
}

static int settle_page(struct task *t, struct settle *s, usec_t patience)
{
	usec_t now = clock_now();
	int r;

	s->began = s->is_new ? page_navigation_began(s->page) : now;
	s->patience = patience;
	s->until = now + patience;
	do {
		r = settle_once(t, s);
		if (r == 0 && page_alive(s->page)) {
			task_set_deadline(t, clock_now() + LIMIT_BUSY);
			r = page_confirm_navigation(t, s->page);
		}
	} while (page_alive(s->page) && must_go_on(s, r));
	if (r == -ESTALE && page_alive(s->page))
		r = wait_for_network(t, s, &(bool){ false });
	return ends_waiting(r) ? r : 0;
}

/*
 * Settles a page from its beginning. `downloads`: number of the first download that may have begun by then; 0: those of the past are
 * over, and so are the requests that became one.
 */
static int settle_new(struct task *t, struct page *p, unsigned downloads, usec_t patience)
{
	_cleanup_(settle_done) struct settle s = {};

	settle_open(t, p, &s);
	s.is_new = true;
	s.from = (struct traffic_mark){ .handed_over = downloads ? 0 : s.from.handed_over };
	if (downloads)
		s.downloads = downloads;
	return s.has_effect ? 0 : settle_page(t, &s, patience);
}

/*
 * Settles each page that was opened, all of them within the limit of one navigation. The document of their opener may
 * have changed meanwhile.
 */
static int settle_opened(struct task *t, struct settle *s, usec_t patience)
{
	struct page *next;
	int r = 0;

	while (r == 0 && clock_now() < s->began + NAVIGATION_MAX && (next = next_opened(s, NULL))) {
		_cleanup_(page_unrefp) struct page *p = page_ref(next);

		s->opened = page_attached_at(p) + 1;
		r = settle_new(t, p, s->downloads, patience);
		forget_shown(s);
	}
	return r;
}

int settle_wait(struct task *t, struct settle *s, usec_t patience)
{
	usec_t outer = task_deadline(t);
	int r;

	r = settle_page(t, s, patience);
	if (r == 0)
		r = settle_opened(t, s, patience);
	task_set_deadline(t, outer);
	return r;
}

int settle_loading(struct task *t, struct page *p, usec_t patience)
{
	usec_t outer = task_deadline(t);
	int r;

	if (!page_alive(p) || page_blocked(p) || !page_loading(p) || clock_now() >= page_navigation_began(p) + NAVIGATION_MAX)
		return 0;
	r = settle_new(t, p, 0, patience);
	task_set_deadline(t, outer);
	return r;
}
