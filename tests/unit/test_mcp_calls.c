/* tools/call: results, failures, cancellation, progress, log messages, the end of a connection. */
#include "mcp_fixture.h"

#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "loop/failure_words.h"
#include "loop/task.h"

static int setup(void **state)
{
	fixture_setup(state);
	handshake(*state, "2025-11-25");
	return 0;
}

static void content_of_several_kinds(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'picture'}}");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {content: [{type: 'text', text: 'a dot'}, "
		  "{type: 'image', mimeType: 'image/png', data: 'AAAA'}]}}");
}

static void ids_come_back_byte_for_byte(void **state)
{
	static const char *const ids[] = {
		"0", "-7", "123456789012345678901234567890", "\"\"", "\"a\\u0062\\/\\\"c\"", "\"é😀\"", "\"1\"",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		say(f, "{id: ?, jsonrpc: '2.0', method: 'ping'}", JSON_RAW(ids[i]));
		expect(f, "{jsonrpc: '2.0', id: ?, result: {}}", JSON_RAW(ids[i]));
		say(f, "{method: 'tools/call', params: {name: 'picture'}, jsonrpc: '2.0', id: ?}", JSON_RAW(ids[i]));
		expect(f,
		       "{jsonrpc: '2.0', id: ?, result: {content: [{type: 'text', text: 'a dot'}, "
		       "{type: 'image', mimeType: 'image/png', data: 'AAAA'}]}}",
		       JSON_RAW(ids[i]));
	}
}

static void shapes_of_a_call(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'nope'}}");
	expect(f, "{jsonrpc: '2.0', id: 1, error: {code: -32602, message: 'Unknown tool: nope'}}");
	say(f, "{jsonrpc: '2.0', id: 9, method: 'tools/call', params: {name: 'paint'}}");
	expect_error(f, "9", -32602, "paint needs colours, which the browser of this server does not have");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call'}");
	expect_error(f, "2", -32602, "\"name\" must be a string");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'tools/call', params: {name: 5}}");
	expect_error(f, "3", -32602, "\"name\" must be a string");
	say(f, "{jsonrpc: '2.0', id: 4, method: 'tools/call', params: {name: 'echo', arguments: ['x']}}");
	expect_error(f, "4", -32602, "\"arguments\" must be an object");
	say(f, "{jsonrpc: '2.0', id: 5, method: 'tools/call', params: {name: 'echo', arguments: null}}");
	expect_error(f, "5", -32602, "\"arguments\" must be an object");
	say(f, "{jsonrpc: '2.0', method: 'tools/call', params: {name: 'echo'}}");
	expect_nothing(f);
}

/* The failure object inside the text content of an isError result. */
#define EXPECT_FAILURE(f, failure, ...) \
	do { \
		_cleanup_(str_done) struct str _text = {}; \
		str_json(&_text, failure, ##__VA_ARGS__); \
		expect(f, "{jsonrpc: '2.0', id: 1, result: {content: [{type: 'text', text: ?}], isError: true}}", _text.data); \
	} while (0)

static void failures_are_results(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'fail', arguments: {code: 'SESSION_EXPIRED', "
	       "text: 'gone', sessionId: 's1'}}}");
	EXPECT_FAILURE(f, "{errorCode: 'SESSION_EXPIRED', message: 'gone', sessionId: 's1', details: {tool: 'fail'}}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'fail', arguments: {code: 'ELEMENT_NOT_FOUND', "
	       "text: 'no'}}}");
	EXPECT_FAILURE(f, "{errorCode: 'ELEMENT_NOT_FOUND', message: 'no', details: {tool: 'fail'}}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'fail', arguments: {code: 'NAVIGATION_FAILED'}}}");
	EXPECT_FAILURE(f, "{errorCode: 'NAVIGATION_FAILED', message: 'fail failed: NAVIGATION_FAILED'}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'echo', arguments: {sessionId: 's2'}}}");
	EXPECT_FAILURE(f, "{errorCode: 'INVALID_PARAMETERS', message: ?, sessionId: 's2'}",
		       "Invalid arguments of echo: 'text' is required");
}

static void write_failure(struct task *t, int r, const char *tool, const char *session_id, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "### Error of %s: %s", tool, failure_words(t, task_error(t)));
	result_text(res, text.data);
}

static void a_server_may_word_its_failures(void **state)
{
	struct fixture *f = *state;

	f->server.failure = write_failure;
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'fail', arguments: {text: 'why'}}}");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {content: [{type: 'text', text: '### Error of fail: why'}], isError: true}}");
}

