/* A session: its turns, its context and its time. What looks for sessions, makes and ends them is registry.c. */
#include "session/session.h"

#include <assert.h>

#include "base/error.h"
#include "base/log.h"
#include "base/node.h"
#include "browser/lent.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "session/internal.h"

#define KEEP_ROOM (USEC_PER_SEC / 2) /* after a call, and between two sessions that are put to sleep in advance */

usec_t session_timeout(const struct session *s)
{
	const struct registry_options *o = s->registry->options;

	if (s->plan.timeout)
		return s->plan.timeout;
	return !s->own ? o->timeout : o->own_timeout ? o->own_timeout : USEC_NEVER;
}

/* The contexts of the session have been freed. */
static void leave_browser(struct session *s)
{
	if (s->browser)
		pool_leave(s->pool, s->browser);
	s->browser = NULL;
}

void session_set_recording(struct session *s, struct session_recording recording)
{
	if (s->recording.data)
		s->recording.free(s->recording.data);
	s->recording = recording;
}

void session_drop_context(struct session *s)
{
	session_end_isolated(s);
	s->context = context_free(s->context);
	leave_browser(s);
}

void session_unref(struct session *s)
{
	if (--s->refs > 0)
		return;
	assert(TAILQ_EMPTY(&s->visits) && !s->registry);
	session_set_recording(s, (struct session_recording){});
	tabs_done(&s->tabs);
	session_end_isolated(s);
	context_free(s->context);
	session_drop_record(s);
	leave_browser(s);
	s->sleep = sleep_free(s->sleep);
	timer_free(s->expiry);
	timer_free(s->rest);
	gate_done(&s->control.gate);
	timer_free(s->control.timer);
	str_done(&s->control.pages);
	str_done(&s->control.url);
	egress_unref(s->egress);
	session_settings_free(s->settings);
	free(s);
}

static bool is_logged(const struct session *s)
{
	return s->own && s->context && s->registry;
}

static void log_new_context(const struct session *s)
{
	const struct registry_options *o = s->registry->options;

	if (!is_logged(s))
		return;
	if (o->one_for_all || !o->persistent)
		log_lifecycle("connect to shared browser");
	log_lifecycle("create context");
}

void session_log_end(const struct session *s, bool died)
{
	const struct session *other;
	unsigned left = 0;

	if (!is_logged(s))
		return;
	TAILQ_FOREACH(other, &s->registry->sessions, link)
		left += other != s && other->own && other->context;
	if (died)
		log_debugged("pw:mcp:backend", "browser disconnected");
	log_lifecycle(left ? "close context" : "close browser");
	if (!died)
		log_debugged("pw:mcp:backend", "browser disconnected");
}

void session_reset(struct session *s)
{
	session_log_end(s, false);
	session_set_recording(s, (struct session_recording){});
	tabs_done(&s->tabs);
	session_drop_context(s);
}

void session_touch(struct session *s, int64_t now)
{
	usec_t timeout = session_timeout(s), at = clock_now();
	usec_t end = timeout == USEC_NEVER ? USEC_NEVER : at + timeout;

	end = MIN(end, s->ends_at);
	s->used_at = at;
	s->expiry_at = end;
	s->expires_at = end == USEC_NEVER ? 0 : now + ((int64_t)end - (int64_t)at) / (int64_t)USEC_PER_MSEC;
	timer_set(s->expiry, end);
}

int session_fail_unknown(struct task *t, const struct registry *r, uint64_t owner, const char *id)
{
	const char *own = r->options->node;
	char node[NODE_NAME_SIZE];

	if (!node_is_other(own, id, node))
		return ended_fail(t, &r->ended, owner, id);
	task_fail_because(t, -ERR_SESSION_NOT_FOUND, REASON_SESSION_ELSEWHERE, "{session: ?, node: ?, own: ?}", id, node, own);
	task_fail_details(t, "{node: ?}", node);
	return -ERR_SESSION_NOT_FOUND;
}

/* ---- turns ---- */

struct session *session_ref(struct session *s)
{
	s->refs++;
	return s;
}

bool session_has_turn(const struct task *t, const struct session *s)
{
	const struct visit *first = TAILQ_FIRST(&s->visits);

	return first && first->task == t;
}

static void tell_of_visit(const struct session *s, struct task *t)
{
	struct session_watcher *w;

	if (s->registry)
		LIST_FOREACH(w, &s->registry->watchers, link)
			if (w->visited)
				w->visited(w, s, t);
}

static void begin_visit(struct task *t, struct session *s, struct visit *v)
{
	*v = (struct visit){ .task = t, .session = session_ref(s) };
}

static void mark_entered(struct visit *v)
{
	v->entered = true;
	session_begins_work(v->session);
}

int session_take_turn(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	int r = 0;

	begin_visit(t, s, v);
	s = v->session;
	if (session_has_turn(t, s)) {
		TAILQ_INSERT_HEAD(&s->visits, v, link);
		tell_of_visit(s, t);
		mark_entered(v);
		return 0;
	}
	TAILQ_INSERT_TAIL(&s->visits, v, link);
	tell_of_visit(s, t);
	task_set_gate(t, &s->control.gate);
	while ((r = gate_pass(t)) >= 0 && TAILQ_FIRST(&s->visits) != v)
		if ((r = waitq_wait(t, &s->turns, "the turn on the session")) < 0)
			break;
	if (r < 0)
		return r;
	mark_entered(v);
	return 0;
}

