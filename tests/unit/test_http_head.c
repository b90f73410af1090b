/* HTTP requests: what is read of heads and of bodies in chunks, and what is refused. */
#include "test.h"

#include <string.h>

#include "base/macros.h"
#include "loop/http_chunks.h"
#include "loop/http_head.h"

/* Parses a copy that ends where the head ends, so that reading on is found. */
static int parse(const char *text, struct http_head *head)
{
	static char *copy;
	size_t len = strlen(text);
	const char *why;

	free(copy);
	copy = must(malloc(len + 1));
	memcpy(copy, text, len + 1);
	return http_head_parse(copy, len, head, &why);
}

static void test_length(void **state)
{
	assert_int_equal(http_head_length("GET / HTTP/1.1\r\n\r\nmore", 22), 18);
	assert_int_equal(http_head_length("GET / HTTP/1.1\r\n\r", 17), 0);
	assert_int_equal(http_head_length("", 0), 0);
}

static void test_request(void **state)
{
	struct http_head h;

	assert_int_equal(parse("POST /mcp?a=1&b HTTP/1.1\r\nHOST:  localhost:80 \t\r\nX-Empty:\r\nContent-Length: 12\r\n\r\n", &h),
			 0);
	assert_string_equal(h.method, "POST");
	assert_string_equal(h.path, "/mcp");
	assert_string_equal(h.query, "a=1&b");
	assert_string_equal(http_head_field(&h, "host"), "localhost:80");
	assert_string_equal(http_head_field(&h, "x-empty"), "");
	assert_null(http_head_field(&h, "accept"));
	assert_int_equal(h.content_length, 12);
	assert_false(h.close || h.http_1_0 || h.chunked || h.expects_continue);
}

static void test_framing(void **state)
{
	struct http_head h;

	assert_int_equal(parse("GET / HTTP/1.1\r\nhost: a\r\nconnection: x , Close\r\nexpect: 100-Continue\r\n\r\n", &h), 0);
	assert_true(h.close && h.expects_continue);
	assert_int_equal(parse("GET / HTTP/1.0\r\n\r\n", &h), 0);
	assert_true(h.close && h.http_1_0);
	assert_int_equal(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &h), 0);
	assert_false(h.close);
	assert_int_equal(parse("GET / HTTP/1.1\r\nhost: a\r\nTransfer-Encoding: chunked\r\n\r\n", &h), 0);
	assert_true(h.chunked);
}

static void test_refusals(void **state)
{
	static const struct {
		int status;
		const char *text;
	} table[] = {
		{ 400, "" },
		{ 400, "\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\n" },
		{ 400, "GET  / HTTP/1.1\r\nhost: a\r\n\r\n" },
		{ 400, "G@T / HTTP/1.1\r\nhost: a\r\n\r\n" },
		{ 505, "GET / HTTP/1.1 \r\nhost: a\r\n\r\n" },
		{ 400, "GET http://a/ HTTP/1.1\r\nhost: a\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\nhost: a\r\n\r\n" },
		{ 505, "GET / HTTP/3.0\r\nhost: a\r\n\r\n" },
		{ 400, "GET / SPDY/1\r\nhost: a\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost : a\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\nx\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\n x: y\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\nx: y\rz\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 0x1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1, 1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length:\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n" },
		{ 501, "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n" },
		{ 501, "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n" },
		{ 400, "GET / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n" },
		{ 413, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 12345678901234567890\r\n\r\n" },
	};
	struct http_head h;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (parse(table[i].text, &h) != table[i].status)
			fail_msg("%s", table[i].text);
}

/* Status of a body that comes in pieces of `step` bytes; what is behind it stays in `in`. */
static int decode(const char *text, size_t step, struct http_chunks *c, struct str *in)
{
	size_t len = strlen(text);
	const char *why;
	int status = 0;

	*c = (struct http_chunks){};
	str_reset(in);
	for (size_t at = 0; at < len && status == 0; at += step) {
		str_append_len(in, text + at, MIN(step, len - at));
		if (c->state != CHUNK_DONE)
			status = http_chunks_read(c, in, 32, &why);
	}
	return status;
}

static void test_chunks(void **state)
{
	static const char text[] =
		"4\r\nWiki\r\n007;a=\"b\"\r\npedia i\r\nB \t;x ; y=z\r\nn \r\nchunks.\r\n0\r\nX-Trailer: 1\r\n\r\nGET /";
	_cleanup_(str_done) struct str in = {};
	struct http_chunks c;

	for (size_t step = 1; step <= sizeof(text); step++) {
		assert_int_equal(decode(text, step, &c, &in), 0);
		assert_int_equal(c.state, CHUNK_DONE);
		assert_int_equal(c.length, 22);
		assert_string_equal(in.data, "Wikipedia in \r\nchunks.GET /");
	}
}

/* Sizes are any number of digits; extensions may hold anything that is quoted. */
static void test_spellings_of_chunks(void **state)
{
	static const char *const texts[] = {
		"000000000000000000000000000000000000002\r\nab\r\n0\r\n\r\nZ",
		"2;a\r\nab\r\n000;b\r\n\r\nZ",
		"2;a=\"x;y=\\\"\\\\ z\"\r\nab\r\n0\r\nX:\r\nY: \"z\r\n\r\nZ",
		"2 ; a = b;c\r\nab\r\n0;d=\"\"\r\n\r\nZ",
	};
	_cleanup_(str_done) struct str in = {};
	struct http_chunks c;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t step = 1; step < 80; step += 13) {
			if (decode(texts[i], step, &c, &in) != 0 || c.state != CHUNK_DONE)
				fail_msg("%s", texts[i]);
			assert_int_equal(c.length, 2);
			assert_memory_equal(in.data, "abZ", 3);
		}
}

