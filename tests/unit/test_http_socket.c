/* WebSockets of the HTTP server, with a client that sends what it likes: frames in pieces, forbidden ones, floods; and one that does not read. */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "loop/http.h"
#include "loop/http_socket.h"
#include "loop/listener.h"
#include "loop/ws_frame.h"

/* RFC 6455, section 1.3 */
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
#define HANDSHAKE \
	"GET /s HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n" \
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " KEY "\r\n\r\n"

struct fixture {
	struct loop *loop;
	struct http_server *server;
	struct http_socket *socket; /* NULL: none, or gone */
	struct str received;        /* messages with their kind and '|' behind each; long ones are their length */
	struct str read;            /* what the client has read */
	unsigned drained, gone, messages;
	int client;
};

static void append_message(struct fixture *f, char kind, char *text, size_t len)
{
	assert_int_equal(text[len], '\0');
	f->messages++;
	if (len < 40)
		str_appendf(&f->received, "%c:%s|", kind, text);
	else
		str_appendf(&f->received, "%c:%zu|", kind, len);
	memset(text, '#', len); /* callbacks may change it */
}

static void on_text(struct http_socket *s, char *text, size_t len, void *data)
{
	if (!strcmp(text, "close"))
		http_socket_close(s, 4001, "as asked");
	append_message(data, 't', text, len);
}

static void on_binary(struct http_socket *s, char *bytes, size_t len, void *data)
{
	append_message(data, 'b', bytes, len);
}

static void on_drained(struct http_socket *s, void *data)
{
	((struct fixture *)data)->drained++;
}

static void on_gone(struct http_socket *s, void *data)
{
	struct fixture *f = data;

	http_socket_text(s, "x", 1); /* without effect */
	assert_int_equal(http_socket_unsent(s), 0);
	f->socket = NULL;
	f->gone++;
}

static const struct http_socket_handler texts_only = { .text = on_text, .gone = on_gone };
static const struct http_socket_handler all_kinds = { on_text, on_binary, on_drained, on_gone };

static void on_head(struct http_exchange *x, void *data)
{
}

static void on_request(struct http_exchange *x, void *data)
{
	struct fixture *f = data;

	http_add_fields(x, "X-More: 1\r\n");
	f->socket = http_socket_accept(x, strcmp(http_path(x), "/t") ? &all_kinds : &texts_only, f);
	if (f->socket)
		assert_ptr_equal(http_socket_data(f->socket), f);
}

static void on_exchange_gone(struct http_exchange *x, void *data)
{
	fail();
}

static const struct http_handler handler = { on_head, on_request, on_exchange_gone };
static const struct http_limits limits = {
	.head = 8192, .body = 8192, .connections = 10, .names = { "head", "body", "connections" }
};

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);
	const char *why;

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(loop_new(&f->loop), 0);
	assert_int_equal(http_server_new(f->loop, &(struct listen_address){ "127.0.0.1", 0, NULL }, NULL, &limits, &handler, f,
					 &f->server, &why),
			 0);
	f->client = -1;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	http_server_free(f->server);
	loop_free(f->loop);
	if (f->client >= 0)
		close(f->client);
	str_done(&f->received);
	str_done(&f->read);
	free(f);
	return 0;
}

static void do_nothing(struct ready *r)
{
}

/* Rounds of the loop that do not wait: over loopback, what was sent has arrived. */
static void pump(struct fixture *f)
{
	static struct ready work = { .run = do_nothing };

	for (int i = 0; i < 20; i++) {
		loop_ready(f->loop, &work);
		loop_step(f->loop);
	}
}

static void read_all(struct fixture *f)
{
	char buf[65536];
	ssize_t n;

	while ((n = recv(f->client, buf, sizeof(buf), MSG_DONTWAIT)) > 0)
		str_append_len(&f->read, buf, (size_t)n);
}

static void say(struct fixture *f, const char *bytes, size_t len, size_t piece)
{
	for (size_t n; len > 0; bytes += n, len -= n) {
		ssize_t sent = send(f->client, bytes, MIN(len, piece), MSG_NOSIGNAL | MSG_DONTWAIT);

		n = sent > 0 ? (size_t)sent : 0;
		if (n == 0 && errno != EAGAIN)
			return;
		pump(f);
	}
}

