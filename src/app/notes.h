/*
 * What the answers of calls on a session say about its pages beyond what the tool reports: connections that were refused
 * (egress/egress.h), that a page is slowed down (page/throttle.h), and what limits have done to its pages (browser/context.h).
 */
#pragma once

#include "app/app.h"

/*
 * Wraps a call, for struct mcp_server. If a navigation fails during which a connection was refused, it fails with
 * -ERR_SECURITY_BLOCKED and the reason; any other answer gets additional texts.
 */
int notes_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res);
/* Adds the text about pages that are slowed down, for calls that are not wrapped. */
void notes_throttled(struct task *t, struct mcp_call *call, struct result *res);
