#include "reply/url_params.h"

#include <ctype.h>
#include <string.h>

#define REDACTED "<redacted>"
#define INDEX_MAX 64                   /* characters of an index behind a name: token[0] */
#define NO_VALUE " \t\r\n\"'`<>(){}\\" /* characters that no parameter has */

/* A character of a URL, which may be percent-encoded: once, or again with each URL that its URL is a parameter of. */
struct letter {
	char c;
	size_t len;     /* bytes in the text */
	unsigned depth; /* how often it is encoded */
};

/* The byte that two hexadecimal digits stand for; negative: there are none. */
static int hex_byte(const char *p)
{
	int high = hex_digit(p[0]), low = high < 0 ? -1 : hex_digit(p[1]);

	return low < 0 ? -1 : high << 4 | low;
}

static struct letter letter_at(const char *p)
{
	struct letter l = { .c = *p, .len = 1 };
	const char *digits = p + 1;
	int byte = *p == '%' ? hex_byte(digits) : -1;

	while (byte >= 0) {
		l = (struct letter){ (char)byte, (size_t)(digits + 2 - p), l.depth + 1 };
		byte = byte == '%' ? hex_byte(digits + 2) : -1;
		digits += 2;
	}
	return l;
}

static bool url_params_is_one_of(struct letter l, const char *set)
{
	return l.c && strchr(set, l.c);
}

/* What follows the name if it begins at `p`, in any case and encoding; NULL: it does not. */
static const char *after_name(const char *name, const char *p)
{
	for (; *name; name++) {
		struct letter l = letter_at(p);

		if (tolower((unsigned char)l.c) != tolower((unsigned char)*name))
			return NULL;
		p += l.len;
	}
	return p;
}

/* What follows the indices, such as [] and [0][key], that may begin at `p`. */
static const char *after_indices(const char *p)
{
	struct letter l = letter_at(p);
	const char *start = p;

	for (unsigned i = 0; l.c == '[' || p > start; i++) {
		bool ends = l.c == ']' && letter_at(p + l.len).c != '[';

		if (!l.c || i == INDEX_MAX || url_params_is_one_of(l, "?&#;=" NO_VALUE))
			return start;
		p += l.len;
		if (ends)
			break;
		l = letter_at(p);
	}
	return p;
}

/* A character that no URL has: control characters are marks in the rows of a page (view/marks.h). */
static bool ends_url(char c)
{
	return iscntrl((unsigned char)c) || strchr(NO_VALUE, c);
}

/*
 * Up to the characters that end a value, or the URL that it is in. One in a URL that is itself a parameter ends at what separates
 * parameters there, which is encoded as often as its "=".
 */
static size_t value_length(const char *value, unsigned depth)
{
	const char *p = value;

	while (*p && !ends_url(*p) && !strchr("&#[]", *p)) {
		struct letter l = letter_at(p);

		if (depth && l.depth == depth && url_params_is_one_of(l, "&#"))
			break;
		p += l.len;
	}
	return (size_t)(p - value);
}

/* The value of the parameter that begins at `p`, and its length; NULL if its name is not in `names`, or the value is empty. */
static const char *url_params_value_at(const char *const *names, const char *p, size_t *ret_len)
{
	int first = tolower((unsigned char)letter_at(p).c);

	for (; *names; names++) {
		const char *end = tolower((unsigned char)**names) == first ? after_name(*names, p) : NULL;
		struct letter equals;

		if (!end)
			continue;
		end = after_indices(end);
		equals = letter_at(end);
		if (equals.c != '=')
			continue;
		*ret_len = value_length(end + equals.len, equals.depth);
		if (*ret_len > 0)
			return end + equals.len;
	}
	return NULL;
}

void url_params_redact(const char *const *names, struct str *text)
{
	struct str redacted = {};
	const char *from = str_text(text), *value;
	size_t len = 0;

	for (const char *p = from; names && *(p += strcspn(p, "?&#;%")); p++) {
		struct letter l = letter_at(p);

		value = url_params_is_one_of(l, "?&#;") ? url_params_value_at(names, p + l.len, &len) : NULL;
		if (!value)
			continue;
		str_append_len(&redacted, from, (size_t)(value - from));
		str_append(&redacted, REDACTED);
		from = value + len;
		p = from - 1;
	}
	if (!redacted.len)
		return;
	str_append(&redacted, from);
	str_move(text, &redacted);
}
