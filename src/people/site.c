#include "people/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/error.h"
#include "base/limits.h"
#include "people/cookies.h"
#include "people/files.h"
#include "people/links.h"
#include "people/recorded.h"
#include "people/viewer.h"

#define PATH "/view"
#define LINK_LOGIN_TIME (3600 * USEC_PER_SEC) /* what a link was opened for is seen for as long */
#define CODE_LOGGED_OUT 4001                  /* of closing a viewer's WebSocket */

/* A viewer with its connection. */
struct view {
	LIST_ENTRY(view) link;
	struct site *site;
	struct http_socket *socket;
	struct viewer *viewer;
	struct signin *login; /* NULL: it has ended */
	uint64_t owner;
	bool alone; /* the login is this connection's, and ends with it */
};

struct site {
	struct app *app;
	struct recordings *recordings;
	const char *node;
	struct mcp_http *http;
	struct mcp_site site;
	struct signins *logins;
	struct links *links;
	struct viewers *viewers;
	LIST_HEAD(, view) views;
	unsigned count;
};

/* ---- answers ---- */

static int64_t unix_of(usec_t at)
{
	usec_t now = clock_now();

	return clock_unix_msec() + (at > now ? (int64_t)((at - now) / USEC_PER_MSEC) : 0);
}

/* {act, session?, expiresAt}, and `address` where it is not NULL. */
static void answer_login(struct http_exchange *x, const struct signin *login, const char *address)
{
	_cleanup_(str_done) struct str out = {};
	const struct scope *scope = signin_scope(login);
	char until[CLOCK_TEXT_SIZE];

	clock_print(unix_of(signin_until(login)), until);
	str_json(&out, "{act: ?, expiresAt: ?", scope->act, until);
	if (scope->session[0])
		str_json(&out, ", session: ?", scope->session);
	if (address)
		str_json(&out, ", address: ?", address);
	str_append(&out, "}");
	http_answer(x, 200, "application/json", out.data, out.len);
}

/* A request for another node, to which the proxy should have led it. */
static bool site_is_elsewhere(const struct site *s, struct http_exchange *x, const char *id)
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

/* The login of a request by its cookies. */
static struct signin *site_login(const struct site *s, const struct http_exchange *x)
{
	char session[SESSION_ID_SIZE];
	bool asked = http_query(x, "session", session, sizeof(session));

	return cookies_signin(s->logins, s->http, s->node, x, asked ? session : NULL);
}

/* ---- logging in and out ---- */

/* A new login for the token of a request; NULL: refused and answered. */
static struct signin *signin_by_token(struct site *s, struct http_exchange *x)
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

static void site_post_login(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;
	struct signin *login;

	if (site_is_elsewhere(s, x, NULL))
		return;
	login = signin_by_token(s, x);
	if (!login)
		return;
	cookies_replace(s->logins, x, s->http, s->node, login);
	answer_login(x, login, NULL);
}

static void site_post_logout(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;

	if (site_is_elsewhere(s, x, NULL))
		return;
	cookies_end(s->logins, s->http, s->node, x);
	http_answer(x, 200, "application/json", "{}", 2);
}

/* What the page asks first. */
static void site_get_me(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;
	_cleanup_(str_done) struct str out = {};
	struct signin *login;

	if (site_is_elsewhere(s, x, NULL))
		return;
	login = site_login(s, x);
	if (login) {
		answer_login(x, login, NULL);
		return;
	}
	str_json(&out, "{error: 'Log in first: POST /view/login', login: ?}", mcp_site_wants_token(s->http) ? "token" : "none");
	http_answer(x, 401, "application/json", out.data, out.len);
}

/* ---- links ---- */

static void append_session_address(const struct site *s, const char *session, struct str *out)
{
	str_append(out, PATH);
	if (s->node)
		str_appendf(out, "?node=%s", s->node);
	str_appendf(out, "#/session/%s", session);
}

