/* Whether a server on this machine answers HTTP. */
#pragma once

#include "loop/task.h"

enum answer_kind {
	ANSWER_SUCCESS, /* 2xx or 3xx */
	ANSWER_ANY,     /* and 4xx: it serves, if not this */
};

/*
 * Asks once for `url` (http: or https: and a host that is this machine; its certificate may be any) and waits for the head of
 * the answer, at most two seconds. False also for other addresses. `ret_why`: of false, for a person; static or in the task's
 * arena. Suspends.
 */
bool answer_is_good(struct task *t, const char *url, enum answer_kind kind, const char **ret_why);
/* Is it an address that can be asked? */
bool answer_can_ask(const char *url);
/* Is it one of https: on that port? */
bool answer_is_tls_on(const char *url, int port);
