/* Lines over descriptors: pieces, limits, files, slow and vanished readers. Real pipes and files throughout. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"
#include "loop/lineio.h"

#define MIB (1u << 20)

struct fixture {
	struct loop *loop;
	struct lineio *lineio;
	int in[2], out[2];
	struct str lines; /* what came, each line followed by '|' */
	size_t longest;
	int count, oversize, input_ended, output_gone;
};

static void on_line(char *text, size_t len, void *data)
{
	struct fixture *f = data;

	assert_int_equal(text[len], '\0');
	f->count++;
	if (len > f->longest)
		f->longest = len;
	if (len < 100)
		str_appendf(&f->lines, "%s|", text);
	memset(text, '#', len); /* callbacks may change it */
}

static void on_oversize(void *data)
{
	((struct fixture *)data)->oversize++;
}

static void on_ended(enum lineio_end end, const char *reason, void *data)
{
	struct fixture *f = data;

	assert_non_null(reason);
	if (end == LINEIO_INPUT_ENDED)
		f->input_ended++;
	else
		f->output_gone++;
}

static const struct lineio_handler handler = { on_line, on_oversize, on_ended };

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(loop_new(&f->loop), 0);
	assert_int_equal(pipe2(f->in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(f->out, O_CLOEXEC), 0);
	fcntl(f->in[1], F_SETFL, O_NONBLOCK);
	fcntl(f->out[0], F_SETFL, O_NONBLOCK);
	*state = f;
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	lineio_free(f->lineio);
	loop_free(f->loop);
	for (int i = 0; i < 2; i++) {
		close_fd(&f->in[i]);
		close_fd(&f->out[i]);
	}
	str_done(&f->lines);
	free(f);
	return 0;
}

static void start(struct fixture *f)
{
	assert_int_equal(lineio_new(f->loop, f->in[0], f->out[1], &handler, f, &f->lineio), 0);
}

static void feed(struct fixture *f, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(f->in[1], text, len);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else {
			assert_int_equal(errno, EAGAIN);
			assert_int_equal(loop_step(f->loop), 0);
		}
	}
}

static void until(struct fixture *f, const int *counter, int wanted)
{
	while (*counter < wanted)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(*counter, wanted);
}

static void test_pieces(void **state)
{
	struct fixture *f = *state;
	static const char text[] = "one\ntwo\r\n\n  \t\nthree\n{\"a\": \"\xc3\xa9\"}\nfour\nhalf";

	start(f);
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		feed(f, text + i, 1);
		assert_int_equal(loop_step(f->loop), 0);
	}
	until(f, &f->count, 5);
	assert_int_equal(f->input_ended, 0);
	close_fd(&f->in[1]);
	until(f, &f->input_ended, 1);
	assert_string_equal(str_text(&f->lines), "one|two|three|{\"a\": \"\xc3\xa9\"}|four|half|");
	assert_int_equal(f->output_gone, 0);
}

static void test_many_at_once(void **state)
{
	struct fixture *f = *state;
	struct str text = {};

	start(f);
	for (int i = 0; i < 50000; i++)
		str_appendf(&text, "line %d\n", i);
	feed(f, text.data, text.len);
	until(f, &f->count, 50000);
	str_done(&text);
}

static void test_limit(void **state)
{
	struct fixture *f = *state;
	char *text = must(malloc(LIMIT_LINE + 2));

	start(f);
	memset(text, 'x', LIMIT_LINE + 1);
	text[LIMIT_LINE] = '\n';
	feed(f, text, LIMIT_LINE + 1);
	until(f, &f->count, 1);
	assert_int_equal(f->longest, LIMIT_LINE);
	assert_int_equal(f->oversize, 0);

	text[LIMIT_LINE] = 'x';
	text[LIMIT_LINE + 1] = '\n';
	feed(f, text, LIMIT_LINE + 2);
	until(f, &f->oversize, 1);
	feed(f, "next\n", 5);
	until(f, &f->count, 2);
	assert_string_equal(str_text(&f->lines), "next|");
	free(text);
}

/* The whole of it is never held: the limit is found long before the line ends. */
static void test_endless_line(void **state)
{
	struct fixture *f = *state;
	char *piece = must(malloc(MIB));

	start(f);
	memset(piece, 'y', MIB);
	for (int i = 0; i < 100; i++)
		feed(f, piece, MIB);
	until(f, &f->oversize, 1);
	feed(f, "\nafter\n", 7);
	until(f, &f->count, 1);
	assert_string_equal(str_text(&f->lines), "after|");
	feed(f, piece, MIB);
	close_fd(&f->in[1]);
	until(f, &f->input_ended, 1);
	assert_int_equal(f->oversize, 1);
	assert_int_equal(f->count, 2);
	free(piece);
}

static void test_zero_byte(void **state)
{
	struct fixture *f = *state;

	start(f);
	feed(f, "a\0bc\nnext\n", 10);
	until(f, &f->count, 2);
	assert_int_equal(f->longest, 4);
	assert_string_equal(str_text(&f->lines), "a|next|");
}

