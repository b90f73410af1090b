/* Masking: which spellings of a secret are found, and that JSON stays JSON. */
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mask.h"

static const struct secret secrets[] = {
	{ "WORD", "open sesame" },
	{ "LONG", "open sesame now" },
	{ "HARD", "q\"u\\o't<e>&%+/é😀" },
	{ "END", "slash\\" },
	{ "PIN", "48151623" },
	{ "TAG", "secret" },
	{},
};

static int setup(void **state)
{
	mask_configure(secrets);
	return 0;
}

static int teardown(void **state)
{
	mask_done();
	return 0;
}

static void expect(const char *text, const char *masked)
{
	_cleanup_(str_done) struct str s = {};

	str_append(&s, text);
	assert_int_equal(mask_text(&s), strcmp(text, masked) != 0);
	assert_string_equal(s.data, masked);
	assert_false(mask_text(&s)); /* a second time changes nothing */
	assert_string_equal(s.data, masked);
}

static void test_values_as_they_are(void **state)
{
	expect("", "");
	expect("nothing", "nothing");
	expect("say open sesame, open sesame", "say <secret>WORD</secret>, <secret>WORD</secret>");
	expect("open sesame now or open  sesame", "<secret>LONG</secret> or open  sesame");
	expect("open sesam", "open sesam");
	expect("q\"u\\o't<e>&%+/é😀", "<secret>HARD</secret>");
	expect("the secret", "the <secret>TAG</secret>");
}

/* UTF-8 that was taken for a character per byte, in either of the two ways, and encoded again after that. */
/* Texts of pages are shortened before they reach the server. */
static void test_beginnings_of_values(void **state)
{
	expect("\"say open s...\"", "\"say <secret>WORD</secret>...\"");
	expect("say 4815162… e5", "say <secret>PIN</secret>… e5");
	expect("'say open sesame'", "'say <secret>WORD</secret>'");
	expect("{\"a\":[\"open se...\"]}", "{\"a\":[\"<secret>WORD</secret>...\"]}");
	expect("ope... 481...", "ope... 481...");                               /* too short to tell */
	expect("open s, 'open s' and 4815162", "open s, 'open s' and 4815162"); /* not cut */
}

static void test_misread_charsets(void **state)
{
	expect("q\"u\\o't<e>&%+/Ã©ðŸ˜€", "<secret>HARD</secret>");
	expect("q\"u\\o't<e>&%+/\\u00c3\\u00a9\\u00f0\\u009f\\u0098\\u0080", "<secret>HARD</secret>");
	expect("q%22u%5Co't%3Ce%3E%26%25%2B%2F%C3%83%C2%A9%C3%B0%C5%B8%CB%9C%E2%82%AC", "<secret>HARD</secret>");
	expect("q\"u\\o't<e>&%+/Ã©", "q\"u\\o't<e>&%+/Ã©");
}

static void test_percent_encoding(void **state)
{
	expect("?a=open%20sesame&b=open+sesame", "?a=<secret>WORD</secret>&b=<secret>WORD</secret>");
	expect("open%2520sesame", "<secret>WORD</secret>");
	expect("x?q%22u%5Co't%3Ce%3E%26%25%2B%2F%C3%A9%F0%9F%98%80&", "x?<secret>HARD</secret>&");
	expect("q%22u%5co%27t%3ce%3e%26%25%2b/%c3%a9%f0%9f%98%80", "<secret>HARD</secret>");
	expect("slash%5C.", "<secret>END</secret>.");
	expect("open%2", "open%2");
}

static void test_html_references(void **state)
{
	expect("q&quot;u\\o&#39;t&lt;e&gt;&amp;%+/é😀", "<secret>HARD</secret>");
	expect("q&#34;u&#x5c;o&apos;t&#x3C;e&#62;&amp;%+/&eacute;", "q&#34;u&#x5c;o&apos;t&#x3C;e&#62;&amp;%+/&eacute;");
	expect("q&#34;u&#x5c;o&apos;t&#x3C;e&#62;&amp;%+/&#233;&#x1f600;", "<secret>HARD</secret>");
	expect("open&nbsp;sesame open\u00a0sesame", "<secret>WORD</secret> <secret>WORD</secret>");
}

