/*
 * Decodes a request body with Transfer-Encoding: chunked (RFC 9112, section 7.1) in place. As strict as the parser of the
 * head: lines end with CRLF and must match the RFC's grammar. Chunk extensions and trailer fields are checked and ignored.
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
 * Decodes the received bytes. `in` begins with the body decoded so far (`length` bytes, none with `discard`), followed by
 * undecoded input. When the state is CHUNK_DONE, the remaining input belongs to the next request. Returns 0, or the HTTP status
 * of the error response, with the reason in `ret_error` (static text).
 */
int http_chunks_read(struct http_chunks *c, struct str *in, size_t max, const char **ret_error);
