/* Differences: what they look like, and that a reader who applies them knows the new page. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "view/difference.h"
#include "view_fixture.h"
#include "view_reader.h"

static void base_and_difference_are_the_new_page(void **state)
{
	struct model m = { .named_containers = true };
	struct outline *old;

	for (unsigned i = 0; i < 10000;) {
		model_init(&m, 5 + random_below(60));
		old = model_outline(&m);
		for (unsigned n = 0; n < 20; n++, i++) {
			struct outline *new;

			model_change(&m, 1 + random_below(6));
			new = model_outline(&m);
			check_difference(old, new);
			outline_unref(old);
			old = new;
		}
		outline_unref(old);
		model_done(&m);
	}
}

/* Pages with many like containers: every new ref is named, and no old one. */
static void all_refs_that_are_new_are_named(void **state)
{
	struct model m = {};

	for (unsigned i = 0; i < 1000; i++) {
		_cleanup_(outline_unrefp) struct outline *old = NULL, *new = NULL;
		_cleanup_(str_done) struct str text = {};
		struct cursors cursors;
		unsigned last;

		model_init(&m, 5 + random_below(60));
		old = model_outline(&m);
		last = m.last_ref;
		model_change(&m, 6);
		new = model_outline(&m);
		cursors_init(&cursors);
		if (difference_write(&cursors, old, new, true, SIZE_MAX, &text, &(size_t){ 0 }) == DIFFERENCE_WRITTEN &&
		    !strstr(text.data, "cursor c"))
			for (size_t row = 0; row < new->count; row++) {
				char word[24];
				size_t len;
				const char *ref = row_ref(new, row, &len), *number = len ? memchr(ref, 'e', len) : NULL;

				snprintf(word, sizeof(word), "%.*s", (int)len, ref);
				if (number && strtoul(number + 1, NULL, 10) > last && !strstr(text.data, word))
					fail_msg("%s is not named:\n%s", word, text.data);
			}
		cursors_done(&cursors);
		model_done(&m);
	}
}

static enum difference compare(const struct outline *old, struct outline *new, struct str *text)
{
	struct cursors cursors;
	enum difference result;

	str_reset(text);
	cursors_init(&cursors);
	result = difference_write(&cursors, old, new, false, SIZE_MAX, text, &(size_t){ 0 });
	cursors_done(&cursors);
	return result;
}

static void expect(const char *before, const char *now, bool own_changes, const char *expected)
{
	_cleanup_(outline_unrefp) struct outline *old = outline_of(before), *new = outline_of(now);
	_cleanup_(str_done) struct str text = {};
	struct cursors cursors;
	enum difference result;

	cursors_init(&cursors);
	result = difference_write(&cursors, old, new, own_changes, 4096, &text, &(size_t){ 0 });
	assert_int_equal(result, !expected                        ? DIFFERENCE_NONE :
				 strncmp(expected, "in ", 3) == 0 ? DIFFERENCE_WRITTEN :
								    DIFFERENCE_FOCUS);
	assert_string_equal(str_text(&text), expected ? expected : "");
	cursors_done(&cursors);
}

#define TABLE \
	"0 L - m\tmain e1\n1 C - t\ttable \"Invoices\" e2\n2 I - a\tlink \"A\" e3 | open\n2 I - b\tlink \"B\" e4 | open\n" \
	"2 I - c\tlink \"C\" e5 | open\n2 I - d\tlink \"D\" e6 | open\n2 I - e\tlink \"E\" e7 | open\n"