static void test_escapes_at_any_depth(void **state)
{
	_cleanup_(str_done) struct str text = {}, next = {};

	str_append(&text, secrets[2].value);
	for (int depth = 0; depth < 4; depth++) {
		str_reset(&next);
		str_append_quoted(&next, text.data, text.len);
		str_reset(&text);
		str_append(&text, next.data);
		str_reset(&next);
		str_append(&next, text.data);
		assert_true(mask_text(&next));
		assert_null(strstr(next.data, "u\\"));
		assert_non_null(strstr(next.data, "<secret>HARD</secret>"));
	}
	expect("q\\u0022u\\\\o\\'t\\u003ce\\x3e\\u{26}%+\\/\\u00E9\\ud83d\\uDE00", "<secret>HARD</secret>");
	expect("- 'q\"u\\o''t<e>&%+/é😀'", "- '<secret>HARD</secret>'"); /* YAML */
}

static void test_base64(void **state)
{
	static const char *const credentials[] = { "open sesame", "a:open sesame", "ab:open sesame", "abc:open sesame!", NULL };

	for (const char *const *c = credentials; *c; c++) {
		_cleanup_(str_done) struct str s = {};
		uint8_t back[64];
		char *tag;

		str_append(&s, "Basic ");
		base64_encode(&s, (const uint8_t *)*c, strlen(*c));
		assert_true(mask_text(&s));
		tag = strstr(s.data, "<secret>WORD</secret>");
		assert_non_null(tag);
		assert_true(base64_decode(s.data + 6, (size_t)(tag - s.data - 6), back) <= 4);
		assert_true(strlen(tag) <= strlen("<secret>WORD</secret>") + 4);
	}
}

static bool is_json(const struct str *s)
{
	return json_check(s->data, s->len, 10, JSON_REFUSE_UNREPRESENTABLE) == 0;
}

static void expect_json(const char *text, const char *masked)
{
	_cleanup_(str_done) struct str s = {};

	str_append(&s, text);
	mask_json(&s, (const struct mask_exemption[]){ { 1, "id" }, { 0, "type" }, {} }, "free");
	assert_string_equal(s.data, masked);
	assert_true(is_json(&s));
}

static void test_json_stays_json(void **state)
{
	expect_json("{\"id\":48151623,\"n\":48151623,\"m\":481516234}",
		    "{\"id\":48151623,\"n\":\"<secret>PIN</secret>\",\"m\":481516234}");
	expect_json("{\"a\":{\"id\":\"secret\",\"type\":{\"x\":\"secret\"}},\"b\":\"secret\"}",
		    "{\"a\":{\"id\":\"<secret>TAG</secret>\",\"type\":{\"x\":\"secret\"}},\"b\":\"<secret>TAG</secret>\"}");
	expect_json("{\"secret\":1,\"free\":{\"secret\":{\"type\":\"secret\"}},\"type\":\"secret\"}",
		    "{\"secret\":1,\"free\":{\"<secret>TAG</secret>\":{\"type\":\"<secret>TAG</secret>\"}},\"type\":\"secret\"}");
	expect_json("[\"slash\\\\\",\"slash\\\\\\\"\"]", "[\"<secret>END</secret>\",\"<secret>END</secret>\\\"\"]");
}

/* A text that holds JSON, at the end of which a value's backslash could be mistaken for the escape of a quote. */
static void test_json_in_strings_stays_json(void **state)
{
	static const char *const values[] = { "slash\\",        "slash\\\"",          "\\slash\\",
					      "x\\\"slash\\\\", "q\"u\\o't<e>&%+/é😀", "\\q\"u\\o't<e>&%+/é😀\\" };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		_cleanup_(str_done) struct str inner = {}, outer = {}, again = {};
		_cleanup_(json_freep) struct json *v = NULL, *w = NULL;

		str_json(&inner, "{value: ?}", values[i]);
		str_json(&outer, "{text: ?}", inner.data);
		assert_true(mask_json(&outer, NULL, NULL));
		assert_true(json_parse(outer.data, outer.len, 5, JSON_REFUSE_UNREPRESENTABLE, &v) == 0);
		str_append(&again, json_str(v, "text"));
		assert_true(json_parse(again.data, again.len, 5, JSON_REFUSE_UNREPRESENTABLE, &w) == 0);
		assert_non_null(strstr(json_str(w, "value"), "<secret>"));
		assert_null(strstr(json_str(w, "value"), "slash"));
	}
}

