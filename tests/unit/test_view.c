/* Pages in the short notation: what is read of them, views within a budget, cursors to the rest, and what answers have shown. */
#include "test.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/notation.h"
#include "view/fold.h"
#include "view/found.h"
#include "view/history.h"
#include "view_fixture.h"

static const unsigned budget_table[] = { 200, 333, 700, 1500, LIMIT_VIEW, 8400, 20000 };

/* ---- rows ---- */

static void expect_row(const struct outline *c, size_t row, unsigned depth, char kind, unsigned flags, size_t end, const char *text)
{
	assert_true(row < c->count);
	assert_int_equal(c->rows[row].depth, depth);
	assert_int_equal(c->rows[row].kind, kind);
	assert_int_equal(c->rows[row].flags, flags);
	assert_int_equal(c->rows[row].end, end);
	assert_int_equal(c->rows[row].len, strlen(text));
	assert_memory_equal(row_text(c, row), text, strlen(text));
}

static void rows_are_a_tree(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("0 L - k1\tmain e2\n"
								 "1 1 f k2\th1 \"Title\"\n"
								 "1 C pv k3\tlist\n"
								 "2 I s k4\ta | b\n"
								 "2 I mw k5\tc\n"
								 "0 t - k6\tend\n");

	assert_int_equal(c->count, 6);
	expect_row(c, 0, 0, 'L', 0, 5, "main e2");
	expect_row(c, 1, 1, '1', ROW_FOCUSED, 2, "h1 \"Title\"");
	expect_row(c, 2, 1, 'C', ROW_PLACE | ROW_VISIBLE, 5, "list");
	expect_row(c, 3, 2, 'I', ROW_TICKS, 4, "a | b");
	expect_row(c, 4, 2, 'I', ROW_MATCHES | ROW_MATCHES_WORD, 5, "c");
	expect_row(c, 5, 0, 't', 0, 6, "end");
	assert_int_equal(row_parent(c, 0), 0);
	assert_int_equal(row_parent(c, 4), 2);
	assert_int_equal(row_parent(c, 2), 0);
	assert_int_equal(row_parent(c, 5), 5);
}

static void rows_that_are_wrong_are_left_out(void **state)
{
	static const char *const wrong[] = { "",
					     " ",
					     "0",
					     "0 t",
					     "0 t -",
					     "0 t - k1",
					     "x t - k1\ttext",
					     "0  t - k1\ttext",
					     "0t - k1\ttext",
					     "\t",
					     "t - k1\ttext",
					     "0 t - k1\t",
					     "0 t - \t" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(str_done) struct str rows = {};
		struct outline *c;

		str_appendf(&rows, "0 t - k1\tbefore\n%s\n0 t - k2\tafter", wrong[i]);
		c = outline_of(str_text(&rows));
		assert_int_equal(c->count, 2);
		expect_row(c, 0, 0, 't', 0, 1, "before");
		expect_row(c, 1, 0, 't', 0, 2, "after");
		outline_unref(c);
	}
}

static void rows_may_lack_keys(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("0 t - \tx\n99999999999999999999 ? ??? k\ttext\there\n");

	assert_int_equal(c->count, 2);
	expect_row(c, 0, 0, 't', 0, 2, "x");
	assert_memory_equal(row_text(c, 1), "text\there", 9);
	assert_true(c->rows[1].depth <= 100);
}

static void nothing_is_an_outline_too(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("");
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	assert_int_equal(c->count, 0);
	cursors_init(&all);
	fold_rows(&all, c, 0, 0, 0, LIMIT_VIEW, &out);
	assert_int_equal(out.len, 0);
	cursors_done(&all);
}

static void pages_that_are_too_large_are_refused(void **state)
{
	_cleanup_(str_done) struct str rows = {};
	struct outline *c;

	for (unsigned i = 0; i < LIMIT_VIEW_ROWS_COUNT; i++)
		str_append(&rows, "0 t - k\tx\n");
	assert_int_equal(outline_new(&rows, &c), -EMSGSIZE);
	str_reset(&rows);
	str_append(&rows, "0 t - k\t");
	while (rows.len <= LIMIT_VIEW_BYTES)
		str_append(&rows, "as long as all rows together may be, and then one more ");
	assert_int_equal(outline_new(&rows, &c), -EMSGSIZE);
}

