/*
 * Views: rows within a budget. What is small is shown whole, long runs of like rows by the first ones and a count, long parts by their
 * heading; where something is left out a cursor leads to it. Rows that have the focus or where the last action was are shown in any case;
 * dialogs and messages come first, then what is in the viewport.
 */
#pragma once

#include "view/cursors.h"

#define FOLD_SLACK 100u      /* bytes that a view may be longer than its budget, because a single row and its note are */
#define FOLD_CURSORS_MAX 32u /* in one view, so that none of them is forgotten before it is read */

/* Appends the rows from `first` until `end` in `budget` bytes. `base`: the depth that is not indented. */
void fold_rows(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, size_t budget, struct str *out);
/* The same with `mark` in front of each line: "+ ". */
void fold_marked(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, const char *mark,
		 size_t budget, struct str *out);
