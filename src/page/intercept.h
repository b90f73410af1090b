/*
 * Requests that are stopped on their way (CDP's Fetch domain): origins that pages may not reach. A page and its caller see
 * net::ERR_BLOCKED_BY_CLIENT, and the scheme is known here. What this does not see (workers, WebSockets, prefetches, reports)
 * is stopped by the session's proxy (egress/egress.h), which is what holds against a page that wants out.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"

struct page_options;
struct cdp_session;

/* May pages reach it? What is in no list is reached unless there is a list of allowed ones. */
bool origin_allowed(const struct page_options *o, const char *url);

/* For each target that has documents. Sends nothing when everything is allowed. */
void intercept_enable(struct cdp_session *s, const struct page_options *o);
