/* What the kernel says of a process, from /proc/PID/status. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"

struct process_status {
	pid_t number;    /* in its own PID namespace, the innermost one; equal to its pid in the namespace of this process */
	uint64_t memory; /* bytes of private, shared and swapped memory, without files; 0 when it has ended */
	/* Of these bytes the private ones, which a forked process counts as well while it shares them with its parent. */
	uint64_t anonymous;
};

/* -errno: there is no such process, or /proc says nothing about it. */
int process_status(pid_t pid, struct process_status *ret);

/* What a process has done since its start. */
struct process_work {
	usec_t ran, waited; /* its main thread: on a processor, and for one */
	usec_t all;         /* all its threads: on processors */
};

/* From /proc/PID/schedstat and the clock of the process. -errno: there is no such process, or /proc says nothing about it. */
int process_work(pid_t pid, struct process_work *ret);
/* What a thread of a process has done since its start. */
struct thread_work {
	usec_t ran, waited;        /* on a processor, and for one */
	unsigned long long sleeps; /* how often it gave its processor back by itself */
	bool runnable;             /* it runs at the moment, or waits for a processor */
};

/* -errno: there is no such thread, or /proc says nothing about it. */
int thread_work(pid_t pid, pid_t thread, struct thread_work *ret);
/* Finds a thread by its name. The kernel cuts names to 15 bytes, so `name` has 15 at most. Returns 0 when no thread has it. */
pid_t process_thread(pid_t pid, const char *name);
/*
 * Whether the process has done all that it had to do: no thread of it runs or waits for a processor at this moment, and in the last `time`
 * microseconds its threads have worked for `ran` in all, less than a quarter of it. Takes 20 us for each thread.
 */
bool process_is_idle(pid_t pid, usec_t ran, usec_t time);
/* Processor time of all threads of a process since its start, in nanoseconds; 0: there is no such process. */
uint64_t process_time(pid_t pid);
/* Whether its command line contains the text. */
bool process_has_argument(pid_t pid, const char *argument);
/*
 * Appends the children of a process, which any of its threads may have started, to `ret`, which has `count` and room for `room`. Returns how
 * many it has then.
 */
unsigned process_children(pid_t pid, pid_t *ret, unsigned count, unsigned room);