static void deep_rows_stay_in_their_containers(void **state)
{
	_cleanup_(str_done) struct str rows = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;

	for (unsigned i = 0; i < 200; i++)
		add_rowf(&rows, i, 'L', "", "region e%u", i);
	add_row(&rows, 0, 't', "", "end");
	c = outline_of(str_text(&rows));
	assert_int_equal(c->count, 201);
	assert_int_equal(c->rows[0].end, 200);
	for (size_t i = 1; i < 200; i++) {
		assert_true(row_parent(c, i) < i);
		assert_true(c->rows[i].end <= c->rows[row_parent(c, i)].end);
	}
}

static void refs_and_labels(void **state)
{
	static const struct {
		const char *text;
		size_t ref;
	} ref_table[] = { { "e1", 2 },  { "e12 x", 3 }, { "f1e2", 4 }, { "f12e345|", 7 }, { "e", 0 },  { "f1", 0 }, { "f1e", 0 },
			  { "fe1", 0 }, { "e1a", 0 },   { "e1_", 0 },  { "x1", 0 },       { "E1", 0 }, { "", 0 },   { "e-1", 0 } };
	static const struct {
		const char *text, *label;
	} label_table[] = { { "main e2", "main e2" },
			    { "textbox \"Name: x\" e3 active: value: x", "textbox \"Name: x\" e3 active" },
			    { "button \"a\\\": \" e1: b", "button \"a\\\": \" e1" },
			    { "link e2 -> http://x: y", "link e2 -> http://x" },
			    { "text:", "text:" },
			    { "", "" } };

	for (size_t i = 0; i < ARRAY_SIZE(ref_table); i++)
		assert_int_equal(notation_name(ref_table[i].text, strlen(ref_table[i].text), "e"), ref_table[i].ref);
	for (size_t i = 0; i < ARRAY_SIZE(label_table); i++) {
		_cleanup_(str_done) struct str row = {};
		struct outline *c;

		str_appendf(&row, "0 o - k\t%s", label_table[i].text);
		c = outline_of(str_text(&row));
		assert_int_equal(row_label_length(c, 0), strlen(label_table[i].label));
		outline_unref(c);
	}
}

/* What scripts/outline.js writes, what is shown, and what is known of it. */
static void marks_say_what_a_row_consists_of(void **state)
{
	static const char shown[] = "textbox \"a, \\\": e5\" e2 active placeholder=\"x\": one e5 | two, f1e3";
	_cleanup_(str_done) struct str rows = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	size_t len, count, at = strlen(shown);
	const char *ref;

	str_append(&rows,
		   "0 A - k\ttextbox \001a, \\\": e5\"\005e2\006active placeholder=\001x\"\004 one e5 \002 two\003\005f1e3\n");
	assert_int_equal(outline_new(&rows, &c), 0);
	expect_row(c, 0, 0, 'A', 0, 1, shown);
	assert_true(c->rows[0].has_parts && c->rows[0].has_contents);
	ref = row_ref(c, 0, &len);
	assert_int_equal(len, 2);
	assert_ptr_equal(ref, strstr(c->text.data, "e2 active"));
	assert_int_equal(row_label_length(c, 0), strstr(shown, ": one") - shown);
	assert_int_equal(row_part(c, 0, 30), 0);
	assert_int_equal(row_part(c, 0, at - 8), strstr(shown, "two") - shown);
	assert_int_equal(row_part(c, 0, at), strstr(shown, "f1e3") - shown);
	for (size_t i = 0; i < at; i++)
		assert_int_equal(row_in_quotes(c, 0, i), (i > 8 && i <= 18) || (i > 42 && i <= 44));
	assert_int_equal(row_marks(c, 0, &count)[3].kind, MARK_FOCUS);
	assert_int_equal(count, 10);
}

