#include "session/session.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <uuid/uuid.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/node.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "session/internal.h"

static usec_t timeout_of(const struct session *s)
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

static void unref(struct session *s)
{
	if (--s->refs > 0)
		return;
	assert(TAILQ_EMPTY(&s->visits) && !s->registry);
	session_set_recording(s, (struct session_recording){});
	tabs_done(&s->tabs);
	session_end_isolated(s);
	context_free(s->context);
	leave_browser(s);
	s->sleep = sleep_free(s->sleep);
	timer_free(s->expiry);
	timer_free(s->rest);
	egress_unref(s->egress);
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

/* The context is about to end, or is dead. */
static void log_end_of_context(const struct session *s, bool died)
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

/* Removes the session from the registry and cancels its running and queued calls with `failure` and the text. */
static void end(struct session *s, int failure, const char *why)
{
	struct registry *r = s->registry;
	struct visit *v;

	if (!r)
		return;
	log_end_of_context(s, failure == -ERR_BROWSER_ERROR);
	sleep_ended(s);
	TAILQ_REMOVE(&r->sessions, s, link);
	r->count--;
	s->registry = NULL;
	timer_set(s->expiry, USEC_NEVER);
	timer_set(s->rest, USEC_NEVER);
	TAILQ_FOREACH(v, &s->visits, link)
		task_cancel(v->task, failure, "session %s %s", s->id, why);
	if (s->plan.ended)
		s->plan.ended(s->plan.data);
	unref(s);
}

/* Restarts the time-out after a use; `now` in Unix milliseconds. */
static void touch(struct session *s, int64_t now)
{
	usec_t timeout = timeout_of(s), at = clock_now();
	usec_t end = timeout == USEC_NEVER ? USEC_NEVER : at + timeout;

	end = MIN(end, s->ends_at);
	s->used_at = at;
	s->expiry_at = end;
	s->expires_at = end == USEC_NEVER ? 0 : now + ((int64_t)end - (int64_t)at) / (int64_t)USEC_PER_MSEC;
	timer_set(s->expiry, end);
}

static void on_expiry(void *data)
{
	struct session *s = data;
	bool lifetime_over = clock_now() >= s->ends_at;

	if (!lifetime_over && !TAILQ_EMPTY(&s->visits)) { /* in use: session_leave() sets the timer again */
		timer_set(s->expiry, s->ends_at);
		return;
	}
	log_info("session %s expired", s->id);
	ended_add(&s->registry->ended, s->owner, s->id, lifetime_over ? ENDED_LIFETIME : ENDED_UNUSED, timeout_of(s));
	end(s, -ERR_SESSION_EXPIRED, lifetime_over ? "has reached the end of its lifetime" : "expired");
}

struct registry *registry_new(struct loop *l, struct pool *pool, const struct registry_options *options,
			      const struct egress_settings *egress, struct egress *profile_egress)
{
	struct registry *r = NEW(struct registry);

	*r = (struct registry){ .loop = l, .pool = pool, .options = options, .egress = egress, .profile_egress = profile_egress };
	TAILQ_INIT(&r->sessions);
	room_init(r);
	priority_init(r);
	sleep_init(r);
	return r;
}

struct registry *registry_free(struct registry *r)
{
	if (!r)
		return NULL;
	registry_close_all(r);
	sleep_done(r);
	ended_done(&r->ended);
	room_done(r);
	priority_done(r);
	free(r);
	return NULL;
}

void registry_set_archive(struct registry *r, const struct session_archive *archive)
{
	r->archive = archive;
}

static struct session *find_in(const struct registry *r, const struct browser *b)
{
	struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (!s->sleep && s->browser == b &&
		    (s->context || !pool_is_spread(r->pool))) /* one that is being created may find another */
			return s;
	return NULL;
}

void registry_browser_died(struct registry *r, const struct browser *b)
{
	const char *why =
		browser_attached(b) ?
			"ended because the browser died or closed the connection; create a new session, which connects to one" :
			"ended because the browser died; create a new session, which starts the browser again";
	struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->sleep && s->browser == b)
			sleep_browser_died(s);
	while ((s = find_in(r, b))) {
		ended_add(&r->ended, s->owner, s->id, ENDED_WITH_BROWSER, 0);
		end(s, -ERR_BROWSER_ERROR, why);
	}
}

void registry_close_all(struct registry *r)
{
	while (!TAILQ_EMPTY(&r->sessions))
		end(TAILQ_FIRST(&r->sessions), -ERR_SESSION_NOT_FOUND, "was closed because the server is shutting down");
}

