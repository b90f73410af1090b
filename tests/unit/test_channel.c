/* NUL-terminated messages over a socket: in pieces, long ones, many at once, a peer that does not read, the end. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"
#include "loop/channel.h"
#include "run_queued.h"

#define LIMIT 70000u

struct fixture {
	struct loop *loop;
	struct transport *channel;
	int peer;
	struct str heard; /* messages with '|' behind each; long ones are their length */
	unsigned count, closed;
};

static void append_message(struct str *heard, const char *mark, const char *text, size_t len)
{
	if (len < 40)
		str_appendf(heard, "%s%s|", mark, text);
	else
		str_appendf(heard, "%s%zu|", mark, len);
}

static void on_open(void *data)
{
	fail_msg("a channel is open from the start");
}

static void on_message(char *text, size_t len, void *data)
{
	struct fixture *f = data;

	assert_int_equal(text[len], '\0');
	append_message(&f->heard, "", text, len);
	memset(text, '#', len); /* callbacks may change it */
	f->count++;
}

static void on_oversize(const char *head, size_t len, void *data)
{
	struct fixture *f = data;

	assert_true(len <= 256);
	str_appendf(&f->heard, "!%.3s|", head);
	f->count++;
}

static void on_closed(const char *reason, void *data)
{
	assert_true(reason[0]);
	((struct fixture *)data)->closed++;
}

static const struct transport_handler handler = { on_open, on_message, on_oversize, on_closed };

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);
	int fds[2];

	assert_int_equal(loop_new(&f->loop), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	f->peer = fds[1];
	assert_int_equal(channel_open(f->loop, fds[0], LIMIT, &handler, f, &f->channel), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	transport_free(f->channel);
	loop_free(f->loop);
	if (f->peer >= 0)
		close(f->peer);
	str_done(&f->heard);
	free(f);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The peer says this, as much at a time as the socket takes. */
static void say(struct fixture *f, const char *text, size_t len, unsigned count)
{
	while (len > 0) {
		ssize_t n = send(f->peer, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
		if (n < 0)
			assert_int_equal(errno, EAGAIN);
		if (len > 0)
			loop_step(f->loop);
	}
	while (f->count < count)
		loop_step(f->loop);
}

static void test_messages(void **state)
{
	static const char speech[] = "{\"id\":1}\0{\"id\":2}\0\0x";
	struct fixture *f = *state;

	say(f, speech, sizeof(speech), 4); /* with the NUL at its end */
	assert_string_equal(f->heard.data, "{\"id\":1}|{\"id\":2}||x|");
}

static void test_pieces(void **state)
{
	struct fixture *f = *state;

	for (const char *c = "one"; *c; c++) {
		say(f, c, 1, 0);
		loop_step(f->loop);
	}
	assert_int_equal(f->count, 0);
	say(f, "\0tw", 3, 1);
	say(f, "o", 2, 2);
	assert_string_equal(f->heard.data, "one|two|");
}

static void test_long_ones(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str speech = {};

	for (unsigned len = LIMIT - 1; len <= 5 * LIMIT; len = len <= LIMIT ? len + 1 : len + LIMIT) {
		str_append(&speech, "abc");
		for (unsigned i = 3; i < len; i++)
			str_append_char(&speech, 'x');
		str_append_char(&speech, '\0');
	}
	str_append_len(&speech, "end", 4);
	say(f, speech.data, speech.len, 7);
	assert_string_equal(f->heard.data, "69999|70000|!abc|!abc|!abc|!abc|end|");
}

/* Reads until so many messages were read; they are joined with '|'. */
static void listen_for(struct fixture *f, struct str *ret, unsigned count)
{
	char buf[65536];

	while (count > 0) {
		ssize_t n = recv(f->peer, buf, sizeof(buf), MSG_DONTWAIT);

		for (ssize_t i = 0; i < n; i++) {
			str_append_char(ret, buf[i] ? buf[i] : '|');
			count -= buf[i] == '\0';
		}
		run_queued(f->loop);
	}
}

static void test_sending(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str heard = {};

	assert_int_equal(transport_send(f->channel, "one", 3), 0);
	assert_int_equal(transport_send(f->channel, "two", 3), 0);
	listen_for(f, &heard, 2);
	assert_string_equal(heard.data, "one|two|");
}

/* Two messages for the browser where one was meant. */
static void test_a_nul_inside(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(transport_send(f->channel, "one\0two", 7), -EINVAL);
}

static void test_a_peer_that_does_not_read(void **state)
{
	struct fixture *f = *state;
	size_t len = LIMIT_CDP_PENDING / 8;
	char *text = must(malloc(len));
	unsigned sent = 0;

	memset(text, 'x', len);
	while (transport_send(f->channel, text, len) == 0) {
		sent++;
		run_queued(f->loop);
	}
	assert_in_range(sent, 7, 9);
	run_queued(f->loop);
	assert_int_equal(f->closed, 1);
	free(text);
}

static void test_the_end(void **state)
{
	struct fixture *f = *state;

	say(f, "last\0half", 9, 0);
	close(f->peer);
	f->peer = -1;
	while (!f->closed)
		loop_step(f->loop);
	assert_string_equal(f->heard.data, "last|");
	assert_int_equal(f->closed, 1);
	assert_int_equal(transport_send(f->channel, "x", 1), -ENOTCONN);
}

static void test_a_pause(void **state)
{
	struct fixture *f = *state;

	transport_pause(f->channel, 3600 * USEC_PER_SEC);
	say(f, "one", 4, 0);
	run_queued(f->loop);
	assert_int_equal(f->count, 0);
	transport_resume(f->channel);
	say(f, "two", 4, 2);
	transport_pause(f->channel, 1); /* ends by itself */
	say(f, "three", 6, 3);
	assert_string_equal(f->heard.data, "one|two|three|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_messages), TEST(test_pieces),       TEST(test_long_ones),
		TEST(test_sending),  TEST(test_a_nul_inside), TEST(test_a_peer_that_does_not_read),
		TEST(test_the_end),  TEST(test_a_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
