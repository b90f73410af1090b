/* For endpoint.c, endpoint_refusal.c and connection.c: what the address of a browser hides, and what its debugging port says. */
#pragma once

#include "engine/endpoint.h"

/* Adds the words of a value (which may be percent-encoded), or of the path and query of a URL, to those that messages leave out. */
void endpoint_keep_secrets(struct endpoint *e, const char *text, size_t len);
void endpoint_keep_path(struct endpoint *e, const char *url);
/*
 * The path, with the query, of the WebSocket that the answer of a debugging port to /json/version names. False: it names none. `ret_path`
 * is untouched then.
 */
bool endpoint_read_version(const char *text, size_t len, struct str *ret_path);
