/*
 * Authenticates requests by their token: the shared one that the server was started with, or one signed by an issuer
 * of OAuth tokens (MCP's authorization: RFC 6750, RFC 9728). Every request is checked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "auth/token.h"
#include "base/limits.h"
#include "base/random.h"
#include "mcp/http_parts.h"

#define WELL_KNOWN "/.well-known/oauth-protected-resource"

/* ---- refusals ---- */

/*
 * The URL of the resource metadata for this URL of /mcp: the well-known part comes between host and path (RFC 9728,
 * 3.1).
 */
static void append_metadata_url(struct str *out, const char *url)
{
	size_t len = strcspn(strstr(url, "://") + 3, "/") + (size_t)(strstr(url, "://") + 3 - url);

	str_append_len(out, url, len);
	str_appendf(out, WELL_KNOWN "%s", url + len);
}

/* `error`, `why` and `scope` may be NULL. */
static void challenge(const struct mcp_http *h, struct http_exchange *x, const char *error, const char *why, const char *scope)
{
	_cleanup_(str_done) struct str field = {};
	const char *comma = " ";

	str_append(&field, "WWW-Authenticate: Bearer");
	if (error) {
		str_appendf(&field, "%serror=\"%s\"", comma, error);
		comma = ", ";
	}
	if (error && why)
		str_appendf(&field, "%serror_description=\"%s\"", comma, why);
	if (h->options->issuer) {
		str_appendf(&field, "%sscope=\"%s\", resource_metadata=\"", comma, scope);
		append_metadata_url(&field, h->url.data);
		str_append(&field, "\"");
	}
	str_append(&field, "\r\n");
	http_add_fields(x, field.data);
}

static bool refuse_token(const struct mcp_http *h, struct http_exchange *x, const char *why)
{
	challenge(h, x, why ? "invalid_token" : NULL, why, TOKEN_SCOPE_READ);
	if (h->options->issuer)
		guard_refuse(h, x, 401, RPC_INVALID_REQUEST, "%s: send \"Authorization: Bearer TOKEN\" with a token of %s for %s",
			     why ? why : "a token is needed", h->options->issuer,
			     h->options->audience ? h->options->audience : h->url.data);
	else
		guard_refuse(h, x, 401, RPC_INVALID_REQUEST,
			     "%s: send \"Authorization: Bearer TOKEN\" with the token that the server "
			     "was started with (%s)",
			     why ? why : "a token is needed", h->options->names.token);
	return false;
}

static bool refuse_rights(const struct mcp_http *h, struct http_exchange *x)
{
	challenge(h, x, "insufficient_scope", NULL, TOKEN_SCOPE_READ);
	guard_refuse(h, x, 403, RPC_FORBIDDEN, "The token does not allow this: it needs the scope " TOKEN_SCOPE_READ);
	return false;
}

/* ---- tokens ---- */

static int http_auth_check(const struct mcp_http *h, const char *text, struct token *ret, const char **ret_why)
{
	const struct mcp_http_options *o = h->options;
	const struct token_rules rules = { .issuer = o->issuer, .audience = o->audience ? o->audience : h->url.data };
	const struct jwks *jwks = keyset_jwks(h->services->keys);

	*ret_why = "the issuer's keys are not known yet";
	return jwks ? token_check(jwks, &rules, text, clock_unix_msec() / 1000, ret, ret_why) : -ENOKEY;
}

/* Fetches the issuer's current keys if the known ones do not verify the token, and checks again. */
static int check_fresh(const struct mcp_http *h, const char *text, struct token *ret, const char **ret_why)
{
	int r = http_auth_check(h, text, ret, ret_why);

	if (r != -ENOKEY)
		return r;
	switch (keyset_refresh(h->services->keys)) {
	case KEYSET_FETCHING:
		return -EAGAIN;
	case KEYSET_RELOADED:
		return http_auth_check(h, text, ret, ret_why);
	default:
		return r;
	}
}

