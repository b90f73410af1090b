#include "loop/ws.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/transport_kind.h"
#include "loop/ws_frame.h"

struct ws {
	struct transport transport;
	char key[WS_KEY_SIZE];
	size_t request;  /* length of the handshake request at the beginning of `out` */
	size_t skip;     /* remaining payload bytes of a skipped frame */
	bool skip_final; /* the skipped frame is the last one of its message */
	bool pong_due;   /* the peer has sent a ping that is not answered yet */
	char ping[WS_CONTROL_MAX];
	size_t ping_len; /* of the newest one, the only one that must be answered (RFC 6455, section 5.5.3) */
};

static void ws_append_text(struct transport *t, const char *text, size_t len)
{
	ws_frame_append(&t->out, WS_TEXT, text, len);
}

static bool append_pong(struct transport *t)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);

	if (!w->pong_due || t->state != TRANSPORT_OPEN)
		return false;
	w->pong_due = false;
	ws_frame_append(&t->out, WS_PONG, w->ping, w->ping_len);
	return true;
}

/* ---- frames ---- */

static void take_ping(struct transport *t, const struct ws_frame *f, const char *payload)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);

	memcpy(w->ping, payload, f->len);
	w->ping_len = f->len;
	w->pong_due = true;
	transport_flush_soon(t);
}

static void skip_bytes(struct ws *w, const char *data, size_t len)
{
	transport_skip(&w->transport, data, len);
	w->skip -= len;
	if (w->skip == 0 && w->skip_final)
		transport_end_message(&w->transport);
}

/* Skips a frame of a message that is too long. */
static void skip_frame(struct ws *w, const struct ws_frame *f)
{
	w->skip_final = f->final;
	w->skip = f->len;
	skip_bytes(w, "", 0);
}

static void ws_take_data(struct transport *t, const struct ws_frame *f, char *payload)
{
	if (f->final && t->message.len == 0) {
		transport_deliver(t, payload, f->len);
		return;
	}
	str_append_len(&t->message, payload, f->len);
	if (f->final)
		transport_end_message(t);
}

static void take_frame(struct transport *t, const struct ws_frame *f, char *payload)
{
	if (f->opcode == WS_PING) {
		take_ping(t, f, payload);
	} else if (f->opcode == WS_CLOSE) {
		transport_disconnect(t, "the connection was closed");
	} else if (f->opcode < WS_CLOSE) {
		ws_take_data(t, f, payload);
	}
}

static bool ws_is_too_long(const struct transport *t, const struct ws_frame *f)
{
	return f->opcode < WS_CLOSE && (t->skipping || f->len > t->limit || t->message.len + f->len > t->limit);
}

/* Processes one frame. Returns the number of consumed bytes, 0 while the frame is incomplete. */
static size_t ws_take_next(struct ws *w, char *data, size_t len)
{
	struct ws_frame f;
	size_t skipped = MIN(len, w->skip);
	int r;

	if (skipped > 0) {
		skip_bytes(w, data, skipped);
		return skipped;
	}
	r = ws_frame_read(data, len, &f);
	if (r < 0)
		transport_disconnect(&w->transport, "invalid WebSocket frame");
	if (r <= 0)
		return 0;
	if (ws_is_too_long(&w->transport, &f)) {
		skip_frame(w, &f);
		return f.head;
	}
	if (len - f.head < f.len) {
		/* With room for a whole read at the end, the buffer need not grow, and be copied, before the frame is complete. */
		str_reserve(&w->transport.in, f.head + f.len - len + TRANSPORT_READ_SIZE);
		return 0;
	}
	take_frame(&w->transport, &f, data + f.head);
	return f.head + f.len;
}

static size_t ws_take_frames(struct ws *w, size_t at)
{
	struct transport *t = &w->transport;
	size_t n = 1;

	for (; t->state == TRANSPORT_OPEN && at < t->in.len && n > 0; at += n)
		n = ws_take_next(w, t->in.data + at, t->in.len - at);
	return at;
}

/* The answer opens no connection. What the server says in it may still be on the way. */
static void ws_take_refusal(struct transport *t)
{
	unsigned status = response_status(t->in.data);
	char reason[64];

	if (!status || status == 101 || !memmem(t->in.data, t->in.len, "\r\n\r\n", 4)) {
		transport_disconnect(t, "invalid response to the WebSocket handshake");
		return;
	}
	if (!refusal_read(t->in.data, t->in.len, &t->refusal))
		return;
	snprintf(reason, sizeof(reason), "the server responded with HTTP status %u", status);
	transport_disconnect(t, reason);
}

/* Processes the handshake response. Returns its length, 0 while it is incomplete. */
static size_t ws_take_answer(struct ws *w)
{
	struct transport *t = &w->transport;
	ptrdiff_t n = ws_answer(t->in.data, t->in.len, w->key);

	if (n < 0) {
		ws_take_refusal(t);
		return 0;
	}
	if (n == 0)
		return 0;
	transport_opened(t);
	return (size_t)n;
}

static size_t ws_take(struct transport *t)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);

	return ws_take_frames(w, t->state == TRANSPORT_HANDSHAKE ? ws_take_answer(w) : 0);
}

/* ---- the connection ---- */

/* Sends the handshake request; queued messages wait for the response. */
static void ws_send_request(struct transport *t)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);
	ssize_t n = transport_write(t, t->out.data, w->request);

	if (n != (ssize_t)w->request) /* the send buffer of a new socket has room */
		transport_disconnect(t, n < 0 ? strerror(errno) : "the connection was closed");
	else
		t->sent = w->request;
}

static const struct transport_kind ws_kind = {
	.append = ws_append_text, .append_control = append_pong, .ready = ws_send_request, .take = ws_take
};

int ws_open(struct loop *l, int fd, const struct request *request, size_t message_limit, const struct transport_handler *handler,
	    void *data, struct transport **ret)
{
	struct ws *w = NEW(struct ws);
	struct transport *t = &w->transport;

	transport_init(t, &ws_kind, l, message_limit, handler, data);
	ws_key(w->key);
	ws_request(&t->out, request, w->key);
	w->request = t->out.len;
	transport_begin(t, fd, request);
	*ret = t;
	return 0;
}
