/* A tool's table: the schema and entry that come from it, and how arguments are parsed and refused. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "mcp/tool.h"
#include "mcp/version.h"

static const char *const buttons[] = { "left", "right", "middle", NULL };
static const char *const modes[] = { "fast", "slow", NULL };

struct all {
	const char *text;
	double number;
	int count;
	int64_t big;
	bool flag;
	struct string_list list, sides;
	const struct json *any;
	int button, mode;
	const char *id;
};

static const struct param all_params[] = {
	PARAM(all, text, "Some text", .required = true, .max_length = 10),
	PARAM(all, number, "A number", .min = -1.5, .max = 2.5),
	PARAM(all, count, "A count", .min = 1, .max = 3),
	PARAM(all, big, "A big one"),
	PARAM(all, flag, "On or off"),
	PARAM(all, list, "Several"),
	PARAM(all, sides, "Some of these", .choices = buttons),
	PARAM(all, any, "Anything", .schema = "{\"type\":\"object\"}"),
	PARAM(all, button, "Which", .choices = buttons),
	PARAM(all, mode, "How", .choices = modes),
	PARAM(all, id, "Whose"),
	{},
};

static const struct tool tool = {
	.name = "all",
	.title = "All",
	.about = "Takes everything",
	.params = all_params,
	.size = sizeof(struct all),
	.defaults = &(const struct all){ .count = 2, .flag = true, .mode = -1, .id = "me" },
	.output_schema = "{\"type\":\"object\"}",
	.idempotent = true,
};

static const struct tool bare = { .name = "bare", .about = "Takes nothing", .read_only = true, .closed_world = true };

static const struct tool_style brief = {}, full = { .explicit = true };

static void schema_comes_from_the_table(void **state)
{
	_cleanup_(str_done) struct str s = {};

	tool_input_schema(&tool, &brief, &s);
	assert_string_equal(
		s.data, "{\"type\":\"object\",\"properties\":{"
			"\"text\":{\"type\":\"string\",\"description\":\"Some text\"},"
			"\"number\":{\"type\":\"number\",\"description\":\"A number\",\"minimum\":-1.5,\"maximum\":2.5},"
			"\"count\":{\"type\":\"integer\",\"description\":\"A count\",\"minimum\":1,\"maximum\":3,\"default\":2},"
			"\"big\":{\"type\":\"integer\",\"description\":\"A big one\"},"
			"\"flag\":{\"type\":\"boolean\",\"description\":\"On or off\",\"default\":true},"
			"\"list\":{\"type\":\"array\",\"description\":\"Several\",\"items\":{\"type\":\"string\"}},"
			"\"sides\":{\"type\":\"array\",\"description\":\"Some of these\",\"items\":{\"type\":\"string\","
			"\"enum\":[\"left\",\"right\",\"middle\"]}},"
			"\"any\":{\"type\":\"object\"},"
			"\"button\":{\"type\":\"string\",\"description\":\"Which\",\"enum\":[\"left\",\"right\",\"middle\"],"
			"\"default\":\"left\"},"
			"\"mode\":{\"type\":\"string\",\"description\":\"How\",\"enum\":[\"fast\",\"slow\"]},"
			"\"id\":{\"type\":\"string\",\"description\":\"Whose\",\"default\":\"me\"}},"
			"\"required\":[\"text\"]}");
	str_reset(&s);
	tool_input_schema(&bare, &brief, &s);
	assert_string_equal(s.data, "{\"type\":\"object\",\"properties\":{}}");
}

struct defaulted {
	const char *sessionId;
	bool flag;
	int mode;
};

static const struct param defaulted_params[] = {
	PARAM(defaulted, sessionId, NULL, .max_length = 4),
	PARAM(defaulted, flag, NULL, .defaulted = true),
	PARAM(defaulted, mode, "How", .choices = modes, .defaulted = true),
	{},
};

static const struct tool lenient = {
	.name = "lenient",
	.about = "Takes what it knows",
	.params = defaulted_params,
	.size = sizeof(struct defaulted),
	.complaints = COMPLAINTS_LISTED,
	.read_only = true,
};

static void views_say_more_or_less(void **state)
{
	static const struct tool_style strict = { .session_argument = "sessionId", .sessions_hidden = true, .explicit = true };
	_cleanup_(str_done) struct str s = {};

	tool_input_schema(&lenient, &brief, &s);
	assert_string_equal(s.data, "{\"type\":\"object\",\"properties\":{\"sessionId\":{\"type\":\"string\"},"
				    "\"flag\":{\"type\":\"boolean\",\"default\":false},"
				    "\"mode\":{\"type\":\"string\",\"description\":\"How\",\"enum\":[\"fast\",\"slow\"],"
				    "\"default\":\"fast\"}}}");
	str_reset(&s);
	tool_input_schema(&lenient, &strict, &s);
	assert_string_equal(s.data,
			    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"properties\":{"
			    "\"flag\":{\"type\":\"boolean\",\"default\":false},"
			    "\"mode\":{\"type\":\"string\",\"description\":\"How\",\"enum\":[\"fast\",\"slow\"],"
			    "\"default\":\"fast\"}},\"required\":[\"flag\",\"mode\"],\"additionalProperties\":false}");
}

static void assert_entry(const struct tool *which, const struct tool_style *view, const char *version, const char *expected)
{
	_cleanup_(str_done) struct str s = {}, schema = {};
	char *at;

	tool_entry(which, view, version_find(version), &s);
	tool_input_schema(which, view, &schema);
	at = strstr(s.data, schema.data);
	assert_non_null(at);
	memmove(at, at + schema.len, strlen(at + schema.len) + 1); /* tested above */
	assert_string_equal(s.data, expected);
}