/* Opening a link that shows no more than the person may see anyway changes nothing for them. */
static struct signin *signin_by_link(struct site *s, struct http_exchange *x, const struct scope *scope)
{
	struct signin *login = cookies_signin(s->logins, s->http, s->node, x, scope->session);
	const struct scope *has = login ? signin_scope(login) : NULL;

	if (has && scope_sees(has, scope->owner, scope->session) && has->act >= scope->act)
		return login;
	login = signins_add(s->logins, scope, LINK_LOGIN_TIME);
	cookies_set(x, s->http, s->node, login);
	return login;
}

static void site_post_link(struct http_exchange *x, const char *id, void *data)
{
	struct site *s = data;
	_cleanup_(str_done) struct str address = {};
	struct scope scope;

	if (site_is_elsewhere(s, x, id))
		return;
	if (!links_use(s->links, id, &scope)) {
		mcp_site_refuse(x, 404, "This link is no longer valid: ask for a new one");
		return;
	}
	http_set_trusted(x, true);
	append_session_address(s, scope.session, &address);
	answer_login(x, signin_by_link(s, x, &scope), address.data);
}

static void site_get_link(struct http_exchange *x, const char *id, void *data)
{
	files_answer(x, "link.html");
}

static int site_view_link(struct task *t, struct site *s, uint64_t owner, const char *id, const struct view_link_wish *wish,
			  struct str *url, int64_t *ret_expires_at)
{
	struct scope scope = { .owner = owner, .act = wish->act };
	char link[LINK_ID_SIZE];
	int r = registry_knows(t, s->app->registry, owner, id);

	if (r < 0)
		return r;
	snprintf(scope.session, sizeof(scope.session), "%s", id);
	if (!links_add(s->links, &scope, wish->valid, wish->once, link))
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"too many links are valid, of which each owner may have %u: wait until one was used or has expired",
			LIMIT_LINKS_OWNER_COUNT);
	mcp_site_append_origin(s->http, url);
	str_appendf(url, PATH "/l/%s", link);
	*ret_expires_at = unix_of(clock_now() + wish->valid);
	return 0;
}

/* ---- viewers ---- */

static void view_text(struct http_socket *socket, char *text, size_t len, void *data)
{
	viewer_text(((struct view *)data)->viewer, text, len);
}

static void view_drained(struct http_socket *socket, void *data)
{
	viewer_drained(((struct view *)data)->viewer);
}

static void view_gone(struct http_socket *socket, void *data)
{
	struct view *v = data;
	struct signin *login = v->login;

	viewer_free(v->viewer);
	LIST_REMOVE(v, link);
	v->site->count--;
	if (v->alone && login)
		signin_end(login);
	free(v);
}

static const struct http_socket_handler view_handler = { .text = view_text, .drained = view_drained, .gone = view_gone };

static bool guard_views(const struct site *s, struct http_exchange *x, uint64_t owner)
{
	const struct view *v;
	unsigned own = 0;

	LIST_FOREACH(v, &s->views, link)
		own += v->owner == owner;
	if (own < LIMIT_VIEWS_OWNER_COUNT && s->count < LIMIT_VIEWS_COUNT)
		return true;
	http_add_fields(x, "Retry-After: 10\r\n");
	mcp_site_refuse(x, own < LIMIT_VIEWS_OWNER_COUNT ? 503 : 429, "%u views are open, which is the limit: close one",
			own < LIMIT_VIEWS_OWNER_COUNT ? s->count : own);
	return false;
}

static void view_begin(struct site *s, struct http_exchange *x, struct signin *login, bool alone)
{
	struct view *v = NEW(struct view);

	*v = (struct view){ .site = s, .login = login, .owner = signin_scope(login)->owner, .alone = alone };
	v->socket = http_socket_accept(x, &view_handler, v);
	if (!v->socket) {
		if (alone)
			signin_end(login);
		free(v);
		return;
	}
	LIST_INSERT_HEAD(&s->views, v, link);
	s->count++;
	v->viewer = viewer_new(s->viewers, signin_scope(login), v->socket);
}

