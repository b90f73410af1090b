/* The HTTP server's settings according to the options, and its start message. */
#pragma once

#include "main/options.h"
#include "mcp/http.h"

/*
 * -EINVAL: the options are inconsistent, which was logged. Texts are borrowed from `o` or in `arena`;
 * http_options_done() releases everything else, also after a failure.
 */
int http_options_from(struct loop *l, const struct options *o, struct arena *arena, struct mcp_http_options *ret);
void http_options_done(struct mcp_http_options *options);
/* Whether the event loop must support TLS. */
bool http_wants_tls(const struct options *o);
/* Prints "Listening on ..." and a configuration for clients to stderr. */
void http_announce(const struct mcp_http *h, const struct mcp_http_options *options, const char *program);
