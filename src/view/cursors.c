#include "view/cursors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define NOTE_LINES 5 /* that line, and a fence around a text */
#define NOTE_ROOM 60 /* bytes for the line that names the next cursor */

struct cursor {
	TAILQ_ENTRY(cursor) link;
	unsigned number;
	struct outline *outline; /* a reference; NULL: a text */
	size_t offset;           /* in the text of the first row */
	struct span *spans;
	size_t span_count;
	char *text;
	size_t len;
	size_t bytes; /* that it counts for */
};

void cursors_init(struct cursors *all)
{
	*all = (struct cursors){};
	TAILQ_INIT(&all->list);
}

static void forget(struct cursors *all, struct cursor *c)
{
	TAILQ_REMOVE(&all->list, c, link);
	all->count--;
	all->bytes -= c->bytes;
	outline_unref(c->outline);
	free(c->spans);
	free(c->text);
	free(c);
}

void cursors_done(struct cursors *all)
{
	while (all->count)
		forget(all, TAILQ_FIRST(&all->list));
}

/* A outline counts for the first of several cursors in a row that keep it. */
static size_t bytes_of(const struct cursors *all, const struct cursor *c)
{
	const struct cursor *before = TAILQ_LAST(&all->list, cursor_list);
	size_t bytes = sizeof(*c) + c->len + c->span_count * sizeof(*c->spans);

	return c->outline && (!before || before->outline != c->outline) ? bytes + outline_size(c->outline) : bytes;
}

static unsigned add(struct cursors *all, struct cursor *c)
{
	c->number = ++all->last;
	c->bytes = bytes_of(all, c);
	TAILQ_INSERT_TAIL(&all->list, c, link);
	all->count++;
	all->bytes += c->bytes;
	while (all->count > LIMIT_CURSORS_COUNT || (all->count > 1 && all->bytes > LIMIT_CURSOR_BYTES))
		forget(all, TAILQ_FIRST(&all->list));
	return all->last;
}

unsigned cursors_add_spans(struct cursors *all, struct outline *c, const struct span *spans, size_t count)
{
	struct cursor *new = NEW(struct cursor);

	new->outline = outline_ref(c);
	new->span_count = MIN(count, (size_t)LIMIT_CURSOR_ITEMS_COUNT);
	new->spans = must(calloc(new->span_count, sizeof(*spans)));
	memcpy(new->spans, spans, new->span_count * sizeof(*spans));
	return add(all, new);
}

unsigned cursors_add_rows(struct cursors *all, struct outline *c, size_t first, size_t end, size_t offset)
{
	unsigned number = cursors_add_spans(all, c, &(const struct span){ (uint32_t)first, (uint32_t)end }, 1);

	TAILQ_LAST(&all->list, cursor_list)->offset = offset;
	return number;
}

unsigned cursors_add_text(struct cursors *all, const char *text, size_t len)
{
	struct cursor *new = NEW(struct cursor);

	new->text = must(malloc(len + 1));
	memcpy(new->text, text, len);
	new->text[len] = '\0';
	new->len = len;
	return add(all, new);
}

/* ---- texts ---- */

/* How much of the text fits: whole lines, or a part of the first one. */
static size_t fitting(const char *text, size_t len, size_t budget, size_t lines)
{
	size_t end = 0, next;

	while (lines-- > 0 && end < len) {
		const char *line_end = memchr(text + end, '\n', len - end);

		next = line_end ? (size_t)(line_end - text) + 1 : len;
		if (next > budget)
			break;
		end = next;
	}
	if (end > 0 || len == 0)
		return end;
	for (end = MIN(budget, len); end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80; end--)
		;
	return end;
}

void cursors_cut_text(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, struct str *out,
		      struct str *note)
{
	size_t shown = len, newlines = 0;

	for (size_t i = 0; i < len; i++)
		newlines += text[i] == '\n';
	if (len > budget || newlines >= lines)
		shown = fitting(text, len, budget > NOTE_ROOM ? budget - NOTE_ROOM : 1, lines > 1 ? lines - 1 : 1);
	str_append_len(out, text, shown);
	if (shown == len)
		return;
	str_append(note, "… ");
	print_number(note, len - shown);
	str_appendf(note, " more bytes, cursor c%u", cursors_add_text(all, text + shown, len - shown));
}

/* ---- rows ---- */

static void show_path(const struct outline *c, size_t row, struct str *out)
{
	size_t len = out->len;

	str_append(out, len ? "\nin " : "in ");
	if (!path_append(c, row, out))
		str_truncate(out, len);
}

/* Leaves out `skip` rows with what is in them, and returns the row after them. */
static size_t skip_rows(const struct outline *c, size_t first, size_t end, size_t skip)
{
	while (skip-- > 0 && first < end)
		first = c->rows[first].end;
	return MIN(first, end);
}

static size_t count_rows(const struct outline *c, size_t first, size_t end)
{
	size_t count = 0;

	for (size_t i = first; i < end; i = c->rows[i].end)
		count++;
	return count;
}

