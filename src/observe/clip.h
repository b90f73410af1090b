/* Text that grows up to a limit. Bytes that do not fit are counted and dropped; clip_text() appends their count. */
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
/* The text so far, followed by the mark for cut text if it was cut. Nothing may be appended afterwards. */
const char *clip_text(struct clip *c);

/* The longest prefix (in bytes, at most `limit`) of `len` bytes of UTF-8 text that does not split a character. */
size_t clip_fit(const char *text, size_t len, size_t limit);
/* Appends the mark for text that was cut by `missing` bytes. */
void clip_mark(struct str *out, size_t missing);
