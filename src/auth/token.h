/*
 * Access tokens as JWTs (RFC 7519, and RFC 8725 on what can go wrong with them): who signed one, for whom, until when, and
 * what it allows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/jwks.h"

/* What a token must be. */
struct token_rules {
	const char *issuer, *audience;
};

/* Nothing else is read from scopes. */
enum token_rights { TOKEN_MAY_READ = 1, TOKEN_MAY_ACT = 2 }; /* who may act may read */

#define TOKEN_SCOPE_READ "browser:read"
#define TOKEN_SCOPE_ACT "browser:act"

struct token {
	char *subject; /* owned by the caller */
	unsigned rights;
	int64_t until; /* when it is good no more, as Unix time */
};

/*
 * `now` is Unix time in seconds. 0, or -ENOKEY: none of the keys has the name that the token gives, newer ones may; or
 * -EINVAL. `ret_why` (static, may be shown to the client) says what is wrong.
 */
int token_check(const struct jwks *keys, const struct token_rules *rules, const char *text, int64_t now, struct token *ret,
		const char **ret_why);
