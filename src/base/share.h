/* How places that are limited are shared by several owners, so that none of them crowds out the others. */
#pragma once

#include <stdbool.h>

/*
 * Whether an owner who has `own` of the `taken` places may have one more of `max`: while it has fewer than `most`, or, where
 * that is 0, fewer than there are free. So one owner gets half of all places, two get a third each, and there is a place
 * for whoever comes next.
 */
static inline bool share_allows(unsigned own, unsigned taken, unsigned max, unsigned most)
{
	unsigned left = max > taken ? max - taken : 0;

	return left > 0 && own < (most ? most : left);
}
