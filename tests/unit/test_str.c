/* Strings, and the relaxed JSON literals of str_json(). */
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

#include "base/str.h"

static const char *volatile nothing; /* NULL that the compiler does not see */

/* The JSON text that a literal makes. */
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
	assert_string_equal(s.data, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
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
	assert_json("{\"ключ\":1,\"k\":2}", "{\"ключ\": 1, %s: 2}", "k");
}

static void quoted_text(void **state)
{
	assert_json("\"a  b\"", "'a  b'");
	assert_json("\"\"", "''");
	assert_json("\"it's 100%\"", "'it\\'s 100%%'");
	assert_json("\"{a: [1,2]}\"", "'{a: [1,2]}'");
	assert_json("\"say \\\"hi\\\"\"", "'say \"hi\"'");
	assert_json("\"tab\\tnew\\n\\u0041\\\\\"", "'tab\tnew\n\\u0041\\\\'");
	assert_json("\"it's\"", "\"it's\"");
	assert_json("\"a \\\" b\"", "\"a \\\" b\"");
	assert_json("\"漢😀\"", "'漢😀'");
}

static void conversions_inside_text(void **state)
{
	assert_json("\"no \\\"x\\\" in 3 of 0.5: true\"", "'no %s in %d of %f: %i'", "\"x\"", 3, 0.5, 1);
	assert_json("\"[]\"", "'[%s]'", nothing);
	assert_json("\"[ab]\"", "'[%.*s]'", 2, "abc");
}

static void strings(void **state)
{
	assert_json("{\"a\":\"x\",\"b\":null}", "{a: %s, b: %s}", "x", nothing);
	assert_json("\"{a: %s}\"", "%s", "{a: %s}");
	assert_json("\"ab\"", "%.*s", 2, "abc");
	assert_json("\"\"", "%.*s", 0, "abc");
	assert_json("\"\"", "%.*s", -1, "abc");
	assert_json("\"abc\"", "%.*s", 9, "abc");
	assert_json("null", "%.*s", 9, nothing);
	assert_json("\"\\\"\\\\\\n\"", "%s", "\"\\\n");
}

static void integers(void **state)
{
	assert_json("[0,-1,2147483647,-2147483648]", "[%d,%d,%d,%d]", 0, -1, INT_MAX, INT_MIN);
	assert_json("[4294967295,0]", "[%u,%u]", UINT_MAX, 0u);
	assert_json("[-9223372036854775808,18446744073709551615]", "[%ld,%lu]", LONG_MIN, ULONG_MAX);
	assert_json("[-9223372036854775808,18446744073709551615]", "[%lld,%llu]", LLONG_MIN, ULLONG_MAX);
	assert_json("{\"n\":12}", "{n: %zu}", (size_t)12);
	assert_json("-5", "-%d", 5);
}

static void booleans_and_raw_json(void **state)
{
	assert_json("[true,false,true]", "[%i,%i,%i]", 1, 0, -7);
	assert_json("{\"a\":{\"b\": 1},\"c\":null}", "{a: %p, c: %p}", "{\"b\": 1}", nothing);
}

static void doubles(void **state)
{
	assert_json("[0,-0,1,-1,100,0.1,123.456]", "[%f,%f,%f,%f,%f,%f,%f]", 0.0, -0.0, 1.0, -1.0, 100.0, 0.1, 123.456);
	assert_json("[0.30000000000000004,1e+15,1e+300,5e-324]", "[%f,%f,%f,%f]", 0.1 + 0.2, 1e15, 1e300, 5e-324);
	assert_json("[null,null,null]", "[%f,%f,%f]", (double)NAN, (double)INFINITY, (double)-INFINITY);
	assert_json("[9007199254740991,999999999999999]", "[%f,%f]", 9007199254740991.0, 999999999999999.0);
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
		str_json(&s, "%p{i: %d}", i ? "," : "", i);
	str_append(&s, "]");
	assert_string_equal(s.data, "[{\"i\":0},{\"i\":1},{\"i\":2}]");
}

/* Formats that the compiler must not check: they are wrong. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_once(const char *format, ...)
{
	struct str s = {};
	va_list ap;

	va_start(ap, format);
	str_vjson(&s, format, ap);
	va_end(ap);
}

/* Mistakes in the source must not pass silently: the process ends. */
static void assert_aborts(const char *format)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		signal(SIGABRT, SIG_DFL);
		format_once(format, "argument");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void malformed_formats_abort(void **state)
{
	static const char *const formats[] = { "{a: 'open}", "\"open", "%q", "%", "{a: ;}", "'%p'", "'\\", "%%" };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		assert_aborts(formats[i]);
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
		cmocka_unit_test(conversions_inside_text),
		cmocka_unit_test(strings),
		cmocka_unit_test(integers),
		cmocka_unit_test(booleans_and_raw_json),
		cmocka_unit_test(doubles),
		cmocka_unit_test(doubles_read_back_the_same),
		cmocka_unit_test(doubles_ignore_the_locale),
		cmocka_unit_test(appends_to_what_is_there),
		cmocka_unit_test(malformed_formats_abort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