/* Whatever bytes stand in strings, what comes out is JSON with no value in it. */
static void test_json_of_any_bytes(void **state)
{
	static const char bytes[] = "\\\"%&;u0022xe'né+ slash";
	uint32_t seed = 1;

	for (int i = 0; i < 20000; i++) {
		_cleanup_(str_done) struct str text = {}, json = {};

		for (int k = 0; k < 12; k++) {
			seed = seed * 1664525 + 1013904223;
			if (seed >> 28 == 0)
				str_append(&text, secrets[seed >> 8 & 3].value);
			else
				str_append_char(&text, bytes[(seed >> 16) % (sizeof(bytes) - 1)]);
		}
		str_json(&json, "{text: ?}", text.data);
		mask_json(&json, NULL, NULL);
		assert_true(is_json(&json));
		assert_null(strstr(json.data, "open sesame"));
	}
}

/* A list with the text in it as a string, written so that the escape of a quote has one backslash at any depth. */
static void wrap(struct str *text)
{
	struct str outer = {};

	str_append(&outer, "[\"");
	for (const char *c = text->data; *c; c++)
		if (*c == '"' || *c == '\\')
			str_appendf(&outer, "\\u%04x", (unsigned)*c);
		else
			str_append_char(&outer, *c);
	str_append(&outer, "\"]");
	str_move(text, &outer);
}

static void *mask_here(void *text)
{
	mask_text(text);
	return NULL;
}

#define STACK (256u << 10) /* that of a task */

/* However deep a page nests JSON in strings of JSON, the stack of a task is enough, and the secret is not there any more. */
static void test_json_in_many_strings(void **state)
{
	_cleanup_(str_done) struct str text = {};
	pthread_attr_t small;
	pthread_t thread;

	str_append(&text, "open sesame");
	for (unsigned level = 0; level < 300; level++)
		wrap(&text);
	assert_int_equal(pthread_attr_init(&small), 0);
	assert_int_equal(pthread_attr_setstacksize(&small, STACK), 0);
	assert_int_equal(pthread_create(&thread, &small, mask_here, &text), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&small);
	assert_null(strstr(text.data, "sesame"));
	assert_non_null(strstr(text.data, "<secret>"));
	assert_true(is_json(&text));
}

static void test_nothing_to_do_without_secrets(void **state)
{
	_cleanup_(str_done) struct str s = {};

	mask_done();
	str_append(&s, "{\"a\":\"open sesame\"}");
	assert_false(mask_active());
	assert_false(mask_text(&s));
	assert_false(mask_json(&s, NULL, NULL));
	assert_string_equal(s.data, "{\"a\":\"open sesame\"}");
}

