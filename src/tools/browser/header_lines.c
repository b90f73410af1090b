#include "tools/browser/header_lines.h"

#include <search.h>
#include <string.h>

#include "page/intercept.h"

struct field {
	const char *name, *value;
};

const char *text_trimmed(struct arena *a, const char *text, size_t len)
{
	while (len && strchr(" \t\r\n", *text))
		text++, len--;
	while (len && strchr(" \t\r\n", text[len - 1]))
		len--;
	return arena_strndup(a, text, len);
}

static bool header_lines_parse_one(struct arena *a, const char *line, struct field *ret)
{
	const char *colon = strchr(line, ':');

	if (!colon || colon[1 + strcspn(colon + 1, "\r\n")])
		return false;
	ret->name = text_trimmed(a, line, (size_t)(colon - line));
	ret->value = text_trimmed(a, colon + 1, strlen(colon + 1));
	return is_field_name(ret->name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct field *)a)->name, ((const struct field *)b)->name);
}

static void header_lines_keep(void *field)
{
}

/* Removes the names of fields that are given again. */
static void remove_repeated(struct field *fields, size_t count)
{
	void *later = NULL;

	for (size_t i = count; i-- > 0;)
		if (*(struct field **)must(tsearch(&fields[i], &later, compare_names)) != &fields[i])
			fields[i].name = NULL;
	tdestroy(later, header_lines_keep);
}

bool header_lines_parse(struct arena *a, const struct string_list *lines, struct str *object, const char **ret_wrong)
{
	struct field *fields = arena_alloc(a, lines->count * sizeof(*fields));

	for (size_t i = 0; i < lines->count; i++)
		if (!header_lines_parse_one(a, lines->items[i], &fields[i])) {
			*ret_wrong = lines->items[i];
			return false;
		}
	remove_repeated(fields, lines->count);
	str_append_char(object, '{');
	for (size_t i = 0; i < lines->count; i++)
		if (fields[i].name)
			str_json(object, "? ?: ?", JSON_COMMA(object->len > 1), fields[i].name, fields[i].value);
	str_append_char(object, '}');
	return true;
}
