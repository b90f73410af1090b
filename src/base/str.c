#include "base/str.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE_MAX 6         /* bytes of an escape, for at least one byte */
#define ESCAPED_AT_ONCE 256u /* bytes of a text */

void str_done(struct str *s)
{
	free(s->data);
	*s = (struct str){};
}

void str_truncate(struct str *s, size_t len)
{
	s->len = len;
	if (s->data)
		s->data[len] = 0;
}

void str_reset(struct str *s)
{
	str_truncate(s, 0);
}

char *str_take(struct str *s)
{
	char *text;

	str_reserve(s, 0);
	text = s->data;
	*s = (struct str){};
	return text;
}

bool starts_with(const char *text, const char *start)
{
	return text && strncmp(text, start, strlen(start)) == 0;
}

void ascii_lower(char *text)
{
	for (char *c = text; *c; c++)
		*c |= *c >= 'A' && *c <= 'Z' ? 'a' - 'A' : 0;
}

int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

const char *str_text(const struct str *s)
{
	return s->data ? s->data : "";
}

void str_reserve(struct str *s, size_t extra)
{
	size_t need, cap;

	if (__builtin_add_overflow(s->len, extra, &need) || need >= SIZE_MAX / 2)
		abort();
	if (s->cap > need)
		return;
	cap = MAX(need + 1, s->cap ? 2 * s->cap : 64);
	s->data = must(realloc(s->data, cap));
	s->data[s->len] = 0;
	s->cap = cap;
}

void str_append_len(struct str *s, const char *data, size_t len)
{
	str_reserve(s, len);
	if (len)
		memcpy(s->data + s->len, data, len);
	s->len += len;
	s->data[s->len] = 0;
}

void str_append(struct str *s, const char *text)
{
	str_append_len(s, text, strlen(text));
}

void str_append_char(struct str *s, char c)
{
	str_reserve(s, 1);
	s->data[s->len++] = c;
	s->data[s->len] = 0;
}

void str_append_percent_decoded(struct str *s, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool escape = text[i] == '%' && i + 2 < len && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;

		str_append_char(s, escape ? (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2])) : text[i]);
		i += escape ? 2 : 0;
	}
}

void str_prepend(struct str *s, const char *text, size_t len)
{
	str_reserve(s, len);
	memmove(s->data + len, s->data, s->len + 1);
	memcpy(s->data, text, len);
	s->len += len;
}

void str_vappendf(struct str *s, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	str_reserve(s, 64);
	va_copy(again, ap);
	len = vsnprintf(s->data + s->len, s->cap - s->len, fmt, ap);
	if (len < 0)
		abort();
	if ((size_t)len >= s->cap - s->len) {
		str_reserve(s, (size_t)len);
		vsnprintf(s->data + s->len, s->cap - s->len, fmt, again);
	}
	va_end(again);
	s->len += (size_t)len;
}

void str_appendf(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(s, fmt, ap);
	va_end(ap);
}

void str_append_uint(struct str *s, unsigned long long n)
{
	char digits[24], *p = digits + sizeof(digits);

	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	str_append_len(s, p, (size_t)(digits + sizeof(digits) - p));
}

void str_append_int(struct str *s, long long n)
{
	if (n < 0)
		str_append_char(s, '-');
	str_append_uint(s, n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n);
}

/*
 * %g drops trailing zeros, so the first of 15, 16, 17 digits that reads back the same is the shortest; only numbers
 * below DBL_MIN can do with fewer digits that %.15g would not show.
 */
void str_append_double(struct str *s, double n)
{
	char text[40], *mark;

	if (!isfinite(n)) {
		str_append(s, "null");
		return;
	}
	if (n == trunc(n) && fabs(n) < 1e15 && !(n == 0 && signbit(n))) {
		str_append_int(s, (long long)n);
		return;
	}
	for (int digits = fabs(n) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, n);
		if (strtod(text, NULL) == n)
			break;
	}
	mark = text + strspn(text, "+-0123456789e");
	if (*mark)
		*mark = '.'; /* the locale's decimal point */
	str_append(s, text);
}

