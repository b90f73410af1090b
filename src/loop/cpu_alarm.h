/*
 * Notices when another process works, at no cost while it does not: the kernel counts its processor time (timer_create(2) on the clock
 * of a process) and sends a signal, which the loop reads from a descriptor.
 */
#pragma once

#include <sys/types.h>

#include "base/clock.h"
#include "base/macros.h"

struct cpu_alarm;
struct loop;

/*
 * Blocks the signal of the alarms. The loop calls this when it is created, before there is a task: swapcontext(3) restores the signal mask
 * that a stack had when it was left, so a signal that is blocked later is not blocked in every task, and would end the process.
 */
void cpu_alarms_prepare(void);
/* `fn` runs each time after `pid` has used `every` of processor time, with all its threads. NULL: the kernel does not offer that. */
struct cpu_alarm *cpu_alarm_new(struct loop *l, pid_t pid, usec_t every, void (*fn)(void *data), void *data);
struct cpu_alarm *cpu_alarm_free(struct cpu_alarm *a);
DEFINE_FREEP(cpu_alarm);
