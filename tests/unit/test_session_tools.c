/* create_session, list_sessions and close_session: which sessions there are, how many may be, when they end, and under which names. */
#include "server_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reply/writer.h"
#include "tools/table.h"

#define MINUTE (60 * USEC_PER_SEC)
#define BRIEFLY (200 * USEC_PER_MSEC)

/* ---- servers ---- */

static struct server *start(const struct registry_options *sessions)
{
	static const struct response_settings answers = { .form = ANSWERS_PLAYWRIGHT, .writer = &markdown_writer };

	return server_new(tool_table_lazy, &answers, sessions);
}

static int set_up(void **state)
{
	*state = start(&(const struct registry_options){ .timeout = MINUTE, .max = 3 });
	return 0;
}

static int set_up_brief(void **state)
{
	*state = start(&(const struct registry_options){ .timeout = BRIEFLY, .max = 1 });
	return 0;
}

static int set_up_lazy(void **state)
{
	*state = start(&(const struct registry_options){ .timeout = MINUTE, .max = 4, .lazy = true });
	return 0;
}

/* ---- calls ---- */

/* What the tool has answered, an object; the caller frees it. */
static struct json *read_reply(struct json *reply)
{
	const char *text = reply_text(reply);
	struct json *body = NULL;

	assert_int_equal(json_parse(text, strlen(text), 64, JSON_REFUSE_UNREPRESENTABLE, &body), 0);
	json_free(reply);
	return body;
}

static void print_arguments(struct str *out, const char *session, const char *more)
{
	str_json(out, "{sessionId: ?", session);
	str_appendf(out, "%s%s}", *more ? "," : "", more);
}

static struct json *call(struct server *s, const char *tool, const char *session, const char *more)
{
	_cleanup_(str_done) struct str arguments = {};

	print_arguments(&arguments, session, more);
	return read_reply(server_call(s, tool, arguments.data));
}

static void expect_success(struct server *s, const char *tool, const char *session, const char *more)
{
	_cleanup_(json_freep) struct json *body = call(s, tool, session, more);

	assert_true(json_bool(body, "success", false));
}

/* The call fails with this code, names the session, and its text contains `part`. */
static void expect_failure(struct server *s, const char *tool, const char *session, const char *more, const char *code,
			   const char *part)
{
	_cleanup_(json_freep) struct json *body = call(s, tool, session, more);

	assert_string_equal(json_text(body, "errorCode"), code);
	assert_string_equal(json_text(body, "sessionId"), session);
	if (!strstr(json_text(body, "message"), part))
		fail_msg("\"%s\" does not contain \"%s\"", json_text(body, "message"), part);
}

static void create(struct server *s, char ret[SESSION_ID_SIZE])
{
	_cleanup_(json_freep) struct json *body = read_reply(server_call(s, "create_session", "{}"));

	snprintf(ret, SESSION_ID_SIZE, "%s", json_text(body, "sessionId"));
	assert_true(*ret);
}

static struct json *list(struct server *s)
{
	return read_reply(server_call(s, "list_sessions", "{}"));
}

#define SHOP "\"url\": \"http://shop/\""

static void send_navigation(struct server *s, unsigned number, const char *session)
{
	_cleanup_(str_done) struct str arguments = {};

	print_arguments(&arguments, session, SHOP);
	server_send(s, number, "navigate", arguments.data);
}

/* ---- sessions that were created ---- */

static void a_new_session_is_listed(void **state)
{
	struct server *s = *state;
	int64_t before = clock_unix_msec();
	_cleanup_(json_freep) struct json *made = read_reply(server_call(s, "create_session", "{}")), *all = list(s);
	const struct json *entry = json_first(json_get(all, "sessions"));
	int64_t expires = json_int(made, "expiresAt", 0);

	assert_int_equal(strlen(json_text(made, "sessionId")), 36);
	assert_int_equal(json_text(made, "sessionId")[14], '4'); /* a random UUID */
	assert_in_range(expires - 60000, before, clock_unix_msec());
	assert_string_equal(json_text(made, "message"), "Session created");
	assert_int_equal(json_int(all, "count", 0), 1);
	assert_int_equal(json_int(all, "maxSessions", 0), 3);
	assert_string_equal(json_text(entry, "sessionId"), json_text(made, "sessionId"));
	assert_string_equal(json_text(entry, "url"), "about:blank");
	assert_string_equal(json_text(entry, "title"), "");
	assert_string_equal(json_text(entry, "state"), "idle");
	assert_int_equal(json_int(entry, "expiresAt", 0), expires);
}