static void entries_know_what_their_version_knows(void **state)
{
	static const char *const with_structure[] = { "2026-07-28", "2025-11-25", "2025-06-18" };

	assert_entry(&tool, &full, "2024-11-05", "{\"name\":\"all\",\"description\":\"Takes everything\",\"inputSchema\":}");
	assert_entry(&tool, &full, "2025-03-26",
		     "{\"name\":\"all\",\"description\":\"Takes everything\",\"inputSchema\":,\"annotations\":{\"title\":\"All\","
		     "\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":true,\"openWorldHint\":true}}");
	for (size_t i = 0; i < ARRAY_SIZE(with_structure); i++)
		assert_entry(&tool, &full, with_structure[i],
			     "{\"name\":\"all\",\"description\":\"Takes everything\",\"inputSchema\":,"
			     "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"title\":\"All\",\"readOnlyHint\":false,"
			     "\"destructiveHint\":true,\"idempotentHint\":true,\"openWorldHint\":true}}");
}

static void brief_entries_leave_out_what_is_the_default(void **state)
{
	static const struct tool harmless = { .name = "harmless", .title = "Harmless", .about = "Adds", .not_destructive = true };

	assert_entry(
		&tool, &brief, "2025-03-26",
		"{\"name\":\"all\",\"description\":\"Takes everything\",\"inputSchema\":,\"annotations\":{\"idempotentHint\":true}}");
	assert_entry(&harmless, &brief, "2025-03-26",
		     "{\"name\":\"harmless\",\"description\":\"Adds\",\"inputSchema\":,\"annotations\":"
		     "{\"destructiveHint\":false}}");
	assert_entry(&bare, &brief, "2025-11-25",
		     "{\"name\":\"bare\",\"description\":\"Takes nothing\",\"inputSchema\":,\"annotations\":"
		     "{\"readOnlyHint\":true,\"openWorldHint\":false}}");
}

static const struct param long_params[] = {
	PARAM(all, text, "Some text that has to be given", .required = true),
	PARAM(all, count, "A count", .min = 1, .max = 3, .terse = "How many"),
	PARAM(all, flag, "On or off"),
	PARAM(all, number, "Hardly ever given", .is_rare = true),
	PARAM(all, mode, "How", .choices = modes, .is_for_terse = true),
	PARAM(all, sides, "Some of these", .choices = buttons),
	PARAM(all, any, "Anything", .schema = "{\"type\":[\"object\",\"null\"]}", .terse_schema = "{\"type\":\"object\"}"),
	{},
};

static const struct tool long_one = {
	.name = "long",
	.about = "Does what takes many words to describe",
	.terse = "Does it",
	.params = long_params,
	.size = sizeof(struct all),
	.defaults = &(const struct all){ .count = 2, .flag = true },
	.not_destructive = true,
	.idempotent = true,
};

static void terse_views_have_a_line_and_the_names(void **state)
{
	static const struct tool_style terse = { .terse = true };
	_cleanup_(str_done) struct str s = {}, whole = {};

	tool_entry(&long_one, &terse, version_find("2025-11-25"), &s);
	assert_string_equal(
		s.data, "{\"name\":\"long\",\"description\":\"Does it\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
			"\"text\":{\"type\":\"string\"},"
			"\"count\":{\"type\":\"integer\",\"description\":\"How many\"},"
			"\"flag\":{\"type\":\"boolean\"},"
			"\"mode\":{\"type\":\"string\",\"enum\":[\"fast\",\"slow\"]},"
			"\"sides\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"left\",\"right\",\"middle\"]}},"
			"\"any\":{\"type\":\"object\"}},"
			"\"required\":[\"text\"]}}");
	str_reset(&s);
	tool_entry(&tool, &terse, version_find("2025-03-26"), &s); /* has no short description */
	tool_entry(&tool, &brief, version_find("2025-03-26"), &whole);
	assert_string_equal(s.data, whole.data);
	assert_true(tool_shows(&terse, &long_params[4]) &&
		    tool_shows(&(const struct tool_style){ .whole = true }, &long_params[4]));
	assert_false(tool_shows(&brief, &long_params[4]));
}

