/*
 * Tokens that were found good, until they expire: a client sends the same one with each request, and a signature takes
 * longer to check than most requests take to answer. Tokens are known by their digest; what is kept gives none away.
 */
#pragma once

#include "auth/token.h"
#include "base/macros.h"

struct known_tokens;

struct known_tokens *known_tokens_new(void);
struct known_tokens *known_tokens_free(struct known_tokens *k);
DEFINE_FREEP(known_tokens);

/* `keys` is the keyset_version() that the token was, or would be, checked with: another one makes a token unknown. */
void known_tokens_add(struct known_tokens *k, const char *text, unsigned keys, const struct token *token);
/* `now` as of token_check(); `ret` is as that gave it. */
bool known_tokens_find(const struct known_tokens *k, const char *text, unsigned keys, int64_t now, struct token *ret);
