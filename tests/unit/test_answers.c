/* What browser_* tools answer of a page in memory, in both forms, through a server in this process. */
#include "server_fixture.h"

#include <string.h>

#include "reply/writer.h"
#include "tools/table.h"

static const struct registry_options sessions = { .timeout = USEC_NEVER, .max = 10 };

static int set_up_compact(void **state)
{
	*state = server_new(tool_table_browser,
			    &(const struct response_settings){
				    .form = ANSWERS_COMPACT, .writer = &compact_writer, .snapshots = ACTION_SNAPSHOTS_INLINE },
			    &sessions);
	return 0;
}

static int set_up_playwright(void **state)
{
	*state = server_new(tool_table_browser,
			    &(const struct response_settings){
				    .form = ANSWERS_PLAYWRIGHT, .writer = &markdown_writer, .snapshots = ACTION_SNAPSHOTS_INLINE },
			    &sessions);
	return 0;
}

/* ---- calls ---- */

static void browse_shop(struct server *s)
{
	json_free(server_call(s, "browser_navigate", "{\"url\": \"http://shop/\"}"));
}

static void expect(struct server *s, const char *tool, const char *arguments, const char *text)
{
	_cleanup_(json_freep) struct json *reply = server_call(s, tool, arguments);

	assert_string_equal(reply_text(reply), text);
}

/* The answer begins with `beginning`, and contains `part`. */
static void expect_beginning(struct server *s, const char *tool, const char *arguments, const char *beginning, const char *part)
{
	_cleanup_(json_freep) struct json *reply = server_call(s, tool, arguments);
	const char *text = reply_text(reply);

	if (strncmp(text, beginning, strlen(beginning)) != 0 || !strstr(text, part))
		fail_msg("\"%s\" does not begin with \"%s\" and contain \"%s\"", text, beginning, part);
}

#define CALL(tool, ...) s, tool, "{" __VA_ARGS__ "}"
#define TARGET(ref) "\"target\": \"" ref "\""
#define URL(address) "\"url\": \"" address "\""
#define CODE(code) "### Ran Playwright code\n```js\n" code "\n```"
#define PAGE(url, title) "### Page\n- Page URL: " url "\n- Page Title: " title
#define SNAPSHOT(lines) "### Snapshot\n```yaml\n" lines "\n```"
#define SHOP_LINES "- main \"Shop\":\n  - button \"Buy\" [ref=e2]\n  - button \"Help\" [ref=e3]"
#define ALERT "- [\"alert\" dialog with message \"Just ask\"]: can be handled by browser_handle_dialog"
#define VEILED "- <div id=\"veil\"> intercepts pointer events"
#define CLICK_BUY "await page.getByRole('button', { name: 'Buy' }).click();"
#define CLICK_HELP "await page.getByRole('button', { name: 'Help' }).click();"

static void close_at_press(struct memory_page *p, const char *what, void *data)
{
	if (strcmp(what, "mouse") == 0)
		memory_close(p);
}

/* ---- the compact form ---- */

static void compact_answers_show_the_page_and_then_what_changed(void **state)
{
	struct server *s = *state;

	expect(CALL("browser_navigate", URL("http://shop/")), "await page.goto('http://shop/');\nr1 http://shop/ \"Shop\"\n"
							      "main \"Shop\"\n button \"Buy\" e2\n button \"Help\" e3");
	expect(CALL("browser_snapshot"), "r1 http://shop/ \"Shop\"\nmain \"Shop\"\n button \"Buy\" e2\n button \"Help\" e3");
	shop.nodes[SHOP_BUY].leads_to = NULL;
	expect(CALL("browser_click", TARGET("e2")), CLICK_BUY "\nNothing changed since r1.");
	shop.nodes[SHOP_HELP].name = "More help";
	expect(CALL("browser_click", TARGET("e2")),
	       CLICK_BUY "\nr2, changed since r1:\nin main \"Shop\"\n~ button \"More help\" e3");
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 2);
}

