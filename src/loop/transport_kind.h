/* Shared by transport.c and the two framings, ws.c and channel.c. */
#pragma once

#include <stdint.h>

#include "base/str.h"
#include "loop/transport.h"

#define TRANSPORT_KEEP (256u << 10) /* bytes; a buffer that grew above this is given back */

enum transport_state {
	TRANSPORT_CONNECTING, /* the kernel connects the socket */
	TRANSPORT_HANDSHAKE,
	TRANSPORT_OPEN,
	TRANSPORT_CLOSED,
};

struct transport_kind {
	/* Appends a message with its framing to `t->out`. */
	void (*append)(struct transport *t, const char *text, size_t len);
	/* The socket is connected. NULL where it is so from the start. */
	void (*connected)(struct transport *t);
	/* There is more in `t->in`. Returns how many bytes at its beginning were dealt with; the rest stays. */
	size_t (*take)(struct transport *t);
};

/* The first member of what a framing needs. */
struct transport {
	const struct transport_kind *kind;
	struct loop *loop;
	enum transport_state state;
	int fd;
	struct watch *watch;
	const struct transport_handler *handler;
	void *data;
	struct str out; /* of which `sent` bytes are gone */
	size_t sent;
	bool choked; /* the kernel takes no more at the moment */
	struct ready flush;
	struct str in;      /* what was read and is not taken yet */
	struct str message; /* the beginning of a message that comes in parts; of one that is too long: what is shown of it */
	size_t limit;       /* bytes of a message */
	bool skipping;      /* the message under way is too long */
	struct timer *rest;
	bool rests;
	char reason[160];
	struct ready close_notice;
};

void transport_init(struct transport *t, const struct transport_kind *kind, struct loop *l, size_t limit,
		    const struct transport_handler *handler, void *data);
/* `t->fd` is set, and closed with the transport from here on, also when this fails. */
int transport_watch(struct transport *t, enum transport_state state);
/* The socket is closed; the handler hears of it from the loop. */
void transport_disconnect(struct transport *t, const char *reason);
/* Something was appended to `t->out`: all of one round of the loop leaves in one piece. */
void transport_flush_soon(struct transport *t);
/* The handshake is over. */
void transport_opened(struct transport *t);
/* What the kernel reports is chosen again, after a change of state. */
void transport_watch_again(struct transport *t);
/* Gives a whole message to the handler. The byte behind it is kept; it must be writable. */
void transport_deliver(struct transport *t, char *text, size_t len);
/* `t->message` is whole: gives it to the handler, or tells it that it was too long. */
void transport_end_message(struct transport *t);
/* The beginning of a message that is too long is kept, to be shown. */
void transport_skip(struct transport *t, const char *data, size_t len);
