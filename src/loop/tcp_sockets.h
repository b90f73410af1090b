/* The kernel's tables of TCP sockets, and the sockets that leave them, of all users of this network namespace (sock_diag(7)). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"
#include "loop/loop.h"

struct tcp_socket {
	int state; /* TCP_ESTABLISHED, TCP_TIME_WAIT... of netinet/tcp.h */
	uint32_t local,
		remote; /* IPv4 addresses in network byte order, also of IPv6 sockets that use IPv4; 0 for other IPv6 addresses */
	uint16_t local_port, remote_port;
	usec_t age;  /* in TCP_TIME_WAIT: since that began, or was renewed by the other end; else 0 */
	ino_t inode; /* of the socket as descriptors of processes show it; 0: no process has it */
	uid_t user;
};

/*
 * Calls `fn` with every socket that has `port` at one of its ends, in any state, those with it at both ends twice. Does not wait.
 * Negative errno: the kernel does not tell.
 */
int tcp_sockets_with_port(uint16_t port, void (*fn)(const struct tcp_socket *s, void *data), void *data);

/*
 * Records the local ports of all sockets of 127.0.0.1 that end: also of those that leave no trace in the tables, because they were
 * reset. An accepted connection has the port of the socket that accepted it. The kernel reports the end of a socket later, in a thread
 * of its own: usually within a fraction of a millisecond, on a busy machine within some hundred.
 */
struct ended_sockets;
int ended_sockets_new(struct loop *l, struct ended_sockets **ret);
/* Ends a socket on each processor of the machine. The kernel reports these after all sockets that have ended there until now. */
void ended_sockets_mark(struct ended_sockets *e);
/*
 * Whether a socket with this port has ended so far: 1 or 0; -EAGAIN: the kernel has not reported all that had ended at the mark;
 * -ENOBUFS: there were too many to be recorded. All other codes: that none has ended cannot be known, because a processor has no mark.
 */
int ended_sockets_have(struct ended_sockets *e, uint16_t port);
/* 0, or why it could never be known: this thread may not run on all processors (-EOPNOTSUPP), there are too many (-E2BIG)... */
int ended_sockets_provable(void);
struct ended_sockets *ended_sockets_free(struct ended_sockets *e);
DEFINE_FREEP(ended_sockets);
