/*
 * The credentials of the vault: logins, each with a name, the origins that it is for, a user name, a password, perhaps the key of one-time codes, and
 * the owners that may use it. They are the text of a sealed document, as JSON:
 *
 *	{"version": 1, "logins": [{"name": "shop", "origins": ["https://shop.example"], "user": "ann", "password": "...",
 *	  "totp": "JBSWY3DPEHPK3PXP", "owners": ["ann@example.com"]}]}
 *
 * Nothing suspends. What is freed is overwritten first.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"
#include "base/macros.h"
#include "base/str.h"
#include "vault/key.h"
#include "vault/totp.h"

#define LOGIN_NAME_ALLOWED "1 to 64 letters, digits, dots, - and _"
#define LOGIN_PASSWORD_MIN 4 /* bytes: as short as what can be masked in answers (MASK_VALUE_MIN) */

struct login {
	char *name;
	char **origins; /* as location.origin has them: "https://shop.example:8443"; NULL-terminated, one at least */
	char *user;     /* "": none */
	char *password; /* "": none, but one of these two is there */
	bool has_totp;
	struct totp totp;
	char **owners;   /* subjects of access tokens; NULL-terminated; NULL: whoever the operator lets in without those */
	char *totp_text; /* as it was given; NULL: none */
};

struct logins {
	struct login *items; /* in the order of their names */
	size_t count;
};

struct logins *logins_new(void);
struct logins *logins_free(_nullable_ struct logins *l);
DEFINE_FREEP(logins);
/* -EINVAL: `error` says which login and which member is wrong, without any secret. Unknown members are refused. */
int logins_parse(const char *text, size_t len, struct logins **ret, struct str *error);
/* The text that logins_parse() reads. The caller wipes it. */
void logins_print(const struct logins *l, struct str *out);
/* NULL: there is none of that name. Borrowed. */
const struct login *logins_find(const struct logins *l, const char *name);
/* Adds the login that a JSON object describes, which has no name, or replaces that of the name. -EINVAL as logins_parse(), -ENOSPC. */
int logins_put(struct logins *l, const char *name, const struct json *described, struct str *error);
bool logins_remove(struct logins *l, const char *name);
/* Overwrites the strings of a tree that has secrets, before json_free(). */
void logins_wipe_json(const struct json *v);

/*
 * Reads the document at `path`. -ENOENT when there is none; `error` gets a sentence with each failure. Blocks.
 */
int logins_read(const struct vault_key *k, const char *path, struct logins **ret, struct str *error);
int logins_write(const struct vault_key *k, const char *path, const struct logins *l, struct str *error);

/*
 * Whether the owner may use the login. `subject`: that of its access token, NULL when it has none. `is_admitted`: it is the only client of
 * the server (stdin and stdout), or has shown the server's one token.
 */
bool login_permits(const struct login *l, _nullable_ const char *subject, bool is_admitted);
