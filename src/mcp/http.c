#include "mcp/http.h"

#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "loop/listener.h"
#include "mcp/call.h"
#include "mcp/http_parts.h"
#include "mcp/resources.h"
#include "mcp/tasks.h"

#define ALLOWED_HEADERS \
	"Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id"

/* ---- routes ---- */

static void refuse_without_session(struct mcp_http *h, struct http_exchange *x, const char *why)
{
	if (h->options->short_words)
		http_refuse_in_words(x, 400, "Invalid request");
	else
		http_refuse(x, 400, RPC_INVALID_REQUEST, "Mcp-Session-Id is missing: %s", why);
}

static void get_mcp(struct mcp_http *h, struct http_exchange *x)
{
	const char *id = http_field(x, "mcp-session-id");
	struct http_session *s = session_find(h, x, id);

	if (!id)
		refuse_without_session(h, x, "there is no stream without a session, send \"initialize\" first");
	else if (!s || s->old)
		session_refuse_unknown(h, x, id, "send \"initialize\" again");
	else if (guard_accepts_events(x))
		session_get(s, x);
}

static void delete_mcp(struct mcp_http *h, struct http_exchange *x)
{
	const char *id = http_field(x, "mcp-session-id");
	struct http_session *s = session_find(h, x, id);

	if (!id) {
		refuse_without_session(h, x, "it names the session to end");
	} else if (!s) {
		session_refuse_unknown(h, x, id, "there is nothing to end");
	} else {
		session_end(s, "the client asked for it");
		http_answer(x, 204, NULL, "", 0);
	}
}

static void answer_report(struct mcp_http *h, struct http_exchange *x, const char *type,
			  void (*report)(struct str *out, void *data))
{
	_cleanup_(str_done) struct str out = {};

	if (report)
		report(&out, h->services->report_data);
	http_answer(x, report ? 200 : 404, type, str_text(&out), out.len);
}

static bool is_on_loopback(const struct mcp_http *h)
{
	return host_is_loopback(h->options->host, strlen(h->options->host));
}

/*
 * Health checks of load balancers come from other machines without a token: they get a short response without
 * details.
 */
static bool is_short_health(const struct mcp_http *h, struct http_exchange *x)
{
	return !is_on_loopback(h) && !http_field(x, "authorization");
}

static void get_health(struct mcp_http *h, struct http_exchange *x)
{
	static const char in_short[] = "{\"status\":\"ok\"}";

	if (h->options->health && is_short_health(h, x))
		http_answer(x, 200, TYPE_JSON, in_short, strlen(in_short));
	else
		answer_report(h, x, TYPE_JSON, h->options->health ? h->services->health : NULL);
}

static const char *why_not_ready(const struct mcp_http *h, struct str *reason)
{
	if (h->closing || h->drains_until)
		str_append(reason, "draining");
	else if (h->session_count >= h->options->sessions)
		str_append(reason, "full");
	else if (h->services->ready)
		h->services->ready(reason, h->services->report_data);
	return reason->len ? reason->data : NULL;
}

/* For proxies and orchestrators, which send new sessions here while it answers 200. */
static void get_ready(struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(str_done) struct str reason = {}, out = {};
	const char *why = why_not_ready(h, &reason);

	if (why)
		str_json(&out, "{ready: false, reason: ?}", why);
	else
		str_json(&out, "{ready: true}");
	http_answer(x, !h->options->health ? 404 : why ? 503 : 200, TYPE_JSON, out.data, h->options->health ? out.len : 0);
}

static void get_metrics(struct mcp_http *h, struct http_exchange *x)
{
	answer_report(h, x, "text/plain; version=0.0.4", h->options->metrics ? h->services->metrics : NULL);
}

static const struct route {
	const char *path, *method;
	bool (*guard)(struct http_exchange *x); /* further check, may be NULL */
	void (*answer)(struct mcp_http *h, struct http_exchange *x);
	bool open;       /* needs no token if only this machine can connect, or for a short response */
	bool light;      /* exempt from the limit of concurrent requests */
	bool public;     /* never needs a token */
	bool in_session; /* Mcp-Session-Id names an MCP session */
	bool below;      /* also matches longer paths below this one */
} route_table[] = {
	{ "/mcp", "POST", guard_post, post_take, .in_session = true },
	{ "/mcp", "GET", NULL, get_mcp, .in_session = true },
	{ "/mcp", "DELETE", NULL, delete_mcp, .light = true, .in_session = true },
	{ "/sse", "GET", NULL, session_open_old },
	{ "/sse", "POST", guard_json, post_take_old },
	{ "/message", "POST", guard_json, post_take_old },
	{ "/health", "GET", NULL, get_health, .open = true, .light = true },
	{ "/ready", "GET", NULL, get_ready, .light = true, .public = true },
	{ "/metrics", "GET", NULL, get_metrics, .light = true },
	{ "/.well-known/oauth-protected-resource", "GET", NULL, auth_describe, .light = true, .public = true, .below = true },
};