static struct session *session_ref(struct session *s)
{
	s->refs++;
	return s;
}

static bool has_turn(const struct task *t, const struct session *s)
{
	const struct visit *first = TAILQ_FIRST(&s->visits);

	return first && first->task == t;
}

/*
 * Queues `v` and waits for its turn. `v` stays queued until leave(), also on failure. A task that has the turn already does not wait
 * for itself: its second visit goes before the first, and leaves before that.
 */
static int take_turn(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	int r = 0;

	s = session_ref(s);
	v->task = t;
	v->session = s;
	if (has_turn(t, s))
		TAILQ_INSERT_HEAD(&s->visits, v, link);
	else
		TAILQ_INSERT_TAIL(&s->visits, v, link);
	while (r == 0 && TAILQ_FIRST(&s->visits) != v)
		r = waitq_wait(t, &s->turns, "the turn on the session");
	if (r == 0)
		session_begins_work(s);
	return r;
}

/* Gives the turn to the next call. */
static void leave(struct visit *v)
{
	struct session *s = v->session;

	TAILQ_REMOVE(&s->visits, v, link);
	session_ends_work(s);
	waitq_wake(&s->turns);
	session_rest_later(s);
	if (s->registry)
		room_check_later(s->registry);
	unref(s);
}

/*
 * Adds an entry before the context exists, so that the limit counts it and a second call with the same id queues
 * behind the first.
 */
static int add(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
{
	struct session *s;
	int failure = room_check(t, r, owner);

	if (failure < 0)
		return failure;
	s = NEW(struct session);
	s->registry = r;
	s->pool = r->pool;
	s->owner = owner;
	s->ends_at = USEC_NEVER;
	s->refs = 1; /* held by the registry */
	strncpy(s->id, id, LIMIT_SESSION_NAME);
	s->created_at = clock_unix_msec();
	s->expiry = timer_new(r->loop, on_expiry, s);
	session_rest_init(s);
	TAILQ_INIT(&s->visits);
	waitq_init(&s->turns);
	tabs_init(&s->tabs);
	TAILQ_INIT(&s->isolated);
	TAILQ_INSERT_TAIL(&r->sessions, s, link);
	r->count++;
	*ret = s;
	return 0;
}

/* Fails because the owner has no session with this id here: it never was, has ended, or is on another node. */
static int fail_unknown(struct task *t, const struct registry *r, uint64_t owner, const char *id)
{
	const char *own = r->options->node;
	char node[NODE_NAME_SIZE];

	if (!node_is_other(own, id, node))
		return ended_fail(t, &r->ended, owner, id);
	task_fail(t, -ERR_SESSION_NOT_FOUND,
		  "session %s is on the node \"%s\", and this connection leads to \"%s\"; create another one with create_session",
		  id, node, own);
	task_fail_details(t, "{node: ?}", node);
	return -ERR_SESSION_NOT_FOUND;
}

/* Only a session whose id its client has chosen may be one that never was. */
static int load(struct task *t, struct session *s, struct json **ret)
{
	int r;

	s->archived = false;
	r = session_load(t, s, ret);
	if (r < 0 || *ret || !s->registry || s->registry->options->lazy || s->own)
		return r;
	return fail_unknown(t, s->registry, s->owner, s->id);
}

/* The context of an attached browser may have pages. */
static int open_first_page(struct task *t, struct context *c)
{
	_cleanup_(page_unrefp) struct page *page = NULL;

	return context_page(c) ? 0 : context_open_page(t, c, &page);
}

/* A context with a page, unless that is deferred, in the browser of the session. */
static int open_context(struct task *t, struct session *s, bool persistent, struct context **ret)
{
	_cleanup_(context_freep) struct context *context = NULL;
	int r;

	if (persistent)
		r = context_new_persistent(t, s->browser, &context);
	else
		r = context_new(t, s->browser, s->egress ? egress_proxy(s->egress) : NULL, &context);
	if (r < 0)
		return r;
	if (!s->registry) /* the session ended while this task waited */
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while it was being created", s->id);
	session_hold_context(s, context);
	if (!s->defers_page)
		r = open_first_page(t, context);
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
		r = pool_enter(t, s->pool, s->id, persistent, &s->browser);
		if (r < 0)
			return r;
		began = clock_now();
		r = open_context(t, s, persistent, ret);
		if (r == 0 || !s->registry || !pool_lost(s->pool, s->browser, r, clock_now() - began))
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
	touch(s, s->created ? clock_unix_msec() : s->created_at); /* a session that was reset keeps its times */
	s->created = true;
	return saved ? session_restore(t, s, saved) : 0;
}

/* The caller has the turn. A session that has taken memory before, and was reset, is not counted anew. */
static int create_or_wake(struct task *t, struct session *s)
{
	int r = s->takes_memory_since ? 0 : room_make(t, s);

	if (r == 0)
		r = s->sleep ? sleep_wake(t, s) : session_create_context(t, s);
	s->takes_memory_since = s->sleep ? 0 : s->defers_page ? USEC_NEVER : clock_now();
	return r;
}

static int take_turn_and_context(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	int r;

	r = take_turn(t, s, v);
	s = v->session; /* from here on the visit keeps the session */
	if (r < 0) {
		leave(v);
		return r;
	}
	if (s->context && !s->sleep) {
		r = session_wake(t, s);
		if (r < 0)
			leave(v);
		return r;
	}
	r = create_or_wake(t, s);
	if (r < 0 && s->sleep) {
		leave(v);
	} else if (r < 0) {
		/* The reference keeps `s` beyond leave(), which must come first: end() cancels all queued calls, including this one. */
		session_ref(s);
		leave(v);
		if (r == -ERR_SESSION_NOT_FOUND)
			end(s, r, s->restoring ? "cannot go on here now; call again" : "does not exist");
		else
			end(s, -ERR_BROWSER_ERROR, "could not be created");
		unref(s);
	}
	return r;
}

/* Takes the turn on `s` and creates its context if it has none. On failure the turn has been given back. */
static int enter(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	struct session_waits *waits = &s->registry->waits;
	usec_t since = clock_now();
	int r;

	if (has_turn(t, s))
		return take_turn_and_context(t, s, v);
	waits->now++;
	r = take_turn_and_context(t, s, v);
	waits->now--;
	histogram_add(&waits->times, clock_now() - since);
	return r;
}

static int add_unnamed(struct task *t, struct registry *r, uint64_t owner, struct session **ret)
{
	char id[NODE_NAME_SIZE + UUID_STR_LEN], random[UUID_STR_LEN];
	uuid_t uuid;

	uuid_generate_random(uuid);
	uuid_unparse_lower(uuid, random);
	node_make_id(r->options->node, random, id, sizeof(id));
	return add(t, r, owner, id, ret);
}

int registry_create(struct task *t, struct registry *r, uint64_t owner, const struct session **ret)
{
	return registry_create_planned(t, r, owner, &(const struct session_plan){}, ret);
}

void registry_touch(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s && s->created)
		touch(s, clock_unix_msec());
}

