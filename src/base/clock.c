#include "base/clock.h"

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
