#include "echo.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESSAGE_SIZE 256 /* about that of a small call and its answer */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* It waits as a server does, for a descriptor to become ready. */
static _Noreturn void serve(int in, int out)
{
	struct pollfd fd = { .fd = in, .events = POLLIN };
	char buffer[MESSAGE_SIZE];
	ssize_t len;

	do {
		poll(&fd, 1, -1);
		len = read(in, buffer, sizeof(buffer));
	} while (len > 0 && write(out, buffer, (size_t)len) == len);
	_exit(0);
}

static pid_t start(int in, int out)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	serve(in, out);
}

struct echo echo_start_pipe(void)
{
	int there[2], back[2];
	struct echo e;

	if (pipe2(there, O_CLOEXEC) < 0 || pipe2(back, O_CLOEXEC) < 0)
		fail("pipe");
	e = (struct echo){ .pid = start(there[0], back[1]), .in = there[1], .out = back[0] };
	close(there[0]);
	close(back[1]);
	return e;
}

static void connected_pair(int ret[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(address);
	int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ret[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&address, len) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &len) < 0 || connect(ret[0], (struct sockaddr *)&address, len) < 0)
		fail("connect");
	ret[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	close(listener);
	for (int i = 0; i < 2; i++)
		setsockopt(ret[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

struct echo echo_start_tcp(void)
{
	struct echo e;
	int pair[2];

	connected_pair(pair);
	e = (struct echo){ .pid = start(pair[1], pair[1]), .in = pair[0], .out = pair[0] };
	close(pair[1]);
	return e;
}

void echo_stop(struct echo *e)
{
	kill(e->pid, SIGKILL);
	waitpid(e->pid, NULL, 0);
	close(e->in);
	if (e->out != e->in)
		close(e->out);
}

usec_t echo_time(const struct echo *e)
{
	char buffer[MESSAGE_SIZE] = {};
	usec_t start = clock_now();

	if (write(e->in, buffer, sizeof(buffer)) != sizeof(buffer) || read(e->out, buffer, sizeof(buffer)) != sizeof(buffer))
		fail("an echo");
	return clock_now() - start;
}
