/*
 * A connection of the HTTP server as a WebSocket (RFC 6455), without extensions and subprotocols.
 *
 * Incoming messages have at most LIMIT_SOCKET_MESSAGE bytes, in any number of fragments. A client whose frames are not allowed, or
 * that leaves a ping unanswered for SOCKET_PING_PERIOD, loses its connection. All callbacks run from the loop and must not suspend;
 * they may send, and close the socket.
 *
 * The server owns a socket. It exists until `gone` returns.
 */
#pragma once

#include <stddef.h>

#include "base/clock.h"
#include "loop/http.h"

struct http_socket;

#define SOCKET_PING_PERIOD (15 * USEC_PER_SEC)

/* Codes of closing (section 7.4.1). Applications have those from 4000 to 4999. */
enum socket_code {
	SOCKET_NORMAL = 1000,
	SOCKET_GOING_AWAY = 1001,
	SOCKET_PROTOCOL_ERROR = 1002,
	SOCKET_UNSUPPORTED = 1003,
	SOCKET_NO_CODE = 1005, /* never sent: a closing frame had none */
	SOCKET_INVALID_TEXT = 1007,
	SOCKET_POLICY = 1008,
	SOCKET_TOO_LONG = 1009,
};

struct http_socket_handler {
	/* `text` is UTF-8, without NULs only if the client sent none. A NUL follows it. May be changed in place. */
	void (*text)(struct http_socket *s, char *text, size_t len, void *data);
	/* The same for binary messages. NULL: they end the connection with SOCKET_UNSUPPORTED. */
	void (*binary)(struct http_socket *s, char *bytes, size_t len, void *data);
	/* The kernel has taken all that was sent since the last time. May be NULL. */
	void (*drained)(struct http_socket *s, void *data);
	/* Called once, when no other callback will be called any more: the client has left, or the connection was closed or dropped. */
	void (*gone)(struct http_socket *s, void *data);
};

/*
 * Answers a request with a WebSocket; only from `request` of struct http_handler. The exchange must not be used afterwards. NULL: the
 * request is not one for a WebSocket, and was refused (400, 426). `handler` must outlive the socket.
 */
struct http_socket *http_socket_accept(struct http_exchange *x, const struct http_socket_handler *handler, void *data);
void *http_socket_data(const struct http_socket *s);
/*
 * Queue a message. The one of http_socket_binary() consists of two parts, of which the first may be empty. Without effect after the
 * end. A client that lets more than LIMIT_SOCKET_PENDING bytes accumulate is dropped.
 */
void http_socket_text(struct http_socket *s, const char *text, size_t len);
void http_socket_binary(struct http_socket *s, const char *head, size_t head_len, const char *bytes, size_t len);
/* Bytes that the kernel has not taken yet; 0 after the end. */
size_t http_socket_unsent(const struct http_socket *s);
/* `reason` is for people, and cut after 123 bytes. `gone` is called from the loop. Without effect after the end. */
void http_socket_close(struct http_socket *s, unsigned code, const char *reason);
