/*
 * What the rows of a view count for, where there is no room for all of them: what has the focus, dialogs and messages, the main content in
 * the viewport, and then the rest. Private to this folder.
 */
#pragma once

#include "view/outline.h"

#define ROWS_CHOSEN (ROW_FOCUSED | ROW_PLACE | ROW_MATCHES)

/* The first ones come first. BELOW: outside of the viewport. */
enum rank {
	RANK_CHOSEN,         /* has the focus, is where the last action was, or what was searched for */
	RANK_MESSAGE,        /* dialogs and messages with what is in them, fields that have to be corrected */
	RANK_FRAME,          /* headings, and rows that have others in them */
	RANK_CONTROL,        /* what can be acted on, but for links */
	RANK_SEEN,           /* texts, links, and of long runs of like rows the first ones */
	RANK_BESIDE,         /* banners, navigation and asides, */
	RANK_BESIDE_CONTROL, /* what can be acted on in them, */
	RANK_LINKS,          /* and the rest */
	RANK_BUTTON_BELOW,
	RANK_FRAME_BELOW,
	RANK_LONG_RUN_SEEN, /* more of the runs: of those in which a reader searches, */
	RANK_RUN_SEEN,      /* and of the others */
	RANK_CONTROL_BELOW,
	RANK_BELOW,
	RANK_RUN,
	RANK_LONG_RUN,
	RANK_BESIDE_REST, /* what is in footers, and more of the runs beside the main content */
	RANK_SUMMED,      /* what the row around it says, too */
	RANK_NONE,        /* shown with the row around it, or not at all */
	RANK_COUNT,
};

enum row_trait {
	TRAIT_BESIDE = 1 << 0, /* in a banner, navigation, footer or aside */
	TRAIT_FOOTER = 1 << 1,
	TRAIT_CONTENTS = 1 << 2, /* in a navigation or aside, which may list what a document has */
	TRAIT_MESSAGE = 1 << 3,
	TRAIT_RUN = 1 << 4,          /* in a long run of like rows, behind the first ones */
	TRAIT_DOCUMENT = 1 << 5,     /* in the sections of a document, of which the headings are shown */
	TRAIT_HAS_DOCUMENT = 1 << 6, /* these are in it */
	TRAIT_UNIT = 1 << 7,         /* shown with all that is in it, or not at all */
	TRAIT_IN_UNIT = 1 << 8,
	TRAIT_LONG_RUN = 1 << 9,
	TRAIT_SUMMED = 1 << 10, /* the row around it says what it says */
};

#define CONTROLS_KNOWN 256 /* of a document */

/* What comes before a row, so that a range of rows is measured at once. */
struct measure {
	size_t bytes, others;                               /* `others`: than the text of documents */
	uint32_t chosen, messages, controls, visible, sums; /* rows */
};

/* Everything but `outline` is by the number of a row from `first` on. */
struct ranks {
	const struct outline *outline;
	size_t first, end, budget;
	struct measure *before;
	uint16_t *traits;
	uint8_t *rank;
	uint32_t *previous;                /* the row before it in the same container, or NO_ROW */
	uint32_t *order;                   /* the rows by their ranks */
	size_t begin[RANK_COUNT + 1];      /* of each rank in `order` */
	uint64_t controls[CONTROLS_KNOWN]; /* what those of a document say that were seen */
	size_t main_bytes, beside_bytes;   /* `beside_bytes`: without those of footers */
	bool has_document, is_document;    /* `is_document`: the range itself has its sections */
};

/* For the rows from `first` until `end`. `indent`: bytes before each row without the blanks for its depth below `base`. */
void ranks_init(struct ranks *r, const struct outline *c, size_t first, size_t end, unsigned base, size_t indent, size_t budget);
void ranks_done(struct ranks *r);

/* Bytes of the rows, each with its line or " | ". */
static inline size_t ranks_cost(const struct ranks *r, size_t first, size_t end)
{
	return r->before[end - r->first].bytes - r->before[first - r->first].bytes;
}

static inline bool has_trait(const struct ranks *r, size_t row, enum row_trait trait)
{
	return (r->traits[row - r->first] & trait) != 0;
}

/* The end of the row with what is in it. */
static inline size_t end_in(const struct ranks *r, size_t row)
{
	return MIN((size_t)r->outline->rows[row].end, r->end);
}

/* The row around it, if that is one of these; else its own number. */
static inline size_t parent_in(const struct ranks *r, size_t row)
{
	size_t parent = row_parent(r->outline, row);

	return parent >= r->first ? parent : row;
}
