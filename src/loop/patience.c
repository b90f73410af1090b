#include "loop/patience.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/macros.h"
#include "base/str.h"

#define FRESH (100 * USEC_PER_MSEC) /* in which it is not read again */

/* The average of the last minute is late after a sudden start of work, and the number of this moment varies: the larger one counts. */
double patience_factor(const char *loadavg, long processors)
{
	double average, factor;
	unsigned running;

	if (processors <= 0 || sscanf(loadavg, "%lf %*f %*f %u/", &average, &running) != 2)
		return 1;
	factor = MAX(average, (double)running) / (double)processors;
	factor = MIN(factor, LIMIT_PATIENCE_FACTOR);
	return MAX(factor, 1.);
}

usec_t patience(usec_t quiet)
{
	static usec_t read_at;
	static double factor = 1;
	_cleanup_(str_done) struct str text = {};

	if (!read_at || clock_now() >= read_at + FRESH) {
		read_at = clock_now();
		factor = file_read("/proc/loadavg", LIMIT_PROCESS_TEXT, &text) < 0 ?
				 1 :
				 patience_factor(str_text(&text), sysconf(_SC_NPROCESSORS_ONLN));
	}
	return (usec_t)(factor * (double)quiet);
}
