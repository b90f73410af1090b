#include "base/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/* `struct json` is a cJSON node seen from outside; it is never defined. */
static const cJSON *node(const struct json *v)
{
	return (const cJSON *)v;
}

static const struct json *value(const cJSON *n)
{
	return (const struct json *)n;
}

int json_parse(char *text, size_t len, unsigned max_depth, enum json_escapes escapes, struct json **ret)
{
	int r = json_check(text, len, max_depth, escapes);

	if (r < 0)
		return r;
	/* Checked text can fail for lack of memory only. */
	*ret = must(cJSON_ParseWithLengthOpts(text, len, NULL, false));
	return 0;
}

struct json *json_free(struct json *v)
{
	cJSON_Delete((cJSON *)v);
	return NULL;
}

enum json_type json_type(const struct json *v)
{
	switch (v ? node(v)->type & 0xff : cJSON_Invalid) {
	case cJSON_NULL:
		return JSON_NULL;
	case cJSON_True:
	case cJSON_False:
		return JSON_BOOL;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_NONE;
	}
}

static const struct json *member(const struct json *v, const char *name, size_t len)
{
	if (json_type(v) != JSON_OBJECT)
		return NULL;
	json_foreach(m, v)
		if (!strncmp(json_name(m), name, len) && !json_name(m)[len])
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
	return json_type(v) == JSON_STRING ? node(v)->valuestring : NULL;
}

double json_num(const struct json *v, const char *path, double fallback)
{
	v = json_get(v, path);
	return json_type(v) == JSON_NUMBER ? node(v)->valuedouble : fallback;
}

int64_t json_int(const struct json *v, const char *path, int64_t fallback)
{
	double n = json_num(v, path, NAN);

	return n == trunc(n) && n >= -0x1p63 && n < 0x1p63 ? (int64_t)n : fallback;
}

bool json_bool(const struct json *v, const char *path, bool fallback)
{
	v = json_get(v, path);
	return json_type(v) == JSON_BOOL ? (node(v)->type & 0xff) == cJSON_True : fallback;
}

size_t json_count(const struct json *v)
{
	size_t count = 0;

	json_foreach(e, v)
		count++;
	return count;
}

const struct json *json_first(const struct json *v)
{
	return v ? value(node(v)->child) : NULL;
}

const struct json *json_next(const struct json *v)
{
	return v ? value(node(v)->next) : NULL;
}

const char *json_name(const struct json *v)
{
	return v ? node(v)->string : NULL;
}

static void print_text(struct str *out, const char *text)
{
	str_append_quoted(out, text, strlen(text));
}

static void print_container(struct str *out, const struct json *v, char open, char close)
{
	str_append_char(out, open);
	json_foreach(e, v) {
		if (e != json_first(v))
			str_append_char(out, ',');
		if (open == '{') {
			print_text(out, json_name(e));
			str_append_char(out, ':');
		}
		json_print(out, e);
	}
	str_append_char(out, close);
}

void json_print(struct str *out, const struct json *v)
{
	switch (json_type(v)) {
	case JSON_BOOL:
		str_append(out, json_bool(v, NULL, false) ? "true" : "false");
		break;
	case JSON_NUMBER:
		str_append_double(out, json_num(v, NULL, 0));
		break;
	case JSON_STRING:
		print_text(out, json_str(v, NULL));
		break;
	case JSON_ARRAY:
		print_container(out, v, '[', ']');
		break;
	case JSON_OBJECT:
		print_container(out, v, '{', '}');
		break;
	case JSON_NULL:
	case JSON_NONE:
		str_append(out, "null");
		break;
	}
}
