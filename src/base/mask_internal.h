/* Shared by mask.c, mask_json.c and mask_match.c only. */
#pragma once

#include <stdint.h>

#include "base/mask.h"

struct mask_hit {
	size_t from, to;
	const char *name;
};

/* Finds the first secret in `text` at or after offset `from`. */
bool mask_next(const char *text, size_t len, size_t from, struct mask_hit *ret);
/* mask_text() for text that is not JSON. */
bool mask_plain(struct str *text);
/* If `text` equals a secret exactly, appends its replacement to `out` and returns true. */
bool mask_is_value(const char *text, size_t len, struct str *out);
/*
 * Whether `text` begins with `value`, each character of which may be encoded differently. Returns the matched length in
 * `text` in bytes, 0 if it does not match.
 */
size_t mask_match(const char *text, size_t left, const char *value, size_t len);
/*
 * The first bytes of values that may begin at `p`, in whatever encoding: with many values, most need not be compared with the text
 * then. A value that begins with another byte does not match there.
 */
struct mask_firsts {
	uint64_t bytes[4]; /* a bit for each */
};
void mask_firsts_at(const char *p, size_t left, struct mask_firsts *ret);
/*
 * The matched length of text that was cut within the value: it has MASK_VALUE_MIN bytes of it or more, and then "..." or "…", with which
 * pages' texts are shortened where they are collected, or its first words in quotes, as locators have them.
 */
size_t mask_match_cut(const char *text, size_t left, const char *value, size_t len);
/* Whether text whose first `same` bytes are those of the value was cut behind these. */
bool mask_is_cut_at(const char *text, size_t left, const char *value, size_t len, size_t same);
