/*
 * Masks secrets in everything that leaves the process. It is configured once for the process, before the first output, and gets further secrets
 * while that runs; without secrets every function returns immediately.
 *
 * Every output path calls it: MCP messages (mcp/request), log lines (base/log), files that tools write (reply/response), the
 * journals of pages (observe/redact) and the event sink. A value is found verbatim and in the encodings that serializers
 * apply, in any mixture: JSON and JavaScript escapes at any depth, percent-encoding (also "+" for a space, and double
 * encoding), HTML character references, and base64 (HTTP Basic credentials); also where its UTF-8 was taken for Windows-1252 or
 * ISO-8859-1. Encodings that a page invents and text in
 * images are not found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/str.h"

struct secret {
	const char *name, *value;
	/*
	 * Only the whole value is masked, and not its beginning in a text that was cut. With that, who may have texts masked could find a value from
	 * its beginning, a character at a time.
	 */
	bool is_whole;
};

/* Minimum length of a secret in bytes; shorter values would match by chance in most texts. */
#define MASK_VALUE_MIN 4

/* `secrets` ends with {} and is borrowed until mask_done(); NULL: none. Their values have MASK_VALUE_MIN bytes or more. */
void mask_configure(const struct secret *secrets);
void mask_done(void);
/*
 * Masks a further secret until `until` at least, or USEC_NEVER. Copies it. A value that is shorter than MASK_VALUE_MIN is not masked, one that is
 * masked already keeps its name. At most LIMIT_MASKS_ADDED_COUNT; then the first that was added is forgotten.
 */
void mask_add(const struct secret *s, usec_t until);
/* Whether there are secrets. */
bool mask_active(void);

/*
 * Replaces each value by <secret>NAME</secret>. Text that is a JSON object or array remains valid JSON (see mask_json()).
 * Text that is already masked stays unchanged. Returns whether `text` changed.
 */
bool mask_text(struct str *text);

/* A member that is not masked, at this nesting depth (the outermost container has 1) or at any depth for 0. */
struct mask_exemption {
	unsigned depth;
	const char *name;
};

/*
 * mask_text() for JSON text, which remains valid: strings are unescaped before they are masked, strings that contain JSON are
 * masked as JSON, and numbers that equal a secret become strings. Members in `exempt` (ends with {}; NULL: none) stay
 * unchanged, names included. If `exempt` is given, the names of other members also stay unchanged, except inside the member
 * `open`, where no exemption applies.
 */
bool mask_json(struct str *json, const struct mask_exemption *exempt, const char *open);
