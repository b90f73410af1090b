/* Time. usec_t is microseconds of the monotonic clock; wall-clock stamps are Unix milliseconds. */
#pragma once

#include <stdint.h>

typedef uint64_t usec_t;

#define USEC_PER_MSEC 1000ULL
#define USEC_PER_SEC 1000000ULL
#define USEC_NEVER UINT64_MAX

usec_t clock_now(void);
int64_t clock_unix_msec(void);

#define CLOCK_TEXT_SIZE 32
/* RFC 3339 with milliseconds, in UTC, for the years 1970 to 9999. */
void clock_print(int64_t unix_msec, char ret[CLOCK_TEXT_SIZE]);
