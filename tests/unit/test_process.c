/* Child processes and all that they start: real shells, and the /proc of this machine. */
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "loop/process.h"
#include "loop/remove.h"
#include "loop/scratch.h"

struct fixture {
	struct loop *loop;
	struct process *process;
	struct str output, errors;
	int left, exited;
	int left_status, status;
};

static void on_output(const char *text, size_t len, void *data)
{
	str_append_len(&((struct fixture *)data)->output, text, len);
}

static void on_errors(const char *text, size_t len, void *data)
{
	str_append_len(&((struct fixture *)data)->errors, text, len);
}

static void on_left(int status, void *data)
{
	struct fixture *f = data;

	f->left++;
	f->left_status = status;
}

static void on_exited(int status, void *data)
{
	struct fixture *f = data;

	f->exited++;
	f->status = status;
}

static const struct process_handler handler = { on_output, on_errors, on_left, on_exited };

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	assert_int_equal(loop_new(&f->loop), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	process_free(f->process);
	loop_free(f->loop);
	str_done(&f->output);
	str_done(&f->errors);
	free(f);
	return 0;
}

static void start(struct fixture *f, const char *script, struct process_plan plan)
{
	plan.argv = (const char *[]){ "sh", "-c", script, NULL };
	assert_int_equal(process_start(f->loop, &plan, &handler, f, &f->process), 0);
}

static void run_until(struct fixture *f, const int *flag)
{
	while (!*flag)
		assert_int_equal(loop_step(f->loop), 0);
}

static void run_until_said(struct fixture *f, const char *text)
{
	while (!strstr(str_text(&f->output), text))
		assert_int_equal(loop_step(f->loop), 0);
}

static pid_t said_pid(struct fixture *f)
{
	int pid = 0;

	run_until_said(f, "\n");
	sscanf(f->output.data, "%d", &pid);
	assert_true(pid > 1);
	return pid;
}

static void streams_are_apart(void **state)
{
	struct fixture *f = *state;

	start(f, "echo out; echo err >&2; exit 3", (struct process_plan){});
	run_until(f, &f->exited);
	assert_string_equal(str_text(&f->output), "out\n");
	assert_string_equal(str_text(&f->errors), "err\n");
	assert_true(WIFEXITED(f->status) && WEXITSTATUS(f->status) == 3);
	assert_int_equal(f->left, 0);
}

static void folder_and_environment_are_the_plans(void **state)
{
	struct fixture *f = *state;

	start(f, "pwd; echo $WORD $HOME", (struct process_plan){ .cwd = "/usr", .env = (const char *[]){ "WORD=one", NULL } });
	run_until(f, &f->exited);
	assert_string_equal(str_text(&f->output), "/usr\none\n");
}

static void a_missing_directory_is_reported(void **state)
{
	struct fixture *f = *state;

	start(f, "true", (struct process_plan){ .cwd = "/nowhere/at/all" });
	run_until(f, &f->exited);
	assert_non_null(strstr(str_text(&f->errors), "cannot change to the directory /nowhere/at/all"));
}

/* The status tells it, whatever a program itself prints. */
static void what_cannot_be_executed_is_told_from_what_fails(void **state)
{
	struct fixture *f = *state;
	const struct process_plan plan = { .argv = (const char *[]){ "/nowhere/at/all", NULL } };

	assert_int_equal(process_start(f->loop, &plan, &handler, f, &f->process), 0);
	run_until(f, &f->exited);
	assert_true(f->status & PROCESS_NOT_EXECUTED);
	assert_int_equal(WEXITSTATUS(f->status), 127);
	f->process = process_free(f->process);
	f->exited = 0;
	start(f, "echo cannot run >&2; exit 127", (struct process_plan){});
	run_until(f, &f->exited);
	assert_false(f->status & PROCESS_NOT_EXECUTED);
}

