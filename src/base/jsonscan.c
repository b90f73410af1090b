/*
 * JSON text without a tree: the check that comes before cJSON, and json_raw(). Both are plain scanners that never
 * recurse, so nesting cannot exhaust the stack.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

/* cJSON copies a number into 64 bytes. */
#define NUMBER_MAX 60

struct scan {
	char *p, *end;
	enum json_escapes escapes;
	bool refused; /* saw an escape that the caller does not want */
	unsigned depth, max_depth;
	uint64_t objects[JSON_DEPTH_MAX / 64]; /* a bit for each open level: object, not array */
};

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t'))
		s->p++;
}

static bool accept(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* Value of four hexadecimal digits, -1 when they are not there. */
static int hex4(const char *p, const char *end)
{
	int n = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)p[i]))
			return -1;
		n = n * 16 + (isdigit((unsigned char)p[i]) ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
	}
	return n;
}

/* At the digits of \uXXXX: passes them, and the low surrogate that must follow a high one. */
static int scan_unicode_escape(struct scan *s)
{
	int unit = hex4(s->p, s->end), low = -1;
	char *digits = s->p;

	if (unit < 0)
		return -EINVAL;
	s->p += 4;
	if (unit >= 0xd800 && unit <= 0xdbff && s->end - s->p >= 6 && s->p[0] == '\\' && s->p[1] == 'u')
		low = hex4(s->p + 2, s->end);
	if (low >= 0xdc00 && low <= 0xdfff) {
		s->p += 6;
	} else if (unit == 0 || (unit >= 0xd800 && unit <= 0xdfff)) {
		s->refused |= s->escapes == JSON_REFUSE_UNREPRESENTABLE;
		if (!s->refused)
			memcpy(digits, "fffd", 4);
	}
	return 0;
}

/* A byte of a string that is not plain ASCII. */
static int scan_special(struct scan *s)
{
	size_t len;

	if (accept(s, '\\')) {
		if (accept(s, 'u'))
			return scan_unicode_escape(s);
		if (s->p == s->end || !*s->p || !strchr("\"\\/bfnrt", *s->p))
			return -EINVAL;
		s->p++;
		return 0;
	}
	if ((unsigned char)*s->p < ' ')
		return -EINVAL;
	len = utf8_sequence(s->p, (size_t)(s->end - s->p));
	s->p += len;
	return len ? 0 : -EILSEQ;
}

/* After the opening quote. */
static int scan_string(struct scan *s)
{
	int r;

	for (;;) {
		while (s->p < s->end && (signed char)*s->p >= ' ' && *s->p != '"' && *s->p != '\\')
			s->p++;
		if (s->p == s->end)
			return -EINVAL;
		if (accept(s, '"'))
			return 0;
		r = scan_special(s);
		if (r < 0)
			return r;
	}
}

static bool scan_digits(struct scan *s)
{
	char *start = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return s->p > start;
}

/* Rewrites a number that is too long for cJSON, padded with blanks: no double needs that many digits. */
static void shorten_number(char *start, size_t len)
{
	_cleanup_(freep) char *copy = must(strndup(start, len));
	char text[40];
	double n = strtod(copy, NULL);
	int short_len = snprintf(text, sizeof(text), n - n == 0 ? "%.17g" : n < 0 ? "-1e999" : "1e999", n);

	memset(start, ' ', len);
	memcpy(start, text, (size_t)short_len);
}

static int scan_number(struct scan *s)
{
	char *start = s->p;

	accept(s, '-');
	if (!accept(s, '0') && !scan_digits(s))
		return -EINVAL;
	if (accept(s, '.') && !scan_digits(s))
		return -EINVAL;
	if (accept(s, 'e') || accept(s, 'E')) {
		if (!accept(s, '+'))
			accept(s, '-');
		if (!scan_digits(s))
			return -EINVAL;
	}
	if (s->p - start > NUMBER_MAX)
		shorten_number(start, (size_t)(s->p - start));
	return 0;
}

