/*
 * Patterns of allowed and blocked origins, with the same meaning as in @playwright/mcp:
 *
 *	https://example.com:8443   this origin; without a port, the default one of the scheme
 *	http://localhost:*         every port
 *	example.com, example.com:81   this host with http and https, at their default ports or at the given port
 *
 * Hosts may contain wildcards (*.example.com), and "*" matches everything. ws and wss are treated as http and https.
 */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Whether `url` matches `pattern`. False for schemes other than http, https, ws and wss. */
bool origin_matches(const char *pattern, const char *url);
/* Whether a connection to that host (without brackets or trailing dot) may belong to the origin; the scheme is unknown. */
bool origin_matches_host(const char *pattern, const char *host, int port);
/*
 * Whether a connection to `address` reaches the origin under another name of its host: a numeric address has many spellings,
 * and a server that listens on all addresses is reached by any address of this machine. Names in patterns are not looked up,
 * except `localhost`.
 */
bool origin_matches_address(const char *pattern, const struct sockaddr *address, int port);
