/* Sessions that ended by themselves: their ids, the newest ones, and what to say to who still uses one. */
#pragma once

#include <stdint.h>

#include "base/clock.h"
#include "base/limits.h"
#include "loop/task.h"

enum ending {
	ENDED_UNUSED,       /* it expired */
	ENDED_IN_TIME,      /* its lifetime was over */
	ENDED_WITH_BROWSER, /* which died */
};

struct ended_session {
	char *id; /* NULL: unused */
	uint64_t owner;
	enum ending ending;
	usec_t timeout; /* of one that expired */
};

/* A ring; zeroed at first. */
struct ended_sessions {
	struct ended_session places[LIMIT_EXPIRED_COUNT];
	unsigned next;
};

void ended_add(struct ended_sessions *e, uint64_t owner, const char *id, enum ending ending, usec_t timeout);
/* Fails the task, as there is no session with this id (any more). */
int ended_fail(struct task *t, const struct ended_sessions *e, uint64_t owner, const char *id);
void ended_done(struct ended_sessions *e);