/* A program sends its token with the request; the page of a browser has a cookie. */
static void site_get_socket(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;
	struct signin *login;
	bool alone = http_field(x, "authorization");

	if (site_is_elsewhere(s, x, NULL))
		return;
	login = alone ? signin_by_token(s, x) : site_login(s, x);
	if (!login) {
		if (!alone)
			mcp_site_refuse(x, 401, "Log in first: POST /view/login");
		return;
	}
	http_set_trusted(x, true);
	if (guard_views(s, x, signin_scope(login)->owner))
		view_begin(s, x, login, alone);
	else if (alone)
		signin_end(login);
}

static void site_login_ended(struct signin *login, void *data)
{
	struct site *s = data;
	struct view *v;

	LIST_FOREACH(v, &s->views, link)
		if (v->login == login) {
			v->login = NULL;
			http_socket_close(v->socket, CODE_LOGGED_OUT, "The login has ended: log in again");
		}
}

/* ---- recordings ---- */

/* NULL: refused and answered. */
static const struct scope *site_recordings_scope(const struct site *s, struct http_exchange *x)
{
	struct signin *login;

	if (site_is_elsewhere(s, x, NULL))
		return NULL;
	login = site_login(s, x);
	if (login) {
		http_set_trusted(x, true);
		return signin_scope(login);
	}
	mcp_site_refuse(x, 401, "Log in first: POST /view/login");
	return NULL;
}

static void site_get_recordings(struct http_exchange *x, const char *rest, void *data)
{
	const struct site *s = data;
	const struct scope *scope = site_recordings_scope(s, x);

	if (scope)
		recorded_get(x, s->recordings, scope, rest);
}

static void site_delete_recording(struct http_exchange *x, const char *key, void *data)
{
	const struct site *s = data;
	const struct scope *scope = site_recordings_scope(s, x);

	if (scope)
		recorded_delete(x, s->recordings, scope, key);
}

/* ---- the site ---- */

static void site_get_page(struct http_exchange *x, const char *rest, void *data)
{
	files_answer(x, "index.html");
}

static void site_get_file(struct http_exchange *x, const char *name, void *data)
{
	files_answer(x, name);
}

static const struct mcp_site_route site_routes[] = {
	{ "GET", "", .document = true, .answer = site_get_page },
	{ "GET", "l", .below = true, .document = true, .answer = site_get_link },
	{ "POST", "l", .below = true, .answer = site_post_link },
	{ "GET", "me", .answer = site_get_me },
	{ "POST", "login", .answer = site_post_login },
	{ "POST", "logout", .answer = site_post_logout },
	{ "GET", "recordings", .below = true, .answer = site_get_recordings },
	{ "HEAD", "recordings", .below = true, .answer = site_get_recordings },
	{ "DELETE", "recordings", .below = true, .answer = site_delete_recording },
	{ "GET", "socket", .socket = true, .answer = site_get_socket },
	{ "GET", "", .below = true, .answer = site_get_file },
	{},
};

struct site *site_new(struct loop *l, struct app *app, const struct calls *calls, struct recordings *recordings, const char *node)
{
	struct site *s = NEW(struct site);

	s->app = app;
	s->recordings = recordings;
	s->node = node;
	s->site = (struct mcp_site){ .path = PATH, .fields = FILES_FIELDS, .routes = site_routes, .data = s };
	s->logins = signins_new(l, node, site_login_ended, s);
	s->links = links_new(node);
	s->viewers = viewers_new(l, app, calls);
	LIST_INIT(&s->views);
	app->site = s;
	app->view_link = site_view_link;
	return s;
}

struct site *site_free(struct site *s)
{
	if (!s)
		return NULL;
	s->app->view_link = NULL;
	s->app->site = NULL;
	signins_free(s->logins);
	links_free(s->links);
	viewers_free(s->viewers);
	free(s);
	return NULL;
}

const struct mcp_site *site_of_http(const struct site *s)
{
	return &s->site;
}

void site_set_http(struct site *s, struct mcp_http *h)
{
	s->http = h;
}

unsigned site_views(const struct site *s)
{
	return s->count;
}