/* Well-formed sequences: RFC 3629, section 4. Only the second byte has bounds that depend on the first. */
size_t utf8_sequence(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (!left)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	len = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : low;
	high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : high;
	if (left < len || p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

bool utf8_is_valid(const char *text, size_t len)
{
	size_t at = 0, n;

	while (at < len && (n = utf8_sequence(text + at, len - at)) > 0)
		at += n;
	return at == len;
}

size_t utf8_encode(unsigned code, char ret[4])
{
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	unsigned more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);

	ret[0] = (char)(lead[more] | code >> 6 * more);
	for (unsigned i = 1; i <= more; i++)
		ret[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
	return more + 1;
}

/* All of them below 0x80 have one byte, the others begin with 0xc2 (C1) or 0xe2 (U+2000 to U+2FFF). */
size_t unprintable_sequence(const char *text, size_t left, unsigned *ret_code)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned code = p[0];
	size_t len;

	if (code < 0x80) {
		*ret_code = code;
		return code < ' ' || code == 0x7f;
	}
	if (code != 0xc2 && code != 0xe2)
		return 0;
	len = utf8_sequence(text, left);
	if (len < 2)
		return 0;
	code = len == 2 ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu) : (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
	*ret_code = code;
	return code <= 0x9f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ? len : 0;
}

bool is_printable(const char *text)
{
	unsigned code;

	for (const char *p = text, *end = text + strlen(text); p < end; p++)
		if (unprintable_sequence(p, (size_t)(end - p), &code) && code != '\t' && code != '\n' &&
		    !(code == '\r' && p[1] == '\n'))
			return false;
	return true;
}

/* Writes the 6 bytes of the escape at `out`; returns their end. */
static char *write_unicode_escape(char *out, unsigned code)
{
	static const char digits[] = "0123456789abcdef";

	*out++ = '\\';
	*out++ = 'u';
	for (unsigned i = 0; i < 4; i++)
		*out++ = digits[code >> (12 - 4 * i) & 0xf];
	return out;
}

void str_append_unicode_escape(struct str *s, unsigned code)
{
	char text[ESCAPE_MAX];

	str_append_len(s, text, (size_t)(write_unicode_escape(text, code) - text));
}

static char *write_ascii_escape(char *out, char c)
{
	static const char letters[128] = {
		['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'
	};
	char letter = letters[(unsigned char)c];

	if (!letter)
		return write_unicode_escape(out, (unsigned char)c);
	*out++ = '\\';
	*out++ = letter;
	return out;
}

/* Writes the escape for the byte or invalid sequence at `p` to `*out`; returns the number of input bytes it replaces. */
static size_t write_special(char **out, const char *p, size_t left)
{
	size_t len = utf8_sequence(p, left);
	unsigned code;

	if (len == 1)
		*out = write_ascii_escape(*out, *p);
	else if (len == 0)
		*out = mempcpy(*out, "\xef\xbf\xbd", 3);
	else if (unprintable_sequence(p, left, &code))
		*out = write_unicode_escape(*out, code);
	else
		*out = mempcpy(*out, p, len);
	return MAX(len, 1u);
}

static bool plain(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= ' ' && u < 0x7f && u != '"' && u != '\\';
}

/* By parts, so that little room is taken for escapes that do not come. The last character of a part may end in the next. */
void str_append_escaped(struct str *s, const char *text, size_t len)
{
	const char *end = text + len;

	str_reserve(s, len + 2);
	while (text < end) {
		const char *stop = text + MIN((size_t)(end - text), (size_t)ESCAPED_AT_ONCE);
		char *out;

		str_reserve(s, ESCAPE_MAX * (size_t)(stop - text));
		out = s->data + s->len;
		while (text < stop)
			if (plain(*text))
				*out++ = *text++;
			else
				text += write_special(&out, text, (size_t)(end - text));
		str_truncate(s, (size_t)(out - s->data));
	}
}

void str_append_quoted(struct str *s, const char *text, size_t len)
{
	str_append_char(s, '"');
	str_append_escaped(s, text, len);
	str_append_char(s, '"');
}

uint64_t str_hash(const struct str *s)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < s->len; i++)
		hash = (hash ^ (unsigned char)s->data[i]) * 1099511628211u;
	return hash;
}
