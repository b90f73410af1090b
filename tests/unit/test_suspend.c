/* Processes that several owners stop: real child processes. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop/suspend.h"

#define ARGUMENT "test_suspend" /* of the child, which has the command line of this program */

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	assert_true(pid > 0);
	return pid;
}

static int setup(void **state)
{
	static pid_t pid;

	pid = start();
	*state = &pid;
	return 0;
}

static int teardown(void **state)
{
	pid_t pid = *(pid_t *)*state;

	if (pid) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

static struct suspendable *open_process(pid_t pid)
{
	struct suspendable *s;

	assert_int_equal(suspend_open(pid, getpid(), ARGUMENT, &s), 0);
	return s;
}

static void await_stop(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
}

static void await_continue(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, WCONTINUED), pid);
	assert_true(WIFCONTINUED(status));
}

static void the_last_owner_lets_it_continue(void **state)
{
	pid_t pid = *(pid_t *)*state;
	struct suspendable *first = open_process(pid), *second = open_process(pid);

	assert_int_equal(suspend_stop(first), 0);
	await_stop(pid);
	assert_int_equal(suspend_stop(second), 0);
	suspend_continue(first);
	assert_int_equal(waitpid(pid, NULL, WCONTINUED | WNOHANG), 0);
	suspend_continue(second);
	await_continue(pid);
	suspend_unref(first);
	suspend_unref(second);
}

static void an_owner_that_has_gone_does_not_count(void **state)
{
	pid_t pid = *(pid_t *)*state;
	struct suspendable *first = open_process(pid), *second = open_process(pid);

	suspend_unref(first);
	assert_int_equal(suspend_stop(second), 0);
	await_stop(pid);
	suspend_continue(second);
	await_continue(pid);
	suspend_unref(second);
}

static void a_process_that_has_ended(void **state)
{
	pid_t pid = *(pid_t *)*state;
	struct suspendable *s = open_process(pid), *none;

	assert_int_equal(suspend_stop(s), 0);
	await_stop(pid);
	assert_int_equal(suspend_kill(s), 0);
	waitpid(pid, NULL, 0);
	*(pid_t *)*state = 0;
	assert_false(suspend_exists(s));
	assert_int_equal(suspend_stop(s), -ESRCH);
	suspend_continue(s);
	assert_int_equal(suspend_open(pid, getpid(), ARGUMENT, &none), -ESRCH);
	assert_null(none);
	suspend_unref(s);
}

static void other_processes_are_refused(void **state)
{
	pid_t pid = *(pid_t *)*state;
	struct suspendable *none;

	assert_int_equal(suspend_open(pid, getpid(), "--another-argument", &none), -ESRCH);
	assert_int_equal(suspend_open(getppid(), getpid(), "", &none), -ESRCH);
	assert_null(none);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_last_owner_lets_it_continue),
		TEST(an_owner_that_has_gone_does_not_count),
		TEST(a_process_that_has_ended),
		TEST(other_processes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
