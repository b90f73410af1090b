/* Matches a secret at one position of a text, whatever encoding each character has. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/mask_internal.h"

struct span {
	const char *p, *end;
};

static size_t mask_match_left_of(const struct span *s)
{
	return (size_t)(s->end - s->p);
}

static bool mask_match_skip(struct span *s, const char *text)
{
	size_t len = strlen(text);

	if (mask_match_left_of(s) < len || memcmp(s->p, text, len) != 0)
		return false;
	s->p += len;
	return true;
}

static int digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 0x20) - 'a' + 10 : 16;
}

/* Reads `min` to `max` digits in `base`; -1 if there are fewer than `min`. */
static int32_t mask_match_take_number(struct span *s, int base, int min, int max)
{
	int32_t n = 0;
	int count = 0;

	while (count < max && s->p < s->end && digit_value(*s->p) < base) {
		n = n * base + digit_value(*s->p++);
		count++;
	}
	return count < min ? -1 : n;
}

static int32_t code_point(const char *c, size_t len)
{
	const unsigned char *u = (const unsigned char *)c;

	switch (len) {
	case 2:
		return (u[0] & 0x1f) << 6 | (u[1] & 0x3f);
	case 3:
		return (u[0] & 0x0f) << 12 | (u[1] & 0x3f) << 6 | (u[2] & 0x3f);
	case 4:
		return (u[0] & 0x07) << 18 | (u[1] & 0x3f) << 12 | (u[2] & 0x3f) << 6 | (u[3] & 0x3f);
	default:
		return u[0];
	}
}

/* Percent-encoding (RFC 3986, section 2.1), single or double: %40, %2540. */
static bool match_percent(struct span *s, const char *c, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int32_t n, wanted = (unsigned char)c[i];

		if (!mask_match_skip(s, "%"))
			return false;
		n = mask_match_take_number(s, 16, 2, 2);
		while (n == '%' && wanted != '%')
			n = mask_match_take_number(s, 16, 2, 2);
		if (n != wanted)
			return false;
	}
	return true;
}

/* The HTML character references (section 13.5) that escaping functions emit. */
static const struct {
	const char *name;
	int32_t code;
} references[] = { { "amp;", '&' }, { "lt;", '<' }, { "gt;", '>' }, { "quot;", '"' }, { "apos;", '\'' }, { "nbsp;", ' ' } };

/* Single or double: &quot;, &amp;quot; */
static bool match_reference(struct span *s, int32_t code)
{
	if (!mask_match_skip(s, "&"))
		return false;
	while (code != '&' && mask_match_skip(s, "amp;"))
		;
	for (size_t i = 0; i < ARRAY_SIZE(references); i++)
		if (references[i].code == code && mask_match_skip(s, references[i].name))
			return true;
	if (mask_match_skip(s, "#x") || mask_match_skip(s, "#X"))
		return mask_match_take_number(s, 16, 1, 6) == code && mask_match_skip(s, ";");
	return mask_match_skip(s, "#") && mask_match_take_number(s, 10, 1, 7) == code && mask_match_skip(s, ";");
}

static void mask_match_skip_backslashes(struct span *s)
{
	while (s->p < s->end && *s->p == '\\')
		s->p++;
}

/* The letters of short escapes of JSON and JavaScript, each before the character that it stands for. */
static const char short_escapes[] = "n\nr\rt\tb\bf\fv\v";

/* An escape of JSON or JavaScript after its backslash: \uXXXX (surrogate pairs above U+FFFF), \u{X}, \xXX, or a short one. */
static bool match_escape(struct span *s, int32_t code)
{
	int32_t high;

	for (const char *e = short_escapes; *e; e += 2)
		if (e[1] == code && s->p < s->end && *s->p == *e) {
			s->p++;
			return true;
		}
	if (mask_match_skip(s, "x"))
		return mask_match_take_number(s, 16, 2, 2) == code;
	if (mask_match_skip(s, "u{"))
		return mask_match_take_number(s, 16, 1, 6) == code && mask_match_skip(s, "}");
	if (!mask_match_skip(s, "u"))
		return false;
	high = mask_match_take_number(s, 16, 4, 4);
	if (code < 0x10000 || high != 0xd800 + ((code - 0x10000) >> 10))
		return high == code;
	mask_match_skip_backslashes(s);
	return mask_match_skip(s, "u") && mask_match_take_number(s, 16, 4, 4) == 0xdc00 + (code & 0x3ff);
}

