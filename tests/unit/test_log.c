/* Logging: what reaches stderr (a pipe here) and what reaches sinks. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

struct recorder {
	struct log_sink sink;
	int count;
	enum log_level level;
	char text[200];
};

static int pipe_fds[2], saved_stderr;
static char line[400];

static void record(struct log_sink *sink, enum log_level level, const char *text)
{
	struct recorder *r = CONTAINER_OF(sink, struct recorder, sink);

	r->count++;
	r->level = level;
	strncpy(r->text, text, sizeof(r->text) - 1);
}

static int setup(void **state)
{
	assert_int_equal(pipe(pipe_fds), 0);
	saved_stderr = dup(STDERR_FILENO);
	dup2(pipe_fds[1], STDERR_FILENO);
	close(pipe_fds[1]);
	log_set_level(LOG_INFO);
	return 0;
}

static int teardown(void **state)
{
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(pipe_fds[0]);
	return 0;
}

/* What was written in one write(2). */
static const char *written(void)
{
	ssize_t len = read(pipe_fds[0], line, sizeof(line) - 1);

	line[len > 0 ? len : 0] = 0;
	return line;
}

static void writes_one_line(void **state)
{
	errno = EDOM;
	log_warning("%s of %d", "two", 3);
	assert_string_equal(written(), "browserd: warning: two of 3\n");
	assert_int_equal(errno, EDOM);
}

static void held_messages_have_the_format_and_level_of_their_release(void **state)
{
	log_hold();
	log_warning("first");
	log_debug("second");
	log_error("third");
	log_set_json(true);
	log_set_level(LOG_ERROR);
	log_release();
	log_set_json(false);
	assert_non_null(strstr(written(), "\"details\":{\"message\":\"third\"}"));
	assert_null(strstr(line, "first"));
	log_error("fourth");
	assert_string_equal(written(), "browserd: error: fourth\n");
}

static void levels_below_are_left_out(void **state)
{
	log_debug("not shown");
	log_info("shown");
	assert_string_equal(written(), "browserd: info: shown\n");
	log_set_level(LOG_ERROR);
	assert_int_equal(log_get_level(), LOG_ERROR);
	log_warning("not shown");
	log_write(LOG_EMERGENCY, "shown");
	assert_string_equal(written(), "browserd: emergency: shown\n");
}

static void text_cannot_forge_lines(void **state)
{
	log_error("a\nbrowserd: error: b\033[2J");
	assert_string_equal(written(), "browserd: error: a browserd: error: b [2J\n");
}

static void sinks_have_their_own_level(void **state)
{
	struct recorder low = { .sink = { .lowest = LOG_DEBUG, .write = record } };
	struct recorder high = { .sink = { .lowest = LOG_CRITICAL, .write = record } };

	log_add_sink(&low.sink);
	log_add_sink(&high.sink);
	log_debug("x%d", 1);
	assert_int_equal(low.count, 1);
	assert_int_equal(low.level, LOG_DEBUG);
	assert_string_equal(low.text, "x1");
	assert_int_equal(high.count, 0);
	log_remove_sink(&low.sink);
	log_write(LOG_CRITICAL, "x2");
	assert_int_equal(low.count, 1);
	assert_string_equal(high.text, "x2");
	log_remove_sink(&high.sink);
	log_write(LOG_CRITICAL, "x3");
	assert_int_equal(high.count, 1);
}

static void complain_and_leave(struct log_sink *sink, enum log_level level, const char *text)
{
	record(sink, level, text);
	log_error("the sink itself");
	log_remove_sink(sink);
}

static void a_sink_may_log_and_leave(void **state)
{
	struct recorder r = { .sink = { .lowest = LOG_DEBUG, .write = complain_and_leave } };

	log_add_sink(&r.sink);
	log_debug("once");
	log_debug("twice");
	assert_int_equal(r.count, 1);
	assert_string_equal(r.text, "once");
	assert_string_equal(written(), "browserd: error: the sink itself\n");
}

static void level_names(void **state)
{
	assert_int_equal(log_level_parse("debug"), LOG_DEBUG);
	assert_int_equal(log_level_parse("emergency"), LOG_EMERGENCY);
	assert_int_equal(log_level_parse("Debug"), -EINVAL);
	assert_int_equal(log_level_parse(""), -EINVAL);
	assert_int_equal(log_level_parse(NULL), -EINVAL);
}

