#include "view/print.h"

#include <string.h>

#define JOINED_MAX 160u /* bytes of a line that several rows share */
#define ESCAPE_MAX 6u   /* bytes: \u2028 */

void print_line(struct printer *p, unsigned depth)
{
	static const char blanks[] =
		"                                                                                                    ";
	unsigned indent = depth > p->base ? depth - p->base : 0;

	if (p->out->len)
		str_append_char(p->out, '\n');
	p->line = p->out->len;
	p->depth = depth;
	p->is_open = false;
	str_append(p->out, p->mark ? p->mark : "");
	str_append_len(p->out, blanks, MIN((size_t)indent, sizeof(blanks) - 1));
}

/* A row with parts of its own stays alone, so that these and its neighbours are not mistaken for each other. */
static bool is_joinable(const struct outline *c, size_t row)
{
	const struct outline_row *r = &c->rows[row];

	return (r->kind == 'A' || r->kind == 't' || r->kind == 'I') && r->end == row + 1 && !r->has_parts;
}

void print_row(struct printer *p, size_t row)
{
	const struct outline_row *r = &p->outline->rows[row];
	bool joinable = is_joinable(p->outline, row);

	if (p->is_open && joinable && r->depth == p->depth && p->out->len - p->line + r->len + 3 <= JOINED_MAX)
		str_append(p->out, " | ");
	else
		print_line(p, r->depth);
	str_append_len(p->out, row_text(p->outline, row), r->len);
	p->is_open = joinable;
}

void print_rows(struct printer *p, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		print_row(p, i);
}

/* ---- long rows ---- */

/* Whether the backslash at `at` begins an escape, which depends on those before it, back to byte `from`. */
static bool begins_escape(const char *text, size_t from, size_t at)
{
	size_t run = at;

	while (run > from && text[run - 1] == '\\')
		run--;
	return (at - run) % 2 == 0;
}

/*
 * Where the escape that byte `at` is in, but does not begin, begins and ends; false: it is in none. Byte `from`, before it, is in none
 * either.
 */
static bool find_escape(const struct outline *c, size_t row, size_t from, size_t at, size_t *begin, size_t *end)
{
	const char *text = row_text(c, row);

	if (!row_in_quotes(c, row, at))
		return false;
	for (size_t i = at; i > from && at - i < ESCAPE_MAX - 1; i--) {
		size_t len = i < c->rows[row].len && text[i] == 'u' ? ESCAPE_MAX : 2;

		if (text[i - 1] != '\\' || i - 1 + len <= at || !begins_escape(text, from, i - 1))
			continue;
		*begin = i - 1;
		*end = i - 1 + len;
		return true;
	}
	return false;
}

size_t whole_parts(const struct outline *c, size_t row, size_t len, size_t room)
{
	const char *text = row_text(c, row);
	size_t end = whole_characters(text, len, room), word = end, begin, after;

	if (end == len)
		return len;
	if (find_escape(c, row, 0, end, &begin, &after))
		return begin;
	while (word > 0 && text[word - 1] != ' ')
		word--;
	return word > 0 && !row_in_quotes(c, row, end) ? word : end;
}

/* Up to where the text from byte `from` on is printed: not into a character or an escape, and up to the end of a word if there is one. */
static size_t cut_at(const struct outline *c, size_t row, size_t from, size_t room)
{
	const char *text = row_text(c, row);
	size_t len = c->rows[row].len, end = from + whole_characters(text + from, len - from, room), word, begin, after;

	if (end == len)
		return len;
	for (word = end; word > from + (end - from) / 2 && text[word - 1] != ' '; word--)
		;
	if (word > from && text[word - 1] == ' ')
		end = word;
	if (find_escape(c, row, from, end, &begin, &after))
		end = begin > from ? begin : MIN(after, len);
	return end;
}

/*
 * Of a row with several parts, how much of it is before the part that byte `end` is in, when the ref of that comes later; else `end`. `ref`,
 * of `*ref_len` bytes: that ref, if nothing of the text from byte `from` on is before this part.
 */
static size_t keep_ref(const struct outline *c, size_t row, size_t from, size_t end, const char **ref, size_t *ref_len)
{
	size_t begin = row_part(c, row, end), i = begin ? row_marks_before(c, row, begin - 1) : 0, count, len, at;
	const struct mark *marks = row_marks(c, row, &count);

	*ref_len = 0;
	while (i < count && marks[i].kind != MARK_REF && !mark_begins_part(&marks[i]))
		i++;
	if (i == count || marks[i].kind != MARK_REF)
		return end;
	*ref = row_ref_at(c, row, &marks[i], &len);
	at = marks[i].at + 1u;
	if (at + len <= end)
		return end;
	if (at < end)
		return at + len;
	if (begin > from)
		return begin;
	*ref_len = len;
	return end;
}

size_t print_part(struct printer *p, size_t row, size_t from, size_t room)
{
	const struct outline *c = p->outline;
	const char *text = row_text(c, row), *ref;
	size_t end = cut_at(c, row, from, room), ref_len;

	end = keep_ref(c, row, from, end, &ref, &ref_len);
	if (ref_len && room > 2 * (ref_len + 1))
		end = cut_at(c, row, from, room - ref_len - 1);
	str_append(p->out, from ? GOES_ON : "");
	str_append(p->out, row_in_quotes(c, row, from) ? "\"" : "");
	str_append_len(p->out, text + from, end - from);
	str_append(p->out, row_in_quotes(c, row, end) ? "\"" : "");
	if (ref_len) {
		str_append(p->out, p->out->data[p->out->len - 1] == ' ' ? "" : " ");
		str_append_len(p->out, ref, ref_len);
	}
	return end - from;
}

size_t print_cut(struct printer *p, size_t row, size_t from, size_t room)
{
	print_line(p, p->outline->rows[row].depth);
	return print_part(p, row, from, room);
}

size_t begin_around(const struct outline *c, size_t row, size_t room)
{
	const char *text = row_text(c, row);
	size_t match = row_match(c, row), begin = match > room / 2 ? match - room / 3 : 0, word = begin, after;

	while (word > 0 && word < match && text[word - 1] != ' ')
		word++;
	if (word < match || !begin)
		return word;
	while (begin > 0 && ((unsigned char)text[begin] & 0xc0) == 0x80)
		begin--;
	if (find_escape(c, row, 0, begin, &word, &after))
		begin = word;
	return begin;
}

void print_number(struct str *out, size_t n)
{
	if (n >= 1000) {
		print_number(out, n / 1000);
		str_appendf(out, ",%03zu", n % 1000);
	} else {
		str_appendf(out, "%zu", n);
	}
}
