#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/failure.h"
#include "base/limits.h"

static struct json *parse(const char *text)
{
	struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), 32, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	return v;
}

#define set(f, code, reason, ...) set_values(f, code, reason, JSON_VALUES(__VA_ARGS__))
static void set_values(struct failure *f, int code, enum reason reason, uint64_t types, const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	failure_vset_because(f, code, reason, types, template, ap);
	va_end(ap);
}

static void assert_words(const struct failure *f, const char *words)
{
	_cleanup_(str_done) struct str out = {};

	failure_print(&out, f, NULL);
	assert_string_equal(str_text(&out), words);
}

static void assert_details(const struct failure *f, const char *details)
{
	_cleanup_(str_done) struct str out = {};

	failure_print_details(&out, f);
	assert_string_equal(str_text(&out), details);
}

static const struct {
	const char *obstacle, *words;
} obstacle_table[] = {
	{ "{\"reason\":\"hidden\",\"style\":\"display: none\"}", "hidden (display: none)" },
	{ "{\"reason\":\"hidden\",\"style\":\"display: none\",\"on\":\"<div>\"}", "hidden (display: none on <div>)" },
	{ "{\"reason\":\"zeroSize\",\"width\":0,\"height\":12}", "hidden (zero size, 0x12)" },
	{ "{\"reason\":\"disabled\"}", "disabled" },
	{ "{\"reason\":\"disabled\",\"group\":\"<fieldset>\",\"on\":\"<button>\"}", "disabled by <fieldset> on <button>" },
	{ "{\"reason\":\"disabled\",\"attribute\":\"aria-disabled\"}", "disabled (aria-disabled)" },
	{ "{\"reason\":\"moving\",\"onArrival\":true}", "moving when the mouse arrived" },
	{ "{\"reason\":\"covered\",\"by\":\"<p>\"}", "covered by <p>" },
	{ "{\"reason\":\"covered\",\"by\":\"<p>\",\"inside\":\"<div>\",\"ref\":\"e5\"}", "covered by <p> in <div> (ref e5)" },
	{ "{\"reason\":\"noMatch\",\"selector\":\"\\\"#a\\\"\",\"frames\":\"2 frames\"}",
	  "no element matches \"#a\" (not searched: the 2 frames in the page)" },
	{ "{\"reason\":\"severalMatches\",\"selector\":\"\\\"p\\\"\",\"matches\":4,\"elements\":[\"<p>\",\"<p>\"]}",
	  "\"p\" matches 4 elements, give a selector that matches one: <p>, <p>" },
};

static void obstacles_have_words(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(obstacle_table); i++) {
		_cleanup_(json_freep) struct json *obstacle = parse(obstacle_table[i].obstacle);
		_cleanup_(str_done) struct str words = {};

		obstacle_print(&words, obstacle);
		assert_string_equal(words.data, obstacle_table[i].words);
	}
}

/* Facts are texts of pages, so brackets and braces in them are printed as they are. */
static void facts_are_not_words(void **state)
{
	_cleanup_(json_freep) struct json *facts = parse("{\"target\":\"{target} [{none}] ]\"}");
	_cleanup_(str_done) struct str words = {};

	reason_print(&words, REASON_NOT_MATCHING, facts, NULL);
	assert_string_equal(words.data, "\"{target} [{none}] ]\" does not match any elements.");
}

static void a_timeout_names_the_last_obstacle_first(void **state)
{
	_cleanup_(json_freep) struct json *facts =
		parse("{\"waited\":500,\"done\":\"clicked\",\"subject\":\"<button>\",\"why\":{\"reason\":\"inert\"},"
		      "\"before\":[{\"reason\":\"disabled\"},{\"reason\":\"moving\"}],\"matches\":2,\"tried\":[]}");
	_cleanup_(failure_done) struct failure f = {};
	_cleanup_(str_done) struct str words = {}, details = {};

	set(&f, -EIO, REASON_ACTION_TIMEOUT, "?", facts);
	failure_print(&words, &f, NULL);
	failure_print_details(&details, &f);
	assert_string_equal(words.data,
			    "Timeout 500 ms exceeded, <button> could not be clicked: inert (before that: disabled; moving)");
	assert_string_equal(details.data, "{\"obstacles\":[\"disabled\",\"moving\",\"inert\"],\"matches\":2}");
}

static void nothing_was_done_without_a_subject(void **state)
{
	_cleanup_(json_freep) struct json *facts = parse("{\"waited\":1,\"done\":\"seen\",\"why\":{\"reason\":\"noSuchOption\"}}");
	_cleanup_(str_done) struct str words = {};

	reason_print(&words, REASON_ACTION_TIMEOUT, facts, NULL);
	assert_string_equal(words.data, "Timeout 1 ms exceeded, nothing was seen: did not find some options");
}

