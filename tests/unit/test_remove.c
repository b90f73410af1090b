/* Directories that are removed at once, and by a child process. */
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop/remove.h"

#define CHILD_MSEC 20000

static char base[64], path[128];

static int setup(void **state)
{
	strcpy(base, "/tmp/test_remove.XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(path, sizeof(path), "%s/directory", base);
	return mkdir(path, 0700);
}

static int teardown(void **state)
{
	return rmdir(base); /* which fails if something is left */
}

static void fill(const char *directory, unsigned files)
{
	char name[256];

	for (unsigned i = 0; i < files; i++) {
		snprintf(name, sizeof(name), "%s/%u", directory, i);
		close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
}

static void fill_below(const char *name, unsigned files)
{
	char directory[192];

	snprintf(directory, sizeof(directory), "%s/%s", path, name);
	assert_int_equal(mkdir(directory, 0700), 0);
	fill(directory, files);
}

static bool is_there(const char *name)
{
	return access(name, F_OK) == 0;
}

static void a_few_files_are_removed_at_once(void **state)
{
	fill(path, 10);
	fill_below("below", 10);
	remove_tree_aside(path);
	assert_false(is_there(path));
	assert_int_equal(rmdir(base), 0);
	assert_int_equal(mkdir(base, 0700), 0);
}

static void many_files_are_removed_by_a_child(void **state)
{
	fill(path, 500);
	fill_below("below", 500);
	remove_tree_aside(path);
	assert_false(is_there(path));
	remove_finish(CHILD_MSEC);
}

/* Directories in each other, each with a file. With 20 levels the path is longer than the system's calls take. */
static void nest(const char *directory, unsigned levels)
{
	int at = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	char name[NAME_MAX + 1];

	memset(name, '0', NAME_MAX);
	name[NAME_MAX] = '\0';
	for (unsigned i = 0; i < levels; i++) {
		assert_int_equal(mkdirat(at, name, 0700), 0);
		close(openat(at, "1", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
		next = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		close(at);
		at = next;
	}
	close(at);
}

static void directories_are_removed_at_any_depth(void **state)
{
	nest(path, 20);
	remove_tree(path);
	assert_false(is_there(path));
	assert_int_equal(mkdir(path, 0700), 0);
	nest(path, 20);
	fill(path, 100);
	remove_tree_aside(path);
	assert_false(is_there(path));
	remove_finish(CHILD_MSEC);
}

static void a_link_is_not_followed(void **state)
{
	char link[192], outside[128];

	snprintf(outside, sizeof(outside), "%s/outside", base);
	snprintf(link, sizeof(link), "%s/link", path);
	close(open(outside, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	fill(path, 500);
	assert_int_equal(symlink(base, link), 0);
	remove_tree_aside(path);
	remove_finish(CHILD_MSEC);
	assert_true(is_there(outside));
	unlink(outside);
}

static void a_missing_directory_is_no_matter(void **state)
{
	remove_tree_aside(path);
	remove_tree_aside(path);
	remove_finish(CHILD_MSEC);
}

static void note(const void *data)
{
	close(open(data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static void a_child_has_no_descriptors_of_this_process(void **state)
{
	char byte, noted[192];
	int fds[2];

	snprintf(noted, sizeof(noted), "%s/noted", path);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(remove_in_child(note, noted), 0);
	close(fds[1]);
	assert_int_equal(read(fds[0], &byte, 1), 0);
	close(fds[0]);
	remove_finish(CHILD_MSEC);
	assert_true(is_there(noted));
	remove_tree(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_few_files_are_removed_at_once),      TEST(many_files_are_removed_by_a_child),
		TEST(directories_are_removed_at_any_depth), TEST(a_link_is_not_followed),
		TEST(a_missing_directory_is_no_matter),     TEST(a_child_has_no_descriptors_of_this_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
