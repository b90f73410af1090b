/* A connection of the HTTP server, for the files http*.c of this folder. */
#pragma once

#include <sys/queue.h>

#include "base/str.h"
#include "loop/http.h"
#include "loop/http_chunks.h"
#include "loop/http_head.h"

enum state {
	STATE_HEAD,      /* waiting for a request, or for the rest of its head */
	STATE_BODY,
	STATE_ANSWERING, /* the handler has the request */
	STATE_STREAMING, /* the answer has begun */
	STATE_CLOSING,   /* what was written still goes out, what comes in is thrown away */
};

struct http_server {
	struct loop *loop;
	const struct http_limits *limits;
	const struct http_handler *handler;
	void *data;
	struct tls *tls; /* NULL: plain */
	TAILQ_HEAD(, http_exchange) exchanges;
	unsigned count;          /* of connections that were not dropped */
	size_t held;             /* bytes that their buffers hold together */
	struct listener *listener; /* NULL once stopped */
	int port;
	bool stopped;
	uint64_t answers[HTTP_STATUS_MAX + 1]; /* by status */
};

/* A connection, with the request on it that is being answered. */
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
	struct str in;     /* what came and is not taken yet: a head, a body, the next request */
	bool answered;     /* before its body has come, which is then skipped */
	bool close;        /* after the answer under way */
	bool advancing;
	bool begun;        /* something has come: a TLS handshake is over */
	bool trusted;      /* http_set_trusted() */
	bool dropped;      /* it closes at the next edge of the loop, and nothing more is taken from it or sent */
	bool paused;       /* nothing is read at present */
	size_t held;       /* its part of the server's */
	void *data;
	char *user;
	unsigned rights;
	struct str fields; /* of the answer */
	struct str out;
	size_t sent;       /* of `out` */
	bool shut;         /* nothing more will be written */
	struct ready write_ready;
};

#define EXCHANGE_KEEP_SIZE (64u << 10) /* a buffer that grew above this is given back */

/* ---- http.c ---- */

/* Closes at the next edge of the loop; does not count as open any more. */
void exchange_drop(struct http_exchange *x);
void exchange_set_timeout(struct http_exchange *x, usec_t after); /* USEC_NEVER: none */
/* The request is done with as far as the handler goes. */
void exchange_answered(struct http_exchange *x);
/* To be called at the edge of the loop when output may go out: writes, and takes the next request once all was read. */
int exchange_turn(struct http_exchange *x);

/* ---- http_memory.c ---- */

/* To be called when a buffer of `x` has changed: stops and starts reading, and keeps the server's limit. */
void exchange_account(struct http_exchange *x);
/* Drops the connection that was silent for longest among those that are not trusted. False: there is none. */
bool exchange_evict(struct http_server *s);

/* ---- http_answer.c ---- */

/* Goes out at the edge of the loop, or with the next exchange_write(). */
void exchange_send(struct http_exchange *x, const char *data, size_t len);
/* What the client takes at once; libwebsockets calls for the rest. -1: the connection has to end. */
int exchange_write(struct http_exchange *x);
/* Whether there are answers that the client has not taken. */
bool exchange_has_unread(const struct http_exchange *x);
void exchange_on_write_ready(struct ready *r);
