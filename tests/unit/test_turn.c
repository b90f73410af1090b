/* The watchdog of the loop: what it reports about turns, on the stderr of a child process. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "loop/loop.h"
#include "loop/task.h"
#include "loop/turn.h"

#define LIMIT_MSEC 50u
#define LONG_TURN (2 * TURN_SANITIZER_FACTOR * LIMIT_MSEC * USEC_PER_MSEC)

#ifdef TURN_WATCHDOG
static int block(struct task *t, void *data)
{
	for (usec_t end = clock_now() + LONG_TURN; clock_now() < end;)
		usleep(LONG_TURN); /* the watchdog's signal interrupts it */
	return 0;
}

static int compute(struct task *t, void *data)
{
	while (clock() <
	       (clock_t)(LONG_TURN * CLOCKS_PER_SEC / USEC_PER_SEC)) /* processor time, of which others take their share */
		;
	return 0;
}

/* As long as the others, in many turns. */
static int suspend(struct task *t, void *data)
{
	for (int i = 0; i < 10; i++)
		task_sleep(t, LONG_TURN / 10);
	return 0;
}

static void on_done(struct task *t, int result, void *data)
{
	loop_stop(data);
}

static _noreturn_ void run(int output, int (*fn)(struct task *t, void *data))
{
	struct loop *l;

	dup2(output, STDERR_FILENO);
	setenv("BROWSERD_TURN_LIMIT", "50", true);
	if (loop_new(&l) == 0 && task_start(l, "example", fn, on_done, l, NULL) == 0)
		loop_run(l);
	_exit(0);
}

static void report_of(int (*fn)(struct task *t, void *data), struct str *out)
{
	char part[4096];
	int fds[2];
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0)
		run(fds[1], fn);
	close(fds[1]);
	while ((n = read(fds[0], part, sizeof(part))) > 0)
		str_append_len(out, part, (size_t)n);
	close(fds[0]);
	waitpid(pid, NULL, 0);
}

static void reports_the_task_and_the_stack(void **state)
{
	int (*const table[])(struct task *, void *) = { block, compute };

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_(str_done) struct str text = {};

		report_of(table[i], &text);
		assert_non_null(strstr(str_text(&text), "long turn: the loop has been running for"));
		assert_non_null(strstr(str_text(&text), "in the task example:"));
		assert_non_null(strstr(str_text(&text), "test_turn("));
		assert_non_null(strstr(str_text(&text), "long turn: it has ended after"));
	}
}

static void says_nothing_about_short_turns(void **state)
{
	_cleanup_(str_done) struct str text = {};

	report_of(suspend, &text);
	assert_null(strstr(str_text(&text), "long turn"));
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef TURN_WATCHDOG
		cmocka_unit_test(reports_the_task_and_the_stack),
		cmocka_unit_test(says_nothing_about_short_turns),
#endif
		{},
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
