/*
 * The end of a time-out's text: what was tried until the time was over, in the words and on the schedule of
 * @playwright/mcp. We look again whenever the page changes; what is told of each scheduled attempt is what was in the
 * way at that moment.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"

#define DIM "\x1b[2m"
#define UNDIM "\x1b[22m\n"

/*
 * `tried`: JSON array of {at, text, reached}, one for each change of what was in the way, `at` in ms since the action
 * began; scripts/patience.js makes it. `action`: "click", "select option"...
 */
void call_log_attempts(struct str *log, const char *action, const struct json *tried, unsigned timeout_msec);
/* What an attempt waits for first. */
void call_log_first(struct str *log, const char *action);
/* How often somebody who waits for a locator looks at it in that time. */
unsigned call_log_looks(unsigned timeout_msec);
