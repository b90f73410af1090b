#include "base/glob.h"
#include "base/limits.h"

#include <string.h>

#include "base/str.h"
#include "test.h"

static bool matches(const char *pattern, const char *url)
{
	const char *reason = NULL;
	_cleanup_(glob_freep) struct glob *g = glob_new(pattern, &reason);

	assert_non_null(g);
	return glob_matches(g, url);
}

static void test_stars(void **state)
{
	assert_true(matches("**/*.png", "http://h/a.png"));
	assert_true(matches("**/*.png", "http://h/a/b.png"));
	assert_false(matches("**/*.png", "http://h/a.png?x"));
	assert_false(matches("http://h/*.png", "http://h/a/b.png"));
	assert_true(matches("**/a/*/c", "http://h/a//c"));
	assert_false(matches("**/a/*/c", "http://h/a/b/b/c"));
	assert_true(matches("**/d/**/f", "http://h/d/f"));
	assert_true(matches("**/d/**/f", "http://h/d/e/e/f"));
	assert_false(matches("**/d/**/f", "http://h/df"));
	assert_false(matches("**/d/**/f", "http://h/d//f"));
	assert_true(matches("**api**", "http://h/v1/api?x=/y"));
	assert_true(matches("", "http://h/anything"));
}

static void test_literals(void **state)
{
	assert_true(matches("**/x[ab]?", "http://h/x[ab]?"));
	assert_false(matches("**/x[ab]?", "http://h/xa"));
	assert_true(matches("**/q\\?a=*", "http://h/q?a=1"));
	assert_true(matches("**/\\*", "http://h/*"));
	assert_false(matches("**/\\*", "http://h/x"));
	assert_true(matches("**/a,b", "http://h/a,b"));
	assert_false(matches("**/a.b", "http://h/a-b"));
	assert_false(matches("/rel", "http://h/rel"));
}

static void test_groups(void **state)
{
	assert_true(matches("**/*.{png,jp*g,gif}", "http://h/a.png"));
	assert_true(matches("**/*.{png,jp*g,gif}", "http://h/a.jpeg"));
	assert_true(matches("**/*.{png,jp*g,gif}", "http://h/a.gif"));
	assert_false(matches("**/*.{png,jp*g,gif}", "http://h/a.pn"));
	assert_true(matches("**/n{,x}", "http://h/n"));
	assert_true(matches("**/n{,x}", "http://h/nx"));
	assert_true(matches("**/{a}{b,c}d", "http://h/acd"));
}

static void test_addresses(void **state)
{
	assert_true(matches("HTTP://Host", "http://host/"));
	assert_true(matches("http://h/a/../b/./c", "http://h/b/c"));
	assert_true(matches("http://h/../..", "http://h/"));
	assert_true(matches("http://h/a/..?x=/../y", "http://h/?x=/../y"));
	assert_false(matches("http://h/Path", "http://h/path"));
	assert_false(matches("http://h*", "http://h:1/x"));
	assert_true(matches("http://h**", "http://h:1/"));
	assert_true(matches("{http,https}://h:*/x", "https://h:81/x"));
	assert_true(matches("http*://h/x", "https://h/x"));
}

static void test_invalid(void **state)
{
	static const char *const cases[][2] = {
		{ "{a", "unmatched '{'" },
		{ "a}", "unmatched '}'" },
		{ "{a,{b}}", "nested '{' is not supported" },
		{ "{a,b", "unmatched '{'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *reason = NULL;

		assert_null(glob_new(cases[i][0], &reason));
		assert_string_equal(reason, cases[i][1]);
	}
}

/* A matcher that goes back over the text would need longer than the age of the universe. */
static void test_is_linear(void **state)
{
	_cleanup_(str_done) struct str pattern = {}, text = {};

	for (int i = 0; i < 200; i++)
		str_append(&pattern, "**a");
	str_append(&pattern, "b");
	for (int i = 0; i < 5000; i++)
		str_append_char(&text, 'a');
	assert_false(matches(pattern.data, text.data));
}

/* The work has a limit, whatever pages ask for and clients wait for. */
static void test_work_is_limited(void **state)
{
	_cleanup_(str_done) struct str pattern = {}, text = {};
	_cleanup_(glob_freep) struct glob *g = NULL;
	const char *reason = NULL;
	unsigned steps = 0;

	while (pattern.len + 3 <= LIMIT_GLOB)
		str_append(&pattern, "**a");
	for (int i = 0; i < 1 << 20; i++)
		str_append_char(&text, 'a');
	g = glob_new(pattern.data, &reason);
	assert_non_null(g);
	assert_int_equal(glob_compare(g, text.data, &steps), GLOB_UNDECIDED);
	assert_true(steps < 2 * LIMIT_GLOB_STEPS);
	assert_false(glob_matches(g, text.data));
	str_append(&pattern, "**a");
	assert_null(glob_new(pattern.data, &reason));
	assert_string_equal(reason, "it has more than 4096 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stars),           cmocka_unit_test(test_literals), cmocka_unit_test(test_groups),
		cmocka_unit_test(test_addresses),       cmocka_unit_test(test_invalid),  cmocka_unit_test(test_is_linear),
		cmocka_unit_test(test_work_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
