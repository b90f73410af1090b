#include "view/print.h"

#include <string.h>

#define JOINED_MAX 160u /* bytes of a line that several rows share */

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

	return (r->kind == 'A' || r->kind == 't' || r->kind == 'I') && r->end == row + 1 &&
	       !memmem(row_text(c, row), r->len, " | ", 3);
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

bool is_in_quotes(const char *text, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\\' && quoted)
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
	}
	return quoted;
}

/* Where the escape in which byte `at` is begins and ends; false: it is in none. */
static bool find_escape(const char *text, size_t at, size_t *begin, size_t *end)
{
	bool quoted = false;

	for (size_t i = 0; i < at; i++) {
		if (text[i] == '"')
			quoted = !quoted;
		if (text[i] != '\\' || !quoted)
			continue;
		*begin = i;
		*end = i + (text[i + 1] == 'u' ? 6 : 2);
		i = *end - 1;
		if (*end > at)
			return true;
	}
	return false;
}

size_t whole_parts(const char *text, size_t len, size_t room)
{
	size_t end = whole_characters(text, len, room), word = end, begin, after;

	if (end == len)
		return len;
	if (find_escape(text, end, &begin, &after))
		return begin;
	while (word > 0 && text[word - 1] != ' ')
		word--;
	return word > 0 && !is_in_quotes(text, end) ? word : end;
}

/* Up to where the text from byte `from` on is printed: not into a character or an escape, and up to the end of a word if there is one. */
static size_t cut_at(const char *text, size_t len, size_t from, size_t room)
{
	size_t end = from + whole_characters(text + from, len - from, room), word, begin, after;

	if (end == len)
		return len;
	for (word = end; word > from + (end - from) / 2 && text[word - 1] != ' '; word--)
		;
	if (word > from && text[word - 1] == ' ')
		end = word;
	if (find_escape(text, end, &begin, &after))
		end = begin > from ? begin : MIN(after, len);
	return end;
}

/*
 * Of a row with several parts, how much of it is before the part that byte `end` is in, when the ref of that comes later; else `end`. `ref`,
 * of `*ref_len` bytes: that ref, if nothing of the text from byte `from` on is before this part.
 */
static size_t keep_ref(const struct outline *c, size_t row, size_t from, size_t end, const char **ref, size_t *ref_len)
{
	const char *text = row_text(c, row);
	size_t begin = part_begin(text, end), len;

	*ref_len = 0;
	*ref = row_ref_from(c, row, begin, &len);
	if (!len || *ref + len <= text + end || part_begin(text, (size_t)(*ref - text)) != begin)
		return end;
	if (*ref < text + end)
		return (size_t)(*ref + len - text);
	if (begin > from)
		return begin;
	*ref_len = len;
	return end;
}

size_t print_cut(struct printer *p, size_t row, size_t from, size_t room)
{
	const struct outline_row *r = &p->outline->rows[row];
	const char *text = row_text(p->outline, row), *ref;
	size_t end = cut_at(text, r->len, from, room), ref_len;

	end = keep_ref(p->outline, row, from, end, &ref, &ref_len);
	if (ref_len && room > 2 * (ref_len + 1))
		end = cut_at(text, r->len, from, room - ref_len - 1);
	print_line(p, r->depth);
	str_append(p->out, from ? GOES_ON : "");
	str_append(p->out, is_in_quotes(text, from) ? "\"" : "");
	str_append_len(p->out, text + from, end - from);
	str_append(p->out, is_in_quotes(text, end) ? "\"" : "");
	if (ref_len) {
		str_append(p->out, p->out->data[p->out->len - 1] == ' ' ? "" : " ");
		str_append_len(p->out, ref, ref_len);
	}
	return end - from;
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
