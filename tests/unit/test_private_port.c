/* A server in a child process, and strangers who connect to it before, meanwhile and afterwards. */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "loop/file_wait.h"
#include "loop/private_port.h"
#include "loop/processors.h"
#include "loop/remove.h"
#include "loop/process.h"

#define CLIENTS_MAX 8

/* ---- the child: answers each byte with the same byte ---- */

static int listen_somewhere(uint16_t *ret_port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, size) < 0 || listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) < 0)
		return -1;
	*ret_port = ntohs(a.sin_port);
	return fd;
}

static void echo(struct pollfd *client)
{
	char byte;

	if (read(client->fd, &byte, 1) == 1 && write(client->fd, &byte, 1) == 1)
		return;
	close(client->fd);
	client->fd = -1;
}

static int serve(void)
{
	struct pollfd fds[1 + CLIENTS_MAX];
	nfds_t count = 1;
	uint16_t port;

	fds[0] = (struct pollfd){ .fd = listen_somewhere(&port), .events = POLLIN };
	printf("%d\n", port);
	fflush(stdout);
	while (poll(fds, count, -1) > 0) {
		for (nfds_t i = 1; i < count; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				echo(&fds[i]);
		if (fds[0].revents && count <= CLIENTS_MAX)
			fds[count++] = (struct pollfd){ .fd = accept(fds[0].fd, NULL, NULL), .events = POLLIN };
		if (fds[0].revents & POLLHUP)
			fds[0].fd = -1;
	}
	return 0;
}

/* ---- the parent ---- */

struct fixture {
	struct loop *loop;
	struct process *process;
	struct private_port *private;
	struct str output;
	uint16_t port;
	int fd, exited;
	bool done;
};

static void on_output(const char *text, size_t len, void *data)
{
	str_append_len(&((struct fixture *)data)->output, text, len);
}

static void on_exited(int status, void *data)
{
	((struct fixture *)data)->exited++;
}

static const struct process_handler handler = { .output = on_output, .exited = on_exited };

static void start(struct fixture *f, const char *const *argv)
{
	assert_int_equal(private_port_new(f->loop, &f->private), 0);
	assert_int_equal(process_start(f->loop, &(const struct process_plan){ .argv = argv }, &handler, f, &f->process), 0);
	while (!strchr(str_text(&f->output), '\n'))
		assert_int_equal(loop_step(f->loop), 0);
	f->port = (uint16_t)atoi(f->output.data);
}

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->fd = -1;
	assert_int_equal(loop_new(&f->loop), 0);
	if (private_port_obstacle(f->loop))
		print_message("the kernel does not permit what is tested here: %s\n", private_port_obstacle(f->loop));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	private_port_free(f->private);
	process_free(f->process);
	if (f->fd >= 0)
		close(f->fd);
	str_done(&f->output);
	loop_free(f->loop);
	free(f);
	return 0;
}

static void start_server(struct fixture *f)
{
	if (private_port_obstacle(f->loop))
		skip();
	start(f, (const char *const[]){ "/proc/self/exe", "serve", NULL });
}

static int stranger(uint16_t port, int flags)
{
	const struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0), r;

	assert_true(fd >= 0);
	r = connect(fd, (const struct sockaddr *)&a, sizeof(a)) < 0 ? -errno : 0;
	if (r == 0 || r == -EINPROGRESS)
		return fd;
	close(fd);
	return r;
}

/* One byte there and back. */
static void talk(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte = 'x';

	assert_int_equal(write(fd, &byte, 1), 1);
	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(read(fd, &byte, 1), 1);
}

