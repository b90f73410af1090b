/* JSON values: what is accepted, what is refused and how, reading, printing, spans. */
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

/* Parses a copy without a NUL, so that reading past the end is an error that AddressSanitizer sees. */
static int parse_len(const char *text, size_t len, unsigned depth, enum json_escapes escapes, struct json **ret)
{
	char *copy = must(malloc(len ? len : 1));
	int r;

	memcpy(copy, text, len);
	r = json_parse(copy, len, depth, escapes, ret);
	free(copy);
	return r;
}

static int check(const char *text)
{
	_cleanup_(json_freep) struct json *v = NULL;

	return parse_len(text, strlen(text), 8, JSON_REFUSE_UNREPRESENTABLE, &v);
}

static struct json *parse(const char *text)
{
	struct json *v = NULL;

	assert_int_equal(parse_len(text, strlen(text), 64, JSON_REPLACE_UNREPRESENTABLE, &v), 0);
	return v;
}

static void check_place(const char *text, unsigned line, unsigned column)
{
	struct json_place place = json_refused_at(text, strlen(text), 3, JSON_REFUSE_UNREPRESENTABLE);

	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
}

static void says_where_it_stops(void **state)
{
	check_place("", 1, 1);
	check_place("{\n  \"a\": 1,\n}", 3, 1);
	check_place("{\r\n  \"\u00e9\u20ac\": x}", 2, 9);
	check_place("[1, 2", 1, 6);
	check_place("[true]\n ]", 2, 2);
	check_place("// no\n{}", 1, 1);
	check_place("[\"\\u0000\",\n 1]", 1, 9);
	check_place("[[[[", 1, 4);
	check_place("[\"\xff\"]", 1, 3);
}

