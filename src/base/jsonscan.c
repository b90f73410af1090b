/*
 * json_raw() and related functions find values in JSON text without building a tree. The cursor assumes valid text, but on
 * any input it moves forward and stays in bounds. Nothing recurses, so nesting cannot exhaust the stack.
 */
#include <string.h>

#include "base/jsontree.h"

struct span {
	const char *p, *end;
};

static void span_blanks(struct span *s)
{
	while (s->p < s->end && *s->p && strchr(" \n\r\t", *s->p))
		s->p++;
}

static bool span_accept(struct span *s, char c)
{
	span_blanks(s);
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* Starts at the opening quote. The closing quote is the next one after an even number of backslashes. */
static void span_string(struct span *s)
{
	const char *start = ++s->p, *quote;

	while ((quote = memchr(s->p, '"', (size_t)(s->end - s->p)))) {
		size_t backslashes = 0;

		while (quote - backslashes > start && quote[-1 - (ptrdiff_t)backslashes] == '\\')
			backslashes++;
		s->p = quote + 1;
		if (backslashes % 2 == 0)
			return;
	}
	s->p = s->end;
}

static void span_container(struct span *s)
{
	size_t depth = 0;

	while (s->p < s->end) {
		if (*s->p == '"') {
			span_string(s);
			continue;
		}
		if (*s->p == '{' || *s->p == '[')
			depth++;
		else if (*s->p == '}' || *s->p == ']')
			depth--;
		s->p++;
		if (!depth)
			return;
	}
}

static struct span span_value(struct span *s)
{
	struct span v = *s;

	if (s->p < s->end && *s->p == '"')
		span_string(s);
	else if (s->p < s->end && (*s->p == '{' || *s->p == '['))
		span_container(s);
	else
		while (s->p < s->end && *s->p && !strchr(",]} \n\r\t", *s->p))
			s->p++;
	v.end = s->p;
	return v;
}

/* Whether the string literal `literal` spells the `len` bytes at `name`. */
static bool spells(struct span literal, const char *name, size_t len)
{
	size_t size = (size_t)(literal.end - literal.p);
	_cleanup_(json_freep) struct json *v = NULL;

	if (!memchr(literal.p, '\\', size))
		return size == len + 2 && !memcmp(literal.p + 1, name, len);
	if (json_parse(literal.p, size, 0, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
		return false;
	return strlen(json_str(v, NULL)) == len && !memcmp(json_str(v, NULL), name, len);
}

/* The next member of the object; `s` begins at its brace or at the comma before the member. */
static bool next_member(struct span *s, struct span *ret_name, struct span *ret_value)
{
	span_blanks(s);
	if (s->p == s->end || (*s->p != '{' && *s->p != ','))
		return false;
	s->p++;
	span_blanks(s);
	if (s->p == s->end || *s->p != '"')
		return false;
	*ret_name = span_value(s);
	span_blanks(s);
	if (s->p == s->end || *s->p != ':')
		return false;
	s->p++;
	span_blanks(s);
	*ret_value = span_value(s);
	return true;
}

/* Narrows `s` from an object to the value of its member `name`. */
static bool span_member(struct span *s, const char *name, size_t len)
{
	struct span literal, v;

	span_blanks(s);
	if (s->p == s->end || *s->p != '{')
		return false;
	while (next_member(s, &literal, &v))
		if (spells(literal, name, len)) {
			*s = v;
			return true;
		}
	return false;
}

const char *json_raw(const char *text, size_t len, const char *path, size_t *ret_len)
{
	struct span s = { text, text + len };

	while (path) {
		size_t name_len = strcspn(path, ".");

		if (!span_member(&s, path, name_len))
			return NULL;
		path = path[name_len] ? path + name_len + 1 : NULL;
	}
	*ret_len = (size_t)(s.end - s.p);
	return s.p;
}

const char *json_source(const struct json *v, const char *text, size_t len, size_t *ret_len)
{
	struct span s = { text + v->source, text + len }, value = span_value(&s);

	*ret_len = (size_t)(value.end - value.p);
	return value.p;
}

const char *json_raw_next(const char *text, size_t len, size_t *at, size_t *ret_len)
{
	struct span s = { text + *at, text + len }, v;

	span_blanks(&s);
	if (s.p == s.end || *s.p != (*at ? ',' : '['))
		return NULL;
	s.p++;
	span_blanks(&s);
	v = span_value(&s);
	if (v.p == v.end)
		return NULL;
	*at = (size_t)(s.p - text);
	*ret_len = (size_t)(v.end - v.p);
	return v.p;
}

bool json_raw_ended(const char *text, size_t len, size_t at)
{
	struct span s = { text + at, text + len };

	if ((!at && !span_accept(&s, '[')) || !span_accept(&s, ']'))
		return false;
	span_blanks(&s);
	return s.p == s.end;
}
