#include "view/cursors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "view/fold.h"
#include "view/path.h"
#include "view/print.h"

#define NOTE_LINES 5   /* that line, and a fence around a text */
#define NOTE_ROOM 60   /* bytes for the line that names the next cursor */
#define LINES_LEAST 8u /* of an answer with lines that are shortened */
#define LINE_SHARE 16  /* they have at least this part of it, */
#define LINE_LEAST 80u /* or these bytes */
#define PATH_LEAST 600 /* bytes of an answer that says where its rows are */

/* A text of which one or several cursors lead to a part. */
struct kept_text {
	unsigned refs, counted;
	size_t len;
	char data[];
};

struct cursor {
	TAILQ_ENTRY(cursor) link;
	unsigned number;
	struct outline *outline; /* that it keeps; NULL: a text */
	struct kept_text *text;
	size_t offset; /* in the text, or in that of the first row */
	struct span *spans;
	size_t span_count;
	unsigned revision; /* of the newest view when it was captured */
	bool goes_on;      /* the text begins within a line */
	bool is_search;    /* the rows are what was searched for */
};

void cursors_init(struct cursors *all)
{
	*all = (struct cursors){ .letter = 'c', .limit = LIMIT_CURSOR_BYTES };
	TAILQ_INIT(&all->list);
}

static struct kept_text *keep_text(const char *text, size_t len)
{
	struct kept_text *kept = must(malloc(sizeof(*kept) + len + 1));

	*kept = (struct kept_text){ .refs = 1, .len = len };
	memcpy(kept->data, text, len);
	kept->data[len] = '\0';
	return kept;
}

static struct kept_text *drop_text(struct kept_text *text)
{
	if (text && --text->refs == 0)
		free(text);
	return NULL;
}

static void drop_textp(struct kept_text **text)
{
	drop_text(*text);
}

static void forget(struct cursors *all, struct cursor *c)
{
	TAILQ_REMOVE(&all->list, c, link);
	all->count--;
	outline_drop(c->outline);
	drop_text(c->text);
	free(c->spans);
	free(c);
}

void cursors_done(struct cursors *all)
{
	while (all->count)
		forget(all, TAILQ_FIRST(&all->list));
	all->dropped = all->last;
}

/* What several cursors lead to counts once, with the bytes that it has now: outlines that nothing reads are packed. */
size_t cursors_size(const struct cursors *all)
{
	static unsigned turn;
	const struct cursor *c;
	size_t bytes = 0;

	turn++;
	TAILQ_FOREACH(c, &all->list, link) {
		unsigned *counted = c->outline ? &c->outline->counted : &c->text->counted;

		bytes += sizeof(*c) + c->span_count * sizeof(*c->spans);
		if (*counted != turn)
			bytes += c->outline ? outline_size(c->outline) : c->text->len;
		*counted = turn;
	}
	return bytes;
}

/* The newest outline or text is kept however large it is, with all cursors to it: an answer that is being written names them. */
static bool has_room(const struct cursors *all, const struct cursor *newest)
{
	const struct cursor *oldest = TAILQ_FIRST(&all->list);

	if (all->count > LIMIT_CURSORS_COUNT)
		return false;
	return (oldest->outline == newest->outline && oldest->text == newest->text) || cursors_size(all) <= all->limit;
}

static unsigned add(struct cursors *all, struct cursor *c)
{
	c->number = ++all->last;
	TAILQ_INSERT_TAIL(&all->list, c, link);
	all->count++;
	while (!has_room(all, c))
		forget(all, TAILQ_FIRST(&all->list));
	return all->last;
}

unsigned cursors_add_spans(struct cursors *all, struct outline *c, const struct span *spans, size_t count, bool is_search)
{
	struct cursor *new = NEW(struct cursor);

	new->outline = outline_keep(c);
	new->revision = c->revision;
	new->is_search = is_search;
	new->span_count = MIN(count, (size_t)LIMIT_CURSOR_ITEMS_COUNT);
	new->spans = must(calloc(new->span_count, sizeof(*spans)));
	memcpy(new->spans, spans, new->span_count * sizeof(*spans));
	return add(all, new);
}