/* A page script that a browser forges answers with what it likes. */
static void facts_of_any_depth_take_little_stack(void **state)
{
	_cleanup_(str_done) struct str text = {}, words = {};
	_cleanup_(json_freep) struct json *facts = NULL;

	str_append(&text, "{\"target\":");
	for (unsigned i = 0; i < 500; i++)
		str_append(&text, i % 2 ? "[\"x\"," : "{\"reason\":\"notMatching\",\"target\":");
	str_append(&text, "1");
	for (unsigned i = 500; i-- > 0;)
		str_append(&text, i % 2 ? "]" : "}");
	str_append(&text, "}");
	assert_int_equal(json_parse(text.data, text.len, 512, JSON_REFUSE_UNREPRESENTABLE, &facts), 0);
	reason_print(&words, REASON_NOT_MATCHING, facts, NULL);
	assert_true(words.len > 0 && words.len < 500);
}

static void unknown_names_are_no_reason(void **state)
{
	assert_int_equal(reason_from_name("refUnknown"), REASON_REF_UNKNOWN);
	assert_int_equal(reason_from_name("no such reason"), REASON_NONE);
	assert_int_equal(reason_from_name(NULL), REASON_NONE);
}

static void what_is_said_of_a_failure_keeps_its_reason_and_facts(void **state)
{
	_cleanup_(failure_done) struct failure f = {}, copy = {};
	_cleanup_(json_freep) struct json *facts = NULL;

	set(&f, -EIO, REASON_NETWORK_ERROR, "{url: 'a', reason: 'b'}");
	failure_wrap(&f, -EIO, "", "");
	failure_wrap(&f, -EPERM, "the page: ", "!");
	failure_wrap(&f, -EAGAIN, "(", "\nagain)");
	assert_int_equal(f.code, -EAGAIN);
	assert_int_equal(f.reason, REASON_NETWORK_ERROR);
	assert_words(&f, "(the page: b at a!\nagain)");
	assert_details(&f, "{\"url\":\"a\",\"reason\":\"b\"}");
	facts = failure_facts(&f);
	assert_string_equal(json_text(facts, "reason"), "b");
	failure_copy(&copy, &f);
	failure_reset(&f, -EIO);
	assert_words(&f, "");
	assert_details(&f, "");
	assert_null(failure_facts(&f));
	assert_int_equal(copy.code, -EAGAIN);
	assert_int_equal(copy.reason, REASON_NETWORK_ERROR);
	assert_words(&copy, "(the page: b at a!\nagain)");
}

/* Texts are of pages, and may have formats, brackets and control characters. */
static void texts_are_wrapped_as_they_are(void **state)
{
	_cleanup_(failure_done) struct failure f = {};

	failure_set(&f, -EIO, "%s", "%s {url}[\001]");
	str_json(&f.details, "{path: 'a'}");
	failure_wrap(&f, -EPERM, "%d ", " [{reason}]");
	assert_words(&f, "%d %s {url}[\001] [{reason}]");
	assert_details(&f, "{\"path\":\"a\"}");
	failure_set(&f, -EIO, "%s, worse", f.text.data);
	assert_words(&f, "%s {url}[\001], worse");
	assert_details(&f, "");
}

static void the_surface_names_what_to_do_next(void **state)
{
	static const struct hint hints[] = { { "listTargets", "the other list" }, { "create", "make_one" }, {} };
	_cleanup_(failure_done) struct failure f = {};
	_cleanup_(str_done) struct str words = {};

	set(&f, -EIO, REASON_NO_TARGET_MATCHES, "{argument: 'a', wanted: '{create}', searched: ?}", (const char *)NULL);
	str_json(&f.details, "{port: 1}");
	assert_details(&f, "{\"port\":1}"); /* in place of the facts */
	failure_print(&words, &f, hints);
	assert_string_equal(words.data, "no target matches: a \"{create}\"; the other list shows them");
}

static void wraps_have_a_limit(void **state)
{
	static char long_text[LIMIT_FAILURE_WRAPS - 2];
	_cleanup_(failure_done) struct failure f = {};

	memset(long_text, 'x', sizeof(long_text) - 1);
	failure_set(&f, -EIO, "a");
	failure_wrap(&f, -EPERM, "b ", "");
	failure_wrap(&f, -EAGAIN, long_text, "");
	assert_int_equal(f.code, -EAGAIN);
	assert_words(&f, "b a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(obstacles_have_words),
		cmocka_unit_test(facts_are_not_words),
		cmocka_unit_test(a_timeout_names_the_last_obstacle_first),
		cmocka_unit_test(nothing_was_done_without_a_subject),
		cmocka_unit_test(facts_of_any_depth_take_little_stack),
		cmocka_unit_test(unknown_names_are_no_reason),
		cmocka_unit_test(what_is_said_of_a_failure_keeps_its_reason_and_facts),
		cmocka_unit_test(texts_are_wrapped_as_they_are),
		cmocka_unit_test(the_surface_names_what_to_do_next),
		cmocka_unit_test(wraps_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
