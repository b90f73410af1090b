#include "loop/tcp_sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loop/processors.h"

#define TIME_WAIT_MSEC 60000u /* the kernel's TCP_TIMEWAIT_LEN */
#define READ_SIZE (32 << 10)  /* the kernel fills at most this much at a time */
#define EVENTS_ROOM (4 << 20) /* of sockets that have ended; the kernel may grant less */
#define EVENTS_AT_A_TIME 64   /* messages in one turn of the loop */
#define EVENTS_AT_ONCE 2048   /* messages that are read before an answer */
#define PORTS_COUNT (UINT16_MAX + 1)

/* Messages of the kernel, aligned as it writes them. */
union messages {
	struct nlmsghdr head;
	char bytes[READ_SIZE];
};

static int open_netlink(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);

	return fd < 0 ? -errno : fd;
}

/* ---- the tables ---- */

struct listing {
	uint16_t port;
	void (*fn)(const struct tcp_socket *s, void *data);
	void *data;
};

static uint32_t ipv4(int family, const uint32_t address[4])
{
	if (family == AF_INET)
		return address[0];
	return !address[0] && !address[1] && address[2] == htonl(0xffff) ? address[3] : 0;
}

/* `idiag_expires` is the time that is left, in milliseconds. */
static usec_t age(const struct inet_diag_msg *m)
{
	if (m->idiag_state != TCP_TIME_WAIT || m->idiag_expires > TIME_WAIT_MSEC)
		return 0;
	return (TIME_WAIT_MSEC - m->idiag_expires) * USEC_PER_MSEC;
}

static void tcp_sockets_report(const struct listing *l, const struct inet_diag_msg *m)
{
	const struct tcp_socket s = {
		.state = m->idiag_state,
		.local = ipv4(m->idiag_family, m->id.idiag_src),
		.remote = ipv4(m->idiag_family, m->id.idiag_dst),
		.local_port = ntohs(m->id.idiag_sport),
		.remote_port = ntohs(m->id.idiag_dport),
		.age = age(m),
		.inode = m->idiag_inode,
		.user = m->idiag_uid,
	};

	if (s.local_port == l->port || s.remote_port == l->port) /* not all kernels compare the ports of listening sockets */
		l->fn(&s, l->data);
}

/* One part of the answer. 1: the last one; 0: more follow. */
static int take_part(const struct listing *l, const struct nlmsghdr *head, size_t len)
{
	for (; NLMSG_OK(head, len); head = NLMSG_NEXT(head, len)) {
		if (head->nlmsg_type == NLMSG_DONE)
			return 1;
		if (head->nlmsg_type == NLMSG_ERROR)
			return ((const struct nlmsgerr *)NLMSG_DATA(head))->error;
		if (head->nlmsg_type == SOCK_DIAG_BY_FAMILY && head->nlmsg_len >= NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
			tcp_sockets_report(l, NLMSG_DATA(head));
	}
	return 0;
}

static int tcp_sockets_ask(int fd, int family, uint16_t local_port, uint16_t remote_port)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 body;
	} q = { .head = { .nlmsg_len = sizeof(q), .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP } };

	q.body.sdiag_family = (uint8_t)family;
	q.body.sdiag_protocol = IPPROTO_TCP;
	q.body.idiag_states = ~0u;
	q.body.id.idiag_sport = htons(local_port);
	q.body.id.idiag_dport = htons(remote_port);
	return send(fd, &q, sizeof(q), 0) == (ssize_t)sizeof(q) ? 0 : -errno;
}

/* The kernel makes each part of the answer during send() or recv(), so that nothing waits. A port of 0 stands for all. */
static int tcp_sockets_list(const struct listing *l, int family, uint16_t local_port, uint16_t remote_port)
{
	union messages parts;
	int fd = open_netlink(), r = fd < 0 ? fd : tcp_sockets_ask(fd, family, local_port, remote_port);

	while (r == 0) {
		ssize_t n = recv(fd, &parts, sizeof(parts), 0);

		r = n < 0 ? -errno : take_part(l, &parts.head, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	return MIN(r, 0);
}

int tcp_sockets_with_port(uint16_t port, void (*fn)(const struct tcp_socket *s, void *data), void *data)
{
	static const int families[] = { AF_INET, AF_INET6 };
	const struct listing l = { .port = port, .fn = fn, .data = data };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(families) && r == 0; i++) {
		r = tcp_sockets_list(&l, families[i], port, 0);
		if (r == 0)
			r = tcp_sockets_list(&l, families[i], 0, port);
		if (r == -ENOENT && families[i] == AF_INET6) /* this kernel has no IPv6 */
			r = 0;
	}
	return r;
}

/* ---- sockets that end ---- */

struct ended_sockets {
	int fd;
	struct watch *watch;
	bool incomplete;
	uint8_t ports[PORTS_COUNT / 8]; /* one bit for each */
	uint16_t marks[PROCESSORS_MAX]; /* ports of the sockets that ended_sockets_mark() has ended, one on each processor */
	unsigned mark_count;
	int marked;       /* 1: on all of `online`; 0: not yet; negative: that failed */
	cpu_set_t online; /* the processors that ran then */
};

static bool has_port(const struct ended_sockets *e, uint16_t port)
{
	return e->ports[port / 8] >> port % 8 & 1;
}

static void tcp_sockets_record(struct ended_sockets *e, const struct nlmsghdr *head, size_t len)
{
	for (; NLMSG_OK(head, len); head = NLMSG_NEXT(head, len)) {
		const struct inet_diag_msg *m = NLMSG_DATA(head);
		uint16_t port;

		if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY || head->nlmsg_len < NLMSG_LENGTH(sizeof(*m)) ||
		    ipv4(m->idiag_family, m->id.idiag_src) != htonl(INADDR_LOOPBACK))
			continue;
		port = ntohs(m->id.idiag_sport);
		e->ports[port / 8] |= (uint8_t)(1 << port % 8);
	}
}

