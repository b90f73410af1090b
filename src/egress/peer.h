/* Finds the user at the other end of a local TCP connection. */
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

/*
 * The user that owns the other end of `fd`, a connection over loopback. Uses netlink (sock_diag(7)) and, where that is not
 * available or not permitted, /proc/net/tcp. Negative errno when the user is unknown or the other end is closed.
 */
int peer_user(int fd, uid_t *ret);
