/* The inside of the HTTP transport, for the files http*.c of this folder. */
#pragma once

#include <sys/queue.h>

#include "auth/known_tokens.h"
#include "base/limits.h"
#include "base/random.h"
#include "mcp/connection.h"
#include "mcp/http.h"

#define TYPE_JSON "application/json"
#define TYPE_EVENTS "text/event-stream"

struct http_session;

/* Requests of one client in the current minute. */
struct http_rate {
	usec_t since;
	unsigned count;
};

struct http_peer {
	char name[46]; /* its address, or which user it is */
	struct http_rate calls, sessions;
};

struct mcp_http {
	const struct mcp_server *server;
	const struct mcp_http_options *options;
	struct http_server *http;
	TAILQ_HEAD(, http_session) sessions;
	TAILQ_HEAD(, http_post) posts;
	unsigned session_count, post_count;
	size_t event_bytes; /* of all sessions */
	uint64_t last_owner;
	TAILQ_HEAD(http_subjects, http_subject) subjects; /* http_owner.c */
	unsigned subject_count;
	struct known_tokens *known_tokens; /* of the issuer; NULL: there is none */
	struct str origin, url; /* where it listens; /mcp, as clients know it */
	struct http_peer peers[LIMIT_HTTP_PEERS_COUNT]; /* a ring */
	unsigned next_peer;
	bool closing;
	void (*drained)(void *data);
	void *drained_data;
};

/* ---- http_stream.c: server-sent events, and those that a client may ask for again ---- */

/*
 * A sequence of events. It may outlive the connection that carries it, and go on in another one; one at a time carries it.
 *
 * Stream and exchange know each other: `x` here, http_data() there. Both ends are set and cleared together, in
 * http_stream.c alone, so that whichever goes first leaves no pointer behind.
 */
struct http_stream {
	struct http_session *session; /* that remembers the events; NULL: nobody does */
	struct http_exchange *x;      /* that carries it, or waits until it is open; NULL: no client reads at present */
	unsigned id;                  /* in its session */
	unsigned last_event;
	bool open;                    /* it has begun */
	void (*gone)(struct http_stream *s); /* the client of `x` has left; `x` is cleared already */
	struct timer *keep_alive;
};

struct http_event {
	TAILQ_ENTRY(http_event) link;
	unsigned stream, number;
	size_t len;
	char text[]; /* as it was sent */
};

void stream_init(struct http_stream *s, struct loop *l, struct http_session *session, unsigned id);
void stream_done(struct http_stream *s);
/* `x`, which is not answered yet, will be the first to carry the stream, unless it is detached and answered otherwise. */
void stream_expect(struct http_stream *s, struct http_exchange *x);
/* The exchange that stream_expect() was given, while the stream is not open and its client is there; else NULL. */
struct http_exchange *stream_expecting(const struct http_stream *s);
/* Separates the stream from its exchange, which is returned and has to be answered; NULL: there was none. */
struct http_exchange *stream_detach(struct http_stream *s);
/* To be called when the client of an exchange has left; `x` may carry no stream. */
void stream_reader_gone(struct http_exchange *x);
/* Opens the stream on the exchange that waits for it, if there is one. */
void stream_begin(struct http_stream *s);
/* Answers `x` with the stream. An exchange that carried it before is ended. */
void stream_open(struct http_stream *s, struct http_exchange *x);
/* The same, beginning with what is still known of what it said after event number `after`. */
void stream_resume(struct http_stream *s, struct http_exchange *x, unsigned after);
/* One message; lost when the stream was never opened. */
void stream_send(struct http_stream *s, const char *text, size_t len);
/* Any event, without a number. */
void stream_send_plain(struct http_stream *s, const char *event, const char *data, size_t len);
/* Ends the answer under way; the stream may be opened again. */
void stream_close(struct http_stream *s);
void stream_forget_oldest(struct http_session *s);

/* ---- http_session.c ---- */

struct http_session {
	TAILQ_ENTRY(http_session) link;
	struct mcp_http *http;
	char id[RANDOM_NAME_SIZE];
	struct mcp_conn *conn;
	bool old;      /* HTTP+SSE: everything goes over the one stream, with which the session ends */
	bool ended;
	unsigned posts; /* under way */
	struct http_stream stream; /* what belongs to no request */
	unsigned last_stream;
	struct http_rate calls;
	struct timer *idle;
	struct ready free_ready;
	TAILQ_HEAD(http_events, http_event) events; /* the last ones of all streams */
	size_t event_bytes;
};

