/* Copies of what files hold: whole, given up, failing. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "loop/copy.h"

#define SIZE ((3u << 20) + 5) /* several parts and a bit */

struct fixture {
	struct loop *loop;
	struct str body;
	int in, out;
	int result;
	bool over;
};

/* A file without a name. */
static int unnamed(void)
{
	char path[] = "/tmp/browserd-copy-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

static int setup(void **state)
{
	struct fixture *f = *state = NEW(struct fixture);

	if (loop_new(&f->loop) < 0)
		return -1;
	for (unsigned i = 0; f->body.len < SIZE; i++)
		str_append_char(&f->body, (char)('a' + i % 26));
	f->in = unnamed();
	f->out = unnamed();
	assert_int_equal(file_write_all(f->in, f->body.data, f->body.len), 0);
	assert_int_equal(lseek(f->in, 0, SEEK_SET), 0);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	close(f->in);
	close(f->out);
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

static unsigned run(struct fixture *f)
{
	unsigned steps = 0;

	for (; !f->over; steps++)
		assert_int_equal(loop_step(f->loop), 0);
	return steps;
}

static void the_whole_file_is_copied_in_parts(void **state)
{
	_cleanup_(copy_freep) struct copy *c = NULL;
	_cleanup_(str_done) struct str there = {};
	struct fixture *f = *state;

	c = copy_start(f->loop, f->in, f->out, on_done, f);
	assert_true(run(f) > 1);
	assert_int_equal(f->result, 0);
	assert_int_equal(lseek(f->out, 0, SEEK_SET), 0);
	assert_int_equal(file_read_from(f->out, SIZE, &there), 0);
	assert_int_equal(there.len, f->body.len);
	assert_memory_equal(there.data, f->body.data, f->body.len);
}

static void one_that_is_given_up_says_nothing(void **state)
{
	struct fixture *f = *state;
	struct copy *c = copy_start(f->loop, f->in, f->out, on_done, f);

	assert_int_equal(loop_step(f->loop), 0);
	copy_free(c);
	assert_false(f->over);
}

static void what_cannot_be_written_fails(void **state)
{
	_cleanup_(copy_freep) struct copy *c = NULL;
	struct fixture *f = *state;

	close(f->out);
	f->out = open("/dev/null", O_RDONLY | O_CLOEXEC);
	c = copy_start(f->loop, f->in, f->out, on_done, f);
	run(f);
	assert_int_equal(f->result, -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_whole_file_is_copied_in_parts, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_is_given_up_says_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_written_fails, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
