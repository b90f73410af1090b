/*
 * A SOCKS5 proxy (RFC 1928, CONNECT without authentication) on a free port of 127.0.0.1, for one browser context: all that its
 * pages request comes by here with the names that they use. Names are looked up here, every address is judged, and the connection
 * goes to the very address that was judged, directly or through one more proxy.
 *
 * Chromium does not authenticate to SOCKS proxies. Connections of processes of other users are closed instead.
 */
#pragma once

#include <sys/socket.h>

#include "base/macros.h"
#include "egress/upstream.h"
#include "loop/loop.h"

struct socks;

struct socks_rules {
	/*
	 * 0 lets the connection pass; anything else says why not, in the caller's numbers. `address` is one of those of `host`,
	 * which is in lower case and without a dot at its end. NULL: may that name be looked up at all?
	 */
	int (*judge)(const char *host, int port, const struct sockaddr *address, void *data);
	/* A connection was refused: the last verdict and its address, which may be NULL. */
	void (*refused)(const char *host, int port, const struct sockaddr *address, int verdict, void *data);
	/* One that was allowed could not be made: why, for a person. */
	void (*failed)(const char *host, int port, const char *why, void *data);
};

/* `upstream`: what connections go through, those to this machine excepted, as browsers do it; NULL: nothing. Borrowed. Negative errno. */
int socks_new(struct loop *l, const struct socks_rules *rules, const struct upstream *upstream, void *data, struct socks **ret);
int socks_port(const struct socks *s);
/* Connections through it are cut. */
struct socks *socks_free(struct socks *s);
DEFINE_FREEP(socks);
