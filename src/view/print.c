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

static bool is_joinable(const struct outline_row *r, size_t row)
{
	return (r->kind == 'A' || r->kind == 't' || r->kind == 'I') && r->end == row + 1;
}

/* Items are joined where they say what they are (`option "A"`), so that cells of rows stay apart. */
static bool may_join(const struct printer *p, size_t row)
{
	const struct outline_row *r = &p->outline->rows[row];

	if (!p->is_open || r->depth != p->depth || !is_joinable(r, row))
		return false;
	return p->out->len - p->line + r->len + 3 <= JOINED_MAX &&
	       (r->kind != 'I' || !memmem(row_text(p->outline, row), r->len, " | ", 3));
}

void print_row(struct printer *p, size_t row)
{
	const struct outline_row *r = &p->outline->rows[row];

	if (may_join(p, row))
		str_append(p->out, " | ");
	else
		print_line(p, r->depth);
	str_append_len(p->out, row_text(p->outline, row), r->len);
	p->is_open = is_joinable(r, row) && (r->kind != 'I' || !memmem(row_text(p->outline, row), r->len, " | ", 3));
}

void print_rows(struct printer *p, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		print_row(p, i);
}

/* Where the text may be cut: not in a character, and after a word if there is one. */
static size_t cut_at(const char *text, size_t len, size_t room)
{
	size_t at = MIN(room, len), word;

	if (at == len)
		return len;
	while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	for (word = at; word > at / 2 && text[word] != ' '; word--)
		;
	return word > at / 2 ? word : at;
}

/* Whether a name or a text in quotes has begun and not ended. */
static bool is_in_quotes(const char *text, size_t len)
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

size_t print_cut(struct printer *p, size_t row, size_t from, size_t room)
{
	const struct outline_row *r = &p->outline->rows[row];
	const char *text = row_text(p->outline, row);
	size_t len = cut_at(text + from, r->len - from, room);
	bool was_quoted = is_in_quotes(text, from);

	while (len > 0 && from + len < r->len && text[from + len - 1] == '\\') /* an escape stays whole */
		len--;
	print_line(p, r->depth);
	str_append(p->out, was_quoted ? "\"" : "");
	str_append_len(p->out, text + from, len);
	str_append(p->out, is_in_quotes(text, from + len) ? "\"" : "");
	return len;
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
