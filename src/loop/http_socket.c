#include "loop/http_socket.h"

#include <assert.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/log.h"
#include "loop/http_exchange.h"
#include "loop/internal.h"
#include "loop/ws_frame.h"

/* Unsent bytes that the kernel takes. With more, pictures would be out of date before a slow client gets them. */
#define KERNEL_UNSENT (128 << 10)
#define CODE_SIZE 2 /* of the code in the payload of a closing frame */

struct http_socket {
	struct http_exchange *x;
	const struct http_socket_handler *handler;
	void *data;
	struct str message;  /* the fragments of a message so far */
	enum ws_opcode kind; /* of that message; WS_CONTINUATION: there is none */
	struct timer *timer; /* of the next ping, or of the end of the wait for an answer */
	bool pinged;         /* nothing has come since the last ping */
	bool queued;         /* messages were sent since `drained` */
	bool ended;          /* nothing more is received or sent */
	struct ready gone;
};

/* ---- sending ---- */

size_t http_socket_unsent(const struct http_socket *s)
{
	const struct http_exchange *x = s->x;

	if (s->ended || x->dropped)
		return 0;
	return x->out.len - x->sent + (lws_partial_buffered(x->wsi) ? 1 : 0);
}

static void socket_drop(struct http_socket *s, const char *why)
{
	log_info("dropping the WebSocket of %s: %s", s->x->peer, why);
	s->ended = true;
	exchange_drop(s->x);
}

/* Sends a frame, whose payload consists of two parts. */
static void send_frame(struct http_socket *s, enum ws_opcode opcode, const char *head, size_t head_len, const char *bytes,
		       size_t len)
{
	_cleanup_(str_done) struct str frame = {};

	if (http_socket_unsent(s) + head_len + len > LIMIT_SOCKET_PENDING) {
		socket_drop(s, "it does not read its messages");
		return;
	}
	ws_server_head_append(&frame, opcode, head_len + len);
	str_append_len(&frame, head, head_len);
	exchange_send(s->x, frame.data, frame.len);
	exchange_send(s->x, bytes, len);
}

static void socket_send_message(struct http_socket *s, enum ws_opcode opcode, const char *head, size_t head_len, const char *bytes,
				size_t len)
{
	if (s->ended)
		return;
	s->queued = true;
	send_frame(s, opcode, head, head_len, bytes, len);
}

void http_socket_text(struct http_socket *s, const char *text, size_t len)
{
	socket_send_message(s, WS_TEXT, "", 0, text, len);
}

void http_socket_binary(struct http_socket *s, const char *head, size_t head_len, const char *bytes, size_t len)
{
	socket_send_message(s, WS_BINARY, head, head_len, bytes, len);
}

void socket_written(struct http_exchange *x)
{
	struct http_socket *s = x->socket;

	if (!s || s->ended || !s->queued || http_socket_unsent(s) > 0)
		return;
	s->queued = false;
	if (s->handler->drained)
		s->handler->drained(s, s->data);
}

/* ---- the end ---- */

static void socket_free(struct http_socket *s)
{
	timer_free(s->timer);
	loop_cancel_ready(s->x->server->loop, &s->gone);
	str_done(&s->message);
	free(s);
}

void socket_lost(struct http_exchange *x)
{
	struct http_socket *s = TAKE_PTR(x->socket);

	if (!s)
		return;
	s->ended = true;
	s->handler->gone(s, s->data);
	socket_free(s);
}

static void on_socket_gone(struct ready *r)
{
	socket_lost(CONTAINER_OF(r, struct http_socket, gone)->x);
}

/* The client has as long as after the last response of a connection to read what is left. */
void http_socket_close(struct http_socket *s, unsigned code, const char *reason)
{
	char payload[WS_CONTROL_MAX] = { (char)(code >> 8), (char)code };
	size_t len = MIN(strlen(reason), sizeof(payload) - CODE_SIZE);

	if (s->ended)
		return;
	s->ended = true;
	timer_set(s->timer, USEC_NEVER);
	memcpy(payload + CODE_SIZE, reason, len);
	send_frame(s, WS_CLOSE, "", 0, payload, code == SOCKET_NO_CODE ? 0 : CODE_SIZE + len);
	if (!s->x->dropped)
		exchange_begin_closing(s->x);
	loop_ready(s->x->server->loop, &s->gone);
}

/* ---- receiving ---- */

static void socket_deliver(struct http_socket *s, enum ws_opcode kind, char *bytes, size_t len)
{
	const char behind = bytes[len];

	bytes[len] = '\0';
	if (kind == WS_TEXT && !utf8_is_valid(bytes, len))
		http_socket_close(s, SOCKET_INVALID_TEXT, "a text is not UTF-8");
	else if (kind == WS_TEXT)
		s->handler->text(s, bytes, len, s->data);
	else if (s->handler->binary)
		s->handler->binary(s, bytes, len, s->data);
	else
		http_socket_close(s, SOCKET_UNSUPPORTED, "binary messages are not supported");
	bytes[len] = behind;
}

static void take_fragment(struct http_socket *s, const struct ws_frame *f, const char *payload)
{
	if (f->opcode != WS_CONTINUATION)
		s->kind = f->opcode;
	str_append_len(&s->message, payload, f->len);
	if (!f->final)
		return;
	str_append(&s->message, ""); /* a message without bytes needs a buffer as well */
	socket_deliver(s, s->kind, s->message.data, s->message.len);
	s->kind = WS_CONTINUATION;
	str_done(&s->message);
}

