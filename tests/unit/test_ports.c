/* Who holds a port: sockets of this process and of a child. */
#include "test.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "devserver/ports.h"
#include "loop/process.h"

static int listen_on(int family, int *ret_port)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&four : (struct sockaddr *)&six;
	socklen_t len = family == AF_INET ? sizeof(four) : sizeof(six);
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, address, len) < 0 || listen(fd, 1) < 0)
		skip();
	getsockname(fd, address, &len);
	*ret_port = ntohs(family == AF_INET ? four.sin_port : six.sin6_port);
	return fd;
}

static void ours_is_found(int family)
{
	struct port_holder holder;
	int port, fd = listen_on(family, &port);

	assert_true(port_is_taken(port));
	assert_true(port_find_holder(port, &holder));
	assert_int_equal(holder.pid, getpid());
	assert_string_equal(holder.name, "test_ports");
	close(fd);
	assert_false(port_is_taken(port));
	assert_false(port_find_holder(port, &holder));
}

static void a_port_of_ours_is_found(void **state)
{
	ours_is_found(AF_INET);
}

static void a_port_of_ipv6_is_found(void **state)
{
	ours_is_found(AF_INET6);
}

static void on_output(const char *text, size_t len, void *data)
{
	str_append_len(data, text, len);
}

static void on_exited(int status, void *data)
{
}

static void the_port_of_a_grandchild_is_found(void **state)
{
	static const struct process_handler handler = { .output = on_output, .exited = on_exited };
	const char *argv[] = { "sh", "-c",
			       "python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0)); "
			       "print(s.getsockname()[1], flush=True); s.accept()'; true",
			       NULL };
	_cleanup_(str_done) struct str output = {};
	struct process *p;
	struct loop *l;
	pid_t pid = 0;
	int other, fd = listen_on(AF_INET, &other), port;

	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(process_start(l, &(const struct process_plan){ .argv = argv }, &handler, &output, &p), 0);
	assert_int_equal(port_of(p, &pid), 0);
	while (!strchr(str_text(&output), '\n'))
		loop_step(l);
	port = atoi(output.data);
	assert_int_equal(port_of(p, &pid), port);
	assert_true(pid > 0 && pid != getpid());
	assert_true(port_is_held_by(port, p, NULL));
	assert_false(port_is_held_by(other, p, NULL));
	process_free(p);
	loop_free(l);
	assert_false(port_is_taken(port));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_of_ours_is_found),
		cmocka_unit_test(a_port_of_ipv6_is_found),
		cmocka_unit_test(the_port_of_a_grandchild_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
