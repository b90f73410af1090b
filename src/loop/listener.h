/* Listening TCP sockets on all addresses of one host name. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

#include "base/macros.h"
#include "loop/loop.h"

struct listener;

/*
 * `accepted` gets each connection and owns its descriptor, which is non-blocking and close-on-exec. A NULL `host` means all
 * addresses of this machine; port 0 means any free port, the same for all addresses. On failure, returns a negative errno and
 * sets `ret_error` to readable static text or NULL.
 */
int listener_new(struct loop *l, const char *host, int port,
		 void (*accepted)(int fd, const struct sockaddr *address, socklen_t len, void *data), void *data,
		 struct listener **ret, const char **ret_error);
/* Whether a listener of this process has that port and `address` (numeric) belongs to this machine. */
bool listener_is_own(const char *address, int port);
int listener_port(const struct listener *l);
struct listener *listener_free(struct listener *l);
DEFINE_FREEP(listener);