/* A slash at the end changes nothing. */
static bool is_at(const struct route *route, const char *path)
{
	size_t len = strlen(route->path);

	if (strncmp(route->path, path, len) != 0)
		return false;
	return !path[len] || (path[len] == '/' && (route->below || !path[len + 1]));
}

static bool is_known(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(route_table); i++)
		if (is_at(&route_table[i], path))
			return true;
	return false;
}

/* The path of a request as the table of routes has it. */
static const char *http_path_of(const struct mcp_http *h, const struct http_exchange *x)
{
	return h->options->any_path && !is_known(http_path(x)) ? "/mcp" : http_path(x);
}

static const struct route *http_find_route(const struct mcp_http *h, const struct http_exchange *x)
{
	if (h->options->site_only)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(route_table); i++)
		if (is_at(&route_table[i], http_path_of(h, x)) && !strcmp(route_table[i].method, http_method(x)))
			return &route_table[i];
	return NULL;
}

/* Appends the methods of a path, comma-separated; false: no such path. */
static bool list_methods(const char *path, struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(route_table); i++)
		if (is_at(&route_table[i], path))
			str_appendf(out, "%s%s", out->len ? ", " : "", route_table[i].method);
	return out->len > 0;
}

/* ---- requests ---- */

static void allow_origin(struct http_exchange *x)
{
	const char *origin = http_field(x, "origin");
	_cleanup_(str_done) struct str fields = {};

	if (!origin)
		return;
	str_appendf(&fields,
		    "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n"
		    "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate\r\n",
		    origin);
	http_add_fields(x, fields.data);
}

static void answer_preflight(struct http_exchange *x, const char *methods)
{
	_cleanup_(str_done) struct str fields = {};

	str_appendf(&fields,
		    "Access-Control-Allow-Methods: %s\r\nAccess-Control-Allow-Headers: " ALLOWED_HEADERS "\r\n"
		    "Access-Control-Max-Age: 600\r\n",
		    methods);
	http_add_fields(x, fields.data);
	http_answer(x, 204, NULL, "", 0);
}

static bool needs_no_token(const struct mcp_http *h, const struct route *route, struct http_exchange *x)
{
	return route->public || (route->open && (is_on_loopback(h) || is_short_health(h, x)));
}

/* Refuses requests without a route; answers preflight requests, which browsers send without a token. */
static bool guard_route(const struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(str_done) struct str methods = {}, field = {};
	const struct route *route = http_find_route(h, x);
	bool known = route || (!h->options->site_only && list_methods(http_path_of(h, x), &methods));

	if (known && !strcmp(http_method(x), "OPTIONS")) {
		answer_preflight(x, methods.data);
		return false;
	}
	if (!(route && needs_no_token(h, route, x)) && !guard_token(h, x))
		return false;
	if (route)
		return true;
	if (!known) {
		http_refuse(x, 404, RPC_INVALID_REQUEST,
			    h->options->site_only ? "No such path: this port has the live view alone, at /view" :
						    "No such path: MCP is at /mcp");
		return false;
	}
	str_appendf(&field, "Allow: %s\r\n", methods.data);
	http_add_fields(x, field.data);
	http_refuse(x, 405, RPC_INVALID_REQUEST, "This path allows %s", methods.data);
	return false;
}

static void on_head(struct http_exchange *x, void *data)
{
	struct mcp_http *h = data;
	const struct route *route;

	if (guard_is_of_site(h, x)) {
		site_guard(h, x);
		return;
	}
	if (!guard_names(h, x))
		return;
	allow_origin(x);
	if (!guard_route(h, x))
		return;
	route = http_find_route(h, x);
	if ((route->light || guard_load(h, x, resume_waiting(h, http_user(x)))) && route->guard)
		route->guard(x);
}

static void handle(struct mcp_http *h, struct http_exchange *x)
{
	http_find_route(h, x)->answer(h, x);
}

static void http_on_request(struct http_exchange *x, void *data)
{
	if (guard_is_of_site(data, x))
		site_answer(data, x);
	else if (!http_find_route(data, x)->in_session || !resume_awaits(data, x, handle))
		handle(data, x);
}

