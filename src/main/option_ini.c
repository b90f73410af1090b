/*
 * Config files in INI form: "browser.isolated=true", also below a section "[browser]". A key that ends with [] adds an item to a list.
 * Comments begin with ; or #. The values become those of a JSON object, with the types of the options that have the keys.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/strjson.h"
#include "main/dotted.h"
#include "main/option_parser.h"

struct entry {
	const char *key, *value;
};

struct entries {
	struct arena arena;
	struct entry *list;
	size_t count;
};

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

static char *unquote(char *value)
{
	size_t len = strlen(value);

	if (len < 2 || !strchr("\"'", value[0]) || value[len - 1] != value[0])
		return value;
	value[len - 1] = '\0';
	return value + 1;
}

/* Takes one line apart. `section` is that of the lines before, and is replaced by a line that begins one. */
static int read_line(struct entries *e, char *line, const char **section, struct str *error)
{
	char *key = trim(line), *value = strchr(key, '='), *end;

	if (!*key || *key == ';' || *key == '#')
		return 0;
	if (*key == '[' && (end = strchr(key, ']'))) {
		*end = '\0';
		*section = trim(key + 1);
		return 0;
	}
	if (e->count == LIMIT_CONFIG_LINES_COUNT) {
		str_appendf(error, "it has more than %u values", LIMIT_CONFIG_LINES_COUNT);
		return -EINVAL;
	}
	if (value)
		*value++ = '\0';
	key = unquote(trim(key));
	e->list[e->count++] = (struct entry){
		.key = *section ? arena_printf(&e->arena, "%s.%s", *section, key) : key,
		.value = value ? unquote(trim(value)) : "true",
	};
	return 0;
}

static bool is_json_number(const char *text)
{
	return json_check(text, strlen(text), 1, JSON_REFUSE_UNREPRESENTABLE) == 0 && strchr("-0123456789", *text);
}

/* A value of no option has the type that it looks like. */
static void write_guess(struct str *json, const char *value)
{
	if (is_json_number(value) || !strcmp(value, "true") || !strcmp(value, "false") || !strcmp(value, "null"))
		str_append(json, value);
	else
		str_json(json, "?", value);
}

static void write_size(struct str *json, const char *value)
{
	char *end;
	long width = strtol(value, &end, 10), height = *end == 'x' ? strtol(end + 1, &end, 10) : -1;

	if (height > 0 && !*end)
		str_json(json, "{width: ?, height: ?}", width, height);
	else
		str_json(json, "?", value);
}

/* A member of an object of texts, such as a header. */
static bool is_text_member(const char *key)
{
	const struct option *object = option_find_object(key);

	return object && (object->of_texts || object->named_items);
}

static void option_ini_write_value(struct str *json, const struct option *option, const char *key, const char *value)
{
	if (!option && is_text_member(key))
		str_json(json, "?", value);
	else if (!option)
		write_guess(json, value);
	else if (option->type == OPTION_SIZE)
		write_size(json, value);
	else if (option->type == OPTION_SWITCH)
		str_append(json, !strcmp(value, "true") || !strcmp(value, "1") ? "true" : "false");
	else if ((option->type == OPTION_INT || option->type == OPTION_NUMBER) && is_json_number(value))
		str_append(json, value);
	else
		str_json(json, "?", value);
}

/* The length of a key without the [] of a list. */
static size_t key_length(const char *key)
{
	size_t len = strlen(key);

	return len > 2 && strcmp(key + len - 2, "[]") == 0 ? len - 2 : len;
}

static bool same_key(const char *a, const char *b)
{
	size_t len = key_length(a);

	return len == key_length(b) && strncmp(a, b, len) == 0;
}

static bool has_come(const struct entries *e, size_t nth)
{
	for (size_t i = 0; i < nth; i++)
		if (same_key(e->list[i].key, e->list[nth].key))
			return true;
	return false;
}

/* The value of the `nth` entry; of a list, with the items of all later entries of the same key. */
static const char *value_of(struct entries *e, size_t nth, const char *key)
{
	_cleanup_(str_done) struct str json = {};
	const struct option *option = option_find_key(key);
	bool option_list = option && option->type == OPTION_LIST;
	bool list = option_list || strlen(key) < strlen(e->list[nth].key);
	const char *last = e->list[nth].value;

	str_append(&json, list ? "[" : "");
	for (size_t i = nth, items = 0; i < e->count; i++) {
		if (!same_key(e->list[i].key, e->list[nth].key))
			continue;
		last = e->list[i].value;
		str_append(&json, list && items++ ? "," : "");
		if (list)
			option_ini_write_value(&json, option_list ? option : NULL, key, last);
	}
	if (!list)
		option_ini_write_value(&json, option, key, last);
	str_append(&json, list ? "]" : "");
	return arena_strdup(&e->arena, str_text(&json));
}

static void write_object(struct entries *e, struct str *json)
{
	struct dotted *values = arena_alloc(&e->arena, (e->count + 1) * sizeof(*values));
	size_t count = 0;

	for (size_t i = 0; i < e->count; i++) {
		const char *key = e->list[i].key;

		if (has_come(e, i))
			continue;
		key = arena_printf(&e->arena, "%.*s", (int)key_length(key), key);
		values[count++] = (struct dotted){ key, value_of(e, i, key) };
	}
	dotted_print(json, values, count);
}

int option_ini_to_json(const char *text, struct str *json, struct str *error)
{
	struct entries e = {};
	const char *section = NULL;
	char *rest, *copy = arena_strdup(&e.arena, text);
	int r = 0;

	e.list = arena_alloc(&e.arena, LIMIT_CONFIG_LINES_COUNT * sizeof(*e.list));
	for (char *line = strtok_r(copy, "\n", &rest); line && r == 0; line = strtok_r(NULL, "\n", &rest))
		r = read_line(&e, line, &section, error);
	if (r == 0)
		write_object(&e, json);
	arena_done(&e.arena);
	return r;
}
