/*
 * Resources of the capability "observe":
 *   cdp://events/{targetId}    the newest events of an observed target, as cdp_read_events answers them
 *   cdp://har/{targetId}       its requests as an HTTP archive; with ?bodies=true the bodies of their answers, too
 *   session://{sessionId}/...  console, network, screenshot, snapshot of the session's current tab
 */
#pragma once

#include "mcp/server.h"
#include "session/observation.h"

struct mcp_call;

extern const struct mcp_resources resource_table; /* its data is a struct app */

/* Called after each call: notifies the client if its list of resources has changed. */
void resources_after_call(const struct mcp_server *server, struct mcp_call *call);
/* Starts to notify clients that have subscribed to an observed target of its events. */
void resources_begin(struct mcp_server *server);
