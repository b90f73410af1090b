/* What the kernel says of a process, from /proc/PID/status. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct process_status {
	pid_t number;    /* in its own PID namespace, the innermost one; equal to its pid in the namespace of this process */
	uint64_t memory; /* bytes of private, shared and swapped memory, without files; 0 when it has ended */
};

/* -errno: there is no such process, or /proc says nothing about it. */
int process_status(pid_t pid, struct process_status *ret);
