#include "base/strjson.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"

struct writer {
	struct str *out;
	const char *template; /* all of it, for error messages */
	const char *p;        /* its next character */
	uint64_t types;       /* of the arguments that were not written yet */
	va_list ap;
};

static _noreturn_ void malformed(const struct writer *w, const char *what)
{
	fprintf(stderr, "str_json: %s at offset %td of: %s\n", what, w->p - w->template, w->template);
	abort();
}

static void write_string(struct writer *w, const char *text, size_t len)
{
	if (text)
		str_append_quoted(w->out, text, len);
	else
		str_append(w->out, "null");
}

static void write_raw(struct writer *w, struct json_raw json)
{
	str_append(w->out, json.text ? json.text : "null");
}

/* Writes the next argument. */
static void write_argument(struct writer *w)
{
	enum json_argument type = w->types & 15;
	struct json_text text;
	const char *string;

	w->types >>= 4;
	switch (type) {
	case JSON_ARGUMENT_END:
		malformed(w, "more ? than arguments");
	case JSON_ARGUMENT_BOOL:
		str_append(w->out, va_arg(w->ap, int) ? "true" : "false");
		break;
	case JSON_ARGUMENT_INT:
		str_append_int(w->out, va_arg(w->ap, int));
		break;
	case JSON_ARGUMENT_UINT:
		str_append_uint(w->out, va_arg(w->ap, unsigned));
		break;
	case JSON_ARGUMENT_LONG:
		str_append_int(w->out, va_arg(w->ap, long));
		break;
	case JSON_ARGUMENT_ULONG:
		str_append_uint(w->out, va_arg(w->ap, unsigned long));
		break;
	case JSON_ARGUMENT_LLONG:
		str_append_int(w->out, va_arg(w->ap, long long));
		break;
	case JSON_ARGUMENT_ULLONG:
		str_append_uint(w->out, va_arg(w->ap, unsigned long long));
		break;
	case JSON_ARGUMENT_DOUBLE:
		str_append_double(w->out, va_arg(w->ap, double));
		break;
	case JSON_ARGUMENT_STRING:
		string = va_arg(w->ap, const char *);
		write_string(w, string, string ? strlen(string) : 0);
		break;
	case JSON_ARGUMENT_TEXT:
		text = va_arg(w->ap, struct json_text);
		write_string(w, text.text, text.text ? strnlen(text.text, text.size) : 0);
		break;
	case JSON_ARGUMENT_RAW:
		write_raw(w, va_arg(w->ap, struct json_raw));
		break;
	case JSON_ARGUMENT_TREE:
		json_print(w->out, va_arg(w->ap, const struct json *));
		break;
	}
}

static void write_literal(struct writer *w, char quote)
{
	const char stop[] = { quote, '\\', 0 };

	str_append_char(w->out, '"');
	while (*w->p != quote) {
		size_t len = strcspn(w->p, stop);

		str_append_escaped(w->out, w->p, len);
		w->p += len;
		if (*w->p == quote)
			break;
		if (!*w->p || !w->p[1])
			malformed(w, "unfinished string");
		if (w->p[1] == '\'')
			str_append_char(w->out, '\'');
		else
			str_append_len(w->out, w->p, 2);
		w->p += 2;
	}
	w->p++;
	str_append_char(w->out, '"');
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
	if (c == '?')
		write_argument(w);
	else if (c == '\'' || c == '"')
		write_literal(w, c);
	else if (strchr("{}[],:+", c))
		str_append_char(w->out, c);
	else if (!strchr(" \t\n", c))
		malformed(w, "stray character");
}

void str_vjson(struct str *s, uint64_t types, const char *template, va_list ap)
{
	struct writer w = { .out = s, .template = template, .p = template, .types = types };

	va_copy(w.ap, ap);
	str_reserve(s, strlen(template) + 32);
	while (*w.p)
		write_next(&w);
	if (w.types)
		malformed(&w, "more arguments than ?");
	va_end(w.ap);
}

void str_json_values(struct str *s, uint64_t types, const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	str_vjson(s, types, template, ap);
	va_end(ap);
}
