/* Bytes of connections: HTTP, WebSockets, tokens, rules and addresses. */
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "auth/jwks.h"
#include "auth/metadata.h"
#include "auth/token.h"
#include "engine/cdp/endpoint.h"
#include "egress/origin.h"
#include "egress/rules.h"
#include "base/limits.h"
#include "loop/channel.h"
#include "loop/http_chunks.h"
#include "loop/http_exchange.h"
#include "loop/http_head.h"
#include "loop/http_url.h"
#include "loop/lineio.h"
#include "loop/ws_frame.h"
#include "main/option_parser.h"
#include "ratios/ratios.h"

static void head(const struct str *in)
{
	char *text = must(strdup(in->data));
	struct http_head h;
	const char *why;

	http_head_length(text, in->len);
	http_head_parse(text, in->len, &h, &why);
	free(text);
}

static void chunks(const struct str *in)
{
	struct http_chunks c = {};
	_cleanup_(str_done) struct str text = {};
	const char *why;

	str_append_len(&text, in->data, in->len);
	http_chunks_read(&c, &text, SIZE_MAX / 2, &why);
}

/* The same in pieces, as they come from a network. */
static void chunks_in_pieces(const struct str *in)
{
	struct http_chunks c = {};
	_cleanup_(str_done) struct str text = {};
	const char *why;

	for (size_t at = 0; at + 64 <= in->len; at += 64) {
		str_append_len(&text, in->data + at, 64);
		http_chunks_read(&c, &text, SIZE_MAX / 2, &why);
	}
}

static void frames(const struct str *in)
{
	struct ws_frame f;

	for (size_t at = 0; at < in->len && ws_frame_read(in->data + at, in->len - at, &f) == 1; at += f.head + f.len)
		;
}

static void frame(const struct str *in)
{
	_cleanup_(str_done) struct str out = {};

	ws_frame_append(&out, WS_TEXT, in->data, in->len);
}

static void handshake(const struct str *in)
{
	for (unsigned i = 0; i < 100; i++)
		ws_answer(in->data, in->len, "dGhlIHNhbXBsZSBub25jZQ==");
}

static void keys(const struct str *in)
{
	struct jwks *all = NULL;
	const char *why;

	if (jwks_parse(in->data, in->len, &all, &why) == 0)
		jwks_free(all);
}

static void token(const struct str *in)
{
	static const struct token_rules rules = { .issuer = "https://issuer.example", .audience = "https://tools.example/mcp" };
	static const char set[] = "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}";
	struct token result = {};
	struct jwks *all = NULL;
	const char *why;

	jwks_parse(set, strlen(set), &all, &why);
	token_check(all, &rules, in->data, 1800000000, &result, &why);
	free(result.subject);
	jwks_free(all);
}

static void metadata(const struct str *in)
{
	const char *why;

	free(metadata_keys(in->data, in->len, "https://issuer.example", &why));
}

static void rules(const struct str *in)
{
	_cleanup_(egress_rules_freep) struct egress_rules *r = NULL;
	_cleanup_(str_done) struct str error = {};

	egress_rules_parse(in->data, &r, &error);
}

static void host(const struct str *in)
{
	_cleanup_(egress_rules_freep) struct egress_rules *r = NULL;
	_cleanup_(str_done) struct str error = {};
	char *text = must(strdup(in->data));

	NEEDED(egress_rules_parse("*.aaa.test,db.test:1-9,10.0.0.0/8", &r, &error) == 0);
	egress_host_normalise(text);
	egress_host_is_localhost(text);
	egress_rules_allow(r, text, 443, NULL);
	free(text);
}

static void origin(const struct str *in)
{
	origin_matches("https://*.aaa.test", in->data);
	origin_matches("http://localhost:*", in->data);
}

static void endpoint(const struct str *in)
{
	struct endpoint e;

	endpoint_parse(in->data, &e);
	endpoint_done(&e);
}