static void what_differences_look_like(void **state)
{
	expect(TABLE, TABLE, true, NULL);
	expect(TABLE,
	       "0 L - m\tmain e1\n1 C - t\ttable \"Invoices\" e2\n2 I - a\tlink \"A\" e3 | open\n2 I - b\tlink \"B\" e4 | paid\n"
	       "2 I - c\tlink \"C\" e5 | open\n2 I - d\tlink \"D\" e6 | open\n2 I - e\tlink \"E\" e7 | open\n",
	       false, "in main e1 > table \"Invoices\" e2\n~ link \"B\" e4 | paid");
	expect(TABLE,
	       "0 L - m\tmain e1\n1 C - t\ttable \"Invoices\" e2\n2 I - x\tlink \"X\" e8 | open\n2 I - a\tlink \"A\" e3 | open\n"
	       "2 I - e\tlink \"E\" e7 | open\n2 I - y\tlink \"Y\" e9 | open\n1 o - p\tparagraph\n",
	       false,
	       "in main e1 > table \"Invoices\" e2, first\n+ link \"X\" e8 | open\nin main e1 > table \"Invoices\" e2\n"
	       "+ link \"Y\" e9 | open\nin main e1\n+ paragraph\nin main e1 > table \"Invoices\" e2\n"
	       "- 3 rows: link \"B\" e4 | open to link \"D\" e6 | open");
	expect(TABLE,
	       "0 L - m\tmain e1\n1 C - t\ttable \"Invoices\" e2\n2 I - e\tlink \"E\" e7 | open\n2 I - a\tlink \"A\" e3 | open\n"
	       "2 I - d\tlink \"D\" e6 | open\n2 I - c\tlink \"C\" e5 | open\n",
	       false,
	       "in main e1 > table \"Invoices\" e2, first\n~ link \"E\" e7 | open\nin main e1 > table \"Invoices\" e2, after e3\n"
	       "~ link \"D\" e6 | open\nin main e1 > table \"Invoices\" e2\n- link \"B\" e4 | open");
}

/* A page's text may say "active" as often as it likes: that is no focus, and takes no longer than any other text. */
static void words_of_a_page_are_no_focus(void **state)
{
	_cleanup_(str_done) struct str before = {}, now = {};
	_cleanup_(outline_unrefp) struct outline *old = NULL, *new = NULL;

	str_append(&before, "0 A - a\ttextbox\005e1\n0 t - b\tx");
	str_append(&now, "0 A - a\ttextbox\005e1\n0 t - b\tx");
	for (unsigned i = 0; i < 200000; i++) {
		str_append(&before, " active");
		str_append(&now, i ? " active" : "");
	}
	old = outline_of(before.data);
	new = outline_of(now.data);
	assert_int_equal(compare(old, new, &before), DIFFERENCE_WRITTEN);
	assert_memory_equal(before.data, "in the page\n~ x active", 22);
	assert_int_equal(before.len, strlen("in the page\n~ x") + 199999 * strlen(" active"));
	assert_int_equal(compare(new, new, &before), DIFFERENCE_NONE);
	outline_unref(new);
	str_set(&now, "0 A - a\ttextbox\005e1\006active\004 active\n0 t - b\tx");
	new = outline_of(now.data);
	assert_int_equal(compare(new, new, &before), DIFFERENCE_NONE);
	outline_unref(old);
	old = outline_of("0 A - a\ttextbox\005e1\004 active\n0 t - b\tx");
	assert_int_equal(compare(old, new, &before), DIFFERENCE_FOCUS);
	assert_string_equal(before.data, "textbox e1");
	assert_int_equal(compare(new, old, &before), DIFFERENCE_NONE);
}

/* A link that changes by itself loses its fields and gets a long address, which is not read for each of them. */
static void contents_of_a_long_row_are_gone(void **state)
{
	enum { FIELDS = 20000, ADDRESS = 1000000 };
	_cleanup_(str_done) struct str before = {}, now = {};
	_cleanup_(outline_unrefp) struct outline *old = NULL, *new = NULL;

	str_append(&now, "0 A - a\tlink\005e1 -> /");
	for (unsigned i = 0; i < ADDRESS; i++)
		str_append_char(&now, 'y');
	str_appendf(&before, "%s\n", now.data);
	for (unsigned i = 0; i < FIELDS; i++)
		str_appendf(&before, "1 A - f%u\ttextbox\005e%u\n", i, i + 2);
	old = outline_of(before.data);
	new = outline_of(now.data);
	assert_int_equal(compare(old, new, &before), DIFFERENCE_WRITTEN);
	assert_string_equal(before.data, "in link e1 -> ...\n- 20,000 lines: textbox e2 to textbox e20001");
}

