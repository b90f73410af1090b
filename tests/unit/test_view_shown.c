/* What a search has found, and what answers have shown of a tab. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "view/fold.h"
#include "view/found.h"
#include "view/history.h"
#include "view_fixture.h"

/* ---- what was found ---- */

static void found_things_are_whole(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("0 L - k1\tmain e1\n"
								 "1 2 - k2\th2 \"Prices\"\n"
								 "1 t m k3\tno price here\n"
								 "1 2 m k4\th2 \"price list\"\n"
								 "1 t - k5\tunder it\n"
								 "1 2 - k6\th2 \"More\"\n"
								 "1 C - k7\ttable e2\n"
								 "2 I - k8\tlistitem e3\n"
								 "3 t mw k9\tprice 5\n"
								 "3 A - k10\tbutton \"Buy\" e4\n");
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	found_write(&all, c, "\"price\"", 10, &out);
	assert_string_equal(out.data, "3 matches for \"price\"\nin main e1 > table e2\nlistitem e3\n price 5 | button \"Buy\" e4\n"
				      "in main e1\nh2 \"price list\"\nunder it\nh2 \"Prices\"\nno price here");
	cursors_done(&all);
}

static void all_that_was_found_is_reached(void **state)
{
	enum { COUNT = 2000 };
	_cleanup_(str_done) struct str rows = {}, out = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	struct cursors all;
	unsigned last = 0;

	add_row(&rows, 0, 'C', "", "table e1");
	for (unsigned i = 1; i <= COUNT; i++)
		add_rowf(&rows, 1, 'I', "m", "the number %u. | and more", i);
	c = outline_of(rows.data);
	cursors_init(&all);
	found_write(&all, c, "\"number\"", FOUND_SHOWN, &out);
	assert_true(out.len < FOUND_ROOM);
	for (unsigned cursor = 0, next; last < COUNT; cursor = next) {
		char name[16];

		for (const char *at = out.data; (at = strstr(at, "the number ")); at += 11)
			assert_int_equal(strtoul(at + 11, NULL, 10), ++last);
		if (last == COUNT)
			break;
		assert_int_equal(cursors_in(out.data, &next, 1), 1);
		assert_true(next > cursor);
		snprintf(name, sizeof(name), "c%u", next);
		assert_int_equal(ask_cursor(&all, name, &out), CURSOR_SHOWN);
	}
	cursors_done(&all);
}

