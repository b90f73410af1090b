#include "auth/known_tokens.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define DIGEST_SIZE 32 /* SHA-256 */

struct known {
	uint8_t digest[DIGEST_SIZE];
	unsigned keys;
	struct token token; /* an unused slot has no subject */
};

/* A direct-mapped cache: each token has one slot and replaces the token in it. */
struct known_tokens {
	struct known slots[LIMIT_KNOWN_TOKENS_COUNT];
};

/* Computes the digest and returns the number of its slot. */
static size_t slot_of(const char *text, uint8_t digest[DIGEST_SIZE])
{
	if (!EVP_Digest(text, strlen(text), digest, NULL, EVP_sha256(), NULL))
		abort(); /* out of memory */
	return (size_t)(digest[0] << 8 | digest[1]) % LIMIT_KNOWN_TOKENS_COUNT;
}

void known_tokens_add(struct known_tokens *k, const char *text, unsigned keys, const struct token *token)
{
	uint8_t digest[DIGEST_SIZE];
	struct known *slot = &k->slots[slot_of(text, digest)];

	free(slot->token.subject);
	*slot = (struct known){ .keys = keys, .token = *token };
	slot->token.subject = must(strdup(token->subject));
	memcpy(slot->digest, digest, sizeof(digest));
}

bool known_tokens_find(const struct known_tokens *k, const char *text, unsigned keys, int64_t now, struct token *ret)
{
	uint8_t digest[DIGEST_SIZE];
	const struct known *slot = &k->slots[slot_of(text, digest)];

	if (!slot->token.subject || slot->keys != keys || slot->token.until <= now ||
	    memcmp(slot->digest, digest, sizeof(digest)) != 0)
		return false;
	*ret = slot->token;
	ret->subject = must(strdup(ret->subject));
	return true;
}

struct known_tokens *known_tokens_new(void)
{
	return NEW(struct known_tokens);
}

struct known_tokens *known_tokens_free(struct known_tokens *k)
{
	for (size_t i = 0; k && i < LIMIT_KNOWN_TOKENS_COUNT; i++)
		free(k->slots[i].token.subject);
	free(k);
	return NULL;
}
