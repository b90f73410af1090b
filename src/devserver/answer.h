/* Whether a server on this machine answers HTTP. */
#pragma once

#include "loop/task.h"

enum answer_kind {
	ANSWER_SUCCESS, /* 2xx or 3xx */
	ANSWER_ANY,     /* and 4xx: it serves, if not this */
};

/*
 * Asks once for `url` (http: and a host that is this machine) and waits for the head of the answer, at most two seconds. False
 * also for other addresses. Suspends.
 */
bool answer_is_good(struct task *t, const char *url, enum answer_kind kind);
/* Is it an address that can be asked? */
bool answer_can_ask(const char *url);
