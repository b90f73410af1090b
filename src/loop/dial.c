#include "loop/dial.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "loop/lookup.h"

struct address {
	struct sockaddr_storage socket;
	socklen_t size;
};

struct dial {
	struct loop *loop;
	struct lookup *lookup; /* in progress, else NULL */
	struct address addresses[LIMIT_DIAL_ADDRESSES_COUNT];
	size_t count, at; /* `at`: the one that is connected to */
	int port;
	int fd;
	struct watch *watch;
	void (*done)(const struct dial_result *result, void *data);
	void *data;
	char address[DIAL_ADDRESS_SIZE];
	char failure[200]; /* of the last address that was tried */
	struct ready step; /* connects to the next address, or reports the end */
	bool ended;
};

static void dial_end(struct dial *d)
{
	d->ended = true;
	loop_ready(d->loop, &d->step);
}

static void dial_close_socket(struct dial *d)
{
	d->watch = watch_free(d->watch);
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}

static void try_next(struct dial *d, int error)
{
	bool v6 = strchr(d->address, ':');

	dial_close_socket(d);
	snprintf(d->failure, sizeof(d->failure), "connect %s %s%s%s:%d", strerrorname_np(error), v6 ? "[" : "", d->address,
		 v6 ? "]" : "", d->port);
	d->at++;
	loop_ready(d->loop, &d->step);
}

static void dial_on_connected(uint32_t events, void *data)
{
	struct dial *d = data;
	socklen_t size = sizeof(int);
	int error = 0;

	d->watch = watch_free(d->watch);
	if (getsockopt(d->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	if (error)
		try_next(d, error);
	else
		dial_end(d);
}

/* A peer that vanishes without a word (a machine without power, a lost network) is noticed within about a minute. */
static void dial_set_options(int fd)
{
	const int one = 1, idle_sec = 30, interval_sec = 10, probes = 3, unanswered_msec = 60000;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_sec, sizeof(idle_sec));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_sec, sizeof(interval_sec));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_msec, sizeof(unanswered_msec));
}

static int dial_open_socket(struct dial *d, const struct address *a)
{
	d->fd = socket(a->socket.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (d->fd < 0)
		return -errno;
	dial_set_options(d->fd);
	if (connect(d->fd, (const struct sockaddr *)&a->socket, a->size) < 0 && errno != EINPROGRESS)
		return -errno;
	return watch_new(d->loop, d->fd, EPOLLOUT, dial_on_connected, d, &d->watch);
}

static void dial_connect_next(struct dial *d)
{
	const struct address *a = &d->addresses[d->at];
	int r;

	if (d->at == d->count) {
		dial_end(d);
		return;
	}
	getnameinfo((const struct sockaddr *)&a->socket, a->size, d->address, sizeof(d->address), NULL, 0, NI_NUMERICHOST);
	r = dial_open_socket(d, a);
	if (r < 0)
		try_next(d, -r);
}

static void dial_report(struct dial *d)
{
	struct dial_result result = { .fd = d->fd, .address = d->address, .failure = d->failure };

	d->fd = -1;
	d->done(&result, d->data); /* may free `d` */
}

static void dial_run_step(struct ready *r)
{
	struct dial *d = CONTAINER_OF(r, struct dial, step);

	if (d->ended)
		dial_report(d);
	else
		dial_connect_next(d);
}

static void take_addresses(struct dial *d, const struct addrinfo *addresses)
{
	for (; addresses && d->count < LIMIT_DIAL_ADDRESSES_COUNT; addresses = addresses->ai_next) {
		struct address *a = &d->addresses[d->count++];

		a->size = addresses->ai_addrlen;
		memcpy(&a->socket, addresses->ai_addr, addresses->ai_addrlen);
	}
	loop_ready(d->loop, &d->step);
}

static void dial_on_addresses(const struct addrinfo *addresses, const char *failure, void *data)
{
	struct dial *d = data;

	d->lookup = NULL;
	if (failure)
		snprintf(d->failure, sizeof(d->failure), "its name cannot be resolved: %s", failure);
	take_addresses(d, addresses);
}

/* Numeric addresses need no look-up, which takes a thread. */
static bool dial_take_number(struct dial *d, const char *host)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *found;
	char service[8];

	snprintf(service, sizeof(service), "%d", d->port);
	if (getaddrinfo(host, service, &hints, &found) != 0)
		return false;
	take_addresses(d, found);
	freeaddrinfo(found);
	return true;
}

struct dial *dial_new(struct loop *l, const char *host, int port, void (*done)(const struct dial_result *result, void *data),
		      void *data)
{
	struct dial *d = NEW(struct dial);

	*d = (struct dial){ .loop = l, .port = port, .fd = -1, .done = done, .data = data, .step.run = dial_run_step };
	if (dial_take_number(d, host))
		return d;
	d->lookup = lookup_new(l, host, port, dial_on_addresses, d);
	if (!d->lookup) {
		snprintf(d->failure, sizeof(d->failure), "too many name look-ups are in progress");
		dial_end(d);
	}
	return d;
}

struct dial *dial_free(struct dial *d)
{
	if (!d)
		return NULL;
	lookup_free(d->lookup);
	dial_close_socket(d);
	loop_cancel_ready(d->loop, &d->step);
	free(d);
	return NULL;
}
