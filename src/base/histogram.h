/* How long things took, counted by bounds as monitoring expects them. Zeroed is empty. */
#pragma once

#include <stdint.h>

#include "base/clock.h"

#define HISTOGRAM_BOUNDS 12

extern const double histogram_bounds[HISTOGRAM_BOUNDS]; /* seconds, rising */

struct histogram {
	uint64_t buckets[HISTOGRAM_BOUNDS]; /* that took at most this long, and longer than the previous bound */
	uint64_t count;                     /* of all */
	usec_t total;
};

void histogram_add(struct histogram *h, usec_t duration);
