/* Tools while a person has control of their session: where their calls stop, and what they answer. */
#include "server_fixture.h"

#include <string.h>

#include "base/error.h"
#include "reply/writer.h"
#include "session/control.h"
#include "tools/table.h"

#define OWNER 1 /* of the client of server_fixture.h */
#define VIEWER 7
#define BRIEFLY (50 * USEC_PER_MSEC)

/* At which message to the browser the person takes over, the nth of that name; then it is 0. */
static struct plan {
	struct server *server;
	const char *at;
	unsigned nth;
} plan;

static struct server *set_up_with(usec_t patience)
{
	static const struct response_settings answers = { .form = ANSWERS_COMPACT,
							  .writer = &compact_writer,
							  .snapshots = ACTION_SNAPSHOTS_INLINE };
	static struct registry_options sessions;

	sessions = (struct registry_options){ .timeout = USEC_NEVER, .max = 10, .control.patience = patience };
	plan = (struct plan){};
	return server_new(tool_table, &answers, &sessions);
}

static int set_up(void **state)
{
	*state = set_up_with(0);
	return 0;
}

static int set_up_brief(void **state)
{
	*state = set_up_with(BRIEFLY);
	return 0;
}

static const char *session_of(struct server *s)
{
	return session_id(registry_next(s->app.registry, OWNER, NULL));
}

static void take(struct server *s)
{
	const struct control_claim claim = { .viewer = VIEWER, .name = "Alice" };

	assert_int_equal(session_take_over(s->app.registry, OWNER, session_of(s), &claim), 0);
}

static void hand_back(struct server *s)
{
	assert_int_equal(session_hand_back(s->app.registry, OWNER, session_of(s), VIEWER), 0);
}

static struct control_state control_of(struct server *s)
{
	struct control_state state = {};

	session_control(s->app.registry, OWNER, session_of(s), &state);
	return state;
}

static void take_at_message(struct memory_page *p, const char *what, void *data)
{
	if (plan.nth && strcmp(what, plan.at) == 0 && !--plan.nth)
		take(plan.server);
}

/* The shop is shown, and a person takes over at a message of the next call. */
static void begin(struct server *s, const char *at, unsigned nth)
{
	json_free(server_call(s, "browser_navigate", "{\"url\": \"http://shop/\"}"));
	shop.nodes[SHOP_BUY].leads_to = NULL;
	plan = (struct plan){ .server = s, .at = at, .nth = nth };
	memory.before = take_at_message;
}

/* Runs the loop until the calls of the agent stand at the gate. */
static void await_gate(struct server *s)
{
	while (!control_of(s).taken || !control_of(s).waiting)
		loop_step(s->loop);
	assert_false(control_of(s).agent_acts);
}

/* The texts of the answer contain both parts. */
static void expect_parts(struct server *s, unsigned number, const char *part, const char *other)
{
	_cleanup_(json_freep) struct json *reply = server_await(s, number);
	_cleanup_(str_done) struct str text = {};

	json_foreach(item, json_get(reply, "result.content"))
		str_appendf(&text, "%s\n", json_text(item, "text"));
	if (!strstr(str_text(&text), part) || !strstr(str_text(&text), other))
		fail_msg("\"%s\" does not contain \"%s\" and \"%s\"", str_text(&text), part, other);
}

#define CLICK_BUY "browser_click", "{\"target\": \"e2\"}"
#define HAD_CONTROL "had control of this session for"

static void a_click_waits_before_its_press(void **state)
{
	struct server *s = *state;

	begin(s, "resolveForClick", 1);
	server_send(s, 1, CLICK_BUY);
	await_gate(s);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 0);
	assert_null(s->replies[1]);
	hand_back(s);
	expect_parts(s, 1, "Nothing changed since r1", HAD_CONTROL);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
}

static void a_press_is_released_and_then_the_answer_waits(void **state)
{
	struct server *s = *state;

	begin(s, "mouse", 2); /* after the move, the press */
	server_send(s, 1, CLICK_BUY);
	await_gate(s);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
	assert_null(s->replies[1]);
	hand_back(s);
	expect_parts(s, 1, "A person (Alice) " HAD_CONTROL, "What you have seen of the page may have changed.");
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
}

static void an_action_that_was_done_is_answered_without_the_page(void **state)
{
	struct server *s = *state;
	_cleanup_(json_freep) struct json *reply = NULL;

	begin(s, "mouse", 2);
	server_send(s, 1, CLICK_BUY);
	reply = server_await(s, 1);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
	assert_true(json_bool(reply, "result.isError", false));
	assert_non_null(
		strstr(reply_text(reply), "The call was done, but the page is not shown: a person (Alice) has had control"));
	assert_null(strstr(reply_text(reply), "Shop"));
}

