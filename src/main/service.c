#include "main/service.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/host.h"
#include "base/log.h"
#include "loop/listener.h"
#include "main/environment.h"

#define FIRST_SOCKET 3 /* the descriptors are consecutive, from 3 on */

static int notify_fd = -1;

/* ---- sockets ---- */

/* The number of sockets that were passed to this process: LISTEN_PID may name another one, from which it inherited the variables. */
static long count_sockets(char *const env[])
{
	const char *pid = environment_get(env, "LISTEN_PID"), *count = environment_get(env, "LISTEN_FDS");

	return pid && count && strtol(pid, NULL, 10) == getpid() ? strtol(count, NULL, 10) : 0;
}

static bool has_option(int fd, int option, int value)
{
	int found = -1;
	socklen_t len = sizeof(found);

	return getsockopt(fd, SOL_SOCKET, option, &found, &len) == 0 && found == value;
}

/* Reads the numeric address of a listening TCP socket; false: it is something else. */
static bool service_read_address(int fd, char *host, size_t size, int *ret_port)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	char port[8];

	if (!has_option(fd, SO_TYPE, SOCK_STREAM) || !has_option(fd, SO_ACCEPTCONN, 1) ||
	    getsockname(fd, (struct sockaddr *)&address, &len) < 0 ||
	    (address.ss_family != AF_INET && address.ss_family != AF_INET6) ||
	    getnameinfo((struct sockaddr *)&address, len, host, (socklen_t)size, port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return false;
	*ret_port = (int)strtol(port, NULL, 10);
	return true;
}

/* The most public one of several addresses stands for all: the first one that other machines can connect to, or else the first. */
static int take_socket(struct options *o, int fd, bool first, struct str *error)
{
	char host[NI_MAXHOST];
	int port;

	if (!service_read_address(fd, host, sizeof(host), &port)) {
		str_appendf(
			error,
			"LISTEN_FDS: descriptor %d is not a listening TCP socket; the socket unit needs ListenStream= with a port or "
			"an address and port, and Accept=no",
			fd);
		return -EINVAL;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	if (first || (host_is_loopback(o->http.host, strlen(o->http.host)) && !host_is_loopback(host, strlen(host)))) {
		o->http.host = arena_strdup(&o->arena, host);
		o->http.port = port;
	}
	return 0;
}

int service_take_sockets(struct options *o, char *const env[], struct str *error)
{
	long count = count_sockets(env);
	int *sockets;

	if (count <= 0)
		return 0;
	if (count > LISTENER_SOCKETS_MAX) {
		str_appendf(error, "LISTEN_FDS: %ld sockets are more than the %d that can be used", count, LISTENER_SOCKETS_MAX);
		return -EINVAL;
	}
	sockets = arena_alloc(&o->arena, (size_t)(count + 1) * sizeof(*sockets));
	for (int i = 0; i < count; i++) {
		int r = take_socket(o, FIRST_SOCKET + i, i == 0, error);

		if (r < 0)
			return r;
		sockets[i] = FIRST_SOCKET + i;
	}
	sockets[count] = -1;
	o->http.sockets = sockets;
	return 0;
}

/* ---- state ---- */

/* A path, or a name in the abstract namespace, which is written with @ for the leading zero byte. */
static int connect_to(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd, r = 0;

	if ((*name != '/' && *name != '@') || len >= sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, name, len);
	if (*name == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) < 0) {
		r = -errno;
		close(fd);
	}
	return r < 0 ? r : fd;
}

void service_connect(void)
{
	const char *name = getenv("NOTIFY_SOCKET");

	notify_fd = name ? connect_to(name) : -1;
	if (name && notify_fd < 0)
		log_warning("NOTIFY_SOCKET: cannot connect to %s: %s", name, strerror(-notify_fd));
	unsetenv("NOTIFY_SOCKET");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
}

void service_notify(const char *state)
{
	if (notify_fd >= 0 && send(notify_fd, state, strlen(state), MSG_NOSIGNAL) < 0)
		log_debug("cannot notify the service manager: %s", strerror(errno));
}
