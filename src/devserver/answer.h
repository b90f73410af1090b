/* Checks whether a server on this machine responds to HTTP requests. */
#pragma once

#include "loop/task.h"

enum answer_kind {
	ANSWER_SUCCESS, /* 2xx or 3xx */
	ANSWER_ANY,     /* also 4xx: the server works, but does not have this resource */
};

/*
 * Requests `url` once (http: or https: on this machine; the certificate is not verified) and waits up to two seconds for the
 * head of the response. False also for other URLs; `ret_why` is then the reason as readable text, static or in the task's arena.
 * Suspends.
 */
bool answer_is_good(struct task *t, const char *url, enum answer_kind kind, const char **ret_why);
/* Whether answer_is_good() supports the URL. */
bool answer_can_ask(const char *url);
/* Whether it is an https: URL with that port. */
bool answer_is_tls_on(const char *url, int port);
