/*
 * The call log at the end of a time-out's text: the attempts until the time-out, in the words and on the schedule of
 * @playwright/mcp. browserd retries whenever the page changes instead of on that schedule, so the log prints, for each
 * scheduled attempt, the obstacle that held at that moment.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"

#define DIM "\x1b[2m"
#define UNDIM "\x1b[22m\n"

/*
 * `tried`: JSON array of obstacles (base/failure.h), one for each change: {reason, ...facts, at, hit, subtree}, `at` in ms since
 * the action began; scripts/patience.js produces it. `action`: "click", "select option"...
 */
void call_log_attempts(struct str *log, const char *action, const struct json *tried, unsigned timeout_msec);
/* Whether the element itself was not found again. */
bool call_log_element_vanished(const struct json *obstacle);
/* Appends the checks with which the first attempt begins. */
void call_log_first(struct str *log, const char *action);
/* The number of times that the reference resolves a locator within this time-out. */
unsigned call_log_lookup_count(unsigned timeout_msec);
