/*
 * Values of BiDi as the JSON that a copy of the value has. Objects that are no plain ones are empty, undefined members are left out. A value that
 * occurs several times is described once, so a short description can stand for a long text: the length has a limit.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/internal.h"
#include "engine/bidi/values.h"

struct described {
	const char *id;
	const struct json *value;
	bool is_open; /* its members are being written */
};

struct writer {
	struct str *out;
	size_t max;
	size_t left_out; /* members that take no room, but time, and may be gone through as often as the value occurs */
	unsigned depth;
	void *described; /* a tree of tsearch(3) */
};

static int write_value(struct writer *w, const struct json *v);

static int compare_described(const void *a, const void *b)
{
	return strcmp(((const struct described *)a)->id, ((const struct described *)b)->id);
}

/* ---- values without members ---- */

static void write_number(struct writer *w, const struct json *v)
{
	const struct json *n = json_get(v, "value");

	if (json_type(n) == JSON_NUMBER)
		json_print(w->out, n);
	else
		str_append(w->out, strcmp(json_text(n, NULL), "-0") == 0 ? "0" : "null");
}

static void write_value_itself(struct writer *w, const struct json *v)
{
	const struct json *value = json_get(v, "value");

	if (value)
		json_print(w->out, value);
	else
		str_append(w->out, "null");
}

/* ---- values with members ---- */

static bool values_is_left_out(const struct json *v)
{
	return strcmp(json_text(v, "type"), "undefined") == 0;
}

static int write_elements(struct writer *w, const struct json *list)
{
	bool is_first = true;
	int r = 0;

	str_append_char(w->out, '[');
	for (const struct json *v = json_first(list); r == 0 && v; v = json_next(v)) {
		str_append(w->out, is_first ? "" : ",");
		is_first = false;
		r = write_value(w, v);
	}
	str_append_char(w->out, ']');
	return r;
}

/* Pairs of a name and a value. */
static int write_members(struct writer *w, const struct json *list)
{
	bool is_first = true;
	int r = 0;

	str_append_char(w->out, '{');
	for (const struct json *pair = json_first(list); r == 0 && pair; pair = json_next(pair)) {
		const struct json *name = json_first(pair), *v = json_next(name);

		if (values_is_left_out(v)) {
			r = ++w->left_out > w->max ? -EMSGSIZE : 0;
			continue;
		}
		str_append(w->out, is_first ? "" : ",");
		is_first = false;
		str_append_quoted(w->out, json_text(name, NULL), strlen(json_text(name, NULL)));
		str_append_char(w->out, ':');
		r = write_value(w, v);
	}
	str_append_char(w->out, '}');
	return r;
}

static int write_list(struct writer *w, const struct json *v)
{
	const struct json *list = json_get(v, "value");

	return strcmp(json_text(v, "type"), "object") == 0 ? write_members(w, list) : write_elements(w, list);
}

/* NULL: it was not described before. */
static struct described *find_described(struct writer *w, const char *id)
{
	struct described wanted = { .id = id }, **found = tfind(&wanted, &w->described, compare_described);

	return found ? *found : NULL;
}

static int write_described(struct writer *w, struct described *d)
{
	int r;

	if (d->is_open)
		return -ELOOP;
	d->is_open = true;
	r = write_list(w, d->value);
	d->is_open = false;
	return r;
}

/* What is nested too deeply has no value, and what was described before has only its id. */
static int write_container(struct writer *w, const struct json *v)
{
	const char *id = json_str(v, "internalId");
	struct described *d = id ? find_described(w, id) : NULL;

	if (!d && !json_get(v, "value"))
		return -ELOOP;
	if (!id)
		return write_list(w, v);
	if (!d) {
		d = NEW(struct described);
		*d = (struct described){ .id = id, .value = v };
		must(tsearch(d, &w->described, compare_described));
	}
	return write_described(w, d);
}

/* ---- all of them ---- */

static const struct {
	const char *type;
	void (*write)(struct writer *w, const struct json *v);
} value_table[] = {
	{ "number", write_number },       { "string", write_value_itself },    { "boolean", write_value_itself },
	{ "null", write_value_itself },   { "undefined", write_value_itself }, { "bigint", write_value_itself },
	{ "symbol", write_value_itself }, { "date", write_value_itself },
};

static bool is_container(const char *type)
{
	return strcmp(type, "object") == 0 || strcmp(type, "array") == 0 || strcmp(type, "nodelist") == 0 ||
	       strcmp(type, "htmlcollection") == 0;
}

static int write_value(struct writer *w, const struct json *v)
{
	const char *type = json_text(v, "type");
	int r;

	if (w->out->len > w->max)
		return -EMSGSIZE;
	for (size_t i = 0; i < ARRAY_SIZE(value_table); i++)
		if (strcmp(value_table[i].type, type) == 0) {
			value_table[i].write(w, v);
			return 0;
		}
	if (!is_container(type) && strcmp(type, "window") != 0) {
		str_append(w->out, "{}");
		return 0;
	}
	if (w->depth >= BIDI_VALUE_DEPTH || !is_container(type))
		return -ELOOP;
	w->depth++;
	r = write_container(w, v);
	w->depth--;
	return r;
}

int bidi_print_value(struct str *out, const struct json *value, size_t max)
{
	struct writer w = { .out = out, .max = out->len + max };
	int r = write_value(&w, value);

	tdestroy(w.described, free);
	return r == 0 && out->len > w.max ? -EMSGSIZE : r;
}

bool bidi_is_primitive(const struct json *value)
{
	const char *type = json_text(value, "type");

	for (size_t i = 0; i < ARRAY_SIZE(value_table); i++)
		if (strcmp(value_table[i].type, type) == 0)
			return strcmp(type, "date") != 0 && strcmp(type, "symbol") != 0;
	return false;
}
