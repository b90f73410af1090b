#include "loop/ws.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"
#include "loop/ws_frame.h"

#define READ_SIZE ((size_t)128 << 10) /* taken from the socket at a time */
#define KEEP_SIZE (2 * READ_SIZE)     /* a buffer that grew above this is given back */
#define OVERSIZE_HEAD 256u            /* bytes of a skipped message that are still shown */

enum state { STATE_CONNECTING, STATE_HANDSHAKE, STATE_OPEN, STATE_CLOSED };

struct ws {
	struct loop *loop;
	enum state state;
	int fd;
	struct watch *watch;
	const struct ws_handler *handler;
	void *data;
	char key[WS_KEY_SIZE];
	struct str out; /* of which `sent` bytes are gone; begins with the request */
	size_t sent;
	bool choked; /* the kernel takes no more at the moment */
	struct ready flush;
	struct str in;      /* what was read and is not taken yet */
	struct str message; /* the frames so far of one that comes in several; what is too long: its head */
	size_t limit;
	size_t skip;     /* bytes to come of a frame that is not kept */
	bool skip_final; /* it is the last one of its message */
	bool skipping;   /* of a message that is not kept */
	struct timer *rest;
	bool rests;
	char reason[160];
	struct ready close_notice;
};

static void run_close_notice(struct ready *r)
{
	struct ws *w = CONTAINER_OF(r, struct ws, close_notice);

	w->handler->closed(w->reason, w->data);
}

static void drop_connection(struct ws *w)
{
	w->watch = watch_free(w->watch);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	w->state = STATE_CLOSED;
	timer_set(w->rest, USEC_NEVER);
	loop_cancel_ready(w->loop, &w->flush);
}

static void disconnected(struct ws *w, const char *reason)
{
	drop_connection(w);
	snprintf(w->reason, sizeof(w->reason), "%s", reason);
	loop_ready(w->loop, &w->close_notice);
}

/* What the kernel is to tell of: hang-ups and errors it tells in any case. */
static void watch_again(struct ws *w)
{
	bool out = w->state == STATE_CONNECTING || w->choked;

	watch_set_events(w->watch, (w->rests ? 0 : EPOLLIN) | (out ? EPOLLOUT : 0));
}

/* ---- sending ---- */

static void set_choked(struct ws *w, bool choked)
{
	if (w->choked == choked)
		return;
	w->choked = choked;
	watch_again(w);
}

static void flush(struct ws *w)
{
	while (w->sent < w->out.len) {
		ssize_t n = send(w->fd, w->out.data + w->sent, w->out.len - w->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			set_choked(w, true);
			return;
		}
		if (n < 0) {
			disconnected(w, strerror(errno));
			return;
		}
		w->sent += (size_t)n;
	}
	set_choked(w, false);
	w->sent = 0;
	str_reset(&w->out);
	if (w->out.cap > KEEP_SIZE)
		str_done(&w->out);
}

/* What was written since the last round leaves in one piece. */
static void run_flush(struct ready *r)
{
	struct ws *w = CONTAINER_OF(r, struct ws, flush);

	if (w->state == STATE_OPEN && !w->choked)
		flush(w);
}

static void append_frame(struct ws *w, enum ws_opcode opcode, const char *payload, size_t len)
{
	ws_frame_append(&w->out, opcode, payload, len);
	loop_ready(w->loop, &w->flush);
}

int ws_send(struct ws *w, const char *text, size_t len)
{
	if (w->state == STATE_CLOSED)
		return -ENOTCONN;
	if (w->out.len - w->sent + len > LIMIT_CDP_PENDING)
		return -ENOBUFS;
	append_frame(w, WS_TEXT, text, len);
	return 0;
}

/* ---- receiving ---- */

/* The byte behind the text is the next frame's, or the NUL at the end of what was read. */
static void tell(struct ws *w, char *text, size_t len)
{
	char behind = text[len];

	text[len] = '\0';
	w->handler->message(text, len, w->data);
	text[len] = behind;
}

static void end_message(struct ws *w)
{
	if (w->skipping)
		w->handler->oversize(str_text(&w->message), w->message.len, w->data);
	else
		tell(w, w->message.data, w->message.len);
	w->skipping = false;
	str_reset(&w->message);
	if (w->message.cap > KEEP_SIZE)
		str_done(&w->message);
}

/* The beginning of the message is kept, to be shown. */
static void skip_bytes(struct ws *w, const char *data, size_t len)
{
	size_t kept = MIN(w->message.len, (size_t)OVERSIZE_HEAD);

	w->message.len = kept;
	str_append_len(&w->message, data, MIN(len, OVERSIZE_HEAD - kept));
	w->skip -= len;
	if (w->skip == 0 && w->skip_final)
		end_message(w);
}

/* A frame that makes its message too long, or comes behind one. */
static void skip_frame(struct ws *w, const struct ws_frame *f)
{
	w->skipping = true;
	w->skip_final = f->final;
	w->skip = f->len;
	skip_bytes(w, "", 0);
}

static void take_data(struct ws *w, const struct ws_frame *f, char *payload)
{
	if (f->final && w->message.len == 0) {
		tell(w, payload, f->len);
		return;
	}
	str_append_len(&w->message, payload, f->len);
	if (f->final)
		end_message(w);
}

static void take_frame(struct ws *w, const struct ws_frame *f, char *payload)
{
	if (f->opcode == WS_PING)
		append_frame(w, WS_PONG, payload, f->len);
	else if (f->opcode == WS_CLOSE)
		disconnected(w, "the connection was closed");
	else if (f->opcode < WS_CLOSE)
		take_data(w, f, payload);
}

