#include "loop/cpu_alarm.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "loop/loop.h"

struct cpu_alarm {
	LIST_ENTRY(cpu_alarm) link;
	int id; /* in its signals: one may be pending when the alarm is freed */
	int signals;
	struct watch *watch;
	timer_t timer;
	void (*fn)(void *data);
	void *data;
};

static LIST_HEAD(, cpu_alarm) alarms = LIST_HEAD_INITIALIZER(alarms);

/* All alarms have the same signal, so each of their descriptors gets those of all. */
static void cpu_alarm_on_signal(uint32_t events, void *data)
{
	const struct cpu_alarm *reader = data;
	struct signalfd_siginfo info;
	struct cpu_alarm *a;

	if (read(reader->signals, &info, sizeof(info)) != sizeof(info))
		return;
	LIST_FOREACH(a, &alarms, link)
		if (a->id == info.ssi_int) {
			a->fn(a->data);
			return;
		}
}

static int cpu_alarm_open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, CPU_ALARM_SIGNAL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The signal goes to this thread: in those of the C library it is not blocked and would end the process. */
static int start_timer(struct cpu_alarm *a, pid_t pid, usec_t every)
{
	struct timespec time = { .tv_sec = (time_t)(every / USEC_PER_SEC), .tv_nsec = (long)(every % USEC_PER_SEC) * 1000 };
	struct itimerspec spec = { .it_interval = time, .it_value = time };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = CPU_ALARM_SIGNAL,
				  .sigev_value.sival_int = a->id };
	clockid_t clock;

	event._sigev_un._tid = gettid();
	if (clock_getcpuclockid(pid, &clock) != 0 || timer_create(clock, &event, &a->timer) < 0)
		return -1;
	if (timer_settime(a->timer, 0, &spec, NULL) == 0)
		return 0;
	timer_delete(a->timer);
	return -1;
}

static struct cpu_alarm *discard(struct cpu_alarm *a)
{
	watch_free(a->watch);
	file_close(&a->signals);
	free(a);
	return NULL;
}

struct cpu_alarm *cpu_alarm_new(struct loop *l, pid_t pid, usec_t every, void (*fn)(void *data), void *data)
{
	static int last_id;
	struct cpu_alarm *a = NEW(struct cpu_alarm);

	*a = (struct cpu_alarm){ .id = ++last_id, .signals = cpu_alarm_open_signals(), .fn = fn, .data = data };
	if (a->signals < 0 || watch_new(l, a->signals, EPOLLIN, cpu_alarm_on_signal, a, &a->watch) < 0 ||
	    start_timer(a, pid, every) < 0)
		return discard(a);
	LIST_INSERT_HEAD(&alarms, a, link);
	return a;
}

struct cpu_alarm *cpu_alarm_free(struct cpu_alarm *a)
{
	if (!a)
		return NULL;
	timer_delete(a->timer);
	LIST_REMOVE(a, link);
	return discard(a);
}
