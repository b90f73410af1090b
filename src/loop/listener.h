/* Listening TCP sockets on all addresses of one host name. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

#include "base/macros.h"
#include "loop/loop.h"

struct listener;

#define LISTENER_SOCKETS_MAX 8

struct listen_address {
	const char *host; /* NULL: all addresses of this machine */
	int port;         /* 0: any free port, the same for all addresses */
	/*
	 * Listening, non-blocking TCP sockets that the process inherited, at most LISTENER_SOCKETS_MAX, ending with -1. They are used
	 * instead of host and port, and the listener owns them. NULL: none.
	 */
	const int *sockets;
};

/*
 * `accepted` gets each connection and owns its descriptor, which is non-blocking and close-on-exec. On failure, returns a negative
 * errno and sets `ret_error` to readable static text or NULL.
 */
int listener_new(struct loop *l, const struct listen_address *address,
		 void (*accepted)(int fd, const struct sockaddr *address, socklen_t len, void *data), void *data,
		 struct listener **ret, const char **ret_error);
/* Whether a listener of this process has that port and `address` (numeric) belongs to this machine. */
bool listener_is_own(const char *address, int port);
/* The port of the first socket. */
int listener_port(const struct listener *l);
struct listener *listener_free(struct listener *l);
DEFINE_FREEP(listener);
