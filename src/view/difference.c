#include "view/difference.h"

#include <stdlib.h>
#include <string.h>

#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define NONE UINT32_MAX
#define LABEL_MAX 48     /* bytes of a row that is gone */
#define GONE_LISTED 2    /* rows that are gone in one place; of more, the first and the last */
#define ADDED_ROOM 1500u /* bytes of what is added in one place, before it is folded */

enum change { SAME, CHANGED, MOVED, ADDED };

struct comparison {
	struct cursors *cursors;
	const struct outline *old;
	struct outline *new;
	uint32_t *match;               /* of each new row: the old row of the same element, or NONE */
	uint32_t *match_back;          /* of each old row */
	uint32_t *parent, *old_parent; /* NONE: at the top */
	enum change *change;           /* of each new row */
	bool own_changes;
	size_t left_out; /* rows that change by themselves */
	size_t path_of;  /* the parent whose path was written last; SIZE_MAX: none */
	struct str *out;
};

static uint32_t *parents_of(const struct outline *c)
{
	uint32_t *parents = must(calloc(c->count + 1, sizeof(*parents)));
	uint32_t open[UINT8_MAX + 1];
	size_t depth = 0;

	for (size_t i = 0; i < c->count; i++) {
		while (depth > 0 && c->rows[open[depth - 1]].depth >= c->rows[i].depth)
			depth--;
		parents[i] = depth ? open[depth - 1] : NONE;
		open[depth++] = (uint32_t)i;
	}
	return parents;
}

/* ---- matching ---- */

/* Rows of the old outline by key: open addressing in a table of twice their number. */
struct key_table {
	uint32_t *slots;
	size_t mask;
};

static void table_fill(struct key_table *t, const struct outline *c)
{
	size_t size = 16;

	while (size < 2 * c->count)
		size *= 2;
	t->mask = size - 1;
	t->slots = must(malloc(size * sizeof(*t->slots)));
	memset(t->slots, 0xff, size * sizeof(*t->slots));
	for (size_t i = 0; i < c->count; i++) {
		size_t at = c->rows[i].key & t->mask;

		while (t->slots[at] != NONE)
			at = (at + 1) & t->mask;
		t->slots[at] = (uint32_t)i;
	}
}

/* The first row of this key that has no match yet. */
static uint32_t table_find(const struct key_table *t, const struct comparison *k, uint64_t key)
{
	for (size_t at = key & t->mask; t->slots[at] != NONE; at = (at + 1) & t->mask)
		if (k->old->rows[t->slots[at]].key == key && k->match_back[t->slots[at]] == NONE)
			return t->slots[at];
	return NONE;
}

static void pair(struct comparison *k, uint32_t old, uint32_t new)
{
	k->match[new] = old;
	k->match_back[old] = new;
}

static size_t match_by_key(struct comparison *k)
{
	struct key_table table;
	size_t matched = 0;

	table_fill(&table, k->old);
	for (uint32_t i = 0; i < k->new->count; i++) {
		uint32_t old = table_find(&table, k, k->new->rows[i].key);

		if (old != NONE) {
			pair(k, old, i);
			matched++;
		}
	}
	free(table.slots);
	return matched;
}

/* The next row from `i` on that is in the same container as `first`, or NONE. */
static uint32_t next_unmatched(const struct outline *c, const uint32_t *match, uint32_t i, uint32_t end)
{
	while (i < end && match[i] != NONE)
		i = c->rows[i].end;
	return i < end ? i : NONE;
}

static void match_inside(struct comparison *k, uint32_t old_first, uint32_t old_end, uint32_t first, uint32_t end, unsigned depth);

/* Two rows that stand for the same thing although the page has replaced its elements. */
static void match_replaced(struct comparison *k, uint32_t old, uint32_t new, unsigned depth)
{
	pair(k, old, new);
	match_inside(k, old + 1, k->old->rows[old].end, new + 1, k->new->rows[new].end, depth + 1);
}

/*
 * Of the rows in one container whose elements were replaced, those with the same text but for refs are the same, in their order. Looks a
 * few rows ahead, so that one that was inserted does not part all that follow.
 */
static void match_inside(struct comparison *k, uint32_t old_first, uint32_t old_end, uint32_t first, uint32_t end, unsigned depth)
{
	enum { AHEAD = 8 };

	if (depth > UINT8_MAX)
		return;
	for (uint32_t i = next_unmatched(k->new, k->match, first, end); i != NONE;
	     i = next_unmatched(k->new, k->match, k->new->rows[i].end, end)) {
		uint32_t old = next_unmatched(k->old, k->match_back, old_first, old_end);

		if (old == NONE)
			return;
		old_first = old;
		for (unsigned n = 0; old != NONE && n < AHEAD; n++) {
			if (k->old->rows[old].kind == k->new->rows[i].kind && row_equals(k->old, old, k->new, i, true)) {
				match_replaced(k, old, i, depth);
				break;
			}
			old = next_unmatched(k->old, k->match_back, k->old->rows[old].end, old_end);
		}
	}
}

