#include "view/difference.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "view/difference_internal.h"
#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define GONE_MAX 48   /* bytes of a row that is gone */
#define GONE_LISTED 2 /* rows that are gone in one place; of more, the first and the last */
#define FINDABLE_LETTERS 3
#define LONG_ROW 240     /* bytes; of a longer row that changed, parts that are as before are left out */
#define PLACES_MAX 8     /* rows before another that are looked at for one that can be found */
#define ADDED_ROOM 1500u /* bytes of what is added in one place, before it is folded */
#define ADDED_SHARE 0.7  /* of the bytes of a page, from which on what was added is the page */

/* The row before `row` in its container; NO_ROW: it is the first. */
static uint32_t row_before(const struct outline *c, uint32_t row)
{
	uint32_t at = row - 1, parent = difference_parent(c, row);

	if (row == 0 || at == parent)
		return NO_ROW;
	while (difference_parent(c, at) != parent)
		at = difference_parent(c, at);
	return at;
}

static void write_heading(struct comparison *k, uint32_t parent)
{
	str_append(k->out, k->out->len ? "\nin " : "in ");
	if (parent == NO_ROW || !path_append_inside(k->new, parent, k->out))
		str_append(k->out, "the page");
	k->heading = (struct heading){ .parent = parent, .is_written = true, .last = NO_ROW };
}

/* For rows that have stayed in their places, and those that are added at the end. */
static void head(struct comparison *k, uint32_t parent)
{
	if (!k->heading.is_written || k->heading.parent != parent || k->heading.has_place)
		write_heading(k, parent);
}

/* Whether a reader finds the row again by what path_append_short() says of it: a bracket or a comma is anywhere. */
static bool is_findable(const struct outline *c, uint32_t row)
{
	const char *text = row_text(c, row);
	size_t len, letters = 0;

	row_ref(c, row, &len);
	for (size_t i = 0; i < c->rows[row].len && letters < FINDABLE_LETTERS; i++)
		letters += isalnum((unsigned char)text[i]) || (unsigned char)text[i] >= 0x80;
	return len || letters == FINDABLE_LETTERS;
}

/* For rows that follow each other from here on. */
static void head_place(struct comparison *k, uint32_t row)
{
	uint32_t parent = difference_parent(k->new, row), before = row_before(k->new, row);

	if (k->heading.has_place && k->heading.parent == parent && before != NO_ROW && k->heading.last == before)
		return;
	write_heading(k, parent);
	k->heading.has_place = true;
	if (before == NO_ROW) {
		str_append(k->out, ", first");
		return;
	}
	for (unsigned i = 0; i < PLACES_MAX && before != NO_ROW && !is_findable(k->new, before); i++)
		before = row_before(k->new, before);
	if (before == NO_ROW || !is_findable(k->new, before))
		return;
	str_append(k->out, ", after ");
	path_append_short(k->new, before, k->out);
}

static size_t next_but_digits(const char *text, size_t len, size_t at)
{
	while (at < len && strchr("0123456789.,-+", text[at]))
		at++;
	return at;
}

static bool differ_in_digits(const struct comparison *k, uint32_t old, uint32_t new)
{
	const char *a = row_text(k->old, old), *b = row_text(k->new, new);
	size_t a_len = k->old->rows[old].len, b_len = k->new->rows[new].len, i = 0, j = 0;

	for (;;) {
		i = next_but_digits(a, a_len, i);
		j = next_but_digits(b, b_len, j);
		if (i == a_len || j == b_len)
			return i == a_len && j == b_len;
		if (a[i++] != b[j++])
			return false;
	}
}

/*
 * Whether the page says again in this row what it says without an action: nothing but numbers changed, as in a clock, or all of it is one of
 * the texts that it shows by turns. What is new, gone or moved, has the focus or is in the place of the action is never left out.
 */
static bool changes_by_itself(const struct comparison *k, uint32_t row)
{
	const struct outline_row *r = &k->new->rows[row];

	if (k->own_changes || k->change[row] != CHANGED || k->moved[row] || k->match.of_new[row] == NO_ROW ||
	    !(r->flags & ROW_TICKS) || (r->flags & (ROW_PLACE | ROW_FOCUSED)))
		return false;
	return (r->flags & ROW_ALTERNATES) || differ_in_digits(k, k->match.of_new[row], row);
}

/* An agent may remember an element by the ref that it had. */
static void write_former_ref(struct comparison *k, uint32_t i)
{
	size_t len, old_len = 0;
	const char *ref = row_ref(k->new, i, &len);
	uint32_t old = k->match.of_new[i];
	const char *old_ref = old == NO_ROW ? NULL : row_ref(k->old, old, &old_len);

	if (len && old_len && (len != old_len || memcmp(ref, old_ref, len) != 0))
		str_appendf(k->out, " (was %.*s)", (int)old_len, old_ref);
}

