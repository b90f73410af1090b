/*
 * MCP over HTTP. One server on one port offers Streamable HTTP at /mcp, with sessions for legacy versions and
 * stateless for modern ones, and the older HTTP+SSE at /sse (POST also at /message).
 *
 * An HTTP session is one client with a `struct mcp_conn` and browser sessions of its own. It ends with DELETE, or
 * when it has been idle (no request running, no stream open) for too long. A request without a session has a
 * connection that lives as long as the request; such requests share the browser sessions that they create by name.
 */
#pragma once

#include "auth/keyset.h"
#include "base/clock.h"
#include "loop/http.h"
#include "mcp/http_site.h"
#include "mcp/server.h"

struct mcp_http;

struct mcp_http_options {
	const char *host;
	int port; /* 0: any free port */
	/* Listening sockets that the process inherited (loop/listener.h), whose address `host` and `port` then are; NULL: none. */
	const int *sockets;
	/*
	 * Entries may be comma-separated lists: host names (or name:port) that requests may be addressed to besides
	 * `host` and loopback, and origins of web pages that may send requests. NULL: none.
	 */
	const char *const *allowed_hosts;
	/* The name of this server in its fleet (base/node.h), with which the ids of its sessions begin; NULL: it is in none. */
	const char *node;
	/* The URL of /mcp as seen by clients, "https://tools.example/mcp"; NULL: built from host and port. */
	const char *public_url;
	bool site_only;     /* there is no /mcp, only the site (mcp/http_site.h), whose pages the one client of this server uses */
	bool any_path;      /* /mcp is also at every path that means nothing else */
	bool short_words;   /* a missing session and a foreign Host are refused with the words of playwright-mcp alone */
	bool own_name_only; /* requests must be addressed to localhost:PORT or, if given, to one of `allowed_hosts` */
	bool own_addresses; /* with own_name_only: 127.0.0.1:PORT and [::1]:PORT are names like localhost:PORT */
	bool one_owner;     /* without tokens, all clients are one owner and see each other's browser sessions */
	const char *token;  /* shared token that clients must present; NULL: none */
	/*
	 * The OAuth 2.1 issuer whose tokens are accepted (this server is a resource server); NULL: none. `audience`
	 * is the audience that tokens must name; NULL: the public URL.
	 */
	const char *issuer, *audience;
	struct http_limits limits;
	unsigned requests; /* at the same time */
	unsigned sessions;
	unsigned calls_per_minute, sessions_per_minute; /* per client; 0: unlimited */
	usec_t session_timeout;
	/*
	 * A client that has called a tool and opened its stream is sent pings from then on; if it has not answered one within this time,
	 * its session ends. 0: no pings.
	 */
	usec_t ping_timeout;
	bool health, metrics; /* answer GET /health and /ready, and /metrics */
	struct {
		const char *allowed_hosts, *token, *token_file, *issuer, *requests, *sessions, *calls_per_minute,
			*sessions_per_minute;
	} names; /* what messages call the settings */
};

/* Where MCP sessions are that other servers have saved. */
struct mcp_session_archive {
	/* 1: `ret`, owned by the caller, has at least the `owner` of the session with this id; 0: there is none. Suspends. */
	int (*find)(struct task *t, const char *id, struct json **ret, void *data);
	/*
	 * The session is this server's from now on: 1, and `ret`, owned by the caller, has the members of mcp_http_each_session(); 0:
	 * another one was faster. Suspends.
	 */
	int (*claim)(struct task *t, const char *id, struct json **ret, void *data);
	/* `c` is the connection of a session that was made again from what claim() has returned. */
	void (*resumed)(struct mcp_conn *c, const struct json *saved, void *data);
	void *data;
};

/* What the HTTP server uses besides its settings. */
struct mcp_http_services {
	struct tls *tls;     /* NULL: plain HTTP */
	struct keyset *keys; /* the issuer's; NULL: no issuer */
	/* Append the responses to GET /health (a JSON object) and /metrics (Prometheus text format). */
	void (*health)(struct str *out, void *data);
	void (*metrics)(struct str *out, void *data);
	void *report_data;
	const struct mcp_session_archive *archive; /* NULL: none */
	/* Whether new sessions find a place; else `reason` gets a word for it. NULL: they always do. */
	bool (*ready)(struct str *reason, void *data);
	const struct mcp_site *site; /* NULL: none */
	/* Whether the owner has a browser session with this id, which a request without an MCP session can name. NULL: none has. */
	bool (*has_session)(uint64_t owner, const char *id, void *data);
};

struct mcp_http_counts {
	unsigned sessions, requests, connections, calls; /* now */
	unsigned sessions_max;
	struct mcp_task_counts tasks;
	const uint64_t *answers; /* number of responses so far, by status up to HTTP_STATUS_MAX */
};

/* `server`, `options` and `services` must outlive it. Negative errno, with `ret_error` as of http_server_new(). */
int mcp_http_new(const struct mcp_server *server, const struct mcp_http_options *options, const struct mcp_http_services *services,
		 struct mcp_http **ret, const char **ret_error);
const char *mcp_http_origin(const struct mcp_http *h); /* where the server listens: "http://127.0.0.1:8931" */
const char *mcp_http_url(const struct mcp_http *h);    /* URL of /mcp for clients */
struct mcp_http_counts mcp_http_counts(const struct mcp_http *h);
/*
 * From now on what would begin a session is refused with 503 and Retry-After: `initialize`, and requests without an MCP session that
 * name no browser session. Sessions and their calls go on. Clients that listen for it are told. `until`: when the server will end.
 */
void mcp_http_drain(struct mcp_http *h, usec_t until);
bool mcp_http_draining(const struct mcp_http *h);
bool mcp_http_ready(const struct mcp_http *h); /* what GET /ready answers */
/*
 * From now on no connection and no request is accepted; what is under way goes on. A proxy repeats what it cannot send on another
 * server, which it would not do with a status, because a busy server sends those, too.
 */
void mcp_http_hand_over(struct mcp_http *h);
/*
 * Calls `fn` for each session that another server could go on with; `members`: what is needed for that, as members of JSON object
 * text. The sessions of HTTP+SSE end with their stream.
 */
void mcp_http_each_session(struct mcp_http *h, void (*fn)(const char *id, struct mcp_conn *c, const char *members, void *data),
			   void *data);
bool mcp_http_has_session(const struct mcp_http *h, const char *id);
/* Ends a session that another server goes on with: its browser sessions stay. False: there is none. */
bool mcp_http_end_moved(struct mcp_http *h, const char *id);
/* Appends what the owner with this number is called on all servers of a fleet. False: it has left. */
bool mcp_http_owner_key(const struct mcp_http *h, uint64_t number, struct str *out);
/*
 * Stops accepting requests and cancels every call. `drained` is called once when no call is left, possibly before
 * this returns. Cancelled calls still respond, with a failure.
 */
void mcp_http_close(struct mcp_http *h, void (*drained)(void *data), void *data);
/* At the end of the process, after `drained`: sends the remaining responses for at most `timeout`. */
void mcp_http_flush(struct mcp_http *h, usec_t timeout);
/* Only after `drained`. */
struct mcp_http *mcp_http_free(struct mcp_http *h);
DEFINE_FREEP(mcp_http);
