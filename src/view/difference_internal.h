/* Shared by difference_find.c, which finds what changed, and difference.c, which writes it. */
#pragma once

#include "view/difference.h"
#include "view/match.h"

enum change { SAME, CHANGED, ADDED };

/* Under which line ("in main > list e4, after e7") the next ones are. */
struct heading {
	uint32_t parent; /* a new row, or NO_ROW for the page */
	bool is_written, has_place;
	uint32_t last; /* the row that was written last below it; NO_ROW: none */
};

struct comparison {
	struct cursors *cursors;
	const struct outline *old;
	struct outline *new;
	struct matching match;
	enum change *change; /* of each new row */
	bool *moved;         /* whether it is at another place than before */
	bool *at_end;        /* whether what comes after it in its container is new or moved, too */
	bool own_changes;
	size_t left_out; /* rows that change by themselves */
	size_t added;    /* bytes of new rows, folded or not */
	size_t written;  /* changes, of which the last is that of row `last` if that was changed */
	uint32_t last;
	struct heading heading;
	size_t budget;
	struct str *out;
};

/* The row that it is in; NO_ROW: none. */
static inline uint32_t difference_parent(const struct outline *c, uint32_t row)
{
	return c->rows[row].parent == row ? NO_ROW : c->rows[row].parent;
}

/* Sets `change`, `moved` and `at_end` from `match`, out of which it takes rows that are not the same after all. */
void difference_find(struct comparison *k);
/* Whether `with` says but for the focus what `without` says; `ret_at`: where it is. */
bool difference_is_focus(const struct outline *a, uint32_t with, const struct outline *b, uint32_t without, size_t *ret_at);