static void calls_overlap(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait'}}");
	await_waiting(f, 1);
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'echo', arguments: {text: 'b'}}}");
	expect(f, "{jsonrpc: '2.0', id: 2, result: {content: [{type: 'text', text: '{\"said\":\"b\"}'}], "
		  "structuredContent: {said: 'b'}}}");
}

static void duplicate_ids(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait'}}");
	say(f, "{jsonrpc: '2.0', id: 'a', method: 'tools/call', params: {name: 'wait'}}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'ping'}");
	expect_error(f, "1", -32600, "is still running");
	say(f, "{jsonrpc: '2.0', id: '\\u0061', method: 'ping'}");
	expect_error(f, "\"\\u0061\"", -32600, "is still running");
	say(f, "{jsonrpc: '2.0', id: '1', method: 'ping'}");
	expect(f, "{jsonrpc: '2.0', id: '1', result: {}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'ping'}");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {}}");
}

static void cancelled_calls_get_no_answer(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait'}}");
	say(f, "{jsonrpc: '2.0', id: '1', method: 'tools/call', params: {name: 'wait'}}");
	await_waiting(f, 2);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 2}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: [1]}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled'}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1, reason: 'user'}}");
	await_waiting(f, 1);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: '\\u0031'}}");
	await_waiting(f, 0);
	expect_nothing(f);
}

static void calls_are_bounded(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < LIMIT_CALLS_COUNT; i++)
		say(f, "{jsonrpc: '2.0', id: ?, method: 'tools/call', params: {name: 'wait'}}", i);
	say(f, "{jsonrpc: '2.0', id: 'more', method: 'tools/call', params: {name: 'wait'}}");
	expect_error(f, "\"more\"", -32603, "Too many calls");
	await_waiting(f, LIMIT_CALLS_COUNT);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 0}}");
	await_waiting(f, LIMIT_CALLS_COUNT - 1);
	say(f, "{jsonrpc: '2.0', id: 'more', method: 'tools/call', params: {name: 'picture'}}");
	free(next_message(f));
}

static void expect_progress(struct fixture *f, const char *token, double *progress, const char *part)
{
	_cleanup_(freep) char *message = next_message(f);
	_cleanup_(json_freep) struct json *v = NULL;
	size_t len = 0;
	const char *raw = json_raw(message, strlen(message), "params.progressToken", &len);

	assert_non_null(raw);
	assert_int_equal(len, strlen(token));
	assert_memory_equal(raw, token, len);
	assert_int_equal(json_parse(message, strlen(message), 64, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	assert_string_equal(json_str(v, "method"), "notifications/progress");
	assert_true(json_num(v, "params.progress", 0) > *progress);
	*progress = json_num(v, "params.progress", 0);
	if (part)
		assert_non_null(strstr(json_str(v, "params.message"), part));
	else
		assert_null(json_get(v, "params.message"));
}

static void progress_grows_until_the_answer(void **state)
{
	struct fixture *f = *state;
	double a = 0, b = 0;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait', arguments: {what: 'for Godot'}, "
	       "_meta: {progressToken: 't\\u0031'}}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'wait', _meta: {progressToken: 12}}}");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'tools/call', params: {name: 'wait'}}");
	for (int i = 0; i < 2; i++) {
		expect_progress(f, "\"t\\u0031\"", &a, "wait: for Godot (");
		expect_progress(f, "12", &b, "wait: running (");
	}
	for (int id = 1; id <= 3; id++)
		say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: ?}}", id);
	expect_nothing(f);
}

static void progress_without_a_message_in_2024(void **state)
{
	struct fixture *f = *state;
	double progress = 0;

	handshake(f, "2024-11-05");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait', _meta: {progressToken: 0}}}");
	expect_progress(f, "0", &progress, NULL);
}

static void wrong_progress_tokens(void **state)
{
	static const char *const tokens[] = { "null", "1.5", "true", "{}", "[1]" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(tokens); i++) {
		say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait', _meta: {progressToken: ?}}}",
		    JSON_RAW(tokens[i]));
		expect_error(f, "1", -32602, "progressToken");
	}
}

static void log_call(struct fixture *f, const char *level, const char *meta)
{
	say(f,
	    "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'log', arguments: {level: ?, text: 'note'}, "
	    "_meta: {?}}}",
	    level, JSON_RAW(meta));
}

#define LOGGED(level) \
	"{jsonrpc: '2.0', method: 'notifications/message', params: {level: '" level "', logger: 'browserd', data: 'note'}}"
#define LOG_ANSWER "{jsonrpc: '2.0', id: 1, result: {content: []}}"