/* Values that begin with characters that serializers encode, many at a time: most are not compared where another one begins. */
static void test_first_characters(void **state)
{
	static const struct secret many[] = {
		{ "AMP", "&word" },
		{ "PERCENT", "%word" },
		{ "BACK", "\\word" },
		{ "PLUS", "+word" },
		{ "QUOTE", "\"word" },
		{ "APOS", "'word" },
		{ "LESS", "<word" },
		{ "LINE", "\nword" },
		{ "BLANK", " word" },
		{ "LATIN", "\u00e9word" },
		{ "FACE", "😀word" },
		{ "EQUALS", "=word" },
		{},
	};
	static const struct {
		const char *text, *name;
	} spellings[] = {
		{ "&amp;word", "AMP" },        { "&#38;word", "AMP" },
		{ "%26word", "AMP" },          { "\\u0026word", "AMP" },
		{ "%25word", "PERCENT" },      { "&#x25;word", "PERCENT" },
		{ "\\\\word", "BACK" },        { "%5Cword", "BACK" },
		{ "&#92;word", "BACK" },       { "%2Bword", "PLUS" },
		{ "\\x2bword", "PLUS" },       { "\\\"word", "QUOTE" },
		{ "\\\\\\\"word", "QUOTE" },   { "&quot;word", "QUOTE" },
		{ "&amp;quot;word", "QUOTE" }, { "&apos;word", "APOS" },
		{ "&lt;word", "LESS" },        { "\\u003cword", "LESS" },
		{ "\\nword", "LINE" },         { "%0aword", "LINE" },
		{ "+word", "PLUS" },           { "\u00a0word", "BLANK" },
		{ "&nbsp;word", "BLANK" },     { "%20word", "BLANK" },
		{ "%C3%A9word", "LATIN" },     { "\\u00e9word", "LATIN" },
		{ "&#233;word", "LATIN" },     { "\\ud83d\\ude00word", "FACE" },
		{ "&#x1f600;word", "FACE" },   { "%F0%9F%98%80word", "FACE" },
		{ "\\u{1f600}word", "FACE" },  { "%3Dword", "EQUALS" },
		{ "%253dword", "EQUALS" },
	};

	mask_configure(many);
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		_cleanup_(str_done) struct str text = {}, masked = {};

		str_appendf(&text, ". %s .", spellings[i].text);
		str_appendf(&masked, ". <secret>%s</secret> .", spellings[i].name);
		expect(text.data, masked.data);
	}
}

/* ---- secrets that come while the process runs ---- */

static void test_added_values(void **state)
{
	expect("hunter 22, open sesame", "hunter 22, <secret>WORD</secret>");
	mask_add(&(struct secret){ "shop.password", "hunter 22", true }, USEC_NEVER);
	expect("hunter 22, open sesame", "<secret>shop.password</secret>, <secret>WORD</secret>");
	expect("p=hunter%2022&aHVudGVyIDIy", "p=<secret>shop.password</secret>&<secret>shop.password</secret>");
	mask_add(&(struct secret){ "other", "hunter 22", true }, USEC_NEVER);
	expect("hunter 22", "<secret>shop.password</secret>");
	mask_add(&(struct secret){ "short", "abc", true }, USEC_NEVER);
	expect("abc", "abc");
}

/* The beginning of a value is not found, so that nobody learns a value from what is masked, a character at a time. */
static void test_whole_values_only(void **state)
{
	mask_add(&(struct secret){ "whole", "correct horse battery", true }, USEC_NEVER);
	mask_add(&(struct secret){ "cut", "ann@example.com", false }, USEC_NEVER);
	expect("\"correct horse batter...\"", "\"correct horse batter...\"");
	expect("\"correct horse battery...\"", "\"<secret>whole</secret>...\"");
	expect("\"ann@exam...\"", "\"<secret>cut</secret>...\"");
}

static void test_values_for_a_time(void **state)
{
	mask_add(&(struct secret){ "code", "755224", true }, clock_now());
	expect("755224", "<secret>code</secret>");
	mask_add(&(struct secret){ "code", "287082", true }, USEC_NEVER); /* the first one's time is over */
	expect("755224 287082", "755224 <secret>code</secret>");
}

static void test_a_most_of_added_values(void **state)
{
	char value[16];

	for (unsigned i = 0; i <= LIMIT_MASKS_ADDED_COUNT; i++) {
		snprintf(value, sizeof(value), "value-%u-", i);
		mask_add(&(struct secret){ "v", value, true }, USEC_NEVER);
	}
	expect("value-0- value-1-", "value-0- <secret>v</secret>");
	mask_configure(secrets);
	expect("value-1- open sesame", "value-1- <secret>WORD</secret>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values_as_they_are, setup, teardown),
		cmocka_unit_test_setup_teardown(test_beginnings_of_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_misread_charsets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_percent_encoding, setup, teardown),
		cmocka_unit_test_setup_teardown(test_html_references, setup, teardown),
		cmocka_unit_test_setup_teardown(test_escapes_at_any_depth, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base64, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json_stays_json, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json_in_strings_stays_json, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json_of_any_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json_in_many_strings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_first_characters, setup, teardown),
		cmocka_unit_test_setup_teardown(test_added_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_whole_values_only, setup, teardown),
		cmocka_unit_test_setup_teardown(test_values_for_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_most_of_added_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_to_do_without_secrets, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
