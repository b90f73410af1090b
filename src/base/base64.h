/* Base64 of RFC 4648: section 4, which CDP carries binary data in, and section 5, which tokens are made of. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Room for what `len` characters decode to. */
#define BASE64_DECODED_SIZE(len) ((len) / 4 * 3 + 3)

/* Decodes into `out`; padding ends the text. Returns the number of bytes, -EINVAL for a character outside the alphabet. */
ptrdiff_t base64_decode(const char *text, size_t len, uint8_t *out);
/* The alphabet for URLs. Only what an encoder without padding gives is taken. */
ptrdiff_t base64url_decode(const char *text, size_t len, uint8_t *out);
/* Appends `len` bytes as base64, with padding. */
void base64_encode(struct str *out, const uint8_t *data, size_t len);
