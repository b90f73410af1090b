/* How much text of pages is taken at a time: what a page sends is held here until the answer is complete. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * What was taken of all documents of a page together: at most `limit`, and no more than all that is being taken leaves of LIMIT_SNAPSHOTS,
 * but LIMIT_SNAPSHOT_LEAST in any case.
 */
struct text_sum {
	size_t limit;
	size_t bytes;
	bool exceeded; /* further text was dropped */
};

size_t text_sum_room(const struct text_sum *sum);
/* Returns false, and takes nothing, if there is no room for it. */
bool text_sum_add(struct text_sum *sum, size_t bytes);
/* Some of what was taken is no longer held. */
void text_sum_remove(struct text_sum *sum, size_t bytes);
/* When the text is no longer held, or belongs to an answer. */
void text_sum_done(struct text_sum *sum);
