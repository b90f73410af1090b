/* The registry: makes sessions when they are entered, and ends them. */
#include "session/session.h"

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

/* Removes the session from the registry and cancels its running and queued calls with `failure` and the text. */
static void registry_end_session(struct session *s, int failure, const char *why)
{
	struct registry *r = s->registry;
	struct session_watcher *w;
	struct visit *v;

	if (!r)
		return;
	session_log_end(s, failure == -ERR_BROWSER_ERROR);
	control_session_ended(s);
	sleep_ended(s);
	session_end_record(s, why);
	TAILQ_REMOVE(&r->sessions, s, link);
	r->count--;
	s->registry = NULL;
	timer_set(s->expiry, USEC_NEVER);
	timer_set(s->rest, USEC_NEVER);
	TAILQ_FOREACH(v, &s->visits, link)
		task_cancel(v->task, failure, "session %s %s", s->id, why);
	if (s->plan.ended)
		s->plan.ended(s->plan.data);
	LIST_FOREACH(w, &r->watchers, link)
		if (w->ended)
			w->ended(w, s);
	session_unref(s);
}

static void registry_on_expiry(void *data)
{
	struct session *s = data;
	bool lifetime_over = clock_now() >= s->ends_at;

	if (!lifetime_over && (!TAILQ_EMPTY(&s->visits) || s->control.gate.closed ||
			       user_requests_attended(s))) { /* in use: its end sets the timer again */
		timer_set(s->expiry, s->ends_at);
		return;
	}
	log_info("session %s expired", s->id);
	ended_add(&s->registry->ended, s->owner, s->id, lifetime_over ? ENDED_LIFETIME : ENDED_UNUSED, session_timeout(s));
	registry_end_session(s, -ERR_SESSION_EXPIRED, lifetime_over ? "has reached the end of its lifetime" : "expired");
}

struct registry *registry_new(struct loop *l, struct pool *pool, const struct registry_options *options,
			      const struct egress_settings *egress, struct egress *profile_egress)
{
	struct registry *r = NEW(struct registry);

	*r = (struct registry){ .loop = l, .pool = pool, .options = options, .egress = egress, .profile_egress = profile_egress };
	TAILQ_INIT(&r->sessions);
	LIST_INIT(&r->watchers);
	LIST_INIT(&r->control_watchers);
	room_init(r);
	priority_init(r);
	sleep_init(r);
	return r;
}

struct registry *registry_free(struct registry *r)
{
	if (!r)
		return NULL;
	records_done(r);
	registry_close_all(r);
	sleep_done(r);
	ended_done(&r->ended);
	room_done(r);
	priority_done(r);
	free(r);
	return NULL;
}

void registry_watch(struct registry *r, struct session_watcher *w)
{
	LIST_INSERT_HEAD(&r->watchers, w, link);
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
		session_end_record(s, "ended because its browser died");
		registry_end_session(s, -ERR_BROWSER_ERROR, why);
	}
}

void registry_close_all(struct registry *r)
{
	while (!TAILQ_EMPTY(&r->sessions))
		registry_end_session(TAILQ_FIRST(&r->sessions), -ERR_SESSION_NOT_FOUND,
				     "was closed because the server is shutting down");
}

/*
 * Adds an entry before the context exists, so that the limit counts it and a second call with the same id queues
 * behind the first.
 */
static int registry_add(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret)
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
	s->expiry = timer_new(r->loop, registry_on_expiry, s);
	session_rest_init(s);
	control_init(s);
	TAILQ_INIT(&s->user_requests);
	TAILQ_INIT(&s->visits);
	waitq_init(&s->turns);
	tabs_init(&s->tabs);
	TAILQ_INIT(&s->isolated);
	TAILQ_INSERT_TAIL(&r->sessions, s, link);
	r->count++;
	*ret = s;
	return 0;
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

	r = session_take_turn(t, s, v);
	s = v->session; /* from here on the visit keeps the session */
	if (r < 0) {
		session_pass_turn(v);
		return r;
	}
	if (s->context && !s->sleep) {
		r = session_wake(t, s);
		if (r < 0)
			session_pass_turn(v);
		return r;
	}
	r = create_or_wake(t, s);
	if (r < 0 && s->sleep) {
		session_pass_turn(v);
	} else if (r < 0) {
		/* The reference keeps `s` beyond session_pass_turn(), which must come first: registry_end_session() cancels all queued calls, including this one. */
		session_ref(s);
		session_pass_turn(v);
		if (r == -ERR_SESSION_NOT_FOUND)
			registry_end_session(s, r, s->restoring ? "cannot go on here now; call again" : "does not exist");
		else
			registry_end_session(s, -ERR_BROWSER_ERROR, "could not be created");
		session_unref(s);
	}
	return r;
}

