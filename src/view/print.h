/* Writing rows as lines of an answer, with short neighbours on one line. Private to this folder. */
#pragma once

#include "base/notation.h"
#include "view/outline.h"

#define GOES_ON "…" /* in front of the second part of a text: in outlines, a page's own is written as an escape */

struct printer {
	const struct outline *outline;
	struct str *out;
	unsigned base;    /* depth of rows that are not indented */
	const char *mark; /* in front of each line, "" for none: "+ " */
	size_t line;      /* where the last line begins in `out` */
	unsigned depth;   /* of its rows */
	bool is_open;     /* rows may be added to it */
};

/* Begins a line with its indentation. Nothing is added to the line before it. */
void print_line(struct printer *p, unsigned depth);
void print_row(struct printer *p, size_t row);
/* All rows from `first` until `end`. */
void print_rows(struct printer *p, size_t first, size_t end);
/*
 * A part of the row from byte `from` on, in at most `room` bytes and the quotes and the mark that it needs: whole characters and escapes,
 * whole words if possible. Returns the length of the part, which is not 0.
 */
size_t print_cut(struct printer *p, size_t row, size_t from, size_t room);
/* The same without a new line. */
size_t print_part(struct printer *p, size_t row, size_t from, size_t room);
/* From where on `room` bytes of the row show what was searched for and what is around it. */
size_t begin_around(const struct outline *c, size_t row, size_t room);
/*
 * How much of the first `len` bytes of a row is shown in at most `room` bytes where there is room for no more: whole characters and escapes,
 * and no part of a ref.
 */
size_t whole_parts(const struct outline *c, size_t row, size_t len, size_t room);
/* "1,234": a number in the text of an answer. */
void print_number(struct str *out, size_t n);