static void test_regular_file(void **state)
{
	struct fixture *f = *state;
	FILE *file = tmpfile();

	for (int i = 0; i < 20000; i++)
		fprintf(file, "line %d\n", i);
	fputs("no newline here", file);
	fflush(file);
	rewind(file);
	lseek(fileno(file), 0, SEEK_SET);
	assert_int_equal(lineio_new(f->loop, fileno(file), f->out[1], &handler, f, &f->lineio), 0);
	assert_int_equal(f->count, 0);
	until(f, &f->input_ended, 1);
	assert_int_equal(f->count, 20001);
	f->lineio = lineio_free(f->lineio);
	fclose(file);
}

static void test_null_and_file_output(void **state)
{
	struct fixture *f = *state;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	FILE *file = tmpfile();
	char text[32] = "";

	assert_int_equal(lineio_new(f->loop, null, fileno(file), &handler, f, &f->lineio), 0);
	until(f, &f->input_ended, 1);
	assert_int_equal(f->count, 0);
	lineio_send(f->lineio, "answer", 6);
	lineio_send(f->lineio, "two", 3);
	assert_true(lineio_flush(f->lineio, 0));
	rewind(file);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, file), 11);
	assert_string_equal(text, "answer\ntwo\n");
	f->lineio = lineio_free(f->lineio);
	fclose(file);
	close(null);
}

static size_t drain(int fd, struct str *to)
{
	char buf[3000];
	size_t got = 0;
	ssize_t n;

	while (got < 200000 && (n = read(fd, buf, sizeof(buf))) > 0) {
		str_append_len(to, buf, (size_t)n);
		got += (size_t)n;
	}
	return got;
}

static void test_slow_reader(void **state)
{
	struct fixture *f = *state;
	struct str expected = {}, line = {}, got = {};

	start(f);
	for (int i = 0; i < 300; i++) {
		str_reset(&line);
		for (int k = 0; k < i; k++)
			str_appendf(&line, "%d.%d,", i, k);
		str_append(&line, "end");
		lineio_send(f->lineio, line.data, line.len);
		str_append_len(&expected, line.data, line.len);
		str_append_char(&expected, '\n');
		if (i % 50 == 0)
			drain(f->out[0], &got);
	}
	while (got.len < expected.len)
		if (drain(f->out[0], &got) == 0)
			assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(got.len, expected.len);
	assert_memory_equal(got.data, expected.data, got.len);
	assert_true(lineio_flush(f->lineio, 0));
	str_done(&expected);
	str_done(&line);
	str_done(&got);
}

static void test_flush_gives_up(void **state)
{
	struct fixture *f = *state;
	char *text = must(calloc(1, MIB));

	start(f);
	memset(text, 'z', MIB);
	lineio_send(f->lineio, text, MIB);
	assert_false(lineio_flush(f->lineio, 1));
	free(text);
}

static void test_reader_gone(void **state)
{
	struct fixture *f = *state;

	start(f);
	close_fd(&f->out[0]);
	until(f, &f->output_gone, 1);
	lineio_send(f->lineio, "lost", 4);
	feed(f, "still heard\n", 12);
	until(f, &f->count, 1);
	assert_false(lineio_flush(f->lineio, 1000));
	assert_int_equal(f->output_gone, 1);
}

static void test_reader_that_never_reads(void **state)
{
	struct fixture *f = *state;
	char *text = must(calloc(1, MIB));

	start(f);
	memset(text, 'z', MIB);
	for (size_t sent = 0; sent <= LIMIT_STDOUT_PENDING; sent += MIB) {
		assert_int_equal(f->output_gone, 0); /* never from inside of a send */
		lineio_send(f->lineio, text, MIB);
	}
	until(f, &f->output_gone, 1);
	free(text);
}

static void test_flags_are_set_back(void **state)
{
	struct fixture *f = *state;
	int before = fcntl(f->out[1], F_GETFL);

	start(f);
	assert_true(fcntl(f->out[1], F_GETFL) & O_NONBLOCK);
	f->lineio = lineio_free(f->lineio);
	assert_int_equal(fcntl(f->out[1], F_GETFL), before);
}

static void test_unusable(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(lineio_new(f->loop, f->in[0], -1, &handler, f, &f->lineio), -EBADF);
	assert_int_equal(lineio_new(f->loop, -1, f->out[1], &handler, f, &f->lineio), -EBADF);
	assert_null(f->lineio);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_pieces),
		TEST(test_many_at_once),
		TEST(test_limit),
		TEST(test_endless_line),
		TEST(test_zero_byte),
		TEST(test_regular_file),
		TEST(test_null_and_file_output),
		TEST(test_slow_reader),
		TEST(test_flush_gives_up),
		TEST(test_reader_gone),
		TEST(test_reader_that_never_reads),
		TEST(test_flags_are_set_back),
		TEST(test_unusable),
	};

	return cmocka_run_group_tests_name("lineio", tests, NULL, NULL);
}
