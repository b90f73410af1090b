/* What serving over HTTP needs from the options, and what it tells the person who started it. */
#pragma once

#include "main/options.h"
#include "mcp/http.h"

/*
 * -EINVAL: logged why it cannot be. Texts are borrowed from `o` or in `arena`; the rest is released by
 * http_options_done(), also after a failure.
 */
int http_options_from(struct loop *l, const struct options *o, struct arena *arena, struct mcp_http_options *ret);
void http_options_done(struct mcp_http_options *options);
/* Whether the loop must be one with TLS. */
bool http_wants_tls(const struct options *o);
/* "Listening on ..." and a configuration for clients, on stderr. */
void http_announce(const struct mcp_http *h, const struct mcp_http_options *options, const char *program);
