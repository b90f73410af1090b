/* A connection of the HTTP server, for the files http*.c of this folder. */
#pragma once

#include <sys/queue.h>

#include "base/str.h"
#include "loop/http.h"
#include "loop/http_chunks.h"
#include "loop/http_head.h"

enum state {
	STATE_HEAD, /* waiting for a request head */
	STATE_BODY,
	STATE_ANSWERING, /* the handler has the request */
	STATE_STREAMING, /* a streamed response is in progress */
	STATE_SOCKET,    /* the connection is a WebSocket */
	STATE_CLOSING,   /* pending output is still sent, input is discarded */
};

/* The authenticated user of some connections. */
struct http_user {
	size_t held; /* bytes in the buffers of all of them */
	unsigned connections;
	char name[];
};

struct http_server {
	struct loop *loop;
	const struct http_limits *limits;
	const struct http_handler *handler;
	void *data;
	struct tls *tls; /* NULL: plain */
	TAILQ_HEAD(, http_exchange) exchanges;
	unsigned count;            /* connections that were not dropped */
	size_t held;               /* bytes in the buffers of all connections */
	void *users;               /* tsearch() tree of the names of struct http_user */
	struct listener *listener; /* NULL once stopped */
	int port;
	bool stopped;
	uint64_t answers[HTTP_STATUS_MAX + 1]; /* by status */
};

/* The body of a response that is sent in parts. */
struct http_body {
	/* The client has received what was sent: sends the next part, or completes the response. */
	void (*more)(struct http_exchange *x, struct http_body *b);
	void (*free)(struct http_body *b);
};

/* A connection with its current request. */
struct http_exchange {
	TAILQ_ENTRY(http_exchange) link;
	struct http_server *server;
	struct lws *wsi;
	struct timer *timer;
	char peer[46];
	enum state state;
	char *head_text;
	struct http_head head; /* points into `head_text` */
	struct http_chunks chunks;
	struct str in; /* received and not yet consumed: a head, a body, the next request */
	bool answered; /* the response was sent before the body arrived, which is then skipped */
	bool close;    /* the connection is closed after the current response */
	bool advancing;
	bool begun;   /* input has arrived, so that a TLS handshake is complete */
	bool trusted; /* http_set_trusted() */
	bool dropped; /* closes in the next round of the loop; no more input is processed and no output sent */
	bool paused;  /* reading is paused */
	size_t held;  /* bytes of this connection in the server's `held` */
	void *data;
	struct http_user *user; /* NULL: unknown */
	unsigned rights;
	struct http_body *body; /* NULL: none is being sent */
	struct str fields;      /* additional header lines of the response */
	struct str out;
	size_t sent; /* bytes of `out` */
	bool shut;   /* the sending side is shut down */
	struct ready write_ready;
	struct http_socket *socket; /* NULL: none, or its `gone` has been called */
};

#define EXCHANGE_KEEP_SIZE (64u << 10) /* an empty buffer larger than this is freed */
#define BODY_TIMEOUT (60 * USEC_PER_SEC)

/* ---- http_exchange.c ---- */

/* Closes the connection in the next round of the loop; from now on it does not count as open. */
void exchange_drop(struct http_exchange *x);
void exchange_set_timeout(struct http_exchange *x, usec_t after); /* USEC_NEVER: none */
/* The handler has completed the response. */
void exchange_answered(struct http_exchange *x);
/* Prepares for the next request, or closes the connection: the response is complete, and the body was read. */
void exchange_complete(struct http_exchange *x);
/* Sends pending output and discards input until the client has closed its side. */
void exchange_begin_closing(struct http_exchange *x);
/* Frees the connection's buffers and its slot at the server. */
void exchange_release(struct http_exchange *x);
/* Counts the connection and what it holds for this user; NULL: for none. */
void exchange_set_user(struct http_exchange *x, const char *name);
/* Removes consumed bytes from the beginning of the input. */
void exchange_cut_input(struct http_exchange *x, size_t len);
void exchange_set_held(struct http_exchange *x, size_t held);
/* Whether the client has not yet received all output. */
bool exchange_has_unread(const struct http_exchange *x);

/* ---- http_memory.c ---- */

/* Called when a buffer of `x` has changed: pauses or resumes reading and enforces LIMIT_HTTP_HELD. */
void exchange_account(struct http_exchange *x);
/* The largest connection of the client that holds the most; NULL: none holds anything. */
struct http_exchange *exchange_largest(const struct http_server *s);
/* Drops the untrusted connection that has been idle the longest. False when there is none. */
bool exchange_evict(struct http_server *s);

/* ---- http_socket.c ---- */

/* The longest input that may hold no complete frame; more of it is not read. */
#define SOCKET_INPUT_MAX (LIMIT_SOCKET_MESSAGE + 14)
/* Handles received frames. More of them may be left, which the next round of the loop handles. */
void socket_take(struct http_exchange *x);
/* To be called when output was written. */
void socket_written(struct http_exchange *x);
/* The connection ends. */
void socket_lost(struct http_exchange *x);

/* ---- http_answer.c ---- */

/* Begins a response with a body of that length, which x->body or exchange_send() then sends. */
void exchange_begin_body(struct http_exchange *x, int status, const char *type, uint64_t len);
/* Queues output, which is sent in the next round of the loop or by the next exchange_write(). */
void exchange_send(struct http_exchange *x, const char *data, size_t len);
/* Writes what the socket accepts now; a libwebsockets callback writes the rest. -1: the connection must be closed. */
int exchange_write(struct http_exchange *x);
