/* Which rows of an outline changed, moved or are new. */
#include <stdlib.h>
#include <string.h>

#include "view/difference_internal.h"
#include "view/former_line.h"

static bool has_parent_of(const struct comparison *k, uint32_t i)
{
	uint32_t parent = difference_parent(k->new, i), old_parent = difference_parent(k->old, k->match.of_new[i]);

	return parent == NO_ROW || old_parent == NO_ROW ? parent == old_parent : k->match.of_new[parent] == old_parent;
}

/* How many bytes at the beginning of the two are the same. */
static size_t common_prefix(const char *a, const char *b, size_t len)
{
	size_t at = 0;

	while (at < len && a[at] == b[at])
		at++;
	return at;
}

static size_t common_suffix(const char *a_end, const char *b_end, size_t len)
{
	size_t n = 0;

	while (n < len && a_end[-1 - (ptrdiff_t)n] == b_end[-1 - (ptrdiff_t)n])
		n++;
	return n;
}

bool difference_is_focus(const struct outline *a, uint32_t with, const struct outline *b, uint32_t without, size_t *ret_at)
{
	const char *text = row_text(a, with), *other = row_text(b, without);
	size_t len = b->rows[without].len, whole = a->rows[with].len, word = strlen(FOCUS_WORD), count, before, after;
	const struct mark *marks = row_marks(a, with, &count);

	if (len + word != whole)
		return false;
	before = common_prefix(text, other, len);
	after = common_suffix(text + whole, other + len, len);
	for (size_t i = 0; i < count; i++) {
		if (marks[i].kind != MARK_FOCUS || marks[i].at > before || len - marks[i].at > after)
			continue;
		*ret_at = marks[i].at;
		return true;
	}
	return false;
}

static bool has_ref_of(const struct comparison *k, uint32_t old, uint32_t new)
{
	size_t len, old_len;
	const char *ref = row_ref(k->new, new, &len), *old_ref = row_ref(k->old, old, &old_len);

	return len && len == old_len && memcmp(ref, old_ref, len) == 0;
}

static void difference_find_classify(struct comparison *k)
{
	for (uint32_t i = 0; i < k->new->count; i++) {
		uint32_t old = k->match.of_new[i];

		if (old != NO_ROW && !has_parent_of(k, i)) {
			k->moved[i] = true;
			if (!has_ref_of(k, old, i)) { /* nothing says that it is the one which was elsewhere */
				k->match.of_new[i] = k->match.of_old[old] = NO_ROW;
				k->moved[i] = false;
				old = NO_ROW;
			}
		}
		if (old == NO_ROW)
			k->change[i] = ADDED;
		else if (!row_equals(k->old, old, k->new, i, false) && !difference_is_focus(k->old, old, k->new, i, &(size_t){ 0 }))
			k->change[i] = CHANGED;
	}
}

/* Whether the row was one line and has several now. */
static bool was_line(const struct comparison *k, uint32_t row)
{
	uint32_t old = k->match.of_new[row];

	return old != NO_ROW && k->new->rows[row].end > row + 1 && k->old->rows[old].end == old + 1 &&
	       (k->old->rows[old].has_contents || k->old->rows[old].has_parts);
}

/*
 * What was in that line is not new. If a part of the line has gone, which nothing would say, then all that has come of the line is shown as
 * changed.
 */
static void compare_with_line(struct comparison *k, uint32_t row)
{
	static const enum change change_table[] = { [FORMER_NONE] = ADDED, [FORMER_OTHER] = CHANGED, [FORMER_SAME] = SAME };
	struct former_line line;
	uint32_t end = k->new->rows[row].end;

	former_line_init(&line, k->old, k->match.of_new[row], k->new, row);
	for (uint32_t i = row + 1; i < end; i = was_line(k, i) ? k->new->rows[i].end : i + 1)
		if (k->change[i] == ADDED)
			k->change[i] = change_table[former_line_find(&line, k->new, i)];
	if (former_line_is_complete(&line)) {
		k->change[row] = SAME;
		return;
	}
	for (uint32_t i = row + 1; i < end; i = was_line(k, i) ? k->new->rows[i].end : i + 1)
		if (k->match.of_new[i] == NO_ROW && k->change[i] == SAME)
			k->change[i] = CHANGED;
}

static void compare_lines(struct comparison *k)
{
	for (uint32_t i = 0; i < k->new->count; i++)
		if (was_line(k, i))
			compare_with_line(k, i);
}

/*
 * Of the children of one container that stayed in it, the longest sequence in their old order has not moved; the others have. `first`: the
 * first child.
 */
static void find_moved(struct comparison *k, uint32_t first, uint32_t end)
{
	size_t count = 0, longest = 0;
	uint32_t *kept, *tails, *before;

	for (uint32_t i = first; i < end; i = k->new->rows[i].end)
		count++;
	kept = must(calloc(3 * count + 1, sizeof(*kept)));
	tails = kept + count;
	before = tails + count;
	count = 0;
	for (uint32_t i = first; i < end; i = k->new->rows[i].end)
		if (k->match.of_new[i] != NO_ROW && !k->moved[i])
			kept[count++] = i;
	for (size_t n = 0; n < count; n++) {
		size_t low = 0, high = longest;

		while (low < high) {
			size_t mid = (low + high) / 2;

			if (k->match.of_new[kept[tails[mid]]] < k->match.of_new[kept[n]])
				low = mid + 1;
			else
				high = mid;
		}
		tails[low] = (uint32_t)n;
		before[n] = low ? tails[low - 1] : NO_ROW;
		longest = MAX(longest, low + 1);
		k->moved[kept[n]] = true;
	}
	for (uint32_t n = longest ? tails[longest - 1] : NO_ROW; n != NO_ROW; n = before[n])
		k->moved[kept[n]] = false;
	free(kept);
}

/* Of the children of one container, those after the last one that has stayed where it was. */
static void find_end(struct comparison *k, uint32_t first, uint32_t end)
{
	uint32_t begin = first;

	for (uint32_t i = first; i < end; i = k->new->rows[i].end)
		if (k->change[i] != ADDED && !k->moved[i])
			begin = k->new->rows[i].end;
	for (uint32_t i = begin; i < end; i = k->new->rows[i].end)
		k->at_end[i] = true;
}

static void find_places(struct comparison *k)
{
	find_moved(k, 0, (uint32_t)k->new->count);
	find_end(k, 0, (uint32_t)k->new->count);
	for (uint32_t i = 0; i < k->new->count; i++) {
		if (k->new->rows[i].end == i + 1)
			continue;
		find_moved(k, i + 1, k->new->rows[i].end);
		find_end(k, i + 1, k->new->rows[i].end);
	}
}

void difference_find(struct comparison *k)
{
	difference_find_classify(k);
	compare_lines(k);
	find_places(k);
}
