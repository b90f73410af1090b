/*
 * Issuer metadata, which names the URL of the keys (RFC 8414, and OpenID Connect Discovery 1.0, section 4). Text processing
 * only, no input or output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Appends the `n`th URL (from 0) at which the metadata may be found. False when there are no more. */
bool metadata_url(const char *issuer, unsigned n, struct str *out);
/*
 * The URL of the keys, owned by the caller. NULL: `ret_why` (static) is the reason why the text is not this issuer's metadata or
 * names no keys. `text` may be changed in place.
 */
char *metadata_keys(char *text, size_t len, const char *issuer, const char **ret_why);
