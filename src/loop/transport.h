/*
 * Whole text messages in both directions over one stream socket. How a message is framed is decided by who opened the
 * connection: loop/ws.h (WebSocket) or loop/channel.h (NUL-terminated text). Everything else is the same for both:
 * queued sending with a limit, long messages that are skipped, pauses in reading, and the notice of the end.
 */
#pragma once

#include <stddef.h>

#include "base/macros.h"
#include "loop/loop.h"

struct transport;

struct transport_handler {
	/* The other end can be spoken to. */
	void (*open)(void *data);
	/* `text` may be changed in place, lives until the callback returns and is NUL-terminated. */
	void (*message)(char *text, size_t len, void *data);
	/* A message longer than the limit was skipped; `head` is its beginning. */
	void (*oversize)(const char *head, size_t head_len, void *data);
	/* Once, also when the connection never opened. Not called by transport_free(). `reason` is for a person. */
	void (*closed)(const char *reason, void *data);
};

/*
 * Queues a message; sent in order. -ENOBUFS when more than `LIMIT_CDP_PENDING` bytes wait, -ENOTCONN when closed,
 * -EINVAL when a NUL is in it.
 */
int transport_send(struct transport *t, const char *text, size_t len);
/*
 * Reads nothing from the peer for `duration`: what arrives meanwhile is taken together, in one wake-up. Does nothing
 * while an earlier pause lasts.
 */
void transport_pause(struct transport *t, usec_t duration);
/* Ends the pause. */
void transport_resume(struct transport *t);
struct transport *transport_free(struct transport *t);
DEFINE_FREEP(transport);
