/* Samples of times, their median, and the lines of the report. */
#pragma once

#include <sys/types.h>

#include "base/clock.h"

#define CALLS 60 /* of each operation, on either side */

#define SAMPLES_MAX 2048

struct samples {
	usec_t values[SAMPLES_MAX];
	size_t count;
};

void add(struct samples *s, usec_t value);
double median_msec(struct samples *s);
/* The time that so many of a hundred did not exceed. */
double percentile_msec(struct samples *s, unsigned percent);
/* With a floor a ratio, without it (0) the figure alone. */
void report(const char *what, const char *goal, double ours, double floor, const char *unit);
/* Memory of a process, shared pages divided among those that share them. */
long pss_kib(pid_t pid);
/* Processor time that a process has taken so far. */
usec_t cpu_usec(pid_t pid);

/* One operation in turns, so that both sides see the same moods of the machine. `floor_call` gives its time. */
#define IN_TURNS(what, goal, times, our_call, floor_call) \
	do { \
		struct samples ours = {}, bare = {}; \
\
		for (int turn = 0; turn < (times); turn++) { \
			usec_t start; \
\
			add(&bare, floor_call); \
			start = clock_now(); \
			our_call; \
			add(&ours, clock_now() - start); \
		} \
		report(what, goal, median_msec(&ours), median_msec(&bare), "ms"); \
	} while (0)
