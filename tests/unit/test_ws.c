/* The WebSocket client against a server that sends what it likes: frames in pieces, long ones, pings, the end. */
#include "test.h"

#include <arpa/inet.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/str.h"
#include "loop/dial.h"
#include "loop/transport_kind.h"
#include "loop/ws.h"
#include "loop/ws_frame.h"

#define LIMIT 70000u
#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

/* One connection of a server that speaks `speech` behind its answer, `piece` bytes at a time, and then listens until the end. */
struct server {
	int listener, port;
	pthread_t thread;
	const struct str *speech;
	size_t piece;
	struct str heard; /* behind the request */
};

struct fixture {
	struct loop *loop;
	struct transport *ws;
	struct str received; /* messages with '|' behind each; long ones are their length */
	unsigned opened, closed;
};

static void append_message(struct str *received, const char *mark, const char *text, size_t len)
{
	if (len < 40)
		str_appendf(received, "%s%s|", mark, text);
	else
		str_appendf(received, "%s%zu|", mark, len);
}

static void on_open(void *data)
{
	struct fixture *f = data;

	f->opened++;
	transport_send(f->ws, "from the start", 14);
}

static void on_message(char *text, size_t len, void *data)
{
	struct fixture *f = data;

	assert_int_equal(text[len], '\0');
	append_message(&f->received, "", text, len);
	memset(text, '#', len); /* callbacks may change it */
}

static void on_oversize(const char *head, size_t len, void *data)
{
	append_message(&((struct fixture *)data)->received, "!", head, len);
}

static void on_closed(const char *reason, void *data)
{
	struct fixture *f = data;

	assert_true(reason[0]);
	f->closed++;
	loop_stop(f->loop);
}

static const struct transport_handler handler = { on_open, on_message, on_oversize, on_closed };

