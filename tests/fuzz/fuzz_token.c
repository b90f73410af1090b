/*
 * An issuer's keys, a newline, and a token: whatever they are is read within its bounds, and a token that is taken is taken
 * only as it is.
 */
#include <errno.h>

#include "auth/token.h"
#include "fuzz.h"

#define NOW 1800000000 /* Unix time; what is in the corpus is valid until 2100 */

static int check_token(const struct jwks *keys, const char *text)
{
	static const struct token_rules rules = { .issuer = "https://issuer.example", .audience = "https://tools.example/mcp" };
	struct token token = {};
	const char *why = NULL;
	int r = token_check(keys, &rules, text, NOW, &token, &why);

	CHECK(r == 0 ? token.subject && token.subject[0] : why && (r == -EINVAL || r == -ENOKEY));
	free(token.subject);
	return r;
}

/* One bit of any character makes it another token. */
static void check_that_it_is_sealed(const struct jwks *keys, char *text)
{
	size_t len = strlen(text), step = len / 16 + 1;

	for (size_t i = 0; i < len; i += step) {
		text[i] ^= 1;
		CHECK(check_token(keys, text) < 0);
		text[i] ^= 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t keys_len = newline ? (size_t)(newline - data) : size;
	char *keys_text = fuzz_copy(data, keys_len), *text = fuzz_copy(data + keys_len, size - keys_len);
	struct jwks *keys = NULL;
	const char *why = NULL;

	text = must(realloc(text, size - keys_len + 1));
	text[size - keys_len] = '\0';
	if (jwks_parse(keys_text, keys_len, &keys, &why) < 0)
		CHECK(!keys && why);
	else if (newline && check_token(keys, text + 1) == 0)
		check_that_it_is_sealed(keys, text + 1);
	jwks_free(keys);
	free(keys_text);
	free(text);
	return 0;
}
