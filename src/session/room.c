/* Whether there is room for another session: places, and memory. What runs is never ended for it. */
#include <unistd.h>

#include "base/error.h"
#include "base/share.h"
#include "session/internal.h"

#define SESSION_MEMORY_LEAST (16u << 20) /* that one is expected to take: with a small page it was measured to take 15 to 18 MiB */
#define EMPTY_MEMORY (54u << 20)         /* what the server and a browser without sessions were measured to take */

void room_init(struct registry *r)
{
	r->processes = process_tree_new(r->loop, getpid(), r->options->max_memory);
}

void room_done(struct registry *r)
{
	r->processes = process_tree_free(r->processes);
}

struct memory {
	uint64_t used;        /* measured, with what sessions are expected to take that began after that */
	uint64_t one_session; /* the average of those that run */
	uint64_t limit;
};

/* Whether the session was not there when the memory was measured. */
static bool is_new(const struct session *s, const struct process_tree_use *use)
{
	return !s->created || s->began > use->began;
}

static struct memory measure(const struct registry *r)
{
	const struct process_tree_use *use = process_tree_use(r->processes);
	struct memory m = { .one_session = SESSION_MEMORY_LEAST, .limit = (uint64_t)r->options->max_memory << 20 };
	const struct session *s;
	unsigned new = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		new += is_new(s, use);
	if (r->count > new && use->memory > EMPTY_MEMORY)
		m.one_session = MAX(m.one_session, (use->memory - EMPTY_MEMORY) / (r->count - new));
	m.used = use->memory + new *m.one_session;
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

unsigned registry_free_places(const struct registry *r)
{
	unsigned places = r->options->max > r->count ? r->options->max - r->count : 0;
	struct memory m;

	if (!places || !r->options->max_memory)
		return places;
	m = measure(r);
	return (unsigned)MIN((uint64_t)places, left(&m) / m.one_session);
}

static int check_memory(struct task *t, const struct registry *r)
{
	struct memory m;

	if (!r->options->max_memory)
		return 0;
	m = measure(r);
	if (left(&m) >= m.one_session)
		return 0;
	return task_fail(
		t, -ERR_MAX_SESSIONS_REACHED,
		"the server and its browser take %llu MiB, another session would take about %llu, and %s allows %u; close one with "
		"close_session or wait until one expires",
		(unsigned long long)m.used >> 20, (unsigned long long)m.one_session >> 20, r->options->names.max_memory,
		r->options->max_memory);
}

static unsigned count_of(const struct registry *r, uint64_t owner)
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
	unsigned own = count_of(r, owner), most = o->max_per_owner;

	if (!most && !o->shared) /* 0 stays 0 where owners share: base/share.h decides */
		most = o->max;

	if (r->count >= o->max)
		return task_fail(t, -ERR_MAX_SESSIONS_REACHED,
				 "%u sessions are open, the limit of %s; close one with close_session or wait "
				 "until one expires",
				 r->count, o->names.max);
	if (share_allows(own, r->count, o->max, most))
		return check_memory(t, r);
	return task_fail(t, -ERR_MAX_SESSIONS_REACHED,
			 "%u sessions of yours are open, your share of the %u that %s allows (%s); "
			 "close one with close_session or wait until one expires",
			 own, o->max, o->names.max, o->names.max_per_owner);
}
