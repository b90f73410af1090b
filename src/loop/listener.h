/* Sockets that take TCP connections, on all addresses of one name. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

#include "base/macros.h"
#include "loop/loop.h"

struct listener;

/*
 * `accepted` gets each connection, whose descriptor is its own from then on: it does not block and is closed on exec.
 * `host` NULL: every address of this machine. Port 0: any free one, the same for all addresses. Negative errno;
 * `ret_error` is then a text for a person (static), or NULL.
 */
int listener_new(struct loop *l, const char *host, int port,
		 void (*accepted)(int fd, const struct sockaddr *address, socklen_t len, void *data), void *data,
		 struct listener **ret, const char **ret_error);
/* Does a listener of this process have that port, and is `address` (numeric) one of this machine? */
bool listener_is_own(const char *address, int port);
int listener_port(const struct listener *l);
struct listener *listener_free(struct listener *l);
DEFINE_FREEP(listener);