/* A part of a row that has several, with " | " between them. */
struct part {
	const struct outline *outline;
	uint32_t row;
	size_t begin, end, next; /* bytes of the row; `next`: where the next one begins, or SIZE_MAX */
};

static void find_part(struct part *p, size_t begin)
{
	size_t count, len = p->outline->rows[p->row].len, i = row_marks_before(p->outline, p->row, begin);
	const struct mark *marks = row_marks(p->outline, p->row, &count);

	while (i < count && marks[i].kind != MARK_PART)
		i++;
	p->begin = begin;
	p->end = i < count ? marks[i].at - (size_t)1 : len;
	p->next = i < count ? MIN(marks[i].at + (size_t)2, len) : SIZE_MAX;
}

static bool is_same_part(const struct part *a, const struct part *b)
{
	size_t len = a->end - a->begin;

	return b->end - b->begin == len &&
	       memcmp(row_text(a->outline, a->row) + a->begin, row_text(b->outline, b->row) + b->begin, len) == 0;
}

static size_t count_parts(const struct outline *c, uint32_t row)
{
	size_t count, parts = 1;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t i = 0; i < count; i++)
		parts += marks[i].kind == MARK_PART;
	return parts;
}

/* Whether the row and what it was have the same columns, and are long. */
static bool has_same_columns(const struct comparison *k, uint32_t i)
{
	uint32_t old = k->match.of_new[i];

	return k->new->rows[i].len > LONG_ROW &&old != NO_ROW && !k->moved[i] && count_parts(k->new, i) > 1 &&
	       count_parts(k->new, i) == count_parts(k->old, old);
}

/* The first part, which says what the row is, and those that changed; an ellipsis stands for others. */
static void write_changed_parts(struct comparison *k, struct printer *p, uint32_t i)
{
	struct part new = { .outline = k->new, .row = i }, old = { .outline = k->old, .row = k->match.of_new[i] };
	bool left_out = false;

	print_line(p, k->new->rows[i].depth);
	for (new.next = old.next = 0; new.next != SIZE_MAX &&old.next != SIZE_MAX;) {
		find_part(&new, new.next);
		find_part(&old, old.next);
		if (new.begin && is_same_part(&new, &old)) {
			str_append(k->out, left_out ? "" : " | …");
			left_out = true;
			continue;
		}
		str_append(k->out, new.begin ? " | " : "");
		str_append_len(k->out, row_text(k->new, i) + new.begin, new.end - new.begin);
		left_out = false;
	}
}

static void write_changed(struct comparison *k, uint32_t i)
{
	struct printer p = { .outline = k->new, .out = k->out, .base = k->new->rows[i].depth, .mark = "~ " };

	if (k->moved[i])
		head_place(k, i);
	else
		head(k, difference_parent(k->new, i));
	if (has_same_columns(k, i))
		write_changed_parts(k, &p, i);
	else
		print_row(&p, i);
	write_former_ref(k, i);
	k->heading.last = i;
	k->last = k->moved[i] || k->match.of_new[i] == NO_ROW ? NO_ROW : i;
	k->written++;
}

static uint32_t end_of_added(const struct comparison *k, uint32_t i)
{
	uint32_t end = i;

	/* Neighbours that are new, too, belong to it, as far as all in them is new. */
	while (end < k->new->count && k->change[end] == ADDED && k->new->rows[end].depth >= k->new->rows[i].depth)
		end++;
	return end;
}

static size_t difference_bytes_of(const struct outline *c, size_t first, size_t end)
{
	size_t bytes = 0;

	for (size_t row = first; row < end; row++)
		bytes += c->rows[row].len;
	return bytes;
}

/* The rows from `i` until `end` are new, with all that is in them that is new. */
static void write_added(struct comparison *k, uint32_t i, uint32_t end)
{
	uint32_t parent = difference_parent(k->new, i), last = end - 1;

	if (k->at_end[i])
		head(k, parent);
	else
		head_place(k, i);
	k->added += difference_bytes_of(k->new, i, end);
	fold_marked(k->cursors, k->new, i, end, k->new->rows[i].depth, "+ ", ADDED_ROOM, k->out);
	while (difference_parent(k->new, last) != parent)
		last = difference_parent(k->new, last);
	k->heading.last = last;
	k->last = NO_ROW;
	k->written++;
}

static void write_new(struct comparison *k)
{
	for (uint32_t i = 0, end; i < k->new->count && k->out->len <= k->budget; i = end) {
		end = i + 1;
		if (k->change[i] == SAME && !k->moved[i])
			continue;
		if (changes_by_itself(k, i)) {
			k->left_out++;
			continue;
		}
		if (k->change[i] == ADDED) {
			end = end_of_added(k, i);
			write_added(k, i, end);
		} else {
			write_changed(k, i);
		}
	}
}

/* ---- what is gone ---- */

