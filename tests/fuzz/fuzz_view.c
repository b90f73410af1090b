/*
 * A budget in tens of bytes, and the rows of two pages, parted by a form feed: both have views and cursors that end, each is equal to
 * itself, and one is compared with the other.
 */
#include "base/limits.h"
#include "fuzz.h"
#include "view/difference.h"
#include "view/fold.h"
#include "view/found.h"
#include "view/history.h"

#define BUDGET_LEAST 200
#define DEEP_SLACK 600 /* for indentation, which has up to a hundred blanks */
#define STEPS_MAX 200

/* Marks are within their row, in ascending order, and say what they are at, but for that of a match, which may be anywhere. */
static void check_marks(const struct outline *c, size_t row)
{
	static const char shown[] = { [MARK_QUOTE] = '"',    [MARK_QUOTE_END] = '"', [MARK_PART] = '|', [MARK_CELL] = ',',
				      [MARK_CONTENTS] = ':', [MARK_REF] = ' ',       [MARK_FOCUS] = ' ' };
	size_t count, len;
	const struct mark *marks = row_marks(c, row, &count);

	CHECK(count <= MARKS_MAX);
	for (size_t i = 0; i < count; i++) {
		bool is_match = marks[i].kind == MARK_MATCH, follows_match = i > 0 && marks[i - 1].kind == MARK_MATCH;

		CHECK(marks[i].at < c->rows[row].len);
		CHECK(is_match || row_text(c, row)[marks[i].at] == shown[marks[i].kind]);
		CHECK(i == 0 || marks[i - 1].at + !(is_match || follows_match) <= marks[i].at);
		CHECK(is_match || follows_match || row_marks_before(c, row, marks[i].at) == i);
		CHECK(marks[i].kind != MARK_REF || (row_ref_at(c, row, &marks[i], &len) && len > 0));
		CHECK(row_part(c, row, marks[i].at) <= marks[i].at);
	}
}

/* The same rows again, as they are packed and as landmarks are left out of them. */
static void check_lines(const struct outline *c)
{
	_cleanup_(outline_unrefp) struct outline *again = NULL;
	_cleanup_(str_done) struct str lines = {};

	for (size_t i = 0; i < c->count; i++)
		row_append_line(c, i, &lines);
	CHECK(outline_new(&lines, &again) == 0 && outline_equals(c, again) && again->marks.count == c->marks.count);
	for (size_t i = 0; i < c->count; i++)
		CHECK(row_label_length(c, i) == row_label_length(again, i) && row_hash(c, i) == row_hash(again, i));
}

static struct outline *read_rows(const char *data, size_t len)
{
	struct str rows = {};
	struct outline *c = NULL;

	str_append_len(&rows, data, len);
	CHECK(outline_new(&rows, &c) == 0);
	str_done(&rows);
	for (size_t i = 0; i < c->count; i++) {
		CHECK(c->rows[i].at + (size_t)c->rows[i].len <= c->text.len);
		CHECK(c->rows[i].end > i && c->rows[i].end <= c->count);
		CHECK(row_parent(c, i) <= i && c->rows[row_parent(c, i)].end >= c->rows[i].end);
		CHECK(row_label_length(c, i) <= c->rows[i].len);
		CHECK(row_equals(c, i, c, i, true));
		check_marks(c, i);
	}
	check_lines(c);
	return c;
}

/* Goes on with what the newest cursor leads to. */
static void follow(struct cursors *all, size_t budget)
{
	for (unsigned step = 0, last = 0; step < STEPS_MAX && all->last > last; step++) {
		_cleanup_(str_done) struct str out = {};
		char name[32];

		last = all->last;
		snprintf(name, sizeof(name), "c%u", last);
		CHECK(cursors_show(all, name, budget, &out) == CURSOR_SHOWN);
		CHECK(out.len > 0 && out.len <= budget + FOLD_SLACK + DEEP_SLACK);
		CHECK(all->count <= LIMIT_CURSORS_COUNT);
	}
}

static void check_page(struct outline *c, size_t budget)
{
	_cleanup_(str_done) struct str out = {};
	struct cursors all;
	size_t left_out;

	cursors_init(&all);
	fold_rows(&all, c, 0, c->count, 0, budget, &out);
	CHECK((out.len > 0 || c->count <= 1) && out.len <= budget + FOLD_SLACK + DEEP_SLACK);
	follow(&all, budget);
	str_reset(&out);
	found_write(&all, c, "\"x\"", FOUND_SHOWN, &out);
	follow(&all, budget);
	str_reset(&out);
	CHECK(difference_write(&all, c, c, true, SIZE_MAX, &out, &left_out) == DIFFERENCE_NONE);
	CHECK(out.len == 0);
	cursors_cut_text(&all, str_text(&c->text), c->text.len, budget, 10, true, &out);
	follow(&all, budget);
	cursors_done(&all);
}

static unsigned add_cursor(void *data, struct outline *c, size_t first, size_t end)
{
	return cursors_add_rows(data, c, first, end, 0);
}

static void check_change(struct outline *old, struct outline *new, size_t budget)
{
	_cleanup_(str_done) struct str out = {};
	_cleanup_(outline_unrefp) struct outline *first = NULL, *second = NULL, *found = NULL;
	struct history h = {};
	struct cursors all;
	enum difference result;
	size_t left_out;

	cursors_init(&all);
	result = difference_write(&all, old, new, budget % 20 == 0, budget, &out, &left_out);
	CHECK((result == DIFFERENCE_WRITTEN || result == DIFFERENCE_FOCUS) == (out.len > 0) && out.len <= budget);
	old->revision = 1;
	new->revision = 2;
	first = history_shorten(&h, old, add_cursor, &all);
	second = history_shorten(&h, new, add_cursor, &all);
	history_add(&h, old);
	history_add(&h, new);
	CHECK(history_seen(&h) == new && (found = history_find(&h, 1)) == old);
	history_done(&h);
	cursors_done(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(outline_unrefp) struct outline *old = NULL, *new = NULL;
	size_t budget = BUDGET_LEAST + (size > 0 ? data[0] : 0) * 10;
	char *copy = size > 0 ? fuzz_copy(data + 1, size - 1) : fuzz_copy("", 0), *part;

	size -= size > 0;
	part = memchr(copy, '\f', size);
	old = read_rows(copy, part ? (size_t)(part - copy) : size);
	new = part ? read_rows(part + 1, size - (size_t)(part + 1 - copy)) : outline_ref(old);
	check_page(old, budget);
	check_page(new, budget);
	if (part)
		check_change(old, new, budget);
	free(copy);
	return 0;
}
