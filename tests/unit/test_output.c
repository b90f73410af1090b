/* What servers print: addresses, ports in use, colours. */
#include "test.h"

#include <string.h>

#include "devserver/output.h"

static void expect_address(const char *text, const char *url, int port, bool socket)
{
	struct output_address a;
	size_t at = 0;

	assert_true(output_next_address(text, &at, &a));
	assert_string_equal(a.url, url);
	assert_int_equal(a.port, port);
	assert_int_equal(a.socket, socket);
}

static void addresses(void **state)
{
	expect_address("  Local:   http://localhost:5173/", "http://localhost:5173", 5173, false);
	expect_address("Local: http://localhost:5173/app/ ready", "http://localhost:5173/app/", 5173, false);
	expect_address("Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...", "http://localhost:8000", 8000, false);
	expect_address("Serving HTTP on :: port 8000 (http://[::]:8000/) ...", "http://localhost:8000", 8000, false);
	expect_address("* Running on http://127.0.0.1:5000", "http://127.0.0.1:5000", 5000, false);
	expect_address("https://[::1]:8443.", "https://[::1]:8443", 8443, false);
	expect_address("Debugger listening on ws://127.0.0.1:9229/abc", "ws://127.0.0.1:9229/abc", 9229, true);
	expect_address("HTTP://LOCALHOST:80", "http://LOCALHOST:80", 80, false);
}

static void others_are_passed_over(void **state)
{
	struct output_address a;
	size_t at = 0;
	static const char text[] =
		"see https://example.com:443/ and http://localhost/ and xhttp://localhost:1 http://localhost:99999 "
		"http://localhost:3000 http://localhost:3001";

	assert_true(output_next_address(text, &at, &a));
	assert_int_equal(a.port, 3000);
	assert_true(output_next_address(text, &at, &a));
	assert_int_equal(a.port, 3001);
	assert_false(output_next_address(text, &at, &a));
}

static void ports_in_use(void **state)
{
	static const struct {
		const char *text;
		int port;
	} cases[] = {
		{ "Error: listen EADDRINUSE: address already in use :::3000\n    at x:12\n", 3000 },
		{ "error: [Errno 98] Address already in use\n", 98 },
		{ "OSError: address already in use ('127.0.0.1', 8000)", 8000 },
		{ "Port 5173 is in use, trying another one...\n", 5173 },
		{ "Error: Port 3000 is already in use", 3000 },
	};
	int port;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(output_find_port_in_use(cases[i].text, &port));
		assert_int_equal(port, cases[i].port);
	}
	assert_false(output_find_port_in_use("listening on 3000\n", &port));
}

static void colours_go(void **state)
{
	static const char text[] = "\x1b[32m\x1b[1mLocal\x1b[22m: \x1b]0;title\ahttp://localhost:\x1b[1m5173\x1b[0m/ \x1b";
	_cleanup_(str_done) struct str out = {};

	output_plain(&out, text, sizeof(text) - 1);
	assert_string_equal(out.data, "Local: http://localhost:5173/ ");
}

static void the_end_is_kept(void **state)
{
	_cleanup_(str_done) struct str s = {};

	output_keep_end(&s, "abcdef", 6, 4);
	output_keep_end(&s, "gh", 2, 4);
	assert_string_equal(s.data, "efgh");
	assert_string_equal(output_last_lines("a\nb\nc\n", 2), "b\nc\n");
	assert_string_equal(output_last_lines("a", 2), "a");
	assert_string_equal(output_last_lines("", 2), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),  cmocka_unit_test(others_are_passed_over), cmocka_unit_test(ports_in_use),
		cmocka_unit_test(colours_go), cmocka_unit_test(the_end_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
