#include "auth/token.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/limits.h"

#define LEEWAY 60 /* seconds by which clocks may differ */

static int token_refuse(const char **ret_why, const char *why)
{
	*ret_why = why;
	return -EINVAL;
}

/* ---- the three parts ---- */

struct parts {
	const char *header, *claims, *signature;
	size_t header_len, claims_len, signature_len;
};

static bool token_split(const char *text, struct parts *ret)
{
	const char *first = strchr(text, '.'), *second = first ? strchr(first + 1, '.') : NULL;

	if (!second || strchr(second + 1, '.'))
		return false;
	*ret = (struct parts){
		.header = text,
		.header_len = (size_t)(first - text),
		.claims = first + 1,
		.claims_len = (size_t)(second - first - 1),
		.signature = second + 1,
		.signature_len = strlen(second + 1),
	};
	return ret->header_len > 0 && ret->claims_len > 0 && ret->signature_len > 0;
}

/* The time grows with the square of the count, and any client can send a header: hence the limit. */
static bool names_are_unique(const struct json *object)
{
	if (json_count(object) > LIMIT_TOKEN_MEMBERS_COUNT)
		return false;
	json_foreach(member, object)
		if (json_member(object, json_name(member)) != member)
			return false;
	return true;
}

/*
 * A part with two members of the same name is refused: readers differ in which of them they use (RFC 7515, section 4;
 * RFC 7519, section 4).
 */
static struct json *decode_object(const char *text, size_t len)
{
	_cleanup_(freep) uint8_t *bytes = must(malloc(BASE64_DECODED_SIZE(len)));
	ptrdiff_t n = base64url_decode(text, len, bytes);
	struct json *v = NULL;

	if (n < 0 || json_parse((char *)bytes, (size_t)n, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &v) < 0)
		return NULL;
	return json_type(v) == JSON_OBJECT && names_are_unique(v) ? v : json_free(v);
}

/* A token of another type, such as an ID token, must not be accepted as an access token. */
static bool is_type_for_access(const char *type)
{
	static const char prefix[] = "application/";

	if (!type)
		return true;
	if (!strncasecmp(type, prefix, sizeof(prefix) - 1))
		type += sizeof(prefix) - 1;
	return !strcasecmp(type, "JWT") || !strcasecmp(type, "at+jwt");
}

static int check_signature(const struct jwks *keys, const char *text, const struct parts *p, const char **ret_why)
{
	_cleanup_(json_freep) struct json *header = decode_object(p->header, p->header_len);
	_cleanup_(freep) uint8_t *signature = must(malloc(BASE64_DECODED_SIZE(p->signature_len)));
	ptrdiff_t len = base64url_decode(p->signature, p->signature_len, signature);
	const char *alg = json_str(header, "alg");
	int r;

	if (!header || len < 0)
		return token_refuse(ret_why, "the token is not a JWT");
	if (!alg || !jwks_knows_algorithm(alg))
		return token_refuse(ret_why, "the token must be signed with RS256, PS256, ES256 or EdDSA");
	if (json_member(header, "crit"))
		return token_refuse(ret_why, "the token's header has unsupported extensions (crit)");
	if (json_member(header, "typ") && !is_type_for_access(json_str(header, "typ") ? json_str(header, "typ") : ""))
		return token_refuse(ret_why, "the token's type is not that of an access token");
	r = jwks_verify(keys, alg, json_str(header, "kid"), text, (size_t)(p->claims + p->claims_len - text), signature,
			(size_t)len);
	if (r < 0)
		*ret_why = r == -ENOKEY ? "the token is signed with a key that the issuer does not have" :
					  "the token's signature is wrong";
	return r == -ENOKEY ? r : r < 0 ? -EINVAL : 0;
}

/* ---- claims ---- */

/* Whether a string equals `text` or an array of strings contains it. */
static bool equals_or_contains(const struct json *v, const char *text)
{
	if (json_str(v, NULL) && !strcmp(json_str(v, NULL), text))
		return true;
	if (json_type(v) != JSON_ARRAY)
		return false;
	json_foreach(e, v)
		if (json_str(e, NULL) && !strcmp(json_str(e, NULL), text))
			return true;
	return false;
}

static bool contains_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (text && *text) {
		size_t n = strcspn(text, " ");

		if (n == len && !strncmp(text, word, n))
			return true;
		text += n;
		text += strspn(text, " ");
	}
	return false;
}

static bool token_allows(const struct json *claims, const char *scope)
{
	return contains_word(json_str(claims, "scope"), scope) || contains_word(json_str(claims, "scp"), scope) ||
	       equals_or_contains(json_member(claims, "scp"), scope);
}

/* Checks a time claim, which defaults to `fallback` when absent. A claim of another type is refused. */
static bool is_in_time(const struct json *claims, int64_t now, const char **ret_why)
{
	const struct json *until = json_member(claims, "exp"), *from = json_member(claims, "nbf");

	if (json_type(until) != JSON_NUMBER || !(json_num(until, NULL, 0) > (double)(now - LEEWAY)))
		*ret_why = until ? "the token has expired" : "the token has no expiry time";
	else if (from && (json_type(from) != JSON_NUMBER || !(json_num(from, NULL, 0) <= (double)(now + LEEWAY))))
		*ret_why = "the token is not valid yet";
	else
		return true;
	return false;
}

/* The time from which is_in_time() refuses the token, clamped to the range of int64_t. */
static int64_t expiry(const struct json *claims)
{
	return (int64_t)MIN(json_num(json_member(claims, "exp"), NULL, 0), 1e15) + LEEWAY;
}

static int check_claims(const struct json *claims, const struct token_rules *rules, int64_t now, struct token *ret,
			const char **ret_why)
{
	const char *issuer = json_str(json_member(claims, "iss"), NULL), *subject = json_str(json_member(claims, "sub"), NULL);

	if (!issuer || strcmp(issuer, rules->issuer) != 0)
		return token_refuse(ret_why, "the token is from another issuer");
	if (!equals_or_contains(json_member(claims, "aud"), rules->audience))
		return token_refuse(ret_why, "the token is for another audience");
	if (!is_in_time(claims, now, ret_why))
		return -EINVAL;
	if (!subject || !*subject || strlen(subject) > LIMIT_SUBJECT)
		return token_refuse(ret_why, "the token names no subject");
	*ret = (struct token){
		.subject = must(strdup(subject)),
		.until = expiry(claims),
		.rights = token_allows(claims, TOKEN_SCOPE_ACT)  ? TOKEN_MAY_READ | TOKEN_MAY_ACT :
			  token_allows(claims, TOKEN_SCOPE_READ) ? TOKEN_MAY_READ :
								   0,
	};
	return 0;
}

int token_check(const struct jwks *keys, const struct token_rules *rules, const char *text, int64_t now, struct token *ret,
		const char **ret_why)
{
	_cleanup_(json_freep) struct json *claims = NULL;
	struct parts parts;
	int r;

	if (strlen(text) > LIMIT_ACCESS_TOKEN || !token_split(text, &parts))
		return token_refuse(ret_why, "the token is not a JWT");
	r = check_signature(keys, text, &parts, ret_why);
	if (r < 0)
		return r;
	claims = decode_object(parts.claims, parts.claims_len);
	return claims ? check_claims(claims, rules, now, ret, ret_why) : token_refuse(ret_why, "the token is not a JWT");
}