unsigned cursors_add_rows(struct cursors *all, struct outline *c, size_t first, size_t end, size_t offset)
{
	unsigned number = cursors_add_spans(all, c, &(const struct span){ (uint32_t)first, (uint32_t)end }, 1, false);

	TAILQ_LAST(&all->list, cursor_list)->offset = offset;
	return number;
}

/* A text, or what is left of it. */
struct source {
	const char *text;
	size_t len;
	struct kept_text *kept; /* that it is a part of; NULL: it is not kept yet */
	bool goes_on;
	bool has_lines; /* of which each says something of its own, so that a long one is shortened before others are left out */
	unsigned revision;
};

/* From byte `at` of the source on. */
static unsigned add_text(struct cursors *all, const struct source *s, size_t at, bool goes_on)
{
	struct cursor *new = NEW(struct cursor);

	new->text = s->kept ? s->kept : keep_text(s->text + at, s->len - at);
	new->text->refs += s->kept != NULL;
	new->offset = s->kept ? (size_t)(s->text + at - s->kept->data) : 0;
	new->goes_on = goes_on;
	new->revision = s->revision;
	return add(all, new);
}

unsigned cursors_add_text(struct cursors *all, const char *text, size_t len)
{
	return add_text(all, &(const struct source){ .text = text, .len = len, .revision = all->revision }, 0, false);
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
	end = whole_characters(text, len, budget);
	return end + (end < len && text[end] == '\n');
}

static size_t next_line(const char *text, size_t len, size_t at)
{
	const char *end = memchr(text + at, '\n', len - at);

	return end ? (size_t)(end - text) + 1 : len;
}

/* Bytes of the first `lines` lines, of each at most `most`. */
static size_t bytes_of_lines(const char *text, size_t len, size_t lines, size_t most)
{
	size_t bytes = 0;

	for (size_t at = 0, next; at < len && lines-- > 0; at = next) {
		next = next_line(text, len, at);
		bytes += MIN(next - at, most + strlen(GOES_ON) + 1);
	}
	return bytes;
}

/* How long lines may be, so that as many of them as possible have room, and use it. */
static size_t longest_line(const char *text, size_t len, size_t budget, size_t lines)
{
	size_t low = MAX(budget / LINE_SHARE, (size_t)LINE_LEAST), high = budget;

	if (bytes_of_lines(text, len, lines, low) > budget)
		return low;
	while (low + 1 < high) {
		size_t most = (low + high) / 2;

		if (bytes_of_lines(text, len, lines, most) <= budget)
			low = most;
		else
			high = most;
	}
	return low;
}

/* As many lines as there is room for, the long ones shortened by `*left_out` bytes. Returns how much of the text that is. */
static size_t write_lines(const struct source *s, size_t budget, size_t lines, struct str *out, size_t *left_out)
{
	size_t at = 0, used = 0, most = longest_line(s->text, MIN(s->len, budget * lines), budget, lines);

	for (size_t next; at < s->len && lines-- > 0; at = next) {
		size_t len, shown;

		next = next_line(s->text, s->len, at);
		len = next - at - (s->text[next - 1] == '\n');
		shown = len > most ? whole_characters(s->text + at, len, most) : len;
		used += shown + (shown < len ? strlen(GOES_ON) : 0) + (next - at - len);
		if (used > budget)
			break;
		str_append_len(out, s->text + at, shown);
		str_append(out, shown < len ? GOES_ON : "");
		str_append_len(out, "\n", next - at - len);
		*left_out += len - shown;
	}
	return at;
}

static void write_rest_note(struct cursors *all, const struct source *s, size_t shown, struct str *note)
{
	if (shown == s->len)
		return;
	str_append(note, note->len ? "\n… " : "… ");
	print_number(note, s->len - shown);
	str_appendf(note, " more bytes, cursor %c%u", all->letter, add_text(all, s, shown, s->text[shown - 1] != '\n'));
}

