#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "view/cursors_internal.h"
#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define NOTE_LINES 5   /* of the line that names the next cursor, and a fence around a text */
#define PATH_LEAST 600 /* bytes of an answer that says where its rows are */

/* ---- rows ---- */

static void show_path(const struct outline *c, size_t row, struct str *out)
{
	size_t len = out->len;

	str_append(out, len ? "\nin " : "in ");
	if (!path_append(c, row, out))
		str_truncate(out, len);
	path_append_header(c, row, out);
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

/* What is written of a cursor to rows. */
struct showing {
	struct cursors *all;
	struct outline *outline;
	size_t begin, budget;
	bool is_search;
	size_t counted, lines; /* line breaks in what was written up to there */
	struct str *out;
};

static size_t room_of(const struct showing *s)
{
	size_t used = s->out->len - s->begin + CURSOR_NOTE_ROOM;

	return s->budget > used ? s->budget - used : 0;
}

/* What was written since the last call is counted. */
static bool cursors_show_is_full(struct showing *s)
{
	for (; s->counted < s->out->len; s->counted++)
		s->lines += s->out->data[s->counted] == '\n';
	return room_of(s) == 0 || s->lines >= LIMIT_ANSWER_LINES_COUNT - 2;
}

static void take_back(struct showing *s, size_t len)
{
	for (; s->counted > len; s->counted--)
		s->lines -= s->out->data[s->counted - 1] == '\n';
	str_truncate(s->out, len);
}

/* The rest of a long row; true if there is room for more. */
static bool show_long_row(struct showing *s, size_t row, size_t end, size_t offset)
{
	struct printer p = { .outline = s->outline, .out = s->out, .base = s->outline->rows[row].depth };
	size_t len = print_cut(&p, row, offset, room_of(s));

	if (offset + len >= s->outline->rows[row].len)
		return true;
	str_append(s->out, "… ");
	print_number(s->out, s->outline->rows[row].len - offset - len);
	str_appendf(s->out, " more bytes, cursor c%u", cursors_add_rows(s->all, s->outline, row, end, offset + len));
	return false;
}

/* As many of the rows as there is room for. Returns the first one that is left. */
static size_t show_span(struct showing *s, size_t first, size_t end, bool is_first)
{
	struct outline *c = s->outline;
	struct printer p = { .outline = c, .out = s->out, .base = c->rows[first].depth };

	for (size_t at = first, next; at < end; at = next) {
		size_t before = s->out->len, room = room_of(s);

		next = MIN((size_t)c->rows[at].end, end);
		print_rows(&p, at, next);
		if (!cursors_show_is_full(s))
			continue;
		take_back(s, before);
		p.is_open = false;
		if (room < s->budget / 2 && (at > first || !is_first))
			return at;
		if (s->is_search)
			fold_found(s->all, c, at, next, room, s->out);
		else
			fold_rows(s->all, c, at, next, p.base, room, s->out);
	}
	return end;
}

/* What is left of spans[at] from row `first` on, and the spans after it. */
static void show_rest(struct showing *s, const struct span *spans, size_t count, size_t first)
{
	struct outline *c = s->outline;
	_cleanup_(freep) struct span *left = must(calloc(count, sizeof(*left)));
	size_t rows = count > 1 ? count : count_rows(c, first, spans[0].end);

	memcpy(left, spans, count * sizeof(*left));
	left[0].first = (uint32_t)first;
	str_append(s->out, "\n… ");
	print_number(s->out, rows);
	str_appendf(s->out, " more %s, cursor c%u", count > 1 ? "matches" : path_noun(c, first),
		    cursors_add_spans(s->all, c, left, count, s->is_search));
}

static void show_spans(struct showing *s, const struct span *spans, size_t count, size_t skip, size_t offset)
{
	size_t around = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		size_t at = skip_rows(s->outline, spans[i].first, spans[i].end, i == 0 ? skip : 0);

		if (s->budget >= PATH_LEAST && row_parent(s->outline, at) != around)
			show_path(s->outline, at, s->out);
		around = row_parent(s->outline, at);
		if (i == 0 && offset) {
			if (!show_long_row(s, at, spans[0].end, offset))
				return;
			at = MIN(s->outline->rows[at].end, spans[0].end);
		}
		if (at < spans[i].end)
			at = show_span(s, at, spans[i].end, i == 0);
		if (at < spans[i].end) {
			show_rest(s, spans + i, count - i, at);
			return;
		}
	}
}

