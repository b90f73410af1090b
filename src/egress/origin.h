/*
 * Origins as --allowed-origins and --blocked-origins name them. They mean what they mean to @playwright/mcp:
 *
 *	https://example.com:8443   this origin; without a port, the default one of the scheme
 *	http://localhost:*         every port
 *	example.com, example.com:81   this host for http and https, at the default port of each, or at this one
 *
 * Hosts may have wildcards (*.example.com), and "*" alone is everything. The schemes of WebSockets count as http and https.
 */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Does `url` belong to what `pattern` names? False for what is not http, https, ws or wss. */
bool origin_matches(const char *pattern, const char *url);
/* Whether a connection to that host (no brackets, no dot at its end) may be one of the origin's, whatever its scheme. */
bool origin_matches_host(const char *pattern, const char *host, int port);
/*
 * Whether a connection to `address` reaches the origin by another name for its host: the numbers of one address have many
 * spellings, and every address of this machine leads to what listens on all of them. Names in patterns are not looked up,
 * `localhost` apart.
 */
bool origin_matches_address(const char *pattern, const struct sockaddr *address, int port);