static void a_daemon_ends_with_the_program(void **state)
{
	struct fixture *f = *state;
	pid_t pid;

	start(f, "setsid sleep 1000 >/dev/null & echo $!", (struct process_plan){});
	pid = said_pid(f);
	run_until(f, &f->exited);
	assert_int_equal(kill(pid, 0), -1);
}

static void a_daemon_may_outlive_the_program_and_ends_on_release(void **state)
{
	struct fixture *f = *state;
	pid_t pid, members[8];

	start(f, "setsid sleep 1000 & echo $!; exit 4", (struct process_plan){ .daemons = true });
	pid = said_pid(f);
	run_until(f, &f->left);
	assert_int_equal(WEXITSTATUS(f->left_status), 4);
	assert_int_equal(f->exited, 0);
	assert_int_equal(process_members(f->process, members, ARRAY_SIZE(members)), 1);
	assert_int_equal(members[0], pid);
	process_kill(f->process);
	run_until(f, &f->exited);
	assert_int_equal(kill(pid, 0), -1);
}

static void the_end_of_the_last_daemon_is_the_end(void **state)
{
	struct fixture *f = *state;
	pid_t pid;

	start(f, "setsid sleep 1000 & echo $!", (struct process_plan){ .daemons = true });
	pid = said_pid(f);
	run_until(f, &f->left);
	kill(pid, SIGTERM);
	run_until(f, &f->exited);
}

static void grace_lets_all_of_them_end(void **state)
{
	struct fixture *f = *state;

	start(f,
	      "(trap 'echo child; exit' TERM; echo ready; while :; do sleep 0.01; done) & trap 'wait; echo parent; exit' TERM; wait",
	      (struct process_plan){ .grace_msec = 60000, .grace_for_group = true });
	run_until_said(f, "ready");
	process_kill(f->process);
	run_until(f, &f->exited);
	assert_non_null(strstr(f->output.data, "child"));
	assert_non_null(strstr(f->output.data, "parent"));
}

static void who_ignores_the_signal_is_killed(void **state)
{
	struct fixture *f = *state;

	start(f, "trap '' TERM; echo ready; while :; do sleep 1; done",
	      (struct process_plan){ .grace_msec = 50, .grace_for_group = true });
	run_until_said(f, "ready");
	process_kill(f->process);
	run_until(f, &f->exited);
	assert_true(WIFSIGNALED(f->status) && WTERMSIG(f->status) == SIGKILL);
}

static char *make_folder(char *template)
{
	assert_non_null(mkdtemp(template));
	return template;
}

static void the_stop_command_runs_on_release(void **state)
{
	struct fixture *f = *state;
	char folder[] = "/tmp/browserd-test-XXXXXX", file[64];

	snprintf(file, sizeof(file), "%s/said", make_folder(folder));
	start(f, "exit 0",
	      (struct process_plan){
		      .daemons = true, .stop_command = (const char *[]){ "touch", file, NULL }, .stop_command_msec = 60000 });
	run_until(f, &f->left);
	assert_int_equal(f->exited, 0); /* it waits to say it */
	process_kill(f->process);
	run_until(f, &f->exited);
	assert_int_equal(access(file, F_OK), 0);
	remove_tree(folder);
}

static void the_stop_command_can_be_skipped(void **state)
{
	struct fixture *f = *state;

	start(f, "exit 0",
	      (struct process_plan){
		      .daemons = true, .stop_command = (const char *[]){ "sleep", "1000", NULL }, .stop_command_msec = 1000000 });
	run_until(f, &f->left);
	process_end(f->process, PROCESS_SKIP_STOP_COMMAND);
	run_until(f, &f->exited);
}

