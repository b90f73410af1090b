/* Values of scripts as BiDi describes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct json;
struct str;

#define BIDI_VALUE_DEPTH 160 /* objects in each other: each has three levels in a message (LIMIT_CDP_DEPTH) */

/*
 * Appends the value as JSON. -ELOOP: it refers to itself, is nested too deeply, or holds a window; -EMSGSIZE: the text is longer than `max`
 * bytes.
 */
int bidi_print_value(struct str *out, const struct json *value, size_t max);
/* Whether it is described completely wherever it stands: no object, function or symbol. */
bool bidi_is_primitive(const struct json *value);
