/*
 * Failures as data: a code (base/error.h), a reason, and facts, which are a JSON object. The words are written when a surface
 * answers: those here are the ones of the session tools and cdp_* tools, the browser_* tools have others for some reasons.
 * No code reads the words. Failures that nothing distinguishes have no reason; their text is written where they occur.
 */
#pragma once

#include "base/json.h"
#include "base/reasons.h"

#define REASON_ENTRY(id, name, words) REASON_##id,
enum reason { REASONS(REASON_ENTRY) };
#undef REASON_ENTRY

/* The reason with this name in page scripts; REASON_NONE if `name` is unknown or NULL. */
enum reason reason_from_name(const char *name);
/* The reason of an obstacle, {reason, ...facts}. */
enum reason obstacle_reason(const struct json *obstacle);
void obstacle_print(struct str *out, const struct json *obstacle);

void failure_print(struct str *out, enum reason reason, const struct json *facts);
/* The facts that clients of the session tools and cdp_* tools get as `details`; nothing if the words have all of them. */
void failure_print_details(struct str *out, enum reason reason, const struct json *facts);
