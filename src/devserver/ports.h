/* Who listens on which TCP port of this machine, as /proc tells. Nothing suspends; a look takes a millisecond or two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process;

struct port_holder {
	pid_t pid;         /* 0: a process of somebody else, who may not be looked at */
	char name[32]; /* of the process, "python3", at most 15 bytes; "" when that is not known */
};

/* Does somebody listen on it, at any address? */
bool port_is_taken(int port);
/* Who listens there; false when nobody does. */
bool port_find_holder(int port, struct port_holder *ret);
/* Does a process that `p` has started listen there? `ret_pid` (may be NULL): which. */
bool port_is_held_by(int port, const struct process *p, pid_t *ret_pid);
/* The lowest port on which a process that `p` has started listens, and that one's pid; 0 when there is none. */
int port_of(const struct process *p, pid_t *ret_pid);
