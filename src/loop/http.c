#include "loop/http.h"

#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "loop/http_exchange.h"
#include "loop/http_socket.h"
#include "loop/internal.h"
#include "loop/listener.h"
#include "loop/turn.h"

#define HEAD_TIMEOUT (15 * USEC_PER_SEC) /* from the first byte of a head to its last */
#define PEER_TIMEOUT_MSEC 60000          /* TCP_USER_TIMEOUT: a client that acknowledges nothing for so long is considered gone */

/* ---- the end of a connection ---- */

static void exchange_free(struct http_exchange *x)
{
	socket_lost(x);
	exchange_release(x);
	if (x->body)
		x->body->free(x->body);
	exchange_set_user(x, NULL);
	TAILQ_REMOVE(&x->server->exchanges, x, link);
	timer_free(x->timer);
	loop_cancel_ready(x->server->loop, &x->write_ready);
	free(x->head_text);
	str_done(&x->in);
	str_done(&x->out);
	str_done(&x->fields);
	free(x);
}

static void connection_closed(struct http_exchange *x)
{
	exchange_release(x);
	x->wsi = NULL;
	if (x->state == STATE_ANSWERING || x->state == STATE_STREAMING)
		x->server->handler->gone(x, x->server->data);
	exchange_free(x);
}

static void http_on_timeout(void *data)
{
	exchange_drop(data);
}

/* ---- input ---- */

static void http_refuse_with(struct http_exchange *x, int status, const char *why)
{
	x->close = true;
	http_answer(x, status, "text/plain", why, strlen(why));
}

/* Refuses what exceeds the limit called `limit`. */
static void refuse_too_long(struct http_exchange *x, int status, const char *what, const char *limit)
{
	_cleanup_(str_done) struct str why = {};

	str_appendf(&why, "%s is longer than %s allows", what, limit);
	http_refuse_with(x, status, why.data);
}

static void refuse_body(struct http_exchange *x)
{
	refuse_too_long(x, 413, "the body", x->server->limits->names.body);
}

/* Copies the head, because the input buffer can move when the body arrives. */
static void http_take_head(struct http_exchange *x, size_t len)
{
	const char *why;
	int status;

	free(x->head_text);
	x->head_text = must(malloc(len + 1));
	memcpy(x->head_text, x->in.data, len);
	x->head_text[len] = '\0';
	exchange_cut_input(x, len);
	status = http_head_parse(x->head_text, len, &x->head, &why);
	x->close = status || x->head.close;
	x->chunks = (struct http_chunks){};
	if (status) {
		http_refuse_with(x, status, why);
		return;
	}
	if (x->head.content_length > x->server->limits->body) {
		refuse_body(x);
		return;
	}
	x->state = STATE_BODY;
	exchange_set_timeout(x, BODY_TIMEOUT);
	x->server->handler->head(x, x->server->data);
	if (!x->answered && x->head.expects_continue && x->in.len == 0)
		exchange_send(x, "HTTP/1.1 100 Continue\r\n\r\n", 25);
}

/* False when more input is needed, or when the client must first read earlier responses. */
static bool want_head(struct http_exchange *x)
{
	size_t max = x->server->limits->head, len;

	if (x->in.len > 0 && exchange_write(x) < 0)
		exchange_drop(x);
	if (x->dropped || exchange_has_unread(x))
		return false;
	/* RFC 9112, section 2.2: ignore empty lines before the request line */
	while (x->in.len >= 2 && memcmp(x->in.data, "\r\n", 2) == 0)
		exchange_cut_input(x, 2);
	len = x->in.len > 0 ? http_head_length(x->in.data, MIN(x->in.len, max)) : 0;
	if (len > 0) {
		http_take_head(x, len);
		return true;
	}
	if (x->in.len < max)
		return false;
	x->head = (struct http_head){};
	refuse_too_long(x, 431, "the head of the request", x->server->limits->names.head);
	return true;
}

/* Decodes a chunked body. False when more input is needed or the connection is closed. */
static bool want_chunks(struct http_exchange *x)
{
	const char *why;
	int status = http_chunks_read(&x->chunks, &x->in, x->server->limits->body, &why);

	x->head.content_length = x->chunks.length;
	if (!status)
		return x->chunks.state == CHUNK_DONE;
	x->state = STATE_ANSWERING;
	x->close = true;
	if (x->answered)
		exchange_complete(x);
	else if (status == 413)
		refuse_body(x);
	else
		http_refuse_with(x, status, why);
	return false;
}

