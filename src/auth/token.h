/*
 * Validates access tokens in the form of JWTs (RFC 7519; best current practices in RFC 8725): signature, issuer, audience,
 * expiry, and scopes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/jwks.h"

/* Required claims of a token. */
struct token_rules {
	const char *issuer, *audience;
};

/* Rights that scopes grant; other scopes are ignored. */
enum token_rights { TOKEN_MAY_READ = 1, TOKEN_MAY_ACT = 2 }; /* the right to act includes the right to read */

#define TOKEN_SCOPE_READ "browser:read"
#define TOKEN_SCOPE_ACT "browser:act"

struct token {
	char *subject; /* owned by the caller */
	unsigned rights;
	int64_t until; /* the Unix time at which it expires, leeway included */
};

/*
 * `now` is Unix time in seconds. Returns 0, -ENOKEY when no key has the token's key id (a newer key set may), or -EINVAL.
 * `ret_why` (static, may be shown to the client) is the reason.
 */
int token_check(const struct jwks *keys, const struct token_rules *rules, const char *text, int64_t now, struct token *ret,
		const char **ret_why);
