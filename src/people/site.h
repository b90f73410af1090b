/*
 * The live view as a site of the HTTP server (mcp/http_site.h), at /view: its files, logging in and out, links, and the WebSockets of
 * viewers. docs/view.md describes the addresses.
 */
#pragma once

#include "app/app.h"
#include "base/macros.h"
#include "loop/loop.h"
#include "mcp/http.h"

struct site;

struct calls;
struct recordings;

/* `node`: the server's name in its fleet; NULL: it is in none. `calls` and `recordings` outlive the site. Makes app->view_link. */
struct site *site_new(struct loop *l, struct app *app, const struct calls *calls, struct recordings *recordings, const char *node);
/* After the HTTP server. */
struct site *site_free(struct site *s);
const struct mcp_site *site_of_http(const struct site *s);
/* The server that has the site. Before it gets requests. */
void site_set_http(struct site *s, struct mcp_http *h);
/* Appends the address of the view; where clients need no token, it has the one that logs in. */
void site_append_address(const struct site *s, struct str *out);
unsigned site_views(const struct site *s); /* viewers now */