static void version(const struct str *in)
{
	_cleanup_(str_done) struct str path = {};

	endpoint_read_version(in->data, in->len, &path);
}

static void url(const struct str *in)
{
	struct http_url u;

	http_url_split(in->data, &u);
}

static void secrets(const struct str *in)
{
	_cleanup_(arena_done) struct arena a = {};

	secrets_parse(&a, in->data);
}

/* ---- what comes over sockets ---- */

static size_t arrived;
static bool is_over;

static void count_line(char *text, size_t len, void *data)
{
	arrived += len + 1;
}

static void count_oversize(void *data)
{
}

static void on_line_end(enum lineio_end end, const char *reason, void *data)
{
	is_over = true;
}

static void count_head(const char *head, size_t len, void *data)
{
	arrived = SIZE_MAX;
}

static void on_closed(const char *reason, void *data)
{
	is_over = true;
}

static struct loop *the_loop(void)
{
	static struct loop *loop;

	if (!loop)
		NEEDED(loop_new(&loop) == 0);
	return loop;
}

/* As much as the socket takes in each round of the loop. */
static void pour(const struct str *in, int to)
{
	size_t at = 0;

	while (at < in->len) {
		ssize_t n = send(to, in->data + at, MIN(in->len - at, (size_t)16384), MSG_DONTWAIT);

		at += n > 0 ? (size_t)n : 0;
		loop_step(the_loop());
	}
}

