/* A JSON object from values with dotted keys: "a.b" stands for the member b of the object a. */
#pragma once

#include <stddef.h>

#include "base/str.h"

struct dotted {
	const char *key;  /* "browser.isolated" */
	const char *json; /* the value, as JSON text */
};

/* Members appear in the order of the first value below each; of a key that occurs twice, the first value counts. */
void dotted_print(struct str *out, const struct dotted *values, size_t count);
