#include "base/header_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void header_list_done(struct header_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->items[i].name);
		free(l->items[i].value);
	}
	free(l->items);
	*l = (struct header_list){};
}

void header_list_add(struct header_list *l, const char *name, const char *value)
{
	if (l->count == l->room) {
		l->room = MAX(2 * l->room, (size_t)16);
		l->items = must(reallocarray(l->items, l->room, sizeof(*l->items)));
	}
	l->items[l->count++] = (struct header_field){
		.name = must(strdup(name)),
		.value = value ? must(strdup(value)) : NULL,
	};
}

void header_list_add_all(struct header_list *l, const struct header_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		header_list_add(l, from->items[i].name, from->items[i].value);
}

void header_list_add_members(struct header_list *l, const struct json *object)
{
	json_foreach(member, object)
		if (json_name(member))
			header_list_add(l, json_name(member), json_text(member, NULL));
}

const char *header_list_find(const struct header_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcasecmp(l->items[i].name, name) == 0)
			return l->items[i].value;
	return NULL;
}

void header_list_print(struct str *out, const struct header_list *l)
{
	str_append_char(out, '[');
	for (size_t i = 0; i < l->count; i++)
		str_json(out, "?{name: ?, value: ?}", JSON_COMMA(i > 0), l->items[i].name, l->items[i].value);
	str_append_char(out, ']');
}

bool is_field_name(const char *name)
{
	return *name && !name[strspn(name, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}
