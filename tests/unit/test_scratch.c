/* Temporary folders and who is swept with them: real folders, below a TMPDIR of the test's own, and real processes. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "loop/process.h"
#include "loop/remove.h"
#include "loop/scratch.h"

static char parent[] = "/tmp/browserd-test-XXXXXX";

static int setup(void **state)
{
	strcpy(parent + strlen(parent) - 6, "XXXXXX");
	return mkdtemp(parent) ? setenv("TMPDIR", parent, 1) : -1;
}

static int teardown(void **state)
{
	remove_tree(parent);
	return 0;
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static struct scratch *make(enum scratch_kind kind)
{
	struct scratch *s = NULL;

	assert_int_equal(scratch_new(kind, &s), 0);
	return s;
}

/* A folder as one that was killed leaves it; with a file. */
static char *leave(enum scratch_kind kind)
{
	struct scratch *s = make(kind);
	char *path = strdup(scratch_path(s)), file[128];

	scratch_free(s);
	snprintf(file, sizeof(file), "%s/file", path);
	close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	return path;
}

static void it_is_for_its_owner_alone(void **state)
{
	struct scratch *s = make(SCRATCH_PROFILE);
	struct stat st;

	assert_int_equal(stat(scratch_path(s), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	scratch_remove(s);
}

static void a_left_over_of_any_kind_goes(void **state)
{
	_cleanup_(freep) char *profile = leave(SCRATCH_PROFILE), *server = leave(SCRATCH_SERVER);
	struct scratch *s = make(SCRATCH_SERVER);

	assert_false(is_there(profile));
	assert_false(is_there(server));
	assert_true(is_there(scratch_path(s)));
	scratch_remove(s);
}

static void one_that_is_held_stays(void **state)
{
	struct scratch *held = make(SCRATCH_SERVER), *other = make(SCRATCH_PROFILE);

	assert_true(is_there(scratch_path(held)));
	scratch_remove(other);
	assert_true(is_there(scratch_path(held)));
	scratch_remove(held);
}

static void a_child_that_inherits_the_lock_holds_it(void **state)
{
	struct scratch *s = make(SCRATCH_SERVER);
	_cleanup_(freep) char *path = strdup(scratch_path(s));
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	scratch_free(s);
	scratch_remove(make(SCRATCH_PROFILE));
	assert_true(is_there(path));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	scratch_remove(make(SCRATCH_PROFILE));
	assert_false(is_there(path));
}

static void what_others_may_read_or_is_no_folder_stays(void **state)
{
	char open_one[128], file[128], link[128];

	snprintf(open_one, sizeof(open_one), "%s/browserd-server-abcdef", parent);
	snprintf(file, sizeof(file), "%s/browserd-profile-abcdef", parent);
	snprintf(link, sizeof(link), "%s/browserd-server-fedcba", parent);
	assert_int_equal(mkdir(open_one, 0755), 0);
	close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	assert_int_equal(symlink("/etc", link), 0);
	scratch_remove(make(SCRATCH_PROFILE));
	assert_true(is_there(open_one));
	assert_true(is_there(file));
	assert_true(is_there(link));
}

/* A process of its own, which sleeps until it is killed; `variable` is all of its environment. */
static pid_t spawn(const char *variable)
{
	int ready[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	child = fork();
	if (child == 0) {
		execle("/bin/sleep", "sleep", "1000", NULL, (const char *const[]){ variable, NULL });
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0); /* closed by exec */
	close(ready[0]);
	return child;
}

static bool was_killed(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void who_still_uses_a_left_over_is_killed(void **state)
{
	_cleanup_(freep) char *path = leave(SCRATCH_SERVER);
	char variable[160];
	pid_t child;

	snprintf(variable, sizeof(variable), "BROWSERD_SERVER_FOLDER=%s", path);
	child = spawn(variable);
	scratch_remove(make(SCRATCH_SERVER));
	assert_true(was_killed(child));
	assert_false(is_there(path));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_is_for_its_owner_alone),
		TEST(a_left_over_of_any_kind_goes),
		TEST(one_that_is_held_stays),
		TEST(a_child_that_inherits_the_lock_holds_it),
		TEST(what_others_may_read_or_is_no_folder_stays),
		TEST(who_still_uses_a_left_over_is_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
