/*
 * The connection to a browser that runs already. Everything goes to the host and port of its address: redirects are not followed, and of
 * another address that is answered only path and query count, so that the header fields, which may hold secrets, reach no other server.
 */
#pragma once

#include "engine/endpoint.h"
#include "engine/engine.h"
#include "loop/loop.h"

/* A connection, also while it is being made. */
struct engine_connection;

struct engine_connection_handler {
	/* Once: the browser has answered. `root`, the browser itself, lives as long as the connection. */
	void (*open)(struct engine_target *root, void *data);
	/* Once: there is no connection, or no longer; all calls have failed by then. `reason` is readable. */
	void (*closed)(const char *reason, void *data);
};

/* Begins to connect. There is no timeout: the caller gives up by engine_disconnect(). `e` and `handler` must outlive it. */
struct engine_connection *engine_connect(struct loop *l, const struct endpoint *e, const struct engine_connection_handler *handler,
					 void *data);
/* What the server answered in place of giving a browser; zeroed: nothing. */
const struct refusal *engine_refusal(const struct engine_connection *c);
/* Calls fail with -ENOTCONN, and no callback follows. May be called any time but inside of its callbacks. Returns NULL. */
struct engine_connection *engine_disconnect(struct engine_connection *c);

/* Counters of all connections since the process started. */
struct engine_traffic {
	uint64_t sent, received; /* messages */
	uint64_t bytes_sent, bytes_received;
};
const struct engine_traffic *engine_traffic(void);
/* Engines count each message, of `len` bytes. */
void engine_count_sent(size_t len);
void engine_count_received(size_t len);
