#include "main/serve_view.h"

#include <string.h>

#include "base/log.h"
#include "people/site.h"

struct serve_view {
	struct site *site;
	/* Over stdin and stdout. */
	struct mcp_http *http;
	struct mcp_http_options options;
	struct mcp_http_services services;
};

static struct serve_view *serve_view_new(struct serve *s, const char *node)
{
	struct serve_view *v = NEW(struct serve_view);

	v->site = site_new(s->loop, &s->app, s->calls, s->recordings, node);
	return v;
}

void serve_view_prepare(struct serve *s, const struct options *o)
{
	if (o->no_view)
		return;
	s->view = serve_view_new(s, o->http.node);
	s->http_services.site = site_of_http(s->view->site);
}

/* The address may have a secret. It is for whoever reads the log of this process, who could read its memory as well. */
static void serve_view_announce(const struct serve_view *v)
{
	_cleanup_(str_done) struct str address = {};

	site_append_address(v->site, &address);
	log_notice("People can look at the sessions at %s", address.data);
}

void serve_view_begin(struct serve *s)
{
	if (!s->view)
		return;
	site_set_http(s->view->site, s->http);
	serve_view_announce(s->view);
}

int serve_view_start(struct serve *s, const struct options *o)
{
	struct serve_view *v;
	const char *why;
	int r;

	if (o->view_port < 0)
		return 0;
	s->view = v = serve_view_new(s, NULL);
	v->options = (struct mcp_http_options){
		.host = "127.0.0.1",
		.port = o->view_port,
		.site_only = true,
		.limits = o->http.limits,
		.names = o->http.names,
	};
	v->services.site = site_of_http(v->site);
	r = mcp_http_new(&s->mcp, &v->options, &v->services, &v->http, &why);
	if (r < 0) {
		log_error("--view-port: cannot listen on %s port %d: %s", v->options.host, o->view_port, why ? why : strerror(-r));
		return r;
	}
	site_set_http(v->site, v->http);
	serve_view_announce(v);
	return 0;
}

void serve_view_free(struct serve *s)
{
	struct serve_view *v = TAKE_PTR(s->view);

	if (!v)
		return;
	mcp_http_free(v->http);
	site_free(v->site);
	free(v);
}