/* What masks have changed, and what a renderer that is not ours writes, is text. */
static void marks_that_are_wrong_are_text(void **state)
{
	_cleanup_(str_done) struct str rows = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	size_t len, count;

	str_append(&rows, "0 t - a\ta\005x\006inactive\005e\n0 t - b\t\001open\005e1\n0 t - c\t\001open\\\n0 t - d\t");
	for (unsigned i = 0; i < 2 * MARKS_MAX; i++)
		str_append(&rows, "a\003");
	assert_int_equal(outline_new(&rows, &c), 0);
	expect_row(c, 0, 0, 't', 0, 1, "a x inactive e");
	expect_row(c, 1, 0, 't', 0, 2, "\"open e1");
	expect_row(c, 2, 0, 't', 0, 3, "\"open\\");
	row_marks(c, 0, &count);
	assert_int_equal(count, 0);
	row_ref(c, 1, &len);
	assert_int_equal(len, 2);
	row_marks(c, 3, &count);
	assert_int_equal(count, MARKS_MAX);
}

static void rows_are_compared_without_refs(void **state)
{
	static const struct {
		const char *a, *b;
		bool equal, equal_but_refs;
	} pair_table[] = { { "link \"A\" e1 | b", "link \"A\" e1 | b", true, true },
			   { "link \"A\" e1 | b", "link \"A\" e200 | b", false, true },
			   { "link \"A\" f1e1", "link \"A\" f2e9", false, true },
			   { "link \"A\" e1", "link \"A\" e1 disabled", false, false },
			   { "link \"A\" e1", "link \"B\" e1", false, false },
			   { "link \"A\" e1", "link \"A\"", false, false },
			   { "link \"e1\"", "link \"e2\"", false, false },
			   { "", "e1", false, false } };

	for (size_t i = 0; i < ARRAY_SIZE(pair_table); i++) {
		_cleanup_(str_done) struct str rows = {};
		struct outline *c;

		add_row(&rows, 0, 'o', "", pair_table[i].a);
		add_row(&rows, 0, 'o', "", pair_table[i].b);
		c = outline_of(str_text(&rows));
		assert_int_equal(row_equals(c, 0, c, 1, false), pair_table[i].equal);
		assert_int_equal(row_equals(c, 1, c, 0, true), pair_table[i].equal_but_refs);
		outline_unref(c);
	}
}

/* ---- views ---- */

/* Each row of these pages has a word of its own, w123w. */
static void add_words(struct str *rows, unsigned depth, char kind, const char *flags, const char *before, size_t number,
		      unsigned more)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "%sw%zuw", before, number);
	while (more-- > 0)
		str_appendf(&text, " %c%u", 'g' + (int)random_below(4), random_below(100000));
	add_row(rows, depth, kind, flags, text.data);
}

static const char *random_flags(void)
{
	return random_chance(100) ? "v" : "-";
}

static size_t page_of_anything(struct str *rows, size_t count)
{
	static const char kinds[] = "LCIDAto123456o";
	unsigned depth = 0;

	for (size_t i = 0; i < count; i++) {
		add_words(rows, depth, kinds[random_below(sizeof(kinds) - 1)], random_flags(), "", i, random_below(12));
		depth = random_below(depth + 2);
		if (depth > 30)
			depth = 3;
	}
	return count;
}

static size_t page_of_a_table(struct str *rows, size_t count)
{
	add_words(rows, 0, 'L', "-", "main ", 0, 0);
	add_words(rows, 1, 'C', "-", "table ", 1, 0);
	for (size_t i = 2; i < count; i++)
		add_words(rows, 2, 'I', random_flags(), "", i, 9);
	return count;
}

static size_t page_of_sections(struct str *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i % 7 == 0)
			add_words(rows, 1, i % 21 ? '2' : '1', random_flags(), "h2 ", i, 3);
		else
			add_words(rows, 1, 't', random_flags(), "", i, random_below(60));
	}
	return count;
}

static size_t page_of_long_rows(struct str *rows, size_t count)
{
	count = MIN(count, (size_t)40);
	for (size_t i = 0; i < count; i++)
		add_words(rows, (unsigned)(i % 3), i % 2 ? 't' : 'I', random_flags(), "", i, random_below(500));
	return count;
}

static size_t page_of_distinct_things(struct str *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_words(rows, 0, "Ato"[i % 3], random_flags(), "", i, random_below(12));
	return count;
}

static size_t page_of_messages(struct str *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_words(rows, 0, 'D', random_flags(), "status ", i, random_below(20));
	return count;
}

static size_t page_of_lists(struct str *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_words(rows, i % 12 ? 1 : 0, i % 12 ? 'I' : 'C', random_flags(), "", i, random_below(6));
	return count;
}