static bool match_plain(struct span *s, const char *c, size_t len)
{
	if (mask_match_left_of(s) < len || memcmp(s->p, c, len) != 0)
		return false;
	s->p += len;
	return true;
}

static bool match_encoded(struct span *s, const char *c, size_t len)
{
	struct span at = *s;

	if (match_percent(s, c, len))
		return true;
	*s = at;
	if (match_reference(s, code_point(c, len)))
		return true;
	*s = at;
	return false;
}

/* One character, after backslashes if `escaped`. "%" and "&" may be literal or begin an encoded character. */
static bool match_character(struct span *s, const char *c, size_t len, bool escaped, bool encoded_first)
{
	struct span at = *s;

	if (encoded_first && strchr("%&", *c) && match_encoded(s, c, len))
		return true;
	if (match_plain(s, c, len))
		return true;
	if (escaped && match_escape(s, code_point(c, len)))
		return true;
	*s = at;
	if (*c == ' ' && (mask_match_skip(s, "+") || mask_match_skip(s, "\u00a0")))
		return true;
	return match_encoded(s, c, len);
}

static size_t count_backslashes(const struct span *s)
{
	size_t n = 0;

	while (n < mask_match_left_of(s) && s->p[n] == '\\')
		n++;
	return n;
}

/*
 * A value ends with `wanted` backslashes and the text has `found` of them: the number that belongs to the value. Each level of
 * escaping doubles them; the remaining ones escape the character after the value.
 */
static size_t own_backslashes(size_t found, size_t wanted)
{
	size_t own = wanted;

	while (own * 2 <= found)
		own *= 2;
	return own;
}

/* YAML doubles single quotes inside a single-quoted scalar. */
static void skip_doubled_quote(struct span *s, const struct span *value)
{
	if (s->p[-1] == '\'' && mask_match_left_of(value) > 0 && *value->p != '\'')
		mask_match_skip(s, "'");
}

/* HTML rendering and accessible names collapse runs of white space into one blank. */
static void skip_more_blanks(struct span *s, struct span *value)
{
	while (mask_match_left_of(value) > 0 && *value->p == ' ') {
		value->p++;
		match_character(s, " ", 1, false, false);
	}
}

static bool match_next(struct span *s, struct span *value, bool *escaped, bool encoded_first)
{
	size_t wanted = count_backslashes(value), found = count_backslashes(s), len;
	const char *c = value->p;

	if (wanted > 0 && found > 0) {
		value->p += wanted;
		s->p += mask_match_left_of(value) > 0 ? found : own_backslashes(found, wanted);
		*escaped = found > wanted;
		return found >= wanted;
	}
	s->p += found;
	len = MAX(utf8_sequence(c, mask_match_left_of(value)), 1u);
	if (!match_character(s, c, len, *escaped || found > 0, encoded_first))
		return false;
	*escaped = false;
	value->p += len;
	if (*c == ' ')
		skip_more_blanks(s, value);
	else if (*c == '\'')
		skip_doubled_quote(s, value);
	return true;
}

static size_t match(const char *text, size_t left, const char *value, size_t len, bool encoded_first)
{
	struct span s = { text, text + left }, wanted = { value, value + len };
	bool escaped = false;

	while (mask_match_left_of(&wanted) > 0)
		if (!match_next(&s, &wanted, &escaped, encoded_first))
			return 0;
	return (size_t)(s.p - text);
}

size_t mask_match(const char *text, size_t left, const char *value, size_t len)
{
	size_t taken = match(text, left, value, len, true);
	bool differs = memchr(value, '%', len) || memchr(value, '&', len);

	return taken || !differs ? taken : match(text, left, value, len, false);
}

#define WORDS_MIN 8 /* bytes of a value's first words that are taken for it; shorter ones would match by chance */

static bool is_between_words(const char *at)
{
	return !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)at[0]);
}