static void a_list_has_the_page_of_a_session(void **state)
{
	struct server *s = *state;
	_cleanup_(json_freep) struct json *all = NULL;
	char id[SESSION_ID_SIZE];
	const struct json *entry;

	create(s, id);
	expect_success(s, "navigate", id, SHOP);
	all = list(s);
	entry = json_first(json_get(all, "sessions"));
	assert_string_equal(json_text(entry, "title"), "Shop");
	assert_string_equal(json_text(entry, "url"), "http://shop/");
	assert_false(json_bool(entry, "busy", true));
	assert_true(json_int(entry, "createdAt", 0) + 60000 <= json_int(entry, "expiresAt", 0));
}

static void assert_listed_state(struct server *s, bool busy, const char *word)
{
	_cleanup_(json_freep) struct json *all = list(s);
	const struct json *entry = json_first(json_get(all, "sessions"));

	assert_int_equal(json_bool(entry, "busy", !busy), busy);
	assert_string_equal(json_text(entry, "state"), word);
}

static void a_session_at_work_is_busy(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	create(s, id);
	memory.held = "navigation";
	send_navigation(s, 2, id);
	assert_listed_state(s, true, "working");
	memory.held = NULL;
	json_free(server_await(s, 2));
	assert_listed_state(s, false, "idle");
}

static int64_t listed_expiry(struct server *s)
{
	_cleanup_(json_freep) struct json *all = list(s);

	return json_int(json_first(json_get(all, "sessions")), "expiresAt", 0);
}

static void a_use_moves_the_expiry_and_a_list_does_not(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];
	int64_t before, expiry;

	create(s, id);
	before = clock_unix_msec();
	expect_success(s, "navigate", id, SHOP);
	expiry = listed_expiry(s);
	assert_in_range(expiry - 60000, before, clock_unix_msec());
	assert_int_equal(listed_expiry(s), expiry);
}

/* Tools of sessions, with the arguments that they need. */
static const struct {
	const char *tool, *more;
} users[] = {
	{ "close_session", "" },
	{ "navigate", SHOP },
	{ "click", "\"selector\": \"a\"" },
	{ "type", "\"selector\": \"a\", \"text\": \"b\"" },
	{ "evaluate", "\"expression\": \"1\"" },
	{ "screenshot", "" },
};

static void a_closed_session_is_not_found(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	create(s, id);
	expect_success(s, "close_session", id, "");
	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		expect_failure(s, users[i].tool, id, users[i].more, "SESSION_NOT_FOUND", "create_session");
}

static void ids_that_never_were_are_not_found(void **state)
{
	static const char *const ids[] = { "x", "f81d4fae-7dec-41d0-a765-00a0c91e6bf6", "../../etc/passwd", "é😀" };
	struct server *s = *state;
	char name[5001] = "";

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		expect_failure(s, "navigate", ids[i], SHOP, "SESSION_NOT_FOUND", "");
	memset(name, 'a', sizeof(name) - 1);
	expect_failure(s, "navigate", name, SHOP, "SESSION_NOT_FOUND", "");
	expect_failure(s, "navigate", "", SHOP, "SESSION_NOT_FOUND", "");
}

static void the_number_of_sessions_is_limited(void **state)
{
	struct server *s = *state;
	_cleanup_(json_freep) struct json *refused = NULL;
	char ids[3][SESSION_ID_SIZE], more[SESSION_ID_SIZE];

	for (size_t i = 0; i < 3; i++)
		create(s, ids[i]);
	refused = read_reply(server_call(s, "create_session", "{}"));
	assert_string_equal(json_text(refused, "errorCode"), "MAX_SESSIONS_REACHED");
	assert_non_null(strstr(json_text(refused, "message"), "3"));
	expect_success(s, "close_session", ids[0], "");
	create(s, more);
}

