/* Declarations shared by the HTTP transport's files, http*.c. */
#pragma once

#include <sys/queue.h>

#include "auth/known_tokens.h"
#include "base/limits.h"
#include "base/node.h"
#include "base/random.h"
#include "mcp/connection.h"
#include "mcp/http.h"

#define SESSION_NOT_FOUND "Session not found"
#define TYPE_JSON "application/json"
#define TYPE_EVENTS "text/event-stream"

#define MCP_SESSION_ID_SIZE (NODE_NAME_SIZE + RANDOM_NAME_SIZE)

struct http_session;

/* The requests of one client in the current minute. */
struct http_rate {
	usec_t since;
	unsigned count;
};

struct http_peer {
	char name[46]; /* its address, or its user */
	struct http_rate calls, sessions;
};

/* What an owner has here. */
struct http_owner {
	uint64_t number;
	unsigned sessions;
	size_t event_bytes; /* total of its sessions */
};

struct mcp_http {
	const struct mcp_server *server;
	const struct mcp_http_options *options;
	const struct mcp_http_services *services;
	struct http_server *http;
	const struct mcp_transport *session_transport; /* of the connections of sessions */
	TAILQ_HEAD(, http_session) sessions;
	void *sessions_by_id; /* tsearch() tree of their ids */
	TAILQ_HEAD(, http_post) posts;
	unsigned session_count, post_count;
	unsigned answered_count; /* posts whose calls are tasks: they are not requests that run */
	size_t event_bytes;      /* total of all sessions */
	uint64_t last_owner;
	void *owners;                                     /* tsearch() tree of struct http_owner: those that have sessions */
	TAILQ_HEAD(http_subjects, http_subject) subjects; /* http_owner.c */
	void *subjects_by_name;                           /* tsearch() tree of their names */
	unsigned subject_count;
	struct known_tokens *known_tokens;              /* the issuer's verified tokens; NULL: no issuer */
	struct str origin, url;                         /* where the server listens; URL of /mcp for clients */
	struct http_peer peers[LIMIT_HTTP_PEERS_COUNT]; /* a ring */
	unsigned next_peer;
	usec_t drains_until;                  /* 0: not draining */
	TAILQ_HEAD(, resumption) resumptions; /* http_resume.c */
	unsigned resuming;                    /* requests that wait for one */
	bool closing;
	void (*drained)(void *data);
	void *drained_data;
};

/* ---- http_stream.c: server-sent events, and their replay after a reconnect ---- */

/*
 * A sequence of events. It may outlive the connection that carries it and continue on another; one connection carries
 * it at a time.
 *
 * Stream and exchange point to each other: `x` here, http_data() there. Only http_stream.c sets and clears them,
 * always both together, so that neither is left dangling.
 */
struct http_stream {
	struct http_session *session; /* keeps the events for replay; NULL: no replay */
	struct http_exchange *x;      /* the exchange that carries the stream or waits for it to open; NULL: no reader now */
	unsigned id;                  /* unique in its session */
	unsigned last_event;
	bool open;                           /* the response has begun */
	void (*gone)(struct http_stream *s); /* called when the client of `x` has disconnected; `x` is NULL by then */
	struct timer *keep_alive;
};

struct http_event {
	TAILQ_ENTRY(http_event) link;
	unsigned stream, number;
	size_t len;
	char text[]; /* the bytes as sent */
};

void stream_init(struct http_stream *s, struct loop *l, struct http_session *session, unsigned id);
void stream_done(struct http_stream *s);
/*
 * Makes `x`, which has no response yet, the first carrier of the stream, unless it is detached and answered
 * otherwise.
 */
void stream_expect(struct http_stream *s, struct http_exchange *x);
/* The exchange passed to stream_expect(), while the stream is not open and the client is connected; else NULL. */
struct http_exchange *stream_expecting(const struct http_stream *s);
/* Separates the stream from its exchange and returns that (or NULL); the caller must answer it. */
struct http_exchange *stream_detach(struct http_stream *s);
/* To be called when the client of an exchange has disconnected, whether or not `x` carries a stream. */
void stream_reader_gone(struct http_exchange *x);
/* Opens the stream on the exchange that waits for it, if there is one. */
void stream_begin(struct http_stream *s);
/* Answers `x` with the stream; ends the exchange that carried it before. */
void stream_open(struct http_stream *s, struct http_exchange *x);
/* The same, but first replays the stored events after event number `after`. */
void stream_resume(struct http_stream *s, struct http_exchange *x, unsigned after);
/* Sends one message; it is lost if the stream was never opened. */
void stream_send(struct http_stream *s, const char *text, size_t len);
/* Sends an event without an id. */
void stream_send_plain(struct http_stream *s, const char *event, const char *data, size_t len);
/* Ends the current response; the stream may be opened again. */
void stream_close(struct http_stream *s);
void stream_forget_oldest(struct http_session *s);

