/* The calls of a session that people see: which session they belong to, how they ended, how many are kept. */
#include "server_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "people/calls.h"
#include "reply/writer.h"
#include "tools/lines.h"
#include "tools/table.h"

static struct calls *calls;

static void on_began(struct mcp_call *call)
{
	calls_began(calls, call);
}

static void on_called(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	calls_ended(calls, call, outcome, duration);
}

static int set_up(void **state)
{
	static const struct response_settings answers = { .form = ANSWERS_PLAYWRIGHT, .writer = &markdown_writer };
	static const struct registry_options sessions = { .timeout = 60 * USEC_PER_SEC, .max = 3 };
	struct server *s = server_new(tool_table, &answers, &sessions);

	calls = calls_new(s->app.registry);
	s->mcp.began = on_began;
	s->mcp.called = on_called;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	server_tear_down(state);
	calls = calls_free(calls);
	return 0;
}

static void call(struct server *s, const char *tool, const char *session, const char *more)
{
	_cleanup_(str_done) struct str arguments = {};

	str_json(&arguments, "{sessionId: ?", session);
	str_appendf(&arguments, "%s%s}", *more ? "," : "", more);
	json_free(server_call(s, tool, arguments.data));
}

static void create(struct server *s, char ret[SESSION_ID_SIZE])
{
	const struct session *last = NULL, *each = NULL;

	json_free(server_call(s, "create_session", "{}"));
	while ((each = registry_next(s->app.registry, 1, each)))
		last = each;
	snprintf(ret, SESSION_ID_SIZE, "%s", session_id(last));
}

/* The next one after number `after` of owner 1 is that. */
static void expect_seen(const char *session, uint64_t after, const char *line, enum mcp_outcome outcome, const char *error)
{
	const struct seen_call *seen = calls_next(calls, 1, session, after);

	assert_non_null(seen);
	assert_int_equal(seen->number, after + 1);
	assert_string_equal(seen->line, line);
	assert_int_equal(seen->outcome, outcome);
	assert_string_equal(seen->error ? seen->error : "", error ? error : "");
}

static void calls_are_those_of_their_session(void **state)
{
	struct server *s = *state;
	char one[SESSION_ID_SIZE], two[SESSION_ID_SIZE];

	create(s, one);
	create(s, two);
	call(s, "navigate", one, "\"url\": \"http://shop/\"");
	call(s, "browser_click", two, "\"target\": \"e9999\", \"element\": \"Buy\"");
	expect_seen(one, 0, "Create the session", MCP_CALL_OK, NULL);
	expect_seen(one, 1, "Open http://shop/", MCP_CALL_OK, NULL);
	assert_null(calls_next(calls, 1, one, 2));
	assert_int_equal(calls_last(calls, 1, one), 2);
	expect_seen(two, 0, "Create the session", MCP_CALL_OK, NULL);
	expect_seen(two, 1, "Click “Buy”", MCP_CALL_FAILED, "REF_NOT_FOUND");
	assert_null(calls_next(calls, 2, one, 0));
	assert_int_equal(calls_last(calls, 2, one), 0);
	call(s, "close_session", one, "");
	assert_null(calls_next(calls, 1, one, 0));
}

static void calls_that_never_began_to_work_are_seen(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	create(s, id);
	call(s, "navigate", id, "\"url\": 5");
	expect_seen(id, 1, "Open …", MCP_CALL_FAILED, "INVALID_PARAMETERS");
	call(s, "navigate", "unknown", "\"url\": \"http://shop/\"");
	assert_int_equal(calls_last(calls, 1, id), 2);
	assert_null(calls_next(calls, 1, "unknown", 0));
}

static void the_clients_own_session_needs_no_id(void **state)
{
	struct server *s = *state;
	const struct session *own;

	json_free(server_call(s, "browser_navigate", "{\"url\": \"http://shop/\"}"));
	json_free(server_call(s, "browser_navigate", "{\"url\": 5}"));
	own = registry_next(s->app.registry, 1, NULL);
	expect_seen(session_id(own), 0, "Open http://shop/", MCP_CALL_OK, NULL);
	expect_seen(session_id(own), 1, "Open …", MCP_CALL_FAILED, "INVALID_PARAMETERS");
}

