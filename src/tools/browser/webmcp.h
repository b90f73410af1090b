/*
 * The tools that the page of a client's own session registers (page/webmcp.h), listed as tools of that client. Their names get the
 * prefix webmcp_ (tools/browser/webmcp_names.h); what the page wrote is marked as the page's, and gives no rights.
 */
#pragma once

#include "mcp/server.h"

extern const struct mcp_own_tools webmcp_tools;
extern const struct tool tool_webmcp; /* what calls of all of them run; not in any list */

/* Notifies clients of changes of their lists outside of calls. The server must outlive it. */
struct webmcp_news *webmcp_news_new(struct loop *l, const struct mcp_server *server);
struct webmcp_news *webmcp_news_free(struct webmcp_news *n);
struct webmcp_watch *webmcp_news_watch(struct webmcp_news *n); /* for the browser; lives as long as `n` */
/* Notifies the client of a call that has ended if its list has changed. */
void webmcp_after_call(struct mcp_call *call);
