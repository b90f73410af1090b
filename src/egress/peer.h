/* Who made a TCP connection to this machine from this machine. */
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

/*
 * The user who owns the other end of `fd`, a connection over loopback. The kernel is asked by netlink (sock_diag(7)) and, where
 * that is not built in or not permitted, in /proc/net/tcp. Negative errno: nobody knows, or the other end has gone.
 */
int peer_user(int fd, uid_t *ret);
