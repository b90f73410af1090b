/* Directories of owners: whose they are, how they end, and what is kept in them. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "loop/remove.h"
#include "reply/artifacts.h"
#include "reply/output.h"
#include "reply/owner_dirs.h"

#define CHILD_MSEC 20000 /* until the process that removes files has ended */

/* The clock that directories see: the linker puts this in the place of clock_now(). */
static usec_t clock_ahead;
usec_t __real_clock_now(void);
usec_t __wrap_clock_now(void);

usec_t __wrap_clock_now(void)
{
	return __real_clock_now() + clock_ahead;
}

static char base[64];

static int setup(void **state)
{
	strcpy(base, "/tmp/test_owner_dirs.XXXXXX");
	return mkdtemp(base) ? setenv("TMPDIR", base, 1) : -1;
}

static int teardown(void **state)
{
	return rmdir(base); /* which fails if something is left */
}

static const char *path_of(struct owner_dirs *o, uint64_t owner)
{
	const char *path = NULL;

	assert_int_equal(owner_dirs_path(o, owner, &path), 0);
	return path;
}

/* A file in the directory, so many seconds old. */
static void put(const char *directory, const char *name, off_t size, time_t age)
{
	const struct timespec times[] = { { time(NULL) - age, 0 }, { time(NULL) - age, 0 } };
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0); /* a hole: it takes no room */
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static bool has(const char *directory, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

static void each_owner_has_one_that_goes_with_it(void **state)
{
	struct owner_dirs *o = NULL;
	char first[256], second[256];
	struct stat st;

	assert_int_equal(owner_dirs_new(NULL, &o), 0);
	strcpy(first, path_of(o, 1));
	strcpy(second, path_of(o, 2));
	assert_string_not_equal(first, second);
	assert_string_equal(path_of(o, 1), first);
	assert_int_equal(stat(first, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(owner_dirs_parent(o), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	put(first, "x", 1, 0);
	put(second, "x", 1, 0);
	owner_dirs_end(o, 1);
	assert_false(has(first, ""));
	assert_true(has(second, "x"));
	assert_string_not_equal(path_of(o, 1), first);
	owner_dirs_free(o);
}

static void what_is_old_or_too_much_goes(void **state)
{
	struct owner_dirs *o = NULL;
	const char *dir;

	assert_int_equal(owner_dirs_new(NULL, &o), 0);
	dir = path_of(o, 1);
	put(dir, "old", 1, LIMIT_OWNER_FILES_AGE + 60);
	put(dir, "new", 1, 60);
	clock_ahead += 120 * USEC_PER_SEC;
	path_of(o, 2);
	remove_finish(CHILD_MSEC);
	assert_false(has(dir, "old"));
	assert_true(has(dir, "new"));
	put(dir, "large", (off_t)LIMIT_OWNER_FILES_BYTES, 30);
	put(dir, "newest", 1, 0);
	clock_ahead += 120 * USEC_PER_SEC;
	path_of(o, 2);
	remove_finish(CHILD_MSEC);
	assert_false(has(dir, "new"));
	assert_false(has(dir, "large"));
	assert_true(has(dir, "newest"));
	owner_dirs_free(o);
}

static void what_was_written_counts_at_once(void **state)
{
	struct owner_dirs *o = NULL;

	assert_int_equal(owner_dirs_room(NULL, 1), UINT64_MAX);
	assert_int_equal(owner_dirs_new(NULL, &o), 0);
	path_of(o, 1);
	path_of(o, 2);
	assert_int_equal(owner_dirs_room(o, 1), LIMIT_OWNER_FILES_BYTES);
	owner_dirs_add(o, 1, LIMIT_OWNER_FILES_BYTES - 1, 1);
	assert_int_equal(owner_dirs_room(o, 1), 1);
	owner_dirs_add(o, 1, 1, 0);
	assert_int_equal(owner_dirs_room(o, 1), 0);
	assert_int_equal(owner_dirs_room(o, 2), LIMIT_OWNER_FILES_BYTES);
	owner_dirs_add(o, 1, -(int64_t)LIMIT_OWNER_FILES_BYTES, 0);
	assert_int_equal(owner_dirs_room(o, 1), LIMIT_OWNER_FILES_BYTES);
	owner_dirs_add(o, 1, 0, LIMIT_OWNER_FILES_COUNT - 1);
	assert_int_equal(owner_dirs_room(o, 1), 0);
	owner_dirs_free(o);
}

static void nothing_is_written_beyond_the_limit(void **state)
{
	struct output_settings settings = {};
	struct output output = { .settings = &settings, .artifacts = artifacts_new() };
	struct file_access files = { .output = &output, .owner = 1, .may_write = true };
	struct output_file first = { .path = "first", .rest = "first" }, second = { .path = "second", .rest = "second" };
	int fd;

	assert_int_equal(owner_dirs_new(NULL, &output.owner_dirs), 0);
	first.root = second.root = path_of(output.owner_dirs, 1);
	fd = output_try_open(&files, &first, false);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)LIMIT_OWNER_FILES_BYTES), 0);
	output_close(&files, &first, fd);
	assert_int_equal(output_try_open(&files, &second, false), -EDQUOT);
	assert_int_equal(output_try_open(&files, &first, false), -EDQUOT);
	assert_int_equal(output_downloads_max(&files), 0);
	assert_false(has(first.root, "second"));
	artifacts_free(output.artifacts);
	owner_dirs_free(output.owner_dirs);
	remove_finish(CHILD_MSEC);
}

static void make_directory(const char *directory, const char *name, time_t age)
{
	const struct timespec times[] = { { time(NULL) - age, 0 }, { time(NULL) - age, 0 } };
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void directories_that_are_made_are_files(void **state)
{
	struct output_settings settings = {};
	struct output output = { .settings = &settings, .artifacts = artifacts_new() };
	struct file_access files = { .output = &output, .owner = 1, .may_write = true };
	struct output_file f = { .path = "a/b/c/file", .rest = "a/b/c/file" };

	assert_int_equal(owner_dirs_new(NULL, &output.owner_dirs), 0);
	f.root = path_of(output.owner_dirs, 1);
	owner_dirs_add(output.owner_dirs, 1, 0, LIMIT_OWNER_FILES_COUNT - 5);
	output_close(&files, &f, output_try_open(&files, &f, false));
	assert_int_not_equal(owner_dirs_room(output.owner_dirs, 1), 0);
	owner_dirs_add(output.owner_dirs, 1, 0, 1);
	assert_int_equal(owner_dirs_room(output.owner_dirs, 1), 0);
	artifacts_free(output.artifacts);
	owner_dirs_free(output.owner_dirs);
	remove_finish(CHILD_MSEC);
}

static void directories_are_counted_and_go_when_they_are_empty(void **state)
{
	struct owner_dirs *o = NULL;
	const char *dir;

	assert_int_equal(owner_dirs_new(NULL, &o), 0);
	dir = path_of(o, 1);
	make_directory(dir, "new", 0);
	make_directory(dir, "full", 3600);
	put(dir, "full/file", 1, 0);
	make_directory(dir, "old", 3600);
	make_directory(dir, "old/inner", 3600);
	make_directory(dir, "emptied", 3600);
	put(dir, "emptied/file", 1, LIMIT_OWNER_FILES_AGE + 60);
	clock_ahead += 120 * USEC_PER_SEC;
	path_of(o, 1);
	remove_finish(CHILD_MSEC);
	assert_true(has(dir, "new"));
	assert_true(has(dir, "full/file"));
	assert_true(has(dir, "emptied")); /* it has just changed */
	assert_true(has(dir, "old"));     /* it changed with what was made in it */
	assert_false(has(dir, "old/inner"));
	owner_dirs_add(o, 1, 0, LIMIT_OWNER_FILES_COUNT - 6);
	assert_int_not_equal(owner_dirs_room(o, 1), 0);
	owner_dirs_add(o, 1, 0, 1); /* and new, full, full/file, emptied, old */
	assert_int_equal(owner_dirs_room(o, 1), 0);
	owner_dirs_free(o);
}

static void what_is_counted_corrects_that(void **state)
{
	struct owner_dirs *o = NULL;
	const char *dir;

	assert_int_equal(owner_dirs_new(NULL, &o), 0);
	dir = path_of(o, 1);
	put(dir, "unknown", 1000, 0);
	owner_dirs_add(o, 1, LIMIT_OWNER_FILES_BYTES, LIMIT_OWNER_FILES_COUNT);
	clock_ahead += 6 * USEC_PER_SEC; /* sooner than in a minute, because the limit is near */
	path_of(o, 1);
	remove_finish(CHILD_MSEC);
	assert_int_equal(owner_dirs_room(o, 1), LIMIT_OWNER_FILES_BYTES - 1000);
	assert_true(has(dir, "unknown"));
	owner_dirs_free(o);
}

static void a_named_parent_keeps_what_was_written(void **state)
{
	struct owner_dirs *o = NULL;
	char parent[128], kept[256], empty[256];

	snprintf(parent, sizeof(parent), "%s/a/b", base);
	assert_int_equal(owner_dirs_new(parent, &o), 0);
	strcpy(kept, path_of(o, 1));
	strcpy(empty, path_of(o, 2));
	put(kept, "x", 1, LIMIT_OWNER_FILES_AGE + 60);
	clock_ahead += 120 * USEC_PER_SEC;
	path_of(o, 1);
	owner_dirs_end(o, 1);
	owner_dirs_free(o);
	assert_true(has(kept, "x"));
	assert_false(has(empty, ""));
	strcat(strcpy(empty, kept), "/x");
	unlink(empty);
	rmdir(kept);
	rmdir(parent);
	*strrchr(parent, '/') = '\0';
	rmdir(parent);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_owner_has_one_that_goes_with_it), TEST(what_is_old_or_too_much_goes),
		TEST(what_was_written_counts_at_once),      TEST(nothing_is_written_beyond_the_limit),
		TEST(directories_that_are_made_are_files),  TEST(directories_are_counted_and_go_when_they_are_empty),
		TEST(what_is_counted_corrects_that),        TEST(a_named_parent_keeps_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