static void the_limit_holds_for_calls_at_the_same_time(void **state)
{
	struct server *s = *state;
	unsigned made = 0, refused = 0;

	for (unsigned i = 1; i <= 8; i++)
		server_send(s, i, "create_session", "{}");
	for (unsigned i = 1; i <= 8; i++) {
		_cleanup_(json_freep) struct json *body = read_reply(server_await(s, i));

		made += json_str(body, "sessionId") != NULL;
		refused += strcmp(json_text(body, "errorCode"), "MAX_SESSIONS_REACHED") == 0;
	}
	assert_int_equal(made, 3);
	assert_int_equal(refused, 5);
}

/* ---- sessions that expire ---- */

static void await_expiry(struct server *s)
{
	while (registry_count(s->app.registry) > 0)
		assert_int_equal(loop_step(s->loop), 0);
}

static void an_expired_session_says_so_and_makes_room(void **state)
{
	struct server *s = *state;
	char closed[SESSION_ID_SIZE], expired[SESSION_ID_SIZE], next[SESSION_ID_SIZE];

	create(s, closed);
	expect_success(s, "close_session", closed, "");
	create(s, expired);
	await_expiry(s);
	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		expect_failure(s, users[i].tool, expired, users[i].more, "SESSION_EXPIRED", "");
	expect_failure(s, "close_session", closed, "", "SESSION_NOT_FOUND", "");
	create(s, next);
}

static void a_session_in_use_does_not_expire(void **state)
{
	struct server *s = *state;
	_cleanup_(json_freep) struct json *body = NULL;
	usec_t later = clock_now() + 2 * BRIEFLY;
	char id[SESSION_ID_SIZE];

	create(s, id);
	memory.held = "navigation";
	send_navigation(s, 2, id);
	while (clock_now() < later)
		assert_int_equal(loop_step(s->loop), 0);
	memory.held = NULL;
	body = read_reply(server_await(s, 2));
	assert_true(json_bool(body, "success", false));
	expect_success(s, "navigate", id, SHOP);
}

/* ---- sessions that their first use makes ---- */

static void any_text_makes_a_session(void **state)
{
	static const char *const names[] = { "a", "agent 7", "../x", "É 你好 😀", "\"'\\\n" };
	struct server *s = *state;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(json_freep) struct json *shown = call(s, "navigate", names[i], SHOP), *all = list(s);

		assert_string_equal(json_text(shown, "title"), "Shop");
		assert_int_equal(json_int(all, "count", 0), 1);
		assert_string_equal(json_text(json_first(json_get(all, "sessions")), "sessionId"), names[i]);
		expect_success(s, "session_close", names[i], "");
	}
}

static void a_name_is_neither_empty_nor_long(void **state)
{
	struct server *s = *state;
	char name[258] = "";

	memset(name, 'x', 256);
	expect_success(s, "navigate", name, SHOP);
	name[256] = 'x';
	memcpy(name, "é", strlen("é"));
	expect_failure(s, "navigate", name, SHOP, "INVALID_PARAMETERS", "sessionId");
	expect_failure(s, "navigate", "", SHOP, "INVALID_PARAMETERS", "sessionId");
}

static void closing_makes_no_session(void **state)
{
	struct server *s = *state;

	expect_failure(s, "close_session", "never used", "", "SESSION_NOT_FOUND", "");
	expect_failure(s, "session_close", "never used", "", "SESSION_NOT_FOUND", "");
	assert_int_equal(registry_count(s->app.registry), 0);
}

static void the_first_use_from_several_sides_makes_one_session(void **state)
{
	struct server *s = *state;

	for (unsigned i = 1; i <= 5; i++)
		server_send(s, i, "navigate", "{\"sessionId\": \"shared\", " SHOP "}");
	for (unsigned i = 1; i <= 5; i++) {
		_cleanup_(json_freep) struct json *body = read_reply(server_await(s, i));

		assert_true(json_bool(body, "success", false));
	}
	assert_int_equal(registry_count(s->app.registry), 1);
}

