/*
 * Text that grows up to a limit. What comes after the first byte that does not fit is counted, not kept, and
 * clip_text() says how much that was.
 */
#pragma once

#include "base/str.h"

struct clip {
	struct str text;
	size_t limit;   /* bytes */
	size_t missing; /* bytes that did not fit */
};

void clip_done(struct clip *c);
void clip_append(struct clip *c, const char *text);
void clip_append_len(struct clip *c, const char *text, size_t len);
/* What was appended; when it was cut, with a mark. Append nothing after it. */
const char *clip_text(struct clip *c);

/* How many of `len` bytes of UTF-8 text fit into `limit` without cutting a character. */
size_t clip_fit(const char *text, size_t len, size_t limit);
/* The mark for `missing` bytes. */
void clip_mark(struct str *out, size_t missing);
