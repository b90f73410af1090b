/* An HTTP/1.1 GET request, of loop/fetch.h or of a WebSocket, and the fields of a response. Text only, without input or output. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Borrowed strings. */
struct request {
	const char *host; /* a name, or a numeric address without brackets; a certificate has to be for it */
	int port;
	bool tls;
	bool any_certificate;    /* with `tls`: the server's certificate is not verified */
	const char *authorities; /* with `tls`: a PEM file of those that are trusted; NULL: those of the system */
	const char *path;        /* with the query */
	const char *fields;      /* more header fields, each "Name: value\r\n"; may be NULL. A Host field replaces the usual one */
};

/* Appends the head without the blank line that ends it. */
void request_append(struct str *out, const struct request *r);
/* The value of a header field of a response without surrounding blanks, NULL when it is absent. Lines end with CRLF. */
const char *response_field(const char *lines, const char *end, const char *name, size_t *ret_len);
/* The status in the first line of a response, 0 when it has none. `text` is NUL-terminated. */
unsigned response_status(const char *text);
