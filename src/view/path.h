/* Where a row is: the labels of what is around it. Private to this folder. */
#pragma once

#include "view/outline.h"

#define PATH_MAX_BYTES 260u /* the longest path with "in " */

/* Appends `main > table "Invoices"`: the nearest of the named or structural rows around `row`; false: there are none. */
bool path_append(const struct outline *c, size_t row, struct str *out);
/* The path to what is in `row`; false: that is in the page itself. */
bool path_append_inside(const struct outline *c, size_t row, struct str *out);
/* The row in few bytes: its ref, or the beginning of its label. */
void path_append_short(const struct outline *c, size_t row, struct str *out);
/* The first `len` bytes of the row, or the beginning of them and its ref. */
void append_shortened(const struct outline *c, size_t row, size_t len, size_t max, struct str *out);
/* What the rows in the same container as `row` are called, in the plural: "rows", "items"... */
const char *path_noun(const struct outline *c, size_t row);
/* Of a row of a table: appends a line with the names of the columns, if it has them. */
void path_append_header(const struct outline *c, size_t row, struct str *out);
