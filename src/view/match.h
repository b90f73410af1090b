/* Which rows of two outlines of one document stand for the same things. Private to this folder. */
#pragma once

#include "view/outline.h"

#define NO_ROW UINT32_MAX

struct matching {
	uint32_t *of_new, *of_old; /* of each row of the one outline the row of the other, or NO_ROW */
	size_t by_key;             /* rows whose elements are the same; 0: the outlines are of different documents */
};

/*
 * Rows of the same element are the same. Of the others, in containers that are the same, those with the same text but for refs are: the
 * page has written them again.
 */
void match_rows(const struct outline *old, const struct outline *new, struct matching *ret);
void matching_done(struct matching *m);