static void the_limit_holds_for_names(void **state)
{
	static const char *const names[] = { "s0", "s1", "s2", "s3" };
	struct server *s = *state;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		expect_success(s, "navigate", names[i], SHOP);
	expect_failure(s, "navigate", "one too many", SHOP, "MAX_SESSIONS_REACHED", "4");
}

/* ---- sessions whose browser ends ---- */

struct end_of_browser {
	unsigned at, count;
};

static void end_browser(struct memory_page *p, const char *what, void *data)
{
	struct end_of_browser *e = data;

	if (++e->count == e->at)
		memory_end_browser();
}

static void assert_ended_with_browser(const struct json *body)
{
	const char *code = json_str(body, "errorCode");

	if (code && strcmp(code, "BROWSER_ERROR") != 0 && strcmp(code, "SESSION_NOT_FOUND") != 0)
		fail_msg("%s: %s", code, json_text(body, "message"));
}

static struct json *await_any(struct server *s, unsigned number)
{
	struct json *body = read_reply(server_await(s, number));

	assert_ended_with_browser(body);
	return body;
}

/* Two sessions are made at the same time, each navigates several times, and they are closed. Each call may fail. */
static void use_two_sessions(struct server *s)
{
	char ids[2][SESSION_ID_SIZE];

	for (unsigned i = 0; i < 2; i++)
		server_send(s, i, "create_session", "{}");
	for (unsigned i = 0; i < 2; i++) {
		_cleanup_(json_freep) struct json *made = await_any(s, i);

		snprintf(ids[i], sizeof(ids[i]), "%s", json_str(made, "sessionId") ? json_str(made, "sessionId") : "none");
	}
	for (unsigned i = 0; i < 10; i++)
		send_navigation(s, i, ids[i % 2]);
	for (unsigned i = 0; i < 10; i++)
		json_free(await_any(s, i));
	for (unsigned i = 0; i < 2; i++) {
		_cleanup_(json_freep) struct json *closed = call(s, "close_session", ids[i], "");

		assert_ended_with_browser(closed);
	}
}

static void assert_works(struct server *s)
{
	char id[SESSION_ID_SIZE];

	create(s, id);
	expect_success(s, "navigate", id, SHOP);
	expect_success(s, "close_session", id, "");
}

/* With each message in turn. */
static void a_browser_may_end_at_any_moment(void **state)
{
	struct server *s = *state;
	struct end_of_browser e = {};

	do {
		e = (struct end_of_browser){ .at = e.at + 1 };
		memory.before = end_browser;
		memory.data = &e;
		use_two_sessions(s);
		memory.before = NULL;
		assert_int_equal(registry_count(s->app.registry), 0);
		assert_works(s);
	} while (e.count >= e.at);
	assert_true(e.at > 40); /* the messages of one run */
}

#define CREATED(name) cmocka_unit_test_setup_teardown(name, set_up, server_tear_down)
#define BRIEF(name) cmocka_unit_test_setup_teardown(name, set_up_brief, server_tear_down)
#define LAZY(name) cmocka_unit_test_setup_teardown(name, set_up_lazy, server_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CREATED(a_new_session_is_listed),
		CREATED(a_list_has_the_page_of_a_session),
		CREATED(a_session_at_work_is_busy),
		CREATED(a_use_moves_the_expiry_and_a_list_does_not),
		CREATED(a_closed_session_is_not_found),
		CREATED(ids_that_never_were_are_not_found),
		CREATED(the_number_of_sessions_is_limited),
		CREATED(the_limit_holds_for_calls_at_the_same_time),
		CREATED(a_browser_may_end_at_any_moment),
		BRIEF(an_expired_session_says_so_and_makes_room),
		BRIEF(a_session_in_use_does_not_expire),
		LAZY(any_text_makes_a_session),
		LAZY(a_name_is_neither_empty_nor_long),
		LAZY(closing_makes_no_session),
		LAZY(the_first_use_from_several_sides_makes_one_session),
		LAZY(the_limit_holds_for_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
