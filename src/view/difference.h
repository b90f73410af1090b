/*
 * What an action has changed: the rows of an outline that differ from those of an earlier one of the same document, each below the
 * path of its container. `~` a row that changed or moved, `+` one that is new, `-` what is gone.
 */
#pragma once

#include "view/cursors.h"

enum difference {
	DIFFERENCE_NONE, /* nothing changed, or only what changes by itself */
	DIFFERENCE_WRITTEN,
	DIFFERENCE_FOCUS,    /* only the focus came: `out` gets what has it */
	DIFFERENCE_UNKNOWN,  /* the outlines have nothing in common: another document */
	DIFFERENCE_TOO_LONG, /* longer than `budget`, or most of the page is new; `out` is as before */
};

/* `own_changes`: what changes by itself is shown as well; otherwise `left_out` gets the number
 * of these rows, which the last line says if there is another. */
enum difference difference_write(struct cursors *cursors, const struct outline *old, struct outline *new, bool own_changes,
				 size_t budget, struct str *out, size_t *left_out);