static void lines(const struct str *in)
{
	static const struct lineio_handler handler = { count_line, count_oversize, on_line_end };
	int ends[2], out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct lineio *s;

	is_over = false;
	NEEDED(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	NEEDED(lineio_new(the_loop(), ends[0], out, &handler, NULL, &s) == 0);
	pour(in, ends[1]);
	close(ends[1]);
	while (!is_over)
		loop_step(the_loop());
	lineio_free(s);
	close(ends[0]);
	close(out);
}

/* Lines are messages, which end with a NUL each. */
static void messages(const struct str *in)
{
	static const struct transport_handler handler = { .message = count_line, .oversize = count_head, .closed = on_closed };
	_cleanup_(str_done) struct str text = {};
	struct transport *t;
	int ends[2];

	str_append_len(&text, in->data, in->len);
	for (char *at = text.data; (at = strchr(at, '\n'));)
		*at++ = '\0';
	arrived = 0;
	NEEDED(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	NEEDED(channel_open(the_loop(), ends[0], LIMIT_CDP_MESSAGE, &handler, NULL, &t) == 0);
	pour(&text, ends[1]);
	while (arrived < in->len)
		loop_step(the_loop());
	transport_free(t);
	close(ends[1]);
}

static void add_connection(struct http_server *s, const char *user, size_t held)
{
	struct http_exchange *x = NEW(struct http_exchange);

	x->server = s;
	x->trusted = true;
	TAILQ_INSERT_TAIL(&s->exchanges, x, link);
	exchange_set_user(x, user);
	exchange_set_held(x, held);
}

/* A connection for each byte: of as many users, or of one. */
static void connections(const struct str *in)
{
	struct http_server s = { .exchanges = TAILQ_HEAD_INITIALIZER(s.exchanges) };
	struct http_exchange *x;

	for (size_t i = 0; i < in->len; i++) {
		char user[32];

		snprintf(user, sizeof(user), "user %zu", in->data[0] == 'm' ? i : 0);
		add_connection(&s, user, 1 + i % 1000);
	}
	NEEDED(exchange_largest(&s));
	while ((x = TAILQ_FIRST(&s.exchanges))) {
		exchange_set_user(x, NULL);
		TAILQ_REMOVE(&s.exchanges, x, link);
		free(x);
	}
}

const struct ratio_row ratio_wire_rows[] = {
	{ "http_head_parse: one field", 200000, head, .head = "GET / HTTP/1.1\r\nhost: h\r\nx: ", .unit = "a, ",
	  .tail = "\r\n\r\n" },
	{ "http_head_parse: fields", 50000, head, .head = "GET / HTTP/1.1\r\n", .unit = "host: a\r\n", .tail = "\r\n\r\n" },
	{ "http_head_parse: words of a connection", 100000, head,
	  .head = "GET / HTTP/1.1\r\nhost: h\r\nconnection: ", .unit = "clos,", .tail = "\r\n\r\n" },
	{ "http_head_parse: line ends that are none", 1000000, head, .head = "GET /", .unit = "\r\r\n", .tail = "\r\n\r\n" },
	{ "exchange_largest: connections of many users", 2500, connections, .unit = "m" },
	{ "exchange_largest: connections of one user", 10000, connections, .unit = "o" },
	{ "http_chunks_read: chunks of a byte", 100000, chunks, .unit = "1\r\na\r\n" },
	{ "http_chunks_read: chunks of a byte in pieces", 100000, chunks_in_pieces, .unit = "1\r\na\r\n" },
	{ "http_chunks_read: extensions", 100000, chunks, .unit = "1;a=\"\\\"\";b\r\na\r\n" },
	{ "ws_frame_read: empty frames", 400000, frames, .unit = "\x81\x01z" },
	{ "ws_frame_append: a message", 400000, frame, .unit = "abc" },
	{ "ws_answer: fields", 400, handshake, .head = "HTTP/1.1 101 x\r\n", .unit = "a: sec-websocket\r\n", .tail = "\r\n" },
	{ "jwks_parse: keys", 5000, keys, .head = "{\"keys\":[", .unit = "{\"kty\":\"oct\",\"kid\":\"#\"},", .tail = "{}]}" },
	{ "jwks_parse: members", 20000, keys, .head = "{\"keys\":[{", .unit = "\"k#\":\"AAAA\",", .tail = "\"kty\":\"RSA\"}]}" },
	{ "token_check: dots", 4000, token, .unit = "e.30" },
	{ "metadata_keys: members", 20000, metadata, .head = "{", .unit = "\"jwks_uri#\":\"https://issuer.example/\",",
	  .tail = "\"issuer\":\"https://issuer.example\"}" },
	{ "egress_rules_parse: items", 10, rules, .unit = "*.aaa#.test:1-9,", .tail = "x" },
	{ "egress_rules_parse: one item", 100000, rules, .unit = "a.", .tail = "test" },
	{ "egress_rules_allow: labels of a host", 200000, host, .unit = "aaa.", .tail = "tes" },
	{ "origin_matches: labels of a host", 1000000, origin, .head = "https://", .unit = "aaa.", .tail = "tes/" },
	{ "origin_matches: signs before a host", 200000, origin, .head = "https://", .unit = "@:" },
	{ "endpoint_parse: fields and dots", 100000, endpoint, .head = "ws://h:1/", .unit = "%2e/../", .tail = "?" },
	{ "endpoint_read_version: members", 20000, version, .head = "{", .unit = "\"a#\":1,",
	  .tail = "\"webSocketDebuggerUrl\":\"ws://h/x\"}" },
	{ "http_url_split: colons", 200000, url, .head = "http://", .unit = "[:]", .tail = "/" },
	{ "secrets_parse: lines", 5000, secrets, .unit = "export NAME#=\"value\\\"\"\n" },
	{ "lineio_new: lines", 100000, lines, .unit = "{#}\n" },
	{ "lineio_new: one line", 2000000, lines, .unit = "x", .tail = "\n" },
	{ "lineio_new: a line that is too long", LIMIT_LINE + 1, lines, .unit = "x", .tail = "\n" },
	{ "channel_open: messages", 100000, messages, .unit = "{#}\n" },
	{ "channel_open: one message", 12000000, messages, .unit = "x", .tail = "\n" },
	{},
};
