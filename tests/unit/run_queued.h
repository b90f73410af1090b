/* Runs what is queued on a loop, without waiting for an event: for tests that check what has not happened. */
#pragma once

#include "loop/loop.h"

static void run_queued_end(struct ready *r)
{
}

static inline void run_queued(struct loop *l)
{
	struct ready end = { .run = run_queued_end };

	loop_ready(l, &end);
	while (end.queued)
		loop_step(l);
}
