/* Fair sharing of a limited number of slots among owners, so that one owner cannot take all of them. */
#pragma once

#include <stdbool.h>

/*
 * Whether an owner that holds `own` of the `taken` slots may take one more of `max`: it must hold fewer than `most` or, where
 * `most` is 0, fewer than are free. A single owner therefore gets at most half of all slots, two owners get a third each, and
 * a slot remains for the next owner.
 */
static inline bool share_allows(unsigned own, unsigned taken, unsigned max, unsigned most)
{
	unsigned left = max > taken ? max - taken : 0;

	return left > 0 && own < (most ? most : left);
}