static void log_level_of_a_session(void **state)
{
	struct fixture *f = *state;

	log_call(f, "notice", "");
	expect(f, LOG_ANSWER);
	log_call(f, "warning", "");
	expect(f, LOGGED("warning"));
	expect(f, LOG_ANSWER);
	say(f, "{jsonrpc: '2.0', id: 2, method: 'logging/setLevel', params: {level: 'debug'}}");
	expect(f, "{jsonrpc: '2.0', id: 2, result: {}}");
	log_call(f, "debug", "");
	expect(f, LOGGED("debug"));
	expect(f, LOG_ANSWER);
	log_error("note"); /* outside of calls, too */
	expect(f, LOGGED("error"));
	say(f, "{jsonrpc: '2.0', id: 3, method: 'logging/setLevel', params: {level: 'loud'}}");
	expect_error(f, "3", -32602, "level");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'logging/setLevel'}");
	expect_error(f, "3", -32602, "level");
}

static void expect_modern_log_answer(struct fixture *f)
{
	expect(f, "{jsonrpc: '2.0', id: 1, result: {resultType: 'complete', _meta: {io.modelcontextprotocol/serverInfo: "
		  "{name: 'browserd', title: 'Browser', version: '1.0'}}, content: []}}");
}

static void log_level_of_a_modern_request(void **state)
{
	static const char quiet[] = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
				    "\"io.modelcontextprotocol/clientCapabilities\":{}";
	_cleanup_(str_done) struct str info = {};
	struct fixture *f = *state;

	str_appendf(&info, "%s,\"io.modelcontextprotocol/logLevel\":\"info\"", quiet);
	log_call(f, "emergency", quiet);
	expect_modern_log_answer(f);
	log_call(f, "debug", info.data);
	expect_modern_log_answer(f);
	log_call(f, "info", info.data);
	expect(f, LOGGED("info"));
	expect_modern_log_answer(f);
	log_write(LOG_EMERGENCY, "of no request");
	expect_nothing(f);
}

static void log_messages_are_bounded(void **state)
{
	struct fixture *f = *state;
	size_t count = 0;

	for (unsigned i = 0; i < 3 * LIMIT_LOGS_PER_SECOND; i++)
		log_error("flood");
	for (const char *p = f->sent.data + f->read; *p; p++)
		count += *p == '\n';
	assert_in_range(count, LIMIT_LOGS_PER_SECOND, 2 * LIMIT_LOGS_PER_SECOND); /* a second may end meanwhile */
	assert_non_null(strstr(f->sent.data, "Too many log messages"));
}

static void set_true(void *data)
{
	*(bool *)data = true;
}

static void closing_ends_calls_with_an_answer(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'wait'}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'wait'}}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 2}}");
	mcp_conn_close(f->conn, set_true, &f->drained);
	assert_false(f->drained);
	say(f, "{jsonrpc: '2.0', id: 3, method: 'ping'}"); /* too late */
	EXPECT_FAILURE(f, "{errorCode: 'BROWSER_ERROR', message: ?}", "The connection is closing: the call was cancelled");
	while (!f->drained)
		loop_step(f->loop);
	expect_nothing(f);
}

static void finishing_waits_for_calls(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'echo', arguments: {text: 'last'}}}");
	mcp_conn_finish(f->conn, set_true, &f->drained);
	assert_false(f->drained);
	expect(f, "{jsonrpc: '2.0', id: 1, result: {content: [{type: 'text', text: '{\"said\":\"last\"}'}], "
		  "structuredContent: {said: 'last'}}}");
	while (!f->drained)
		loop_step(f->loop);
}

static void closing_without_calls_is_immediate(void **state)
{
	struct fixture *f = *state;

	mcp_conn_close(f->conn, set_true, &f->drained);
	assert_true(f->drained);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(content_of_several_kinds),
		TEST(ids_come_back_byte_for_byte),
		TEST(shapes_of_a_call),
		TEST(failures_are_results),
		TEST(a_server_may_word_its_failures),
		TEST(calls_overlap),
		TEST(duplicate_ids),
		TEST(cancelled_calls_get_no_answer),
		TEST(calls_are_bounded),
		TEST(progress_grows_until_the_answer),
		cmocka_unit_test_setup_teardown(progress_without_a_message_in_2024, fixture_setup, fixture_teardown),
		TEST(wrong_progress_tokens),
		TEST(log_level_of_a_session),
		cmocka_unit_test_setup_teardown(log_level_of_a_modern_request, fixture_setup, fixture_teardown),
		TEST(log_messages_are_bounded),
		TEST(closing_ends_calls_with_an_answer),
		TEST(finishing_waits_for_calls),
		TEST(closing_without_calls_is_immediate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