/* What is left of spans[at] from row `first` on, and the spans after it. */
static void show_rest(struct cursors *all, struct outline *c, const struct span *spans, size_t count, size_t first, struct str *out)
{
	_cleanup_(freep) struct span *left = must(calloc(count, sizeof(*left)));
	size_t rows = count > 1 ? count : count_rows(c, first, spans[0].end);

	memcpy(left, spans, count * sizeof(*left));
	left[0].first = (uint32_t)first;
	str_append(out, "\n… ");
	print_number(out, rows);
	str_appendf(out, " more %s, cursor c%u", count > 1 ? "matches" : path_noun(c, first),
		    cursors_add_spans(all, c, left, count));
}

/* The rest of a long row; true if there is room for more. */
static bool show_long_row(struct cursors *all, struct outline *c, size_t row, size_t end, size_t offset, size_t budget,
			  struct str *out)
{
	struct printer p = { .outline = c, .out = out, .base = c->rows[row].depth };
	size_t len = print_cut(&p, row, offset, budget);

	if (offset + len >= c->rows[row].len)
		return true;
	str_append(out, "… ");
	print_number(out, c->rows[row].len - offset - len);
	str_appendf(out, " more bytes, cursor c%u", cursors_add_rows(all, c, row, end, offset + len));
	return false;
}

static void show_spans(struct cursors *all, struct outline *c, const struct span *spans, size_t count, size_t skip, size_t offset,
		       size_t budget, struct str *out)
{
	size_t begin = out->len, around = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		size_t at = skip_rows(c, spans[i].first, spans[i].end, i == 0 ? skip : 0), next;

		if (at < spans[i].end && row_parent(c, at) != around) {
			around = row_parent(c, at);
			show_path(c, at, out);
		}
		for (; at < spans[i].end; at = next) {
			struct printer p = { .outline = c, .out = out, .base = c->rows[at].depth };
			size_t before = out->len, used = before - begin;

			next = MIN((size_t)c->rows[at].end, (size_t)spans[i].end);
			if (i == 0 && at == spans[0].first && offset) {
				if (!show_long_row(all, c, at, spans[0].end, offset, budget - NOTE_ROOM, out))
					return;
				continue;
			}
			print_rows(&p, at, next);
			if (out->len - begin <= budget - NOTE_ROOM)
				continue;
			str_truncate(out, before);
			if (used > budget / 2) {
				show_rest(all, c, spans + i, count - i, at, out);
				return;
			}
			fold_rows(all, c, at, next, c->rows[at].depth, budget - NOTE_ROOM - used, out);
		}
	}
}

/* ---- names ---- */

static bool parse_name(const char *name, unsigned long *number, unsigned long *skip)
{
	char *end;

	*skip = 0;
	if (name[0] != 'c' || !isdigit((unsigned char)name[1]))
		return false;
	*number = strtoul(name + 1, &end, 10);
	if (*end == '+' && isdigit((unsigned char)end[1]))
		*skip = strtoul(end + 1, &end, 10);
	return *end == '\0';
}

static struct cursor *find(struct cursors *all, unsigned long number)
{
	struct cursor *c;

	TAILQ_FOREACH(c, &all->list, link)
		if (c->number == number)
			return c;
	return NULL;
}

/* The cursors that are added meanwhile may push out this one, so what it keeps is held here. */
static void show_rows(struct cursors *all, const struct cursor *cursor, size_t skip, size_t budget, struct str *out)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_ref(cursor->outline);
	_cleanup_(freep) struct span *spans = must(calloc(cursor->span_count, sizeof(*spans)));
	size_t count = cursor->span_count, offset = skip ? 0 : cursor->offset;

	memcpy(spans, cursor->spans, count * sizeof(*spans));
	if (count > 1) { /* of matches, whole ones are left out */
		size_t left_out = MIN(skip, count - 1);

		show_spans(all, c, spans + left_out, count - left_out, 0, 0, budget, out);
		return;
	}
	show_spans(all, c, spans, count, skip, offset, budget, out);
}

static void show_text(struct cursors *all, const struct cursor *cursor, size_t budget, size_t lines, struct str *out,
		      struct str *note)
{
	_cleanup_(freep) char *text = must(malloc(cursor->len + 1));
	size_t len = cursor->len;

	memcpy(text, cursor->text, len + 1);
	cursors_cut_text(all, text, len, budget, lines, out, note);
}

enum cursor_outcome cursors_show(struct cursors *all, const char *name, size_t budget, struct str *out, struct str *note)
{
	unsigned long number, skip;
	struct cursor *c;
	bool is_text;

	if (!parse_name(name, &number, &skip))
		return CURSOR_MALFORMED;
	c = find(all, number);
	if (!c)
		return number > all->last ? CURSOR_UNKNOWN : CURSOR_FORGOTTEN;
	is_text = !c->outline;
	if (c->outline)
		show_rows(all, c, skip, budget, out);
	else
		show_text(all, c, budget, LIMIT_ANSWER_LINES_COUNT - NOTE_LINES, out, note);
	return is_text ? CURSOR_SHOWN_TEXT : CURSOR_SHOWN;
}
