#include "base/clock.h"

#include <stdio.h>
#include <time.h>

usec_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (usec_t)now.tv_sec * USEC_PER_SEC + (usec_t)now.tv_nsec / 1000;
}

int64_t clock_unix_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void clock_print(int64_t unix_msec, char ret[CLOCK_TEXT_SIZE])
{
	time_t seconds = (time_t)(unix_msec / 1000);
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(ret, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(ret + n, CLOCK_TEXT_SIZE - n, ".%03dZ", (int)(unix_msec % 1000));
}
