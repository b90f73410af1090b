#include "auth/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"

#define OAUTH "/.well-known/oauth-authorization-server"
#define OPENID "/.well-known/openid-configuration"

/* RFC 8414 inserts the well-known path before the issuer's path; OpenID Connect Discovery appends it. */
bool metadata_url(const char *issuer, unsigned n, struct str *out)
{
	const char *authority = strstr(issuer, "://"), *path;
	int len = (int)strlen(issuer), origin_len;

	authority = authority ? authority + 3 : issuer;
	path = authority + strcspn(authority, "/");
	origin_len = (int)(path - issuer);
	while (len > origin_len && issuer[len - 1] == '/')
		len--;
	if (n < 2)
		str_appendf(out, "%.*s%s%.*s", origin_len, issuer, n == 0 ? OAUTH : OPENID, len - origin_len, path);
	else if (n == 2 && len > origin_len)
		str_appendf(out, "%.*s%s", len, issuer, OPENID);
	else
		return false;
	return true;
}

char *metadata_keys(char *text, size_t len, const char *issuer, const char **ret_why)
{
	_cleanup_(json_freep) struct json *root = NULL;
	const char *named, *keys;

	if (json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &root) < 0) {
		*ret_why = "the metadata is not JSON";
		return NULL;
	}
	named = json_str(root, "issuer");
	keys = json_str(root, "jwks_uri");
	if (named && !strcmp(named, issuer) && keys)
		return must(strdup(keys));
	*ret_why = !named || strcmp(named, issuer) != 0 ?
			   "the metadata names another issuer: its \"issuer\" must be exactly this one" :
			   "the metadata has no jwks_uri, so the keys must be named separately";
	return NULL;
}