/* A new session that `x` asks for. NULL: answered that there are too many. */
struct http_session *session_new(struct mcp_http *h, struct http_exchange *x, bool old);
/* GET /sse: a session whose stream is the answer. */
void session_open_old(struct mcp_http *h, struct http_exchange *x);
/* The session of that id, if it is one for who asks; NULL: there is none, or `id` is NULL. */
struct http_session *session_find(struct mcp_http *h, const struct http_exchange *x, const char *id);
/* Its calls are cancelled and still answer; then it is gone. */
void session_end(struct http_session *s, const char *why);
/* To be called when a request or stream came or went. */
void session_update(struct http_session *s);
/* GET of the session's stream, or of one that was cut. */
void session_get(struct http_session *s, struct http_exchange *x);

/* ---- http_post.c ---- */

/* A message (or a batch) that was posted, and the stream of what there is to say about it. */
struct http_post {
	TAILQ_ENTRY(http_post) link;
	struct mcp_http *http;
	struct http_session *session; /* NULL: it stands alone */
	struct mcp_conn *conn;        /* the session's, or its own */
	struct http_stream stream;    /* until it is open, its exchange may be answered with JSON instead */
	bool request;                 /* something is to be answered */
	bool batch;
	unsigned refs;
	int status;
	struct str answer;            /* that may go out as JSON; empty: none yet */
	struct timer *patience;       /* then it becomes a stream */
	struct ready done_ready;
};

/* How a session's connection sends, and that of a post that stands alone. */
extern const struct mcp_transport http_session_transport, http_post_transport;

/* A POST to /mcp, with its body. */
void post_take(struct mcp_http *h, struct http_exchange *x);
/* A POST to /message: its answer goes over the session's stream. */
void post_take_old(struct mcp_http *h, struct http_exchange *x);
/* The post of this session whose stream has this number, NULL when there is none (any more). */
struct http_post *post_find(const struct http_session *s, unsigned stream);
/* Cancels a post that stands alone. */
void post_cancel(struct http_post *p);
void http_drained(struct mcp_http *h); /* to be called when a session or post has gone */

/* ---- http_owner.c: whose sessions in the browser are, by the token that comes with a request ---- */

struct mcp_owner http_owner_of_session(struct mcp_http *h, const struct http_exchange *x);
/* Of a request that stands alone. */
struct mcp_owner http_owner_of_request(struct mcp_http *h, const struct http_exchange *x);
/* May the session be used by who asks this? */
bool http_owns(struct mcp_http *h, const struct http_exchange *x, const struct http_session *s);
void http_forget_owners(struct mcp_http *h);

/* ---- http_modern.c: the header fields that must agree with the message ---- */

bool modern_admit(struct request *q);

/* ---- http_auth.c: tokens, and what they allow. False: refused, it was answered ---- */

bool guard_token(const struct mcp_http *h, struct http_exchange *x);
/* What the messages of this request may ask for: bits of enum mcp_right. */
unsigned auth_rights(const struct http_exchange *x);
/* Tells the client, with the answer to come, that its token lacks the right that the message needed. */
void auth_challenge_right(const struct mcp_http *h, struct http_exchange *x);
/* GET of who issues tokens for this server (RFC 9728). */
void auth_describe(struct mcp_http *h, struct http_exchange *x);

/* ---- http_guard.c: who may ask what. False: refused, it was answered ---- */

bool guard_names(const struct mcp_http *h, struct http_exchange *x);
bool guard_json(struct http_exchange *x); /* the body */
bool guard_post(struct http_exchange *x); /* that, and the answers */
bool guard_accepts_events(struct http_exchange *x);
/* `n` calls of this session (NULL: of that peer). */
bool guard_calls(struct mcp_http *h, struct http_session *s, struct http_exchange *x, unsigned n);
/* Another request: there is room for it, and for this owner's. */
bool guard_load(struct mcp_http *h, struct http_exchange *x);
bool guard_new_session(struct mcp_http *h, struct http_exchange *x);
/* Answers with a JSON-RPC error that belongs to no request. */
void http_refuse(struct http_exchange *x, int status, int code, const char *fmt, ...) _printf_(4, 5);
