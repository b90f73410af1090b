/*
 * Sessions with a call under way run before others: the renderers of a session that has not worked for a moment yield while another works.
 * They do not any more when the next call has its turn. A session that has the machine for itself never yields.
 */
#include "loop/priority.h"

#include "browser/context.h"
#include "page/renderer.h"
#include "session/internal.h"

#define PAUSE_MSEC 250          /* between two calls that belong together */
#define YIELDING_AT_ONCE_MAX 16 /* sessions that begin to yield in one turn: each takes a tenth of a millisecond for each process */

static void set_yielding(struct session *s, bool yields)
{
	struct context *c = NULL;
	struct renderer *r;
	struct page *p;

	s->yields = yields;
	while ((c = session_next_context(s, c)))
		for (p = NULL; (p = context_next_page(c, p));)
			for (r = NULL; (r = page_next_renderer(p, r));)
				renderer_set_yielding(r, yields);
}

static bool works(const struct session *s)
{
	return !TAILQ_EMPTY(&s->visits) || s->control.gate.closed || clock_now() < s->worked + PAUSE_MSEC * USEC_PER_MSEC;
}

static void look_later(struct registry *r)
{
	timer_set(r->priorities, clock_now() + PAUSE_MSEC * USEC_PER_MSEC);
}

static void on_look(void *data)
{
	struct registry *r = data;
	struct session *s;
	unsigned working = 0, begun = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		working += works(s);
	if (!working)
		return;
	TAILQ_FOREACH(s, &r->sessions, link) {
		if (s->yields || !s->context || works(s))
			continue;
		set_yielding(s, true);
		if (++begun == YIELDING_AT_ONCE_MAX)
			break;
	}
	look_later(r);
}

void priority_init(struct registry *r)
{
	r->priorities = timer_new(r->loop, on_look, r);
}

void priority_done(struct registry *r)
{
	r->priorities = timer_free(r->priorities);
}

void session_begins_work(struct session *s)
{
	if (s->yields)
		set_yielding(s, false);
	if (s->registry && s->registry->count > 1 && !timer_is_set(s->registry->priorities) && priority_means() != PRIORITY_NONE)
		look_later(s->registry);
}

void session_ends_work(struct session *s)
{
	s->worked = clock_now();
}
