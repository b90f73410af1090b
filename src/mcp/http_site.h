/*
 * A site on the port of the MCP server: pages for people below a path of their own, served by a layer above. Which requests reach it is
 * decided here, closed by default:
 *
 * - Host is checked as for /mcp.
 * - Only the site's own pages may send requests. What comes from any other page is refused by its Origin or Sec-Fetch-Site, even if that
 *   page may use /mcp. A request that is no GET, and one for a WebSocket, must have the site's Origin.
 * - A route that is a `document` may be navigated to from anywhere, as a page of its own and never in a frame.
 *
 * Who sends a request is the site's business; mcp_site_sender() reads its token.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "loop/http.h"

struct mcp_http;

struct mcp_site_route {
	const char *method;
	const char *path; /* below the site's: "login"; "" is the site's own path */
	bool below;       /* of longer paths as well, which begin with this one and a slash */
	bool document;    /* people navigate to it */
	bool socket;      /* it is a WebSocket */
	/* The request is complete. `rest`: what follows the path and its slash, "" if nothing does. */
	void (*answer)(struct http_exchange *x, const char *rest, void *data);
};

struct mcp_site {
	const char *path;                    /* "/view" */
	const char *token;                   /* that the operator sends where clients need none */
	const char *fields;                  /* header lines of all answers, also of refusals */
	const struct mcp_site_route *routes; /* the first that matches; ends with {} */
	void *data;
};

/* The sender of a request, according to its token. */
struct mcp_site_sender {
	uint64_t owner;
	bool everyone;   /* the token was the site's own: the sender is the operator, and no owner */
	unsigned rights; /* bits of enum mcp_right */
	int64_t until;   /* Unix seconds at which the token expires; 0: never */
};

/* Checks the token as for /mcp; where clients need none, against the site's own. False: refused and answered. */
bool mcp_site_sender(struct mcp_http *h, struct http_exchange *x, struct mcp_site_sender *ret);
/* Whether clients need no token, so that the site has its own. */
bool mcp_site_has_own_token(const struct mcp_http *h);
/* Whether browsers reach the site over TLS, here or at a proxy. */
bool mcp_site_is_secure(const struct mcp_http *h);
/* Appends the address of the site's server as people see it, "https://tools.example". */
void mcp_site_append_origin(const struct mcp_http *h, struct str *out);
/* Answers with {error}. */
void mcp_site_refuse(struct http_exchange *x, int status, const char *fmt, ...) _printf_(3, 4);
