/*
 * A page at one moment in the short notation (docs/answers.md): the rows that scripts/outline.js writes, as a tree. An outline does not
 * change, and is shared by references: views of it, cursors and the history of a tab hold it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum outline_flag {
	ROW_FOCUSED = 1 << 0,
	ROW_PLACE = 1 << 1,   /* the last action was here */
	ROW_VISIBLE = 1 << 2, /* in the viewport; known for long pages only */
	ROW_TICKS = 1 << 3,   /* changes by itself */
	ROW_MATCHES = 1 << 4, /* what was searched for */
	ROW_MATCHES_WORD = 1 << 5,
};

struct outline_row {
	uint32_t at, len; /* its text in the outline's */
	uint32_t end;     /* number of the first row after it and those in it */
	uint32_t parent;  /* the row around it; its own number: there is none */
	uint64_t key;     /* of its element, as long as the document exists */
	uint8_t depth;    /* level of indentation */
	uint8_t flags;    /* enum outline_flag */
	char kind; /* scripts/outline.js: L(andmark), C(ontainer), I(tem), D(ialog or message), A (control), t(ext), o(ther), 1 to 6 (heading) */
};

struct outline {
	unsigned refs;
	unsigned revision; /* by which answers name it; 0: none */
	struct str text;
	struct outline_row *rows;
	size_t count;
};

/* Takes the text of `rows`. -EMSGSIZE: it has more than LIMIT_VIEW_ROWS_COUNT rows. Rows that are not as they should be are left out. */
int outline_new(struct str *rows, struct outline **ret);
struct outline *outline_ref(struct outline *c);
struct outline *outline_unref(struct outline *c);
static inline void outline_unrefp(struct outline **c)
{
	outline_unref(*c);
}
/* Bytes that it takes. */
size_t outline_size(const struct outline *c);

static inline const char *row_text(const struct outline *c, size_t row)
{
	return c->text.data + c->rows[row].at;
}
/* Whether the rows have the same text. `but_refs`: the refs in it may differ. */
bool row_equals(const struct outline *a, size_t row, const struct outline *b, size_t other, bool but_refs);
/* The row around it; the same row: there is none. */
static inline size_t row_parent(const struct outline *c, size_t row)
{
	return c->rows[row].parent;
}
/* The same for rows that are equal but for their refs. */
uint64_t row_hash(const struct outline *c, size_t row);
/* The first ref in the row, of `*len` bytes; 0: it has none. */
const char *row_ref(const struct outline *c, size_t row, size_t *len);
/* Length of the role, name, ref and states, without ": " and what follows. */
size_t row_label_length(const struct outline *c, size_t row);
/* Length of the ref that begins at `text` (e12, f1e12), where a word begins; 0: none does. */
size_t ref_length(const char *text, size_t len);