/* Wherever it is in a long text, and the cursor leads to all of that. */
static void a_match_is_shown_with_what_is_around_it(void **state)
{
	static const struct {
		const char *head;
		unsigned before, after;
		const char *shown;
	} row_table[] = {
		{ "", 4000, 4000, "…" },
		{ "", 0, 4000, "needle " },
		{ "", 4000, 0, "…" },
		{ "listitem \"A long list\" e7: ", 4000, 10, "listitem \"A long list\" e7: …" },
		{ "link \"", 3000, 3000, "…\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(row_table); i++) {
		_cleanup_(str_done) struct str text = {}, rows = {}, out = {};
		_cleanup_(outline_unrefp) struct outline *c = NULL;
		struct cursors all;

		str_append(&text, row_table[i].head);
		for (unsigned n = 0; n < row_table[i].before; n++)
			str_append(&text, n % 3 ? "straw " : "größer ");
		str_appendf(&rows, "0 L - m\tmain e2\n1 %c m%zu k\t%sneedle ", *row_table[i].head ? 'A' : 't', text.len,
			    text.data ? text.data : "");
		for (unsigned n = 0; n < row_table[i].after; n++)
			str_append(&rows, "straw ");
		str_append(&rows, strncmp(row_table[i].head, "link", 4) == 0 ? "\" e9" : "");
		c = outline_of(rows.data);
		cursors_init(&all);
		found_write(&all, c, "\"needle\"", FOUND_SHOWN, &out);
		assert_true(out.len < 900);
		assert_non_null(strstr(out.data, "needle "));
		assert_memory_equal(strstr(out.data, "main e2\n") + 8, row_table[i].shown, strlen(row_table[i].shown));
		assert_non_null(strstr(out.data, " more bytes, cursor c1"));
		assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
		assert_true(out.len <= 1000 + FOLD_SLACK);
		if (row_table[i].before)
			assert_non_null(strstr(out.data, "größer straw straw größer"));
		cursors_done(&all);
	}
}

static void a_row_comes_with_the_names_of_its_columns(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("0 C - k1\ttable e1\n"
								 "1 I h k2\tNumber | State\n"
								 "1 I - k3\tINV-1 | open\n"
								 "1 I m k4\tINV-2 | late\n"
								 "1 I m k5\tINV-3 | late\n"
								 "0 C - k6\tlist\n"
								 "1 I m k7\tlate\n");
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	found_write(&all, c, "\"late\"", 10, &out);
	assert_string_equal(out.data,
			    "3 matches for \"late\"\nin table e1\nNumber | State\nINV-2 | late\nINV-3 | late\nin list\nlate");
	cursors_add_rows(&all, c, 3, 5, 0);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
	assert_string_equal(out.data, "in table e1\nNumber | State\nINV-2 | late\nINV-3 | late");
	cursors_done(&all);
}

/* ---- what answers have shown ---- */

static struct outline *revision(unsigned number, const char *rows)
{
	struct outline *c = outline_of(rows);

	c->revision = number;
	return c;
}

static bool is_kept(const struct history *h, unsigned number)
{
	_cleanup_(outline_unrefp) struct outline *c = history_find(h, number);

	return c;
}

static void the_last_views_are_kept(void **state)
{
	_cleanup_(str_done) struct str list = {};
	struct history h = {};

	assert_null(history_seen(&h));
	for (unsigned i = 1; i <= HISTORY_COUNT + 2; i++) {
		_cleanup_(outline_unrefp) struct outline *c = revision(i, "0 t - k\tx\n");

		history_add(&h, c);
		assert_ptr_equal(history_seen(&h), c);
		assert_true(is_kept(&h, i));
	}
	assert_false(is_kept(&h, 2));
	assert_true(is_kept(&h, 3));
	assert_false(is_kept(&h, 0));
	assert_false(is_kept(&h, 99));
	history_list(&h, &list);
	assert_string_equal(list.data, "r6, r5, r4, r3");
	history_done(&h);
	str_reset(&list);
	history_list(&h, &list);
	assert_string_equal(list.data, "none");
}

/* What has the same revision as the newest one takes its place. */
static void a_revision_is_kept_once(void **state)
{
	_cleanup_(outline_unrefp) struct outline *first = revision(1, "0 t - k\tx\n"), *again = revision(1, "0 t - k\tx\n"),
						 *next = revision(2, "0 t - k\ty\n");
	_cleanup_(str_done) struct str list = {};
	struct history h = {};

	assert_true(outline_equals(first, again));
	assert_false(outline_equals(first, next));
	history_add(&h, first);
	history_add(&h, again);
	assert_ptr_equal(history_seen(&h), again);
	history_add(&h, next);
	history_list(&h, &list);
	assert_string_equal(list.data, "r2, r1");
	history_done(&h);
}

static void refs_of_earlier_views_are_found(void **state)
{
	static const char *const rows[] = { "0 A - a\tlink \"e7 e8\" e1 | button \"B\" e22\n", "0 A - b\tbutton e2: x e9\n",
					    "0 A - c\tiframe f1e4\n" };
	struct history h = {};

	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(outline_unrefp) struct outline *c = revision(i + 1, rows[i]);

		history_add(&h, c);
	}
	assert_int_equal(history_find_ref(&h, "e1"), 1);
	assert_int_equal(history_find_ref(&h, "e22"), 1);
	assert_int_equal(history_find_ref(&h, "e2"), 2);
	assert_int_equal(history_find_ref(&h, "f1e4"), 3);
	assert_int_equal(history_find_ref(&h, "e4"), 0);
	assert_int_equal(history_find_ref(&h, "e7"), 0);
	history_done(&h);
}

static unsigned some_cursor(void *data, struct outline *c, size_t first, size_t end)
{
	*(size_t *)data = end - first;
	return 7;
}

static void table_of(struct str *rows, unsigned changed)
{
	str_append(rows, "0 L - m\tmain e1\n1 C - t\ttable e2\n");
	for (unsigned i = 0; i < 1000; i++)
		str_appendf(rows,
			    "2 I - k%x\tlink \"INV-%04u\" e%u | Globex | %s | button \"Approve\" e%u, button \"Delete\" e%u\n",
			    0xabcde000 + i, i, 10 * i, i < changed ? "approved" : "open", 10 * i + 5, 10 * i + 6);
}

