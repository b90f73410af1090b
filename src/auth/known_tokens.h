/*
 * A cache of verified tokens until they expire. A client sends the same token with each request, and verifying a signature
 * takes longer than most requests. The cache stores digests, from which tokens cannot be recovered.
 */
#pragma once

#include "auth/token.h"
#include "base/macros.h"

struct known_tokens;

struct known_tokens *known_tokens_new(void);
struct known_tokens *known_tokens_free(struct known_tokens *k);
DEFINE_FREEP(known_tokens);

/* `keys` is the keyset_version() that the token was verified with. An entry is not found with another version. */
void known_tokens_add(struct known_tokens *k, const char *text, unsigned keys, const struct token *token);
/* `now` as for token_check(); `ret` gets what token_check() returned. */
bool known_tokens_find(const struct known_tokens *k, const char *text, unsigned keys, int64_t now, struct token *ret);