static void connect_client(struct fixture *f)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	if (f->client >= 0)
		close(f->client);
	pump(f);
	f->client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	address.sin_port = htons((uint16_t)http_server_port(f->server));
	setsockopt(f->client, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int)); /* pieces arrive when they are sent */
	assert_int_equal(connect(f->client, (struct sockaddr *)&address, sizeof(address)), 0);
	str_reset(&f->read);
	str_reset(&f->received);
	f->gone = f->drained = f->messages = 0;
}

/* Opens a WebSocket and reads the answer to the handshake. */
static void open_socket(struct fixture *f, const char *handshake)
{
	connect_client(f);
	say(f, handshake, strlen(handshake), 1 << 20);
	read_all(f);
	assert_non_null(f->socket);
	assert_non_null(strstr(f->read.data, "\r\n\r\n"));
	str_reset(&f->read);
}

/* As a client writes it. `first`: the first byte. */
static void frame(struct str *out, int first, const char *payload, size_t len)
{
	size_t at = out->len;

	ws_frame_append(out, WS_TEXT, payload, len);
	out->data[at] = (char)first;
}

static void speak(struct fixture *f, const struct str *speech)
{
	say(f, speech->data, speech->len, 1 << 20);
	read_all(f);
}

/* The end that the client reads: the code of the closing frame, 0 for one without, -1 for none. */
static int closing_code(const struct fixture *f)
{
	const unsigned char *p = (const unsigned char *)f->read.data;

	if (f->read.len < 2 || p[0] != 0x88)
		return -1;
	assert_int_equal(f->read.len, 2 + p[1]);
	return p[1] >= 2 ? p[2] << 8 | p[3] : 0;
}

static void test_handshake(void **state)
{
	struct fixture *f = *state;

	connect_client(f);
	say(f, HANDSHAKE, strlen(HANDSHAKE), 7);
	read_all(f);
	assert_string_equal(f->read.data, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
					  "Sec-WebSocket-Accept: " ACCEPT "\r\nX-More: 1\r\n\r\n");
	assert_int_equal(http_server_answers(f->server)[101], 1);
}

static void check_refusal(struct fixture *f, int status, const char *head)
{
	_cleanup_(str_done) struct str expected = {};

	connect_client(f);
	say(f, head, strlen(head), 1 << 20);
	read_all(f);
	str_appendf(&expected, "HTTP/1.1 %d ", status);
	assert_true(starts_with(str_text(&f->read), expected.data));
	assert_null(f->socket);
	assert_int_equal(f->gone, 0);
}

#define FIELDS "Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"

static void test_refused_handshakes(void **state)
{
	struct fixture *f = *state;

	check_refusal(f, 426, "GET /s HTTP/1.1\r\nHost: h\r\n\r\n");
	check_refusal(f, 426, "GET /s HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n" VERSION "Sec-WebSocket-Key: " KEY "\r\n\r\n");
	check_refusal(f, 426, "GET /s HTTP/1.0\r\n" FIELDS VERSION "Sec-WebSocket-Key: " KEY "\r\n\r\n");
	check_refusal(f, 426, "POST /s HTTP/1.1\r\n" FIELDS VERSION "Sec-WebSocket-Key: " KEY "\r\n\r\n");
	check_refusal(f, 426, "GET /s HTTP/1.1\r\n" FIELDS VERSION "Sec-WebSocket-Key: " KEY "\r\nContent-Length: 2\r\n\r\n{}");
	check_refusal(f, 426, "GET /s HTTP/1.1\r\n" FIELDS "Sec-WebSocket-Key: " KEY "\r\n\r\n");
	check_refusal(f, 426, "GET /s HTTP/1.1\r\n" FIELDS "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: " KEY "\r\n\r\n");
	check_refusal(f, 400, "GET /s HTTP/1.1\r\n" FIELDS VERSION "\r\n");
	check_refusal(f, 400, "GET /s HTTP/1.1\r\n" FIELDS VERSION "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n\r\n");
	check_refusal(f, 400, "GET /s HTTP/1.1\r\n" FIELDS VERSION "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ$=\r\n\r\n");
}