/* Whether the text was cut where `rest` of a value is left: with a mark, or in quotes and between two words. */
static bool is_cut(struct span s, const struct span *rest, size_t taken)
{
	if (taken >= WORDS_MIN && is_between_words(rest->p) && (mask_match_skip(&s, "'") || mask_match_skip(&s, "\"")))
		return true;
	return taken >= MASK_VALUE_MIN && (mask_match_skip(&s, "...") || mask_match_skip(&s, "…"));
}

bool mask_is_cut_at(const char *text, size_t left, const char *value, size_t len, size_t same)
{
	return is_cut((struct span){ text + same, text + left }, &(struct span){ value + same, value + len }, same);
}

size_t mask_match_cut(const char *text, size_t left, const char *value, size_t len)
{
	struct span s = { text, text + left }, wanted = { value, value + len };
	bool escaped = false;

	while (mask_match_left_of(&wanted) > 0) {
		if (is_cut(s, &wanted, (size_t)(wanted.p - value)))
			return (size_t)(s.p - text);
		if (!match_next(&s, &wanted, &escaped, true))
			return 0;
	}
	return 0;
}

/* ---- what may begin at a place ---- */

static void add_first(struct mask_firsts *f, unsigned byte)
{
	f->bytes[byte / 64] |= UINT64_C(1) << byte % 64;
}

/* The first byte of the character. The first half of a surrogate pair is enough for that. */
static void add_first_of(struct mask_firsts *f, int32_t code)
{
	char sequence[4];

	if (code >= 0xd800 && code < 0xdc00)
		code = 0x10000 + ((code - 0xd800) << 10);
	if (code < 0 || code > 0x10ffff)
		return;
	utf8_encode((unsigned)code, sequence);
	add_first(f, (unsigned char)sequence[0]);
}

/* Behind a percent sign; %25 may be one itself or begin what was encoded twice. */
static void add_percent(struct mask_firsts *f, struct span s)
{
	int32_t n = mask_match_take_number(&s, 16, 2, 2);

	if (n == '%')
		add_first(f, '%');
	while (n == '%')
		n = mask_match_take_number(&s, 16, 2, 2);
	if (n >= 0)
		add_first(f, (unsigned)n);
}

/* Behind an ampersand; &amp; may be one itself or begin what was encoded twice. */
static void add_reference(struct mask_firsts *f, struct span s)
{
	while (mask_match_skip(&s, "amp;"))
		;
	for (size_t i = 0; i < ARRAY_SIZE(references); i++) {
		struct span at = s;

		if (mask_match_skip(&at, references[i].name))
			add_first_of(f, references[i].code);
	}
	if (mask_match_skip(&s, "#x") || mask_match_skip(&s, "#X"))
		add_first_of(f, mask_match_take_number(&s, 16, 1, 6));
	else if (mask_match_skip(&s, "#"))
		add_first_of(f, mask_match_take_number(&s, 10, 1, 7));
}

/* Behind backslashes. */
static void add_escape(struct mask_firsts *f, struct span s)
{
	for (const char *e = short_escapes; *e; e += 2)
		if (*s.p == *e)
			add_first(f, (unsigned char)e[1]);
	if (mask_match_skip(&s, "x"))
		add_first_of(f, mask_match_take_number(&s, 16, 2, 2));
	else if (mask_match_skip(&s, "u{"))
		add_first_of(f, mask_match_take_number(&s, 16, 1, 6));
	else if (mask_match_skip(&s, "u"))
		add_first_of(f, mask_match_take_number(&s, 16, 4, 4));
}

void mask_firsts_at(const char *p, size_t left, struct mask_firsts *ret)
{
	struct span s = { p, p + left };
	bool escaped = *p == '\\';

	*ret = (struct mask_firsts){};
	add_first(ret, (unsigned char)*p);
	mask_match_skip_backslashes(&s);
	if (s.p == s.end)
		return;
	if (escaped)
		add_escape(ret, s);
	add_first(ret, (unsigned char)*s.p);
	if (*s.p == '&') /* also for &amp; */
		add_reference(ret, (struct span){ s.p + 1, s.end });
	else if (*s.p == '%')
		add_percent(ret, (struct span){ s.p + 1, s.end });
	else if (*s.p == '+' || *s.p == "\u00a0"[0])
		add_first(ret, ' ');
}