static size_t page_of_a_stair(struct str *rows, size_t count)
{
	count = MIN(count, (size_t)400);
	for (size_t i = 0; i < count; i++)
		add_words(rows, (unsigned)(i / 4), 'L', random_flags(), "region ", i, random_below(4));
	return count;
}

static size_t page_of_small_rows(struct str *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_words(rows, 0, 't', "-", "", i, 0);
	return count;
}

static size_t (*const page_table[])(struct str *rows, size_t count) = {
	page_of_anything, page_of_a_table, page_of_sections, page_of_long_rows,  page_of_distinct_things,
	page_of_messages, page_of_lists,   page_of_a_stair,  page_of_small_rows,
};

/* A reader who follows every cursor. One that is gone, because the reading of others took its place, is asked for again from the view on. */
struct reader {
	struct outline *c;
	size_t budget;
	bool *seen; /* by the numbers of the rows' words */
	size_t count;
	unsigned path[2000], depth, steps, again;
	unsigned from[2000]; /* the newest number before each answer of the path: longer numbers leave less room */
};

static void note_words(struct reader *r, const char *text)
{
	for (const char *at = text; (at = strchr(at, 'w')); at++) {
		char *end;
		size_t number;

		if (!isdigit((unsigned char)at[1]))
			continue;
		number = strtoul(at + 1, &end, 10);
		if (*end == 'w' && number < r->count)
			r->seen[number] = true;
	}
}

static void check_answer(const struct reader *r, const struct str *out)
{
	assert_true(out->len > 0);
	if (out->len > r->budget + FOLD_SLACK)
		fail_msg("%zu bytes where %zu are allowed:\n%s", out->len, r->budget, out->data);
	for (size_t i = 0; i < out->len; i++)
		assert_false(out->data[i] == '\n' && out->data[i + 1] == '\n');
}

static enum cursor_outcome go_on(struct reader *r, struct cursors *all, unsigned number, struct str *out)
{
	char name[16];

	snprintf(name, sizeof(name), "c%u", number);
	str_reset(out);
	return cursors_show(all, name, r->budget, out);
}

/* The answer at the end of r->path, in cursors of its own. */
static void replay(struct reader *r, struct cursors *all, struct str *out)
{
	unsigned numbers[LIMIT_CURSORS_COUNT];

	r->again++;
	fold_rows(all, r->c, 0, r->c->count, 0, r->budget, out);
	for (unsigned i = 0; i < r->depth; i++) {
		assert_true(cursors_in(out->data, numbers, ARRAY_SIZE(numbers)) > r->path[i]);
		all->last = r->from[i];
		assert_int_equal(go_on(r, all, numbers[r->path[i]], out), CURSOR_SHOWN);
	}
}

static void explore(struct reader *r, struct cursors *all, const struct str *answer)
{
	unsigned numbers[LIMIT_CURSORS_COUNT + 1];
	size_t count = cursors_in(answer->data, numbers, ARRAY_SIZE(numbers));

	if (count > LIMIT_CURSORS_COUNT)
		fail_msg("more cursors than are kept: %s", answer->data);
	check_answer(r, answer);
	note_words(r, answer->data);
	assert_true(++r->steps < 100000);
	for (unsigned i = 0; i < count; i++) {
		_cleanup_(str_done) struct str out = {};

		if (r->depth >= ARRAY_SIZE(r->path))
			fail_msg("%zu rows %zu budget, %u steps, an endless chain: %s", r->count, r->budget, r->steps,
				 answer->data);
		r->from[r->depth] = all->last;
		r->path[r->depth++] = i;
		if (go_on(r, all, numbers[i], &out) == CURSOR_SHOWN) {
			explore(r, all, &out);
		} else {
			struct cursors others;

			cursors_init(&others);
			replay(r, &others, &out);
			explore(r, &others, &out);
			cursors_done(&others);
		}
		r->depth--;
	}
}