static void compact_answers_name_the_page_that_a_ref_was_on(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	expect(CALL("browser_click", TARGET("e2")), CLICK_BUY "\nr2 http://cart/ \"Cart\"\nbutton \"Pay\" f1e1");
	expect(CALL("browser_click", TARGET("e2")), "Error: Ref e2 was on the page of r1, which has been left. "
						    "browser_snapshot shows the refs of the page that is there now");
	expect(CALL("browser_click", TARGET("f1e1")),
	       "await page.getByRole('button', { name: 'Pay' }).click();\nNothing changed since r2.");
}

static void compact_answers_say_why_a_call_failed(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	expect(CALL("browser_navigate", URL("http://nowhere/")), "Error: net::ERR_NAME_NOT_RESOLVED at http://nowhere/");
	shop.nodes[SHOP_BUY].covered_by = "<div id=\"veil\">";
	expect_beginning(CALL("browser_click", TARGET("e2")), "Error: Timeout 1000ms exceeded.\n  Call log:\n", VEILED);
}

static void compact_answers_say_what_a_dialog_holds_up(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	expect(CALL("browser_click", TARGET("e3")), CLICK_HELP "\n" ALERT "\nhttp://shop/");
	expect(CALL("browser_click", TARGET("e2")),
	       "Error: Tool \"browser_click\" does not handle the modal state.\n" ALERT "\nhttp://shop/");
	expect(CALL("browser_handle_dialog", "\"accept\": true"), "Nothing changed since r1.");
	assert_int_equal(shop.nodes[SHOP_BUY].presses, 0);
}

/* ---- both forms ---- */

/* It may have closed the page. */
static void a_click_whose_page_goes_succeeds(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	memory.before = close_at_press;
	expect(CALL("browser_click", TARGET("e2")), s->answers.form == ANSWERS_COMPACT ? CLICK_BUY : CODE(CLICK_BUY));
}

/* What happens to the page when the message with that number comes to it. */
struct mishap {
	void (*happen)(struct memory_page *p);
	unsigned at, count;
};

static void cause_mishap(struct memory_page *p, const char *what, void *data)
{
	struct mishap *m = data;

	if (p && ++m->count == m->at)
		m->happen(p);
}

static void go_elsewhere(struct memory_page *p)
{
	memory_navigate(p, ELSEWHERE);
}

/* Returns the number of messages of the call. */
static unsigned try_mishaps(struct server *s, void (*happen)(struct memory_page *p), const char *tool, const char *arguments)
{
	struct mishap m = { happen };

	do {
		_cleanup_(json_freep) struct json *reply = NULL;

		use_shop();
		browse_shop(s);
		m = (struct mishap){ happen, m.at + 1 };
		memory.before = cause_mishap;
		memory.data = &m;
		reply = server_call(s, tool, arguments);
		if (!*reply_text(reply))
			fail_msg("%s has no answer after a mishap at message %u", tool, m.at);
	} while (m.count >= m.at);
	return m.count;
}

static void calls_end_when_their_page_ends_or_navigates(void **state)
{
	static void (*const happenings[])(struct memory_page * p) = { memory_close, go_elsewhere };
	struct server *s = *state;

	for (size_t i = 0; i < ARRAY_SIZE(happenings); i++) {
		assert_true(try_mishaps(s, happenings[i], "browser_navigate", "{" URL("http://cart/") "}") > 2);
		assert_true(try_mishaps(s, happenings[i], "browser_snapshot", "{}") > 0);
		assert_true(try_mishaps(s, happenings[i], "browser_click", "{" TARGET("Buy") "}") > 2);
	}
}

/* The call with number 2 is given up when the message with that number comes to its page. */
struct cancellation {
	struct server *s;
	unsigned at, count;
};

static void cancel_call(struct memory_page *p, const char *what, void *data)
{
	struct cancellation *c = data;

	if (p && ++c->count == c->at)
		server_cancel(c->s, 2);
}