/* ---- http_session.c ---- */

struct http_session {
	TAILQ_ENTRY(http_session) link;
	struct mcp_http *http;
	char id[MCP_SESSION_ID_SIZE];
	struct mcp_conn *conn;
	struct http_owner *owner;
	bool old; /* HTTP+SSE: one stream carries everything, and the session ends with it */
	bool ended;
	bool resumed;              /* it began on another server: events of its streams may be asked for that were sent there */
	unsigned posts;            /* being handled */
	struct http_stream stream; /* messages that belong to no request */
	unsigned last_stream;
	struct http_rate calls;
	struct timer *idle;
	struct timer *ping; /* of the next ping, or the end of the wait for an answer */
	unsigned pings;     /* sent so far */
	bool calls_tools;   /* the client has called a tool */
	bool awaits_answer; /* to a ping */
	struct ready free_ready;
	TAILQ_HEAD(http_events, http_event) events; /* the most recent events of all streams */
	size_t event_bytes;
};

/* Creates a session for `x`. NULL: there are too many, and `x` has been answered. */
struct http_session *session_new(struct mcp_http *h, struct http_exchange *x, bool old);
/* Adds a session with that id (NULL: a new one). */
struct http_session *session_add(struct mcp_http *h, const char *id, struct mcp_owner owner, bool old);
/* The session with that id, whatever its owner, and also if it has ended but is not freed yet; NULL: there is none. */
struct http_session *session_by_id(const struct mcp_http *h, const char *id);
/* GET /sse: creates a session and answers with its stream. */
void session_open_old(struct mcp_http *h, struct http_exchange *x);
/* The session with that id if the sender of `x` may use it; else NULL, also for `id` NULL. */
struct http_session *session_find(struct mcp_http *h, const struct http_exchange *x, const char *id);
/* Answers a request for a session that session_find() does not know. `advice`: what its client can do, a half sentence. */
void session_refuse_unknown(struct mcp_http *h, struct http_exchange *x, const char *id, const char *advice);
/* Cancels its calls, which still respond, and then frees the session. */
void session_end(struct http_session *s, const char *why);
/* To be called when a request or stream starts or ends: restarts the idle time-out. */
void session_update(struct http_session *s);
/* To be called for what a client sends. `calls`: it calls a tool. `answers_ping`: a response has an id that begins with PING_ID. */
#define PING_ID "ping-"
void session_heard(struct http_session *s, bool calls, bool answers_ping);
/* GET of the session's stream, or (Last-Event-ID) the rest of one that was interrupted. */
void session_get(struct http_session *s, struct http_exchange *x);

/* ---- http_post.c ---- */

/* A POST with a message or batch, and the stream of the messages about it. */
struct http_post {
	TAILQ_ENTRY(http_post) link;
	struct mcp_http *http;
	struct http_session *session; /* NULL: a request without a session */
	struct mcp_conn *conn;        /* the session's connection, or the POST's own */
	struct http_stream stream;    /* until it opens, the exchange may be answered with JSON instead */
	bool request;                 /* it contains a request, so a response is due */
	bool batch;
	bool answered; /* its call is a task, which the POST outlives its exchange with */
	unsigned refs;
	int status;
	struct str answer;        /* the response, if it may be sent as JSON; empty: none yet */
	struct timer *json_timer; /* when it fires, the response becomes a stream */
	struct ready done_ready;
};

/* How connections send: those of sessions, and those of requests without a session. */
extern const struct mcp_transport http_session_transport, http_post_transport;

/* Handles a POST to /mcp whose body is complete. */
void post_take(struct mcp_http *h, struct http_exchange *x);
/* post_take() with a body that was copied, because that of `x` is gone when `x` is not answered at once. */
void post_take_text(struct mcp_http *h, struct http_exchange *x, const char *text, size_t len);
/* Handles a POST to /sse or /message: its responses go over the session's stream. */
void post_take_old(struct mcp_http *h, struct http_exchange *x);
/* Cancels a POST without a session. */
void post_cancel(struct http_post *p);

/* ---- http_state.c ---- */

/* The POST of this session whose stream has this id, or NULL. */
struct http_post *post_find(const struct http_session *s, unsigned stream);
void http_drained(struct mcp_http *h); /* to be called after a session or POST was freed */

/* ---- http_owner.c: the owner of browser sessions, from the token of a request ---- */

