/* Values of scripts, as Firefox describes them and as only a hostile browser would. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "engine/bidi/values.h"

static int print(struct str *out, const char *text, size_t max)
{
	_cleanup_(json_freep) struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v), 0);
	return bidi_print_value(out, v, max);
}

static void values_are_copied(void **state)
{
	static const char *const table[][2] = {
		{ "{\"type\":\"undefined\"}", "null" },
		{ "{\"type\":\"null\"}", "null" },
		{ "{\"type\":\"number\",\"value\":1.5}", "1.5" },
		{ "{\"type\":\"number\",\"value\":\"-0\"}", "0" },
		{ "{\"type\":\"number\",\"value\":\"Infinity\"}", "null" },
		{ "{\"type\":\"string\",\"value\":\"\\u00e9\\\"\"}", "\"\303\251\\\"\"" },
		{ "{\"type\":\"bigint\",\"value\":\"9\"}", "\"9\"" },
		{ "{\"type\":\"array\",\"value\":[{\"type\":\"undefined\"},{\"type\":\"boolean\",\"value\":true}]}",
		  "[null,true]" },
		{ "{\"type\":\"object\",\"value\":[[\"a\",{\"type\":\"undefined\"}],[\"b\",{\"type\":\"function\"}]]}",
		  "{\"b\":{}}" },
		{ "{\"type\":\"map\",\"value\":[[\"a\",{\"type\":\"null\"}]]}", "{}" },
		/* described once, and used twice */
		{ "{\"type\":\"array\",\"value\":[{\"type\":\"array\",\"internalId\":\"i\",\"value\":[]},{\"type\":\"array\",\"internalId\":\"i\"}]}",
		  "[[],[]]" },
		/* nothing is what it should be */
		{ "[]", "{}" },
		{ "7", "{}" },
		{ "{\"type\":7,\"value\":[]}", "{}" },
		{ "{\"type\":\"number\",\"value\":[1]}", "null" },
		{ "{\"type\":\"string\"}", "null" },
		{ "{\"type\":\"array\",\"value\":7}", "[]" },
		{ "{\"type\":\"object\",\"value\":[7,[],[8],[[],9]]}", "{\"\":{},\"\":{},\"\":{},\"\":{}}" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_(str_done) struct str out = {};

		assert_int_equal(print(&out, table[i][0], 1000), 0);
		assert_string_equal(out.data, table[i][1]);
	}
}

static void loops_and_depths_are_refused(void **state)
{
	static const char loop[] =
		"{\"type\":\"array\",\"internalId\":\"i\",\"value\":[{\"type\":\"array\",\"internalId\":\"i\"}]}";
	_cleanup_(str_done) struct str out = {}, deep = {};

	assert_int_equal(print(&out, loop, 1000), -ELOOP);
	assert_int_equal(print(&out, "{\"type\":\"array\",\"internalId\":\"i\"}", 1000), -ELOOP);
	assert_int_equal(print(&out, "{\"type\":\"object\"}", 1000), -ELOOP);
	assert_int_equal(print(&out, "{\"type\":\"window\",\"value\":{}}", 1000), -ELOOP);
	for (int i = 0; i <= BIDI_VALUE_DEPTH; i++)
		str_append(&deep, "{\"type\":\"array\",\"value\":[");
	for (int i = 0; i <= BIDI_VALUE_DEPTH; i++)
		str_append(&deep, "]}");
	assert_int_equal(print(&out, deep.data, 1 << 20), -ELOOP);
}

/* Each list has the one before it twice: 2^60 empty lists, of which the text would consist. */
static void short_descriptions_of_long_texts_are_refused(void **state)
{
	_cleanup_(str_done) struct str text = {}, out = {};

	str_append(&text, "{\"type\":\"array\",\"value\":[{\"type\":\"array\",\"internalId\":\"0\",\"value\":[]}");
	for (int i = 1; i <= 60; i++)
		str_appendf(
			&text,
			",{\"type\":\"array\",\"internalId\":\"%d\",\"value\":[{\"type\":\"array\",\"internalId\":\"%d\"},{\"type\":"
			"\"array\",\"internalId\":\"%d\"}]}",
			i, i - 1, i - 1);
	str_append(&text, "]}");
	assert_int_equal(print(&out, text.data, 1 << 20), -EMSGSIZE);
	assert_true(out.len < (1 << 20) + 1000);
}

/* An object of many members that are left out, many times: little text, but each of them would be looked at each time. */
static void what_is_left_out_counts(void **state)
{
	_cleanup_(str_done) struct str text = {}, out = {};

	str_append(
		&text,
		"{\"type\":\"array\",\"value\":[{\"type\":\"object\",\"internalId\":\"o\",\"value\":[[\"a\",{\"type\":\"null\"}]");
	for (int i = 0; i < 20000; i++)
		str_append(&text, ",[\"u\",{\"type\":\"undefined\"}]");
	str_append(&text, "]}");
	for (int i = 0; i < 30000; i++)
		str_append(&text, ",{\"type\":\"object\",\"internalId\":\"o\"}");
	str_append(&text, "]}");
	assert_int_equal(print(&out, text.data, 1 << 20), -EMSGSIZE);
	assert_true(out.len < 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_copied),
		cmocka_unit_test(loops_and_depths_are_refused),
		cmocka_unit_test(short_descriptions_of_long_texts_are_refused),
		cmocka_unit_test(what_is_left_out_counts),
	};

	return cmocka_run_group_tests_name("bidi_values", tests, NULL, NULL);
}