static void the_folder_goes_unless_it_is_left(void **state)
{
	struct fixture *f = *state;
	_cleanup_(scratch_freep) struct scratch *folder = NULL;
	struct process_plan plan = {};

	assert_int_equal(scratch_new(SCRATCH_SERVER, &folder), 0);
	plan.folder = folder;
	start(f, "echo ready; sleep 1000", plan);
	run_until_said(f, "ready");
	process_end(f->process, PROCESS_LEAVE_FOLDER);
	run_until(f, &f->exited);
	assert_int_equal(access(scratch_path(folder), F_OK), 0);
	f->process = process_free(f->process);
	f->exited = 0;
	start(f, "true", plan);
	run_until(f, &f->exited);
	assert_int_equal(access(scratch_path(folder), F_OK), -1);
}

/* A stopped keeper ends nothing until it continues; the loop goes on meanwhile, and its end waits. */
static void the_loop_does_not_wait_for_a_keeper(void **state)
{
	struct fixture *f = *state;
	pid_t program, keeper;
	usec_t before;

	start(f, "echo $$; exec sleep 1000", (struct process_plan){});
	program = said_pid(f);
	keeper = process_parent(program);
	kill(keeper, SIGSTOP);
	before = clock_now();
	f->process = process_free(f->process);
	assert_true(clock_now() - before < USEC_PER_SEC);
	assert_int_equal(kill(program, 0), 0);
	kill(keeper, SIGCONT);
	f->loop = loop_free(f->loop);
	assert_int_equal(kill(keeper, 0), -1);
	assert_int_equal(kill(program, 0), -1);
}

/* The program has both descriptors of the channel; neither its keeper nor the stop command has any. */
static void the_channel_is_the_programs_alone(void **state)
{
	char path[] = "/tmp/test-process-XXXXXX";
	const char *const stop_command[] = { "sh", "-c", "ls -l /proc/$$/fd /proc/$PPID/fd > $0; true", path, NULL };
	struct fixture *f = *state;
	_cleanup_(str_done) struct str heard = {}, seen = {};
	struct stat st;
	char name[64], buf[512];
	int fds[2], file = mkstemp(path);
	ssize_t n;

	assert_true(file >= 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(fstat(fds[1], &st), 0);
	snprintf(name, sizeof(name), "socket:[%lu]", (unsigned long)st.st_ino);
	start(f, "read -r line <&3; echo \"$line back\" >&4; ls -l /proc/$$/fd >&4; true",
	      (struct process_plan){
		      .channel = fds[1], .stop_command = stop_command, .stop_command_msec = 60000, .keep_until_released = true });
	close(fds[1]);
	assert_int_equal(write(fds[0], "there\n", 6), 6);
	while ((n = read(fds[0], buf, sizeof(buf))) > 0) /* to its end, which comes only if no other process has it open */
		str_append_len(&heard, buf, (size_t)n);
	close(fds[0]);
	assert_memory_equal(heard.data, "there back\n", 11);
	snprintf(buf, sizeof(buf), " 3 -> %s", name);
	assert_non_null(strstr(heard.data, buf));
	buf[1] = '4';
	assert_non_null(strstr(heard.data, buf));
	run_until(f, &f->left);
	process_end(f->process, 0);
	run_until(f, &f->exited);
	while ((n = read(file, buf, sizeof(buf))) > 0)
		str_append_len(&seen, buf, (size_t)n);
	close(file);
	unlink(path);
	assert_non_null(strstr(str_text(&seen), "/proc/"));
	assert_null(strstr(str_text(&seen), name));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(streams_are_apart),
		TEST(folder_and_environment_are_the_plans),
		TEST(a_missing_directory_is_reported),
		TEST(what_cannot_be_executed_is_told_from_what_fails),
		TEST(a_daemon_ends_with_the_program),
		TEST(a_daemon_may_outlive_the_program_and_ends_on_release),
		TEST(the_end_of_the_last_daemon_is_the_end),
		TEST(grace_lets_all_of_them_end),
		TEST(who_ignores_the_signal_is_killed),
		TEST(the_stop_command_runs_on_release),
		TEST(the_stop_command_can_be_skipped),
		TEST(the_folder_goes_unless_it_is_left),
		TEST(the_loop_does_not_wait_for_a_keeper),
		TEST(the_channel_is_the_programs_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
