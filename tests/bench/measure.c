#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void add(struct samples *s, usec_t value)
{
	s->values[s->count++] = value;
}

static int compare(const void *a, const void *b)
{
	usec_t x = *(const usec_t *)a, y = *(const usec_t *)b;

	return (x > y) - (x < y);
}

double percentile_msec(struct samples *s, unsigned percent)
{
	qsort(s->values, s->count, sizeof(s->values[0]), compare);
	return (double)s->values[s->count * percent / 100] / USEC_PER_MSEC;
}

double median_msec(struct samples *s)
{
	return percentile_msec(s, 50);
}

void report(const char *what, const char *goal, double ours, double floor, const char *unit)
{
	if (floor > 0)
		printf("%-46s %6.2f x   (%.3f against %.3f %s; goal %s)\n", what, ours / floor, ours, floor, unit, goal);
	else
		printf("%-46s %8.3f %s (goal %s)\n", what, ours, unit, goal);
	fflush(stdout);
}

long pss_kib(pid_t pid)
{
	char path[64], line[128];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

usec_t cpu_usec(pid_t pid)
{
	struct timespec ts = {};
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &ts) < 0)
		return 0;
	return (usec_t)ts.tv_sec * USEC_PER_SEC + (usec_t)ts.tv_nsec / 1000;
}