int registry_create_planned(struct task *t, struct registry *r, uint64_t owner, const struct session_plan *plan,
			    const struct session **ret)
{
	struct session *s = NULL;
	struct visit visit;
	int result;

	result = add_unnamed(t, r, owner, &s);
	if (result < 0)
		return result;
	s->plan = (struct session_plan){ .timeout = plan->timeout, .lifetime = plan->lifetime };
	s->egress = plan->egress ? egress_ref(plan->egress) : NULL;
	s->defers_page = true;
	result = enter(t, s, &visit);
	if (result < 0)
		return result;
	s = visit.session;
	s->plan = *plan;
	*ret = s;
	leave(&visit);
	return 0;
}

/* The ids that this program makes begin with the name of a node. */
static bool may_be_archived(const struct registry *r, const char *id)
{
	char node[NODE_NAME_SIZE];

	return r->archive && node_of_id(id, node);
}

int registry_knows(struct task *t, struct registry *r, uint64_t owner, const char *id)
{
	return registry_find(r, owner, id) ? 0 : fail_unknown(t, r, owner, id);
}

int registry_close(struct task *t, struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);
	int result;

	if (!s) {
		result = may_be_archived(r, id) ? r->archive->discard(t, owner, id, r->archive->data) : 0;
		return result < 0 ? result : result == 0 ? fail_unknown(t, r, owner, id) : 0;
	}
	end(s, -ERR_SESSION_NOT_FOUND, "was closed while this call ran or waited for its turn");
	return 0;
}

void registry_end(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s)
		end(s, -ERR_SESSION_NOT_FOUND, "was closed because its client has left");
}

void registry_end_moved(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s)
		end(s, -ERR_SESSION_NOT_FOUND, "has moved to another server; call again");
}