static bool is_too_long(const struct ws *w, const struct ws_frame *f)
{
	return f->opcode < WS_CLOSE && (w->skipping || f->len > w->limit || w->message.len + f->len > w->limit);
}

/* Takes one frame, or the part of it that is there. Returns bytes; 0: the rest of it has to come first. */
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
		disconnected(w, "what it sends is no WebSocket");
	if (r <= 0)
		return 0;
	if (is_too_long(w, &f)) {
		skip_frame(w, &f);
		return f.head;
	}
	if (len - f.head < f.len) {
		str_reserve(&w->in, f.head + f.len);
		return 0;
	}
	take_frame(w, &f, data + f.head);
	return f.head + f.len;
}

static void drop_taken(struct ws *w, size_t taken)
{
	w->in.len -= taken;
	if (w->in.len == 0 && w->in.cap > KEEP_SIZE)
		str_done(&w->in);
	else if (taken > 0)
		memmove(w->in.data, w->in.data + taken, w->in.len + 1);
}

static void take_frames(struct ws *w)
{
	size_t at = 0, n;

	while (w->state == STATE_OPEN && at < w->in.len) {
		n = take_next(w, w->in.data + at, w->in.len - at);
		if (n == 0)
			break;
		at += n;
	}
	drop_taken(w, at);
}

static void take_answer(struct ws *w)
{
	ptrdiff_t n = ws_answer(w->in.data, w->in.len, w->key);

	if (n < 0)
		disconnected(w, "it answers, but not as a WebSocket");
	if (n <= 0)
		return;
	drop_taken(w, (size_t)n);
	w->state = STATE_OPEN;
	loop_ready(w->loop, &w->flush);
	w->handler->open(w->data);
}

static void receive(struct ws *w)
{
	ssize_t n;

	str_reserve(&w->in, READ_SIZE);
	n = recv(w->fd, w->in.data + w->in.len, w->in.cap - w->in.len - 1, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		disconnected(w, n == 0 ? "the connection was closed" : strerror(errno));
		return;
	}
	w->in.len += (size_t)n;
	w->in.data[w->in.len] = '\0';
	if (w->state == STATE_HANDSHAKE)
		take_answer(w);
	if (w->state == STATE_OPEN)
		take_frames(w);
}

/* ---- resting ---- */

static void on_rested(void *data)
{
	struct ws *w = data;

	w->rests = false;
	watch_again(w);
}

void ws_rest(struct ws *w, usec_t duration)
{
	if (w->rests || w->state != STATE_OPEN)
		return;
	w->rests = true;
	watch_again(w);
	timer_set(w->rest, clock_now() + duration);
}

void ws_resume(struct ws *w)
{
	if (!w->rests || w->state != STATE_OPEN)
		return;
	timer_set(w->rest, USEC_NEVER);
	on_rested(w);
}

/* ---- the connection ---- */

static int error_of(int fd)
{
	socklen_t size = sizeof(int);
	int error = 0;

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? -errno : -error;
}

static void on_connected(struct ws *w)
{
	int r = error_of(w->fd);

	if (r == 0 && send(w->fd, w->out.data, w->sent, MSG_NOSIGNAL) != (ssize_t)w->sent) /* nothing is in its way yet */
		r = -EPIPE;
	if (r < 0) {
		disconnected(w, strerror(-r));
		return;
	}
	w->state = STATE_HANDSHAKE;
	watch_again(w);
}

static void on_event(uint32_t events, void *data)
{
	struct ws *w = data;

	if (w->state == STATE_CONNECTING) {
		on_connected(w);
		return;
	}
	if (events & EPOLLOUT)
		flush(w);
	if (w->state != STATE_CLOSED && (events & ~(uint32_t)EPOLLOUT))
		receive(w);
}

/* `host` is numeric. Returns the length of the address, 0 when it is none. */
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

static int begin(struct ws *w, const char *host, int port)
{
	struct sockaddr_storage address;
	socklen_t size = make_address(host, port, &address);
	int one = 1;

	if (size == 0)
		return -EINVAL;
	w->fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (w->fd < 0)
		return -errno;
	setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(w->fd, (struct sockaddr *)&address, size) < 0 && errno != EINPROGRESS)
		return -errno;
	return watch_new(w->loop, w->fd, EPOLLOUT, on_event, w, &w->watch);
}

int ws_connect(struct loop *l, const char *host, int port, const char *path, size_t message_limit,
	       const struct ws_handler *handler, void *data, struct ws **ret)
{
	struct ws *w = NEW(struct ws);
	int r;

	*w = (struct ws){ .loop = l, .fd = -1, .handler = handler, .data = data, .limit = message_limit };
	w->close_notice.run = run_close_notice;
	w->flush.run = run_flush;
	w->rest = timer_new(l, on_rested, w);
	ws_key(w->key);
	ws_request(&w->out, host, port, path, w->key);
	w->sent = w->out.len;
	r = begin(w, host, port);
	if (r < 0)
		disconnected(w, strerror(-r));
	*ret = w;
	return 0;
}

struct ws *ws_free(struct ws *w)
{
	if (!w)
		return NULL;
	drop_connection(w);
	loop_cancel_ready(w->loop, &w->close_notice);
	timer_free(w->rest);
	str_done(&w->out);
	str_done(&w->in);
	str_done(&w->message);
	free(w);
	return NULL;
}
