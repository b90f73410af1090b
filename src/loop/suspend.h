/*
 * Stops a process that a child process of this one has started, lets it continue, and ends it. Its pidfd stands for it, so that a process
 * that gets the same number later is never meant.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * A process of the browser that descends from `ancestor`, by the pid that the browser has reported. Returns a pidfd, which the caller
 * owns. -ESRCH: no such process, it does not descend from `ancestor`, its command line does not contain `argument`, or the browser runs
 * in another PID namespace, so that its pids mean other processes here; other errors when the kernel has no pidfds or forbids them.
 */
int suspend_open(pid_t pid, pid_t ancestor, const char *argument);
/* The main process of the browser that `pid` is a helper process of: its first ancestor without a type. 0: it has gone. */
pid_t suspend_browser(pid_t pid);
/* SIGSTOP and SIGCONT. -ESRCH: it has ended. */
int suspend_stop(int pidfd);
int suspend_continue(int pidfd);
bool suspend_exists(int pidfd);
int suspend_kill(int pidfd); /* SIGKILL, also while it is stopped */
