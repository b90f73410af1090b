/* Copies of files, whole and given up. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "loop/copy.h"

#define SIZE ((3u << 20) + 5) /* several parts and a bit */

struct fixture {
	struct loop *loop;
	char folder[64];
	struct str from, to, body;
	int result;
	bool over;
};

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static int setup(void **state)
{
	struct fixture *f = *state = NEW(struct fixture);

	strcpy(f->folder, "/tmp/browserd-copy-XXXXXX");
	if (loop_new(&f->loop) < 0 || !mkdtemp(f->folder))
		return -1;
	str_appendf(&f->from, "%s/from", f->folder);
	str_appendf(&f->to, "%s/to", f->folder);
	for (unsigned i = 0; f->body.len < SIZE; i++)
		str_append_char(&f->body, (char)('a' + i % 26));
	write_file(f->from.data, f->body.data, f->body.len);
	return 0;
}

static unsigned count_files(const struct fixture *f)
{
	DIR *dir = opendir(f->folder);
	unsigned n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->from.data);
	unlink(f->to.data);
	assert_int_equal(rmdir(f->folder), 0);
	str_done(&f->from);
	str_done(&f->to);
	str_done(&f->body);
	loop_free(f->loop);
	free(f);
	return 0;
}

static void on_done(int r, void *data)
{
	struct fixture *f = data;

	f->result = r;
	f->over = true;
}

static void start(struct fixture *f, struct copy **ret)
{
	f->over = false;
	assert_int_equal(copy_start(f->loop, f->from.data, f->to.data, on_done, f, ret), 0);
}

static void the_whole_file_takes_the_place_of_another(void **state)
{
	_cleanup_(str_done) struct str there = {};
	_cleanup_(copy_freep) struct copy *c = NULL;
	struct fixture *f = *state;
	struct stat st;

	write_file(f->to.data, "old", 3);
	start(f, &c);
	while (!f->over) {
		str_reset(&there);
		assert_int_equal(file_read(f->to.data, SIZE, &there), 0);
		assert_string_equal(there.data, "old"); /* until all of it is there */
		assert_int_equal(loop_step(f->loop), 0);
	}
	assert_int_equal(f->result, 0);
	str_reset(&there);
	assert_int_equal(file_read(f->to.data, SIZE, &there), 0);
	assert_int_equal(there.len, f->body.len);
	assert_memory_equal(there.data, f->body.data, f->body.len);
	assert_int_equal(stat(f->to.data, &st), 0);
	assert_int_equal(st.st_mode & 0400, 0400);
	assert_int_equal(count_files(f), 2);
}

static void one_that_is_given_up_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct copy *c;

	start(f, &c);
	assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(count_files(f), 2); /* it grows */
	copy_free(c);
	assert_false(f->over);
	assert_int_equal(count_files(f), 1);
}

static void what_cannot_begin_says_why(void **state)
{
	struct fixture *f = *state;
	struct copy *c;

	assert_int_equal(copy_start(f->loop, "/nowhere/at/all", f->to.data, on_done, f, &c), -ENOENT);
	assert_int_equal(copy_start(f->loop, f->from.data, "/nowhere/at/all", on_done, f, &c), -ENOENT);
	assert_int_equal(count_files(f), 1);
}

static void a_folder_is_not_replaced(void **state)
{
	_cleanup_(copy_freep) struct copy *c = NULL;
	struct fixture *f = *state;

	assert_int_equal(mkdir(f->to.data, 0700), 0);
	start(f, &c);
	while (!f->over)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(f->result, -EISDIR);
	c = copy_free(c);
	assert_int_equal(rmdir(f->to.data), 0);
	assert_int_equal(count_files(f), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_whole_file_takes_the_place_of_another, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_is_given_up_leaves_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_begin_says_why, setup, teardown),
		cmocka_unit_test_setup_teardown(a_folder_is_not_replaced, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