static void rows_that_were_written_again_are_the_same(void **state)
{
	_cleanup_(str_done) struct str before = {}, same = {}, fewer = {};

	for (unsigned i = 0; i < 100; i++) {
		str_appendf(&before, "%s1 I - a%u\tentry | %u\n", i ? "" : "0 C - l\tlist e1\n", i, i);
		str_appendf(&same, "%s1 I - b%u\tentry | %u\n", i ? "" : "0 C - l\tlist e1\n", i, i);
		if (i >= 20)
			str_appendf(&fewer, "%s1 I - c%u\tentry | %u\n", i > 20 ? "" : "0 C - l\tlist e1\n", i, i);
	}
	expect(before.data, same.data, false, NULL);
	expect(before.data, fewer.data, false, "in list e1\n- 20 items: entry | 0 to entry | 19");
	str_append(&fewer, "1 I - x\tentry | new\n");
	expect(before.data, fewer.data, false, "in list e1\n+ entry | new\n- 20 items: entry | 0 to entry | 19");
}

static void what_changes_by_itself_is_counted(void **state)
{
#define CLOCKS(a, b) "0 L - m\tmain e1\n1 t s c\tit is " a "\n1 t s d\tfor " a "\n1 A - b\tbutton \"Save\" e2" b "\n"
	expect(CLOCKS("1", ""), CLOCKS("2", ""), false, NULL);
	expect(CLOCKS("1", ""), CLOCKS("2", ""), true, "in main e1\n~ it is 2\n~ for 2");
	expect(CLOCKS("1", ""), CLOCKS("2", " disabled"), false,
	       "in main e1\n~ button \"Save\" e2 disabled\n(2 lines that change by themselves left out)");
#undef CLOCKS
}

static void only_the_focus_that_came_is_shown(void **state)
{
	expect("0 A - a\ttextbox \"A\" e1 active\n0 A - b\ttextbox \"B\" e2\n",
	       "0 A - a\ttextbox \"A\" e1\n0 A - b\ttextbox \"B\" e2 active\n", false, "textbox \"B\" e2");
	expect("0 I - a\tlink \"A: | x\" e1 | open | button \"B\" e2, button \"C\" e3\n",
	       "0 I - a\tlink \"A: | x\" e1 | open | button \"B\" e2, button \"C\" e3 expanded active\n", false,
	       "in the page\n~ link \"A: | x\" e1 | open | button \"B\" e2, button \"C\" e3 expanded active");
	expect("0 I - a\tlink \"A\" e1 | open | button \"B\" e2, checkbox \"C\" e3 checked\n",
	       "0 I - a\tlink \"A\" e1 | open | button \"B\" e2, checkbox \"C\" e3 checked active\n", false,
	       "checkbox \"C\" e3 checked");
	expect("0 A - a\ttextbox \"A\" e1\n0 t - t\tx\n", "0 A - a\ttextbox \"A\" e1 active\n0 t - t\ty\n", false,
	       "in the page\n~ textbox \"A\" e1 active\n~ y");
	/* Words of the page. */
	expect("0 I - a\tAda | link \"A\" e1\n", "0 I - a\tAda active | link \"A\" e1\n", false,
	       "in the page\n~ Ada active | link \"A\" e1");
	expect("0 I - a\tAda active | link \"A\" e1\n", "0 I - a\tAda | link \"A\" e1\n", false,
	       "in the page\n~ Ada | link \"A\" e1");
	expect("0 A - a\ttextbox \"A\" e1: is active\n", "0 A - a\ttextbox \"A\" e1: is\n", false,
	       "in the page\n~ textbox \"A\" e1: is");
	expect("0 A - a\ttextbox \"A active\" e1\n", "0 A - a\ttextbox \"A\" e1\n", false, "in the page\n~ textbox \"A\" e1");
}

/* A row that becomes one line says what is left of what was in it. */
static void a_row_that_is_one_line_now_is_whole(void **state)
{
	expect("0 C - l\tlist\n1 I - i\tlistitem\n2 t - t\tmilk\n2 A - b\tbutton \"Edit\" e1\n2 A - c\tbutton \"Delete\" e2\n",
	       "0 C - l\tlist\n1 I - i\tmilk | button \"Edit\" e1\n", false, "in list\n~ milk | button \"Edit\" e1");
}

