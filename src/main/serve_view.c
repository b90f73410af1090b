#include "main/serve_view.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/random.h"
#include "people/site.h"

struct serve_view {
	struct site *site;
	/* Over stdin and stdout. */
	struct mcp_http *http;
	struct mcp_http_options options;
	struct mcp_http_services services;
	char token[RANDOM_NAME_SIZE];
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

void serve_view_begin(struct serve *s)
{
	if (!s->view)
		return;
	site_set_http(s->view->site, s->http);
	if (log_is_json())
		log_notice("Live view at %s/view", mcp_http_origin(s->http));
	else
		fprintf(stderr, "People can look at the sessions at %s/view\n", mcp_http_origin(s->http));
}

/* The address is for whoever reads the log of this process, who could read its memory as well. */
static void serve_view_announce(const struct serve_view *v)
{
	log_notice("Live view at %s/view#token=%s", mcp_http_origin(v->http), v->token);
}

int serve_view_start(struct serve *s, const struct options *o)
{
	struct serve_view *v;
	const char *why;
	int r;

	if (o->view_port < 0)
		return 0;
	s->view = v = serve_view_new(s, NULL);
	random_name(v->token);
	v->options = (struct mcp_http_options){
		.host = "127.0.0.1",
		.port = o->view_port,
		.site_only = true,
		.token = v->token,
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
	explicit_bzero(v->token, sizeof(v->token));
	free(v);
}
