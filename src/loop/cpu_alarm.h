/*
 * Notices when another process works, at no cost while it does not: the kernel counts its processor time (timer_create(2) on the clock
 * of a process) and sends a signal, which the loop reads from a descriptor.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/macros.h"

struct cpu_alarm;
struct loop;

#define CPU_ALARM_SIGNAL SIGRTMIN /* blocked by the loop, before there is a task */

/* `fn` runs each time after `pid` has used `every` of processor time, with all its threads. NULL: the kernel does not offer that. */
struct cpu_alarm *cpu_alarm_new(struct loop *l, pid_t pid, usec_t every, void (*fn)(void *data), void *data);
struct cpu_alarm *cpu_alarm_free(struct cpu_alarm *a);
DEFINE_FREEP(cpu_alarm);