static void writes_json(void **state)
{
	log_set_json(true);
	log_warning("%s\n\"", "two");
	assert_non_null(strstr(written(), "\"level\":\"warning\",\"component\":\"unit\",\"event\":\"message\","
					  "\"details\":{\"message\":\"two\\n\\\"\"}}\n"));
	log_event("tool_called", "s1", "tool: ?", "x");
	assert_memory_equal(written(), "{\"timestamp\":\"20", 16);
	assert_non_null(strstr(line, "\"event\":\"tool_called\",\"sessionId\":\"s1\",\"details\":{\"tool\":\"x\"}}\n"));
	log_set_json(false);
	log_event("tool_called", "s1", "tool: ?", "x");
	assert_string_equal(written(), "browserd: info: tool_called {\"tool\":\"x\"} in session s1\n");
}

/* Whether the pattern of DEBUG has the lines of pw:mcp:test. */
static bool debugs(const char *pattern)
{
	static const char *const both[] = { "pw:mcp:test shown\n", "other shown\n" };
	char patterns[80];

	snprintf(patterns, sizeof(patterns), "%s%sother", pattern, *pattern ? "," : "");
	setenv("DEBUG", patterns, true);
	setenv("DEBUG_HIDE_DATE", "1", true);
	log_debugged("pw:mcp:test", "%s", "shown");
	log_debugged("other", "%s", "shown");
	written();
	if (strncmp(line, both[0], strlen(both[0])) != 0) {
		assert_string_equal(line, both[1]);
		return false;
	}
	return true;
}

static void debug_has_patterns_of_names(void **state)
{
	static const char *const matching[] = {
		"*",      "pw:*",          "pw:mcp:*",      "pw:mcp:test",       "pw:mcp:test*", "pw*te*t",
		"*:test", "a,pw:mcp:test", "a pw:mcp:test", "a,,  pw:mcp:test,", "pw:*,-pw:mcp", "-other:*,pw:*"
	};
	static const char *const others[] = { "",
					      "pw",
					      "pw:mcp",
					      "pw:mcp:tes",
					      "pw:mcp:test:x",
					      "PW:MCP:TEST",
					      "pw:mcp:t?st",
					      "pw:mcp:te[s]t",
					      "*:tes",
					      "-pw:mcp:test",
					      "pw:*,-pw:mcp:*",
					      "-*:test,pw:mcp:test" };

	for (size_t i = 0; i < ARRAY_SIZE(matching); i++)
		assert_true(debugs(matching[i]));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(debugs(others[i]));
}

static void debug_lines_have_a_date_unless_it_is_hidden(void **state)
{
	static const char *const hide[] = { "1", "2", "yes", "ON", "enabled" }, *const show[] = { "", "0", "no", "false", "x" };

	setenv("DEBUG", "pw:*", true);
	for (size_t i = 0; i < ARRAY_SIZE(hide); i++) {
		setenv("DEBUG_HIDE_DATE", hide[i], true);
		log_lifecycle("create context");
		assert_string_equal(written(), "pw:mcp:test create context\n");
	}
	for (size_t i = 0; i < ARRAY_SIZE(show); i++) {
		setenv("DEBUG_HIDE_DATE", show[i], true);
		log_lifecycle("create context");
		assert_memory_equal(written(), "20", 2);
		assert_string_equal(strchr(line, 'Z'), "Z pw:mcp:test create context\n");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(writes_one_line, setup, teardown),
		cmocka_unit_test_setup_teardown(writes_json, setup, teardown),
		cmocka_unit_test_setup_teardown(held_messages_have_the_format_and_level_of_their_release, setup, teardown),
		cmocka_unit_test_setup_teardown(levels_below_are_left_out, setup, teardown),
		cmocka_unit_test_setup_teardown(text_cannot_forge_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(sinks_have_their_own_level, setup, teardown),
		cmocka_unit_test_setup_teardown(a_sink_may_log_and_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(debug_has_patterns_of_names, setup, teardown),
		cmocka_unit_test_setup_teardown(debug_lines_have_a_date_unless_it_is_hidden, setup, teardown),
		cmocka_unit_test(level_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
