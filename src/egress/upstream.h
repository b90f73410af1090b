/*
 * The proxy that connections go through after the rules have let them pass (--proxy-server), and what is said to it. It gets
 * the address that was judged, not the name, so that it cannot lead anywhere else.
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

/* "http://proxy:3128", "socks5://proxy", "proxy:3128" (which is http). False: a kind of proxy that cannot be spoken to. */
bool upstream_parse(const char *url, struct upstream *ret);
/*
 * What is sent in each step, from 0; `*ret_len` is 0 when there is no such step, and the connection is made. `address` is
 * where the connection is to go.
 */
void upstream_request(const struct upstream *u, unsigned step, const struct sockaddr *address, char out[UPSTREAM_REQUEST_MAX],
		      size_t *ret_len);
/* How many bytes of `data` answer that step, when they say yes; 0: more is to come. -ECONNREFUSED: it says no. */
int upstream_reply(const struct upstream *u, unsigned step, const char *data, size_t len);
