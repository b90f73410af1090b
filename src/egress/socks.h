/*
 * A SOCKS5 proxy (RFC 1928, CONNECT without authentication) on a free port of 127.0.0.1 for one browser context. It gets the
 * host name of each connection, looks it up, checks every address, and connects to exactly the address that was checked,
 * directly or through an upstream proxy.
 *
 * Chromium does not support authentication to SOCKS proxies. Instead, connections of other users' processes are closed.
 */
#pragma once

#include <sys/socket.h>

#include "base/macros.h"
#include "egress/upstream.h"
#include "loop/loop.h"

struct socks;

struct socks_rules {
	/*
	 * Returns 0 to allow the connection, or a verdict of the caller that refuses it. `address` is one of the addresses of
	 * `host`, which is normalised (egress/rules.h). A NULL address asks whether the name may be looked up.
	 */
	int (*check)(const char *host, int port, const struct sockaddr *address, void *data);
	/* A connection was refused, with the last verdict and its address, which may be NULL. */
	void (*refused)(const char *host, int port, const struct sockaddr *address, int verdict, void *data);
	/* An allowed connection has failed; `why` is readable text. */
	void (*failed)(const char *host, int port, const char *why, void *data);
};

/*
 * `upstream` (borrowed, may be NULL) is the proxy for connections; as in browsers, connections to this machine do not use it.
 * Negative errno.
 */
int socks_new(struct loop *l, const struct socks_rules *rules, const struct upstream *upstream, void *data, struct socks **ret);
int socks_port(const struct socks *s);
/* Closes all connections through the proxy. */
struct socks *socks_free(struct socks *s);
DEFINE_FREEP(socks);
