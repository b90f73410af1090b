/* The cookies of logins: one for the person's token, and one for each link, so that neither replaces the other. */
#pragma once

#include "mcp/http.h"
#include "people/signins.h"

/*
 * The login of a request: of those that see the session with the id `session` (NULL, or if none sees it: of all) the one that sees the
 * most besides. NULL: it has none.
 *
 * Cookies belong to a host and not to a port, so their names have the port, or the node, that set them.
 */
struct signin *cookies_signin(const struct signins *l, const struct mcp_http *h, const char *node, const struct http_exchange *x,
			      const struct registry *r, const char *session);
/* Adds the field that stores the secret of a login in the browser. */
void cookies_set(struct http_exchange *x, const struct mcp_http *h, const char *node, const struct signin *login);
/* The same for a login by token: the one that the request had ends, because its cookie is replaced. */
void cookies_replace(struct signins *l, struct http_exchange *x, const struct mcp_http *h, const char *node, struct signin *login);
/* Ends all logins of a request, and adds the fields that remove their cookies. */
void cookies_end(struct signins *l, const struct mcp_http *h, const char *node, struct http_exchange *x);