static void check_view(struct outline *c, size_t budget)
{
	_cleanup_(str_done) struct str view = {};
	_cleanup_(freep) struct reader *r = NEW(struct reader);
	struct cursors all;

	*r = (struct reader){ .c = c, .budget = budget, .count = c->count, .seen = must(calloc(c->count + 1, sizeof(bool))) };
	cursors_init(&all);
	fold_rows(&all, c, 0, c->count, 0, budget, &view);
	note_words(r, view.data);
	for (size_t i = 0; i < c->count; i++)
		if ((c->rows[i].flags & (ROW_FOCUSED | ROW_PLACE)) && !r->seen[i])
			fail_msg("row %zu has to be in the view:\n%s", i, view.data);
	explore(r, &all, &view);
	for (size_t i = 0; i < c->count; i++)
		if (!r->seen[i])
			fail_msg("row %zu of %zu is lost at %zu bytes; the view is:\n%s", i, c->count, budget, view.data);
	cursors_done(&all);
	free(r->seen);
}

static struct outline *random_page(size_t count)
{
	_cleanup_(str_done) struct str rows = {};
	struct outline *c;

	count = page_table[random_below(ARRAY_SIZE(page_table))](&rows, count);
	c = outline_of(str_text(&rows));
	assert_int_equal(c->count, count);
	if (random_chance(700))
		c->rows[random_below((unsigned)count)].flags |= ROW_FOCUSED;
	if (random_chance(700))
		c->rows[random_below((unsigned)count)].flags |= ROW_PLACE;
	return c;
}

static void views_keep_their_budget_and_lose_nothing(void **state)
{
	for (unsigned i = 0; i < 300; i++) {
		size_t budget = budget_table[random_below(ARRAY_SIZE(budget_table))];
		_cleanup_(outline_unrefp) struct outline *c =
			random_page(3 + random_below(budget > 1000 && random_chance(100) ? 3000 : 300));

		check_view(c, budget);
	}
}

static void views_of_every_kind_of_page(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(page_table); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(budget_table); j++) {
			_cleanup_(str_done) struct str rows = {};
			_cleanup_(outline_unrefp) struct outline *c = NULL;
			size_t count = page_table[i](&rows, 700);

			c = outline_of(str_text(&rows));
			c->rows[count / 2].flags |= ROW_FOCUSED;
			c->rows[count - 1].flags |= ROW_PLACE;
			check_view(c, budget_table[j]);
		}
	}
}

static void large_pages_have_views(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(page_table); i++) {
		_cleanup_(str_done) struct str rows = {}, view = {};
		_cleanup_(outline_unrefp) struct outline *c = NULL;
		unsigned numbers[LIMIT_CURSORS_COUNT + 1];
		struct cursors all;
		size_t found;

		page_table[i](&rows, 60000);
		c = outline_of(str_text(&rows));
		cursors_init(&all);
		fold_rows(&all, c, 0, c->count, 0, LIMIT_VIEW, &view);
		assert_true(view.len <= LIMIT_VIEW + FOLD_SLACK);
		found = cursors_in(view.data, numbers, ARRAY_SIZE(numbers));
		assert_in_range(found, 1, LIMIT_CURSORS_COUNT);
		for (size_t n = 0; n < found; n++) { /* however large the page: what the view names is there */
			char name[16];

			snprintf(name, sizeof(name), "c%u+7", numbers[n]);
			str_reset(&view);
			assert_int_not_equal(cursors_show(&all, name, 4000, &view), CURSOR_FORGOTTEN);
			assert_true(view.len <= 4000 + FOLD_SLACK);
		}
		cursors_done(&all);
	}
}

static void small_pages_are_shown_whole(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of("0 L - k1\tmain e2\n"
								 "1 1 - k2\th1 \"Title\"\n"
								 "1 A - k3\tbutton \"A\" e3\n"
								 "1 t - k4\tand\n"
								 "1 A - k5\tlink \"B\" e4\n"
								 "1 C - k6\tlist: a | b\n"
								 "1 A - k7\tlink \"C\" e5: x | y\n"
								 "1 A - k8\tlink \"D\" e6\n"
								 "1 C - k9\ttable e7\n"
								 "2 I - k10\ta | b\n"
								 "2 I - k11\tc | d\n");
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	fold_rows(&all, c, 0, c->count, 0, LIMIT_VIEW, &out);
	assert_string_equal(out.data,
			    "main e2\n h1 \"Title\"\n button \"A\" e3 | and | link \"B\" e4\n list: a | b\n link \"C\" e5: x | y\n"
			    " link \"D\" e6\n table e7\n  a | b\n  c | d");
	assert_int_equal(all.count, 0);
	cursors_done(&all);
}

