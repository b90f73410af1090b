/*
 * A page at one moment in the short notation (docs/answers.md): the rows that scripts/outline.js writes, as a tree. An outline does not
 * change, and is shared. A reference is for reading it: a view that is written, the newest one of a tab. What may be asked for later,
 * by cursors and in the history of a tab, is only kept: without a reference to it, an outline is packed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "view/marks.h"
#include "view/packed.h"

enum outline_flag {
	ROW_FOCUSED = 1 << 0,
	ROW_PLACE = 1 << 1,   /* the last action was here */
	ROW_VISIBLE = 1 << 2, /* in the viewport; known for long pages only */
	ROW_TICKS = 1 << 3,   /* changes by itself */
	ROW_MATCHES = 1 << 4, /* what was searched for */
	ROW_MATCHES_WORD = 1 << 5,
	ROW_ALTERNATES = 1 << 6, /* with ROW_TICKS: shows nothing but one of a few texts by turns */
	ROW_HEADER = 1 << 7,     /* says what is in the columns of its table */
	ROW_INVALID = 1 << 8,    /* a field that has to be corrected, in a long page */
	ROW_SUMS = 1 << 9,       /* says what the rows in it say; these are shown if they are asked for */
};

struct outline_row {
	uint32_t at, len; /* its text in the outline's */
	uint32_t end;     /* number of the first row after it and those in it */
	uint32_t parent;  /* the row around it; its own number: there is none */
	uint64_t key;     /* of its element, as long as the document exists */
	uint32_t marks;   /* its first mark in the outline's; those of the next row follow */
	uint8_t depth;    /* level of indentation */
	char kind; /* scripts/outline.js: L(andmark), C(ontainer), I(tem), D(ialog or message), A (control), t(ext), o(ther), 1 to 6 (heading) */
	uint16_t flags : 14;   /* enum outline_flag */
	bool has_parts : 1;    /* several, with " | " between them */
	bool has_contents : 1; /* its label is not all of it */
};

struct outline {
	unsigned refs, keeps;
	unsigned counted;  /* the last sum of sizes that it is in (view/cursors.c) */
	unsigned revision; /* by which answers name it, or the newest one when it was taken; 0: there was none */
	struct str text;
	struct outline_row *rows; /* and one behind the last, with the end of its marks */
	size_t count;
	struct marks marks;
	struct packed packed; /* the text with what stands for marks; there are no rows then */
};

/* Takes the text of `rows`. -EMSGSIZE: they are more than LIMIT_VIEW_ROWS_COUNT or LIMIT_VIEW_BYTES. Rows that are not as they should be are left out. */
int outline_new(struct str *rows, struct outline **ret);
struct outline *outline_ref(struct outline *c);
struct outline *outline_unref(struct outline *c);
struct outline *outline_keep(struct outline *c);
struct outline *outline_drop(struct outline *c);
static inline void outline_unrefp(struct outline **c)
{
	outline_unref(*c);
}
/* Whether both say the same of the same elements: the page has not changed in between, as far as views show it. */
bool outline_equals(const struct outline *a, const struct outline *b);
/* Bytes that it takes now. */
size_t outline_size(const struct outline *c);

static inline const char *row_text(const struct outline *c, size_t row)
{
	return c->text.data + c->rows[row].at;
}
/* Whether the rows have the same text. `but_refs`: the refs in it may differ. */
bool row_equals(const struct outline *a, size_t row, const struct outline *b, size_t other, bool but_refs);
static inline bool is_heading(const struct outline_row *r)
{
	return r->kind >= '1' && r->kind <= '6';
}
/* Whether the row is a landmark that pages repeat: banner, navigation, footer or an aside. */
bool is_beside_main(const struct outline *c, size_t row);
/* The row around it; the same row: there is none. */
static inline size_t row_parent(const struct outline *c, size_t row)
{
	return c->rows[row].parent;
}
/* A hash of what the row says: rows that are equal but for their refs have the same one. */
uint64_t row_hash(const struct outline *c, size_t row);
/* Whether the row, which is a container or a landmark, has this role. */
bool row_has_role(const struct outline *c, size_t row, const char *role);
static inline const struct mark *row_marks(const struct outline *c, size_t row, size_t *count)
{
	*count = c->rows[row + 1].marks - c->rows[row].marks;
	return c->marks.list + c->rows[row].marks;
}
/* The first ref in the row, of `*len` bytes; 0: it has none. */
const char *row_ref(const struct outline *c, size_t row, size_t *len);
/* The ref that the mark, a MARK_REF, is before. */
const char *row_ref_at(const struct outline *c, size_t row, const struct mark *mark, size_t *len);
/* Where in the text of the row that is what was searched for, as far as that is known; 0: at its beginning. */
size_t row_match(const struct outline *c, size_t row);
/* How many marks of the row are before byte `at`. */
size_t row_marks_before(const struct outline *c, size_t row, size_t at);
/* Where the part of the row begins that byte `at` is in: behind " | ", ", " or ": ". */
size_t row_part(const struct outline *c, size_t row, size_t at);
/* Whether a name or a text in quotes has begun before byte `at` and not ended. */
bool row_in_quotes(const struct outline *c, size_t row, size_t at);
/* Length of the role, name, ref and states, without ": " and what follows. */
size_t row_label_length(const struct outline *c, size_t row);
/* Appends the row as outline_new() takes it. */
void row_append_line(const struct outline *c, size_t row, struct str *out);
