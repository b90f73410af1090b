#include "people/cookies.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "browserd_view_"
#define NAME_SIZE (sizeof(PREFIX) + NODE_NAME_SIZE + 16)
#define LINK_MARK_SIZE 9 /* of the name of a link's cookie, from the number of its login */

/* A cookie of a request; the texts are cut out of its field. */
struct cookie {
	char name[NAME_SIZE + LINK_MARK_SIZE];
	char secret[LOGIN_SECRET_SIZE];
};

static void cookies_name(const struct mcp_http *h, const char *node, char ret[NAME_SIZE])
{
	const char *port = strrchr(mcp_http_origin(h), ':') + 1;

	snprintf(ret, NAME_SIZE, PREFIX "%s", node ? node : port);
}

/* Takes the next cookie of this server from the field. False: there is none. */
static bool cookies_next(const char **at, const char *name, struct cookie *ret)
{
	size_t name_len = strlen(name);

	for (const char *p = *at; p && *p; p = *at) {
		size_t len = strcspn(p, ";"), key = MIN(strcspn(p, "="), len);

		*at = p + len + strspn(p + len, "; ");
		if (key >= len || key >= sizeof(ret->name) || len - key > sizeof(ret->secret) || strncmp(p, name, name_len) != 0 ||
		    (p[name_len] != '=' && p[name_len] != '-'))
			continue;
		snprintf(ret->name, sizeof(ret->name), "%.*s", (int)key, p);
		snprintf(ret->secret, sizeof(ret->secret), "%.*s", (int)(len - key - 1), p + key + 1);
		return true;
	}
	return false;
}

/* How much a login is worth to a request that is about that session. */
static unsigned cookies_worth(const struct signin *login, const struct registry *r, const char *session)
{
	const struct scope *scope = signin_scope(login);
	uint64_t owner;
	bool sees = session && (scope->session[0] ? !strcmp(scope->session, session) : scope_find(scope, r, session, &owner));

	return 1 + 4 * sees + 2 * (sees && scope->act) + !scope->session[0];
}

struct signin *cookies_signin(const struct signins *l, const struct mcp_http *h, const char *node, const struct http_exchange *x,
			      const struct registry *r, const char *session)
{
	const char *at = http_field(x, "cookie");
	struct signin *found = NULL, *login;
	unsigned most = 0, worth;
	char name[NAME_SIZE];
	struct cookie c;

	cookies_name(h, node, name);
	while (cookies_next(&at, name, &c)) {
		login = signins_find(l, c.secret);
		worth = login ? cookies_worth(login, r, session) : 0;
		if (worth > most) {
			most = worth;
			found = login;
		}
	}
	return found;
}

static void cookies_add_field(struct http_exchange *x, const struct mcp_http *h, const char *name, const char *secret, usec_t age)
{
	_cleanup_(str_done) struct str field = {};

	str_appendf(&field, "Set-Cookie: %s=%s; Path=/view; HttpOnly; SameSite=Strict; Max-Age=%llu%s\r\n", name, secret,
		    age / USEC_PER_SEC, mcp_site_is_secure(h) ? "; Secure" : "");
	http_add_fields(x, field.data);
}

/* A link's cookie is named by the number of its sign-in. */
void cookies_set(struct http_exchange *x, const struct mcp_http *h, const char *node, const struct signin *login)
{
	char name[NAME_SIZE], full[NAME_SIZE + LINK_MARK_SIZE];
	const struct scope *scope = signin_scope(login);

	cookies_name(h, node, name);
	if (scope->session[0])
		snprintf(full, sizeof(full), "%s-%08x", name, (unsigned)scope->person);
	else
		snprintf(full, sizeof(full), "%s", name);
	cookies_add_field(x, h, full, signin_secret(login), signin_until(login) - clock_now());
}

void cookies_replace(struct signins *l, struct http_exchange *x, const struct mcp_http *h, const char *node, struct signin *login)
{
	const char *at = http_field(x, "cookie");
	struct signin *before;
	char name[NAME_SIZE];
	struct cookie c;

	cookies_name(h, node, name);
	while (cookies_next(&at, name, &c)) {
		before = strcmp(c.name, name) ? NULL : signins_find(l, c.secret);
		if (before && before != login)
			signin_end(before);
	}
	cookies_set(x, h, node, login);
}

void cookies_end(struct signins *l, const struct mcp_http *h, const char *node, struct http_exchange *x)
{
	const char *at = http_field(x, "cookie");
	struct signin *login;
	char name[NAME_SIZE];
	struct cookie c;

	cookies_name(h, node, name);
	while (cookies_next(&at, name, &c)) {
		login = signins_find(l, c.secret);
		if (login)
			signin_end(login);
		cookies_add_field(x, h, c.name, "", 0);
	}
}