/* Calls that wait for a person have nothing to do with the session yet: this one goes before them. */
int session_take_turn_as_is(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	const struct visit *first = TAILQ_FIRST(&s->visits);
	int r = 0;

	begin_visit(t, s, v);
	s = v->session;
	if (first && !first->entered && s->control.gate.closed)
		TAILQ_INSERT_HEAD(&s->visits, v, link);
	else
		TAILQ_INSERT_TAIL(&s->visits, v, link);
	tell_of_visit(s, t);
	while (r == 0 && TAILQ_FIRST(&s->visits) != v)
		r = waitq_wait(t, &s->turns, "the turn on the session");
	if (r == 0)
		mark_entered(v);
	return r;
}

void registry_check_room_later(struct registry *r)
{
	if (r->options->max_memory && !timer_is_set(r->keep_room))
		timer_set(r->keep_room, clock_now() + KEEP_ROOM);
}

void session_pass_turn(struct visit *v)
{
	struct session *s = v->session;

	TAILQ_REMOVE(&s->visits, v, link);
	if (task_gate(v->task) == &s->control.gate && !session_has_turn(v->task, s))
		task_set_gate(v->task, NULL);
	session_ends_work(s);
	waitq_wake(&s->turns);
	session_rest_later(s);
	if (s->registry)
		registry_check_room_later(s->registry);
	session_unref(s);
}

int session_enter_as_is(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
{
	struct visit *visit = arena_alloc(task_arena(t), sizeof(*visit));
	struct session *s = registry_find(r, owner, id);
	int result;

	if (!s)
		return session_fail_unknown(t, r, owner, id);
	result = session_take_turn_as_is(t, s, visit);
	s = visit->session;
	if (result == 0 && s->context && !s->sleep)
		result = session_wake(t, s);
	if (result < 0)
		session_pass_turn(visit);
	else
		*ret = s;
	return result;
}

void session_leave_as_is(struct session *s)
{
	if (s->registry) /* it may have been due meanwhile */
		timer_set(s->expiry, s->expiry_at);
	session_pass_turn(TAILQ_FIRST(&s->visits));
}

/* ---- the context ---- */

/* Only a session whose id its client has chosen may be one that never was. */
static int load(struct task *t, struct session *s, struct json **ret)
{
	int r;

	s->archived = false;
	r = session_load(t, s, ret);
	if (r < 0 || *ret || !s->registry || s->registry->options->lazy || s->own)
		return r;
	return session_fail_unknown(t, s->registry, s->owner, s->id);
}

int session_open_first_page(struct task *t, struct context *c)
{
	_cleanup_(page_unrefp) struct page *page = NULL;

	return context_page(c) ? 0 : context_open_page(t, c, &page);
}

static bool lends_tabs(const struct browser *b)
{
	return browser_options(b)->lent_origins;
}

/* A context with a page, unless that is deferred, in the browser of the session. */
static int open_context(struct task *t, struct session *s, bool persistent, struct context **ret)
{
	_cleanup_(context_freep) struct context *context = NULL;
	int r;

	if (!s->browser)
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while it waited for a browser", s->id);
	if (s->plan.lent)
		r = context_new_lent(t, s->browser, s->plan.lent, &context);
	else if (lends_tabs(s->browser))
		r = task_fail_because(t, -ERR_BROWSER_ERROR, REASON_TABS_ONLY, "{}");
	else if (persistent)
		r = context_new_persistent(t, s->browser, &context);
	else
		r = session_new_context(t, s, s->browser, &context);
	if (r < 0)
		return r;
	if (!s->registry) /* the session ended while this task waited */
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while it was being created", s->id);
	session_hold_context(s, context);
	if (!s->defers_page)
		r = session_open_first_page(t, context);
	if (r == 0)
		*ret = TAKE_PTR(context);
	return r;
}

/* Enters a browser of the pool and opens the context there; in another one if that browser ends or hangs meanwhile. */
static int enter_browser(struct task *t, struct session *s, bool persistent, struct context **ret)
{
	usec_t began = 0;
	bool again;
	int r;

	do {
		again = began;
		if (s->plan.second)
			s->browser = pool_second(s->pool);
		else if ((r = pool_enter(t, s->pool, s->id, persistent, &s->browser)) < 0)
			return r;
		began = clock_now();
		r = open_context(t, s, persistent, ret);
		if (r == 0 || !s->registry || !s->browser || !pool_lost(s->pool, s->browser, r, clock_now() - began))
			return r;
		leave_browser(s);
	} while (!again && !task_cancelled(t));
	return r;
}

int session_create_context(struct task *t, struct session *s)
{
	_cleanup_(context_freep) struct context *context = NULL;
	_cleanup_(json_freep) struct json *saved = NULL;
	bool persistent = s->own && s->registry->options->persistent;
	int r;

	r = s->archived ? load(t, s, &saved) : 0;
	if (r == 0)
		r = session_make_egress(t, s, persistent);
	if (r == 0)
		r = enter_browser(t, s, persistent, &context);
	if (r < 0)
		return r;
	if (!s->registry) /* the session ended while this task waited */
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while it was being created", s->id);
	s->context = TAKE_PTR(context);
	log_new_context(s);
	if (!s->created) {
		s->created_at = clock_unix_msec();
		s->ends_at = s->plan.lifetime ? clock_now() + s->plan.lifetime : USEC_NEVER;
	}
	session_touch(s, s->created ? clock_unix_msec() : s->created_at); /* a session that was reset keeps its times */
	s->created = true;
	r = session_begin_record(t, s, s->context);
	if (r < 0)
		return r;
	return saved ? session_restore(t, s, saved) : 0;
}

int session_page(struct task *t, struct session *s, struct page **ret)
{
	struct tab *tab;
	int r;

	session_update_tabs(s);
	r = tabs_ensure(t, &s->tabs, session_context(s), &tab);
	if (r < 0)
		return r;
	tab->is_used = true;
	*ret = page_ref(tab->page);
	return 0;
}