struct mcp_owner http_owner_of_session(struct mcp_http *h, const struct http_exchange *x);
/* For a request without a session. */
struct mcp_owner http_owner_of_request(struct mcp_http *h, const struct http_exchange *x);
/* Whether the sender of `x` may use the session. */
bool http_owns(struct mcp_http *h, const struct http_exchange *x, const struct http_session *s);
void http_forget_owners(struct mcp_http *h);
/* What the owner with this number has; NULL: it has no session. */
struct http_owner *http_find_owner(struct mcp_http *h, uint64_t number);
/* A session begins, and ends. */
struct http_owner *http_owner_enter(struct mcp_http *h, uint64_t number);
void http_owner_leave(struct mcp_http *h, struct http_owner *o);

struct http_subject;
const struct http_subject *http_subject_of(const struct mcp_http *h, uint64_t number); /* NULL: the number is no subject's */
const char *http_subject_name(const struct http_subject *s);
/* The subject of a request that passed guard_token(); NULL: the server has no tokens, and each client is an owner. */
const char *http_subject_of_request(const struct mcp_http *h, const struct http_exchange *x);
struct mcp_owner http_owner_of_subject(struct mcp_http *h, const char *name);
struct mcp_owner http_owner_alone(struct mcp_http *h); /* a client of which nothing is known */

/* ---- http_resume.c: sessions that another server has saved ---- */

/* Whether the request waits for such a session. `handle` is called with it later, unless it is a POST, which post_take_text() takes. */
bool resume_awaits(struct mcp_http *h, struct http_exchange *x, void (*handle)(struct mcp_http *h, struct http_exchange *x));
/* How many requests of that token's subject wait; 0 for NULL. */
unsigned resume_waiting(const struct mcp_http *h, const char *user);
/* The client of `x` has disconnected, whether or not it waits. */
void resume_forget(struct mcp_http *h, const struct http_exchange *x);
void resume_cancel_all(struct mcp_http *h);

/* ---- http_site.c ---- */

/* Checks a request for the site when its head is complete, and may refuse it. */
void site_guard(const struct mcp_http *h, struct http_exchange *x);
void site_answer(struct mcp_http *h, struct http_exchange *x);

/* ---- http_modern.c: header fields that must match the message ---- */

bool modern_admit(struct request *q);

/* ---- http_auth.c: tokens and their rights. False: the request was refused and answered ---- */

bool guard_token(const struct mcp_http *h, struct http_exchange *x);
/* `ret_until`: Unix seconds at which the token expires; 0: never. */
bool guard_token_until(const struct mcp_http *h, struct http_exchange *x, int64_t *ret_until);
/* The token of a request, borrowed; NULL: it has none. */
const char *auth_token(const struct http_exchange *x);
/* The rights of this request's sender: bits of enum mcp_right. */
unsigned auth_rights(const struct http_exchange *x);
/* Adds a WWW-Authenticate header to the coming response: the token lacks the scope that the message needs. */
void auth_challenge_right(const struct mcp_http *h, struct http_exchange *x);
/* GET of the protected resource metadata (RFC 9728). */
void auth_describe(struct mcp_http *h, struct http_exchange *x);

/* ---- http_guard.c: checks of requests. False: the request was refused and answered ---- */

bool guard_names(const struct mcp_http *h, struct http_exchange *x);
bool guard_addressee(const struct mcp_http *h, struct http_exchange *x); /* the part of guard_names() that checks Host */
bool guard_json(struct http_exchange *x);                                /* its Content-Type */
bool guard_post(struct http_exchange *x);                                /* its Content-Type and Accept */
bool guard_accepts_events(struct http_exchange *x);
/* Counts `n` calls against the rate limit of the session (NULL: of the peer of `x`). */
bool guard_calls(struct mcp_http *h, struct http_session *s, struct http_exchange *x, unsigned n);
/* Another request: there is room for it, and for this owner's, of whose requests `waiting` wait for a session. */
bool guard_load(struct mcp_http *h, struct http_exchange *x, unsigned waiting);
bool guard_new_session(struct mcp_http *h, struct http_exchange *x);
/* While the server drains, a request without an MCP session must name a browser session (`id`; NULL: it names none). */
bool guard_drain(struct mcp_http *h, struct http_exchange *x, const char *id);
/* Whether the request is for the site, whose pages read refusals in their own form. */
bool guard_is_of_site(const struct mcp_http *h, const struct http_exchange *x);
/* Answers a request for MCP as http_refuse() does, and one for the site with {error}. */
void guard_refuse(const struct mcp_http *h, struct http_exchange *x, int status, int code, const char *fmt, ...) _printf_(5, 6);
/* Answers with plain text, as @playwright/mcp does. */
void http_refuse_in_words(struct http_exchange *x, int status, const char *words);
/* Answers with a JSON-RPC error that belongs to no request. */
void http_refuse(struct http_exchange *x, int status, int code, const char *fmt, ...) _printf_(4, 5);
