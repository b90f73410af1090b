/* What people read of a call: what it acts on, and nothing that may be secret. */
#include "test.h"

#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/mask.h"
#include "mcp/tool.h"
#include "observe/redact.h"
#include "people/arguments.h"
#include "tools/lines.h"

/* `arguments`: JSON text. */
static void expect_line(const char *name, const char *title, const char *arguments, const char *line)
{
	const struct tool tool = { .name = name, .title = title };
	_cleanup_(json_freep) struct json *parsed = NULL;
	_cleanup_(str_done) struct str out = {};

	assert_int_equal(json_parse(arguments, strlen(arguments), 64, JSON_REFUSE_UNREPRESENTABLE, &parsed), 0);
	arguments_describe(&out, &tool, parsed);
	assert_string_equal(str_text(&out), line);
}

#define LINE(name, arguments, line) expect_line(name, NULL, arguments, line)

static void lines_say_what_is_acted_on(void **state)
{
	LINE("browser_click", "{\"element\":\"Save\",\"target\":\"e12\"}", "Click “Save”");
	LINE("browser_click", "{\"target\":\"f1e12\"}", "Click element f1e12");
	LINE("browser_click", "{\"target\":\"#save\"}", "Click “#save”");
	LINE("click", "{\"sessionId\":\"x\",\"selector\":\"//button\"}", "Click “//button”");
	LINE("browser_drag", "{\"startElement\":\"Card\",\"startTarget\":\"e1\",\"endTarget\":\"e2\"}",
	     "Drag “Card” to element e2");
	LINE("browser_wait_for", "{\"time\":3}", "Wait 3 seconds");
	LINE("browser_wait_for", "{\"textGone\":\"Loading\"}", "Wait until “Loading” has gone");
	LINE("browser_wait_for", "{}", "Wait");
	LINE("browser_tabs", "{\"action\":\"select\",\"index\":2}", "Tabs: select 2");
	LINE("browser_resize", "{\"width\":390,\"height\":844}", "Resize to 390 × 844");
	LINE("browser_batch", "{\"steps\":[{},{},{}]}", "Do 3 steps");
	LINE("browser_snapshot", "{}", "Look at the page");
}

static void values_that_may_be_secret_are_lengths(void **state)
{
	LINE("browser_type", "{\"element\":\"Password\",\"target\":\"e1\",\"text\":\"hunter2\"}",
	     "Type 7 characters into “Password”");
	LINE("browser_type", "{\"target\":\"e1\",\"text\":\"é\"}", "Type 1 character into element e1");
	LINE("browser_fill_form",
	     "{\"fields\":[{\"name\":\"Email\",\"value\":\"a@b.example\"},{\"element\":\"Secret\",\"value\":\"hunter2\"},{\"value\":\"hunter2\"}]}",
	     "Fill “Email”, “Secret”, a field");
	LINE("browser_select_option", "{\"element\":\"Colour\",\"target\":\"e1\",\"values\":[\"hunter2\"]}",
	     "Choose 1 in “Colour”");
	LINE("browser_press_key", "{\"key\":\"h\"}", "Press a character");
	LINE("browser_press_key", "{\"key\":\"é\"}", "Press a character");
	LINE("browser_press_key", "{\"key\":\"Enter\"}", "Press Enter");
	LINE("browser_evaluate", "{\"function\":\"() => 'hunter2'\"}", "Run a script of 15 characters");
	LINE("browser_cookie_set", "{\"name\":\"sid\",\"value\":\"hunter2\"}", "Set cookie “sid”");
	expect_line("page_login", NULL, "{\"user\":\"hunter2\",\"keep\":true,\"pin\":1234}",
		    "page_login: user of 7 characters, keep: yes, pin");
	expect_line("browser_unheard_of", "Unheard of", "{\"sessionId\":\"abc\",\"value\":\"hunter2\"}",
		    "Unheard of: value of 7 characters");
}

