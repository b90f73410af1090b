/* Who asks: logging in and out, and the login of a request. */
#include "people/site_internal.h"

#include <string.h>

#include "people/cookies.h"

int64_t site_unix_time(usec_t at)
{
	usec_t now = clock_now();

	return clock_unix_msec() + (at > now ? (int64_t)((at - now) / USEC_PER_MSEC) : 0);
}

void site_answer_login(struct http_exchange *x, const struct signin *login, const char *address)
{
	_cleanup_(str_done) struct str out = {};
	const struct scope *scope = signin_scope(login);
	char until[CLOCK_TEXT_SIZE];

	clock_print(site_unix_time(signin_until(login)), until);
	str_json(&out, "{act: ?, expiresAt: ?", scope->act, until);
	if (scope->session[0])
		str_json(&out, ", session: ?", scope->session);
	if (address)
		str_json(&out, ", address: ?", address);
	str_append(&out, "}");
	http_answer(x, 200, "application/json", out.data, out.len);
}

bool site_is_elsewhere(const struct site *s, struct http_exchange *x, const char *id)
{
	char asked[NODE_NAME_SIZE] = "", node[NODE_NAME_SIZE];
	bool other = http_query(x, "node", asked, sizeof(asked)) && s->node && strcmp(asked, s->node) != 0;

	if (!other && id && node_is_other(s->node, id, node)) {
		other = true;
		memcpy(asked, node, sizeof(asked));
	}
	if (other)
		mcp_site_refuse(x, 421,
				"This is on the node \"%.63s\", and this is \"%.63s\": the proxy should lead requests there", asked,
				s->node);
	return other;
}

struct signin *site_need_login(const struct site *s, struct http_exchange *x)
{
	struct signin *login;
	char session[SESSION_ID_SIZE];
	bool asked = http_query(x, "session", session, sizeof(session));

	if (site_is_elsewhere(s, x, NULL))
		return NULL;
	login = cookies_signin(s->logins, s->http, s->node, x, s->app->registry, asked ? session : NULL);
	if (!login)
		mcp_site_refuse(x, 401, "Log in first: POST /view/login");
	return login;
}

struct signin *site_login_by_token(struct site *s, struct http_exchange *x)
{
	struct mcp_site_sender sender;
	struct scope scope;
	usec_t time = LOGIN_TIME;
	int64_t left;

	if (!mcp_site_sender(s->http, x, &sender))
		return NULL;
	scope = (struct scope){ .owner = sender.owner, .everyone = sender.everyone, .act = sender.rights & MCP_MAY_ACT };
	left = sender.until ? sender.until - clock_unix_msec() / 1000 : INT64_MAX;
	if (left <= 0) {
		mcp_site_refuse(x, 401, "The token has expired: log in with a new one");
		return NULL;
	}
	if ((usec_t)left < LOGIN_TIME / USEC_PER_SEC)
		time = (usec_t)left * USEC_PER_SEC;
	return signins_add(s->logins, &scope, time);
}

void site_post_login(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;
	struct signin *login;

	if (site_is_elsewhere(s, x, NULL))
		return;
	login = site_login_by_token(s, x);
	if (!login)
		return;
	cookies_replace(s->logins, x, s->http, s->node, login);
	site_answer_login(x, login, NULL);
}

void site_post_logout(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;

	if (site_is_elsewhere(s, x, NULL))
		return;
	cookies_end(s->logins, s->http, s->node, x);
	http_answer(x, 200, "application/json", "{}", 2);
}

const struct scope *site_scope(const struct site *s, struct http_exchange *x)
{
	const struct signin *login = site_need_login(s, x);

	return login ? signin_scope(login) : NULL;
}

/* What the page asks first. */
void site_get_me(struct http_exchange *x, const char *rest, void *data)
{
	const struct signin *login = site_need_login(data, x);

	if (login)
		site_answer_login(x, login, NULL);
}
