#include "people/site.h"

#include <stdlib.h>
#include <string.h>

#include "people/files.h"
#include "people/recorded.h"
#include "people/site_internal.h"

/* In a fleet the page says in each request of which node it is. */
static void site_get_page(struct http_exchange *x, const char *rest, void *data)
{
	_cleanup_(str_done) struct str field = {};
	struct site *s = data;
	char node[NODE_NAME_SIZE];

	if (!s->node || http_query(x, "node", node, sizeof(node))) {
		files_answer(x, "index.html");
		return;
	}
	str_appendf(&field, "Location: " SITE_PATH "?node=%s\r\n", s->node);
	http_add_fields(x, field.data);
	http_answer(x, 303, NULL, "", 0);
}

static void site_get_file(struct http_exchange *x, const char *name, void *data)
{
	files_answer(x, name);
}

static void site_get_recordings(struct http_exchange *x, const char *rest, void *data)
{
	const struct site *s = data;
	const struct scope *scope = site_scope(s, x);

	if (scope)
		recorded_get(x, s->recordings, scope, rest);
}

static void site_delete_recording(struct http_exchange *x, const char *key, void *data)
{
	const struct site *s = data;
	const struct scope *scope = site_scope(s, x);

	if (scope)
		recorded_delete(x, s->recordings, scope, key);
}

static const struct mcp_site_route site_routes[] = {
	{ "GET", "", .document = true, .answer = site_get_page },
	{ "GET", "l", .below = true, .document = true, .answer = site_get_link },
	{ "POST", "l", .below = true, .answer = site_post_link },
	{ "GET", "me", .answer = site_get_me },
	{ "POST", "login", .answer = site_post_login },
	{ "POST", "logout", .answer = site_post_logout },
	{ "GET", "socket", .socket = true, .answer = site_get_socket },
	{ "GET", "recordings", .below = true, .answer = site_get_recordings },
	{ "HEAD", "recordings", .below = true, .answer = site_get_recordings },
	{ "DELETE", "recordings", .below = true, .answer = site_delete_recording },
	{ "GET", "", .below = true, .answer = site_get_file },
	{},
};

struct site *site_new(struct loop *l, struct app *app, const struct calls *calls, struct recordings *recordings, const char *node)
{
	struct site *s = NEW(struct site);

	s->app = app;
	s->recordings = recordings;
	s->node = node;
	random_name(s->token);
	s->site =
		(struct mcp_site){ .path = SITE_PATH, .token = s->token, .fields = FILES_FIELDS, .routes = site_routes, .data = s };
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
	explicit_bzero(s->token, sizeof(s->token));
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

void site_append_address(const struct site *s, struct str *out)
{
	str_appendf(out, "%s" SITE_PATH, mcp_http_origin(s->http));
	if (mcp_site_has_own_token(s->http))
		str_appendf(out, "#token=%s", s->token);
}

unsigned site_views(const struct site *s)
{
	return s->count;
}