/* A text of several lines. False: nothing is written, as no line had to be shortened. */
static bool cut_lines(struct cursors *all, const struct source *s, size_t budget, size_t lines, struct str *out, struct str *note)
{
	_cleanup_(str_done) struct str text = {};
	struct source kept = *s;
	size_t left_out = 0, shown;

	if (!s->has_lines || lines < LINES_LEAST || budget < LINES_LEAST * LINE_LEAST || next_line(s->text, s->len, 0) == s->len)
		return false;
	shown = write_lines(s, budget - 2 * NOTE_ROOM, lines - 2, &text, &left_out);
	if (!left_out)
		return false;
	kept.kept = keep_text(s->text, s->len);
	kept.text = kept.kept->data;
	str_append_len(out, str_text(&text), text.len);
	str_append(note, "… ");
	print_number(note, left_out);
	str_appendf(note, " bytes of long lines, cursor %c%u to all of them", all->letter, add_text(all, &kept, 0, false));
	write_rest_note(all, &kept, shown, note);
	drop_text(kept.kept);
	return true;
}

static void cut_text(struct cursors *all, const struct source *s, size_t budget, size_t lines, struct str *out, struct str *note)
{
	size_t shown = s->len, newlines = 0, mark = s->goes_on ? strlen(GOES_ON) : 0, room = NOTE_ROOM + mark;
	bool fits;

	for (size_t i = 0; i < s->len; i++)
		newlines += s->text[i] == '\n';
	fits = s->len + mark <= budget && newlines < lines;
	if (!fits && cut_lines(all, s, budget, lines, out, note))
		return;
	if (!fits)
		shown = fitting(s->text, s->len, budget > room ? budget - room : 1, lines > 1 ? lines - 1 : 1);
	str_append(out, s->goes_on ? GOES_ON : "");
	str_append_len(out, s->text, shown);
	write_rest_note(all, s, shown, note);
}

static void append_note(struct str *out, const struct str *note)
{
	if (note->len && out->len && out->data[out->len - 1] != '\n')
		str_append_char(out, '\n');
	str_append(out, str_text(note));
}

void cursors_cut_apart(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		       struct str *out, struct str *note)
{
	cut_text(all, &(const struct source){ .text = text, .len = len, .has_lines = has_lines, .revision = all->revision }, budget,
		 lines, out, note);
}

void cursors_cut_text(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		      struct str *out)
{
	_cleanup_(str_done) struct str note = {};

	cursors_cut_apart(all, text, len, budget, lines, has_lines, out, &note);
	append_note(out, &note);
}

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
	size_t used = s->out->len - s->begin + NOTE_ROOM;

	return s->budget > used ? s->budget - used : 0;
}

/* What was written since the last call is counted. */
static bool is_full(struct showing *s)
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
		if (!is_full(s))
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

static bool parse_name(const char *name, char letter, unsigned long *number, unsigned long *skip)
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

static struct cursor *find(struct cursors *all, unsigned long number)
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

static bool show_text(struct cursors *all, const struct cursor *cursor, size_t skip, size_t budget, struct continued *ret)
{
	_cleanup_(drop_textp) struct kept_text *text = cursor->text;
	size_t at = cursor->offset;
	struct source rest = { .kept = text, .goes_on = cursor->goes_on && !skip, .revision = cursor->revision };

	text->refs++;
	for (size_t i = 0; i < skip && at < text->len; i++)
		at += strcspn(text->data + at, "\n") + 1;
	if (at >= text->len)
		return false;
	rest.text = text->data + at;
	rest.len = text->len - at;
	cut_text(all, &rest, budget, LIMIT_ANSWER_LINES_COUNT - NOTE_LINES, &ret->text, &ret->note);
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

	if (!parse_name(name, all->letter, &number, &skip))
		return CURSOR_MALFORMED;
	c = find(all, number);
	if (!c)
		return why_gone(all, number);
	ret->is_text = !c->outline;
	ret->revision = c->revision;
	if (c->outline)
		any = show_rows(all, c, skip, budget, &ret->text);
	else
		any = show_text(all, c, skip, budget, ret);
	return any ? CURSOR_SHOWN : CURSOR_BEYOND;
}

enum cursor_outcome cursors_show(struct cursors *all, const char *name, size_t budget, struct str *out)
{
	struct continued c = {};
	enum cursor_outcome outcome = cursors_continue(all, name, budget, &c);

	str_append_len(out, str_text(&c.text), c.text.len);
	append_note(out, &c.note);
	str_done(&c.text);
	str_done(&c.note);
	return outcome;
}