static void say(int fd, const char *text, size_t len, size_t piece)
{
	while (len > 0) {
		ssize_t n = send(fd, text, len < piece ? len : piece, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

static void answer(int fd, const char *request, size_t piece)
{
	_cleanup_(str_done) struct str text = {}, joined = {};
	const char *key = strstr(request, "Sec-WebSocket-Key: ");
	unsigned char digest[20];

	if (!key)
		return;
	str_appendf(&joined, "%.24s" GUID, key + strlen("Sec-WebSocket-Key: "));
	lws_SHA1((unsigned char *)joined.data, joined.len, digest);
	str_append(&text, "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ");
	base64_encode(&text, digest, sizeof(digest));
	str_append(&text, "\r\n\r\n");
	say(fd, text.data, text.len, piece);
}

static void *serve(void *data)
{
	struct server *s = data;
	int fd = accept(s->listener, NULL, NULL), one = 1;
	char buf[4096];
	ssize_t n;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	n = recv(fd, buf, sizeof(buf) - 1, 0);
	buf[n > 0 ? n : 0] = '\0';
	answer(fd, buf, s->piece);
	say(fd, s->speech->data, s->speech->len, s->piece);
	shutdown(fd, SHUT_WR);
	while ((n = recv(fd, buf, sizeof(buf), 0)) > 0)
		str_append_len(&s->heard, buf, (size_t)n);
	close(fd);
	return NULL;
}

static void server_start(struct server *s, const struct str *speech, size_t piece)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);

	*s = (struct server){ .speech = speech, .piece = piece };
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(s->listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(s->listener, 1), 0);
	assert_int_equal(getsockname(s->listener, (struct sockaddr *)&address, &size), 0);
	s->port = ntohs(address.sin_port);
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

/* As the server writes it: not masked. */
static void frame(struct str *out, int first, const char *text, size_t len)
{
	str_append_char(out, (char)first);
	if (len < 126) {
		str_append_char(out, (char)len);
	} else {
		str_append_char(out, 127);
		for (int shift = 56; shift >= 0; shift -= 8)
			str_append_char(out, (char)(len >> shift));
	}
	str_append_len(out, text, len);
}

static void take_client_frame(struct str *out, const char **at, const char *end)
{
	size_t len = (unsigned char)(*at)[1] & 0x7f;

	assert_true(end - *at >= (ptrdiff_t)(6 + len));
	str_appendf(out, "%x:", (unsigned char)(*at)[0]);
	for (size_t i = 0; i < len; i++)
		str_append_char(out, (char)((*at)[6 + i] ^ (*at)[2 + i % 4]));
	str_append_char(out, '|');
	*at += 6 + len;
}

struct dialled {
	struct loop *loop;
	int fd;
	struct str address, failure;
};

static void on_dialled(const struct dial_result *result, void *data)
{
	struct dialled *d = data;

	d->fd = result->fd;
	str_append(&d->address, result->address);
	str_append(&d->failure, result->failure);
	loop_stop(d->loop);
}

/* Runs the loop until the end of the attempt. */
static void dial(struct loop *loop, const char *host, int port, struct dialled *ret)
{
	struct dial *d;

	*ret = (struct dialled){ .loop = loop, .fd = -2 };
	d = dial_new(loop, host, port, on_dialled, ret);
	assert_int_equal(ret->fd, -2);
	assert_int_equal(loop_run(loop), 0);
	dial_free(d);
}

static void dialled_done(struct dialled *d)
{
	str_done(&d->address);
	str_done(&d->failure);
}

static void converse(const struct str *speech, size_t piece, const char *received, const char *heard)
{
	struct fixture f = {};
	struct dialled d;
	struct server s;
	_cleanup_(str_done) struct str frames = {};
	const char *at;

	server_start(&s, speech, piece);
	assert_int_equal(loop_new(&f.loop), 0);
	dial(f.loop, "localhost", s.port, &d); /* the first address may be of version 6, where the server does not listen */
	assert_string_equal(d.address.data, "127.0.0.1");
	assert_int_equal(ws_open(f.loop, d.fd, &(const struct request){ .host = "localhost", .port = s.port, .path = "/x" }, LIMIT,
				 &handler, &f, &f.ws),
			 0);
	assert_int_equal(loop_run(f.loop), 0);
	transport_free(f.ws);
	loop_free(f.loop);
	pthread_join(s.thread, NULL);
	close(s.listener);
	assert_int_equal(f.opened, 1);
	assert_int_equal(f.closed, 1);
	assert_string_equal(str_text(&f.received), received);
	for (at = s.heard.data; at && at < s.heard.data + s.heard.len;)
		take_client_frame(&frames, &at, s.heard.data + s.heard.len);
	if (heard)
		assert_string_equal(str_text(&frames), heard);
	str_done(&f.received);
	str_done(&s.heard);
	dialled_done(&d);
}

static void test_messages(void **state)
{
	static const size_t pieces[] = { 1, 2, 7, 1000, 1 << 20 };
	_cleanup_(str_done) struct str speech = {};
	char *text = must(malloc(2 * LIMIT));

	memset(text, 'x', 2 * LIMIT);
	frame(&speech, 0x81, "one", 3);
	frame(&speech, 0x81, "", 0);
	frame(&speech, 0x01, "in ", 3);
	frame(&speech, 0x89, "ping", 4);
	frame(&speech, 0x00, "three ", 6);
	frame(&speech, 0x80, "pieces", 6);
	frame(&speech, 0x82, text, LIMIT);
	frame(&speech, 0x81, text, LIMIT + 1);
	frame(&speech, 0x81, "behind", 6);
	frame(&speech, 0x01, text, LIMIT);
	frame(&speech, 0x00, text, 1);
	frame(&speech, 0x80, text, 2);
	frame(&speech, 0x01, "", 0);
	frame(&speech, 0x80, "", 0);
	frame(&speech, 0x81, "last", 4);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		converse(&speech, pieces[i], "one||in three pieces|70000|!256|behind|!256||last|",
			 pieces[i] > 1000 ? NULL : "81:from the start|8a:ping|");
	free(text);
}

static void test_ends(void **state)
{
	_cleanup_(str_done) struct str none = {}, closing = {}, masked = {}, half = {};

	frame(&closing, 0x81, "one", 3);
	frame(&closing, 0x88, "\x03\xe8", 2);
	frame(&closing, 0x81, "after the end", 13);
	str_append_len(&masked, "\x81\x81", 2);
	str_append_len(&half, "\x81\x05hal", 5);
	converse(&none, 100, "", NULL);
	converse(&closing, 100, "one|", NULL);
	converse(&masked, 100, "", NULL);
	converse(&half, 100, "", NULL);
}

static void ignore_open(void *data)
{
}

static void do_nothing(struct ready *r)
{
}

/* A round of the loop that does not wait when there is nothing to do. */
static void step(struct loop *loop)
{
	static struct ready work = { .run = do_nothing };

	loop_ready(loop, &work);
	loop_step(loop);
}

static const struct transport_handler quiet_handler = { ignore_open, on_message, on_oversize, on_closed };

/* Opens a WebSocket whose other end is returned. */
static int open_pair(struct fixture *f)
{
	int ends[2], size = 4096;
	char request[4096];
	ssize_t n;

	assert_int_equal(loop_new(&f->loop), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	assert_int_equal(ws_open(f->loop, ends[0], &(const struct request){ .host = "h", .port = 1, .path = "/" }, LIMIT,
				 &quiet_handler, f, &f->ws),
			 0);
	n = recv(ends[1], request, sizeof(request) - 1, 0);
	assert_true(n > 0);
	request[n] = '\0';
	answer(ends[1], request, 1000);
	step(f->loop);
	return ends[1];
}

static void close_pair(struct fixture *f, int peer)
{
	transport_free(f->ws);
	loop_free(f->loop);
	str_done(&f->received);
	close(peer);
}

static size_t drain(int fd, struct str *out)
{
	char buf[4096];
	ssize_t n;

	while ((n = recv(fd, buf, sizeof(buf), 0)) > 0)
		str_append_len(out, buf, (size_t)n);
	return out->len;
}

/* Only the newest ping has to be answered; a peer that reads no answers makes none of them wait in memory. */
static void test_pings_without_end(void **state)
{
	_cleanup_(str_done) struct str pings = {}, heard = {};
	struct fixture f = {};
	int peer = open_pair(&f);
	const char *last;

	for (int i = 0; i < 100; i++)
		frame(&pings, 0x89, "a ping", 6);
	for (int i = 0; i < 1000; i++) {
		say(peer, pings.data, pings.len, pings.len);
		step(f.loop);
	}
	assert_true(f.ws->out.len <= 1000);
	frame(&heard, 0x89, "the last", 8);
	say(peer, heard.data, heard.len, heard.len);
	str_reset(&heard);
	for (size_t before = 1; before != heard.len;) {
		before = heard.len;
		step(f.loop);
		drain(peer, &heard);
	}
	last = heard.data + heard.len - 14;
	str_reset(&f.received);
	take_client_frame(&f.received, &last, heard.data + heard.len);
	assert_string_equal(f.received.data, "8a:the last|");
	close_pair(&f, peer);
}

/* What a slow reader has read is not kept, although something is always left to send. */
static void test_slow_reader(void **state)
{
	struct fixture f = {};
	int peer = open_pair(&f);
	char *text = must(malloc(LIMIT)), *buf = must(malloc(2 * LIMIT));

	memset(text, 'x', LIMIT);
	for (int i = 0; i < 8; i++)
		transport_send(f.ws, text, LIMIT);
	for (int i = 0; i < 200; i++) {
		assert_int_equal(transport_send(f.ws, text, LIMIT), 0);
		for (size_t got = 0; got < LIMIT;) {
			ssize_t n = recv(peer, buf, LIMIT - got, 0);

			if (n > 0)
				got += (size_t)n;
			else
				step(f.loop);
		}
	}
	assert_true(f.ws->out.len - f.ws->sent > 0);
	assert_true(f.ws->out.len < 40 * LIMIT);
	free(text);
	free(buf);
	close_pair(&f, peer);
}

static void check_no_connection(const char *host, int port, const char *failure)
{
	struct loop *loop;
	struct dialled d;

	assert_int_equal(loop_new(&loop), 0);
	dial(loop, host, port, &d);
	assert_int_equal(d.fd, -1);
	assert_non_null(strstr(d.failure.data, failure));
	dialled_done(&d);
	loop_free(loop);
}

static void test_nothing_listens(void **state)
{
	check_no_connection("127.0.0.1", 1, "connect ECONNREFUSED 127.0.0.1:1");
	check_no_connection("::1", 1, "[::1]:1");
	check_no_connection("no address", 1, "cannot be resolved");
}

static void test_an_attempt_is_given_up(void **state)
{
	struct loop *loop;

	assert_int_equal(loop_new(&loop), 0);
	for (int steps = 0; steps < 4; steps++) {
		struct dialled d = { .loop = loop };
		struct dial *attempt = dial_new(loop, "127.0.0.1", 1, on_dialled, &d);

		for (int i = 0; i < steps && !d.failure.len; i++)
			loop_step(loop);
		dial_free(attempt);
		dialled_done(&d);
	}
	loop_free(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),          cmocka_unit_test(test_ends),
		cmocka_unit_test(test_pings_without_end), cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_nothing_listens),   cmocka_unit_test(test_an_attempt_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
