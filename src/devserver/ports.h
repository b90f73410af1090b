/* Finds the processes that listen on TCP ports of this machine, in /proc. Nothing suspends; a call takes one or two ms. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process;

struct port_holder {
	pid_t pid;     /* 0: a process of another user, which cannot be inspected */
	char name[32]; /* process name such as "python3", at most 15 bytes; "" when unknown */
};

/* Whether any process listens on the port, at any address. */
bool port_is_taken(int port);
/* Finds the process that listens on the port; false when there is none. */
bool port_find_holder(int port, struct port_holder *ret);
/* Whether a descendant of `p` listens on the port. `ret_pid` (may be NULL) gets its pid. */
bool port_is_held_by(int port, const struct process *p, pid_t *ret_pid);
/* The lowest port on which a descendant of `p` listens, and the pid of that process; 0 when there is none. */
int port_of(const struct process *p, pid_t *ret_pid);
