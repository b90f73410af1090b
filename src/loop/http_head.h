/*
 * The head of an HTTP/1.1 request (RFC 9112): request line and header fields. Pure text, no input or output.
 *
 * Strict where leniency is how requests are smuggled: lines end with CRLF, no blanks before a colon, no folded lines,
 * no control characters, one Content-Length of digits alone or one transfer coding, chunked, one Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"

struct http_field {
	const char *name; /* lower case */
	const char *value;
};

struct http_head {
	const char *method, *path;
	const char *query; /* without its question mark, "" when there is none */
	bool http_1_0;
	bool close;   /* the connection is closed after the response */
	bool chunked; /* the body has a transfer coding instead of a length */
	bool expects_continue;
	size_t content_length;
	struct http_field fields[LIMIT_HTTP_FIELDS_COUNT];
	unsigned count;
};

/* Length of the head that begins at `text`, including the blank line that ends it; 0 while it is incomplete. */
size_t http_head_length(const char *text, size_t len);
/*
 * Parses a complete head of that length; `ret` points into `text`, which is changed in place. Returns 0, or the HTTP status of
 * the error response, with the reason in `ret_error` (static text).
 */
int http_head_parse(char *text, size_t len, struct http_head *ret, const char **ret_error);
/* Value of a field by its lower-case name, NULL when absent. The first one if the field is repeated. */
const char *http_head_field(const struct http_head *h, const char *name);

/* Whether a comma-separated list contains the word, in any case; NULL contains none. */
bool http_head_lists(const char *list, const char *word);

/* tchar of RFC 9110, section 5.6.2: a character of a method or field name. */
bool http_is_token_char(char c);
