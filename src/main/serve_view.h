/* The live view (people/site.h) of the server: on the port of MCP over HTTP, or, over stdin and stdout, on a port of its own. */
#pragma once

#include "main/options.h"
#include "main/serve_internal.h"

/* Makes the site of an HTTP server, unless --no-view. To be called before mcp_http_new(). */
void serve_view_prepare(struct serve *s, const struct options *o);
/* The HTTP server has begun. */
void serve_view_begin(struct serve *s);
/* --view-port: starts an HTTP server that has nothing but the view, and logs an address that logs in. 0 without the option. Negative errno. */
int serve_view_start(struct serve *s, const struct options *o);
/* After the HTTP server of MCP. */
void serve_view_free(struct serve *s);
