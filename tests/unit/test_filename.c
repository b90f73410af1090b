/* Names of files that pages suggest. */
#include "test.h"

#include <string.h>

#include "browser/filename.h"

static void check(const char *suggested, unsigned copy, size_t max, const char *wanted)
{
	_cleanup_(str_done) struct str name = {};

	file_name_safe(&name, suggested, copy, max);
	assert_string_equal(str_text(&name), wanted);
	assert_true(name.len <= max);
}

static void what_is_not_safe_becomes_a_hyphen(void **state)
{
	check("report.pdf", 0, 255, "report.pdf");
	check("a b?c:d.txt", 0, 255, "a-b-c-d.txt");
	check("a.b.tar.gz", 0, 255, "a-b-tar.gz");
	check("_-x_.t_t", 0, 255, "--x-.t-t");
	check("../../etc/passwd", 0, 255, "-etc-passwd");
	check("..", 0, 255, "-");
	check("/", 0, 255, "-");
	check("a\n\x7f\x01z", 0, 255, "a-z");
}

static void extensions_stay(void **state)
{
	check(".hidden", 0, 255, "-hidden");
	check("none.", 0, 255, "none-");
	check("a.this-is-no-extension-but-a-sentence", 0, 255, "a-this-is-no-extension-but-a-sentence");
}

static void nothing_is_called_something(void **state)
{
	check("", 0, 255, "download");
	check("", 2, 255, "-2");
}

static void copies_are_told_apart_before_the_extension(void **state)
{
	check("a.txt", 3, 255, "a-3.txt");
	check("a", 1000, 255, "a-1000");
}

static void long_names_lose_their_middle(void **state)
{
	check("abcdefgh.txt", 0, 8, "abcd.txt");
	check("abcdefgh.txt", 12, 10, "abc-12.txt");
	check("abcdefgh", 0, 3, "abc");
}

static void characters_stay_whole(void **state)
{
	check("\xc3\xbc\xc3\xbc\xc3\xbc.txt", 0, 9, "\xc3\xbc\xc3\xbc.txt");
	check("\xf0\x9f\x98\x80z", 0, 3, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_safe_becomes_a_hyphen), cmocka_unit_test(extensions_stay),
		cmocka_unit_test(nothing_is_called_something),       cmocka_unit_test(copies_are_told_apart_before_the_extension),
		cmocka_unit_test(long_names_lose_their_middle),      cmocka_unit_test(characters_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
