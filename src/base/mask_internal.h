/* What the parts of base/mask share. */
#pragma once

#include "base/mask.h"

struct mask_hit {
	size_t from, to;
	const char *name;
};

/* The first value in `text` from `from` on. */
bool mask_next(const char *text, size_t len, size_t from, struct mask_hit *ret);
/* mask_text() for what is not JSON. */
bool mask_plain(struct str *text);
/* Is `text` one of the values, to the letter? Then what stands for it is appended to `out`. */
bool mask_is_value(const char *text, size_t len, struct str *out);
/*
 * Whether `text` begins with `value`, each of whose characters may be encoded in a way of its own. Gives the bytes of
 * `text` that it takes, 0: it does not.
 */
size_t mask_match(const char *text, size_t left, const char *value, size_t len);