/* A page in text, and a view of it. `budget` 0: a brief one. */
static void see(struct cursors *all, const char *rows, size_t budget, struct str *out)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_of(rows);

	str_reset(out);
	if (budget)
		fold_rows(all, c, 0, c->count, 0, budget, out);
	else
		fold_briefly(all, c, LIMIT_VIEW, out);
	assert_true(out->len <= (budget ? budget : LIMIT_VIEW) + FOLD_SLACK);
}

static unsigned count_words(const struct str *view, const char *words)
{
	unsigned count = 0;

	for (const char *at = str_text(view); (at = strstr(at, words)); at += strlen(words))
		count++;
	return count;
}

static void table_of(struct str *rows, unsigned count)
{
	add_row(rows, 0, 'L', "", "main e2");
	add_row(rows, 1, 'C', "", "table \"Invoices\" e3");
	for (unsigned i = 0; i < count; i++)
		add_rowf(rows, 2, 'I', "", "link \"INV-%04u\" e%u | Globex | open | button \"Approve\" e%u", i, 4 + 2 * i,
			 5 + 2 * i);
}

/* As far as nobody asks for more. */
static void many_like_things_are_counted(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	unsigned shown, more;
	struct cursors all;
	char name[16];

	table_of(&rows, 1000);
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	shown = count_words(&out, "link \"INV");
	assert_in_range(shown, 20, 50);
	assert_int_equal(sscanf(strstr(out.data, "\n  … "), "\n  … %u more rows, cursor c1", &more), 1);
	assert_int_equal(shown + more, 1000);
	snprintf(name, sizeof(name), "c1+%u", 742 - shown);
	str_reset(&out);
	assert_int_equal(cursors_show(&all, name, LIMIT_VIEW, &out), CURSOR_SHOWN);
	assert_non_null(strstr(out.data, "in main e2 > table \"Invoices\" e3\nlink \"INV-0742\""));
	assert_true(out.len <= LIMIT_VIEW + FOLD_SLACK);
	assert_non_null(strstr(out.data, " more rows, cursor c2"));
	see(&all, rows.data, 9000, &out);
	assert_true(count_words(&out, "link \"INV") > 3 * shown);
	cursors_done(&all);
}

/* A row of the main content is whole, or not there. */
static void rows_are_not_cut_to_save_little(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "v", "main e2");
	for (unsigned i = 0; i < 60; i++) {
		add_rowf(&rows, 1, 'A', i < 30 ? "v" : "", "textbox \"Field %u\" e%u: some words that were typed into it", i,
			 3 + i);
		add_rowf(&rows, 1, 't', i < 30 ? "v" : "",
			 "A hint for it, which says what kind of a thing could be written there, %u", i);
	}
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_null(strstr(out.data, "more bytes"));
	assert_true(count_words(&out, "textbox") >= 20);
	cursors_done(&all);
}

/* All of it, and what follows is there. */
static void a_long_line_is_shortened(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "", "main e2");
	str_append(&rows, "1 t - k\t");
	for (unsigned i = 0; i < 4000; i++)
		str_append(&rows, "words ");
	str_append_char(&rows, '\n');
	for (unsigned i = 0; i < 20; i++)
		add_rowf(&rows, 1, 'A', "", "button \"Action %u\" e%u", i, 3 + i);
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_non_null(strstr(out.data, " more bytes, cursor c1"));
	assert_non_null(strstr(out.data, "button \"Action 19\" e22"));
	cursors_done(&all);
}

static void the_only_button_is_seen(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	for (unsigned i = 0; i < 1500; i++) {
		if (i == 900)
			add_row(&rows, 0, 'A', "", "button \"Unsubscribe\" e9999");
		add_rowf(&rows, 0, 'A', i < 400 ? "v" : "", "link \"Page %u\" e%u", i, i);
	}
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_non_null(strstr(out.data, "button \"Unsubscribe\" e9999"));
	assert_int_equal(all.count, 2);
	cursors_done(&all);
}

