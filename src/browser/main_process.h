/* What the main process of a browser works, as far as the kernel tells. Nothing suspends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "loop/process_status.h"

struct main_process {
	pid_t pid; /* 0: not known yet */
	struct process_work work;
	usec_t looked; /* when `work` was read */
	struct {
		usec_t looked, until;
		uint64_t time; /* process_time() */
	} idle;                /* until when that is waited for, and the last look */
};

void main_process_look(struct main_process *m);
/* Microseconds that all threads have worked since the last look, and that one could have, on a machine that does other things, too. */
usec_t main_process_worked(const struct main_process *m, usec_t *ret_time);
usec_t main_process_thread_time(const struct main_process *m); /* microseconds that the main thread has worked so far */
uint64_t main_process_memory(const struct main_process *m);    /* bytes; 0: not known */
/* From now on, for `limit`, it is waited for that no thread works or waits for a processor. */
void main_process_await_idle(struct main_process *m, usec_t limit);
bool main_process_is_idle(struct main_process *m); /* no thread has, since the last call of this or the beginning */
bool main_process_is_overdue(const struct main_process *m);
