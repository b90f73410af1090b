/*
 * A growing byte string, NUL-terminated after the first append.
 *
 * The code that declares the struct owns it and calls str_done(). Running out of memory aborts, so callers bound what a peer
 * can make them append (base/limits.h).
 *
 * str_json() writes compact JSON from a relaxed literal, so that a message can be read where it is sent:
 *
 *	str_json(&s, "{type: 'keyDown', key: %s, modifiers: %d, repeat: %i}", key, modifiers, held);
 *
 * Bare words before a colon become quoted names ('/', '.', '-', '_' and '$' may be in them), '...' and "..." become
 * quoted strings, blanks are dropped, and the conversions are the printf ones the compiler can check:
 *	%s  const char *, quoted and escaped; NULL writes null
 *	%.*s  the same with a length
 *	%d %u %ld %lu %lld %llu %zu  integers
 *	%f  double, shortest text that reads back the same; not finite writes null
 *	%i  int as true or false
 *	%p  const char *, JSON text taken as it is; NULL writes null
 * Inside '...' conversions are part of the text (%s without quotes, NULL adds nothing; no %p), %% is a percent sign,
 * \' a quote, other backslash escapes are JSON's. A format that breaks these rules is a programming error and aborts.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/macros.h"

struct str {
	char *data; /* NULL while nothing was appended */
	size_t len;
	size_t cap;
};

void str_done(struct str *s);
void str_reset(struct str *s);                /* length 0, keeps the memory */
void str_truncate(struct str *s, size_t len); /* to an earlier length */
/* Returns the text (never NULL, the caller frees it) and leaves `s` empty. */
char *str_take(struct str *s);
/* The text, "" while empty. Borrowed until the next append. */
const char *str_text(const struct str *s);

/* Room for `extra` more bytes and a NUL. */
void str_reserve(struct str *s, size_t extra);
void str_append(struct str *s, const char *text);
void str_append_len(struct str *s, const char *data, size_t len);
void str_append_char(struct str *s, char c);
/* Inserts `text` at the beginning, to put a header before a long body without a second copy of the body. */
void str_prepend(struct str *s, const char *text, size_t len);
void str_appendf(struct str *s, const char *fmt, ...) _printf_(2, 3);
void str_vappendf(struct str *s, const char *fmt, va_list ap) _printf_(2, 0);

/* Appends `text` as a JSON string literal with its quotes. Invalid UTF-8 becomes U+FFFD. */
void str_append_quoted(struct str *s, const char *text, size_t len);
/* str_append_quoted() without the quotes. */
void str_append_escaped(struct str *s, const char *text, size_t len);
/* Numbers as JSON in any locale, as %lld, %llu and %f of str_json() write them. */
void str_append_int(struct str *s, long long n);
void str_append_uint(struct str *s, unsigned long long n);
void str_append_double(struct str *s, double n);
void str_json(struct str *s, const char *fmt, ...) _printf_(2, 3);
void str_vjson(struct str *s, const char *fmt, va_list ap) _printf_(2, 0);

/* Length of the UTF-8 sequence at `p` (1 to 4); 0 if the next `left` bytes do not begin with a valid one. */
size_t utf8_sequence(const char *p, size_t left);
