/*
 * Stops a process that a child process of this one has started, lets it continue, and ends it. A pidfd stands for the process, so that a
 * process that gets the same number later is never meant.
 *
 * Several owners can stop one process: the throttles of two pages that share a renderer, and a search for the cause of a load. The
 * process continues when the last of them lets it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct suspendable;

/*
 * A process of the browser that descends from `ancestor`, by the pid that the browser has reported. The caller owns a reference to it.
 * -ESRCH: no such process, it does not descend from `ancestor`, its command line does not contain `argument`, or the browser runs
 * in another PID namespace, so that its pids mean other processes here; other errors when the kernel has no pidfds or forbids them.
 */
int suspend_open(pid_t pid, pid_t ancestor, const char *argument, struct suspendable **ret);
/* NULL is allowed. The owner lets the process continue first if it has stopped it. */
struct suspendable *suspend_unref(struct suspendable *s);
/* The main process of the browser that `pid` is a helper process of: its first ancestor without a type. 0: it has gone. */
pid_t suspend_browser(pid_t pid);
/* SIGSTOP. -ESRCH: the process has ended, and suspend_continue() must not be called for this. */
int suspend_stop(struct suspendable *s);
/* Ends one successful suspend_stop(); the last one sends SIGCONT. */
void suspend_continue(struct suspendable *s);
bool suspend_exists(const struct suspendable *s);
pid_t suspend_pid(const struct suspendable *s); /* also that of one that has ended, which another process may have now */
int suspend_kill(struct suspendable *s);        /* SIGKILL, also while it is stopped */
