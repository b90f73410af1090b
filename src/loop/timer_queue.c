#include "loop/timer_queue.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/macros.h"

static bool is_before(const struct queued_timer *a, const struct queued_timer *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

/* Places count from 1, so that those below `place` are at 2 * place and 2 * place + 1. */
static void put(struct timer_queue *q, size_t place, struct queued_timer *t)
{
	q->items[place - 1] = t;
	t->place = place;
}

static void rise(struct timer_queue *q, struct queued_timer *t)
{
	size_t place = t->place;

	for (; place > 1 && is_before(t, q->items[place / 2 - 1]); place /= 2)
		put(q, place, q->items[place / 2 - 1]);
	put(q, place, t);
}

static void sink(struct timer_queue *q, struct queued_timer *t)
{
	size_t place = t->place, below;

	while ((below = 2 * place) <= q->count) {
		if (below < q->count && is_before(q->items[below], q->items[below - 1]))
			below++;
		if (is_before(t, q->items[below - 1]))
			break;
		put(q, place, q->items[below - 1]);
		place = below;
	}
	put(q, place, t);
}

void timer_queue_add(struct timer_queue *q, struct queued_timer *t, usec_t at)
{
	if (q->count == q->room) {
		q->room = q->room ? 2 * q->room : 64;
		q->items = must(reallocarray(q->items, q->room, sizeof(struct queued_timer *)));
	}
	t->at = at;
	t->order = q->orders++;
	put(q, ++q->count, t);
	rise(q, t);
}

void timer_queue_remove(struct timer_queue *q, struct queued_timer *t)
{
	struct queued_timer *last;
	size_t place = t->place;

	if (!place)
		return;
	t->place = 0;
	last = q->items[--q->count];
	if (last == t)
		return;
	put(q, place, last);
	rise(q, last);
	sink(q, last);
}

void timer_queue_done(struct timer_queue *q)
{
	free(q->items);
	*q = (struct timer_queue){};
}
