/*
 * The client side of an upstream proxy (HTTP CONNECT or SOCKS5) for connections that the rules allow. The proxy gets the
 * checked address, not the name, so that it connects to exactly that address.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

enum upstream_kind { UPSTREAM_HTTP, UPSTREAM_SOCKS5 };

struct upstream {
	enum upstream_kind kind;
	char host[256];
	int port;
};

#define UPSTREAM_REQUEST_MAX 192
#define UPSTREAM_REPLY_MAX 8192

/* "http://proxy:3128", "socks5://proxy", "proxy:3128" (which is http). False for unsupported kinds of proxies. */
bool upstream_parse(const char *url, struct upstream *ret);
/*
 * The bytes to send in each step of the handshake, from step 0. `*ret_len` is 0 when the handshake is complete. `address` is the
 * destination.
 */
void upstream_request(const struct upstream *u, unsigned step, const struct sockaddr *address, char out[UPSTREAM_REQUEST_MAX],
		      size_t *ret_len);
/* Length of a successful reply to that step, 0 while it is incomplete, -ECONNREFUSED when the proxy refuses. */
int upstream_reply(const struct upstream *u, unsigned step, const char *data, size_t len);
