/* The cookies of sign-ins: one for the person's token, and one for each link, so that neither replaces the other. */
#pragma once

#include "mcp/http.h"
#include "people/signins.h"

/*
 * The sign-in of a request, which sees the session (NULL: any) and the most besides. NULL: it has none.
 *
 * Cookies belong to a host and not to a port, so their names have the port, or the node, that set them.
 */
struct signin *cookies_signin(const struct signins *l, const struct mcp_http *h, const char *node, const struct http_exchange *x,
			      const char *session);
/* Adds the field that stores the secret of a sign-in in the browser. */
void cookies_set(struct http_exchange *x, const struct mcp_http *h, const char *node, const struct signin *signin);
/* The same for a sign-in by token: the one that the request had ends, because its cookie is replaced. */
void cookies_replace(struct signins *l, struct http_exchange *x, const struct mcp_http *h, const char *node, struct signin *signin);
/* Ends all sign-ins of a request, and adds the fields that remove their cookies. */
void cookies_end(struct signins *l, const struct mcp_http *h, const char *node, struct http_exchange *x);