static int scan_word(struct scan *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len) != 0)
		return -EINVAL;
	s->p += len;
	return 0;
}

static int scan_scalar(struct scan *s)
{
	if (accept(s, '"'))
		return scan_string(s);
	switch (s->p < s->end ? *s->p : 0) {
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	default:
		return scan_number(s);
	}
}

static bool in_object(const struct scan *s)
{
	return s->objects[(s->depth - 1) / 64] >> ((s->depth - 1) % 64) & 1;
}

static int push(struct scan *s, bool object)
{
	uint64_t bit = 1ULL << (s->depth % 64), *word = &s->objects[s->depth / 64];

	if (s->depth >= s->max_depth)
		return -E2BIG;
	*word = object ? *word | bit : *word & ~bit;
	s->depth++;
	return 0;
}

/* A member's name and its colon. */
static int scan_name(struct scan *s)
{
	int r;

	skip_blanks(s);
	r = accept(s, '"') ? scan_string(s) : -EINVAL;
	if (r < 0)
		return r;
	skip_blanks(s);
	return accept(s, ':') ? 1 : -EINVAL;
}

/* At the start of a value: 0 when it is complete, 1 when it was opened and the next value is to come. */
static int scan_value(struct scan *s)
{
	bool object;
	int r;

	skip_blanks(s);
	if (s->p == s->end || (*s->p != '{' && *s->p != '['))
		return scan_scalar(s);
	object = *s->p++ == '{';
	r = push(s, object);
	if (r < 0)
		return r;
	skip_blanks(s);
	if (accept(s, object ? '}' : ']')) {
		s->depth--;
		return 0;
	}
	return object ? scan_name(s) : 1;
}

/* After a value: closes what ends here. 0 at the end of the whole, 1 when another value is to come. */
static int scan_rest(struct scan *s)
{
	while (s->depth) {
		skip_blanks(s);
		if (accept(s, ','))
			return in_object(s) ? scan_name(s) : 1;
		if (!accept(s, in_object(s) ? '}' : ']'))
			return -EINVAL;
		s->depth--;
	}
	skip_blanks(s);
	return s->p == s->end ? 0 : -EINVAL;
}

int json_check(char *text, size_t len, unsigned max_depth, enum json_escapes escapes)
{
	struct scan s = { .p = text, .end = text + len, .escapes = escapes, .max_depth = max_depth };
	int r;

	assert(max_depth <= JSON_DEPTH_MAX);
	do {
		r = scan_value(&s);
		if (r == 0)
			r = scan_rest(&s);
	} while (r > 0);
	return r < 0 ? r : s.refused ? -EBADMSG : 0;
}

/*
 * json_raw(): a cursor over text that is taken to be valid. Whatever the bytes are, it moves forward and stays
 * inside.
 */
struct span {
	const char *p, *end;
};

static void span_blanks(struct span *s)
{
	while (s->p < s->end && *s->p && strchr(" \n\r\t", *s->p))
		s->p++;
}

/* At the opening quote. The quote that ends it is the next one behind an even number of backslashes. */
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
	_cleanup_(freep) char *copy = NULL;

	if (!memchr(literal.p, '\\', size))
		return size == len + 2 && !memcmp(literal.p + 1, name, len);
	copy = must(malloc(size));
	memcpy(copy, literal.p, size);
	if (json_parse(copy, size, 0, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
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

/* Narrows the object `s` to the value of its member. */
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

void json_raw_members(const char *text, size_t len, const char *const *names, struct json_span *ret, size_t count)
{
	struct span s = { text, text + len }, name, value;

	memset(ret, 0, count * sizeof(*ret));
	span_blanks(&s);
	if (s.p == s.end || *s.p != '{')
		return;
	while (next_member(&s, &name, &value))
		for (size_t i = 0; i < count; i++)
			if (!ret[i].text && spells(name, names[i], strlen(names[i])))
				ret[i] = (struct json_span){ value.p, (size_t)(value.end - value.p) };
}
