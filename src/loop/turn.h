/*
 * A watchdog for the rule that no turn of the loop takes long. A turn is everything that the loop runs between two polls of its
 * descriptors. It is for tests: a build has it if it has sanitizers, or with -Dturn_watchdog=enabled; in all others these
 * functions are empty.
 *
 * The environment variable BROWSERD_TURN_LIMIT turns it on: milliseconds that a turn may take in an optimised build, of which a
 * build with sanitizers gets TURN_SANITIZER_FACTOR times as many. A longer turn is reported on stderr while it runs, with its task
 * and a stack, and once more with its whole duration when it ends. Time in which the thread could have run and other
 * processes had the processor does not count; time in which it waits in a system call does.
 */
#pragma once

/* Memory that AddressSanitizer uses for the first time costs the most where page faults are slow, as in some virtual machines. */
#define TURN_SANITIZER_FACTOR 8

#ifdef TURN_WATCHDOG
void turn_begin(void); /* the loop has something to run; only the first call in a turn counts */
void turn_end(void);
/* The turn runs the task of this name from now on; NULL: no task. Borrowed. */
void turn_runs_task(const char *name);
#else
static inline void turn_begin(void)
{
}
static inline void turn_end(void)
{
}
static inline void turn_runs_task(const char *name)
{
}
#endif