/* ---- names ---- */

static bool cursors_show_parse_name(const char *name, char letter, unsigned long *number, unsigned long *skip)
{
	char *end;

	*skip = 0;
	if (name[0] != letter || !isdigit((unsigned char)name[1]))
		return false;
	*number = strtoul(name + 1, &end, 10);
	if (*end == '+' && isdigit((unsigned char)end[1]))
		*skip = strtoul(end + 1, &end, 10);
	return *end == '\0';
}

static struct cursor *cursors_show_find(struct cursors *all, unsigned long number)
{
	struct cursor *c;

	TAILQ_FOREACH(c, &all->list, link)
		if (c->number == number)
			return c;
	return NULL;
}

/* The cursors that are added meanwhile may push out this one, so what it keeps is held here. */
static bool show_rows(struct cursors *all, const struct cursor *cursor, size_t skip, size_t budget, struct str *out)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_ref(cursor->outline);
	_cleanup_(freep) struct span *spans = must(calloc(cursor->span_count, sizeof(*spans)));
	struct showing s = { .all = all,
			     .outline = c,
			     .is_search = cursor->is_search,
			     .begin = out->len,
			     .counted = out->len,
			     .budget = budget,
			     .out = out };
	size_t count = cursor->span_count, offset = skip ? 0 : cursor->offset;

	memcpy(spans, cursor->spans, count * sizeof(*spans));
	if (count > 1) { /* of matches, whole ones are left out */
		if (skip >= count)
			return false;
		show_spans(&s, spans + skip, count - skip, 0, 0);
		return true;
	}
	if (skip_rows(c, spans[0].first, spans[0].end, skip) >= spans[0].end)
		return false;
	show_spans(&s, spans, count, skip, offset);
	return true;
}

static bool cursors_show_show_text(struct cursors *all, const struct cursor *cursor, size_t skip, size_t budget,
				   struct continued *ret)
{
	_cleanup_(kept_text_unrefp) struct kept_text *text = cursor->text;
	size_t at = cursor->offset;
	struct text_source rest = { .kept = text, .goes_on = cursor->goes_on && !skip, .revision = cursor->revision };

	text->refs++;
	for (size_t i = 0; i < skip && at < text->len; i++)
		at += strcspn(text->data + at, "\n") + 1;
	if (at >= text->len)
		return false;
	rest.text = text->data + at;
	rest.len = text->len - at;
	cursors_cut_source(all, &rest, budget, LIMIT_ANSWER_LINES_COUNT - NOTE_LINES, &ret->text, &ret->note);
	return true;
}

/* Of a cursor that is not there, why. */
static enum cursor_outcome why_gone(const struct cursors *all, unsigned long number)
{
	if (!number || number > all->last)
		return CURSOR_UNKNOWN;
	if (number > all->dropped && all->last - number < LIMIT_CURSORS_COUNT)
		return CURSOR_CROWDED_OUT;
	return all->last - number < LIMIT_CURSORS_COUNT ? CURSOR_DROPPED : CURSOR_FORGOTTEN;
}

enum cursor_outcome cursors_continue(struct cursors *all, const char *name, size_t budget, struct continued *ret)
{
	unsigned long number, skip;
	struct cursor *c;
	bool any;

	if (!cursors_show_parse_name(name, all->letter, &number, &skip))
		return CURSOR_MALFORMED;
	c = cursors_show_find(all, number);
	if (!c)
		return why_gone(all, number);
	ret->is_text = !c->outline;
	ret->revision = c->revision;
	if (c->outline)
		any = show_rows(all, c, skip, budget, &ret->text);
	else
		any = cursors_show_show_text(all, c, skip, budget, ret);
	return any ? CURSOR_SHOWN : CURSOR_BEYOND;
}

enum cursor_outcome cursors_show(struct cursors *all, const char *name, size_t budget, struct str *out)
{
	struct continued c = {};
	enum cursor_outcome outcome = cursors_continue(all, name, budget, &c);

	str_append_len(out, str_text(&c.text), c.text.len);
	cursors_append_note(out, &c.note);
	str_done(&c.text);
	str_done(&c.note);
	return outcome;
}
