/*
 * A gate that tasks pass before they go on with what they do to something shared. While it is closed, each task that comes to it waits. Closing
 * it interrupts nothing: a task that is between two gates goes on to the next one.
 *
 * A task carries its gate (task_set_gate()), so that code which takes a task can pass the gate without knowing whose it is.
 */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "base/str.h"
#include "loop/task.h"

struct gate {
	/* Records why a task that has waited in vain must not go on, and returns the code of that failure. */
	int (*refuse)(struct task *t, struct gate *g);
	usec_t patience;  /* for which a task waits at most, from when it got this gate, or from the closing if that is later */
	bool closed;      /* read only */
	unsigned waiting; /* tasks in front of it; read only */
	usec_t closed_at;
	struct str words; /* what tasks wait for while it is closed */
	struct waitq opened;
};

void gate_init(struct gate *g, usec_t patience, int (*refuse)(struct task *t, struct gate *g));
void gate_done(struct gate *g); /* no task waits for it */
/* `words`: what tasks wait for, which is copied. Closing one that is closed replaces them. */
void gate_close(struct gate *g, const char *words);
void gate_open(struct gate *g);

/*
 * 0: the task has no gate, or passed it at once. 1: it has waited, and what it knew of the shared state may be wrong now. Negative: the
 * task ends, or must not go on: its deadline or the patience of the gate is over, or it was interrupted while it waited. Suspends only at a
 * closed gate.
 */
int gate_pass(struct task *t);
/* What the task has to wait for at its next gate; NULL: nothing. Borrowed until the gate changes. */
const char *gate_words(const struct task *t);
