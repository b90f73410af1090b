/*
 * How long another process is waited for before it counts as one that does not answer. Where more threads want to run than there are processors,
 * each of them gets its turn as many times later, so a fixed time would take pages for stuck that only wait for a processor.
 */
#pragma once

#include "base/clock.h"

/* `quiet`: on a machine that does nothing else. Up to LIMIT_PATIENCE_FACTOR times as long. Nothing suspends. */
usec_t patience(usec_t quiet);
/* The factor, from what /proc/loadavg says; 1 if it cannot be read. */
double patience_factor(const char *loadavg, long processors);