/* Discards the body of a request that was answered after its head. */
static bool skip_body(struct http_exchange *x)
{
	size_t len = x->head.chunked ? 0 : MIN(x->in.len, x->head.content_length);

	exchange_cut_input(x, len);
	x->head.content_length -= len;
	if (!x->head.chunked && x->head.content_length > 0)
		return false;
	x->state = STATE_ANSWERING;
	exchange_complete(x);
	return true;
}

static bool want_body(struct http_exchange *x)
{
	size_t len;

	if (x->head.chunked && !want_chunks(x))
		return false;
	if (x->answered)
		return skip_body(x);
	len = x->head.content_length;
	if (x->in.len < len)
		return false;
	exchange_set_timeout(x, USEC_NEVER);
	x->state = STATE_ANSWERING;
	x->server->handler->request(x, x->server->data);
	exchange_cut_input(x, len);
	return true;
}

static void http_advance(struct http_exchange *x)
{
	x->advancing = true;
	for (bool more = !x->dropped; more;)
		more = x->state == STATE_HEAD ? want_head(x) : x->state == STATE_BODY ? want_body(x) : false;
	if (x->state == STATE_SOCKET && !x->dropped)
		socket_take(x);
	x->advancing = false;
	if (x->state == STATE_CLOSING)
		str_done(&x->in);
	exchange_account(x);
}

/* Writes output that may be sent, and takes the next request when the client has read all. */
static int take_turn(struct http_exchange *x)
{
	int r = exchange_write(x);

	if (r == 0 && x->state == STATE_SOCKET)
		socket_written(x);
	if (r == 0 && x->body && !x->dropped && !exchange_has_unread(x))
		x->body->more(x, x->body);
	if (r == 0 && !x->advancing)
		http_advance(x);
	return r;
}

/* libwebsockets limits the time until the first input (TLS handshake included); from here on the timer of `x` applies. */
static void http_begin(struct http_exchange *x)
{
	x->begun = true;
	if (!x->server->tls)
		return;
	lws_set_timeout(x->wsi, NO_PENDING_TIMEOUT, 0);
	if (!tls_is_used(x->wsi))
		http_refuse_with(x, 400, "this port serves HTTPS: use a URL that begins with https://");
}

/* Writes without waiting for a writable event first: the socket almost always has room. */
static void on_write_ready(struct ready *r)
{
	struct http_exchange *x = CONTAINER_OF(r, struct http_exchange, write_ready);

	if (take_turn(x) < 0)
		exchange_drop(x);
}

static void http_receive(struct http_exchange *x, const char *data, size_t len)
{
	if (!x->begun)
		http_begin(x);
	if (x->state == STATE_CLOSING || x->dropped)
		return;
	if (x->state == STATE_HEAD && x->in.len == 0)
		exchange_set_timeout(x, HEAD_TIMEOUT);
	str_append_len(&x->in, data, len);
	if (!x->advancing)
		http_advance(x);
}

/* ---- connections ---- */

static int http_on_event(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in, size_t len)
{
	struct http_exchange *x = lws_get_opaque_user_data(wsi);

	if (!x)
		return 0;
	turn_begin();
	switch (event) {
	case LWS_CALLBACK_RAW_RX:
		http_receive(x, in, len);
		return take_turn(x); /* sends a response of the callback now, which saves a round of the loop */
	case LWS_CALLBACK_RAW_WRITEABLE:
		return take_turn(x);
	case LWS_CALLBACK_RAW_CLOSE:
		lws_set_opaque_user_data(wsi, NULL);
		connection_closed(x);
		return 0;
	default:
		return 0;
	}
}

static void set_socket_options(int fd)
{
	int on = 1, timeout = PEER_TIMEOUT_MSEC;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
}

static struct lws *adopt_plain(struct http_server *s, int fd)
{
	lws_sock_file_fd_type descriptor = { .sockfd = fd };

	return lws_adopt_descriptor_vhost(loop_vhost(s->loop), LWS_ADOPT_SOCKET, descriptor, HTTP_PROTOCOL, NULL);
}

