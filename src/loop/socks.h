/*
 * A SOCKS5 proxy (RFC 1928, CONNECT without authentication) on a free port of 127.0.0.1, for one browser context: all that its
 * pages request comes by here with the names that they use. Names are looked up here, every address is judged, and the connection
 * goes to the very address that was judged.
 */
#pragma once

#include <sys/socket.h>

#include "base/macros.h"
#include "loop/loop.h"

struct socks;

struct socks_rules {
	/* May that name be looked up? */
	const char *(*admit)(const char *host, int port, void *data);
	/* `address` is one of those of `host`, as the client named it: NULL to let it pass, or why not (static). */
	const char *(*judge)(const char *host, int port, const struct sockaddr *address, void *data);
	/* A connection was refused: the last reason. May be NULL. */
	void (*refused)(const char *host, int port, const char *reason, void *data);
	/* One that was allowed could not be made: why, for a person. May be NULL. */
	void (*failed)(const char *host, int port, const char *why, void *data);
};

/* Negative errno. */
int socks_new(struct loop *l, const struct socks_rules *rules, void *data, struct socks **ret);
int socks_port(const struct socks *s);
/* Connections through it are cut. */
struct socks *socks_free(struct socks *s);
DEFINE_FREEP(socks);
