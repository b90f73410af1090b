/*
 * HTTP/1.1 server: one request at a time on each connection, with a complete or a streamed response, and keep-alive. A connection
 * can become a WebSocket (loop/http_socket.h).
 *
 * libwebsockets handles the connections (in its raw role, including TLS), and this server parses the requests. The HTTP role
 * of libwebsockets is not used because it does not read while a response is in progress, so that it would not notice a client
 * that disconnects.
 *
 * A `struct http_exchange` is one request with its response. The server owns it; a handler must not use it after the response
 * is complete or `gone` was called. Callbacks run from the loop and may respond immediately.
 *
 * A pipelined request is processed only when the client has received the earlier responses; until then the server does not
 * read from the connection. The buffers of all connections together are bounded (LIMIT_HTTP_HELD).
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
struct listen_address;
struct http_exchange;

#define HTTP_STATUS_MAX 599

struct http_limits {
	size_t head, body; /* bytes of a request; longer ones get status 431 and 413 */
	/*
	 * Concurrent connections. A new one beyond the limit replaces an untrusted connection that has no request in progress; if
	 * there is none, it gets status 503.
	 */
	unsigned connections;
	struct {
		const char *head, *body, *connections;
	} names; /* what messages call the limits */
};

struct http_handler {
	/* The head is complete. The handler may refuse the request with http_answer(); its body is then skipped. */
	void (*head)(struct http_exchange *x, void *data);
	/* The request is complete and `head` did not respond to it. */
	void (*request)(struct http_exchange *x, void *data);
	/* The client has disconnected before the response was complete. */
	void (*gone)(struct http_exchange *x, void *data);
};

/*
 * Address and errors as for listener_new(). `tls` is NULL for plain HTTP. `tls`, `handler` and `limits` must outlive the
 * server.
 */
int http_server_new(struct loop *l, const struct listen_address *address, struct tls *tls, const struct http_limits *limits,
		    const struct http_handler *handler, void *data, struct http_server **ret, const char **ret_error);
int http_server_port(const struct http_server *s);
unsigned http_server_connections(const struct http_server *s);
/* The number of responses with each status so far, the server's own included: HTTP_STATUS_MAX + 1 numbers. */
const uint64_t *http_server_answers(const struct http_server *s);
/* Stops accepting connections and requests; responses in progress continue. */
void http_server_stop(struct http_server *s);
/* Drops all connections without calling `gone`. */
struct http_server *http_server_free(struct http_server *s);
DEFINE_FREEP(http_server);
/* For process exit: runs the loop until the kernel has all responses, for at most `timeout`. */
void http_server_flush(struct http_server *s, usec_t timeout);

/* The request. Borrowed until the response is complete. */
const char *http_method(const struct http_exchange *x);
const char *http_path(const struct http_exchange *x);
/* Copies a query parameter, which must not contain % or +. False when it is absent or does not fit. */
bool http_query(const struct http_exchange *x, const char *name, char *buf, size_t size);
const char *http_field(const struct http_exchange *x, const char *name); /* the name in any case; NULL: absent */
/* Only during `request`; may be changed in place. */
char *http_body(struct http_exchange *x, size_t *ret_len);
const char *http_peer(const struct http_exchange *x); /* numeric address */

void http_set_data(struct http_exchange *x, void *data);
void *http_data(const struct http_exchange *x); /* NULL at first */

/* The authenticated user and its rights as bits, as determined by the handler. */
void http_set_user(struct http_exchange *x, const char *user, unsigned rights);
const char *http_user(const struct http_exchange *x); /* NULL at first */
unsigned http_rights(const struct http_exchange *x);
/*
 * Whether the latest request was authenticated. A new connection is untrusted: it has shorter timeouts, and it is dropped
 * first when the server runs out of connections.
 */
void http_set_trusted(struct http_exchange *x, bool trusted);

/* Adds header lines, each with its "\r\n", to the response, whatever its status. */
void http_add_fields(struct http_exchange *x, const char *fields);
/* Sends a complete response; `type` is its Content-Type, NULL without a body. */
void http_answer(struct http_exchange *x, int status, const char *type, const char *body, size_t len);
/* Begins a streamed response with status 200. */
void http_stream_begin(struct http_exchange *x, const char *type);
/* A client that lets more than LIMIT_HTTP_PENDING unsent bytes accumulate is dropped. */
void http_stream_send(struct http_exchange *x, const char *text, size_t len);
void http_stream_end(struct http_exchange *x);
