/*
 * A growing byte string, NUL-terminated after the first append.
 *
 * The code that declares the struct owns it and calls str_done(). Running out of memory aborts, so callers bound what a peer
 * can make them append (base/limits.h).
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/strjson.h"

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
/* Moves the text of `from` to `to`, whose text is released; `from` is empty afterwards. */
static inline void str_move(struct str *to, struct str *from)
{
	str_done(to);
	*to = *from;
	*from = (struct str){};
}
/* The text, "" while empty. Borrowed until the next append. */
const char *str_text(const struct str *s);

/* Room for `extra` more bytes and a NUL. */
void str_reserve(struct str *s, size_t extra);
void str_append(struct str *s, const char *text);
void str_append_len(struct str *s, const char *data, size_t len);
void str_append_char(struct str *s, char c);
/* With %41 as A. */
void str_append_percent_decoded(struct str *s, const char *text, size_t len);
/* Replaces the text by a copy of `text`, which must not be a part of it. */
static inline void str_set(struct str *s, const char *text)
{
	str_reset(s);
	str_append(s, text);
}
/* Inserts `text` at the beginning, to put a header before a long body without a second copy of the body. */
void str_prepend(struct str *s, const char *text, size_t len);
void str_appendf(struct str *s, const char *fmt, ...) _printf_(2, 3);
void str_vappendf(struct str *s, const char *fmt, va_list ap) _printf_(2, 0);

/* Appends `text` as a JSON string literal with its quotes. Invalid UTF-8 becomes U+FFFD. */
void str_append_quoted(struct str *s, const char *text, size_t len);
/* A code point up to U+FFFF as JSON and JavaScript escape it: \u001b. */
void str_append_unicode_escape(struct str *s, unsigned code);
/* str_append_quoted() without the quotes. */
void str_append_escaped(struct str *s, const char *text, size_t len);
/* Numbers as JSON in any locale, as str_json() writes them. */
void str_append_int(struct str *s, long long n);
void str_append_uint(struct str *s, unsigned long long n);
void str_append_double(struct str *s, double n);

/* FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>: for comparing texts, not against attackers. */
uint64_t str_hash(const struct str *s);
/* NULL does not start with anything. */
bool starts_with(const char *text, const char *start);
/* The value of a hexadecimal digit; -1 for any other character. */
int hex_digit(char c);
/* Replaces the capitals of ASCII in place. */
void ascii_lower(char *text);
/* Writes the UTF-8 sequence of a code point (up to U+10FFFF) and returns its length. */
size_t utf8_encode(unsigned code, char ret[4]);
/* Length of the UTF-8 sequence at `p` (1 to 4); 0 if the next `left` bytes do not begin with a valid one. */
size_t utf8_sequence(const char *p, size_t left);
bool utf8_is_valid(const char *text, size_t len); /* NULs are valid */
/*
 * Length in bytes of the character at `p` if a terminal would act on it instead of showing it, otherwise 0: a control character (C0,
 * DEL, C1), a line separator, or one that embeds or overrides the direction of text (UAX #9, 2.1 to 2.4), which changes the order of
 * what follows it. Strings in JSON, and answers (base/display.h), have these as escapes.
 */
size_t unprintable_sequence(const char *p, size_t left, unsigned *ret_code);
/* Whether the text has no such characters but tabs and line breaks (LF or CR LF). */
bool is_printable(const char *text);
