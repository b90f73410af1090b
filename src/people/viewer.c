#include "people/viewer.h"

#include <stdlib.h>

struct viewers {
	struct app *app;
};

struct viewer {
	struct viewers *all;
	struct scope scope;
	struct http_socket *socket;
};

struct viewers *viewers_new(struct loop *l, struct app *app, const struct calls *calls)
{
	struct viewers *all = NEW(struct viewers);

	all->app = app;
	return all;
}

struct viewers *viewers_free(struct viewers *v)
{
	free(v);
	return NULL;
}

static void viewer_send_hello(struct viewer *v)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{type: 'hello', act: ?}", v->scope.act);
	http_socket_text(v->socket, out.data, out.len);
}

static void viewer_send_cards(struct viewer *v)
{
	_cleanup_(str_done) struct str out = {};
	const struct session *s = NULL;
	uint64_t owner;
	bool first = true;

	str_append(&out, "{\"type\":\"cards\",\"cards\":[");
	while ((s = scope_next(&v->scope, v->all->app->registry, s, &owner))) {
		str_json(&out, "?{id: ?}", JSON_COMMA(!first), session_id(s));
		first = false;
	}
	str_append(&out, "]}");
	http_socket_text(v->socket, out.data, out.len);
}

struct viewer *viewer_new(struct viewers *all, const struct scope *scope, struct http_socket *socket)
{
	struct viewer *v = NEW(struct viewer);

	*v = (struct viewer){ .all = all, .scope = *scope, .socket = socket };
	viewer_send_hello(v);
	return v;
}

void viewer_text(struct viewer *v, char *text, size_t len)
{
	viewer_send_cards(v);
}

void viewer_drained(struct viewer *v)
{
}

void viewer_free(struct viewer *v)
{
	free(v);
}
