/*
 * The public keys of a token issuer (RFC 7517) and verification of signatures (RFC 7515, 7518, 8037). Only RS256, PS256, ES256
 * and EdDSA (Ed25519) are supported. Other keys are ignored, symmetric ones included, so that a public key can never be used
 * as an HMAC secret.
 *
 * All cryptography is OpenSSL's; what is here decides which keys and algorithms are good enough, and converts JWK and JWS to
 * OpenSSL's types. docs/internals.md compares this with the libraries that do the conversion.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

struct jwks;

/* -EINVAL: not a key set, or one without a supported key; `ret_why` (static) is the reason. */
int jwks_parse(const char *text, size_t len, struct jwks **ret, const char **ret_why);
struct jwks *jwks_free(struct jwks *s);
DEFINE_FREEP(jwks);

bool jwks_knows_algorithm(const char *alg);
/*
 * Verifies the signature of `data`. With a NULL `kid`, every key that fits the algorithm is tried. Returns 0; -ENOKEY when no key
 * has this id and fits the algorithm; -EBADMSG when the signature is wrong.
 */
int jwks_verify(const struct jwks *s, const char *alg, const char *kid, const char *data, size_t len, const uint8_t *signature,
		size_t signature_len);