static void accepts_the_grammar(void **state)
{
	static const char *const good[] = {
		"null",
		"true",
		"false",
		"0",
		"-0",
		"1",
		"-1.5",
		"1e5",
		"1E+5",
		"0.1e-7",
		"\"\"",
		"[]",
		"{}",
		" [ ] ",
		"\t{\r\n}\n",
		"[1,2]",
		"[[],[[]]]",
		"{\"a\":1,\"b\":{\"c\":[]}}",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
		"\"\\ud83d\\ude00\"",
		"\"\x7f\"",
		"\"é漢😀\"",
		"{\"\":1}",
		"{\"a\":1,\"a\":2}",
		"[1 , 2 ]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(check(good[i]), 0);
}

static void refuses_everything_else(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"nul",
		"nulll",
		"True",
		"01",
		"-",
		"+1",
		"1.",
		".5",
		"1e",
		"1e+",
		"0x1",
		"NaN",
		"Infinity",
		"--1",
		"\"",
		"\"\\\"",
		"\"\\x\"",
		"\"\\u12\"",
		"\"\\u12g4\"",
		"'a'",
		"\"a\nb\"",
		"\"\x01\"",
		"[",
		"]",
		"[1",
		"[1,",
		"[1,]",
		"[,1]",
		"[1 2]",
		"{",
		"}",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{a:1}",
		"{1:1}",
		"{\"a\" 1}",
		"[1}",
		"{\"a\":1]",
		"1 2",
		"{}{}",
		"\xef\xbb\xbf{}",
		"/**/1",
		"\f1",
		"\"\\",
		"\"\\u",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(check(bad[i]), -EINVAL);
	assert_int_equal(parse_len("1\0", 2, 8, JSON_REFUSE_UNREPRESENTABLE, &(struct json *){ NULL }), -EINVAL);
	assert_int_equal(parse_len("\"\\\0\"", 4, 8, JSON_REFUSE_UNREPRESENTABLE, &(struct json *){ NULL }), -EINVAL);
}

static void refuses_what_is_not_utf8(void **state)
{
	static const char *const bad[] = {
		"\"\xff\"",
		"\"\xc3\"",
		"\"\xc0\x80\"",
		"\"\xed\xa0\x80\"",
		"\"\xf4\x90\x80\x80\"",
		"{\"\x80\":1}",
		"\"\xe2\x82",
		"\"\xc3zzzz\"",
		"\"\xc1\x80zzzz\"",
		"\"\xe0\x80\x80zzzz\"",
		"\"\xed\xa0\x80zzzz\"",
		"\"\xe4\xb8zzzz\"",
		"\"\xe4z\x80zzzz\"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(check(bad[i]), -EILSEQ);
}

static void bounds_the_depth(void **state)
{
	_cleanup_(str_done) struct str deep = {};

	assert_int_equal(check("[[[[[[[[1]]]]]]]]"), 0);
	assert_int_equal(check("[[[[[[[[[1]]]]]]]]]"), -E2BIG);
	assert_int_equal(check("{\"a\":[{\"a\":[{\"a\":[{\"a\":[{}]}]}]}]}"), -E2BIG);
	for (int i = 0; i < 1000000; i++)
		str_append(&deep, "[");
	assert_int_equal(check(deep.data), -E2BIG);
	str_reset(&deep);
	for (unsigned i = 0; i < JSON_DEPTH_MAX; i++)
		str_prepend(&deep, i % 2 ? "{\"a\":" : "[", i % 2 ? 5 : 1);
	str_append(&deep, "null");
	for (unsigned i = 0; i < JSON_DEPTH_MAX; i++)
		str_append_char(&deep, i % 2 ? '}' : ']');
	assert_int_equal(json_check(deep.data, deep.len, JSON_DEPTH_MAX, JSON_REFUSE_UNREPRESENTABLE), 0);
	assert_int_equal(json_check(deep.data, deep.len, JSON_DEPTH_MAX - 1, JSON_REFUSE_UNREPRESENTABLE), -E2BIG);
}

static void unrepresentable_escapes(void **state)
{
	static const char *const escapes[] = {
		"\"a\\u0000b\"",      "\"a\\ud800b\"",   "\"a\\uDFFFb\"",      "\"a\\uDBFF\\n\"",
		"\"\\ude00\\ud83d\"", "{\"\\u0000\":1}", "\"\\ud83d\\u0041\"",
	};
	_cleanup_(json_freep) struct json *v = parse("[\"a\\u0000b\",\"\\ud83d\\u0041\",\"\\ud83d\\ud83d\\ude00\"]");

	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		assert_int_equal(check(escapes[i]), -EBADMSG);
	assert_int_equal(check("[\"\\u0000\", nonsense]"), -EINVAL);
	assert_string_equal(json_str(json_first(v), NULL), "a\xef\xbf\xbd"
							   "b");
	assert_string_equal(json_str(json_next(json_first(v)), NULL), "\xef\xbf\xbd"
								      "A");
	assert_string_equal(json_str(json_next(json_next(json_first(v))), NULL), "\xef\xbf\xbd😀");
}

static void numbers_of_any_length(void **state)
{
	_cleanup_(str_done) struct str text = {};
	struct json *v = NULL;

	str_append(&text, "[0.");
	for (int i = 0; i < 200; i++)
		str_append_char(&text, '3');
	str_append(&text, ",-1");
	for (int i = 0; i < 400; i++)
		str_append_char(&text, '0');
	str_append(&text, ",7]");
	v = parse(text.data);
	assert_true(json_num(json_first(v), NULL, 0) == 1.0 / 3);
	assert_true(json_num(json_next(json_first(v)), NULL, 0) == -__builtin_inf());
	assert_int_equal(json_int(json_next(json_next(json_first(v))), NULL, 0), 7);
	json_free(v);
}

static double number(const char *text)
{
	_cleanup_(json_freep) struct json *v = parse(text);

	return json_num(v, NULL, -1);
}

static void reads_numbers_as_strtod_does(void **state)
{
	static const char *const texts[] = {
		"0",
		"-0",
		"0.1",
		"-0.3",
		"1763744000.123456",
		"9007199254740992",
		"9007199254740993",
		"12345678901234567",
		"123456789012345678",
		"18446744073709551617",
		"0.30000000000000004",
		"0.00000000000000001",
		"1e-7",
		"5e-324",
		"1.7976931348623157e308",
		"1E5",
		"2.5e+3",
		"99999999999999999",
		"1.0000000000000002",
	};
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_true(number(texts[i]) == strtod(texts[i], NULL));
	assert_true(signbit(number("-0")));
	for (uint64_t n = 1, i = 0; i < 2000; i++) {
		n = n * 6364136223846793005 + 1442695040888963407;
		snprintf(text, sizeof(text), "%.*f", (int)(i % 12), (double)(n >> i % 60) / 1000);
		assert_true(number(text) == strtod(text, NULL));
	}
}

/* What is not plain text is found wherever it stands. */
static void reads_texts(void **state)
{
	static const struct {
		const char *written, *read;
	} pieces[] = {
		{ "\\\"", "\"" },          { "\\\\", "\\" },   { "\\/", "/" },      { "\\b\\f\\n\\r\\t", "\b\f\n\r\t" },
		{ "\\u0041", "A" },        { "\\u00e9", "é" }, { "\\u6F22", "漢" }, { "\\uffff", "\xef\xbf\xbf" },
		{ "\\ud83d\\uDE00", "😀" }, { "é漢😀", "é漢😀" }, { "\x7f", "\x7f" },  { "\\n漢\\u6F22é\\\\😀\\\"é", "\n漢漢é\\😀\"é" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		for (int before = 0, after = 10; before < 20; before++, after = before % 11) {
			_cleanup_(str_done) struct str text = {}, expected = {};
			_cleanup_(json_freep) struct json *v = NULL;

			str_appendf(&text, "\"%.*s%s%.*s\"", before, "aaaaaaaaaaaaaaaaaaaa", pieces[i].written, after,
				    "bcdefghijk");
			str_appendf(&expected, "%.*s%s%.*s", before, "aaaaaaaaaaaaaaaaaaaa", pieces[i].read, after, "bcdefghijk");
			v = parse(text.data);
			assert_string_equal(json_str(v, NULL), expected.data);
		}
}

static void reads_by_path(void **state)
{
	_cleanup_(json_freep) struct json *v = parse("{\"a\":{\"b\":\"text\",\"c.d\":2},\"n\":-3.5,\"i\":9007199254740991,"
						     "\"t\":true,\"z\":null,\"l\":[10,20],\"a\":7}");

	assert_string_equal(json_str(v, "a.b"), "text");
	assert_null(json_str(v, "a"));
	assert_string_equal(json_text(v, "a.b"), "text");
	assert_string_equal(json_text(v, "a"), "");
	assert_null(json_str(v, "a.x.y"));
	assert_null(json_get(v, "a.c.d"));
	assert_int_equal(json_int(json_member(json_get(v, "a"), "c.d"), NULL, 0), 2);
	assert_true(json_num(v, "n", 0) == -3.5);
	assert_int_equal(json_int(v, "n", 99), 99);
	assert_int_equal(json_int(v, "i", 0), 9007199254740991);
	assert_int_equal(json_int(v, "t", 5), 5);
	assert_true(json_bool(v, "t", false));
	assert_true(json_bool(v, "z", true));
	assert_int_equal(json_type(json_get(v, "z")), JSON_NULL);
	assert_int_equal(json_type(json_get(v, "l")), JSON_ARRAY);
	assert_int_equal(json_count(json_get(v, "l")), 2);
	assert_string_equal(json_name(json_first(v)), "a");
	assert_null(json_name(json_first(json_get(v, "l"))));
	assert_null(json_get(v, "t.x"));
	assert_null(json_get(json_get(v, "l"), ""));
}

static void readers_accept_nothing(void **state)
{
	assert_int_equal(json_type(NULL), JSON_NONE);
	assert_null(json_get(NULL, "a"));
	assert_null(json_member(NULL, "a"));
	assert_null(json_str(NULL, NULL));
	assert_string_equal(json_text(NULL, "a"), "");
	assert_int_equal(json_count(NULL), 0);
	assert_null(json_first(NULL));
	assert_null(json_next(NULL));
	assert_null(json_name(NULL));
	assert_null(json_free(NULL));
}

static void integers_out_of_range(void **state)
{
	_cleanup_(json_freep) struct json *v = parse("[1e300,-1e300,9223372036854775808,-9223372036854775808,1e999]");
	const struct json *e = json_first(v);

	assert_int_equal(json_int(e, NULL, 1), 1);
	assert_int_equal(json_int(e = json_next(e), NULL, 1), 1);
	assert_int_equal(json_int(e = json_next(e), NULL, 1), 1);
	assert_true(json_int(e = json_next(e), NULL, 1) == INT64_MIN);
	assert_int_equal(json_int(json_next(e), NULL, 1), 1);
}

static void prints_what_it_parsed(void **state)
{
	static const char *const texts[] = {
		"null",  "[true,false,null]", "{\"a\":[],\"b\":{},\"c\":\"\\\"\\\\\\n\\u0001é😀\"}", "[0.1,-5,1e+300,123456789012]",
		"\"/\"", "[[[[1]]]]",
	};
	_cleanup_(str_done) struct str s = {};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct json *v = parse(texts[i]);

		str_reset(&s);
		json_print(&s, v);
		assert_string_equal(s.data, texts[i]);
		json_free(v);
	}
	str_reset(&s);
	json_print(&s, NULL);
	assert_string_equal(s.data, "null");
}

static void prints_with_indentation(void **state)
{
	struct json *v = parse("{\"a\":[1,{\"b\":null}],\"c\":[],\"d\":{}}");
	_cleanup_(str_done) struct str s = {};

	json_print_indented(&s, v);
	assert_string_equal(s.data, "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": [],\n  \"d\": {}\n}");
	json_free(v);
}

static void copies_a_part_of_a_tree(void **state)
{
	struct json *v = parse("{\"a\":{\"b\":[1,\"x\"]}}"), *copy = json_copy(json_get(v, "a"));
	_cleanup_(str_done) struct str s = {};

	json_free(v);
	json_print(&s, copy);
	assert_string_equal(s.data, "{\"b\":[1,\"x\"]}");
	assert_null(json_name(copy));
	assert_null(json_copy(NULL));
	json_free(copy);
}

static void copies_any_depth_that_a_tree_can_have(void **state)
{
	char text[2 * JSON_DEPTH_MAX + 1] = {};
	struct json *v = NULL, *copy;

	memset(text, '[', JSON_DEPTH_MAX);
	memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	assert_int_equal(json_parse(text, strlen(text), JSON_DEPTH_MAX, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	copy = json_copy(v);
	assert_non_null(copy);
	json_free(copy);
	json_free(v);
}

/* What json_extract() leaves of `text`; NULL when it leaves nothing. */
static char *extracted(const char *text, const char *path)
{
	_cleanup_(json_freep) struct json *v = json_extract(parse(text), path);
	_cleanup_(str_done) struct str printed = {};

	if (!v)
		return NULL;
	assert_null(json_name(v));
	assert_null(json_next(v));
	json_print(&printed, v);
	return str_take(&printed);
}

static void extracts_a_value(void **state)
{
	static const char text[] =
		"{\"id\":7,\"a\":{\"before\":[1,{}],\"b\":{\"c\":[\"x\",{\"d\":[]},3],\"e\":\"y\"},\"z\":true},\"n\":null}";
	static const struct {
		const char *path, *expected;
	} cases[] = {
		{ NULL, text },
		{ "id", "7" },
		{ "n", "null" },
		{ "a.z", "true" },
		{ "a.b.e", "\"y\"" },
		{ "a.b", "{\"c\":[\"x\",{\"d\":[]},3],\"e\":\"y\"}" },
		{ "a.b.c", "[\"x\",{\"d\":[]},3]" },
		{ "a.before", "[1,{}]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(freep) char *printed = extracted(text, cases[i].path);

		assert_string_equal(printed, cases[i].expected);
	}
	assert_null(extracted(text, "a.c"));
	assert_null(extracted("[]", "a"));
	assert_null(json_extract(NULL, "a"));
}

static void extracts_from_what_was_extracted(void **state)
{
	_cleanup_(json_freep) struct json *v = parse("{\"x\":0,\"a\":{\"y\":[],\"b\":{\"c\":[5,6]}}}");

	v = json_extract(v, "a");
	v = json_extract(v, "b");
	assert_int_equal(json_count(json_get(v, "c")), 2);
	v = json_extract(v, "c");
	assert_int_equal(json_int(json_next(json_first(v)), NULL, 0), 6);
}

static void assert_raw(const char *text, const char *path, const char *expected)
{
	size_t len = 0, size = strlen(text);
	char *copy = must(malloc(size ? size : 1));
	const char *raw;

	memcpy(copy, text, size);
	raw = json_raw(copy, size, path, &len);
	if (expected) {
		assert_non_null(raw);
		assert_int_equal(len, strlen(expected));
		assert_memory_equal(raw, expected, len);
	} else
		assert_null(raw);
	free(copy);
}

static void finds_raw_spans(void **state)
{
	static const char text[] =
		" { \"x\" : [ {\"id\":0}, \"]}\\\"\" ] , \"id\" : \"a\\u0062\" ,\"n\":1.50,\"o\":{\"p\": {\"q\":-7}} , "
		"\"\\u0065\":null,\"id\":2}";

	assert_raw(text, "id", "\"a\\u0062\"");
	assert_raw(text, "n", "1.50");
	assert_raw(text, "x", "[ {\"id\":0}, \"]}\\\"\" ]");
	assert_raw(text, "o.p.q", "-7");
	assert_raw(text, "o.p", "{\"q\":-7}");
	assert_raw(text, "e", "null");
	assert_raw(text, "o.q", NULL);
	assert_raw(text, "n.q", NULL);
	assert_raw(text, "", NULL);
	assert_raw("{\"a\":\"\\\\\",\"b\":\"\\\\\\\"\",\"c\":3}", "b", "\"\\\\\\\"\""); /* a: one backslash, b: with a quote */
	assert_raw("{\"a\":\"\\\\\",\"b\":\"\\\\\\\"\",\"c\":3}", "c", "3");
	assert_raw("[1]", "id", NULL);
	assert_raw("{}", "id", NULL);
}

/* Text that json_parse() refused must not lead outside. */
static void raw_is_safe_on_anything(void **state)
{
	static const char text[] = "{\"a\":{\"b\":[\"\\\\\",{\"c\":1}]},\"\\u0064\":2}";

	for (size_t len = 0; len < sizeof(text); len++) {
		char *cut = must(malloc(len ? len : 1));
		size_t ret_len, at = 0;

		memcpy(cut, text, len);
		json_raw(cut, len, "a.b", &ret_len);
		json_raw(cut, len, "d", &ret_len);
		while (json_raw_next(cut, len, &at, &ret_len))
			;
		free(cut);
	}
	assert_raw("{\"a\":", "a", "");
	assert_raw("{\"a\":\"open", "a", "\"open");
	assert_raw("{\"a\"", "a", NULL);
	assert_raw("{\"a\":1,", "b", NULL);
	assert_raw("{\"a\":]]]", "b", NULL);
}

static void walks_raw_elements(void **state)
{
	static const char text[] = " [ {\"a\":[1,2]} ,\"x,y\", 3 ]";
	static const char *const elements[] = { "{\"a\":[1,2]}", "\"x,y\"", "3" };
	size_t at = 0, len, count = 0;
	const char *e;

	while ((e = json_raw_next(text, strlen(text), &at, &len))) {
		assert_int_equal(len, strlen(elements[count]));
		assert_memory_equal(e, elements[count++], len);
	}
	assert_int_equal(count, 3);
	at = 0;
	assert_null(json_raw_next("[]", 2, &at, &len));
	assert_null(json_raw_next("{}", 2, &at, &len));
}

static void knows_where_an_array_ends(void **state)
{
	static const char *const good[] = { "[]", " [ ] ", "[1]", "[1,[2],{\"a\":\"]\"}]\n" };
	static const char *const bad[] = { "",      "[",     "[1",  "[1,", "[1,]", "[,]",  "[1]]",
					   "[1] 2", "[1 2]", "[1}", "{}",  "1",    "[\"a", "]" };

	for (size_t i = 0; i < ARRAY_SIZE(good) + ARRAY_SIZE(bad); i++) {
		const char *text = i < ARRAY_SIZE(good) ? good[i] : bad[i - ARRAY_SIZE(good)];
		size_t at = 0, len;

		while (json_raw_next(text, strlen(text), &at, &len))
			;
		assert_int_equal(json_raw_ended(text, strlen(text), at), i < ARRAY_SIZE(good));
	}
}

static void keeps_the_source_of_scalars(void **state)
{
	static const char text[] = " {\"a\" : [ 1.50,-0 ,\"\\u0061\\\"\" ], \"b\":true,\"c\":12345678901234567890}";
	static const struct {
		const char *path, *source;
	} cases[] = { { "b", "true" }, { "c", "12345678901234567890" } };
	static const char *const elements[] = { "1.50", "-0", "\"\\u0061\\\"\"" };
	_cleanup_(json_freep) struct json *v = NULL;
	size_t len, i = 0;

	assert_int_equal(json_parse(text, strlen(text), 8, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	for (size_t n = 0; n < ARRAY_SIZE(cases); n++) {
		const char *source = json_source(json_get(v, cases[n].path), text, strlen(text), &len);

		assert_int_equal(len, strlen(cases[n].source));
		assert_memory_equal(source, cases[n].source, len);
		assert_int_equal(json_count(json_get(v, cases[n].path)), 0);
		assert_null(json_first(json_get(v, cases[n].path)));
	}
	json_foreach(e, json_get(v, "a")) {
		assert_memory_equal(json_source(e, text, strlen(text), &len), elements[i], strlen(elements[i]));
		assert_int_equal(len, strlen(elements[i++]));
	}
	assert_int_equal(i, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_the_grammar),
		cmocka_unit_test(says_where_it_stops),
		cmocka_unit_test(refuses_everything_else),
		cmocka_unit_test(refuses_what_is_not_utf8),
		cmocka_unit_test(bounds_the_depth),
		cmocka_unit_test(unrepresentable_escapes),
		cmocka_unit_test(numbers_of_any_length),
		cmocka_unit_test(reads_numbers_as_strtod_does),
		cmocka_unit_test(reads_texts),
		cmocka_unit_test(reads_by_path),
		cmocka_unit_test(readers_accept_nothing),
		cmocka_unit_test(integers_out_of_range),
		cmocka_unit_test(prints_what_it_parsed),
		cmocka_unit_test(prints_with_indentation),
		cmocka_unit_test(copies_a_part_of_a_tree),
		cmocka_unit_test(copies_any_depth_that_a_tree_can_have),
		cmocka_unit_test(extracts_a_value),
		cmocka_unit_test(extracts_from_what_was_extracted),
		cmocka_unit_test(finds_raw_spans),
		cmocka_unit_test(raw_is_safe_on_anything),
		cmocka_unit_test(walks_raw_elements),
		cmocka_unit_test(knows_where_an_array_ends),
		cmocka_unit_test(keeps_the_source_of_scalars),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