/* What a session keeps of a page with 1,000 rows after 50 actions: the newest page as it is, what is older packed, and a cursor. */
static void a_session_keeps_little(void **state)
{
	struct history h = {};
	struct cursors all;

	cursors_init(&all);
	for (unsigned i = 0; i <= 50; i++) {
		_cleanup_(str_done) struct str rows = {}, out = {};
		_cleanup_(outline_unrefp) struct outline *c = NULL, *shown = NULL;

		table_of(&rows, i);
		c = outline_of(rows.data);
		c->revision = i + 1;
		if (i == 0) {
			shown = history_shorten(&h, c, some_cursor, &(size_t){ 0 });
			fold_rows(&all, shown, 0, shown->count, 0, LIMIT_VIEW, &out);
			assert_true(all.count > 0);
		}
		history_add(&h, c);
	}
	print_message("%zu bytes\n", history_size(&h));
	assert_true(history_size(&h) < 250000); /* the cursor's page is that of the landmarks */
	for (unsigned i = 48; i <= 51; i++) {
		_cleanup_(outline_unrefp) struct outline *c = history_find(&h, i);

		assert_int_equal(c->count, 1002);
		assert_non_null(strstr(row_text(c, i), "approved"));
		assert_null(strstr(row_text(c, i + 1), "approved"));
	}
	assert_int_equal(history_find_ref(&h, "e9990"), 51);
	history_done(&h);
	cursors_done(&all);
}

static void large_views_are_kept_alone_or_not(void **state)
{
	_cleanup_(outline_unrefp) struct outline *small = simple_page(10), *large = simple_page(60000), *huge = simple_page(99000);
	struct history h = {};

	small->revision = 1;
	large->revision = 2;
	huge->revision = 3;
	assert_true(outline_size(large) < LIMIT_VIEW_KEPT && outline_size(huge) > LIMIT_VIEW_KEPT);
	for (unsigned i = 0; i < 3; i++)
		history_add(&h, small);
	history_add(&h, large);
	assert_ptr_equal(history_seen(&h), large);
	assert_true(is_kept(&h, 1));
	history_add(&h, large);
	assert_int_equal(large->refs, 2);
	history_add(&h, huge);
	assert_null(history_seen(&h));
	assert_int_equal(small->refs + small->keeps, 1);
	assert_int_equal(large->refs + large->keeps, 1);
	history_done(&h);
}

static void expect_text(const struct outline *c, const char *text)
{
	assert_int_equal(c->rows[0].len, strlen(text));
	assert_memory_equal(row_text(c, 0), text, strlen(text));
}

#define BANNER(ref) \
	"0 L - b" #ref "\tbanner e" #ref "\n1 A - l" #ref \
	"\tlink \"A long name of a company that makes all kinds of things\" e1" #ref "\n1 A - m" #ref \
	"\tlink \"Another long link of the banner, so that it is worth a note\" e2" #ref "\n"

static void landmarks_of_the_page_before_are_one_line(void **state)
{
	_cleanup_(outline_unrefp) struct outline *first = revision(1, BANNER(2) "0 L - k\tmain e3\n1 t - k2\tone\n");
	_cleanup_(outline_unrefp) struct outline *same = revision(2, BANNER(2) "0 L - k\tmain e3\n1 t - k2\ttwo\n");
	_cleanup_(outline_unrefp) struct outline *other = revision(3, BANNER(5) "0 L - k\tmain e3\n1 t - k2\tthree\n");
	_cleanup_(outline_unrefp) struct outline *shown = NULL;
	struct history h = {};
	size_t rows = 0;

	shown = history_shorten(&h, first, some_cursor, &rows);
	assert_ptr_equal(shown, first);
	outline_unref(shown);
	shown = history_shorten(&h, same, some_cursor, &rows);
	assert_int_equal(shown->count, 3);
	expect_text(shown, "banner e2 as in r1");
	assert_int_equal(rows, 0);
	outline_unref(shown);
	shown = history_shorten(&h, other, some_cursor, &rows);
	expect_text(shown, "banner e5 as in r1 with other refs, cursor c7");
	assert_int_equal(rows, 3);
	history_done(&h);
}

static int begin(void **state)
{
	random_begin();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found_things_are_whole),
		cmocka_unit_test(all_that_was_found_is_reached),
		cmocka_unit_test(a_match_is_shown_with_what_is_around_it),
		cmocka_unit_test(a_row_comes_with_the_names_of_its_columns),
		cmocka_unit_test(the_last_views_are_kept),
		cmocka_unit_test(a_revision_is_kept_once),
		cmocka_unit_test(refs_of_earlier_views_are_found),
		cmocka_unit_test(a_session_keeps_little),
		cmocka_unit_test(large_views_are_kept_alone_or_not),
		cmocka_unit_test(landmarks_of_the_page_before_are_one_line),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