/* Like check_fresh(), but uses the result of an earlier verification of the same token. */
static int check_once(const struct mcp_http *h, const char *text, struct token *ret, const char **ret_why)
{
	const struct keyset *keys = h->services->keys;
	int r;

	if (known_tokens_find(h->known_tokens, text, keyset_version(keys), clock_unix_msec() / 1000, ret))
		return 0;
	r = check_fresh(h, text, ret, ret_why);
	if (r == 0)
		known_tokens_add(h->known_tokens, text, keyset_version(keys), ret);
	return r;
}

/* The user is named by issuer and subject, because subjects are unique only within an issuer. */
static bool take_issued(const struct mcp_http *h, struct http_exchange *x, const char *text, int64_t *ret_until)
{
	_cleanup_(str_done) struct str user = {};
	struct token token;
	const char *why;
	int r = check_once(h, text, &token, &why);

	if (r == -EAGAIN) {
		http_add_fields(x, "Retry-After: 1\r\n");
		guard_refuse(h, x, 503, RPC_INVALID_REQUEST, "The keys of %s are being fetched: try again", h->options->issuer);
		return false;
	}
	if (r < 0)
		return refuse_token(h, x, why);
	str_appendf(&user, "%s\n%s", h->options->issuer, token.subject);
	free(token.subject);
	http_set_user(x, user.data, token.rights);
	*ret_until = token.until;
	return token.rights & TOKEN_MAY_READ ? true : refuse_rights(h, x);
}

const char *auth_token(const struct http_exchange *x)
{
	static const char scheme[] = "Bearer ";
	const char *field = http_field(x, "authorization");

	if (!field || strncasecmp(field, scheme, sizeof(scheme) - 1) != 0)
		return NULL;
	return field + sizeof(scheme) - 1 + strspn(field + sizeof(scheme) - 1, " ");
}

static bool check_token(const struct mcp_http *h, struct http_exchange *x, int64_t *ret_until)
{
	const char *token = auth_token(x);

	if (!h->options->token && !h->options->issuer)
		return true;
	if (!token)
		return refuse_token(h, x, NULL);
	if (h->options->token && secrets_equal(token, h->options->token))
		return true;
	return h->options->issuer ? take_issued(h, x, token, ret_until) : refuse_token(h, x, "the token is wrong");
}

bool guard_token_until(const struct mcp_http *h, struct http_exchange *x, int64_t *ret_until)
{
	bool good;

	*ret_until = 0;
	good = check_token(h, x, ret_until);
	http_set_trusted(x, good);
	return good;
}

bool guard_token(const struct mcp_http *h, struct http_exchange *x)
{
	return guard_token_until(h, x, &(int64_t){ 0 });
}

/* ---- rights ---- */

unsigned auth_rights(const struct http_exchange *x)
{
	unsigned rights = http_rights(x);

	if (!http_user(x)) /* the shared token, and a server without tokens, allow everything */
		return MCP_MAY_ALL;
	return (rights & TOKEN_MAY_READ ? MCP_MAY_READ : 0u) | (rights & TOKEN_MAY_ACT ? MCP_MAY_ACT : 0u);
}

void auth_challenge_right(const struct mcp_http *h, struct http_exchange *x)
{
	challenge(h, x, "insufficient_scope", NULL, TOKEN_SCOPE_ACT);
}

/* ---- RFC 9728 ---- */

void auth_describe(struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(str_done) struct str out = {};

	if (!h->options->issuer) {
		http_refuse(x, 404, RPC_INVALID_REQUEST, "This server does not accept OAuth tokens");
		return;
	}
	str_json(&out,
		 "{resource: ?, authorization_servers: [?], scopes_supported: ['" TOKEN_SCOPE_READ "', '" TOKEN_SCOPE_ACT
		 "'], bearer_methods_supported: ['header'], resource_name: ?}",
		 h->url.data, h->options->issuer, h->server->title);
	http_answer(x, 200, TYPE_JSON, out.data, out.len);
}