static void http_adopt(struct http_server *s, int fd, const struct sockaddr *address, socklen_t len)
{
	struct http_exchange *x = NEW(struct http_exchange);

	x->server = s;
	x->timer = timer_new(s->loop, http_on_timeout, x);
	x->write_ready.run = on_write_ready;
	if (getnameinfo(address, len, x->peer, sizeof(x->peer), NULL, 0, NI_NUMERICHOST) != 0)
		snprintf(x->peer, sizeof(x->peer), "unknown");
	set_socket_options(fd);
	TAILQ_INSERT_TAIL(&s->exchanges, x, link);
	s->count++;
	x->wsi = s->tls ? tls_adopt(s->tls, fd, HTTP_PROTOCOL) : adopt_plain(s, fd);
	if (!x->wsi) { /* tls_adopt() or libwebsockets has closed the descriptor */
		exchange_free(x);
		return;
	}
	lws_set_opaque_user_data(x->wsi, x);
	exchange_set_timeout(x, HEAD_TIMEOUT);
}

static void refuse_connection(struct http_server *s, int fd)
{
	_cleanup_(str_done) struct str why = {}, answer = {};
	ssize_t sent;

	str_appendf(&why, "all connections are in use, the limit of %s: close one, or try again", s->limits->names.connections);
	str_appendf(&answer,
		    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: text/plain\r\n"
		    "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		    why.len, why.data);
	sent = s->tls ? 0 : send(fd, answer.data, answer.len, MSG_DONTWAIT | MSG_NOSIGNAL);

	(void)sent; /* best effort: without a TLS handshake the client may not understand it */
	close(fd);
	s->answers[503]++;
}

static void http_on_connection(int fd, const struct sockaddr *address, socklen_t len, void *data)
{
	struct http_server *s = data;

	if (s->count < s->limits->connections || exchange_evict(s))
		http_adopt(s, fd, address, len);
	else
		refuse_connection(s, fd);
}

/* ---- the server ---- */

int http_server_new(struct loop *l, const struct listen_address *address, struct tls *tls, const struct http_limits *limits,
		    const struct http_handler *handler, void *data, struct http_server **ret, const char **ret_error)
{
	_cleanup_(http_server_freep) struct http_server *s = NEW(struct http_server);
	int r;

	*s = (struct http_server){ .loop = l, .tls = tls, .limits = limits, .handler = handler, .data = data };
	TAILQ_INIT(&s->exchanges);
	loop_set_http(l, http_on_event);
	r = listener_new(l, address, http_on_connection, s, &s->listener, ret_error);
	if (r < 0)
		return r;
	s->port = listener_port(s->listener);
	*ret = TAKE_PTR(s);
	return 0;
}

int http_server_port(const struct http_server *s)
{
	return s->port;
}

unsigned http_server_connections(const struct http_server *s)
{
	return s->count;
}

const uint64_t *http_server_answers(const struct http_server *s)
{
	return s->answers;
}

void http_server_stop(struct http_server *s)
{
	struct http_exchange *x;

	s->stopped = true;
	s->listener = listener_free(s->listener);
	TAILQ_FOREACH(x, &s->exchanges, link)
		if (x->state == STATE_HEAD || x->state == STATE_BODY)
			exchange_begin_closing(x);
		else if (x->state == STATE_SOCKET)
			http_socket_close(x->socket, SOCKET_GOING_AWAY, "the server is ending");
}

static void on_flush_timer(void *data)
{
	*(bool *)data = true;
}

static bool http_has_output(const struct http_server *s)
{
	const struct http_exchange *x;

	TAILQ_FOREACH(x, &s->exchanges, link)
		if (exchange_has_unread(x))
			return true;
	return false;
}

void http_server_flush(struct http_server *s, usec_t timeout)
{
	bool over = false;
	_cleanup_(timer_freep) struct timer *timer = timer_new(s->loop, on_flush_timer, &over);

	timer_set(timer, clock_now() + timeout);
	while (!over && http_has_output(s) && loop_step(s->loop) == 0)
		;
}

struct http_server *http_server_free(struct http_server *s)
{
	struct http_exchange *x;

	if (!s)
		return NULL;
	listener_free(s->listener);
	while ((x = TAILQ_FIRST(&s->exchanges))) {
		exchange_drop(x);
		lws_set_opaque_user_data(x->wsi, NULL);
		exchange_free(x);
	}
	free(s);
	return NULL;
}