static void match_replaced_rows(struct comparison *k)
{
	match_inside(k, 0, (uint32_t)k->old->count, 0, (uint32_t)k->new->count, 0);
	for (uint32_t i = 0; i < k->new->count; i++)
		if (k->match[i] != NONE)
			match_inside(k, k->match[i] + 1, k->old->rows[k->match[i]].end, i + 1, k->new->rows[i].end, 0);
}

/* ---- what changed ---- */

static bool has_parent_of(const struct comparison *k, uint32_t i)
{
	uint32_t parent = k->parent[i], old_parent = k->old_parent[k->match[i]];

	return parent == NONE || old_parent == NONE ? parent == old_parent : k->match[parent] == old_parent;
}

/* The focus went elsewhere, where `active` says so. */
static bool lost_focus_only(const struct comparison *k, uint32_t old, uint32_t new)
{
	static const char active[] = " active";
	const char *before = row_text(k->old, old), *now = row_text(k->new, new), *at;
	size_t len = k->old->rows[old].len, word = strlen(active);

	if (k->new->rows[new].len + word != len || row_label_length(k->old, old) < word)
		return false;
	at = memmem(before, row_label_length(k->old, old), active, word);
	return at && memcmp(before, now, (size_t)(at - before)) == 0 &&
	       memcmp(at + word, now + (at - before), len - word - (size_t)(at - before)) == 0;
}

static void classify(struct comparison *k)
{
	for (uint32_t i = 0; i < k->new->count; i++) {
		if (k->match[i] == NONE)
			k->change[i] = ADDED;
		else if (!row_equals(k->old, k->match[i], k->new, i, false) && !lost_focus_only(k, k->match[i], i))
			k->change[i] = CHANGED;
		else
			k->change[i] = has_parent_of(k, i) ? SAME : MOVED;
	}
}

/*
 * Of the children of one container that stayed, the longest sequence in their old order has not moved; the others have. `first`: the
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
		if (k->match[i] != NONE && k->change[i] != MOVED)
			kept[count++] = i;
	for (size_t n = 0; n < count; n++) {
		size_t low = 0, high = longest;

		while (low < high) {
			size_t mid = (low + high) / 2;

			if (k->match[kept[tails[mid]]] < k->match[kept[n]])
				low = mid + 1;
			else
				high = mid;
		}
		tails[low] = (uint32_t)n;
		before[n] = low ? tails[low - 1] : NONE;
		longest = MAX(longest, low + 1);
	}
	for (size_t n = 0; n < count; n++)
		k->change[kept[n]] = k->change[kept[n]] == SAME ? MOVED : k->change[kept[n]];
	for (uint32_t n = longest ? tails[longest - 1] : NONE; n != NONE; n = before[n])
		k->change[kept[n]] = k->change[kept[n]] == MOVED ? SAME : k->change[kept[n]];
	free(kept);
}

static void find_all_moved(struct comparison *k)
{
	find_moved(k, 0, (uint32_t)k->new->count);
	for (uint32_t i = 0; i < k->new->count; i++)
		if (k->new->rows[i].end > i + 2)
			find_moved(k, i + 1, k->new->rows[i].end);
}

/* ---- writing ---- */

