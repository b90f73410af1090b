#include "view/found.h"

#include <stdlib.h>

#include "base/limits.h"
#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define ITEM_ROOM 600u  /* bytes of one thing, before it is folded */
#define ITEM_LONG 1500u /* bytes: a longer item is no answer, but a part of it is */

struct thing {
	struct span span;
	unsigned score;
};

/* A heading stands for what follows it, up to the next one of its level. */
static struct span section_of(const struct outline *c, uint32_t heading)
{
	uint32_t i = c->rows[heading].end;

	while (i < c->count && c->rows[i].depth == c->rows[heading].depth &&
	       !(is_heading(&c->rows[i]) && c->rows[i].kind <= c->rows[heading].kind))
		i = c->rows[i].end;
	return (struct span){ heading, i };
}

/* What is known of the rows before things are looked for, so that each match takes the same time wherever it is. */
struct known {
	const struct outline *outline;
	uint32_t *above;  /* of each row the last heading before it in the same container, or its own number */
	uint32_t *item;   /* of each row the nearest item or dialog around it, or its own number */
	uint32_t *before; /* the bytes of all rows before it */
	uint8_t *section; /* of each heading how long its section is, if it was asked */
};

enum { SECTION_UNKNOWN, SECTION_SHORT, SECTION_LONG };

static void *numbers(const struct outline *c)
{
	return must(calloc(c->count + 1, sizeof(uint32_t)));
}

static void know_rows(struct known *k, const struct outline *c)
{
	_cleanup_(freep) uint32_t *last = numbers(c); /* in each container the newest heading and 1; that of the page at the end */

	*k = (struct known){ .outline = c,
			     .above = numbers(c),
			     .item = numbers(c),
			     .before = numbers(c),
			     .section = must(calloc(c->count + 1, 1)) };
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t parent = c->rows[i].parent, *in = &last[parent == i ? c->count : parent];
		char kind = parent == i ? 'o' : c->rows[parent].kind;

		k->above[i] = *in ? *in - 1 : i;
		if (is_heading(&c->rows[i]))
			*in = i + 1;
		k->item[i] = kind == 'I' || kind == 'D' ? parent : parent == i || k->item[parent] == parent ? i : k->item[parent];
		k->before[i + 1] = k->before[i] + c->rows[i].len + 1;
	}
}

static void known_done(struct known *k)
{
	free(k->above);
	free(k->item);
	free(k->before);
	free(k->section);
}

static size_t found_bytes_of(const struct known *k, struct span span)
{
	return k->before[span.end] - k->before[span.first];
}

/* Whether the section has at most ITEM_ROOM bytes. A long one is looked through until that is known, and only once. */
static bool is_short_section(const struct known *k, uint32_t heading)
{
	const struct outline_row *rows = k->outline->rows, *h = &rows[heading];
	uint32_t i = h->end;

	if (k->section[heading] == SECTION_UNKNOWN) {
		while (i < k->outline->count && rows[i].depth == h->depth && !(is_heading(&rows[i]) && rows[i].kind <= h->kind) &&
		       found_bytes_of(k, (struct span){ heading, i }) <= ITEM_ROOM)
			i = rows[i].end;
		k->section[heading] = found_bytes_of(k, (struct span){ heading, i }) <= ITEM_ROOM ? SECTION_SHORT : SECTION_LONG;
	}
	return k->section[heading] == SECTION_SHORT;
}

/* The item that the row is a part of, or the short section below a heading, or the row with what is in it. */
static struct span thing_around(const struct known *k, uint32_t row)
{
	const struct outline *c = k->outline;
	struct span span = { row, c->rows[row].end }, item = { k->item[row], c->rows[k->item[row]].end };
	uint32_t heading = k->above[row];

	if (is_heading(&c->rows[row]))
		return section_of(c, row);
	if (span.end > row + 1)
		return span;
	if (item.first != row && found_bytes_of(k, item) <= ITEM_LONG)
		return item;
	return heading != row && is_short_section(k, heading) ? section_of(c, heading) : span;
}

