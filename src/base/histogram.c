#include "base/histogram.h"

const double histogram_bounds[HISTOGRAM_BOUNDS] = { 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30 };

void histogram_add(struct histogram *h, usec_t duration)
{
	unsigned bucket = 0;

	while (bucket < HISTOGRAM_BOUNDS && (double)duration > histogram_bounds[bucket] * USEC_PER_SEC)
		bucket++;
	if (bucket < HISTOGRAM_BOUNDS)
		h->buckets[bucket]++;
	h->count++;
	h->total += duration;
}
