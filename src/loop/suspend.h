/*
 * Stops a process that a child process of this one has started, and lets it continue. Its pidfd stands for it, so that a process
 * that gets the same number later is never meant.
 */
#pragma once

#include <sys/types.h>

/*
 * Returns a pidfd, which the caller owns. -ESRCH: no such process, it does not descend from `ancestor`, or its command line does not
 * contain `argument`; other errors when the kernel has no pidfds or forbids them.
 */
int suspend_open(pid_t pid, pid_t ancestor, const char *argument);
/* SIGSTOP and SIGCONT. -ESRCH: it has ended. */
int suspend_stop(int pidfd);
int suspend_continue(int pidfd);