static void steps_are_seen_before_their_call(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	create(s, id);
	call(s, "browser_batch", id,
	     "\"steps\": [{\"tool\": \"browser_snapshot\"}, {\"tool\": \"browser_navigate\", \"url\": \"http://shop/\"}]");
	expect_seen(id, 1, "Look at the page", MCP_CALL_OK, NULL);
	assert_true(calls_next(calls, 1, id, 1)->is_step);
	expect_seen(id, 2, "Open http://shop/", MCP_CALL_OK, NULL);
	expect_seen(id, 3, "Do 2 steps", MCP_CALL_OK, NULL);
	assert_false(calls_next(calls, 1, id, 3)->is_step);
}

static bool await_running(struct server *s, const char *session, unsigned count)
{
	const struct session *each = NULL;
	_cleanup_(str_done) struct str line = {};
	struct seen_call seen;
	unsigned at, n;

	while ((each = registry_next(s->app.registry, 1, each)))
		if (!strcmp(session_id(each), session))
			break;
	do {
		assert_int_equal(loop_step(s->loop), 0);
		for (at = 0, n = 0; calls_next_running(calls, each, &at, &line, &seen); n++) {
			assert_int_equal(seen.number, 0);
			assert_string_equal(seen.line, "Wait 30 seconds");
		}
	} while (n != count);
	return true;
}

static void calls_that_run_are_seen_until_they_end(void **state)
{
	struct server *s = *state;
	_cleanup_(str_done) struct str arguments = {};
	char id[SESSION_ID_SIZE];

	create(s, id);
	call(s, "navigate", id, "\"url\": \"http://shop/\"");
	str_json(&arguments, "{sessionId: ?, time: 30}", id);
	server_send(s, 2, "browser_wait_for", arguments.data);
	server_send(s, 3, "browser_wait_for", arguments.data);
	await_running(s, id, 2);
	server_cancel(s, 2);
	await_running(s, id, 1);
	expect_seen(id, 2, "Wait 30 seconds", MCP_CALL_CANCELLED, NULL);
	server_cancel(s, 3);
	await_running(s, id, 0);
}

static void a_session_keeps_its_last_calls(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];
	uint64_t number = 0, count = 0;

	create(s, id);
	for (unsigned i = 0; i < LIMIT_SEEN_CALLS_COUNT + 5; i++)
		call(s, "navigate", id, "\"url\": 5");
	for (const struct seen_call *seen; (seen = calls_next(calls, 1, id, number)); number = seen->number)
		count++;
	assert_int_equal(count, LIMIT_SEEN_CALLS_COUNT);
	assert_int_equal(number, LIMIT_SEEN_CALLS_COUNT + 6);
	assert_int_equal(calls_next(calls, 1, id, 0)->number, 7);
}

static struct {
	unsigned count;
	char session[SESSION_ID_SIZE];
} told;

static void on_seen(struct calls_listener *l, uint64_t owner, const char *session, const struct seen_call *seen)
{
	assert_int_equal(owner, 1);
	assert_int_equal(seen->number, ++told.count);
	snprintf(told.session, sizeof(told.session), "%s", session);
}

static void listeners_hear_of_each_call(void **state)
{
	static struct calls_listener listener = { .ended = on_seen };
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	calls_listen(calls, &listener);
	create(s, id);
	call(s, "navigate", id, "\"url\": \"http://shop/\"");
	assert_int_equal(told.count, 2);
	assert_string_equal(told.session, id);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(calls_are_those_of_their_session),
		TEST(calls_that_never_began_to_work_are_seen),
		TEST(the_clients_own_session_needs_no_id),
		TEST(steps_are_seen_before_their_call),
		TEST(calls_that_run_are_seen_until_they_end),
		TEST(a_session_keeps_its_last_calls),
		TEST(listeners_hear_of_each_call),
	};

	arguments_use(tool_lines);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