static void parameters_need_what_a_server_may_lack(void **state)
{
	static const struct param needing = PARAM(all, text, "Some text", .needs = 1 << 3 | 1 << 5);
	static const struct tool_style lacks_one = { .lacks = 1 << 5 }, lacks_another = { .lacks = 1 << 4 };

	assert_true(tool_shows(&brief, &needing) && tool_shows(&lacks_another, &needing));
	assert_false(tool_shows(&lacks_one, &needing));
}

/* What parsing needs a task for: memory and the failure. One is run for each case. */
struct parse {
	const struct tool *tool;
	const struct json *arguments;
	void (*check)(const struct all *a);
	const char *message; /* expected failure */
	bool finished;
};

static int run(struct task *t, void *data)
{
	struct parse *p = data;
	const void *args = NULL;
	int r = tool_parse_arguments(t, p->tool, &brief, p->arguments, &args);

	if (r == 0 && p->check)
		p->check(args);
	return r;
}

static void done(struct task *t, int r, void *data)
{
	struct parse *p = data;

	p->finished = true;
	assert_int_equal(r, p->message ? -ERR_INVALID_PARAMETERS : 0);
	if (p->message)
		assert_string_equal(failure_words(t, task_error(t)), p->message);
}

static void parse(struct parse p, const char *text)
{
	_cleanup_(loop_freep) struct loop *l = NULL;
	_cleanup_(json_freep) struct json *v = NULL;
	_cleanup_(freep) char *copy = text ? strdup(text) : NULL;

	if (text)
		assert_int_equal(json_parse(copy, strlen(copy), 64, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	p.arguments = v;
	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(task_start(l, "parse", run, done, &p, &(struct task *){ NULL }), 0);
	while (!p.finished)
		loop_step(l);
}

static void check_defaults(const struct all *a)
{
	assert_string_equal(a->text, "x");
	assert_true(a->number == 0);
	assert_int_equal(a->count, 2);
	assert_true(a->flag);
	assert_int_equal(a->list.count, 0);
	assert_null(a->any);
	assert_int_equal(a->button, 0);
	assert_int_equal(a->mode, -1);
	assert_string_equal(a->id, "me");
}

static void check_all(const struct all *a)
{
	assert_string_equal(a->text, "0123456789");
	assert_true(a->number == 2.5);
	assert_int_equal(a->count, 3);
	assert_true(a->big == -9007199254740991);
	assert_false(a->flag);
	assert_int_equal(a->list.count, 2);
	assert_string_equal(a->list.items[1], "b");
	assert_int_equal(json_int(a->any, "k", 0), 1);
	assert_int_equal(a->button, 2);
	assert_int_equal(a->mode, 0);
}

static void good_arguments(void **state)
{
	parse((struct parse){ .tool = &tool, .check = check_defaults }, "{\"text\":\"x\"}");
	parse((struct parse){ .tool = &tool, .check = check_all },
	      "{\"text\":\"0123456789\",\"number\":2.5,\"count\":3,\"big\":-9007199254740991,\"flag\":false,"
	      "\"list\":[\"a\",\"b\"],\"any\":{\"k\":1},\"button\":\"middle\",\"mode\":\"fast\"}");
	parse((struct parse){ .tool = &bare }, NULL);
	parse((struct parse){ .tool = &bare }, "{}");
}

/* Each argument alone, with a good "text". */
static void refused(const char *argument, const char *complaint)
{
	_cleanup_(str_done) struct str text = {}, message = {};

	str_appendf(&text, "{\"text\":\"x\",%s}", argument);
	str_appendf(&message, "Invalid arguments of all: %s", complaint);
	parse((struct parse){ .tool = &tool, .message = message.data }, text.data);
}

static void wrong_values_are_named(void **state)
{
	refused("\"number\":\"5\"", "'number' must be a number, not the string \"5\"");
	refused("\"number\":3", "'number' must be a number from -1.5 to 2.5, not 3");
	refused("\"number\":null", "'number' must be a number, not null");
	refused("\"count\":1.5", "'count' must be an integer, not 1.5");
	refused("\"count\":0", "'count' must be a number from 1 to 3, not 0");
	refused("\"count\":99999999999", "'count' must be a number from 1 to 3, not 99999999999");
	refused("\"big\":1e300", "'big' must be an integer, not 1e+300");
	refused("\"big\":[1]", "'big' must be an integer, not the array [1]");
	refused("\"flag\":\"true\"", "'flag' must be true or false, not the string \"true\"");
	refused("\"list\":\"a\"", "'list' must be an array of strings, not the string \"a\"");
	refused("\"list\":[\"a\",1,2]", "'list[1]' must be a string, not 1; 'list[2]' must be a string, not 2");
	refused("\"sides\":[\"left\",\"up\"]", "'sides[1]' must be one of \"left\", \"right\", \"middle\", not the string \"up\"");
	refused("\"button\":\"up\"", "'button' must be one of \"left\", \"right\", \"middle\", not the string \"up\"");
	refused("\"mode\":{}", "'mode' must be one of \"fast\", \"slow\", not the object {}");
	refused("\"id\":true", "'id' must be a string, not true");
}

static void everything_wrong_is_named_at_once(void **state)
{
	parse((struct parse){ .tool = &tool, .message = "Invalid arguments of all: 'text' is required" }, NULL);
	parse((struct parse){ .tool = &tool,
			      .message = "Invalid arguments of all: 'text' must be at most 10 bytes long, not 11; "
					 "'flag' must be true or false, not 1; 'colour' is not an argument of this tool, which "
					 "takes: text, number, count, big, flag, list, sides, any, button, mode, id" },
	      "{\"text\":\"01234567890\",\"flag\":1,\"colour\":\"red\"}");
	parse(
		(struct parse){
			.tool = &lenient,
			.message = "Invalid arguments for tool \"lenient\":\n✖ 'sessionId' must be at most 4 bytes long, not 5" },
		"{\"sessionId\":\"12345\"}");
	parse((struct parse){ .tool = &bare,
			      .message = "Invalid arguments of bare: 'x' is not an argument of this tool, which takes: none" },
	      "{\"x\":1}");
}

static void complaints_are_bounded(void **state)
{
	_cleanup_(str_done) struct str text = {}, expected = {};

	str_append(&text, "{\"text\":\"x\",\"id\":[\"");
	for (int i = 0; i < 40; i++)
		str_append(&text, "漢");
	str_append(&text, "\"]}");
	str_append(&expected, "Invalid arguments of all: 'id' must be a string, not the array [\"");
	for (int i = 0; i < 19; i++) /* 59 bytes: not half of a character */
		str_append(&expected, "漢");
	str_append(&expected, "...");
	parse((struct parse){ .tool = &tool, .message = expected.data }, text.data);

	str_reset(&text);
	str_reset(&expected);
	str_append(&text, "{\"a\":0");
	str_append(&expected, "Invalid arguments of bare: ");
	for (int i = 0; i < 100; i++) {
		str_append(&text, ",\"a\":0");
		if (i < 16)
			str_appendf(&expected, "%s'a' is not an argument of this tool, which takes: none", i ? "; " : "");
	}
	str_append(&text, "}");
	str_append(&expected, "; and more");
	parse((struct parse){ .tool = &bare, .message = expected.data }, text.data);
}

static void append_repeated(struct str *out, const char *text, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		str_append(out, text);
}

/* Also of parameters whose row gives none. */
static void strings_and_lists_have_limits(void **state)
{
	_cleanup_(str_done) struct str argument = {};

	str_append(&argument, "\"id\":\"");
	append_repeated(&argument, "x", LIMIT_ARGUMENT + 1);
	str_append(&argument, "\"");
	refused(argument.data, "'id' must be at most 16384 bytes long, not 16385");
	str_set(&argument, "\"list\":[\"x\"");
	append_repeated(&argument, ",\"x\"", LIMIT_ARGUMENT_ITEMS_COUNT);
	str_append(&argument, "]");
	refused(argument.data, "'list' must have at most 1000 items, not 1001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema_comes_from_the_table),
		cmocka_unit_test(entries_know_what_their_version_knows),
		cmocka_unit_test(brief_entries_leave_out_what_is_the_default),
		cmocka_unit_test(terse_views_have_a_line_and_the_names),
		cmocka_unit_test(parameters_need_what_a_server_may_lack),
		cmocka_unit_test(views_say_more_or_less),
		cmocka_unit_test(good_arguments),
		cmocka_unit_test(wrong_values_are_named),
		cmocka_unit_test(everything_wrong_is_named_at_once),
		cmocka_unit_test(complaints_are_bounded),
		cmocka_unit_test(strings_and_lists_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