static void test_messages(void **state)
{
	static const size_t pieces[] = { 97, 1000, 1 << 20 };
	struct fixture *f = *state;
	_cleanup_(str_done) struct str speech = {};
	char *text = must(malloc(LIMIT_SOCKET_MESSAGE));

	memset(text, 'x', LIMIT_SOCKET_MESSAGE);
	frame(&speech, 0x81, "one", 3);
	frame(&speech, 0x81, "", 0);
	frame(&speech, 0x01, "in ", 3);
	frame(&speech, 0x89, "ping", 4);
	frame(&speech, 0x00, "three ", 6);
	frame(&speech, 0x8a, "unasked", 7);
	frame(&speech, 0x80, "pieces", 6);
	frame(&speech, 0x02, "", 0);
	frame(&speech, 0x80, "", 0);
	frame(&speech, 0x82, text, LIMIT_SOCKET_MESSAGE);
	frame(&speech, 0x01, text, LIMIT_SOCKET_MESSAGE - 1);
	frame(&speech, 0x80, text, 1);
	frame(&speech, 0x81, "\xc3\xa4\xf0\x9f\x98\x80", 6);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		open_socket(f, HANDSHAKE);
		say(f, speech.data, speech.len, pieces[i]);
		read_all(f);
		assert_string_equal(f->received.data, "t:one|t:|t:in three pieces|b:|b:65536|t:65536|t:\xc3\xa4\xf0\x9f\x98\x80|");
		assert_int_equal(f->read.len, 6);
		assert_memory_equal(f->read.data, "\x8a\x04ping", 6);
		assert_int_equal(f->gone, 0);
	}
	free(text);
}

/* Sends one frame after a good message: the good one arrives, and the connection ends with `code`. */
static void check_end(struct fixture *f, const char *handshake, const struct str *bad, int code)
{
	_cleanup_(str_done) struct str speech = {};

	frame(&speech, 0x81, "good", 4);
	str_append_len(&speech, bad->data, bad->len);
	frame(&speech, 0x81, "behind the end", 14);
	open_socket(f, handshake);
	speak(f, &speech);
	assert_string_equal(f->received.data, "t:good|");
	assert_int_equal(closing_code(f), code);
	assert_int_equal(f->gone, 1);
	assert_null(f->socket);
	assert_int_equal(recv(f->client, &(char){ 0 }, 1, MSG_DONTWAIT), 0);
}

static void check_frame_end(struct fixture *f, int first, const char *payload, size_t len, int code)
{
	_cleanup_(str_done) struct str bad = {};

	frame(&bad, first, payload, len);
	check_end(f, HANDSHAKE, &bad, code);
}

static void test_ends(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str bare = {}, mixed = {}, pieces = {};
	char *text = must(calloc(1, LIMIT_SOCKET_MESSAGE + 1));

	str_append_len(&bare, "\x81\x01x", 3);
	check_end(f, HANDSHAKE, &bare, 1002);
	frame(&mixed, 0x01, "x", 1);
	frame(&mixed, 0x81, "x", 1);
	check_end(f, HANDSHAKE, &mixed, 1002);
	frame(&pieces, 0x01, text, LIMIT_SOCKET_MESSAGE);
	frame(&pieces, 0x80, text, 1);
	check_end(f, HANDSHAKE, &pieces, 1009);
	check_frame_end(f, 0x80, "x", 1, 1002);
	check_frame_end(f, 0xc1, "x", 1, 1002);
	check_frame_end(f, 0x83, "x", 1, 1002);
	check_frame_end(f, 0x09, "x", 1, 1002);
	check_frame_end(f, 0x81, "\xc3", 1, 1007);
	check_frame_end(f, 0x81, "\xed\xa0\x80", 3, 1007);
	check_frame_end(f, 0x81, text, LIMIT_SOCKET_MESSAGE + 1, 1009);
	check_frame_end(f, 0x88, "", 0, 0);
	check_frame_end(f, 0x88, "\x03\xe8", 2, 1000);
	check_frame_end(f, 0x88, "\x0f\xa1reason", 8, 4001);
	check_frame_end(f, 0x88, "\x03", 1, 1002);
	check_frame_end(f, 0x88, "\x03\xed", 2, 1002);
	check_frame_end(f, 0x88, "\x03\xe8\xff", 3, 1002);
	free(text);
}

static void test_no_binary(void **state)
{
	_cleanup_(str_done) struct str handshake = {}, binary = {};

	str_append(&handshake, "GET /t");
	str_append(&handshake, &HANDSHAKE[strlen("GET /s")]);
	frame(&binary, 0x82, "x", 1);
	check_end(*state, handshake.data, &binary, 1003);
}