static void write_path(struct comparison *k, const struct outline *c, uint32_t row, size_t parent)
{
	size_t len = k->out->len;

	if (parent == k->path_of)
		return;
	k->path_of = parent;
	str_append(k->out, len ? "\nin " : "in ");
	if (!path_append(c, row, k->out)) {
		str_truncate(k->out, len);
		str_append(k->out, len ? "\nin the page" : "in the page");
	}
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
 * Of a row with several parts only some may change by themselves: it is left out when nothing but numbers changed. A row in which the
 * last action was is shown.
 */
static bool is_effect(const struct comparison *k, uint32_t row)
{
	const struct outline_row *r = &k->new->rows[row];

	if (k->match[row] == NONE || k->change[row] != CHANGED)
		return false;
	if (r->flags & (ROW_PLACE | ROW_FOCUSED))
		return true;
	return memmem(row_text(k->new, row), r->len, " | ", 3) && !differ_in_digits(k, k->match[row], row);
}

static bool leaves_out(struct comparison *k, const struct outline *c, uint32_t row, uint32_t parent)
{
	bool ticks = (c->rows[row].flags & ROW_TICKS) || (parent != NONE && (c->rows[parent].flags & ROW_TICKS) &&
							  c->rows[parent].kind != 'L' && c->rows[row].kind != 'A');

	k->left_out += ticks && !k->own_changes;
	return ticks && !k->own_changes;
}

static void write_changed(struct comparison *k, uint32_t i)
{
	struct printer p = { .outline = k->new, .out = k->out, .base = k->new->rows[i].depth, .mark = "~ " };

	write_path(k, k->new, i, k->parent[i]);
	print_row(&p, i);
	str_append(k->out, k->change[i] == MOVED ? " (moved)" : "");
}

/* The rows from `i` until `end` are new, with all that is in them that is new. */
static void write_added(struct comparison *k, uint32_t i, uint32_t end)
{
	write_path(k, k->new, i, k->parent[i]);
	fold_marked(k->cursors, k->new, i, end, k->new->rows[i].depth, "+ ", ADDED_ROOM, k->out);
}

static void append_gone(struct comparison *k, uint32_t row)
{
	const char *text = row_text(k->old, row);
	size_t len = k->old->rows[row].len;

	if (len > LABEL_MAX) {
		for (len = LABEL_MAX; len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80; len--)
			;
		str_append_len(k->out, text, len);
		str_append(k->out, "...");
	} else {
		str_append_len(k->out, text, len);
	}
}

/* Old rows that are gone, next to each other in one container. */
static void write_gone(struct comparison *k, const uint32_t *rows, size_t count)
{
	uint32_t parent = k->old_parent[rows[0]], now = parent == NONE ? NONE : k->match_back[parent];

	if (parent != NONE && now != NONE && now + 1 < k->new->count && k->new->rows[now].end > now + 1)
		write_path(k, k->new, now + 1, now);
	else
		write_path(k, k->old, rows[0], now == NONE ? SIZE_MAX - 1 - parent : now);
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

static void write_all_gone(struct comparison *k)
{
	_cleanup_(freep) uint32_t *rows = must(calloc(k->old->count + 1, sizeof(*rows)));
	size_t count = 0;

	for (uint32_t i = 0; i < k->old->count; i++) {
		if (k->match_back[i] != NONE)
			continue;
		if (k->old_parent[i] != NONE && k->match_back[k->old_parent[i]] == NONE)
			continue; /* it went with what is around it */
		if (leaves_out(k, k->old, i, k->old_parent[i]))
			continue;
		if (count && k->old_parent[rows[0]] != k->old_parent[i]) {
			write_gone(k, rows, count);
			count = 0;
		}
		rows[count++] = i;
	}
	if (count)
		write_gone(k, rows, count);
}

static uint32_t end_of_added(const struct comparison *k, uint32_t i)
{
	uint32_t end = i;

	/* Neighbours that are new, too, belong to it, as far as all in them is new. */
	while (end < k->new->count && k->change[end] == ADDED && (end < k->new->rows[i].end || k->parent[end] == k->parent[i]))
		end++;
	return end;
}

static void write_new(struct comparison *k)
{
	for (uint32_t i = 0, end; i < k->new->count; i = end) {
		end = i + 1;
		if (k->change[i] == SAME)
			continue;
		if (!is_effect(k, i) && leaves_out(k, k->new, i, k->parent[i]))
			continue;
		if (k->change[i] == ADDED) {
			end = end_of_added(k, i);
			write_added(k, i, end);
		} else {
			write_changed(k, i);
		}
	}
}

static void write_left_out(struct comparison *k)
{
	if (k->left_out && k->out->len)
		str_appendf(k->out, "\n(%zu line%s that change%s by %s left out)", k->left_out, k->left_out == 1 ? "" : "s",
			    k->left_out == 1 ? "s" : "", k->left_out == 1 ? "itself" : "themselves");
}

static enum difference compare(struct comparison *k, size_t budget, struct str *out, size_t *left_out)
{
	_cleanup_(str_done) struct str text = {};

	if (match_by_key(k) == 0)
		return k->old->count + k->new->count ? DIFFERENCE_UNKNOWN : DIFFERENCE_NONE;
	match_replaced_rows(k);
	classify(k);
	find_all_moved(k);
	k->out = &text;
	write_new(k);
	write_all_gone(k);
	*left_out = k->left_out;
	if (!text.len)
		return DIFFERENCE_NONE;
	write_left_out(k);
	if (text.len > budget)
		return DIFFERENCE_TOO_LONG;
	str_append_len(out, text.data, text.len);
	return DIFFERENCE_WRITTEN;
}

static uint32_t *unmatched(size_t count)
{
	uint32_t *match = must(malloc((count + 1) * sizeof(*match)));

	memset(match, 0xff, (count + 1) * sizeof(*match));
	return match;
}

enum difference difference_write(struct cursors *cursors, const struct outline *old, struct outline *new, bool own_changes,
				 size_t budget, struct str *out, size_t *left_out)
{
	struct comparison k = { .cursors = cursors, .old = old, .new = new, .own_changes = own_changes, .path_of = SIZE_MAX };
	enum difference result;

	k.match = unmatched(new->count);
	k.match_back = unmatched(old->count);
	k.parent = parents_of(new);
	k.old_parent = parents_of(old);
	k.change = must(calloc(new->count + 1, sizeof(*k.change)));
	result = compare(&k, budget, out, left_out);
	free(k.match);
	free(k.match_back);
	free(k.parent);
	free(k.old_parent);
	free(k.change);
	return result;
}
