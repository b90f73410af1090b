/* The services of the HTTP server, and its start message. */
#pragma once

#include "main/options.h"
#include "mcp/http.h"

/*
 * -EINVAL: the options are inconsistent, which was logged. The services borrow from `o`; http_services_done() releases them,
 * also after a failure.
 */
int http_services_init(struct mcp_http_services *services, struct loop *l, const struct options *o);
void http_services_done(struct mcp_http_services *services);
/* Whether the event loop must support TLS. */
bool http_wants_tls(const struct options *o);
/* Prints "Listening on ..." and a configuration for clients to stderr. */
void http_announce(const struct mcp_http *h, const struct mcp_http_options *options, const char *program);
