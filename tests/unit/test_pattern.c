/* Regular expressions of clients: what they match, and what is refused before it costs time or memory. */
#include <errno.h>
#include <string.h>

#include "base/pattern.h"
#include "test.h"

static void assert_matches(const char *pattern, const char *text, bool expected)
{
	regex_t regex;

	assert_int_equal(pattern_compile(pattern, 0, &regex), 0);
	if ((regexec(&regex, text, 0, NULL, 0) == 0) != expected)
		fail_msg("%s on %s", pattern, text);
	regfree(&regex);
}

static void test_matches(void **state)
{
	static const struct {
		const char *pattern, *yes, *no;
	} table[] = {
		{ "a+b", "xaab", "xb" },
		{ "foo|bar", "a bar", "fo" },
		{ "^foo|bar$", "a bar", "a foo" },
		{ "one.*two", "one\ntwo", "two one" },
		{ "^/api/[0-9]+(/x)?$", "/api/12/x", "/api/" },
		{ "[]a]{2,3}$", "x]a", "a" },
		{ "(, ?[0-9]+)*;", ", 1,2;", ", 1" },
		{ "[[:digit:]]\\.\\w", "1.a", "a.1" },
		{ "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "95b41c00-0000-4000-8000-0123456789ab", "95b4" },
		{ "x{,2}y", "y", "x" },
		{ "a{2,}", "aaa", "a" },
		{ "\\{\"a\"", "{\"a\"", "a" },
		{ "((a|b)(c|d)?)+e", "acbe", "ce" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_matches(table[i].pattern, table[i].yes, true);
		assert_matches(table[i].pattern, table[i].no, false);
	}
	assert_matches("", "", true);
}

static void test_lines(void **state)
{
	regex_t regex;

	(void)state;
	assert_int_equal(pattern_compile("^ready.*on", REG_NEWLINE, &regex), 0);
	assert_int_equal(regexec(&regex, "starting\nready, listening on 80\n", 0, NULL, 0), 0);
	assert_int_not_equal(regexec(&regex, "ready\non", 0, NULL, 0), 0);
	regfree(&regex);
}

static void test_refused(void **state)
{
	static const char *const table[] = {
		"(",
		")",
		"a)(b",
		"[",
		"[[:alpha:]",
		"*",
		"a**",
		"\\",
		"\\d+",
		"(h)\\1",
		"(?i)x",
		"{\"a\"",
		"a{1",
		"a{2,1}",
		"a{1,32767}",
		"a{99999999999999999999}",
		"a{4294967297}",
		"(a{1,30}){1,40}",
		"(((a{99}){99}){99}){99}",
		"x{9}{9}{9}{9}",
		"(a*)*",
		"(a|)+",
		"(a*)+{9}{9}",
		"(^|$){3}",
		"((((((((((a+)+)+)+)+)+)+)+)+)+)+",
	};
	regex_t regex;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (pattern_compile(table[i], 0, &regex) != -EINVAL)
			fail_msg("%s is taken", table[i]);
}

static void test_large(void **state)
{
	char text[20001] = "";
	regex_t regex;

	(void)state;
	memset(text, '(', 10000);
	memset(text + 10000, ')', 10000);
	assert_int_equal(pattern_compile(text, 0, &regex), -EINVAL);
	memset(text, '[', 20000);
	assert_int_equal(pattern_compile(text, 0, &regex), -EINVAL);
	memset(text, 'a', 20000);
	assert_int_equal(pattern_compile(text, 0, &regex), -EINVAL);
	assert_matches("[a-z]+@x", text, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
