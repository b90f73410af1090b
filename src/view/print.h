/* Writing rows as lines of an answer, with short neighbours on one line. Private to this folder. */
#pragma once

#include "view/outline.h"

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
/* The row cut to about `room` bytes, at the end of a word if possible. Returns the length that was printed. */
size_t print_cut(struct printer *p, size_t row, size_t from, size_t room);
/* "1,234": a number in the text of an answer. */
void print_number(struct str *out, size_t n);
