/* Strings, and the JSON templates of str_json(). */
#include "test.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/str.h"

static const char *volatile nothing; /* NULL that the compiler does not see */

/* The JSON text that a template makes. */
#define assert_json(expected, ...) \
	do { \
		_cleanup_(str_done) struct str _s = {}; \
		str_json(&_s, __VA_ARGS__); \
		assert_string_equal(str_text(&_s), expected); \
		assert_int_equal(_s.len, strlen(expected)); \
	} while (0)

static void starts_empty_and_grows(void **state)
{
	_cleanup_(str_done) struct str s = {};

	assert_string_equal(str_text(&s), "");
	for (int i = 0; i < 1000; i++)
		str_append_char(&s, (char)('a' + i % 26));
	assert_int_equal(s.len, 1000);
	assert_int_equal(strlen(s.data), 1000);
	str_reset(&s);
	assert_string_equal(str_text(&s), "");
	str_append_len(&s, "a\0b", 3);
	assert_memory_equal(s.data, "a\0b", 4);
	str_append_len(&s, NULL, 0);
	assert_int_equal(s.len, 3);
}

static void take_hands_out_the_text(void **state)
{
	_cleanup_(str_done) struct str s = {};
	char *text = str_take(&s);

	assert_string_equal(text, "");
	free(text);
	str_append(&s, "mine");
	text = str_take(&s);
	assert_string_equal(text, "mine");
	assert_null(s.data);
	free(text);
}

static void formats_of_any_length(void **state)
{
	_cleanup_(str_done) struct str s = {};

	str_appendf(&s, "%d-%s", 1, "x");
	str_appendf(&s, "%*d", 5000, 7);
	assert_int_equal(s.len, 5003);
	assert_string_equal(s.data + 5000, "  7");
}

static void prepends(void **state)
{
	_cleanup_(str_done) struct str s = {};

	str_prepend(&s, "b", 1);
	str_prepend(&s, "a", 1);
	assert_string_equal(s.data, "ab");
}