/* Returns the number of messages of the call. */
static unsigned try_cancellations(struct server *s, const char *tool, const char *arguments)
{
	struct cancellation c = { s };

	do {
		use_shop();
		browse_shop(s);
		c = (struct cancellation){ s, c.at + 1 };
		memory.before = cancel_call;
		memory.data = &c;
		server_send(s, 2, tool, arguments);
		while (task_count() > 0)
			assert_int_equal(loop_step(s->loop), 0);
		memory.before = NULL;
		if ((s->replies[2] != NULL) != (c.count < c.at))
			fail_msg("%s was cancelled at message %u, and %s", tool, c.at,
				 s->replies[2] ? "answered" : "did not answer");
		s->replies[2] = json_free(s->replies[2]);
	} while (c.count >= c.at);
	return c.count;
}

static void cancelled_calls_end_without_an_answer(void **state)
{
	struct server *s = *state;

	assert_true(try_cancellations(s, "browser_navigate", "{" URL("http://cart/") "}") > 2);
	assert_true(try_cancellations(s, "browser_snapshot", "{}") > 0);
	assert_true(try_cancellations(s, "browser_click", "{" TARGET("Buy") "}") > 2);
	browse_shop(s);
	expect_beginning(CALL("browser_click", TARGET("Buy")), CLICK_BUY, "button \"Pay\"");
}

/* ---- the form of @playwright/mcp ---- */

static void playwright_answers_have_code_page_and_snapshot(void **state)
{
	struct server *s = *state;

	expect(CALL("browser_navigate", URL("http://shop/")),
	       CODE("await page.goto('http://shop/');") "\n" PAGE("http://shop/", "Shop") "\n" SNAPSHOT(SHOP_LINES));
	expect(CALL("browser_snapshot"), PAGE("http://shop/", "Shop") "\n" SNAPSHOT(SHOP_LINES));
	expect(CALL("browser_click", TARGET("e2")),
	       CODE(CLICK_BUY) "\n" PAGE("http://cart/", "Cart") "\n" SNAPSHOT("- button \"Pay\" [ref=f1e1]"));
	expect(CALL("browser_click", TARGET("e2")),
	       "### Error\nError: Ref e2 not found in the current page snapshot. Try capturing new snapshot.");
}

static void playwright_answers_have_a_call_log_of_what_failed(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	shop.nodes[SHOP_BUY].covered_by = "<div id=\"veil\">";
	expect_beginning(CALL("browser_click", TARGET("e2")),
			 "### Error\nTimeoutError: browserBackend.callTool: Timeout 1000ms exceeded.\nCall log:\n", VEILED);
}

static void playwright_answers_say_what_a_dialog_holds_up(void **state)
{
	struct server *s = *state;

	browse_shop(s);
	expect(CALL("browser_click", TARGET("e3")),
	       CODE(CLICK_HELP) "\n### Page\n- Page URL: http://shop/\n### Modal state\n" ALERT "\n" SNAPSHOT(""));
	expect(CALL("browser_click", TARGET("e2")),
	       "### Error\nError: Tool \"browser_click\" does not handle the modal state.\n### Modal state\n" ALERT);
	expect(CALL("browser_handle_dialog", "\"accept\": true"), PAGE("http://shop/", "Shop"));
}

#define COMPACT(name) cmocka_unit_test_setup_teardown(name, set_up_compact, server_tear_down)
#define PLAYWRIGHT(name) cmocka_unit_test_setup_teardown(name, set_up_playwright, server_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		COMPACT(compact_answers_show_the_page_and_then_what_changed),
		COMPACT(compact_answers_name_the_page_that_a_ref_was_on),
		COMPACT(compact_answers_say_why_a_call_failed),
		COMPACT(compact_answers_say_what_a_dialog_holds_up),
		COMPACT(a_click_whose_page_goes_succeeds),
		PLAYWRIGHT(a_click_whose_page_goes_succeeds),
		COMPACT(cancelled_calls_end_without_an_answer),
		COMPACT(calls_end_when_their_page_ends_or_navigates),
		PLAYWRIGHT(calls_end_when_their_page_ends_or_navigates),
		PLAYWRIGHT(playwright_answers_have_code_page_and_snapshot),
		PLAYWRIGHT(playwright_answers_have_a_call_log_of_what_failed),
		PLAYWRIGHT(playwright_answers_say_what_a_dialog_holds_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