/* Reads up to `count` messages. False: there are no more. */
static bool take_ended(struct ended_sockets *e, unsigned count)
{
	union messages events;

	for (; count > 0; count--) {
		ssize_t n = recv(e->fd, &events, sizeof(events), 0);

		if (n < 0 && errno == EAGAIN)
			return false;
		if (n > 0)
			tcp_sockets_record(e, &events.head, (size_t)n);
		else
			e->incomplete = true; /* ENOBUFS: the kernel has dropped some */
	}
	return true;
}

static void tcp_sockets_on_ended(uint32_t events, void *data)
{
	take_ended(data, EVENTS_AT_A_TIME);
}

static int join(int fd)
{
	const struct sockaddr_nl tcp = { .nl_family = AF_NETLINK,
					 .nl_groups =
						 1u << (SKNLGRP_INET_TCP_DESTROY - 1) | 1u << (SKNLGRP_INET6_TCP_DESTROY - 1) };
	const int room = EVENTS_ROOM;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	return bind(fd, (const struct sockaddr *)&tcp, sizeof(tcp)) < 0 ? -errno : 0;
}

int ended_sockets_new(struct loop *l, struct ended_sockets **ret)
{
	_cleanup_(ended_sockets_freep) struct ended_sockets *e = NEW(struct ended_sockets);
	int r;

	*e = (struct ended_sockets){ .fd = open_netlink() };
	if (e->fd < 0)
		return e->fd;
	r = join(e->fd);
	if (r == 0)
		r = watch_new(l, e->fd, EPOLLIN, tcp_sockets_on_ended, e, &e->watch);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(e);
	return 0;
}

/* Ends a socket and keeps the port that it had. */
static int end_socket(void *data)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	struct ended_sockets *e = data;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), r = 0;

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, size) < 0 || getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		r = -errno;
	close(fd);
	if (r == 0)
		e->marks[e->mark_count++] = ntohs(address.sin_port);
	return r;
}

/*
 * The kernel reports the sockets that end on one processor in their order, but those of several processors in any: without a mark of each
 * processor that runs, a report of a stranger's socket may still be on its way.
 */
void ended_sockets_mark(struct ended_sockets *e)
{
	cpu_set_t online;
	int r = processors_online(&online);

	e->mark_count = 0;
	if (r >= 0)
		r = processors_each(&online, end_socket, e);
	e->marked = r < 0 ? r : 1;
	if (r >= 0)
		e->online = online;
}

/* Whether the marks are all there: 1 or 0; negative: that cannot be known. */
static int marks_are_there(const struct ended_sockets *e)
{
	cpu_set_t online;
	int r = e->marked < 0 ? e->marked : processors_online(&online);

	if (r < 0)
		return r;
	if (!e->marked || (unsigned)r != e->mark_count || !CPU_EQUAL(&online, &e->online))
		return -EOPNOTSUPP; /* one has begun or ended to run meanwhile */
	for (unsigned i = 0; i < e->mark_count; i++)
		if (!has_port(e, e->marks[i]))
			return 0;
	return 1;
}

int ended_sockets_have(struct ended_sockets *e, uint16_t port)
{
	int r;

	if (take_ended(e, EVENTS_AT_ONCE))
		e->incomplete = true; /* more arrive than can be read */
	if (e->incomplete)
		return -ENOBUFS;
	if (has_port(e, port))
		return 1;
	r = marks_are_there(e);
	return r == 0 ? -EAGAIN : MIN(r, 0);
}

int ended_sockets_provable(void)
{
	cpu_set_t online;
	int r = processors_online(&online);

	return MIN(r, 0);
}

struct ended_sockets *ended_sockets_free(struct ended_sockets *e)
{
	if (!e)
		return NULL;
	watch_free(e->watch);
	if (e->fd >= 0)
		close(e->fd);
	free(e);
	return NULL;
}
