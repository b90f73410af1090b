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

static bool is_heading(const struct outline_row *r)
{
	return r->kind >= '1' && r->kind <= '6';
}

/* A heading stands for what follows it, up to the next one of its level. */
static struct span section_of(const struct outline *c, uint32_t heading)
{
	uint32_t i = c->rows[heading].end;

	while (i < c->count && c->rows[i].depth == c->rows[heading].depth &&
	       !(is_heading(&c->rows[i]) && c->rows[i].kind <= c->rows[heading].kind))
		i = c->rows[i].end;
	return (struct span){ heading, i };
}

/* Whether the section has at most ITEM_ROOM bytes: it is not looked through for each row of a long one. */
static bool is_short_section(const struct outline *c, uint32_t heading)
{
	size_t bytes = 0;
	uint32_t i = heading;

	do {
		bytes += c->rows[i].len + 1u;
		i++;
	} while (i < c->count && bytes <= ITEM_ROOM && c->rows[i].depth >= c->rows[heading].depth &&
		 !(c->rows[i].depth == c->rows[heading].depth && is_heading(&c->rows[i]) &&
		   c->rows[i].kind <= c->rows[heading].kind));
	return bytes <= ITEM_ROOM;
}

/* Whether the rows have at most `max` bytes. */
static bool is_short(const struct outline *c, struct span span, size_t max)
{
	size_t bytes = 0;

	for (size_t i = span.first; i < span.end && bytes <= max; i++)
		bytes += c->rows[i].len + 1u;
	return bytes <= max;
}

/* Of each row the last heading before it in the same container, or its own number. The caller frees the result. */
static uint32_t *headings_above(const struct outline *c)
{
	uint32_t *above = must(calloc(c->count + 1, sizeof(*above))), *last = must(calloc(c->count + 1, sizeof(*last)));

	for (uint32_t i = 0; i < c->count; i++) { /* `last`: in each container the newest one and 1; that of the page at the end */
		uint32_t *in = &last[row_parent(c, i) == i ? c->count : row_parent(c, i)];

		above[i] = *in ? *in - 1 : i;
		if (is_heading(&c->rows[i]))
			*in = i + 1;
	}
	free(last);
	return above;
}

/* The item that the row is a part of, or the short section below a heading, or the row with what is in it. */
static struct span thing_around(const struct outline *c, uint32_t row, uint32_t heading)
{
	struct span span = { row, c->rows[row].end };

	if (is_heading(&c->rows[row]))
		return section_of(c, row);
	if (span.end > row + 1)
		return span;
	for (size_t at = row, parent; (parent = row_parent(c, at)) != at; at = parent) {
		span = (struct span){ (uint32_t)parent, c->rows[parent].end };
		if ((c->rows[parent].kind == 'I' || c->rows[parent].kind == 'D') && is_short(c, span, ITEM_LONG))
			return span;
	}
	return heading != row && is_short_section(c, heading) ? section_of(c, heading) : (struct span){ row, row + 1 };
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
static struct thing *list_things(const struct outline *c, const uint32_t *above, size_t *count)
{
	struct thing *all = must(calloc(c->count + 1, sizeof(*all)));

	*count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		struct thing *last = *count ? &all[*count - 1] : NULL;
		struct span span;

		if (!(c->rows[i].flags & ROW_MATCHES))
			continue;
		span = thing_around(c, i, above[i]);
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

	if (place != *around)
		write_place(c, span->first, heading, out);
	*around = place;
	fold_rows(cursors, c, span->first, span->end, c->rows[span->first].depth, ITEM_ROOM, out);
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
	str_appendf(out, "cursor c%u", cursors_add_spans(cursors, c, spans, count));
}

void found_write(struct cursors *cursors, struct outline *c, const char *shown, size_t max, struct str *out)
{
	size_t count, around = SIZE_MAX, begin = out->len, i;
	_cleanup_(freep) uint32_t *above = headings_above(c);
	_cleanup_(freep) struct thing *things = list_things(c, above, &count);

	if (!count) {
		str_appendf(out, "No match for %s%s", shown, c->count ? "" : ": the page is empty");
		return;
	}
	print_number(out, count);
	str_appendf(out, " match%s for %s", count == 1 ? "" : "es", shown);
	for (i = 0; i < MIN(count, max) && (i == 0 || out->len - begin < FOUND_ROOM); i++)
		write_thing(cursors, c, &things[i].span, above[things[i].span.first], &around, out);
	if (i < count)
		write_rest(cursors, c, things + i, count - i, out);
}