/* Takes the turn on `s` and creates its context if it has none. On failure the turn has been given back. */
static int enter(struct task *t, _borrowed_ struct session *s, struct visit *v)
{
	struct session_waits *waits = &s->registry->waits;
	usec_t since = clock_now();
	int r;

	if (session_has_turn(t, s))
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
	return registry_add(t, r, owner, id, ret);
}

void registry_touch(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s && s->created)
		session_touch(s, clock_unix_msec());
}

int registry_create(struct task *t, struct registry *r, uint64_t owner, const struct session_plan *plan, const struct session **ret)
{
	_cleanup_(session_settings_freep) struct session_settings *settings = NULL;
	struct session *s = NULL;
	struct visit visit;
	int result;

	result = session_make_settings(t, r, plan->settings, plan->second, plan->egress, &settings);
	if (result == 0)
		result = add_unnamed(t, r, owner, &s);
	if (result < 0)
		return result;
	s->settings = TAKE_PTR(settings);
	s->plan = (struct session_plan){ .timeout = plan->timeout,
					 .lifetime = plan->lifetime,
					 .second = plan->second,
					 .lent = plan->lent,
					 .record = plan->record };
	s->egress = plan->egress ? egress_ref(plan->egress) : NULL;
	s->defers_page = true;
	result = enter(t, s, &visit);
	if (result < 0)
		return result;
	s = visit.session;
	s->plan = *plan;
	s->plan.settings = NULL; /* they are the caller's */
	s->plan.lent = NULL;
	*ret = s;
	session_pass_turn(&visit);
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
	return registry_find(r, owner, id) ? 0 : session_fail_unknown(t, r, owner, id);
}

int registry_close(struct task *t, struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);
	int result;

	if (!s) {
		result = may_be_archived(r, id) ? r->archive->discard(t, owner, id, r->archive->data) : 0;
		return result < 0 ? result : result == 0 ? session_fail_unknown(t, r, owner, id) : 0;
	}
	session_end_record(s, "was closed");
	registry_end_session(s, -ERR_SESSION_NOT_FOUND, "was closed while this call ran or waited for its turn");
	return 0;
}

void registry_end(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s)
		registry_end_session(s, -ERR_SESSION_NOT_FOUND, "was closed because its client has left");
}

void registry_end_moved(struct registry *r, uint64_t owner, const char *id)
{
	struct session *s = registry_find(r, owner, id);

	if (s)
		registry_end_session(s, -ERR_SESSION_NOT_FOUND, "has moved to another server; call again");
}

void registry_end_all_of(struct registry *r, uint64_t owner)
{
	struct session *s, *next;

	for (s = TAILQ_FIRST(&r->sessions); s; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->owner == owner)
			registry_end_session(s, -ERR_SESSION_NOT_FOUND, "was closed because its client has left");
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
	session_touch(s, clock_unix_msec());
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
		return session_fail_unknown(t, r, owner, id);
	if (!*id || strlen(id) > LIMIT_SESSION_NAME)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "sessionId must have 1 to %u bytes", LIMIT_SESSION_NAME);
	result = registry_add(t, r, owner, id, ret);
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
	r = session_open_first_page(t, s->context);
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
		session_pass_turn(visit);
		return result;
	}
	*ret = visit->session;
	session_touch(*ret, clock_unix_msec());
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
		result = *id && may_be_archived(r, id) ? registry_add(t, r, owner, id, &s) : add_unnamed(t, r, owner, &s);
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
		session_touch(s, clock_unix_msec());
	session_pass_turn(TAILQ_FIRST(&s->visits));
}