static void take_message_frame(struct http_socket *s, const struct ws_frame *f, char *payload)
{
	if ((f->opcode == WS_CONTINUATION) != (s->kind != WS_CONTINUATION))
		http_socket_close(s, SOCKET_PROTOCOL_ERROR, "fragments of messages are mixed up");
	else if (f->final && f->opcode != WS_CONTINUATION)
		socket_deliver(s, f->opcode, payload, f->len);
	else
		take_fragment(s, f, payload);
}

/* Whether a client may close with this code (section 7.4). */
static bool is_sendable(unsigned code)
{
	return (code >= 3000 && code <= 4999) || (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006);
}

static void take_close(struct http_socket *s, const struct ws_frame *f, const char *payload)
{
	unsigned code = f->len >= CODE_SIZE ? (unsigned)(unsigned char)payload[0] << 8 | (unsigned char)payload[1] : SOCKET_NO_CODE;

	if (f->len == 0)
		http_socket_close(s, SOCKET_NO_CODE, "");
	else if (is_sendable(code) && utf8_is_valid(payload + CODE_SIZE, f->len - CODE_SIZE))
		http_socket_close(s, code, "");
	else
		http_socket_close(s, SOCKET_PROTOCOL_ERROR, "the code or reason of closing is not valid");
}

static void socket_take_frame(struct http_socket *s, const struct ws_frame *f, char *payload)
{
	ws_mask(payload, f->len, f->mask);
	s->pinged = false;
	if (f->opcode == WS_CLOSE)
		take_close(s, f, payload);
	else if (f->opcode == WS_PING)
		send_frame(s, WS_PONG, "", 0, payload, f->len);
	else if (f->opcode != WS_PONG)
		take_message_frame(s, f, payload);
}

/* Returns the number of consumed bytes, 0 while the frame is incomplete or after the end. */
static size_t socket_take_next(struct http_socket *s, char *data, size_t len)
{
	struct ws_frame f;
	int r = ws_client_frame_read(data, len, &f);

	if (r < 0)
		http_socket_close(s, SOCKET_PROTOCOL_ERROR, "a frame is not valid or not masked");
	if (r <= 0)
		return 0;
	if (f.opcode < WS_CLOSE && f.len > LIMIT_SOCKET_MESSAGE - s->message.len) {
		http_socket_close(s, SOCKET_TOO_LONG, "a message is too long");
		return 0;
	}
	if (len - f.head < f.len)
		return 0;
	socket_take_frame(s, &f, data + f.head);
	return f.head + f.len;
}

void socket_take(struct http_exchange *x)
{
	struct http_socket *s = x->socket;
	size_t at = 0, n = 1;
	unsigned count = 0;

	while (n > 0 && count < LIMIT_SOCKET_TURN_COUNT && at < x->in.len && !s->ended && !x->dropped) {
		n = socket_take_next(s, x->in.data + at, x->in.len - at);
		at += n;
		count++;
	}
	exchange_cut_input(x, at);
	if (count == LIMIT_SOCKET_TURN_COUNT)
		loop_ready(x->server->loop, &x->write_ready);
}

static void on_socket_timer(void *data)
{
	struct http_socket *s = data;

	if (s->pinged) {
		socket_drop(s, "it does not answer a ping");
		return;
	}
	s->pinged = true;
	send_frame(s, WS_PING, "", 0, "", 0);
	timer_set(s->timer, clock_now() + SOCKET_PING_PERIOD);
}

/* ---- the handshake, section 4.2.1 ---- */

static bool refuse_handshake(struct http_exchange *x, int status, const char *why)
{
	http_answer(x, status, "text/plain", why, strlen(why));
	return false;
}

static bool is_handshake(struct http_exchange *x)
{
	const char *version = http_field(x, "sec-websocket-version"), *key = http_field(x, "sec-websocket-key");
	const struct http_head *h = &x->head;

	if (strcmp(h->method, "GET") != 0 || h->http_1_0 || h->chunked || h->content_length > 0 ||
	    !http_head_lists(http_field(x, "upgrade"), "websocket") || !http_head_lists(http_field(x, "connection"), "upgrade")) {
		http_add_fields(x, "Upgrade: websocket\r\nConnection: Upgrade\r\n");
		return refuse_handshake(x, 426, "this path is a WebSocket: connect to it as one");
	}
	if (!version || strcmp(version, "13") != 0) {
		http_add_fields(x, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
		return refuse_handshake(x, 426, "unsupported version of WebSocket: use 13");
	}
	return (key && ws_key_is_valid(key)) || refuse_handshake(x, 400, "Sec-WebSocket-Key must be 16 bytes in base64");
}

static void answer_handshake(struct http_exchange *x)
{
	_cleanup_(str_done) struct str out = {};

	str_append(&out, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ");
	ws_append_accept(&out, http_field(x, "sec-websocket-key"));
	str_appendf(&out, "\r\n%s\r\n", str_text(&x->fields));
	str_reset(&x->fields);
	x->server->answers[101]++;
	exchange_send(x, out.data, out.len);
}

struct http_socket *http_socket_accept(struct http_exchange *x, const struct http_socket_handler *handler, void *data)
{
	struct http_socket *s;

	assert(x->state == STATE_ANSWERING);
	if (!is_handshake(x))
		return NULL;
	s = NEW(struct http_socket);
	*s = (struct http_socket){ .x = x, .handler = handler, .data = data, .gone.run = on_socket_gone };
	s->timer = timer_new(x->server->loop, on_socket_timer, s);
	timer_set(s->timer, clock_now() + SOCKET_PING_PERIOD);
	setsockopt(lws_get_socket_fd(x->wsi), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &(int){ KERNEL_UNSENT }, sizeof(int));
	x->socket = s;
	x->state = STATE_SOCKET;
	answer_handshake(x);
	return s;
}

void *http_socket_data(const struct http_socket *s)
{
	return s->data;
}
