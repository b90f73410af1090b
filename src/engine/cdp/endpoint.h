/* For endpoint.c, endpoint_refusal.c and connection.c: what the address of a browser hides, and what its debugging port says. */
#pragma once

#include "engine/endpoint.h"

/* Words of a value (which may be percent-encoded), or of a path with its query, that nobody is told. */
void endpoint_keep_secrets(struct endpoint *e, const char *text, size_t len);
void endpoint_keep_path(struct endpoint *e, const char *url);
/*
 * The path, with the query, of the WebSocket that the answer of a debugging port to /json/version names. False: it names none. `ret_path`
 * is untouched then.
 */
bool endpoint_read_version(const char *text, size_t len, struct str *ret_path);
