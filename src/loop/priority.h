/*
 * Which processes run first where more want to run than there are processors. A process that yields keeps its share of them almost
 * unchanged when it is alone, and lets others run before it.
 *
 * All threads of a process that yields ask for long slices (sched_setattr(2), sched_runtime): the scheduler runs first what has the nearest
 * deadline, and a long slice has a late one. Everybody may do that to processes of the same user, and undo it, from Linux 6.12 on; older
 * kernels ignore the slice. Where this process may lower nice values again, which takes CAP_SYS_NICE or a RLIMIT_NICE of 20, the threads
 * are made nicer as well. Neither is done where it could not be undone. Nothing suspends.
 */
#pragma once

#include <stdbool.h>

struct suspendable;

enum priority_means { PRIORITY_NONE, PRIORITY_SLICES, PRIORITY_SLICES_AND_NICE };

/* What this process may do to others of its user, tried out at the first call. */
enum priority_means priority_means(void);
/* The threads of a process yield from now on, or do not any more. Those that they start do as they do. */
void priority_set_yielding(const struct suspendable *process, bool yields);