static void quotes_what_json_must_escape(void **state)
{
	_cleanup_(str_done) struct str s = {};

	str_append_quoted(&s, "\"\\/\b\f\n\r\t\x01\x1f\x7f", 11);
	assert_string_equal(s.data, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
	str_reset(&s);
	str_append_quoted(&s, "\xc2\x80\xc2\x9f\u00a0\u2027\u2028\u202e\u202f\u2065\u2066\u2069\u206a", 30);
	assert_string_equal(s.data, "\"\\u0080\\u009f\u00a0\u2027\\u2028\\u202e\u202f\u2065\\u2066\\u2069\u206a\"");
	str_reset(&s);
	str_append_quoted(&s, "a\0b", 3);
	assert_string_equal(s.data, "\"a\\u0000b\"");
	str_reset(&s);
	str_append_quoted(&s, "é漢😀", strlen("é漢😀"));
	assert_string_equal(s.data, "\"é漢😀\"");
}

static void broken_utf8_becomes_the_replacement_character(void **state)
{
	_cleanup_(str_done) struct str s = {};

	str_append_quoted(&s,
			  "a\xff"
			  "b\xc3",
			  4);
	assert_string_equal(s.data, "\"a\xef\xbf\xbd"
				    "b\xef\xbf\xbd\"");
	str_reset(&s);
	str_append_quoted(&s, "\xed\xa0\x80", 3); /* a surrogate */
	assert_string_equal(s.data, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void utf8_sequences(void **state)
{
	static const struct {
		const char *bytes;
		size_t left, len;
	} cases[] = {
		{ "a", 1, 1 },
		{ "", 0, 0 },
		{ "\xc2\x80", 2, 2 },
		{ "\xc2\x80", 1, 0 },
		{ "\xc1\xbf", 2, 0 },
		{ "\xe0\xa0\x80", 3, 3 },
		{ "\xe0\x9f\xbf", 3, 0 },
		{ "\xed\x9f\xbf", 3, 3 },
		{ "\xed\xa0\x80", 3, 0 },
		{ "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		{ "\xf4\x90\x80\x80", 4, 0 },
		{ "\xf5\x80\x80\x80", 4, 0 },
		{ "\x80", 1, 0 },
		{ "\xe2\x82", 2, 0 },
		{ "\xe2\x82z", 3, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(utf8_sequence(cases[i].bytes, cases[i].left), cases[i].len);
}

static void literals_are_copied_compactly(void **state)
{
	assert_json("{}", "{}");
	assert_json("[]", " [ ] ");
	assert_json("{\"a\":1,\"b\":[true,false,null,-2,0.5,1e5,-1.5E-3,2e+8]}",
		    "{a: 1,\n\tb : [true, false, null, -2, 0.5, 1e5, -1.5E-3, 2e+8]}");
	assert_json("{\"a\":{\"b\":{\"c\":[[],{}]}}}", "{a: {b: {c: [[], {}]}}}");
	assert_json("\"a\":1", "a: 1"); /* parts of a message, too */
}

static void names(void **state)
{
	assert_json("{\"true\":true}", "{true: true}");
	assert_json("{\"$schema\":1,\"_x\":2,\"x-y\":3}", "{$schema: 1, _x: 2, x-y: 3}");
	assert_json("{\"io.modelcontextprotocol/serverInfo\":{}}", "{io.modelcontextprotocol/serverInfo: {}}");
	assert_json("{\"two words\":1,\"it's\":2,\"say \\\"hi\\\"\":3}", "{'two words': 1, 'it\\'s': 2, 'say \"hi\"': 3}");
	assert_json("{\"ключ\":1,\"k\":2}", "{\"ключ\": 1, ?: 2}", "k");
}

static void quoted_text(void **state)
{
	assert_json("\"a  b\"", "'a  b'");
	assert_json("\"\"", "''");
	assert_json("\"it's 100%\"", "'it\\'s 100%'");
	assert_json("\"{a: [1,2]}\"", "'{a: [1,2]}'");
	assert_json("\"say \\\"hi\\\"\"", "'say \"hi\"'");
	assert_json("\"tab\\tnew\\n\\u0041\\\\\"", "'tab\tnew\n\\u0041\\\\'");
	assert_json("\"it's\"", "\"it's\"");
	assert_json("\"a \\\" b\"", "\"a \\\" b\"");
	assert_json("\"漢😀\"", "'漢😀'");
}

static void no_placeholder_inside_text(void **state)
{
	assert_json("[\"Why?\",1,\"?\"]", "['Why?', ?, \"?\"]", 1);
}

static void strings(void **state)
{
	char array[] = "an array";

	assert_json("{\"a\":\"x\",\"b\":null}", "{a: ?, b: ?}", "x", nothing);
	assert_json("\"{a: ?}\"", "?", "{a: ?}");
	assert_json("[\"an array\",\"array\"]", "[?, ?]", array, &array[3]);
	assert_json("\"\\\"\\\\\\n\"", "?", "\"\\\n");
}

static void texts_of_a_length(void **state)
{
	assert_json("\"ab\"", "?", JSON_TEXT("abc", 2));
	assert_json("\"\"", "?", JSON_TEXT("abc", 0));
	assert_json("\"abc\"", "?", JSON_TEXT("abc", 9));
	assert_json("null", "?", JSON_TEXT(nothing, 9));
	assert_json("[\"a\",\"b\"]", "[?, ?]", JSON_TEXT("abc", 1), JSON_TEXT("bcd", 1));
}

static void integers(void **state)
{
	assert_json("[0,-1,2147483647,-2147483648]", "[?,?,?,?]", 0, -1, INT_MAX, INT_MIN);
	assert_json("[4294967295,0]", "[?,?]", UINT_MAX, 0u);
	assert_json("[-9223372036854775808,18446744073709551615]", "[?,?]", LONG_MIN, ULONG_MAX);
	assert_json("[-9223372036854775808,18446744073709551615]", "[?,?]", LLONG_MIN, ULLONG_MAX);
	assert_json("[-3,255,65535]", "[?,?,?]", (short)-3, (unsigned char)255, (unsigned short)65535);
	assert_json("{\"n\":12}", "{n: ?}", (size_t)12);
	assert_json("-5", "-?", 5);
}

static void members_of_a_struct(void **state)
{
	const struct {
		bool held : 1;
		enum { FIRST, SECOND } which;
		uint16_t port;
		int64_t at;
		char id[8];
	} s = { .held = true, .which = SECOND, .port = 8080, .at = -1, .id = "e5" };

	assert_json("[true,1,8080,-1,\"e5\"]", "[?,?,?,?,?]", s.held, s.which, s.port, s.at, s.id);
}

static void booleans(void **state)
{
	bool held = true;
	int count = 2;

	assert_json("[true,false,true,2]", "[?,?,?,?]", held, (bool)!held, (bool)(count > 1), count);
}

static void raw_json(void **state)
{
	assert_json("{\"a\":{\"b\": 1},\"c\":null}", "{a: ?, c: ?}", JSON_RAW("{\"b\": 1}"), JSON_RAW(nothing));
	assert_json("[1,2]", "[1? ?]", JSON_COMMA(true), 2);
	assert_json("[2]", "[? ?]", JSON_COMMA(false), 2);
}

static void trees(void **state)
{
	static const char text[] = "{\"a\":[1,\"x\"]}";
	_cleanup_(json_freep) struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), 8, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	assert_json("[{\"a\":[1,\"x\"]},\"x\",null]", "[?,?,?]", v, json_next(json_first(json_get(v, "a"))), json_get(v, "b"));
}

static void doubles(void **state)
{
	assert_json("[0,-0,1,-1,100,0.1,123.456]", "[?,?,?,?,?,?,?]", 0.0, -0.0, 1.0, -1.0, 100.0, 0.1, 123.456);
	assert_json("[0.30000000000000004,1e+15,1e+300,5e-324]", "[?,?,?,?]", 0.1 + 0.2, 1e15, 1e300, 5e-324);
	assert_json("[null,null,null]", "[?,?,?]", (double)NAN, (double)INFINITY, (double)-INFINITY);
	assert_json("[9007199254740991,999999999999999]", "[?,?]", 9007199254740991.0, 999999999999999.0);
}

static void arguments_of_all_kinds(void **state)
{
	assert_json("[\"a\",1,1.5,true,\"b\",2,{},\"cd\",3,4,5,6,7,8,\"e\",9.5]", "[?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?]", "a", 1, 1.5,
		    (bool)1, "b", 2ll, JSON_RAW("{}"), JSON_TEXT("cde", 2), 3u, 4l, 5ul, 6ull, 7, 8, "e", 9.5);
}

static void doubles_read_back_the_same(void **state)
{
	uint64_t x = 0x9e3779b97f4a7c15;

	for (int i = 0; i < 20000; i++) {
		_cleanup_(str_done) struct str s = {};
		double n;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17; /* xorshift64 */
		memcpy(&n, &x, sizeof(n));
		if (!isfinite(n))
			continue;
		str_append_double(&s, n);
		assert_true(strtod(s.data, NULL) == n);
	}
}

static void doubles_ignore_the_locale(void **state)
{
	_cleanup_(str_done) struct str s = {};

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		skip();
	str_append_double(&s, 0.5);
	setlocale(LC_NUMERIC, "C");
	assert_string_equal(s.data, "0.5");
}

static void appends_to_what_is_there(void **state)
{
	_cleanup_(str_done) struct str s = {};

	str_append(&s, "[");
	for (int i = 0; i < 3; i++)
		str_json(&s, "?{i: ?}", JSON_COMMA(i), i);
	str_append(&s, "]");
	assert_string_equal(s.data, "[{\"i\":0},{\"i\":1},{\"i\":2}]");
}

static void write_once(uint64_t types, const char *template, ...)
{
	struct str s = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&s, types, template, ap);
	va_end(ap);
}

/* Mistakes in the source must not pass silently: the process ends. `types` may name two strings. */
static void assert_aborts(uint64_t types, const char *template)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		signal(SIGABRT, SIG_DFL);
		write_once(types, template, "argument", "another");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void malformed_templates_abort(void **state)
{
	static const char *const templates[] = { "{a: 'open}", "\"open", "{a: ;}", "'\\", "%d", "{a: %s}" };

	for (size_t i = 0; i < ARRAY_SIZE(templates); i++)
		assert_aborts(0, templates[i]);
}

static void wrong_numbers_of_arguments_abort(void **state)
{
	const uint64_t one = JSON_ARGUMENT(""), two = one | one << 4;

	assert_aborts(0, "?");
	assert_aborts(one, "{}");
	assert_aborts(one, "'?'");
	assert_aborts(one, "[?, ?]");
	assert_aborts(two, "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_empty_and_grows),
		cmocka_unit_test(take_hands_out_the_text),
		cmocka_unit_test(formats_of_any_length),
		cmocka_unit_test(prepends),
		cmocka_unit_test(quotes_what_json_must_escape),
		cmocka_unit_test(broken_utf8_becomes_the_replacement_character),
		cmocka_unit_test(utf8_sequences),
		cmocka_unit_test(literals_are_copied_compactly),
		cmocka_unit_test(names),
		cmocka_unit_test(quoted_text),
		cmocka_unit_test(no_placeholder_inside_text),
		cmocka_unit_test(strings),
		cmocka_unit_test(integers),
		cmocka_unit_test(texts_of_a_length),
		cmocka_unit_test(members_of_a_struct),
		cmocka_unit_test(booleans),
		cmocka_unit_test(raw_json),
		cmocka_unit_test(trees),
		cmocka_unit_test(arguments_of_all_kinds),
		cmocka_unit_test(doubles),
		cmocka_unit_test(doubles_read_back_the_same),
		cmocka_unit_test(doubles_ignore_the_locale),
		cmocka_unit_test(appends_to_what_is_there),
		cmocka_unit_test(malformed_templates_abort),
		cmocka_unit_test(wrong_numbers_of_arguments_abort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