static void append_gone(struct comparison *k, uint32_t row)
{
	append_shortened(k->old, row, k->old->rows[row].len, GONE_MAX, k->out);
}

/* Old rows that are gone, next to each other in one container. */
static void write_gone(struct comparison *k, const uint32_t *rows, size_t count)
{
	uint32_t parent = difference_parent(k->old, rows[0]);

	k->written++;
	head(k, parent == NO_ROW ? NO_ROW : k->match.of_old[parent]);
	if (count <= GONE_LISTED) {
		for (size_t i = 0; i < count; i++) {
			str_append(k->out, "\n- ");
			append_gone(k, rows[i]);
		}
		return;
	}
	str_append(k->out, "\n- ");
	print_number(k->out, count);
	str_appendf(k->out, " %s: ", path_noun(k->old, rows[0]));
	append_gone(k, rows[0]);
	str_append(k->out, " to ");
	append_gone(k, rows[count - 1]);
}

/* A row that has become one line (`row: a | b`) says itself what is left of what was in it. */
static bool says_what_is_left(const struct comparison *k, uint32_t new)
{
	const struct outline_row *r = &k->new->rows[new];

	return k->change[new] == CHANGED && r->end == new + 1 && (r->has_contents || r->has_parts);
}

static bool difference_is_gone(const struct comparison *k, uint32_t old)
{
	uint32_t parent = difference_parent(k->old, old);

	if (k->match.of_old[old] != NO_ROW)
		return false;
	if (parent == NO_ROW)
		return true;
	/* What went with what is around it is not named. */
	return k->match.of_old[parent] != NO_ROW && !says_what_is_left(k, k->match.of_old[parent]);
}

static void write_all_gone(struct comparison *k)
{
	_cleanup_(freep) uint32_t *rows = must(calloc(k->old->count + 1, sizeof(*rows)));
	size_t count = 0;

	for (uint32_t i = 0; i < k->old->count && k->out->len <= k->budget; i++) {
		if (!difference_is_gone(k, i))
			continue;
		if (count && (difference_parent(k->old, rows[0]) != difference_parent(k->old, i) ||
			      k->old->rows[rows[count - 1]].end != i)) {
			write_gone(k, rows, count);
			count = 0;
		}
		rows[count++] = i;
	}
	if (count)
		write_gone(k, rows, count);
}

static void write_left_out(struct comparison *k)
{
	if (k->left_out && k->out->len)
		str_appendf(k->out, "\n(%zu line%s that change%s by %s left out)", k->left_out, k->left_out == 1 ? "" : "s",
			    k->left_out == 1 ? "s" : "", k->left_out == 1 ? "itself" : "themselves");
}

/* Appends what has the focus, if that it came there is the only change. */
static bool write_focus(struct comparison *k, struct str *out)
{
	size_t at, begin;

	if (k->written != 1 || k->last == NO_ROW || !difference_is_focus(k->new, k->last, k->old, k->match.of_new[k->last], &at))
		return false;
	begin = row_part(k->new, k->last, at);
	str_append_len(out, row_text(k->new, k->last) + begin, at - begin);
	return true;
}

/* A view has more room for it than the places of a difference. */
static bool is_mostly_new(const struct comparison *k)
{
	return k->added > ADDED_ROOM && (double)k->added > ADDED_SHARE * (double)difference_bytes_of(k->new, 0, k->new->count);
}

static enum difference difference_compare(struct comparison *k, struct str *out)
{
	_cleanup_(str_done) struct str text = {};

	if (k->match.by_key == 0)
		return k->old->count + k->new->count ? DIFFERENCE_UNKNOWN : DIFFERENCE_NONE;
	difference_find(k);
	k->out = &text;
	write_new(k);
	write_all_gone(k);
	if (!text.len)
		return DIFFERENCE_NONE;
	if (write_focus(k, out)) {
		k->out = out;
		write_left_out(k);
		return DIFFERENCE_FOCUS;
	}
	write_left_out(k);
	if (text.len > k->budget || is_mostly_new(k))
		return DIFFERENCE_TOO_LONG;
	str_append_len(out, text.data, text.len);
	return DIFFERENCE_WRITTEN;
}

enum difference difference_write(struct cursors *cursors, const struct outline *old, struct outline *new, bool own_changes,
				 size_t budget, struct str *out, size_t *left_out)
{
	struct comparison k = { .cursors = cursors, .old = old, .new = new, .own_changes = own_changes, .budget = budget };
	enum difference result;

	match_rows(old, new, &k.match);
	k.change = must(calloc(new->count + 1, sizeof(*k.change)));
	k.moved = must(calloc(new->count + 1, sizeof(*k.moved)));
	k.at_end = must(calloc(new->count + 1, sizeof(*k.at_end)));
	result = difference_compare(&k, out);
	*left_out = k.left_out;
	matching_done(&k.match);
	free(k.change);
	free(k.moved);
	free(k.at_end);
	return result;
}
