/*
 * Masking of secrets (--secrets) in what leaves the process. One setting for the process, made before the first output;
 * without secrets every function returns at once.
 *
 * The places through which output passes call it: MCP messages (mcp/request), log lines (base/log), files that tools write
 * (tools/response), the journals of pages (observe/redact) and the event sink. A value is found as it is and in the
 * encodings that printers on the way use, in any mixture: JSON and JavaScript escapes at any depth, percent-encoding
 * (also "+" for a space, and twice encoded), HTML references, and base64, in which "Basic" credentials are sent.
 * An encoding that a page invents is not found, and neither is what a picture shows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct secret {
	const char *name, *value;
};

/* The shortest value in bytes: shorter ones would be found in most texts. */
#define MASK_VALUE_MIN 4

/* `secrets` ends with {} and is borrowed until mask_done(); NULL: none. Their values have MASK_VALUE_MIN bytes or more. */
void mask_configure(const struct secret *secrets);
void mask_done(void);
/* Whether there are secrets. */
bool mask_active(void);

/*
 * Replaces each value by <secret>NAME</secret>; a text that is a JSON object or array stays one (mask_json()). What is
 * masked already stays as it is. Returns whether `text` changed.
 */
bool mask_text(struct str *text);

/* A member that is left as it is: at this depth of objects and arrays (the outermost has 1), at any for 0. */
struct mask_exemption {
	unsigned depth;
	const char *name;
};

/*
 * The same for JSON text, which stays JSON: strings are masked as what they stand for, strings that hold JSON as JSON, and
 * numbers that are a secret become strings. The members in `exempt` (ends with {}; NULL: none), their names included, stay
 * as they are; where there are such, the names of other members do, too, except below `open`, which has no exemptions.
 */
bool mask_json(struct str *json, const struct mask_exemption *exempt, const char *open);
