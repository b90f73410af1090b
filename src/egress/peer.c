#include "egress/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 body;
};

/* Looks up the socket with local address `from` and peer address `to`. */
static int ask_kernel(const struct sockaddr_in *from, const struct sockaddr_in *to, uid_t *ret)
{
	struct question q = { .head = { .nlmsg_len = sizeof(q), .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST } };
	union {
		struct nlmsghdr head;
		char bytes[4096];
	} reply;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG), r = -EIO;
	ssize_t n;

	if (fd < 0)
		return -errno;
	q.body.sdiag_family = AF_INET;
	q.body.sdiag_protocol = IPPROTO_TCP;
	q.body.idiag_states = ~0u;
	q.body.id.idiag_src[0] = from->sin_addr.s_addr;
	q.body.id.idiag_sport = from->sin_port;
	q.body.id.idiag_dst[0] = to->sin_addr.s_addr;
	q.body.id.idiag_dport = to->sin_port;
	q.body.id.idiag_cookie[0] = q.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
	/* The kernel queues the reply during send(), so recv() does not block. */
	n = send(fd, &q, sizeof(q), 0) == sizeof(q) ? recv(fd, &reply, sizeof(reply), MSG_DONTWAIT) : -1;
	if (n >= (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) && reply.head.nlmsg_type == SOCK_DIAG_BY_FAMILY) {
		*ret = ((struct inet_diag_msg *)NLMSG_DATA(&reply.head))->idiag_uid;
		r = 0;
	} else if (n >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) && reply.head.nlmsg_type == NLMSG_ERROR) {
		r = ((struct nlmsgerr *)NLMSG_DATA(&reply.head))->error;
	}
	close(fd);
	return r;
}

static int peer_read_table(const struct sockaddr_in *from, const struct sockaddr_in *to, uid_t *ret)
{
	FILE *f = fopen("/proc/net/tcp", "re");
	char line[512];
	int r = -ENOENT;

	if (!f)
		return -errno;
	while (r < 0 && fgets(line, sizeof(line), f)) {
		unsigned local, local_port, remote, remote_port, uid;

		if (sscanf(line, " %*d: %x:%x %x:%x %*x %*x:%*x %*x:%*x %*x %u", &local, &local_port, &remote, &remote_port,
			   &uid) == 5 &&
		    local == from->sin_addr.s_addr && local_port == ntohs(from->sin_port) && remote == to->sin_addr.s_addr &&
		    remote_port == ntohs(to->sin_port)) {
			*ret = uid;
			r = 0;
		}
	}
	fclose(f);
	return r;
}

int peer_user(int fd, uid_t *ret)
{
	struct sockaddr_in from = {}, to = {};
	socklen_t from_len = sizeof(from), to_len = sizeof(to);

	if (getpeername(fd, (struct sockaddr *)&from, &from_len) < 0 || getsockname(fd, (struct sockaddr *)&to, &to_len) < 0)
		return -errno;
	if (from.sin_family != AF_INET || to.sin_family != AF_INET)
		return -EAFNOSUPPORT;
	return ask_kernel(&from, &to, ret) == 0 ? 0 : peer_read_table(&from, &to, ret);
}
