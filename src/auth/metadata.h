/*
 * What an issuer says about itself: where its keys are (RFC 8414, and OpenID Connect Discovery 1.0, section 4). Pure text, no
 * input or output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Appends the address of the metadata's place number `n`, from 0, in the order of asking. False: there are no more. */
bool metadata_place(const char *issuer, unsigned n, struct str *out);
/*
 * The address of the keys, owned by the caller. NULL: `ret_why` (static, for a person) says why the text is not this issuer's
 * metadata, or its keys cannot be had. `text` may be changed in place.
 */
char *metadata_keys(char *text, size_t len, const char *issuer, const char **ret_why);
