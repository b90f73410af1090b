/*
 * Remembers the ids of the sessions that the server ended most recently, to tell clients that still use one why it
 * ended.
 */
#pragma once

#include <stdint.h>

#include "base/clock.h"
#include "base/limits.h"
#include "loop/task.h"

enum ending {
	ENDED_UNUSED,       /* its time-out without use expired */
	ENDED_LIFETIME,     /* its lifetime was reached */
	ENDED_WITH_BROWSER, /* the browser died */
};

struct ended_session {
	char *id; /* NULL: unused */
	uint64_t owner;
	enum ending ending;
	usec_t timeout; /* for ENDED_UNUSED */
};

/* A ring; zero-initialised. */
struct ended_sessions {
	struct ended_session places[LIMIT_EXPIRED_COUNT];
	unsigned next;
};

void ended_add(struct ended_sessions *e, uint64_t owner, const char *id, enum ending ending, usec_t timeout);
/* Fails the task with the reason why there is no session with this id. */
int ended_fail(struct task *t, const struct ended_sessions *e, uint64_t owner, const char *id);
void ended_done(struct ended_sessions *e);
