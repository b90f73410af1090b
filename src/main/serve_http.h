/* What serving over HTTP needs from the options, and what it tells the person who started it. */
#pragma once

#include "main/options.h"
#include "mcp/http.h"

/* -EINVAL: logged why it cannot be. Texts are borrowed from `o` or in `arena`. */
int http_options_from(const struct options *o, struct arena *arena, struct mcp_http_options *ret);
/* "Listening on ..." and a configuration for clients, on stderr. */
void http_announce(const struct mcp_http_options *options, const char *program, int port);