/* Sections with fields are not shown by their headings, as those of a document are. */
static void forms_are_no_documents(void **state)
{
	for (unsigned form = 0; form <= 1; form++) {
		_cleanup_(str_done) struct str rows = {}, out = {};
		struct cursors all;

		add_row(&rows, 0, 'L', "v", "main e2");
		for (unsigned i = 0; i < 60; i++) {
			if (i % 10 == 0)
				add_rowf(&rows, 1, '2', i < 20 ? "v" : "", "h2 \"Part %u\"", i);
			if (form)
				add_rowf(&rows, 1, 'A', i < 20 ? "v" : "", "textbox \"Field %u\" e%u: a value", i, 3 + i);
			add_rowf(&rows, 1, 't', i < 20 ? "v" : "",
				 "Words about it that take as much room as words of this kind take, %u", i);
		}
		add_row(&rows, 1, 'A', "", "button \"Save\" e99");
		cursors_init(&all);
		see(&all, rows.data, 0, &out);
		assert_int_equal(count_words(&out, "h2"), 6);
		assert_int_equal(count_words(&out, "button \"Save\""), 1);
		assert_int_equal(strstr(out.data, "below these headings") == NULL, form);
		if (form)
			assert_true(count_words(&out, "textbox") >= 20);
		cursors_done(&all);
	}
}

/* Which are shown by their headings, and by what can be done there: copy buttons once. */
static void documents_have_controls_too(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "v", "navigation e2: link \"Home\" e3 | link \"Blog\" e4");
	add_row(&rows, 0, 'L', "v", "main e5");
	for (unsigned i = 0; i < 60; i++) {
		if (i % 6 == 0)
			add_rowf(&rows, 1, '2', "", "h2 \"Part %u\"", i);
		if (i % 6 == 1)
			add_rowf(&rows, 1, 'A', "", "button \"Copy\" e%u", 100 + i);
		add_rowf(&rows, 1, 't', i < 20 ? "v" : "",
			 "Words about it that take as much room as words of this kind take, and some more, %u", i);
	}
	add_row(&rows, 1, 'A', "", "textbox \"Your comment\" e200");
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_non_null(strstr(out.data, "below these headings"));
	assert_int_equal(count_words(&out, "h2"), 10);
	assert_int_equal(count_words(&out, "button \"Copy\""), 1);
	assert_non_null(strstr(out.data, "textbox \"Your comment\" e200"));
	assert_non_null(strstr(out.data, "link \"Blog\" e4"));
	cursors_done(&all);
}

/* What is beside the main content has little room, unless a call asks for it. */
static void the_main_content_comes_first(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "v", "banner e2");
	add_row(&rows, 1, 'A', "v", "searchbox \"Search\" e3");
	add_row(&rows, 0, 'L', "v", "navigation \"Places\" e4");
	for (unsigned i = 0; i < 60; i++)
		add_rowf(&rows, 1, 'A', "v", "link \"Place %u\" e%u", i, 10 + i);
	add_row(&rows, 0, 'L', "v", "main e5");
	add_row(&rows, 1, '1', "v", "h1 \"What there is to pay\"");
	add_row(&rows, 1, 'A', "v", "button \"Pay\" e6");
	add_row(&rows, 0, 'L', "", "contentinfo e7");
	for (unsigned i = 0; i < 30; i++)
		add_rowf(&rows, 1, 'A', "", "link \"About %u\" e%u", i, 100 + i);
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_true(out.len < LIMIT_VIEW / 3);
	assert_non_null(strstr(out.data, "button \"Pay\" e6"));
	assert_non_null(strstr(out.data, "searchbox \"Search\" e3"));
	assert_non_null(strstr(out.data, "link \"Place 2\""));
	assert_non_null(strstr(out.data, "contentinfo e7\n … 30 more lines"));
	see(&all, rows.data, LIMIT_VIEW, &out);
	assert_null(strstr(out.data, "cursor"));
	cursors_done(&all);
}

