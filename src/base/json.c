#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/jsontree.h"

struct json *json_free(struct json *v)
{
	struct json_tree *tree = v ? CONTAINER_OF(v, struct json_tree, values) : NULL;

	if (!v)
		return NULL;
	free(tree->texts);
	free(tree);
	return NULL;
}

struct json *json_extract(struct json *tree, const char *path)
{
	const struct json *v = json_get(tree, path);
	struct json root;

	if (!v)
		return json_free(tree);
	root = *v;
	root.next = root.name_len = 0;
	root.name = NULL;
	if (json_count(v))
		root.first += (uint32_t)(v - tree);
	*tree = root;
	return tree;
}

enum json_type json_type(const struct json *v)
{
	return v ? v->type : JSON_NONE;
}

static const struct json *member(const struct json *v, const char *name, size_t len)
{
	if (json_type(v) != JSON_OBJECT)
		return NULL;
	json_foreach(m, v)
		if (m->name_len == len && memcmp(m->name, name, len) == 0)
			return m;
	return NULL;
}

const struct json *json_member(const struct json *v, const char *name)
{
	return member(v, name, strlen(name));
}

const struct json *json_get(const struct json *v, const char *path)
{
	while (path && v) {
		size_t len = strcspn(path, ".");

		v = member(v, path, len);
		path = path[len] ? path + len + 1 : NULL;
	}
	return v;
}

const char *json_str(const struct json *v, const char *path)
{
	v = json_get(v, path);
	return json_type(v) == JSON_STRING ? v->text : NULL;
}

const char *json_text(const struct json *v, const char *path)
{
	const char *text = json_str(v, path);

	return text ? text : "";
}

double json_num(const struct json *v, const char *path, double fallback)
{
	v = json_get(v, path);
	return json_type(v) == JSON_NUMBER ? v->number : fallback;
}

int64_t json_int(const struct json *v, const char *path, int64_t fallback)
{
	double n = json_num(v, path, NAN);

	return n == trunc(n) && n >= -0x1p63 && n < 0x1p63 ? (int64_t)n : fallback;
}

bool json_bool(const struct json *v, const char *path, bool fallback)
{
	v = json_get(v, path);
	return json_type(v) == JSON_BOOL ? v->truth : fallback;
}

size_t json_count(const struct json *v)
{
	return json_type(v) >= JSON_ARRAY ? v->count : 0;
}

const struct json *json_first(const struct json *v)
{
	return json_count(v) ? v + v->first : NULL;
}

const struct json *json_next(const struct json *v)
{
	return v && v->next ? v + v->next : NULL;
}

const char *json_name(const struct json *v)
{
	return v ? v->name : NULL;
}

static void json_print_text(struct str *out, const char *text)
{
	str_append_quoted(out, text, strlen(text));
}

#define COMPACT -1    /* as a level: everything in one line */
#define INDENT_MAX 32 /* levels; without a limit, 1 MB that is nested 500 times would have 200 MB of blanks */

static void json_print_value(struct str *out, const struct json *v, int level);

/* A line of its own at this level. */
static void begin_line(struct str *out, int level)
{
	str_append_char(out, '\n');
	for (int i = 0; i < MIN(level, INDENT_MAX); i++)
		str_append(out, "  ");
}

static void print_container(struct str *out, const struct json *v, char open, char close, int level)
{
	str_append_char(out, open);
	json_foreach(e, v) {
		if (e != json_first(v))
			str_append_char(out, ',');
		if (level != COMPACT)
			begin_line(out, level + 1);
		if (open == '{') {
			json_print_text(out, json_name(e));
			str_append(out, level == COMPACT ? ":" : ": ");
		}
		json_print_value(out, e, level == COMPACT ? COMPACT : level + 1);
	}
	if (level != COMPACT && json_count(v))
		begin_line(out, level);
	str_append_char(out, close);
}

static void json_print_value(struct str *out, const struct json *v, int level)
{
	switch (json_type(v)) {
	case JSON_BOOL:
		str_append(out, json_bool(v, NULL, false) ? "true" : "false");
		break;
	case JSON_NUMBER:
		str_append_double(out, json_num(v, NULL, 0));
		break;
	case JSON_STRING:
		json_print_text(out, json_str(v, NULL));
		break;
	case JSON_ARRAY:
		print_container(out, v, '[', ']', level);
		break;
	case JSON_OBJECT:
		print_container(out, v, '{', '}', level);
		break;
	case JSON_NULL:
	case JSON_NONE:
		str_append(out, "null");
		break;
	}
}

void json_print(struct str *out, const struct json *v)
{
	json_print_value(out, v, COMPACT);
}

void json_print_indented(struct str *out, const struct json *v)
{
	json_print_value(out, v, 0);
}
