/* str_json(): see base/str.h. */
#include "base/str.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct writer {
	struct str *out;
	const char *fmt; /* the whole format, for error messages */
	const char *p;   /* the next character of the format */
	va_list ap;
	bool in_string;
};

static _noreturn_ void malformed(const struct writer *w, const char *what)
{
	fprintf(stderr, "str_json: %s at offset %td of: %s\n", what, w->p - w->fmt, w->fmt);
	abort();
}

static void write_string(struct writer *w, const char *text, size_t len)
{
	if (w->in_string)
		str_append_escaped(w->out, text ? text : "", text ? len : 0);
	else if (!text)
		str_append(w->out, "null");
	else
		str_append_quoted(w->out, text, len);
}

static void write_raw(struct writer *w, const char *json)
{
	if (w->in_string)
		malformed(w, "%p inside a string");
	str_append(w->out, json ? json : "null");
}

static bool next_is(struct writer *w, const char *conversion)
{
	size_t len = strlen(conversion);

	if (strncmp(w->p, conversion, len) != 0)
		return false;
	w->p += len;
	return true;
}

/* %.*s: the text needs no NUL, but ends at one within the length. */
static void write_bounded(struct writer *w)
{
	int len = va_arg(w->ap, int);
	const char *text = va_arg(w->ap, const char *);

	write_string(w, text, text && len > 0 ? strnlen(text, (size_t)len) : 0);
}

static void write_text(struct writer *w)
{
	const char *text = va_arg(w->ap, const char *);

	write_string(w, text, text ? strlen(text) : 0);
}

static void write_long_conversion(struct writer *w)
{
	if (next_is(w, "lld"))
		str_append_int(w->out, va_arg(w->ap, long long));
	else if (next_is(w, "llu"))
		str_append_uint(w->out, va_arg(w->ap, unsigned long long));
	else if (next_is(w, "ld"))
		str_append_int(w->out, va_arg(w->ap, long));
	else if (next_is(w, "lu"))
		str_append_uint(w->out, va_arg(w->ap, unsigned long));
	else if (next_is(w, "zu"))
		str_append_uint(w->out, va_arg(w->ap, size_t));
	else if (next_is(w, ".*s"))
		write_bounded(w);
	else
		malformed(w, "unknown conversion");
}

/* Writes the conversion after a '%'. */
static void write_conversion(struct writer *w)
{
	switch (*w->p++) {
	case 's':
		write_text(w);
		break;
	case 'd':
		str_append_int(w->out, va_arg(w->ap, int));
		break;
	case 'u':
		str_append_uint(w->out, va_arg(w->ap, unsigned));
		break;
	case 'f':
		str_append_double(w->out, va_arg(w->ap, double));
		break;
	case 'i':
		str_append(w->out, va_arg(w->ap, int) ? "true" : "false");
		break;
	case 'p':
		write_raw(w, va_arg(w->ap, const char *));
		break;
	default:
		w->p--;
		write_long_conversion(w);
	}
}

/* Handles a percent sign or a backslash escape inside a string; returns false for any other byte. */
static bool write_string_escape(struct writer *w)
{
	if (next_is(w, "%%"))
		str_append_char(w->out, '%');
	else if (next_is(w, "%"))
		write_conversion(w);
	else if (next_is(w, "\\'"))
		str_append_char(w->out, '\'');
	else if (*w->p == '\\' && w->p[1]) {
		str_append_len(w->out, w->p, 2);
		w->p += 2;
	} else
		return false;
	return true;
}

static void write_literal(struct writer *w, char quote)
{
	const char stop[] = { quote, '%', '\\', 0 };

	w->in_string = true;
	str_append_char(w->out, '"');
	while (*w->p != quote) {
		size_t len = strcspn(w->p, stop);

		str_append_escaped(w->out, w->p, len);
		w->p += len;
		if (*w->p != quote && !write_string_escape(w))
			malformed(w, "unfinished string");
	}
	w->p++;
	str_append_char(w->out, '"');
	w->in_string = false;
}

static bool word_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_$.-/", c));
}

/* A bare word or number: quoted as a name if a colon follows, otherwise copied (true, false, null, numbers). */
static void write_word(struct writer *w)
{
	const char *start = w->p;
	size_t len;

	while (word_byte(*w->p))
		w->p++;
	len = (size_t)(w->p - start);
	w->p += strspn(w->p, " \t\n");
	if (*w->p == ':')
		str_append_quoted(w->out, start, len);
	else
		str_append_len(w->out, start, len);
}

static void write_next(struct writer *w)
{
	char c = *w->p;

	if (word_byte(c)) {
		write_word(w);
		return;
	}
	w->p++;
	if (c == '%')
		write_conversion(w);
	else if (c == '\'' || c == '"')
		write_literal(w, c);
	else if (strchr("{}[],:+", c))
		str_append_char(w->out, c);
	else if (!strchr(" \t\n", c))
		malformed(w, "stray character");
}

void str_vjson(struct str *s, const char *fmt, va_list ap)
{
	struct writer w = { .out = s, .fmt = fmt, .p = fmt };

	va_copy(w.ap, ap);
	str_reserve(s, strlen(fmt) + 32);
	while (*w.p)
		write_next(&w);
	va_end(w.ap);
}

void str_json(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vjson(s, fmt, ap);
	va_end(ap);
}
