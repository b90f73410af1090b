#include "test.h"

#include <string.h>

#include "act/statements.h"

/* `starts`: the beginnings of the statements, the last one first, each with two characters. */
static void assert_statements(const char *text, const char *whole, const char *starts)
{
	struct statements s = statements_of(text);
	char found[3 * STATEMENTS_MAX + 1] = "";

	for (unsigned n = 0; n < s.count; n++) {
		strncat(found, text + s.starts[n], 2);
		strcat(found, n + 1 < s.count ? " " : "");
	}
	assert_string_equal(found, starts);
	assert_int_equal(s.end, strlen(whole));
	assert_memory_equal(text, whole, s.end);
}

static void ends(void **state)
{
	assert_statements("a1", "a1", "a1");
	assert_statements("a1;", "a1", "a1");
	assert_statements("a1 ; ; // b2; c3\n", "a1", "a1");
	assert_statements("a1 /* ; b2 */", "a1", "a1");
	assert_statements("// c\na1", "// c\na1", "a1");
	assert_statements("", "", "");
	assert_statements(" ;; ", "", "");
}

static void separators(void **state)
{
	assert_statements("a1;b2\nc3", "a1;b2\nc3", "c3 b2 a1");
	assert_statements("{ x; y }d4", "{ x; y }d4", "d4 { ");
	assert_statements("a1\n.b()\n+ c", "a1\n.b()\n+ c", "a1");
	assert_statements("a1;\n[1]", "a1;\n[1]", "[1 a1");
	assert_statements("a1({\n b,\n c\n})", "a1({\n b,\n c\n})", "a1");
	assert_statements("aa\nbb\ncc\ndd\nee\nff\ngg", "aa\nbb\ncc\ndd\nee\nff\ngg", "gg ff ee dd cc bb");
}

static void what_is_quoted(void **state)
{
	assert_statements("a1 = ';b2\\';' + \"\\\";c3\"", "a1 = ';b2\\';' + \"\\\";c3\"", "a1");
	assert_statements("a1 = `;b2 ${ `;${ {} }` } ;\n`; c3", "a1 = `;b2 ${ `;${ {} }` } ;\n`; c3", "c3 a1");
	assert_statements("a1 = /[/'];\\/\"/; b2", "a1 = /[/'];\\/\"/; b2", "b2 a1");
	assert_statements("return /'/; b2", "return /'/; b2", "b2 re");
	assert_statements("a1 = b / 2; c3 = '/'", "a1 = b / 2; c3 = '/'", "c3 a1");
}

static void what_does_not_end(void **state)
{
	assert_statements("a1; 'b", "a1; 'b", "'b a1");
	assert_statements("a1; `b ${", "a1; `b ${", "`b a1");
	assert_statements("a1 /* b", "a1", "a1");
	assert_statements("a1 = /b", "a1 = /b", "a1");
	assert_statements(")}]; a1", ")}]; a1", "a1 )}");
	assert_statements("a1; '\\", "a1; '\\", "'\\ a1");
}

static void templates_in_each_other(void **state)
{
	char text[4 * 100 + 1] = "";

	for (int n = 0; n < 100; n++)
		strcat(text, "`${a");
	assert_int_equal(statements_of(text).count, 0);
	assert_int_equal(statements_of(text).end, strlen(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(separators),
		cmocka_unit_test(what_is_quoted),
		cmocka_unit_test(what_does_not_end),
		cmocka_unit_test(templates_in_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
