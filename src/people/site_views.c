/* Viewers, each with its WebSocket. */
#include "people/site_internal.h"

#include <stdlib.h>

#include "base/limits.h"

#define CODE_LOGGED_OUT 4001 /* of closing a viewer's WebSocket */

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

static bool guard_views(const struct site *s, struct http_exchange *x, const struct signin *login)
{
	const struct view *v;
	unsigned of_owner = 0, of_login = 0;
	bool full;

	LIST_FOREACH(v, &s->views, link) {
		of_owner += v->owner == signin_scope(login)->owner;
		of_login += v->login == login;
	}
	full = of_login >= LIMIT_VIEWS_LOGIN_COUNT || of_owner >= LIMIT_VIEWS_OWNER_COUNT;
	if (!full && s->count < LIMIT_VIEWS_COUNT)
		return true;
	http_add_fields(x, "Retry-After: 10\r\n");
	mcp_site_refuse(x, full ? 429 : 503, "too many views are open (%u by this login, %u of its owner, %u of all): close one",
			of_login, of_owner, s->count);
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
void site_get_socket(struct http_exchange *x, const char *rest, void *data)
{
	struct site *s = data;
	struct signin *login;
	bool alone = http_field(x, "authorization");

	if (!alone)
		login = site_need_login(s, x);
	else
		login = site_is_elsewhere(s, x, NULL) ? NULL : site_login_by_token(s, x);
	if (!login)
		return;
	http_set_trusted(x, true);
	if (guard_views(s, x, login))
		view_begin(s, x, login, alone);
	else if (alone)
		signin_end(login);
}

void site_login_ended(struct signin *login, void *data)
{
	struct site *s = data;
	struct view *v;

	LIST_FOREACH(v, &s->views, link)
		if (v->login == login) {
			v->login = NULL;
			http_socket_close(v->socket, CODE_LOGGED_OUT, "The login has ended: log in again");
		}
}
