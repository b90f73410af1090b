/* Addresses of running browsers, and header fields for them. */
#include "test.h"

#include <string.h>

#include "engine/endpoint.h"

static void check(const char *url, const char *described, const char *path, const char *fields)
{
	_cleanup_(str_done) struct str text = {};
	struct endpoint e;

	assert_true(endpoint_parse(url, &e));
	endpoint_describe(&e, &text);
	assert_string_equal(text.data, described);
	assert_string_equal(e.path.data, path);
	assert_string_equal(str_text(&e.fields), fields);
	endpoint_done(&e);
}

static void addresses_are_read(void **state)
{
	check("http://localhost:9222", "http://localhost:9222", "/json/version/", "");
	check("HTTP://localhost:9222/", "http://localhost:9222", "/json/version/", "");
	check("https://h/a/b?c=d", "https://h:443", "/a/b/json/version/?c=d", "");
	check("http://h?c=d", "http://h:80", "/json/version/?c=d", "");
	check("ws://127.0.0.1:1/devtools/browser/x", "ws://127.0.0.1:1", "/devtools/browser/x", "");
	check("wss://[::1]?token=a/b@c", "wss://[::1]:443", "/?token=a/b@c", "");
	check("ws://[2001:db8::1]:65535/", "ws://[2001:db8::1]:65535", "/", "");
}

static void a_user_becomes_a_field(void **state)
{
	check("ws://me:secret@h/", "ws://h:80", "/", "Authorization: Basic bWU6c2VjcmV0\r\n");
	check("ws://m%40e:s%3Ae%zz@h/", "ws://h:80", "/", "Authorization: Basic bUBlOnM6ZSV6eg==\r\n");
	check("ws://a@b@h/", "ws://h:80", "/", "Authorization: Basic YUBiOg==\r\n");
}

static void other_texts_are_refused(void **state)
{
	static const char *const table[] = {
		"",
		"h:9222",
		"ftp://h",
		"http://",
		"http://:1",
		"http://h:",
		"http://h:0",
		"http://h:x",
		"http://h:65536",
		"http://[::1",
		"http://[]:1",
		"ws://h/#fragment",
		"http://h /",
		"http://h/\r\nA: b",
		"http://h:1\n",
		"ws://h/\xc3\xa9",
		"http://h:80:80",
		"http:/h",
		"http://[::1]x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct endpoint e;

		if (endpoint_parse(table[i], &e))
			fail_msg("\"%s\" is taken for an address", table[i]);
		endpoint_done(&e);
	}
}

static void fields_are_checked(void **state)
{
	static const char *const wrong[] = {
		"",
		":",
		": a",
		"no colon",
		"A b: c",
		"A: b\r\nC: d",
		"A: b\n",
		"Connection: close",
		"UPGRADE: x",
		"Sec-WebSocket-Key: a",
		"Content-Length: 1",
		"Transfer-Encoding: chunked",
		"A\x7f: b",
	};
	static const char *const right[] = { "A", "A:", "A: b", "A : b", "Authorization: Bearer x:y", "Host: a", "A:\tb" };
	struct endpoint e = {};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (endpoint_field_is_valid(wrong[i]))
			fail_msg("\"%s\" is taken for a header", wrong[i]);
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		assert_true(endpoint_field_is_valid(right[i]));
	endpoint_add_field(&e, "A:  b: c ");
	endpoint_add_field(&e, "D:");
	endpoint_add_field(&e, "E");
	endpoint_add_field(&e, "F : :g");
	assert_string_equal(e.fields.data, "A: b: c\r\nD: \r\nE: \r\nF: :g\r\n");
	endpoint_done(&e);
}

static void only_loopback_is_local(void **state)
{
	static const struct {
		const char *url;
		bool local;
	} table[] = {
		{ "http://localhost:1", true },        { "ws://127.0.0.2/", true },  { "http://[::1]:1", true },
		{ "http://localhost.example", false }, { "http://10.0.0.1", false }, { "http://0.0.0.0:1", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct endpoint e;

		assert_true(endpoint_parse(table[i].url, &e));
		assert_int_equal(endpoint_is_local(&e), table[i].local);
		endpoint_done(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read),      cmocka_unit_test(a_user_becomes_a_field),
		cmocka_unit_test(other_texts_are_refused), cmocka_unit_test(fields_are_checked),
		cmocka_unit_test(only_loopback_is_local),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
