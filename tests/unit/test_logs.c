/* Logs of dev servers: what may be read, tails, offsets, and files that stay bounded. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "devserver/logs.h"
#include "loop/remove.h"

static char folder[64], outside[64];

static int setup(void **state)
{
	strcpy(folder, "/tmp/browserd-test-XXXXXX");
	strcpy(outside, "/tmp/browserd-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_non_null(mkdtemp(outside));
	return 0;
}

static int teardown(void **state)
{
	remove_tree(folder);
	remove_tree(outside);
	return 0;
}

static const char *path(const char *dir, const char *name)
{
	static char buf[4][128];
	static unsigned next;
	char *p = buf[next++ % 4];

	snprintf(p, sizeof(buf[0]), "%s/%s", dir, name);
	return p;
}

static const char *file(const char *dir, const char *name, const char *text)
{
	const char *p = path(dir, name);
	FILE *f = fopen(p, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return p;
}

static const char *const *allowed(void)
{
	static const char *list[2];

	list[0] = folder;
	return list;
}

static void expect(struct log_query q, const char *text, uint64_t offset, uint64_t next)
{
	struct log_part part = {};
	const char *why;

	q.folders = allowed();
	assert_int_equal(log_read(&q, &part, &why), 0);
	assert_string_equal(str_text(&part.text), text);
	assert_int_equal(part.offset, offset);
	assert_int_equal(part.next, next);
	str_done(&part.text);
}

static void expect_refused(const char *p, const char *reason)
{
	struct log_query q = { .path = p, .folders = allowed(), .offset = -1 };
	struct log_part part = {};
	const char *why = NULL;

	assert_int_equal(log_read(&q, &part, &why), -EACCES);
	assert_non_null(strstr(why, reason));
	why = NULL;
	assert_int_equal(log_check(p, allowed(), &why), -EACCES);
	assert_non_null(strstr(why, reason));
	str_done(&part.text);
}

static void last_lines_and_offsets(void **state)
{
	const char *p = file(folder, "a.log", "one\ntwo\nthree\n");

	expect((struct log_query){ .path = p, .offset = -1 }, "one\ntwo\nthree\n", 0, 14);
	expect((struct log_query){ .path = p, .offset = -1, .lines = 2 }, "two\nthree\n", 4, 14);
	expect((struct log_query){ .path = p, .offset = -1, .lines = 9 }, "one\ntwo\nthree\n", 0, 14);
	expect((struct log_query){ .path = p, .offset = 4 }, "two\nthree\n", 4, 14);
	expect((struct log_query){ .path = p, .offset = 4, .lines = 1 }, "two\n", 4, 8);
	expect((struct log_query){ .path = p, .offset = 14 }, "", 14, 14);
}

static void a_line_without_its_end_counts(void **state)
{
	const char *p = file(folder, "a.log", "one\ntwo");

	expect((struct log_query){ .path = p, .offset = -1, .lines = 1 }, "two", 4, 7);
}

static void a_file_that_was_begun_again(void **state)
{
	struct log_query q = { .path = file(folder, "a.log", "new\n"), .folders = allowed(), .offset = 100 };
	struct log_part part = {};
	const char *why;

	assert_int_equal(log_read(&q, &part, &why), 0);
	assert_true(part.restarted);
	assert_string_equal(str_text(&part.text), "new\n");
	str_done(&part.text);
}

static void what_is_no_log_is_refused(void **state)
{
	char up[160];

	file(outside, "secret", "x");
	snprintf(up, sizeof(up), "%s/../%s/secret", folder, strrchr(outside, '/') + 1);
	expect_refused(up, "\"..\" component");
	expect_refused("relative.log", "not an absolute path");
	expect_refused(path(outside, "secret"), "outside");
	expect_refused(path(outside, "not-there"), "outside");
	expect_refused("/dev/null", "not a regular file");
	expect_refused(folder, "not a regular file");
	assert_int_equal(symlink(path(outside, "secret"), path(folder, "link")), 0);
	expect_refused(path(folder, "link"), "outside");
	assert_int_equal(symlink(outside, path(folder, "dir")), 0);
	expect_refused(path(folder, "dir/secret"), "outside");
	assert_int_equal(link(path(outside, "secret"), path(folder, "hard")), 0);
	expect_refused(path(folder, "hard"), "second name");
	assert_int_equal(mkfifo(path(folder, "fifo"), 0600), 0);
	expect_refused(path(folder, "fifo"), "not a regular file");
}

static void links_that_stay_inside_are_followed(void **state)
{
	file(folder, "a.log", "x\n");
	assert_int_equal(symlink("a.log", path(folder, "current.log")), 0);
	expect((struct log_query){ .path = path(folder, "current.log"), .offset = -1 }, "x\n", 0, 2);
}

static void a_file_that_is_not_there_yet(void **state)
{
	const char *why;

	assert_int_equal(log_check(path(folder, "later.log"), allowed(), &why), 0);
}

static void written_files_stay_bounded(void **state)
{
	_cleanup_(log_writer_freep) struct log_writer *w = NULL;
	const size_t line = 64, lines = 3 * (LIMIT_SERVER_LOG_FILE / line) + 10;
	struct log_part part = {};
	struct stat st;
	char text[65];
	const char *why;

	assert_int_equal(log_writer_new(folder, "stdout", &w), 0);
	for (size_t i = 0; i < lines; i++) {
		snprintf(text, sizeof(text), "%063zu\n", i);
		log_writer_add(w, text, line);
	}
	assert_int_equal(stat(path(folder, "stdout.log"), &st), 0);
	assert_int_equal(st.st_size, 10 * line);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(path(folder, "stdout.log.1"), &st), 0);
	assert_int_equal(st.st_size, LIMIT_SERVER_LOG_FILE);
	assert_int_equal(log_writer_dropped(w), 2ull * LIMIT_SERVER_LOG_FILE);
	struct log_query q = { .path = log_writer_path(w),
			       .before = path(folder, "stdout.log.1"),
			       .folders = allowed(),
			       .dropped = log_writer_dropped(w),
			       .offset = -1,
			       .lines = 12 };
	assert_int_equal(log_read(&q, &part, &why), 0);
	assert_int_equal(part.text.len, 12 * line); /* over the edge of both files */
	assert_int_equal(part.next, lines * line);
	assert_int_equal(strtoul(part.text.data, NULL, 10), lines - 12);
	str_done(&part.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(last_lines_and_offsets),     TEST(a_line_without_its_end_counts),       TEST(a_file_that_was_begun_again),
		TEST(what_is_no_log_is_refused),  TEST(links_that_stay_inside_are_followed), TEST(a_file_that_is_not_there_yet),
		TEST(written_files_stay_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