/* A list of names has its links where a call asks for more, after all others, and in a file. */
static void what_is_summed_up_comes_last(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "vb", "navigation e2: Home, Blog and others");
	for (unsigned i = 0; i < 30; i++)
		add_rowf(&rows, 1, 'A', "v", "link \"Place %u\" e%u", i, 10 + i);
	add_row(&rows, 0, 'L', "v", "main e5");
	for (unsigned i = 0; i < 100; i++)
		add_rowf(&rows, 1, 'A', i < 20 ? "v" : "", "checkbox \"Choice %u\" e%u", i, 100 + i);
	cursors_init(&all);
	see(&all, rows.data, 0, &out);
	assert_int_equal(count_words(&out, "link \""), 0);
	see(&all, rows.data, 3200, &out);
	assert_int_equal(count_words(&out, "checkbox"), 100);
	assert_in_range(count_words(&out, "link \""), 1, 29);
	see(&all, rows.data, 9000, &out);
	assert_int_equal(count_words(&out, "link \""), 30);
	cursors_done(&all);
}

/* Messages, then what is in the viewport, then buttons elsewhere. */
static void what_matters_comes_first(void **state)
{
	_cleanup_(str_done) struct str rows = {}, out = {};
	struct cursors all;

	add_row(&rows, 0, 'L', "v", "main e2");
	for (unsigned i = 0; i < 100; i++) {
		add_rowf(&rows, 1, 'o', "", "group \"Part %u\"", i);
		add_rowf(&rows, 2, 't', i / 10 == 5 ? "v" : "",
			 "The words of part %u, which are a few more than there is room for in the view", i);
		add_rowf(&rows, 2, 'A', i / 10 == 5 ? "v" : "", "checkbox \"Choice %u\" e%u", i, 3 + i);
	}
	add_row(&rows, 1, 'A', "e", "textbox \"Number\" e119 invalid: abc");
	add_row(&rows, 1, 'D', "", "alert e120: \"Error: it was not saved\"");
	add_row(&rows, 1, 'A', "", "button \"Save\" e121");
	cursors_init(&all);
	see(&all, rows.data, 1500, &out);
	assert_non_null(strstr(out.data, "it was not saved"));
	assert_non_null(strstr(out.data, "textbox \"Number\" e119 invalid"));
	assert_non_null(strstr(out.data, "button \"Save\" e121"));
	assert_non_null(strstr(out.data, "checkbox \"Choice 52\" e55"));
	assert_null(strstr(out.data, "Choice 20"));
	cursors_done(&all);
}

static void marks_are_in_front_of_every_line(void **state)
{
	for (unsigned i = 0; i < 50; i++) {
		_cleanup_(outline_unrefp) struct outline *c = random_page(200);
		_cleanup_(str_done) struct str out = {};
		struct cursors all;

		cursors_init(&all);
		fold_marked(&all, c, 0, c->count, 0, "+ ", 1500, &out);
		assert_true(out.len <= 1500 + FOLD_SLACK);
		for (char *rest = out.data, *line; (line = strsep(&rest, "\n"));)
			assert_memory_equal(line, "+ ", 2);
		cursors_done(&all);
	}
}

static int begin(void **state)
{
	random_begin();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_a_tree),
		cmocka_unit_test(rows_that_are_wrong_are_left_out),
		cmocka_unit_test(rows_may_lack_keys),
		cmocka_unit_test(nothing_is_an_outline_too),
		cmocka_unit_test(pages_that_are_too_large_are_refused),
		cmocka_unit_test(deep_rows_stay_in_their_containers),
		cmocka_unit_test(refs_and_labels),
		cmocka_unit_test(marks_say_what_a_row_consists_of),
		cmocka_unit_test(marks_that_are_wrong_are_text),
		cmocka_unit_test(rows_are_compared_without_refs),
		cmocka_unit_test(views_keep_their_budget_and_lose_nothing),
		cmocka_unit_test(views_of_every_kind_of_page),
		cmocka_unit_test(large_pages_have_views),
		cmocka_unit_test(small_pages_are_shown_whole),
		cmocka_unit_test(many_like_things_are_counted),
		cmocka_unit_test(rows_are_not_cut_to_save_little),
		cmocka_unit_test(a_long_line_is_shortened),
		cmocka_unit_test(the_only_button_is_seen),
		cmocka_unit_test(forms_are_no_documents),
		cmocka_unit_test(documents_have_controls_too),
		cmocka_unit_test(the_main_content_comes_first),
		cmocka_unit_test(what_is_summed_up_comes_last),
		cmocka_unit_test(what_matters_comes_first),
		cmocka_unit_test(marks_are_in_front_of_every_line),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
