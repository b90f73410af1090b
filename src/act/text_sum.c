#include "act/text_sum.h"

#include "base/limits.h"
#include "base/macros.h"

static size_t all_bytes; /* of what is being taken */

static size_t left_of(size_t limit, size_t bytes)
{
	return limit - MIN(bytes, limit);
}

size_t text_sum_room(const struct text_sum *sum)
{
	size_t least = left_of(LIMIT_SNAPSHOT_LEAST, sum->bytes), shared = left_of(LIMIT_SNAPSHOTS, all_bytes);
	size_t own = left_of(sum->limit, sum->bytes), left = MAX(least, shared);

	return MIN(own, left);
}

bool text_sum_add(struct text_sum *sum, size_t bytes)
{
	sum->exceeded |= bytes > text_sum_room(sum);
	if (sum->exceeded)
		return false;
	sum->bytes += bytes;
	all_bytes += bytes;
	return true;
}

void text_sum_remove(struct text_sum *sum, size_t bytes)
{
	all_bytes -= bytes;
	sum->bytes -= bytes;
}

void text_sum_done(struct text_sum *sum)
{
	text_sum_remove(sum, sum->bytes);
}
