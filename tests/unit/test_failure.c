#include "test.h"

#include <string.h>

#include "base/failure.h"

static struct json *parse(const char *text)
{
	struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), 32, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	return v;
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

	failure_print(&words, REASON_NOT_MATCHING, facts);
	assert_string_equal(words.data, "\"{target} [{none}] ]\" does not match any elements.");
}

static void a_timeout_names_the_last_obstacle_first(void **state)
{
	_cleanup_(json_freep) struct json *facts =
		parse("{\"waited\":500,\"done\":\"clicked\",\"subject\":\"<button>\",\"why\":{\"reason\":\"inert\"},"
		      "\"before\":[{\"reason\":\"disabled\"},{\"reason\":\"moving\"}],\"matches\":2,\"tried\":[]}");
	_cleanup_(str_done) struct str words = {}, details = {};

	failure_print(&words, REASON_ACTION_TIMEOUT, facts);
	failure_print_details(&details, REASON_ACTION_TIMEOUT, facts);
	assert_string_equal(words.data,
			    "Timeout 500 ms exceeded, <button> could not be clicked: inert (before that: disabled; moving)");
	assert_string_equal(details.data, "{\"obstacles\":[\"disabled\",\"moving\",\"inert\"],\"matches\":2}");
}

static void nothing_was_done_without_a_subject(void **state)
{
	_cleanup_(json_freep) struct json *facts = parse("{\"waited\":1,\"done\":\"seen\",\"why\":{\"reason\":\"noSuchOption\"}}");
	_cleanup_(str_done) struct str words = {};

	failure_print(&words, REASON_ACTION_TIMEOUT, facts);
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
	failure_print(&words, REASON_NOT_MATCHING, facts);
	assert_true(words.len > 0 && words.len < 500);
}

static void unknown_names_are_no_reason(void **state)
{
	assert_int_equal(reason_from_name("refUnknown"), REASON_REF_UNKNOWN);
	assert_int_equal(reason_from_name("no such reason"), REASON_NONE);
	assert_int_equal(reason_from_name(NULL), REASON_NONE);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
