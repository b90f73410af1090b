/* Header fields of HTTP messages, in their order. A zero-initialised list is empty and valid; header_list_done() frees it with its texts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct header_field {
	char *name, *value; /* value: NULL in lists of changes, for a field to remove */
};

struct header_list {
	struct header_field *items;
	size_t count, room;
};

void header_list_done(struct header_list *l);
void header_list_add(struct header_list *l, const char *name, const char *value); /* copies */
void header_list_add_all(struct header_list *l, const struct header_list *from);
/* The members of a JSON object, by their names. */
void header_list_add_members(struct header_list *l, const struct json *object);
/* The value of the first field with that name, in any case; NULL: there is none. */
const char *header_list_find(const struct header_list *l, const char *name);
/* Appends a JSON list of {name, value}. */
void header_list_print(struct str *out, const struct header_list *l);

bool is_field_name(const char *name); /* a token of RFC 9110, 5.6.2 */
