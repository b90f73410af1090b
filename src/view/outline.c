#include "view/outline.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/notation.h"

#define FNV_BASE 14695981039346656037u /* FNV-1a */
#define FNV_PRIME 1099511628211u
#define PACKED_LEAST (4u << 10)
#define PACKED_MOST (3u << 20) /* 15 ms */
#define DEPTH_MAX 100          /* of rows; scripts/outline.js stays far below, frames in frames come up to it */
#define FLAGS_MASK 0x3fffu     /* of a row */

static unsigned flag_of(char c)
{
	static const struct {
		char letter;
		enum outline_flag flag;
	} flag_table[] = { { 'f', ROW_FOCUSED },    { 'p', ROW_PLACE },   { 'v', ROW_VISIBLE },      { 's', ROW_TICKS },
			   { 'a', ROW_ALTERNATES }, { 'm', ROW_MATCHES }, { 'w', ROW_MATCHES_WORD }, { 'h', ROW_HEADER },
			   { 'e', ROW_INVALID },    { 'b', ROW_SUMS } };

	for (size_t i = 0; i < ARRAY_SIZE(flag_table); i++)
		if (flag_table[i].letter == c)
			return flag_table[i].flag;
	return 0;
}

/* One line: DEPTH KIND FLAGS KEY<tab>TEXT. `match`: what row_match() returns. */
static bool parse_row(const char *line, const char *end, const char *text, struct outline_row *ret, size_t *match)
{
	char *at;
	unsigned long depth = strtoul(line, &at, 10);
	uint64_t hash = FNV_BASE;
	unsigned flags = 0;

	if (at == line || end - at < 6 || at[0] != ' ' || at[2] != ' ')
		return false;
	*ret = (struct outline_row){ .depth = (uint8_t)MIN(depth, (unsigned long)DEPTH_MAX), .kind = at[1] };
	*match = 0;
	for (at += 3; at < end && *at != ' '; at++)
		if (isdigit((unsigned char)*at))
			*match = MIN(*match * 10 + (size_t)(*at - '0'), (size_t)LIMIT_VIEW_BYTES);
		else
			flags |= flag_of(*at);
	ret->flags = (uint16_t)(flags & FLAGS_MASK);
	for (at++; at < end && *at != '\t'; at++)
		hash = (hash ^ (uint8_t)*at) * FNV_PRIME;
	if (end - at < 2) /* no row is without a text */
		return false;
	ret->key = hash;
	ret->at = (uint32_t)(at + 1 - text);
	ret->len = (uint32_t)(end - at - 1);
	return true;
}

static void read_marks(struct outline *c, struct outline_row *r, size_t match)
{
	r->marks = (uint32_t)c->marks.count;
	marks_take(&c->marks, c->text.data + r->at, r->len);
	if (match && match < r->len)
		marks_add_match(&c->marks, r->marks, match);
	for (size_t i = r->marks; i < c->marks.count; i++) {
		r->has_parts |= c->marks.list[i].kind == MARK_PART;
		r->has_contents |= c->marks.list[i].kind == MARK_CONTENTS;
	}
}

static size_t outline_count_lines(const struct str *text)
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
	c->rows = must(calloc(outline_count_lines(&c->text) + 1, sizeof(*c->rows)));
	for (const char *text = str_text(&c->text), *line = text, *end; *line; line = *end ? end + 1 : end) {
		size_t match;

		end = strchrnul(line, '\n');
		if (parse_row(line, end, text, &c->rows[c->count], &match))
			read_marks(c, &c->rows[c->count++], match);
	}
	c->rows[c->count] = (struct outline_row){ .marks = (uint32_t)c->marks.count };
	marks_trim(&c->marks);
	close_rows(c);
}

/* Room that a text was given while it grew. */
static void outline_trim(struct str *text)
{
	if (text->data) {
		text->data = must(realloc(text->data, text->len + 1));
		text->cap = text->len + 1;
	}
}

/* Puts the marks into the text, or takes them out again. */
static void put_marks(struct outline *c, bool shown)
{
	for (size_t i = 0, count; i < c->count; i++) {
		const struct mark *marks = row_marks(c, i, &count);

		marks_put(marks, count, c->text.data + c->rows[i].at, c->rows[i].len, shown);
	}
}

