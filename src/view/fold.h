/*
 * Views: rows within a budget. What fits is shown whole. Of the rest each row has a rank (view/rank.h), and the rows are taken by their ranks as
 * long as there is room for them, for what is around them, and for the notes where something is left out, with cursors to it. A row is
 * whole, unless it is so long that others would have no room. Rows that have the focus or where the last action was are shown in any case.
 */
#pragma once

#include "view/cursors.h"

#define FOLD_SLACK 100u      /* bytes that a view may be longer than its budget, because a single row and its note are */
#define FOLD_CURSORS_MAX 32u /* in one view, so that none of them is forgotten before it is read */

/* Appends the rows from `first` until `end` in `budget` bytes. `base`: the depth that is not indented. */
void fold_rows(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, size_t budget, struct str *out);
/*
 * Appends a page of which the call did not say how much it wants to see: no more than it takes to see what is there, which is the first
 * ones of many like rows, and little of banners, navigation and footers.
 */
void fold_briefly(struct cursors *cursors, struct outline *c, size_t budget, struct str *out);
/* The same as fold_rows() with `mark` in front of each line: "+ ". */
void fold_marked(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, const char *mark,
		 size_t budget, struct str *out);
/* Of what was searched for: the same as fold_rows(), but of a row that is cut the part with it is shown. */
void fold_found(struct cursors *cursors, struct outline *c, size_t first, size_t end, size_t budget, struct str *out);
