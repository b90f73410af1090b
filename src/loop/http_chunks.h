/*
 * A request's body in chunks (Transfer-Encoding: chunked; RFC 9112, section 7.1), decoded where it was received. As strict
 * as the head: lines end with CRLF, and each one has the form that the RFC's grammar gives it. Chunk extensions and
 * trailer fields are checked and then ignored.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct http_chunks {
	bool discard;  /* set before the first byte: the body is counted but not kept */
	size_t length; /* of the body so far */
	size_t left;   /* of the current chunk */
	size_t trailers;
	enum { CHUNK_SIZE, CHUNK_DATA, CHUNK_END, CHUNK_TRAILER, CHUNK_DONE } state;
};

/*
 * Decodes what has come: `in` begins with the body that was kept so far (`length` bytes, none with `discard`), and what
 * could not be decoded yet follows. Once the state is CHUNK_DONE, that is what came behind the request. 0, or the HTTP
 * status that refuses it with `ret_error` saying why (static text).
 */
int http_chunks_read(struct http_chunks *c, struct str *in, size_t max, const char **ret_error);