void registry_end_all_of(struct registry *r, uint64_t owner)
{
	struct session *s, *next;

	for (s = TAILQ_FIRST(&r->sessions); s; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->owner == owner)
			end(s, -ERR_SESSION_NOT_FOUND, "was closed because its client has left");
	}
}

void registry_release(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (!s)
		return;
	if (r->options->persistent) { /* the next client needs the only profile */
		registry_end(r, owner, id);
		return;
	}
	s->own = false;
	touch(s, clock_unix_msec());
}

/*
 * A session that may be in the archive is added before that is known: calls that come meanwhile wait for their turn on it.
 */
static int find_or_add(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
{
	int result;

	*ret = registry_find(r, owner, id);
	if (*ret)
		return 0;
	if (!r->options->lazy && !may_be_archived(r, id))
		return fail_unknown(t, r, owner, id);
	if (!*id || strlen(id) > LIMIT_SESSION_NAME)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "sessionId must have 1 to %u bytes", LIMIT_SESSION_NAME);
	result = add(t, r, owner, id, ret);
	if (result == 0)
		(*ret)->archived = r->archive;
	return result;
}

/* The process of a page takes memory, which a session that has only been created need not have yet. */
static int open_deferred_page(struct task *t, struct session *s)
{
	int r;

	if (!s->defers_page)
		return 0;
	r = open_first_page(t, s->context);
	if (r < 0)
		return r;
	s->defers_page = false;
	s->takes_memory_since = clock_now();
	return 0;
}

static int enter_found(struct task *t, _borrowed_ struct session *s, struct session **ret)
{
	struct visit *visit = arena_alloc(task_arena(t), sizeof(*visit));
	int result;

	result = enter(t, s, visit);
	if (result < 0)
		return result;
	result = open_deferred_page(t, visit->session);
	if (result < 0) {
		leave(visit);
		return result;
	}
	*ret = visit->session;
	touch(*ret, clock_unix_msec());
	return 0;
}

int session_enter(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
{
	struct session *s;
	int result;

	result = find_or_add(t, r, owner, id, &s);
	return result < 0 ? result : enter_found(t, s, ret);
}

static struct session *find_deferring(const struct registry *r, uint64_t owner)
{
	struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->owner == owner && s->defers_page && s->context && !s->sleep)
			return s;
	return NULL;
}

int registry_open_pages(struct task *t, struct registry *r, uint64_t owner)
{
	struct session *s;
	int result = 0;

	while (result == 0 && (s = find_deferring(r, owner))) {
		result = enter_found(t, s, &s);
		if (result == 0)
			session_leave(s);
	}
	return result;
}

int session_enter_own(struct task *t, struct registry *r, uint64_t owner, char id[SESSION_ID_SIZE], struct session **ret)
{
	struct session *s = *id ? registry_find(r, owner, id) : NULL;
	int result;

	if (!s) {
		result = *id && may_be_archived(r, id) ? add(t, r, owner, id, &s) : add_unnamed(t, r, owner, &s);
		if (result < 0)
			return result;
		s->own = true;
		s->archived = *id && r->archive;
		snprintf(id, SESSION_ID_SIZE, "%s", s->id);
	}
	return enter_found(t, s, ret);
}

void session_leave(struct session *s)
{
	if (s->registry)
		touch(s, clock_unix_msec());
	leave(TAILQ_FIRST(&s->visits));
}

int session_enter_as_is(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
{
	struct visit *visit = arena_alloc(task_arena(t), sizeof(*visit));
	struct session *s = registry_find(r, owner, id);
	int result;

	if (!s)
		return fail_unknown(t, r, owner, id);
	result = take_turn(t, s, visit);
	s = visit->session;
	if (result == 0 && s->context && !s->sleep)
		result = session_wake(t, s);
	if (result < 0)
		leave(visit);
	else
		*ret = s;
	return result;
}

void session_leave_as_is(struct session *s)
{
	if (s->registry) /* it may have been due meanwhile */
		timer_set(s->expiry, s->expiry_at);
	leave(TAILQ_FIRST(&s->visits));
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

void session_reset(struct session *s)
{
	log_end_of_context(s, false);
	session_set_recording(s, (struct session_recording){});
	tabs_done(&s->tabs);
	session_drop_context(s);
}

int session_page(struct task *t, struct session *s, struct page **ret)
{
	int r;

	session_update_tabs(s);
	r = tabs_ensure(t, &s->tabs, session_context(s));
	if (r < 0)
		return r;
	s->tabs.current->is_used = true;
	*ret = page_ref(s->tabs.current->page);
	return 0;
}
