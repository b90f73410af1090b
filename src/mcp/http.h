/*
 * MCP over HTTP: Streamable HTTP at /mcp, with sessions for the versions that have a handshake and without any state for
 * those that have none, and the older HTTP+SSE at /sse and /message. One server for all of it, on one port.
 *
 * A session is one client: a `struct mcp_conn` of its own, and with it browser sessions of its own. It ends with DELETE,
 * or when it was idle for too long: no request under way and no stream open. A request without a session is a connection
 * that lives as long as the request; all such requests share the sessions that they create by name.
 */
#pragma once

#include "auth/keyset.h"
#include "base/clock.h"
#include "loop/http.h"
#include "mcp/server.h"

struct mcp_http;

struct mcp_http_options {
	const char *host;
	int port; /* 0: any free one */
	struct tls *tls; /* NULL: plain HTTP */
	/*
	 * Comma-separated: names (or name:port) that requests may be for, besides `host` and loopback, and whole origins of web
	 * pages whose requests are taken. NULL: none.
	 */
	const char *const *allowed_hosts;
	/* The address of /mcp as clients know it, "https://tools.example/mcp"; NULL: made of host and port. */
	const char *public_url;
	const char *token; /* that clients must present, NULL: none */
	/*
	 * Whose tokens are taken, too (OAuth 2.1: this is a resource server). NULL: nobody's. `audience` is who they must be
	 * for, NULL: the public address.
	 */
	const char *issuer, *audience;
	struct keyset *keys; /* of the issuer */
	struct http_limits limits;
	unsigned requests; /* under way at a time */
	unsigned sessions;
	unsigned calls_per_minute, sessions_per_minute; /* of one client, 0: any number */
	usec_t session_timeout;
	/* What GET /health (a JSON object) and /metrics (Prometheus' text format) answer; NULL: nothing is there. */
	void (*health)(struct str *out, void *data);
	void (*metrics)(struct str *out, void *data);
	void *report_data;
};

struct mcp_http_counts {
	unsigned sessions, requests, connections; /* at present */
	const uint64_t *answers;                  /* so far, by status: up to HTTP_STATUS_MAX */
};

/* `server` and `options` must outlive it. Negative errno, with `ret_error` as of http_server_new(). */
int mcp_http_new(const struct mcp_server *server, const struct mcp_http_options *options, struct mcp_http **ret,
		 const char **ret_error);
const char *mcp_http_origin(const struct mcp_http *h); /* where it listens: "http://127.0.0.1:8931" */
const char *mcp_http_url(const struct mcp_http *h);    /* of /mcp, that clients are told */
struct mcp_http_counts mcp_http_counts(const struct mcp_http *h);
/*
 * Takes no more requests and cancels every call; when none is left, `drained` is called once (possibly before this
 * returns). Until then calls still answer: cancelled ones with a failure.
 */
void mcp_http_close(struct mcp_http *h, void (*drained)(void *data), void *data);
/* For the end of the process, after `drained`: what was answered still goes out, for at most so long. */
void mcp_http_flush(struct mcp_http *h, usec_t timeout);
/* Only after `drained`. */
struct mcp_http *mcp_http_free(struct mcp_http *h);
DEFINE_FREEP(mcp_http);