static void close_reset(int fd)
{
	const struct linger now = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

static void on_connected(int fd, void *data)
{
	struct fixture *f = data;

	f->fd = fd;
	f->done = true;
}

static void connect_to(struct fixture *f)
{
	assert_int_equal(private_port_connect(f->private, f->process, f->port, on_connected, f), 0);
	while (!f->done)
		assert_int_equal(loop_step(f->loop), 0);
	assert_true(f->fd >= 0);
}

/* What the two looks at the connections find. */
static int finish(struct fixture *f)
{
	int r;

	talk(f->fd);
	r = private_port_close(f->private);
	talk(f->fd);
	for (r = r < 0 ? r : private_port_check(f->private); r == -EAGAIN; r = private_port_check(f->private))
		usleep(USEC_PER_MSEC);
	return r;
}

static void test_alone(void **state)
{
	struct fixture *f = *state;

	start_server(f);
	connect_to(f);
	assert_int_equal(finish(f), 0);
	assert_int_equal(stranger(f->port, 0), -ECONNREFUSED);
	talk(f->fd);
}

static void test_below_a_script(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str script = {};
	char self[1024] = "";

	if (private_port_obstacle(f->loop))
		skip();
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	str_appendf(&script, "'%s' serve; exit $?", self);
	start(f, (const char *const[]){ "/bin/sh", "-c", script.data, NULL });
	connect_to(f);
	assert_int_equal(finish(f), 0);
}

/* A server to which another client has connected; returns that client's socket. */
static int start_with_stranger(struct fixture *f)
{
	int fd;

	start_server(f);
	fd = stranger(f->port, 0);
	talk(fd);
	return fd;
}

static void test_a_stranger_who_stays(void **state)
{
	struct fixture *f = *state;
	int fd = start_with_stranger(f);

	connect_to(f);
	assert_int_equal(finish(f), PRIVATE_PORT_SHARED);
	close(fd);
}

static void test_a_stranger_who_has_left(void **state)
{
	struct fixture *f = *state;

	close(start_with_stranger(f));
	connect_to(f);
	assert_int_equal(finish(f), PRIVATE_PORT_SHARED);
}

/* Leaves nothing in the tables of the kernel. */
static void test_a_stranger_who_was_reset(void **state)
{
	struct fixture *f = *state;

	close_reset(start_with_stranger(f));
	connect_to(f);
	assert_int_equal(finish(f), PRIVATE_PORT_SHARED);
}

static void test_a_stranger_who_is_reset_at_the_end(void **state)
{
	struct fixture *f = *state;
	int fd = start_with_stranger(f);

	connect_to(f);
	talk(f->fd);
	close_reset(fd);
	assert_int_equal(finish(f), PRIVATE_PORT_SHARED);
}

/* When the own connection has begun, another one either does not arrive or is found. */
static void test_a_stranger_who_is_late(void **state)
{
	struct fixture *f = *state;
	struct pollfd late = { .events = POLLOUT };

	start_server(f);
	connect_to(f);
	late.fd = stranger(f->port, SOCK_NONBLOCK);
	assert_int_equal(finish(f), poll(&late, 1, 0) == 0 ? 0 : PRIVATE_PORT_SHARED);
	close(late.fd);
}

static void test_a_port_of_another_process(void **state)
{
	struct fixture *f = *state;
	uint16_t port;
	int fd = listen_somewhere(&port);

	start_server(f);
	assert_int_equal(private_port_connect(f->private, f->process, port, on_connected, f), -ENOENT);
	close(fd);
}

/* ---- on which processors a socket can be ended ---- */

static cpu_set_t processors(const char *list)
{
	cpu_set_t all, set;

	memset(&all, 0xff, sizeof(all));
	assert_true(processors_parse(list, &all, &set) > 0);
	return set;
}

static void test_lists_of_processors(void **state)
{
	static const struct {
		const char *online, *allowed;
		int result;
	} rows[] = {
		{ "0\n", "0", 1 },
		{ "0-3,8\n", "0-9", 5 },
		{ "0-63", "0-63", 64 },
		{ "0-64", "0-63", -E2BIG }, /* the last one would have no mark */
		{ "0-99999", "0-63", -E2BIG },
		{ "0-1\n", "0", -EOPNOTSUPP }, /* a stranger's socket may end on 1 */
		{ "0-1,5\n", "0-4", -EOPNOTSUPP },
		{ "1", "0", -EOPNOTSUPP },
		{ "", "0", -EPROTO },
		{ "\n", "0", -EPROTO },
		{ "3-0", "0-3", -EPROTO },
		{ "0-", "0-3", -EPROTO },
		{ "0,x", "0-3", -EPROTO },
		{ "-1", "0-3", -EPROTO },
		{ "0 1", "0-3", -EPROTO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cpu_set_t allowed = processors(rows[i].allowed), set;
		int r = processors_parse(rows[i].online, &allowed, &set);

		if (r != rows[i].result)
			fail_msg("\"%s\" of \"%s\": %d", rows[i].online, rows[i].allowed, r);
	}
}

static int use_first(void *data)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	*(cpu_set_t *)data = one;
	return -ECANCELED;
}

/* Nobody has connected, but a report of somebody who had could still be on its way from another processor. */
static void test_without_the_other_processors(void **state)
{
	struct fixture *f = *state;
	cpu_set_t usual, first;
	int r;

	if (processors_online(&usual) < 2)
		skip();
	start_server(f);
	connect_to(f);
	assert_int_equal(processors_each(&usual, use_first, &first), -ECANCELED);
	assert_int_equal(sched_setaffinity(0, sizeof(first), &first), 0);
	r = finish(f);
	assert_int_equal(sched_setaffinity(0, sizeof(usual), &usual), 0);
	assert_int_equal(r, -EOPNOTSUPP);
}

/* ---- files ---- */

static void on_written(void *data)
{
	(*(unsigned *)data)++;
}

static void write_file(const char *dir, const char *name)
{
	_cleanup_(str_done) struct str path = {};
	FILE *file;

	str_appendf(&path, "%s/%s", dir, name);
	file = fopen(path.data, "w");
	assert_non_null(file);
	fclose(file);
}

static void test_a_file_that_is_written(void **state)
{
	struct fixture *f = *state;
	char dir[] = "/tmp/test-file-wait-XXXXXX";
	struct file_wait *wait, *late;
	unsigned written = 0, found = 0;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(file_wait_new(f->loop, on_written, &written, &wait), 0);
	assert_int_equal(file_wait_begin(wait, dir, "this"), 0);
	write_file(dir, "that");
	assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(written, 0);
	write_file(dir, "this");
	while (!written)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(file_wait_new(f->loop, on_written, &found, &late), 0);
	assert_int_equal(file_wait_begin(late, dir, "this"), 0);
	while (!found)
		assert_int_equal(loop_step(f->loop), 0);
	file_wait_free(wait);
	file_wait_free(late);
	remove_tree(dir);
}

int main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_below_a_script, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_stranger_who_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_stranger_who_has_left, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_stranger_who_was_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_stranger_who_is_reset_at_the_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_stranger_who_is_late, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_port_of_another_process, setup, teardown),
		cmocka_unit_test(test_lists_of_processors),
		cmocka_unit_test_setup_teardown(test_without_the_other_processors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_file_that_is_written, setup, teardown),
	};

	if (argc > 1 && strcmp(argv[1], "serve") == 0)
		return serve();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
