/* Everything that is no proper JSON-RPC message: one clear error each, and the connection goes on. */
#include "mcp_fixture.h"

#include <string.h>

#include "base/limits.h"

static void say_text(struct fixture *f, const char *text)
{
	say_raw(f, text, strlen(text));
}

static void assert_alive(struct fixture *f)
{
	say(f, "{jsonrpc: '2.0', id: 'alive', method: 'ping'}");
	expect(f, "{jsonrpc: '2.0', id: 'alive', result: {}}");
}

static void text_that_is_not_json(void **state)
{
	static const char *const texts[] = {
		"hello", "{\"jsonrpc\":\"2.0\",\"id\":1", "{}{}", "{'a':1}", "\xef\xbb\xbf{}", "\x01"
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		say_text(f, texts[i]);
		expect_error(f, NULL, -32700, "not JSON");
	}
	say_text(f, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}");
	expect_error(f, NULL, -32700, "not UTF-8");
	assert_alive(f);
}

static void parse_errors_have_no_id(void **state)
{
	struct fixture *f = *state;

	say_text(f, "nope");
	expect(f, "{jsonrpc: '2.0', error: {code: -32700, message: 'Parse error: the message is not JSON; send one message a "
		  "line'}}");
}

static void blank_lines_are_nothing(void **state)
{
	struct fixture *f = *state;

	say_text(f, "");
	say_text(f, " \t\r");
	expect_nothing(f);
	say_text(f, " {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} \r");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {}}");
}

static void messages_of_the_wrong_shape(void **state)
{
	static const char *const no_objects[] = { "null", "5", "\"ping\"", "true" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(no_objects); i++) {
		say_text(f, no_objects[i]);
		expect_error(f, NULL, -32600, "must be an object");
	}
	say_text(f, "{}");
	expect_error(f, NULL, -32600, "jsonrpc");
	say(f, "{id: 1, method: 'ping'}");
	expect_error(f, "1", -32600, "jsonrpc");
	say(f, "{jsonrpc: 2.0, id: 1, method: 'ping'}");
	expect_error(f, "1", -32600, "jsonrpc");
	say(f, "{jsonrpc: '1.0', id: 1, method: 'ping'}");
	expect_error(f, "1", -32600, "jsonrpc");
	say(f, "{jsonrpc: '2.0', id: 1}");
	expect_error(f, "1", -32600, "method");
	say(f, "{jsonrpc: '2.0', id: 1, method: 7}");
	expect_error(f, "1", -32600, "method");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'ping', params: [1]}");
	expect_error(f, "1", -32602, "\"params\" must be an object");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'ping', params: null}");
	expect_error(f, "1", -32602, "\"params\" must be an object");
	assert_alive(f);
}

static void ids_of_the_wrong_type(void **state)
{
	static const char *const ids[] = { "null", "1.5", "1e3", "true", "{}", "[1]", "-1.0" };
	struct fixture *f = *state;
	_cleanup_(str_done) struct str longest = {};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		say(f, "{jsonrpc: '2.0', id: ?, method: 'ping'}", JSON_RAW(ids[i]));
		expect_error(f, NULL, -32600, "\"id\"");
	}
	for (unsigned i = 0; i < LIMIT_ID - 2; i++)
		str_append_char(&longest, 'x');
	say(f, "{jsonrpc: '2.0', id: ?, method: 'ping'}", longest.data);
	expect(f, "{jsonrpc: '2.0', id: ?, result: {}}", longest.data);
	say(f, "{jsonrpc: '2.0', id: ?, method: 'ping', x: 1}", (str_append_char(&longest, 'x'), longest.data));
	expect_error(f, NULL, -32600, "256 bytes");
}

static void responses_and_notifications_get_no_answer(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, result: {}}");
	say(f, "{jsonrpc: '2.0', id: null, error: {code: 1, message: 'x'}}");
	say(f, "{id: 5, error: null}");
	say(f, "{jsonrpc: '2.0', method: 'no/such/method'}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: [1]}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/x', params: {a: '\\u0000'}}");
	say(f, "{jsonrpc: '2.0', method: 'ping'}");
	expect_nothing(f);
	assert_alive(f);
}

static void unknown_methods(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str name = {};

	handshake(f, "2025-06-18");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/destroy'}");
	expect(f, "{jsonrpc: '2.0', id: 1, error: {code: -32601, message: 'Method not found: tools/destroy'}}");
	while (name.len < 1000000)
		str_append(&name, "漢");
	say(f, "{jsonrpc: '2.0', id: 2, method: ?}", name.data);
	expect_error(f, "2", -32601, "Method not found");
	assert_in_range(f->sent.len, 0, 10000);
}

static void escapes_that_text_cannot_hold(void **state)
{
	struct fixture *f = *state;

	say_text(f, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\u0000\"}}");
	expect_error(f, "1", -32602, "\\u0000");
	say_text(f, "{\"params\":{\"id\":\"\\ud800\"},\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"x\"}");
	expect_error(f, "\"x\"", -32602, "surrogates");
	say_text(f, "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0000\",\"method\":\"ping\"}");
	expect_error(f, "\"\\u0000\"", -32602, "\\u0000");
	assert_alive(f);
}

static void nesting(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str text = {};

	str_append(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":");
	for (int i = 0; i < 10000; i++)
		str_append_char(&text, '[');
	say_raw(f, text.data, text.len);
	expect_error(f, "1", -32600, "64 levels");
	for (int i = 0; i < 10000; i++)
		str_append_char(&text, ']');
	str_append(&text, "}}");
	say_raw(f, text.data, text.len);
	expect_error(f, "1", -32600, "64 levels");
	assert_alive(f);
}

static void oversize(void **state)
{
	struct fixture *f = *state;

	mcp_conn_refuse_oversize(f->conn);
	expect_error(f, NULL, -32600, "longer than 10485760 bytes");
	assert_alive(f);
}

static void equal_names_and_odd_spellings(void **state)
{
	struct fixture *f = *state;

	say_text(f, "{\"jsonrpc\":\"2.0\",\"\\u0069d\":7,\"id\":8,\"method\":\"p\\u0069ng\",\"params\":{\"id\":9}}");
	expect(f, "{jsonrpc: '2.0', id: 7, result: {}}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(text_that_is_not_json),
		TEST(parse_errors_have_no_id),
		TEST(blank_lines_are_nothing),
		TEST(messages_of_the_wrong_shape),
		TEST(ids_of_the_wrong_type),
		TEST(responses_and_notifications_get_no_answer),
		TEST(unknown_methods),
		TEST(escapes_that_text_cannot_hold),
		TEST(nesting),
		TEST(oversize),
		TEST(equal_names_and_odd_spellings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
