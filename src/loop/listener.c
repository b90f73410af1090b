#include "loop/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <unistd.h>

#define BACKLOG 512
#define ACCEPT_PAUSE (100 * USEC_PER_MSEC) /* before accepting again when the process has run out of descriptors */

struct listening_socket {
	struct listener *owner;
	int fd, port;
	struct watch *watch;
};

struct listener {
	LIST_ENTRY(listener) link;
	struct loop *loop;
	void (*accepted)(int fd, const struct sockaddr *address, socklen_t len, void *data);
	void *data;
	struct listening_socket sockets[LISTENER_SOCKETS_MAX];
	unsigned count;
	struct timer *pause;
};

static LIST_HEAD(, listener) listeners = LIST_HEAD_INITIALIZER(listeners);

static void watch_all(struct listener *l, bool on)
{
	for (unsigned i = 0; i < l->count; i++)
		watch_set_events(l->sockets[i].watch, on ? EPOLLIN : 0);
}

static void listener_on_pause_over(void *data)
{
	watch_all(data, true);
}

static void listener_on_connection(uint32_t events, void *data)
{
	struct listening_socket *s = data;
	struct listener *l = s->owner;
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	int fd = accept4(s->fd, (struct sockaddr *)&address, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0) {
		l->accepted(fd, (struct sockaddr *)&address, len, l->data);
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
		watch_all(l, false);
		timer_set(l->pause, clock_now() + ACCEPT_PAUSE);
	}
}

static void set_port(struct addrinfo *a, int port)
{
	if (a->ai_family == AF_INET6)
		((struct sockaddr_in6 *)a->ai_addr)->sin6_port = htons((uint16_t)port);
	else
		((struct sockaddr_in *)a->ai_addr)->sin_port = htons((uint16_t)port);
}

static int bound_port(int fd)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		return -errno;
	return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port :
						     ((struct sockaddr_in *)&address)->sin_port);
}

/* Watches a listening socket; it belongs to the listener if this succeeds. */
static int add_socket(struct listener *l, int fd)
{
	struct listening_socket *s = &l->sockets[l->count];
	int r = bound_port(fd);

	if (r < 0)
		return r;
	*s = (struct listening_socket){ .owner = l, .fd = fd, .port = r };
	r = watch_new(l->loop, fd, EPOLLIN, listener_on_connection, s, &s->watch);
	if (r == 0)
		l->count++;
	return r;
}

static int listen_on(struct listener *l, struct addrinfo *a, int port)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, r;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (a->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	set_port(a, port);
	r = bind(fd, a->ai_addr, a->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0 ? -errno : add_socket(l, fd);
	if (r < 0)
		close(fd);
	return r;
}

/*
 * Addresses that this machine does not have are ignored as long as another one works. With port 0, the port that the first address
 * gets is used for the other addresses as well.
 */
static int listen_on_all(struct listener *l, struct addrinfo *all, int port)
{
	int r = -EADDRNOTAVAIL;

	for (struct addrinfo *a = all; a && l->count < LISTENER_SOCKETS_MAX; a = a->ai_next) {
		r = listen_on(l, a, l->count > 0 ? l->sockets[0].port : port);
		if (r < 0 && r != -EADDRNOTAVAIL && r != -EAFNOSUPPORT)
			return r;
	}
	return l->count > 0 ? 0 : r;
}

static int listen_by_name(struct listener *l, const char *host, int port, const char **ret_error)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE }, *all;
	int r = getaddrinfo(host, "0", &hints, &all);

	if (r != 0) {
		*ret_error = gai_strerror(r);
		return -EINVAL;
	}
	r = listen_on_all(l, all, port);
	freeaddrinfo(all);
	return r;
}

static int adopt_sockets(struct listener *l, const int *sockets)
{
	int r = 0;

	for (; *sockets >= 0 && r == 0; sockets++)
		r = l->count < LISTENER_SOCKETS_MAX ? add_socket(l, *sockets) : -E2BIG;
	return r;
}

int listener_new(struct loop *loop, const struct listen_address *address,
		 void (*accepted)(int fd, const struct sockaddr *address, socklen_t len, void *data), void *data,
		 struct listener **ret, const char **ret_error)
{
	_cleanup_(listener_freep) struct listener *l = NEW(struct listener);
	int r;

	*l = (struct listener){ .loop = loop, .accepted = accepted, .data = data };
	LIST_INSERT_HEAD(&listeners, l, link);
	l->pause = timer_new(loop, listener_on_pause_over, l);
	*ret_error = NULL;
	r = address->sockets ? adopt_sockets(l, address->sockets) : listen_by_name(l, address->host, address->port, ret_error);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(l);
	return 0;
}

/* Tries to bind to the address, which succeeds only for addresses of this machine. */
static bool is_of_this_machine(const char *address)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST }, *a;
	int fd, r;

	if (getaddrinfo(address, "0", &hints, &a) != 0)
		return false;
	fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	r = fd < 0 ? -1 : bind(fd, a->ai_addr, a->ai_addrlen);
	freeaddrinfo(a);
	if (fd >= 0)
		close(fd);
	return r == 0;
}

bool listener_is_own(const char *address, int port)
{
	const struct listener *l;

	LIST_FOREACH(l, &listeners, link)
		for (unsigned i = 0; i < l->count; i++)
			if (l->sockets[i].port == port)
				return is_of_this_machine(address);
	return false;
}

int listener_port(const struct listener *l)
{
	return l->sockets[0].port;
}

struct listener *listener_free(struct listener *l)
{
	if (!l)
		return NULL;
	for (unsigned i = 0; i < l->count; i++) {
		watch_free(l->sockets[i].watch);
		close(l->sockets[i].fd);
	}
	timer_free(l->pause);
	LIST_REMOVE(l, link);
	free(l);
	return NULL;
}