static unsigned score(const struct outline_row *r)
{
	return (r->flags & ROW_MATCHES_WORD ? 4 : 0) + (is_heading(r) ? 2 : 0) + (r->flags & ROW_VISIBLE ? 1 : 0);
}

static int compare_things(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->span.first < y->span.first ? -1 : x->span.first > y->span.first;
}

/* The caller frees the result. A thing with several matches is listed once. */
static struct thing *list_things(const struct known *k, size_t *count)
{
	const struct outline *c = k->outline;
	struct thing *all = must(calloc(c->count + 1, sizeof(*all)));

	*count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		struct thing *last = *count ? &all[*count - 1] : NULL;
		struct span span;

		if (!(c->rows[i].flags & ROW_MATCHES))
			continue;
		span = thing_around(k, i);
		if (last && i < last->span.end && span.first <= last->span.first + (last->span.end - last->span.first)) {
			last->score = MAX(last->score, score(&c->rows[i]));
			continue;
		}
		all[(*count)++] = (struct thing){ span, score(&c->rows[i]) };
	}
	qsort(all, *count, sizeof(*all), compare_things);
	return all;
}

/* `in main > h2 "Jobs"`: what is around the thing, and the heading that it is below. */
static void write_place(const struct outline *c, uint32_t row, uint32_t heading, struct str *out)
{
	size_t len = out->len;
	bool is_below = heading != row && !is_heading(&c->rows[row]), any;

	str_append(out, "\nin ");
	any = path_append(c, row, out);
	if (is_below) {
		str_append(out, any ? " > " : "");
		str_append_len(out, row_text(c, heading), MIN((size_t)c->rows[heading].len, row_label_length(c, heading)));
	}
	if (!any && !is_below)
		str_truncate(out, len);
}

static void write_thing(struct cursors *cursors, struct outline *c, const struct span *span, uint32_t heading, size_t *around,
			struct str *out)
{
	size_t parent = row_parent(c, span->first);
	size_t place = heading == span->first || is_heading(&c->rows[span->first]) ? parent : heading;

	if (place != *around) {
		write_place(c, span->first, heading, out);
		path_append_header(c, span->first, out);
	}
	*around = place;
	fold_found(cursors, c, span->first, span->end, ITEM_ROOM, out);
}

static void write_rest(struct cursors *cursors, struct outline *c, const struct thing *things, size_t count, struct str *out)
{
	_cleanup_(freep) struct span *spans = must(calloc(count, sizeof(*spans)));

	for (size_t i = 0; i < count; i++)
		spans[i] = things[i].span;
	str_append(out, "\n… ");
	print_number(out, count);
	str_append(out, " more, ");
	if (count > LIMIT_CURSOR_ITEMS_COUNT)
		str_append(out, "the first of them with ");
	str_appendf(out, "cursor c%u", cursors_add_spans(cursors, c, spans, count, true));
}

void found_write(struct cursors *cursors, struct outline *c, const char *shown, size_t max, struct str *out)
{
	size_t count, around = SIZE_MAX, begin = out->len, i;
	_cleanup_(known_done) struct known k = {};
	_cleanup_(freep) struct thing *things = NULL;

	know_rows(&k, c);
	things = list_things(&k, &count);
	if (!count) {
		str_appendf(out, "No match for %s%s", shown, c->count ? "" : ": the page is empty");
		return;
	}
	print_number(out, count);
	str_appendf(out, " match%s for %s", count == 1 ? "" : "es", shown);
	for (i = 0; i < MIN(count, max) && (i == 0 || out->len - begin < FOUND_ROOM); i++)
		write_thing(cursors, c, &things[i].span, k.above[things[i].span.first], &around, out);
	if (i < count)
		write_rest(cursors, c, things + i, count - i, out);
}