static void addresses_lose_what_may_be_secret(void **state)
{
	LINE("browser_navigate", "{\"url\":\"https://user:hunter2@shop.example/a/b?code=hunter2#hunter2\"}",
	     "Open https://shop.example/a/b?…");
	LINE("browser_navigate", "{\"url\":\"https://shop.example/a#hunter2\"}", "Open https://shop.example/a…");
	LINE("browser_navigate", "{\"url\":\"https://shop.example\"}", "Open https://shop.example");
	LINE("browser_navigate", "{\"url\":\"https://a@b@shop.example/x@y\"}", "Open https://shop.example/x@y");
	LINE("browser_navigate", "{\"url\":\"data:text/html,hunter2\"}", "Open data:…");
	LINE("browser_navigate", "{\"url\":\"about:blank\"}", "Open about:blank");
	LINE("browser_navigate", "{\"url\":\"localhost/path\"}", "Open localhost/path");
	LINE("browser_navigate", "{\"url\":\"\"}", "Open ");
}

static void what_is_missing_or_wrong_is_left_out(void **state)
{
	LINE("browser_click", "{}", "Click …");
	LINE("browser_type", "{\"text\":5,\"target\":[]}", "Type … into …");
	LINE("browser_fill_form", "{\"fields\":5}", "Fill …");
	LINE("browser_resize", "{\"width\":{},\"height\":null}", "Resize to … × …");
}

static void lines_are_short_and_visible(void **state)
{
	_cleanup_(str_done) struct str arguments = {}, many = {}, line = {}, out = {};
	_cleanup_(json_freep) struct json *parsed = NULL;
	const struct tool tool = { .name = "other" };

	str_append(&arguments, "{\"element\":\"");
	for (int i = 0; i < 100; i++)
		str_append(&arguments, "€");
	str_append(&arguments, "\"}");
	str_append(&line, "Click “");
	for (int i = 0; i < 26; i++) /* 80 bytes hold 26 of them */
		str_append(&line, "€");
	str_append(&line, "…”");
	LINE("browser_click", arguments.data, line.data);
	LINE("browser_click", "{\"element\":\"a\\u202eb\\nc\"}", "Click “a\\u202eb\\nc”");

	str_append(&many, "{\"a0\":1");
	for (int i = 1; i < 2000; i++)
		str_appendf(&many, ",\"a%d%0100d\":1", i, 0);
	str_append(&many, "}");
	assert_int_equal(json_parse(many.data, many.len, 64, JSON_REFUSE_UNREPRESENTABLE, &parsed), 0);
	arguments_describe(&out, &tool, parsed);
	assert_in_range(out.len, 1, LIMIT_SEEN_LINE);
}

static void secrets_are_masked_before_lines_are_cut(void **state)
{
	static const struct secret secrets[] = { { "PASSWORD", "hunter2hunter2" }, {} };
	static const char *const patterns[] = { "[0-9]{4}-[0-9]{4}", NULL };

	mask_configure(secrets);
	redact_configure(&(const struct redact_settings){ .patterns = patterns });
	LINE("browser_click", "{\"element\":\"hunter2hunter2\"}", "Click “<secret>PASSWORD</secret>”");
	LINE("browser_click", "{\"element\":\"Card 1234-5678\"}", "Click “Card [redacted]”");
	LINE("browser_navigate", "{\"url\":\"http://a/hunter2hunter2\"}", "Open http://a/<secret>PASSWORD</secret>");
	/* The value is cut within the secret, of which no part is shown. */
	LINE("browser_click",
	     "{\"element\":\"0123456789012345678901234567890123456789012345678901234567890123456789hunter2hunter2\"}",
	     "Click “0123456789012345678901234567890123456789012345678901234567890123456789<secret>PA…”");
	redact_done();
	mask_done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_say_what_is_acted_on),        cmocka_unit_test(values_that_may_be_secret_are_lengths),
		cmocka_unit_test(addresses_lose_what_may_be_secret), cmocka_unit_test(what_is_missing_or_wrong_is_left_out),
		cmocka_unit_test(lines_are_short_and_visible),       cmocka_unit_test(secrets_are_masked_before_lines_are_cut),
	};

	arguments_use(tool_lines);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
