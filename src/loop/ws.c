#include "loop/ws.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "loop/transport_kind.h"
#include "loop/ws_frame.h"

struct ws {
	struct transport transport;
	char key[WS_KEY_SIZE];
	size_t request;  /* length of the handshake request at the beginning of `out` */
	size_t skip;     /* remaining payload bytes of a skipped frame */
	bool skip_final; /* the skipped frame is the last one of its message */
};

static void append_text(struct transport *t, const char *text, size_t len)
{
	ws_frame_append(&t->out, WS_TEXT, text, len);
}

/* ---- frames ---- */

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

static void take_data(struct transport *t, const struct ws_frame *f, char *payload)
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
		ws_frame_append(&t->out, WS_PONG, payload, f->len);
		transport_flush_soon(t);
	} else if (f->opcode == WS_CLOSE) {
		transport_disconnect(t, "the connection was closed");
	} else if (f->opcode < WS_CLOSE) {
		take_data(t, f, payload);
	}
}

static bool is_too_long(const struct transport *t, const struct ws_frame *f)
{
	return f->opcode < WS_CLOSE && (t->skipping || f->len > t->limit || t->message.len + f->len > t->limit);
}

/* Processes one frame. Returns the number of consumed bytes, 0 while the frame is incomplete. */
static size_t take_next(struct ws *w, char *data, size_t len)
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
	if (is_too_long(&w->transport, &f)) {
		skip_frame(w, &f);
		return f.head;
	}
	if (len - f.head < f.len) {
		str_reserve(&w->transport.in, f.head + f.len);
		return 0;
	}
	take_frame(&w->transport, &f, data + f.head);
	return f.head + f.len;
}

static size_t take_frames(struct ws *w, size_t at)
{
	struct transport *t = &w->transport;
	size_t n = 1;

	for (; t->state == TRANSPORT_OPEN && at < t->in.len && n > 0; at += n)
		n = take_next(w, t->in.data + at, t->in.len - at);
	return at;
}

/* Processes the handshake response. Returns its length, 0 while it is incomplete. */
static size_t take_answer(struct ws *w)
{
	struct transport *t = &w->transport;
	ptrdiff_t n = ws_answer(t->in.data, t->in.len, w->key);

	if (n < 0)
		transport_disconnect(t, "invalid response to the WebSocket handshake");
	if (n <= 0)
		return 0;
	transport_opened(t);
	return (size_t)n;
}

static size_t take(struct transport *t)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);

	return take_frames(w, t->state == TRANSPORT_HANDSHAKE ? take_answer(w) : 0);
}

/* ---- the connection ---- */

static int error_of(int fd)
{
	socklen_t size = sizeof(int);
	int error = 0;

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -errno : -error;
}

/* Sends the handshake request; queued messages wait for the response. */
static void connected(struct transport *t)
{
	struct ws *w = CONTAINER_OF(t, struct ws, transport);
	int r = error_of(t->fd);

	if (r == 0 && send(t->fd, t->out.data, w->request, MSG_NOSIGNAL) !=
			      (ssize_t)w->request) /* the send buffer of a new socket has room */
		r = -EPIPE;
	if (r < 0) {
		transport_disconnect(t, strerror(-r));
		return;
	}
	t->sent = w->request;
	t->state = TRANSPORT_HANDSHAKE;
	transport_watch_again(t);
}

/* Parses a numeric address. Returns the length of the socket address, 0 when `host` is not numeric. */
static socklen_t make_address(const char *host, int port, struct sockaddr_storage *ret)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;

	*ret = (struct sockaddr_storage){};
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)port);
		return sizeof(*v4);
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1)
		return 0;
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons((uint16_t)port);
	return sizeof(*v6);
}

static int begin(struct transport *t, const char *host, int port)
{
	struct sockaddr_storage address;
	socklen_t size = make_address(host, port, &address);
	int one = 1;

	if (size == 0)
		return -EINVAL;
	t->fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (t->fd < 0)
		return -errno;
	setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(t->fd, (struct sockaddr *)&address, size) < 0 && errno != EINPROGRESS)
		return -errno;
	return transport_watch(t, TRANSPORT_CONNECTING);
}

static const struct transport_kind ws_kind = { .append = append_text, .connected = connected, .take = take };

int ws_connect(struct loop *l, const char *host, int port, const char *path, size_t message_limit,
	       const struct transport_handler *handler, void *data, struct transport **ret)
{
	struct ws *w = NEW(struct ws);
	int r;

	transport_init(&w->transport, &ws_kind, l, message_limit, handler, data);
	ws_key(w->key);
	ws_request(&w->transport.out, host, port, path, w->key);
	w->request = w->transport.out.len;
	r = begin(&w->transport, host, port);
	if (r < 0)
		transport_disconnect(&w->transport, strerror(-r));
	*ret = &w->transport;
	return 0;
}
