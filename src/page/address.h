/*
 * Which addresses a page may be sent to. Every navigation that a client asks for is decided by address_check(), and
 * where a page has gone by itself, address_may_stay() says whether it may stay there.
 *
 * Pages of the web and what they make themselves (http:, https:, data:, blob:, about:blank) may be opened; files where
 * the operator allows them. Everything else is refused, unknown schemes included: view-source: and filesystem: wrap
 * addresses, and pages of chrome: act on the whole browser (some end it).
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "loop/task.h"

struct page_options;

#define ADDRESS_SCHEME_SIZE 32

/*
 * The scheme as Chromium reads it (WHATWG URL, basic parser): control characters and blanks before the address, and tabs
 * and line ends anywhere in it, do not count; in lower case, without the colon, cut to the size. Returns what is behind
 * the colon; NULL: there is no scheme, `ret` is "".
 */
const char *address_scheme(const char *url, char ret[ADDRESS_SCHEME_SIZE]);
bool address_allowed(const char *url, bool files);
/*
 * Where a page has come to be without having been sent there. Besides the allowed ones these are what Chromium itself
 * shows: nothing yet, an error, a new tab that a person opened. `url` is in Chromium's own spelling.
 */
bool address_may_stay(const char *url, bool files);
/* Whether it is for another application (mailto:, myapp:), so that no page can show it; Chromium's own schemes are not. */
bool address_is_foreign(const char *url);
/* Whether it ends the process of the page that opens it, which clients use to test what follows; it has no document. */
bool address_crashes(const char *url);
/* -ERR_INVALID_PARAMETERS with the scheme and what is allowed; -ERR_NAVIGATION_FAILED: there is no scheme. Does not suspend. */
int address_check(struct task *t, const char *url, const struct page_options *o);
/*
 * Completes an address as a user types it: "localhost:3000" and other addresses of this machine get http:, names without
 * a scheme https:. With a `base` (scheme://authority/path; NULL: none), an address that names neither a scheme nor this
 * machine is relative to it. The result is in `a`, or inside of `url`.
 */
const char *address_complete(struct arena *a, const char *url, const char *base);
