/*
 * A process that answers whatever it reads with as many bytes, over a pipe or over TCP: what a call costs before anybody
 * does anything for it. Any failure ends the program.
 */
#pragma once

#include <sys/types.h>

#include "base/clock.h"

struct echo {
	pid_t pid;
	int in, out; /* what it reads and writes, from this side */
};

struct echo echo_start_pipe(void);
struct echo echo_start_tcp(void);
void echo_stop(struct echo *e);
/* The time of one message and its answer. */
usec_t echo_time(const struct echo *e);
