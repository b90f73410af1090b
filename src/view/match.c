#include "view/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define CHAIN_MAX 8 /* rows of the same text that are looked at for the one that comes next */

static uint32_t *no_rows(size_t count)
{
	uint32_t *rows = must(malloc((count + 1) * sizeof(*rows)));

	memset(rows, 0xff, (count + 1) * sizeof(*rows));
	return rows;
}

static size_t table_size(size_t count)
{
	size_t size = 16;

	while (size < 2 * count)
		size *= 2;
	return size;
}

static void pair(struct matching *m, uint32_t old, uint32_t new)
{
	m->of_new[new] = old;
	m->of_old[old] = new;
}

/* ---- by key ---- */

/*
 * The slot of a key: open addressing. A key that several rows have stands for the first of them. Keys are what a renderer says, so where
 * they begin to look for a slot is multiplied by a number that it does not know (multiply-shift hashing, Dietzfelbinger et al. 1997).
 */
static uint32_t *find_slot(uint32_t *slots, size_t mask, const struct outline *c, uint64_t key)
{
	static uint64_t factor;
	size_t at;

	if (!factor)
		factor = random_number() | 1;
	at = (size_t)(key * factor >> __builtin_clzll(mask));

	while (slots[at] != NO_ROW && c->rows[slots[at]].key != key)
		at = (at + 1) & mask;
	return &slots[at];
}

static void match_keys(struct matching *m, const struct outline *old, const struct outline *new)
{
	size_t size = table_size(old->count);
	uint32_t *slots = no_rows(size);

	for (uint32_t i = 0; i < old->count; i++) {
		uint32_t *slot = find_slot(slots, size - 1, old, old->rows[i].key);

		if (*slot == NO_ROW)
			*slot = i;
	}
	for (uint32_t i = 0; i < new->count; i++) {
		uint32_t row = *find_slot(slots, size - 1, old, new->rows[i].key);

		if (row == NO_ROW || m->of_old[row] != NO_ROW)
			continue;
		pair(m, row, i);
		m->by_key++;
	}
	free(slots);
}

/* ---- by text ---- */

/* Rows of one container that have no counterpart, in chains of those whose texts may be the same. */
struct container {
	uint32_t *rows, *next; /* of each the one after it in its chain, by their place in `rows` */
	uint32_t *first;       /* of each chain */
	size_t count, mask;
};

static size_t chain_of(const struct container *k, const struct outline *c, uint32_t row)
{
	return (row_hash(c, row) + (unsigned char)c->rows[row].kind) & k->mask;
}

static size_t count_unmatched(const struct outline *c, const uint32_t *match, uint32_t first, uint32_t end)
{
	size_t count = 0;

	for (uint32_t i = first; i < end; i = c->rows[i].end)
		count += match[i] == NO_ROW;
	return count;
}

static void container_fill(struct container *k, const struct outline *c, const uint32_t *match, uint32_t first, uint32_t end,
			   size_t max)
{
	*k = (struct container){ .mask = table_size(max) - 1 };
	k->rows = no_rows(max);
	k->next = no_rows(max);
	k->first = no_rows(k->mask + 1);
	for (uint32_t i = first; i < end; i = c->rows[i].end)
		if (match[i] == NO_ROW)
			k->rows[k->count++] = i;
	for (uint32_t n = (uint32_t)k->count; n-- > 0;) {
		uint32_t *chain = &k->first[chain_of(k, c, k->rows[n])];

		k->next[n] = *chain;
		*chain = n;
	}
}

static void container_done(struct container *k)
{
	free(k->rows);
	free(k->next);
	free(k->first);
}

/*
 * Takes the row with the same text as `row` of `new` that comes next after place `after`, or else the first one, so that rows that
 * several lists have in common stay in their order.
 */
static uint32_t match_take(struct container *k, const struct outline *old, const struct outline *new, uint32_t row, uint32_t *after)
{
	uint32_t *best = NULL, place;
	unsigned steps = 0;

	for (uint32_t *at = &k->first[chain_of(k, new, row)]; *at != NO_ROW && steps < CHAIN_MAX; at = &k->next[*at], steps++) {
		if (old->rows[k->rows[*at]].kind != new->rows[row].kind || !row_equals(old, k->rows[*at], new, row, true))
			continue;
		if (!best || (*best < *after && *at >= *after))
			best = at;
		if (*best >= *after)
			break;
	}
	if (!best)
		return NO_ROW;
	place = *best;
	*best = k->next[place];
	*after = place + 1;
	return k->rows[place];
}

static void match_inside(struct matching *m, const struct outline *old, const struct outline *new, uint32_t old_first,
			 uint32_t old_end, uint32_t first, uint32_t end)
{
	struct container k;
	uint32_t after = 0;
	size_t count = count_unmatched(old, m->of_old, old_first, old_end);

	if (!count || !count_unmatched(new, m->of_new, first, end))
		return;
	container_fill(&k, old, m->of_old, old_first, old_end, count);
	for (uint32_t i = first; i < end; i = new->rows[i].end) {
		uint32_t row = m->of_new[i] == NO_ROW ? match_take(&k, old, new, i, &after) : NO_ROW;

		if (row != NO_ROW)
			pair(m, row, i);
	}
	container_done(&k);
}

/* Containers come before what is in them, so those that were matched by their text are looked into as well. */
static void match_texts(struct matching *m, const struct outline *old, const struct outline *new)
{
	match_inside(m, old, new, 0, (uint32_t)old->count, 0, (uint32_t) new->count);
	for (uint32_t i = 0; i < new->count; i++) {
		uint32_t row = m->of_new[i];

		if (row != NO_ROW && new->rows[i].end > i + 1 && old->rows[row].end > row + 1)
			match_inside(m, old, new, row + 1, old->rows[row].end, i + 1, new->rows[i].end);
	}
}

void match_rows(const struct outline *old, const struct outline *new, struct matching *ret)
{
	*ret = (struct matching){ .of_new = no_rows(new->count), .of_old = no_rows(old->count) };
	match_keys(ret, old, new);
	if (ret->by_key)
		match_texts(ret, old, new);
}

void matching_done(struct matching *m)
{
	free(m->of_new);
	free(m->of_old);
}