static void a_call_fails_when_it_has_waited_long_enough(void **state)
{
	struct server *s = *state;

	begin(s, "nothing", 0);
	take(s);
	server_send(s, 1, CLICK_BUY);
	server_send(s, 2, "browser_snapshot", "{}");
	expect_parts(s, 1, "Error: a person (Alice) has had control of session ", "has done nothing. Call again");
	expect_parts(s, 2, "Error: a person (Alice) has had control of session ", "has done nothing. Call again");
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 0);
	hand_back(s);
	server_send(s, 3, "browser_snapshot", "{}");
	expect_parts(s, 3, "button \"Buy\" e2", HAD_CONTROL);
}

static void session_tools_fail_with_a_code(void **state)
{
	struct server *s = *state;
	_cleanup_(json_freep) struct json *body = NULL, *reply = NULL;
	_cleanup_(str_done) struct str arguments = {};

	json_free(server_call(s, "create_session", "{}"));
	str_json(&arguments, "{sessionId: ?, url: 'http://shop/'}", session_of(s));
	json_free(server_call(s, "navigate", arguments.data));
	take(s);
	reply = server_call(s, "navigate", arguments.data);
	assert_int_equal(json_parse(reply_text(reply), strlen(reply_text(reply)), 64, JSON_REFUSE_UNREPRESENTABLE, &body), 0);
	assert_string_equal(json_text(body, "errorCode"), "USER_HAS_CONTROL");
	assert_string_equal(json_text(body, "details.who"), "Alice");
	assert_true(json_int(body, "details.since", 0) > 0);
}

static void a_batch_stops_before_its_next_step(void **state)
{
	struct server *s = *state;

	begin(s, "mouse", 2);
	server_send(
		s, 1, "browser_batch",
		"{\"steps\": [{\"tool\": \"browser_click\", \"target\": \"e2\"}, {\"tool\": \"browser_click\", \"target\": \"e3\"}]}");
	await_gate(s);
	hand_back(s);
	expect_parts(s, 1, "Stopped before step 2 of 2, browser_click: a person took control of the session meanwhile",
		     "2 browser_click not run");
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
	assert_int_equal(shop.nodes[SHOP_HELP].presses, 0);
}

static void calls_that_wait_can_be_cancelled(void **state)
{
	struct server *s = *state;

	begin(s, "resolveForClick", 1);
	server_send(s, 1, CLICK_BUY);
	server_send(s, 2, CLICK_BUY);
	await_gate(s);
	server_cancel(s, 1);
	server_cancel(s, 2);
	while (task_count() > 0)
		loop_step(s->loop);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 0);
	assert_null(s->replies[1]);
	assert_null(s->replies[2]);
	assert_true(control_of(s).taken);
	hand_back(s);
	server_send(s, 3, CLICK_BUY);
	expect_parts(s, 3, "Nothing changed since r1", HAD_CONTROL);
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 1);
}

static void a_session_can_be_closed_under_control(void **state)
{
	struct server *s = *state;
	_cleanup_(str_done) struct str arguments = {};

	begin(s, "resolveForClick", 1);
	server_send(s, 1, CLICK_BUY);
	await_gate(s);
	str_json(&arguments, "{sessionId: ?}", session_of(s));
	server_send(s, 2, "close_session", arguments.data);
	expect_parts(s, 2, "\"success\":true", "");
	expect_parts(s, 1, "was closed while this call ran", "");
}

static void the_browser_may_end_under_control(void **state)
{
	struct server *s = *state;

	begin(s, "resolveForClick", 1);
	server_send(s, 1, CLICK_BUY);
	await_gate(s);
	memory_end_browser();
	expect_parts(s, 1, "browser died", "");
	server_send(s, 2, "browser_navigate", "{\"url\": \"http://shop/\"}");
	expect_parts(s, 2, "button \"Buy\"", "");
}

static void the_server_may_end_under_control(void **state)
{
	struct server *s = *state;

	begin(s, "resolveForClick", 1);
	server_send(s, 1, CLICK_BUY);
	await_gate(s); /* the fixture ends the server */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, server_tear_down)
#define TEST_BRIEF(name) cmocka_unit_test_setup_teardown(name, set_up_brief, server_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_click_waits_before_its_press),
		TEST(a_press_is_released_and_then_the_answer_waits),
		TEST_BRIEF(an_action_that_was_done_is_answered_without_the_page),
		TEST_BRIEF(a_call_fails_when_it_has_waited_long_enough),
		TEST_BRIEF(session_tools_fail_with_a_code),
		TEST(a_batch_stops_before_its_next_step),
		TEST(calls_that_wait_can_be_cancelled),
		TEST(a_session_can_be_closed_under_control),
		TEST(the_browser_may_end_under_control),
		TEST(the_server_may_end_under_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
