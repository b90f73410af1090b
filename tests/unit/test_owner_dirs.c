/* Directories of owners: whose they are, how they end, and what is kept in them. */
#include "test.h"

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
		TEST(each_owner_has_one_that_goes_with_it),
		TEST(what_is_old_or_too_much_goes),
		TEST(a_named_parent_keeps_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
