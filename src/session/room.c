/* Whether there is room for another session: places, and memory, for which others are put to sleep. What runs is never ended for it. */
#include <unistd.h>

#include "base/error.h"
#include "base/share.h"
#include "browser/pool.h"
#include "session/internal.h"

#define SESSION_MEMORY_LEAST (16u << 20) /* that one is expected to take: with a small page it was measured to take 15 to 18 MiB */
#define UNUSED (10 * USEC_PER_SEC)       /* without a call; only such sessions are put to sleep in advance */

static void keep_room(void *data);

void room_init(struct registry *r)
{
	r->processes = process_tree_new(r->loop, getpid(), r->options->max_memory);
	r->keep_room = timer_new(r->loop, keep_room, r);
}

void room_done(struct registry *r)
{
	r->keep_room = timer_free(r->keep_room);
	r->processes = process_tree_free(r->processes);
}

struct memory {
	uint64_t used;        /* measured, with what sessions are expected to take that began, woke or fell asleep after that */
	uint64_t one_session; /* the average of those that run */
	uint64_t limit;
};

/* Whether its pages were there when the memory was measured, or took a part of it only. */
static bool was_measured(const struct session *s, const struct process_tree_use *use)
{
	return s->takes_memory_since ? s->takes_memory_since <= use->began : s->sleeps_since > use->began;
}

static struct memory measure(const struct registry *r)
{
	const struct process_tree_use *use = process_tree_use(r->processes);
	struct memory m = { .one_session = SESSION_MEMORY_LEAST, .limit = (uint64_t)r->options->max_memory << 20 };
	const struct session *s;
	uint64_t empty = (uint64_t)pool_empty_memory(r->pool) << 20;
	unsigned measured = 0, come = 0, gone = 0;

	TAILQ_FOREACH(s, &r->sessions, link) {
		measured += was_measured(s, use);
		come += s->takes_memory_since && !was_measured(s, use);
		gone += !s->takes_memory_since && was_measured(s, use);
	}
	if (measured && use->memory > empty)
		m.one_session = MAX(m.one_session, (use->memory - empty) / measured);
	m.used = use->memory + come * m.one_session;
	m.used -= MIN(m.used, gone * m.one_session);
	return m;
}

static uint64_t left(const struct memory *m)
{
	return m->limit > m->used ? m->limit - m->used : 0;
}

const struct process_tree_use *registry_memory(const struct registry *r)
{
	return process_tree_use(r->processes);
}

/* Sessions that may be put to sleep. */
static unsigned count_drowsy(const struct registry *r)
{
	const struct session *s;
	unsigned n = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		n += !sleep_refusal(s);
	return n;
}

unsigned registry_free_places(const struct registry *r)
{
	unsigned places = r->options->max > r->count ? r->options->max - r->count : 0;
	struct memory m;

	if (!places || !r->options->max_memory)
		return places;
	m = measure(r);
	return (unsigned)MIN((uint64_t)places, left(&m) / m.one_session + count_drowsy(r));
}

/* Sets `ret` only if there is no room. Without a limit of memory there always is room, and no process is measured. */
static bool has_room(const struct registry *r, struct memory *ret)
{
	if (!r->options->max_memory)
		return true;
	*ret = measure(r);
	return left(ret) >= ret->one_session;
}

/* Sessions that share the memory of `of`; NULL: all. */
static unsigned count_awake(const struct registry *r, const struct session *of)
{
	const struct session *s;
	unsigned n = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		n += s->takes_memory_since && (!of || session_memory_owner(s) == session_memory_owner(of));
	return n;
}

/* Whether a call has ended since then, whose pages may have grown. */
static bool has_worked_since(const struct registry *r, usec_t then)
{
	const struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->worked > then)
			return true;
	return false;
}

/*
 * The next session that begins or wakes finds room, unless it comes at once: to put another one to sleep takes as long as a navigation, and its
 * call would wait for that. Pages that grow make others sleep as well. Sessions in use are left alone: they would wake with their next call
 * and put one another to sleep.
 */
static void keep_room(void *data)
{
	struct registry *r = data;
	struct memory m;
	bool again;

	if (count_awake(r, NULL) < 2)
		return;
	if (has_room(r, &m))
		again = has_worked_since(r, process_tree_use(r->processes)->began);
	else
		again = r->sleeper->task || sleep_begin(r, clock_now() - MIN(clock_now(), UNUSED)) || count_drowsy(r);
	if (again)
		registry_check_room_later(r);
}

/*
 * Sessions that sleep take memory as well: where they take all of it, one at a time may be awake all the same. Where owners are unrelated, one
 * of each: sessions of another owner that must stay would otherwise keep it asleep for ever.
 */
static bool may_be_the_only_one(const struct session *s)
{
	return s->sleep && count_awake(s->registry, s) == 0;
}

static int fail_full(struct task *t, const struct session *s, const struct memory *m)
{
	const struct registry *r = s->registry;
	unsigned asleep = registry_count_state(r, SESSION_SLEEPING);
	_cleanup_(str_done) struct str facts = {};

	str_json(&facts, "used: ?, one: ?, option: ?, limit: ?", m->used >> 20, m->one_session >> 20, r->options->names.max_memory,
		 r->options->max_memory);
	if (asleep)
		str_json(&facts, ", asleep: ?, count: ?", asleep, r->count);
	return s->sleep ? task_fail_because(t, -ERR_MAX_SESSIONS_REACHED, REASON_MEMORY_TO_WAKE, "{session: ?, ?}", s->id,
					    JSON_RAW(facts.data)) :
			  task_fail_because(t, -ERR_MAX_SESSIONS_REACHED, REASON_MEMORY_FOR_SESSION, "{?}", JSON_RAW(facts.data));
}

int room_make(struct task *t, struct session *s)
{
	struct memory m;
	int r;

	while (s->registry && !has_room(s->registry, &m) && !may_be_the_only_one(s)) {
		if (!s->registry->sleeper->task && !sleep_begin(s->registry, clock_now()))
			return fail_full(t, s, &m);
		r = waitq_wait(t, &s->registry->sleeper->done, "a session that is put to sleep");
		if (r < 0)
			return r;
	}
	if (!s->registry) /* it ended while this task waited */
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while it waited for memory", s->id);
	s->takes_memory_since = USEC_NEVER;
	return 0;
}

static unsigned room_count_of(const struct registry *r, uint64_t owner)
{
	const struct session *s;
	unsigned n = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		n += s->owner == owner;
	return n;
}

int room_check(struct task *t, const struct registry *r, uint64_t owner)
{
	const struct registry_options *o = r->options;
	unsigned own = room_count_of(r, owner), most = o->max_per_owner;

	if (!most && !o->shared) /* 0 stays 0 where owners share: base/share.h decides */
		most = o->max;

	if (r->count >= o->max)
		return task_fail_because(t, -ERR_MAX_SESSIONS_REACHED, REASON_TOO_MANY_SESSIONS, "{count: ?, option: ?}", r->count,
					 o->names.max);
	if (share_allows(own, r->count, o->max, most))
		return 0;
	return task_fail_because(t, -ERR_MAX_SESSIONS_REACHED, REASON_TOO_MANY_OF_OWNER,
				 "{own: ?, limit: ?, option: ?, ownOption: ?}", own, o->max, o->names.max, o->names.max_per_owner);
}
