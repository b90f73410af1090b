/*
 * Requests that are stopped on their way (CDP's Fetch domain): origins that pages may not reach. Requests of workers are
 * not seen. This keeps an agent from wandering, it is no wall against a page that wants out.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"

struct browser_options;
struct cdp_session;

/*
 * Does `url` belong to what `pattern` names? An origin ("https://example.com:8443"), or a host for all schemes and ports
 * ("example.com"); the host may have wildcards ("*.example.com"), "*" as port is any. False for what is not http or https.
 */
bool origin_matches(const char *pattern, const char *url);
/* May pages reach it? What is in no list is reached unless there is a list of allowed ones. */
bool origin_allowed(const struct browser_options *o, const char *url);

/* For each target that has documents. Sends nothing when everything is allowed. */
void intercept_enable(struct cdp_session *s, const struct browser_options *o);
/* The event Fetch.requestPaused; `data` is the page. */
void intercept_paused(struct cdp_session *s, const struct json *params, void *data);
