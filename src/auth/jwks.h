/*
 * Public keys of an issuer of tokens (RFC 7517), and signatures by them (RFC 7515, 7518, 8037). RS256, PS256, ES256 and
 * EdDSA (Ed25519) are all that there is: keys of other kinds are passed over, secret ones among them, so that no public
 * key is ever taken for a secret.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

struct jwks;

/* -EINVAL: no set of keys, or none in it that can be used; `ret_why` (static) says so. */
int jwks_parse(const char *text, size_t len, struct jwks **ret, const char **ret_why);
struct jwks *jwks_free(struct jwks *s);
DEFINE_FREEP(jwks);

bool jwks_knows_algorithm(const char *alg);
/*
 * Whether one of the keys made this signature of `data`. `kid` NULL: the token names none, any key may have made it.
 * -ENOKEY: no key has this name and can be used with this algorithm. -EBADMSG: the signature is wrong.
 */
int jwks_verify(const struct jwks *s, const char *alg, const char *kid, const char *data, size_t len,
		const uint8_t *signature, size_t signature_len);