static void on_gone(struct http_exchange *x, void *data)
{
	if (guard_is_of_site(data, x))
		return; /* its requests are answered at once */
	resume_forget(data, x);
	stream_reader_gone(x);
}

static const struct http_handler handler = { on_head, http_on_request, on_gone };

/* ---- the server ---- */

/* Replaces a wildcard address, which clients cannot connect to, by loopback, and loopback by its name where only that is served. */
static const char *connectable_host(const struct mcp_http_options *o)
{
	if (o->own_name_only && host_is_loopback(o->host, strlen(o->host)))
		return "localhost";
	return !strcmp(o->host, "0.0.0.0") || !strcmp(o->host, "::") ? "localhost" : o->host;
}

static void make_urls(struct mcp_http *h)
{
	const char *host = connectable_host(h->options);

	str_appendf(&h->origin, strchr(host, ':') ? "%s://[%s]:%d" : "%s://%s:%d", h->services->tls ? "https" : "http", host,
		    http_server_port(h->http));
	if (h->options->public_url)
		str_append(&h->url, h->options->public_url);
	else
		str_appendf(&h->url, "%s/mcp", h->origin.data);
}

int mcp_http_new(const struct mcp_server *server, const struct mcp_http_options *options, const struct mcp_http_services *services,
		 struct mcp_http **ret, const char **ret_error)
{
	const struct listen_address address = { options->host, options->port, options->sockets };
	_cleanup_(mcp_http_freep) struct mcp_http *h = NEW(struct mcp_http);
	int r;

	h->server = server;
	h->options = options;
	h->services = services;
	h->session_transport = &http_session_transport;
	h->known_tokens = options->issuer ? known_tokens_new() : NULL;
	TAILQ_INIT(&h->sessions);
	TAILQ_INIT(&h->posts);
	TAILQ_INIT(&h->resumptions);
	TAILQ_INIT(&h->subjects);
	r = http_server_new(server->loop, &address, services->tls, &options->limits, &handler, h, &h->http, ret_error);
	if (r < 0)
		return r;
	make_urls(h);
	*ret = TAKE_PTR(h);
	return 0;
}

const char *mcp_http_origin(const struct mcp_http *h)
{
	return h->origin.data;
}

const char *mcp_http_url(const struct mcp_http *h)
{
	return h->url.data;
}

struct mcp_http_counts mcp_http_counts(const struct mcp_http *h)
{
	return (struct mcp_http_counts){
		.sessions = h->session_count,
		.requests = h->post_count - h->answered_count,
		.connections = http_server_connections(h->http),
		.calls = call_count(),
		.sessions_max = h->options->sessions,
		.tasks = mcp_task_counts(h->server),
		.answers = http_server_answers(h->http),
	};
}

void mcp_http_drain(struct mcp_http *h, usec_t until)
{
	struct http_session *s;
	struct http_post *p, *next;

	h->drains_until = until;
	TAILQ_FOREACH(s, &h->sessions, link)
		if (!s->ended)
			logging_tell(s->conn, LOG_WARNING, "This server is about to end: it serves this session as long as it can");
	for (p = TAILQ_FIRST(&h->posts); p; p = next) { /* a listener finds another server when it listens again */
		next = TAILQ_NEXT(p, link);
		if (!p->session)
			subscriptions_end(p->conn);
	}
}

bool mcp_http_ready(const struct mcp_http *h)
{
	_cleanup_(str_done) struct str reason = {};

	return !why_not_ready(h, &reason);
}

void mcp_http_hand_over(struct mcp_http *h)
{
	http_server_stop(h->http);
}

bool mcp_http_draining(const struct mcp_http *h)
{
	return h->drains_until;
}

void mcp_http_close(struct mcp_http *h, void (*drained)(void *data), void *data)
{
	struct http_session *s;
	struct http_post *p;

	h->closing = true;
	h->drained = drained;
	h->drained_data = data;
	http_server_stop(h->http);
	resume_cancel_all(h);
	TAILQ_FOREACH(s, &h->sessions, link)
		session_end(s, "the server is shutting down");
	TAILQ_FOREACH(p, &h->posts, link)
		if (!p->session)
			post_cancel(p);
	http_drained(h);
}

void mcp_http_flush(struct mcp_http *h, usec_t timeout)
{
	http_server_flush(h->http, timeout);
}

struct mcp_http *mcp_http_free(struct mcp_http *h)
{
	if (!h)
		return NULL;
	http_server_free(h->http);
	mcp_tasks_forget(h->server, NULL);
	http_forget_owners(h);
	known_tokens_free(h->known_tokens);
	str_done(&h->origin);
	str_done(&h->url);
	free(h);
	return NULL;
}
