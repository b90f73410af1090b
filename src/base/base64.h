/* Base64 of RFC 4648: section 4 (binary data in CDP messages) and section 5 (JSON Web Tokens). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Room for what `len` characters decode to. */
#define BASE64_DECODED_SIZE(len) ((len) / 4 * 3 + 3)

/* Decodes into `out`; padding ends the text. Returns the number of bytes, -EINVAL for a character outside the alphabet. */
ptrdiff_t base64_decode(const char *text, size_t len, uint8_t *out);
/* The URL-safe alphabet, without padding. -EINVAL when `text` is padded or has stray bits at its end. */
ptrdiff_t base64url_decode(const char *text, size_t len, uint8_t *out);
/* Appends `len` bytes as base64, with padding. */
void base64_encode(struct str *out, const uint8_t *data, size_t len);
