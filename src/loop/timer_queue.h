/*
 * The timers that are set, as a binary heap: a session has several, most of them far ahead, and some are set again a hundred times a second, so
 * no step may depend on how many others there are. Setting, moving and removing one takes time logarithmic in their number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct queued_timer {
	usec_t at;
	uint64_t order; /* of those that are due at the same time, the one that was added first is first */
	size_t place;   /* in the queue, from 1; 0: it is not in it */
};

/* Zeroed: empty. */
struct timer_queue {
	struct queued_timer **items;
	size_t count, room;
	uint64_t orders;
};

/* Frees the memory of the queue; what is in it belongs to others. */
void timer_queue_done(struct timer_queue *q);
/* `t` is not in it, and stays where it is until it is removed. */
void timer_queue_add(struct timer_queue *q, struct queued_timer *t, usec_t at);
/* Nothing happens if it is not in it. */
void timer_queue_remove(struct timer_queue *q, struct queued_timer *t);

/* Returns the timer that is due first; NULL if the queue is empty. */
static inline struct queued_timer *timer_queue_first(const struct timer_queue *q)
{
	return q->count ? q->items[0] : NULL;
}
