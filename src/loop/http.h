/*
 * HTTP/1.1 server: one request at a time on each connection, answered whole or as a stream, keep-alive in between.
 *
 * libwebsockets carries the connections (its raw role, so that TLS is its business) and this reads the requests: its own
 * HTTP role does not read while an answer is under way, which is how a client is seen to leave.
 *
 * A `struct http_exchange` is one request with its answer. It belongs to the server; who handles it must not touch it
 * after the answer is complete or `gone` was called. Callbacks run from the loop and may answer at once.
 *
 * A request that follows on the same connection is looked at when the client has taken the answers before it, and until
 * then nothing more is read. What all connections hold together is bounded (LIMIT_HTTP_HELD).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/macros.h"
#include "loop/loop.h"
#include "loop/tls.h"

struct http_server;
struct http_exchange;

#define HTTP_STATUS_MAX 599

struct http_limits {
	size_t head, body;     /* bytes of a request; longer ones are answered 431 and 413 */
	/*
	 * At a time. One more takes the place of a connection that is not trusted and has no request under way; where there
	 * is none, it is answered 503.
	 */
	unsigned connections;
};

struct http_handler {
	/* A head has come; http_answer() may refuse it at once, the body is skipped then. */
	void (*head)(struct http_exchange *x, void *data);
	/* The whole of a request that `head` has not answered. */
	void (*request)(struct http_exchange *x, void *data);
	/* The client has gone before the answer was complete. */
	void (*gone)(struct http_exchange *x, void *data);
};

/*
 * Host, port and failures as of listener_new(). `tls` NULL: plain HTTP. That, `handler` and `limits` must outlive the
 * server.
 */
int http_server_new(struct loop *l, const char *host, int port, struct tls *tls, const struct http_limits *limits,
		    const struct http_handler *handler, void *data, struct http_server **ret, const char **ret_error);
int http_server_port(const struct http_server *s);
unsigned http_server_connections(const struct http_server *s);
/* How many answers had each status so far, those of the server's own included: HTTP_STATUS_MAX + 1 numbers. */
const uint64_t *http_server_answers(const struct http_server *s);
/* No new connections and requests from now on; answers under way go on. */
void http_server_stop(struct http_server *s);
/* Drops what is open; `gone` is not called. */
struct http_server *http_server_free(struct http_server *s);
DEFINE_FREEP(http_server);
/* For the end of the process: runs the loop until all answers are with the kernel, at most so long. */
void http_server_flush(struct http_server *s, usec_t timeout);

/* What was asked. Borrowed until the answer is complete. */
const char *http_method(const struct http_exchange *x);
const char *http_path(const struct http_exchange *x);
/* The value of a parameter of the query, which must hold no % and +; false when it is not there or does not fit. */
bool http_query(const struct http_exchange *x, const char *name, char *buf, size_t size);
const char *http_field(const struct http_exchange *x, const char *name); /* lower case; NULL: absent */
/* During `request` only, and only until the answer is complete; may be changed in place. */
char *http_body(struct http_exchange *x, size_t *ret_len);
const char *http_peer(const struct http_exchange *x); /* numeric address */

void http_set_data(struct http_exchange *x, void *data);
void *http_data(const struct http_exchange *x); /* NULL at first */

/* Who asks, as the handler has found out: its text, owned by the exchange from now on, and what it may, as bits. */
void http_set_user(struct http_exchange *x, char *user, unsigned rights);
const char *http_user(const struct http_exchange *x); /* NULL at first */
unsigned http_rights(const struct http_exchange *x);
/*
 * Whether the client has shown that it may be here, by its latest request. A connection is not trusted at first: until
 * then it has little time, and its place is given away when places are short.
 */
void http_set_trusted(struct http_exchange *x, bool trusted);

/* Header lines to come with the answer, each with its "\r\n"; whatever the answer then is. */
void http_add_fields(struct http_exchange *x, const char *fields);
/* The whole answer; `type` is its Content-Type, NULL without a body. */
void http_answer(struct http_exchange *x, int status, const char *type, const char *body, size_t len);
/* An answer 200 that comes in pieces. */
void http_stream_begin(struct http_exchange *x, const char *type);
/* A client that does not read until LIMIT_HTTP_PENDING bytes wait is dropped. */
void http_stream_send(struct http_exchange *x, const char *text, size_t len);
void http_stream_end(struct http_exchange *x);
