/* Shared by transport.c and the two framings, ws.c and channel.c. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "loop/refusal.h"
#include "loop/request.h"
#include "loop/tls_client.h"
#include "loop/transport.h"

#define TRANSPORT_KEEP (256u << 10)             /* bytes; an empty buffer larger than this is freed */
#define TRANSPORT_READ_SIZE ((size_t)128 << 10) /* bytes read, and their messages handled, before other work has its turn */

enum transport_state {
	TRANSPORT_SECURING, /* TLS handshake */
	TRANSPORT_HANDSHAKE,
	TRANSPORT_OPEN,
	TRANSPORT_CLOSED,
};

struct transport_kind {
	/* Appends a message with its framing to `t->out`. */
	void (*append)(struct transport *t, const char *text, size_t len);
	/*
	 * Appends what the framing itself has to say, such as the answer to a ping; called when all of `t->out` has been sent. Returns
	 * whether that was anything. NULL for framings that answer nothing.
	 */
	bool (*append_control)(struct transport *t);
	/* What is sent may travel from here on. NULL for framings without a handshake of their own. */
	void (*ready)(struct transport *t);
	/* Processes `t->in`. Returns how many bytes at its beginning were consumed; the rest is kept. */
	size_t (*take)(struct transport *t);
};

/* The common state; the first member of each framing's struct. */
struct transport {
	const struct transport_kind *kind;
	struct loop *loop;
	enum transport_state state;
	int fd;
	struct tls_client *tls; /* NULL: plain */
	struct watch *watch;
	const struct transport_handler *handler;
	void *data;
	struct str out; /* the first `sent` bytes have been sent */
	size_t sent;
	uint64_t taken;    /* bytes that the socket has taken since the connection began */
	bool send_blocked; /* the socket's send buffer is full */
	struct ready flush;
	struct str in;      /* received and not yet consumed */
	struct str message; /* a fragmented message so far; for one that is too long, its beginning for the error report */
	size_t limit;       /* maximum bytes of a message */
	bool skipping;      /* the current message is too long */
	struct timer *pause;
	bool paused;
	usec_t budget_until; /* the time until which the messages so far have used up their budget, transport_throttle() */
	bool acknowledges;   /* transport_acknowledge() */
	char reason[160];
	struct refusal refusal; /* of a server that was to answer something else */
	struct ready close_notice;
};

void transport_init(struct transport *t, const struct transport_kind *kind, struct loop *l, size_t limit,
		    const struct transport_handler *handler, void *data);
/* Watches `t->fd`, which the transport owns and closes from here on, even on failure. */
int transport_watch(struct transport *t, enum transport_state state);
/*
 * Takes over a socket that is connected to a server, with TLS if `request` says so: `ready` of the kind is called when the socket can be
 * written to, perhaps at once. On failure the handler is notified from the loop.
 */
void transport_begin(struct transport *t, int fd, const struct request *request);
/* Closes the socket; the handler is notified from the loop. */
void transport_disconnect(struct transport *t, const char *reason);
/* Schedules sending of `t->out`, so that all messages of one round of the loop are sent in one call. */
void transport_flush_soon(struct transport *t);
/* As send(), past `t->out`. */
ssize_t transport_write(struct transport *t, const char *data, size_t len);
/* Call when the handshake is complete. */
void transport_opened(struct transport *t);
/* Delivers a complete message to the handler. The byte after it must be writable; its value is restored. */
void transport_deliver(struct transport *t, char *text, size_t len);
/* `t->message` is complete: delivers it, or reports it as too long. */
void transport_end_message(struct transport *t);
/* Skips part of a message that is too long, keeping its beginning for the error report. */
void transport_skip(struct transport *t, const char *data, size_t len);