static void test_own_end(void **state)
{
	_cleanup_(str_done) struct str speech = {};
	struct fixture *f = *state;

	frame(&speech, 0x81, "close", 5);
	frame(&speech, 0x81, "more", 4);
	open_socket(f, HANDSHAKE);
	speak(f, &speech);
	assert_string_equal(f->received.data, "t:close|");
	assert_int_equal(closing_code(f), 4001);
	assert_memory_equal(f->read.data + 4, "as asked", 8);
	assert_int_equal(f->gone, 1);
}

static void test_client_leaves(void **state)
{
	struct fixture *f = *state;

	open_socket(f, HANDSHAKE);
	close(f->client);
	f->client = -1;
	pump(f);
	assert_int_equal(f->gone, 1);
}

/* More frames than a turn handles arrive all. */
static void test_many(void **state)
{
	_cleanup_(str_done) struct str speech = {};
	struct fixture *f = *state;
	const unsigned count = 50 * LIMIT_SOCKET_TURN_COUNT + 1;

	for (unsigned i = 0; i < count; i++)
		frame(&speech, 0x81, "x", 1);
	open_socket(f, HANDSHAKE);
	speak(f, &speech);
	for (int i = 0; i < 100 && f->messages < count; i++)
		pump(f);
	assert_int_equal(f->messages, count);
}

static void test_sending(void **state)
{
	struct fixture *f = *state;

	open_socket(f, HANDSHAKE);
	http_socket_text(f->socket, "hello", 5);
	http_socket_binary(f->socket, "\x01\x02", 2, "\x03", 1);
	assert_int_equal(http_socket_unsent(f->socket), 7 + 5);
	pump(f);
	read_all(f);
	assert_int_equal(f->read.len, 12);
	assert_memory_equal(f->read.data, "\x81\x05hello\x82\x03\x01\x02\x03", 12);
	assert_int_equal(http_socket_unsent(f->socket), 0);
	assert_int_equal(f->drained, 1);
}

/* A client that does not read: what is unsent is told, `drained` comes when it reads again, and with too much it is dropped. */
static void test_slow_client(void **state)
{
	struct fixture *f = *state;
	char *picture = must(calloc(1, 1 << 20));

	open_socket(f, HANDSHAKE);
	for (int i = 0; i < 7; i++)
		http_socket_binary(f->socket, "", 0, picture, 1 << 20);
	pump(f);
	assert_true(http_socket_unsent(f->socket) > 0);
	assert_int_equal(f->drained, 0);
	for (int i = 0; i < 1000 && !f->drained; i++) {
		read_all(f);
		pump(f);
	}
	read_all(f);
	assert_int_equal(f->drained, 1);
	assert_int_equal(f->read.len, 7 * (10 + (1 << 20)));
	for (int i = 0; i < 20; i++) {
		http_socket_binary(f->socket, "", 0, picture, 1 << 20);
		pump(f);
		if (!f->socket)
			break;
	}
	assert_null(f->socket);
	assert_int_equal(f->gone, 1);
	free(picture);
}

/* What a client sends is not read while it does not read the answers. */
static void test_ping_flood(void **state)
{
	_cleanup_(str_done) struct str speech = {};
	struct fixture *f = *state;
	char payload[125] = {};

	for (int i = 0; i < 1000; i++)
		frame(&speech, 0x89, payload, sizeof(payload));
	open_socket(f, HANDSHAKE);
	for (int full = 0; full < 10;) {
		full = send(f->client, speech.data, speech.len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? full + 1 : 0;
		pump(f);
	}
	assert_non_null(f->socket);
	assert_true(http_socket_unsent(f->socket) < LIMIT_SOCKET_MESSAGE * 4);
}

static void test_server_stops(void **state)
{
	struct fixture *f = *state;

	open_socket(f, HANDSHAKE);
	http_server_stop(f->server);
	pump(f);
	read_all(f);
	assert_int_equal(closing_code(f), 1001);
	assert_int_equal(f->gone, 1);
}

static void test_server_ends(void **state)
{
	struct fixture *f = *state;

	open_socket(f, HANDSHAKE);
	f->server = http_server_free(f->server);
	assert_int_equal(f->gone, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_handshake, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused_handshakes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_binary, setup, teardown),
		cmocka_unit_test_setup_teardown(test_own_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_client_leaves, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sending, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_client, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ping_flood, setup, teardown),
		cmocka_unit_test_setup_teardown(test_server_stops, setup, teardown),
		cmocka_unit_test_setup_teardown(test_server_ends, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
