/*
 * WebSocket client. Text messages only, whole ones up and down; no compression, loopback or not.
 */
#pragma once

#include <stddef.h>

#include "base/macros.h"
#include "loop/loop.h"

struct ws;

struct ws_handler {
	void (*open)(void *data);
	/* `text` may be changed in place, lives until the callback returns and is NUL-terminated. */
	void (*message)(char *text, size_t len, void *data);
	/* A message longer than the limit was skipped; `head` is its beginning. */
	void (*oversize)(const char *head, size_t head_len, void *data);
	/* Once, also when the connection never opened. Not called by ws_free(). `reason` is for a person. */
	void (*closed)(const char *reason, void *data);
};

/* `host` is a numeric address. `handler` must outlive the socket. Callbacks never run before this returns. */
int ws_connect(struct loop *l, const char *host, int port, const char *path, size_t message_limit,
	       const struct ws_handler *handler, void *data, struct ws **ret);
/* Queues a message; sent in order. -ENOBUFS when more than `LIMIT_CDP_PENDING` bytes wait, -ENOTCONN when closed. */
int ws_send(struct ws *w, const char *text, size_t len);
/*
 * Takes nothing from the peer for `duration`: what comes meanwhile comes together, for one waking. Does nothing when it
 * rests already.
 */
void ws_rest(struct ws *w, usec_t duration);
/* Ends that. */
void ws_resume(struct ws *w);
struct ws *ws_free(struct ws *w);
DEFINE_FREEP(ws);
