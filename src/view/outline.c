#include "view/outline.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define DEPTH_MAX 100 /* of rows; scripts/outline.js stays far below, frames in frames come up to it */

static unsigned flag_of(char c)
{
	static const struct {
		char letter;
		enum outline_flag flag;
	} flag_table[] = { { 'f', ROW_FOCUSED }, { 'p', ROW_PLACE },   { 'v', ROW_VISIBLE },
			   { 's', ROW_TICKS },   { 'm', ROW_MATCHES }, { 'w', ROW_MATCHES_WORD } };

	for (size_t i = 0; i < ARRAY_SIZE(flag_table); i++)
		if (flag_table[i].letter == c)
			return flag_table[i].flag;
	return 0;
}

/* One line: DEPTH KIND FLAGS KEY<tab>TEXT. */
static bool parse_row(const char *line, const char *end, const char *text, struct outline_row *ret)
{
	char *at;
	unsigned long depth = strtoul(line, &at, 10);
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	if (at == line || end - at < 6 || at[0] != ' ' || at[2] != ' ')
		return false;
	*ret = (struct outline_row){ .depth = (uint8_t)MIN(depth, (unsigned long)DEPTH_MAX), .kind = at[1] };
	for (at += 3; at < end && *at != ' '; at++)
		ret->flags |= (uint8_t)flag_of(*at);
	for (at++; at < end && *at != '\t'; at++)
		hash = (hash ^ (uint8_t)*at) * 1099511628211u;
	if (at >= end)
		return false;
	ret->key = hash;
	ret->at = (uint32_t)(at + 1 - text);
	ret->len = (uint32_t)(end - at - 1);
	return true;
}

static size_t count_lines(const struct str *text)
{
	size_t n = 0;

	for (const char *p = str_text(text); (p = strchr(p, '\n')); p++)
		n++;
	return n + 1;
}

/* Sets `end` and `parent` of all rows: the end of a row on the way to the last one is known when a row of its depth or above comes. */
static void close_rows(struct outline *c)
{
	size_t open[DEPTH_MAX + 1], depth = 0;

	for (size_t i = 0; i <= c->count; i++) {
		while (depth > 0 && (i == c->count || c->rows[open[depth - 1]].depth >= c->rows[i].depth))
			c->rows[open[--depth]].end = (uint32_t)i;
		if (i == c->count)
			return;
		c->rows[i].parent = (uint32_t)(depth ? open[depth - 1] : i);
		open[depth++] = i;
	}
}

int outline_new(struct str *rows, struct outline **ret)
{
	size_t max = count_lines(rows);
	struct outline *c;

	if (max > LIMIT_VIEW_ROWS_COUNT)
		return -EMSGSIZE;
	c = NEW(struct outline);
	c->refs = 1;
	str_move(&c->text, rows);
	c->rows = must(calloc(max, sizeof(*c->rows)));
	for (const char *text = str_text(&c->text), *line = text, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		c->count += parse_row(line, end, text, &c->rows[c->count]);
	}
	close_rows(c);
	*ret = c;
	return 0;
}

struct outline *outline_ref(struct outline *c)
{
	if (c)
		c->refs++;
	return c;
}

struct outline *outline_unref(struct outline *c)
{
	if (!c || --c->refs > 0)
		return NULL;
	str_done(&c->text);
	free(c->rows);
	free(c);
	return NULL;
}

size_t outline_size(const struct outline *c)
{
	return sizeof(*c) + c->text.cap + c->count * sizeof(*c->rows);
}

size_t ref_length(const char *text, size_t len)
{
	size_t at = 0, digits;

	if (at < len && text[at] == 'f') {
		for (digits = at + 1; digits < len && isdigit((unsigned char)text[digits]); digits++)
			;
		if (digits > at + 1)
			at = digits;
	}
	if (at >= len || text[at] != 'e')
		return 0;
	for (digits = at + 1; digits < len && isdigit((unsigned char)text[digits]); digits++)
		;
	if (digits == at + 1 || (digits < len && (isalnum((unsigned char)text[digits]) || text[digits] == '_')))
		return 0;
	return digits;
}

static bool begins_word(const char *text, size_t at)
{
	return at > 0 && text[at - 1] == ' ';
}

static bool equal_but_refs(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0, j = 0;

	while (i < a_len && j < b_len) {
		size_t ref = begins_word(a, i) ? ref_length(a + i, a_len - i) : 0;
		size_t other = begins_word(b, j) ? ref_length(b + j, b_len - j) : 0;

		if (ref && other) {
			i += ref;
			j += other;
		} else if (a[i++] != b[j++]) {
			return false;
		}
	}
	return i == a_len && j == b_len;
}

bool row_equals(const struct outline *a, size_t row, const struct outline *b, size_t other, bool but_refs)
{
	const struct outline_row *x = &a->rows[row], *y = &b->rows[other];

	if (x->len == y->len && memcmp(row_text(a, row), row_text(b, other), x->len) == 0)
		return true;
	return but_refs && equal_but_refs(row_text(a, row), x->len, row_text(b, other), y->len);
}

size_t row_label_length(const struct outline *c, size_t row)
{
	const char *text = row_text(c, row);
	size_t len = c->rows[row].len;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\\' && quoted)
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
		else if (!quoted && text[i] == ':' && i + 1 < len && text[i + 1] == ' ')
			return i;
	}
	return len;
}
