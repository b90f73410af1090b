#include "loop/turn.h"

#ifdef TURN_WATCHDOG
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/macros.h"

#define STACK_DEPTH 48
#define NSEC_PER_USEC 1000u

static struct {
	bool asked, running;
	volatile sig_atomic_t in_turn, reported;
	usec_t limit;
	usec_t began, delayed;     /* of this turn; and how long the thread had waited for a processor until then */
	const char *volatile task; /* that runs; NULL: none */
	timer_t timer;             /* sends SIGPROF to the loop's thread */
	int schedstat;             /* the thread's: nanoseconds on a processor, nanoseconds waiting for one, times */
} watchdog;

/* How long this thread has waited for a processor since it started. */
static usec_t processor_delay(void)
{
	unsigned long long on, waiting;
	char text[96];
	ssize_t len = pread(watchdog.schedstat, text, sizeof(text) - 1, 0);

	text[MAX(len, 0)] = '\0';
	return sscanf(text, "%llu %llu", &on, &waiting) == 2 ? waiting / NSEC_PER_USEC : 0;
}

static usec_t used_by_turn(void)
{
	usec_t passed = clock_now() - watchdog.began, delayed = processor_delay() - watchdog.delayed;

	return passed > delayed ? passed - delayed : 0;
}

static void turn_arm(usec_t duration)
{
	struct itimerspec when = { .it_value = { (time_t)(duration / USEC_PER_SEC),
						 (long)(duration % USEC_PER_SEC * NSEC_PER_USEC) } };

	timer_settime(watchdog.timer, 0, &when, NULL);
}

static void turn_report(usec_t used)
{
	const char *task = watchdog.task;
	void *stack[STACK_DEPTH];

	dprintf(STDERR_FILENO, "long turn: the loop has been running for %llu ms (limit %llu), in %s%s:\n",
		(unsigned long long)(used / USEC_PER_MSEC), (unsigned long long)(watchdog.limit / USEC_PER_MSEC),
		task ? "the task " : "no task", task ? task : "");
	backtrace_symbols_fd(stack, backtrace(stack, STACK_DEPTH), STDERR_FILENO);
	watchdog.reported = true;
}

static void on_expired(int signal)
{
	int error = errno;
	usec_t used;

	if (watchdog.in_turn && !watchdog.reported) {
		used = used_by_turn();
		if (used < watchdog.limit)
			turn_arm(watchdog.limit - used + USEC_PER_MSEC);
		else
			turn_report(used);
	}
	errno = error;
}

static void turn_start(void)
{
	const char *limit = getenv("BROWSERD_TURN_LIMIT");
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
	struct sigaction action = { .sa_handler = on_expired, .sa_flags = SA_RESTART };
	void *stack[1];

	watchdog.asked = true;
	watchdog.limit = limit ? strtoull(limit, NULL, 10) * USEC_PER_MSEC : 0;
#ifdef TURN_SANITIZED
	watchdog.limit *= TURN_SANITIZER_FACTOR;
#endif
	event._sigev_un._tid = gettid();
	watchdog.schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (!watchdog.limit || watchdog.schedstat < 0 || timer_create(CLOCK_MONOTONIC, &event, &watchdog.timer) < 0)
		return;
	backtrace(stack, 1); /* loads a library, which a signal handler must not do */
	sigaction(SIGPROF, &action, NULL);
	watchdog.running = true;
}

void turn_begin(void)
{
	if (!watchdog.asked)
		turn_start();
	if (!watchdog.running || watchdog.in_turn)
		return;
	watchdog.began = clock_now();
	watchdog.delayed = processor_delay();
	watchdog.reported = false;
	watchdog.in_turn = true;
	turn_arm(watchdog.limit);
}

void turn_runs_task(const char *name)
{
	watchdog.task = name;
}

void turn_end(void)
{
	if (!watchdog.in_turn)
		return;
	watchdog.in_turn = false;
	turn_arm(0);
	if (watchdog.reported)
		dprintf(STDERR_FILENO, "long turn: it has ended after %llu ms\n",
			(unsigned long long)(used_by_turn() / USEC_PER_MSEC));
}
#endif
