#include "view/outline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/notation.h"

#define FNV_BASE 14695981039346656037u /* FNV-1a */
#define FNV_PRIME 1099511628211u
#define PACKED_LEAST (4u << 10)
#define PACKED_MOST (1u << 20) /* 10 ms */
#define DEPTH_MAX 100          /* of rows; scripts/outline.js stays far below, frames in frames come up to it */

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
	uint64_t hash = FNV_BASE;

	if (at == line || end - at < 6 || at[0] != ' ' || at[2] != ' ')
		return false;
	*ret = (struct outline_row){ .depth = (uint8_t)MIN(depth, (unsigned long)DEPTH_MAX), .kind = at[1] };
	for (at += 3; at < end && *at != ' '; at++)
		ret->flags |= (uint8_t)flag_of(*at);
	for (at++; at < end && *at != '\t'; at++)
		hash = (hash ^ (uint8_t)*at) * FNV_PRIME;
	if (end - at < 2) /* no row is without a text */
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

/* The rows of its text. */
static void read_rows(struct outline *c)
{
	c->count = 0;
	c->rows = must(calloc(count_lines(&c->text), sizeof(*c->rows)));
	for (const char *text = str_text(&c->text), *line = text, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		c->count += parse_row(line, end, text, &c->rows[c->count]);
	}
	close_rows(c);
}

/* Room that a text was given while it grew. */
static void trim(struct str *text)
{
	if (text->data) {
		text->data = must(realloc(text->data, text->len + 1));
		text->cap = text->len + 1;
	}
}

int outline_new(struct str *rows, struct outline **ret)
{
	struct outline *c;

	if (count_lines(rows) > LIMIT_VIEW_ROWS_COUNT)
		return -EMSGSIZE;
	c = NEW(struct outline);
	c->refs = 1;
	str_move(&c->text, rows);
	trim(&c->text);
	read_rows(c);
	*ret = c;
	return 0;
}

struct outline *outline_ref(struct outline *c)
{
	if (!c)
		return NULL;
	if (c->packed.data) {
		text_unpack(&c->packed, &c->text);
		read_rows(c);
	}
	c->refs++;
	return c;
}

struct outline *outline_keep(struct outline *c)
{
	if (c)
		c->keeps++;
	return c;
}

/* Packing takes time, so of what is large nothing else may be waiting for it, and of what is small it saves nothing. */
static void let_go(struct outline *c)
{
	if (c->refs)
		return;
	if (c->keeps &&
	    (c->packed.data || c->text.len < PACKED_LEAST || c->text.len > PACKED_MOST || !text_pack(&c->text, &c->packed)))
		return;
	free(c->rows);
	c->rows = NULL;
	if (c->keeps)
		return;
	str_done(&c->text);
	packed_done(&c->packed);
	free(c);
}

struct outline *outline_unref(struct outline *c)
{
	if (c) {
		c->refs--;
		let_go(c);
	}
	return NULL;
}

struct outline *outline_drop(struct outline *c)
{
	if (c) {
		c->keeps--;
		let_go(c);
	}
	return NULL;
}

size_t outline_size(const struct outline *c)
{
	return sizeof(*c) + c->text.cap + (c->rows ? c->count * sizeof(*c->rows) : 0) + c->packed.len;
}

bool is_beside_main(const struct outline *c, size_t row)
{
	static const char *const roles[] = { "banner", "contentinfo", "navigation", "complementary" };
	size_t len = strcspn(row_text(c, row), " :\n");

	for (size_t i = 0; c->rows[row].kind == 'L' && i < ARRAY_SIZE(roles); i++)
		if (strlen(roles[i]) == len && strncmp(row_text(c, row), roles[i], len) == 0)
			return true;
	return false;
}

size_t ref_length(const char *text, size_t len)
{
	return notation_name(text, len, "e");
}

/* A text in pieces: refs, which are outside of quotes and begin a word, and single bytes or escapes. */
struct pieces {
	const char *text;
	size_t len, at, begin; /* of the piece: text[begin] up to text[at] */
	bool is_ref, quoted;
};

static bool next_piece(struct pieces *p)
{
	size_t left = p->len - p->at, ref = 0;

	if (left == 0)
		return false;
	p->begin = p->at;
	if (p->quoted && p->text[p->at] == '\\') {
		p->at += MIN(left, (size_t)2);
	} else {
		if (p->text[p->at] == '"')
			p->quoted = !p->quoted;
		else if (!p->quoted && p->at > 0 && p->text[p->at - 1] == ' ')
			ref = ref_length(p->text + p->at, left);
		p->at += ref ? ref : 1;
	}
	p->is_ref = ref > 0;
	return true;
}

static struct pieces pieces_of(const struct outline *c, size_t row)
{
	return (struct pieces){ .text = row_text(c, row), .len = c->rows[row].len };
}

static bool equal_but_refs(struct pieces a, struct pieces b)
{
	for (;;) {
		bool more = next_piece(&a), other = next_piece(&b);

		if (!more || !other)
			return more == other;
		if (a.is_ref != b.is_ref || (!a.is_ref && (a.at - a.begin != b.at - b.begin ||
							   memcmp(a.text + a.begin, b.text + b.begin, a.at - a.begin) != 0)))
			return false;
	}
}

uint64_t row_hash(const struct outline *c, size_t row)
{
	uint64_t hash = FNV_BASE;

	for (struct pieces p = pieces_of(c, row); next_piece(&p);)
		hash = (hash ^ (p.is_ref ? 0 : (uint8_t)p.text[p.begin])) * FNV_PRIME;
	return hash;
}

const char *row_ref_from(const struct outline *c, size_t row, size_t from, size_t *len)
{
	struct pieces p = pieces_of(c, row);

	p.at = MIN(from, p.len);
	while (next_piece(&p) && !p.is_ref)
		;
	*len = p.is_ref ? p.at - p.begin : 0;
	return p.text + p.begin;
}

const char *row_ref(const struct outline *c, size_t row, size_t *len)
{
	return row_ref_from(c, row, 0, len);
}

size_t part_begin(const char *text, size_t at)
{
	bool quoted = false;
	size_t begin = 0;

	for (size_t i = 0; i + 1 < at; i++) {
		if (text[i] == '\\' && quoted)
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
		else if (!quoted && text[i + 1] == ' ' && strchr("|,:", text[i]))
			begin = i + 2;
	}
	return begin;
}

bool row_equals(const struct outline *a, size_t row, const struct outline *b, size_t other, bool but_refs)
{
	const struct outline_row *x = &a->rows[row], *y = &b->rows[other];

	if (x->len == y->len && memcmp(row_text(a, row), row_text(b, other), x->len) == 0)
		return true;
	return but_refs && equal_but_refs(pieces_of(a, row), pieces_of(b, other));
}

bool outline_equals(const struct outline *a, const struct outline *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->rows[i].key != b->rows[i].key || a->rows[i].depth != b->rows[i].depth || !row_equals(a, i, b, i, false))
			return false;
	return true;
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