int outline_new(struct str *rows, struct outline **ret)
{
	struct outline *c;

	if (rows->len > LIMIT_VIEW_BYTES || outline_count_lines(rows) > LIMIT_VIEW_ROWS_COUNT)
		return -EMSGSIZE;
	c = NEW(struct outline);
	c->refs = 1;
	str_move(&c->text, rows);
	outline_trim(&c->text);
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
static bool outline_pack(struct outline *c)
{
	if (c->packed.data || c->text.len < PACKED_LEAST || c->text.len > PACKED_MOST)
		return false;
	put_marks(c, false);
	if (text_pack(&c->text, &c->packed))
		return true;
	put_marks(c, true);
	return false;
}

static void let_go(struct outline *c)
{
	if (c->refs || (c->keeps && !outline_pack(c)))
		return;
	free(c->rows);
	c->rows = NULL;
	marks_done(&c->marks);
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
	return sizeof(*c) + c->text.cap + (c->rows ? c->count * sizeof(*c->rows) : 0) + c->marks.cap * sizeof(*c->marks.list) +
	       c->packed.len;
}

bool row_has_role(const struct outline *c, size_t row, const char *role)
{
	size_t len = strlen(role), whole = c->rows[row].len;
	const char *text = row_text(c, row);

	return whole >= len && memcmp(text, role, len) == 0 && (whole == len || strchr(" :", text[len]));
}

bool is_beside_main(const struct outline *c, size_t row)
{
	static const char *const roles[] = { "banner", "contentinfo", "navigation", "complementary" };

	for (size_t i = 0; c->rows[row].kind == 'L' && i < ARRAY_SIZE(roles); i++)
		if (row_has_role(c, row, roles[i]))
			return true;
	return false;
}

/* ---- comparing ---- */

/* A row in pieces: what is between two refs, and before and after them. */
struct pieces {
	const struct outline *outline;
	size_t row;
	const struct mark *marks;
	size_t left; /* marks */
	const char *from, *end, *next;
};

static struct pieces pieces_of(const struct outline *c, size_t row)
{
	struct pieces p = { .outline = c, .row = row, .next = row_text(c, row) };

	p.marks = row_marks(c, row, &p.left);
	return p;
}

/* False: the piece is the last one. */
static bool next_piece(struct pieces *p)
{
	size_t len;

	p->from = p->next;
	for (; p->left > 0; p->marks++, p->left--) {
		if (p->marks->kind != MARK_REF)
			continue;
		p->end = row_ref_at(p->outline, p->row, p->marks, &len);
		p->next = p->end + len;
		p->marks++;
		p->left--;
		return true;
	}
	p->end = row_text(p->outline, p->row) + p->outline->rows[p->row].len;
	return false;
}

static bool equal_but_refs(struct pieces a, struct pieces b)
{
	for (;;) {
		bool more = next_piece(&a), other = next_piece(&b);

		if (more != other || a.end - a.from != b.end - b.from || memcmp(a.from, b.from, (size_t)(a.end - a.from)) != 0)
			return false;
		if (!more)
			return true;
	}
}

uint64_t row_hash(const struct outline *c, size_t row)
{
	struct pieces p = pieces_of(c, row);
	uint64_t hash = FNV_BASE;
	bool more;

	do {
		more = next_piece(&p);
		for (const char *at = p.from; at < p.end; at++)
			hash = (hash ^ (uint8_t)*at) * FNV_PRIME;
		hash *= FNV_PRIME;
	} while (more);
	return hash;
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

/* ---- parts ---- */

const char *row_ref_at(const struct outline *c, size_t row, const struct mark *mark, size_t *len)
{
	const char *ref = row_text(c, row) + mark->at + 1;

	*len = notation_name(ref, c->rows[row].len - mark->at - 1, "e");
	return ref;
}

const char *row_ref(const struct outline *c, size_t row, size_t *len)
{
	size_t count;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t i = 0; i < count; i++)
		if (marks[i].kind == MARK_REF)
			return row_ref_at(c, row, &marks[i], len);
	*len = 0;
	return row_text(c, row);
}

size_t row_match(const struct outline *c, size_t row)
{
	size_t count;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t i = 0; (c->rows[row].flags & ROW_MATCHES) && i < count; i++)
		if (marks[i].kind == MARK_MATCH)
			return marks[i].at;
	return 0;
}

size_t row_marks_before(const struct outline *c, size_t row, size_t at)
{
	size_t count, low = 0;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t high = count; low < high;) {
		size_t mid = (low + high) / 2;

		if (marks[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t row_part(const struct outline *c, size_t row, size_t at)
{
	size_t count, i = row_marks_before(c, row, at);
	const struct mark *marks = row_marks(c, row, &count);

	while (i-- > 0)
		if (mark_begins_part(&marks[i]) && marks[i].at + 2u <= at)
			return marks[i].at + 2u;
	return 0;
}

bool row_in_quotes(const struct outline *c, size_t row, size_t at)
{
	size_t count, i = row_marks_before(c, row, at);
	const struct mark *marks = row_marks(c, row, &count);

	while (i-- > 0)
		if (marks[i].kind == MARK_QUOTE || marks[i].kind == MARK_QUOTE_END)
			return marks[i].kind == MARK_QUOTE;
	return false;
}

size_t row_label_length(const struct outline *c, size_t row)
{
	size_t count;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t i = 0; c->rows[row].has_contents && i < count; i++)
		if (marks[i].kind == MARK_CONTENTS)
			return marks[i].at;
	return c->rows[row].len;
}

void row_append_line(const struct outline *c, size_t row, struct str *out)
{
	const char *text = str_text(&c->text), *begin = row_text(c, row);
	size_t count, at = out->len;
	const struct mark *marks = row_marks(c, row, &count);

	while (begin > text && begin[-1] != '\n')
		begin--;
	str_append_len(out, begin, (size_t)(row_text(c, row) + c->rows[row].len - begin));
	at += (size_t)(row_text(c, row) - begin);
	marks_put(marks, count, out->data + at, out->len - at, false);
	str_append_char(out, '\n');
}
