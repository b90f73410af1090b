/* Heads of HTTP requests: what is read, and what is refused. */
#include "test.h"

#include <string.h>

#include "base/macros.h"
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

	assert_int_equal(parse("POST /mcp?a=1&b HTTP/1.1\r\nHOST:  localhost:80 \t\r\nX-Empty:\r\nContent-Length: 12\r\n\r\n", &h), 0);
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
	static const struct { int status; const char *text; } table[] = {
		{ 400, "" }, { 400, "\r\n\r\n" }, { 400, "GET / HTTP/1.1\r\nhost: a\r\n" }, { 400, "GET  / HTTP/1.1\r\nhost: a\r\n\r\n" },
		{ 400, "G@T / HTTP/1.1\r\nhost: a\r\n\r\n" }, { 505, "GET / HTTP/1.1 \r\nhost: a\r\n\r\n" },
		{ 400, "GET http://a/ HTTP/1.1\r\nhost: a\r\n\r\n" }, { 400, "GET / HTTP/1.1\nhost: a\r\n\r\n" },
		{ 505, "GET / HTTP/3.0\r\nhost: a\r\n\r\n" }, { 400, "GET / SPDY/1\r\nhost: a\r\n\r\n" }, { 400, "GET / HTTP/1.1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n" }, { 400, "GET / HTTP/1.1\r\nhost : a\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n" }, { 400, "GET / HTTP/1.1\r\nhost: a\r\nx\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\n x: y\r\n\r\n" }, { 400, "GET / HTTP/1.1\r\nhost: a\r\nx: y\rz\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 0x1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1, 1\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length:\r\n\r\n" },
		{ 400, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n" },
		{ 413, "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 12345678901234567890\r\n\r\n" },
	};
	struct http_head h;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (parse(table[i].text, &h) != table[i].status)
			fail_msg("%s", table[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_framing),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