/* What was in a line is not new when it has lines of its own; nor is it denied that a part of the line has gone. */
static void a_line_that_becomes_several(void **state)
{
#define LIST(rows) "0 C - l\tlist\n" rows
	expect(LIST("1 I - i\tmilk | button \"Edit\" e1\n"),
	       LIST("1 I - i\tlistitem\n2 t - t\tmilk\n2 A - b\tbutton \"Edit\" e1\n"), false, NULL);
	expect(LIST("1 I - i\tmilk | button \"Edit\" e1\n"),
	       LIST("1 I - i\tlistitem\n2 t - t\tmilk\n2 A - b\tbutton \"Edit\" e1 disabled\n2 A - c\tbutton \"Save\" e2\n"), false,
	       "in list > listitem\n~ button \"Edit\" e1 disabled\n+ button \"Save\" e2");
	expect(LIST("1 I - i\tmilk | button \"Edit\" e1, button \"Delete\" e2\n"),
	       LIST("1 I - i\tlistitem\n2 t - t\tmilk\n2 A - b\tbutton \"Edit\" e1\n2 t - t\tdone\n"), false,
	       "in list\n~ listitem\nin list > listitem\n~ milk\n~ button \"Edit\" e1\n+ done");
#undef LIST
#define GROUP(contents) "0 C - g\tgroup \"G\" e9" contents
	expect(GROUP(": textbox \"A\" e1: x, button \"B\" e2\n"),
	       GROUP("\n1 A - a\ttextbox \"A\" e1: x\n1 A - b\tbutton \"B\" e2\n1 t - t\tfailed\n"), false,
	       "in group \"G\" e9\n+ failed");
	expect(GROUP(": a, a\n"), GROUP("\n1 t - a\ta\n1 t - b\ta\n1 t - c\ta\n"), false, "in group \"G\" e9\n+ a");
#undef GROUP
}

static void other_documents_are_unknown(void **state)
{
	_cleanup_(outline_unrefp) struct outline *old = outline_of("0 t - a\tx\n"), *new = outline_of("0 t - b\tx\n"),
						 *none = outline_of("");
	_cleanup_(str_done) struct str text = {};
	struct cursors cursors;

	cursors_init(&cursors);
	assert_int_equal(difference_write(&cursors, old, new, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_UNKNOWN);
	assert_int_equal(difference_write(&cursors, none, new, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_UNKNOWN);
	assert_int_equal(difference_write(&cursors, none, none, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_NONE);
	assert_int_equal(text.len, 0);
	cursors_done(&cursors);
}

static struct outline *many_rows(unsigned count, unsigned changed, bool again)
{
	_cleanup_(str_done) struct str rows = {};

	str_append(&rows, "0 C - t\ttable e1\n");
	for (unsigned i = 0; i < count; i++)
		str_appendf(&rows, "1 I - %c%u\tlink \"INV-%u\" e%u | open%s\n", again ? 'a' : 'b', i, i, 10 + i + again,
			    i < changed ? " and paid" : "");
	return outline_of(rows.data);
}

static void long_differences_are_no_differences(void **state)
{
	_cleanup_(outline_unrefp) struct outline *old = many_rows(50000, 0, false), *few = many_rows(50000, 2, false),
						 *many = many_rows(50000, 40000, false), *again = many_rows(50000, 0, true);
	_cleanup_(str_done) struct str text = {};
	struct cursors cursors;

	cursors_init(&cursors);
	assert_int_equal(difference_write(&cursors, old, many, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_TOO_LONG);
	assert_int_equal(difference_write(&cursors, old, again, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_TOO_LONG);
	assert_int_equal(text.len, 0);
	assert_int_equal(cursors.count, 0); /* none pushes out those that answers have named */
	assert_int_equal(difference_write(&cursors, old, few, false, 4096, &text, &(size_t){ 0 }), DIFFERENCE_WRITTEN);
	assert_in_range(text.len, 50, 150);
	cursors_done(&cursors);
}

static int begin(void **state)
{
	random_begin();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differences_look_like),          cmocka_unit_test(words_of_a_page_are_no_focus),
		cmocka_unit_test(contents_of_a_long_row_are_gone),     cmocka_unit_test(rows_that_were_written_again_are_the_same),
		cmocka_unit_test(what_changes_by_itself_is_counted),   cmocka_unit_test(only_the_focus_that_came_is_shown),
		cmocka_unit_test(a_row_that_is_one_line_now_is_whole), cmocka_unit_test(a_line_that_becomes_several),
		cmocka_unit_test(other_documents_are_unknown),         cmocka_unit_test(long_differences_are_no_differences),
		cmocka_unit_test(all_refs_that_are_new_are_named),     cmocka_unit_test(base_and_difference_are_the_new_page),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
