/*
 * Text messages in both directions over one stream socket, framed by loop/ws.h (WebSocket) or loop/channel.h (NUL-terminated
 * text). This part is common to both: a bounded send queue, skipping of long messages, pauses in reading, and notification
 * when the connection closes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "loop/loop.h"

struct refusal;
struct transport;

struct transport_handler {
	/* The connection is established. */
	void (*open)(void *data);
	/* `text` is NUL-terminated, may be changed in place and is valid until the callback returns. */
	void (*message)(char *text, size_t len, void *data);
	/* A message longer than the limit was skipped; `head` is its beginning. */
	void (*oversize)(const char *head, size_t head_len, void *data);
	/* Called once, also if the connection never opened, but not by transport_free(). `reason` is readable text. */
	void (*closed)(const char *reason, void *data);
};

/*
 * Queues a message; messages are sent in order. -ENOTCONN when closed, -EINVAL when the message contains a NUL. -ENOBUFS when more than
 * LIMIT_CDP_PENDING and LIMIT_CDP_RESERVE bytes would be queued, which ends the connection: no message is left out of those that
 * arrive.
 */
int transport_send(struct transport *t, const char *text, size_t len);
size_t transport_pending(const struct transport *t); /* bytes that are queued */
uint64_t transport_sent(const struct transport *t);  /* bytes that the socket has taken */
/*
 * Stops reading from the peer for `duration`, so that input that arrives meanwhile costs only one wake-up. Does nothing while
 * an earlier pause lasts.
 */
void transport_pause(struct transport *t, usec_t duration);
/* To be called for each message: pauses during bursts of them. `is_idle`: nobody waits for a message, so that it may pause. */
void transport_throttle(struct transport *t, bool is_idle);
/* Ends the pause. */
void transport_resume(struct transport *t);
/*
 * Acknowledges what is received at once. A peer that has Nagle's algorithm on holds a message back until the one before it is acknowledged, which
 * the kernel does up to 44 ms later.
 */
void transport_acknowledge(struct transport *t);
/* What the server answered in place of opening the connection; zeroed: nothing. */
const struct refusal *transport_refusal(const struct transport *t);
/* Sends queued messages as far as the socket takes them at once. */
struct transport *transport_free(struct transport *t);
DEFINE_FREEP(transport);