/* Nothing of a body that is discarded stays, however long it is allowed to be, and what follows it does. */
static void test_discarded_chunks(void **state)
{
	static const char text[] = "4\r\nWiki\r\n3\r\nxyz\r\n0\r\n\r\nGET /";
	const char *why;

	for (size_t step = 1; step <= sizeof(text); step++) {
		_cleanup_(str_done) struct str in = {};
		struct http_chunks c = { .discard = true };

		for (size_t at = 0; at < strlen(text); at += step) {
			str_append_len(&in, text + at, MIN(step, strlen(text) - at));
			if (c.state != CHUNK_DONE)
				assert_int_equal(http_chunks_read(&c, &in, 7, &why), 0);
			assert_true(c.state == CHUNK_DONE || in.len < 4);
		}
		assert_int_equal(c.length, 7);
		assert_string_equal(in.data, "GET /");
	}
}

static void test_hostile_chunks(void **state)
{
	static const struct {
		int status;
		const char *text;
	} table[] = {
		{ 400, "\r\n" },
		{ 400, "x\r\n" },
		{ 400, "-1\r\n" },
		{ 400, "0x1\r\n" },
		{ 400, " 1\r\n" },
		{ 400, "1\na\r\n" },
		{ 400, "1\r\nab\r\n" },
		{ 400, "1\r\na\n0\r\n\r\n" },
		{ 400, "1,\r\n" },
		{ 400, "1;\x01\r\n" },
		{ 400, "1;a\rb\r\n" },
		/* RFC 9112, 7.1.1: blanks belong to an extension, extensions are tokens with tokens or quoted strings */
		{ 400, "1 \r\n" },
		{ 400, "1\t\r\n" },
		{ 400, "1 2\r\n" },
		{ 400, "1\tz\r\n" },
		{ 400, "1;\r\n" },
		{ 400, "1;a=\r\n" },
		{ 400, "1;=b\r\n" },
		{ 400, "1;a b\r\n" },
		{ 400, "1;a=b c\r\n" },
		{ 400, "1;a=\"b\r\n" },
		{ 400, "1;a=\"b\\\"\r\n" },
		{ 400, "1;a=\"b\"c\r\n" },
		{ 400, "1;a,\r\n" },
		{ 400, "+1\r\n" },
		{ 400, "1h\r\n" },
		{ 400, "1g;a\r\n" },
		{ 400, "10000000000000001 0\r\n" },
		{ 413, "10000000000000000;a\r\n" },
		{ 413, "ffffffffffffffff\r\n" },
		{ 413, "fffffffffffffffffffffffffffffffff\r\n" },
		{ 400, "0\r\nx\r\n\r\n" },
		{ 400, "0\r\n: x\r\n\r\n" },
		{ 400, "0\r\nx : y\r\n\r\n" },
		{ 400, "0\r\nx: y\r\n z\r\n\r\n" },
		{ 413, "21\r\n" },
		{ 413, "20\r\n0123456789abcdef0123456789abcdef\r\n1\r\n" },
		{ 413, "ffffffff\r\n" },
		{ 413, "fffffffff\r\n" },
		{ 413, "10000000000000001\r\n" },
		{ 0, "20" },
		{ 0, "20\r\nThirty-two" },
	};
	_cleanup_(str_done) struct str in = {}, longer = {};
	struct http_chunks c;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		for (size_t step = 1; step < 80; step += 78)
			if (decode(table[i].text, step, &c, &in) != table[i].status || c.state == CHUNK_DONE)
				fail_msg("%s", table[i].text);
	str_append(&longer, "1;");
	for (int i = 0; i < 2000; i++)
		str_append_char(&longer, 'x');
	assert_int_equal(decode(longer.data, 1, &c, &in), 400);
	str_reset(&longer);
	str_append(&longer, "0\r\n");
	for (int i = 0; i < 2000; i++)
		str_append(&longer, "a: b\r\n");
	assert_int_equal(decode(longer.data, 7, &c, &in), 431);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length),           cmocka_unit_test(test_request),
		cmocka_unit_test(test_framing),          cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_chunks),           cmocka_unit_test(test_spellings_of_chunks),
		cmocka_unit_test(test_discarded_chunks), cmocka_unit_test(test_hostile_chunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
