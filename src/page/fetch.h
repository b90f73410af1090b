/*
 * Requests that no document makes: a hidden page navigates to the address, and its navigation is changed on the way and stopped
 * when the response is there. So the browser sends them as those of the pages beside it: with the cookies of the context, through
 * its proxy, only to origins that pages may reach, redirects included (page/intercept.h). No document of a server is ever shown.
 */
#pragma once

#include "base/header_list.h"
#include "base/json.h"
#include "loop/task.h"
#include "page/page.h"

struct fetch_request {
	const char *url, *method;   /* http: or https: */
	const struct json *headers; /* an object of names and values; NULL: none besides the browser's own */
	const char *body;           /* base64; NULL: none */
	unsigned max_redirects;     /* 0: a redirect is the response */
	bool ignore_https_errors;
};

/* The texts are in the task's arena. */
struct fetch_response {
	const char *url, *status_text;
	int status;
	struct header_list headers; /* the caller's, after a success */
	const char *body;           /* base64; empty for a redirect */
};

/* From here on the page sends no request but those of page_fetch(). */
void page_set_aside(struct page *p);
/*
 * Suspends until the task's deadline at most; one request of a page at a time. -ERR_NAVIGATION_FAILED: the task's failure is the name
 * of the browser's network error and the address. After any failure the page must be closed.
 */
int page_fetch(struct task *t, _kept_ struct page *p, const struct fetch_request *f, struct fetch_response *ret);
