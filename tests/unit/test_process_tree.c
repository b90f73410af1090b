/* The memory of trees of real processes. */
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "loop/process_tree.h"

#define MIB (1u << 20)
#define SIZE (64 * MIB)
#define ZYGOTE "--type=zygote" /* as Chromium calls processes whose children are copies of themselves */

static int ready[2]; /* a pipe in which each process says that it is there */

static _noreturn_ void stay(void)
{
	if (write(ready[1], "r", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void await(unsigned count)
{
	char c;

	while (count--)
		assert_int_equal(read(ready[0], &c, 1), 1);
}

static void take_memory(void)
{
	if (mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
		_exit(1);
}

/* All processes are of the group of the first one, which is their root. */
static pid_t start(void (*fn)(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		setpgid(0, 0);
		fn();
		stay();
	}
	setpgid(pid, pid);
	return pid;
}

static void end(pid_t root)
{
	kill(-root, SIGKILL);
	waitpid(root, NULL, 0);
}

static struct process_tree_use measure(pid_t root)
{
	struct process_tree_use use;
	struct process_tree *t;
	struct loop *l;

	assert_int_equal(loop_new(&l), 0);
	t = process_tree_new(l, root, false);
	while (!process_tree_use(t)->processes)
		loop_step(l);
	use = *process_tree_use(t);
	process_tree_free(t);
	loop_free(l);
	return use;
}

static void *fork_in_thread(void *unused)
{
	if (fork() == 0) {
		take_memory();
		stay();
	}
	return unused;
}

/* Chromium's main process starts some of its processes in a thread, whose children are not those of its main thread. */
static void start_in_thread(void)
{
	pthread_t thread;

	take_memory();
	pthread_create(&thread, NULL, fork_in_thread, NULL);
	pthread_detach(thread);
	pthread_create(&thread, NULL, (void *(*)(void *))(void (*)(void))pause, NULL);
}

static void test_all_descendants_count(void **state)
{
	pid_t root = start(start_in_thread);
	struct process_tree_use use;

	(void)state;
	await(2);
	use = measure(root);
	end(root);
	assert_int_equal(use.processes, 2);
	assert_true(use.memory >=
		    3 * (uint64_t)SIZE); /* the copy counts what it has in common with its parent, which is no zygote */
	assert_true(use.memory < 4 * (uint64_t)SIZE);
}

static void run_as_zygote(void)
{
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", ready[1]);
	execl("/proc/self/exe", "test_process_tree", ZYGOTE, fd, NULL);
	_exit(1);
}

static void test_what_zygotes_pass_on_counts_once(void **state)
{
	pid_t root = start(run_as_zygote);
	struct process_tree_use use;

	(void)state;
	await(3);
	use = measure(root);
	end(root);
	assert_int_equal(use.processes, 3);
	assert_true(use.memory >= SIZE);
	assert_true(use.memory < 2 * (uint64_t)SIZE);
}

static void start_many(void)
{
	for (unsigned i = 0; i < 2 * LIMIT_MEMORY_PROCESSES_COUNT; i++)
		if (fork() == 0)
			stay();
}

static void test_large_trees_are_measured_in_several_turns(void **state)
{
	pid_t root = start(start_many);
	struct process_tree *t;
	struct loop *l;

	(void)state;
	await(1 + 2 * LIMIT_MEMORY_PROCESSES_COUNT);
	assert_int_equal(loop_new(&l), 0);
	t = process_tree_new(l, root, true);
	assert_int_equal(process_tree_use(t)->processes, 0);
	while (!process_tree_use(t)->processes)
		loop_step(l);
	assert_int_equal(process_tree_use(t)->processes, 1 + 2 * LIMIT_MEMORY_PROCESSES_COUNT);
	end(root);
	while (process_tree_use(t)->processes) /* it follows */
		loop_step(l);
	process_tree_free(t);
	loop_free(l);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_descendants_count),
		cmocka_unit_test(test_what_zygotes_pass_on_counts_once),
		cmocka_unit_test(test_large_trees_are_measured_in_several_turns),
	};

	if (argc == 3 && strcmp(argv[1], ZYGOTE) == 0) {
		ready[1] = atoi(argv[2]);
		take_memory();
		for (int i = 0; i < 2; i++)
			if (fork() == 0)
				stay();
		stay();
	}
	if (pipe(ready) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
