#include "view/cursors.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "view/cursors_internal.h"
#include "view/print.h"

#define LINES_LEAST 8u /* of an answer with lines that are shortened */
#define LINE_SHARE 16  /* they have at least this part of it, */
#define LINE_LEAST 80u /* or these bytes */

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

struct kept_text *kept_text_unref(struct kept_text *text)
{
	if (text && --text->refs == 0)
		free(text);
	return NULL;
}

static void cursors_forget(struct cursors *all, struct cursor *c)
{
	TAILQ_REMOVE(&all->list, c, link);
	all->count--;
	outline_drop(c->outline);
	kept_text_unref(c->text);
	free(c->spans);
	free(c);
}

void cursors_done(struct cursors *all)
{
	while (all->count)
		cursors_forget(all, TAILQ_FIRST(&all->list));
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
static bool cursors_has_room(const struct cursors *all, const struct cursor *newest)
{
	const struct cursor *oldest = TAILQ_FIRST(&all->list);

	if (all->count > LIMIT_CURSORS_COUNT)
		return false;
	return (oldest->outline == newest->outline && oldest->text == newest->text) || cursors_size(all) <= all->limit;
}

static unsigned cursors_add(struct cursors *all, struct cursor *c)
{
	c->number = ++all->last;
	TAILQ_INSERT_TAIL(&all->list, c, link);
	all->count++;
	while (!cursors_has_room(all, c))
		cursors_forget(all, TAILQ_FIRST(&all->list));
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
	return cursors_add(all, new);
}

unsigned cursors_add_rows(struct cursors *all, struct outline *c, size_t first, size_t end, size_t offset)
{
	unsigned number = cursors_add_spans(all, c, &(const struct span){ (uint32_t)first, (uint32_t)end }, 1, false);

	TAILQ_LAST(&all->list, cursor_list)->offset = offset;
	return number;
}

/* From byte `at` of the source on. */
static unsigned cursors_add_source(struct cursors *all, const struct text_source *s, size_t at, bool goes_on)
{
	struct cursor *new = NEW(struct cursor);

	new->text = s->kept ? s->kept : keep_text(s->text + at, s->len - at);
	new->text->refs += s->kept != NULL;
	new->offset = s->kept ? (size_t)(s->text + at - s->kept->data) : 0;
	new->goes_on = goes_on;
	new->revision = s->revision;
	return cursors_add(all, new);
}

unsigned cursors_add_text(struct cursors *all, const char *text, size_t len)
{
	return cursors_add_source(all, &(const struct text_source){ .text = text, .len = len, .revision = all->revision }, 0,
				  false);
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
static size_t write_lines(const struct text_source *s, size_t budget, size_t lines, struct str *out, size_t *left_out)
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

static void write_rest_note(struct cursors *all, const struct text_source *s, size_t shown, struct str *note)
{
	if (shown == s->len)
		return;
	str_append(note, note->len ? "\n… " : "… ");
	print_number(note, s->len - shown);
	str_appendf(note, " more bytes, cursor %c%u", all->letter, cursors_add_source(all, s, shown, s->text[shown - 1] != '\n'));
}

/* A text of several lines. False: nothing is written, as no line had to be shortened. */
static bool cut_lines(struct cursors *all, const struct text_source *s, size_t budget, size_t lines, struct str *out,
		      struct str *note)
{
	_cleanup_(str_done) struct str text = {};
	struct text_source kept = *s;
	size_t left_out = 0, shown;

	if (!s->has_lines || lines < LINES_LEAST || budget < LINES_LEAST * LINE_LEAST || next_line(s->text, s->len, 0) == s->len)
		return false;
	shown = write_lines(s, budget - 2 * CURSOR_NOTE_ROOM, lines - 2, &text, &left_out);
	if (!left_out)
		return false;
	kept.kept = keep_text(s->text, s->len);
	kept.text = kept.kept->data;
	str_append_len(out, str_text(&text), text.len);
	str_append(note, "… ");
	print_number(note, left_out);
	str_appendf(note, " bytes of long lines, cursor %c%u to all of them", all->letter,
		    cursors_add_source(all, &kept, 0, false));
	write_rest_note(all, &kept, shown, note);
	kept_text_unref(kept.kept);
	return true;
}

void cursors_cut_source(struct cursors *all, const struct text_source *s, size_t budget, size_t lines, struct str *out,
			struct str *note)
{
	size_t shown = s->len, newlines = 0, mark = s->goes_on ? strlen(GOES_ON) : 0, room = CURSOR_NOTE_ROOM + mark;
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

void cursors_append_note(struct str *out, const struct str *note)
{
	if (note->len && out->len && out->data[out->len - 1] != '\n')
		str_append_char(out, '\n');
	str_append(out, str_text(note));
}

void cursors_cut_apart(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		       struct str *out, struct str *note)
{
	cursors_cut_source(all,
			   &(const struct text_source){
				   .text = text, .len = len, .has_lines = has_lines, .revision = all->revision },
			   budget, lines, out, note);
}

void cursors_cut_text(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		      struct str *out)
{
	_cleanup_(str_done) struct str note = {};

	cursors_cut_apart(all, text, len, budget, lines, has_lines, out, &note);
	cursors_append_note(out, &note);
}
