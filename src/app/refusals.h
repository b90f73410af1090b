/* Adds the connections that a session's pages were refused (egress/egress.h) to the answers of calls on that session. */
#pragma once

#include "app/app.h"

/*
 * Wraps a call, for struct mcp_server. If a navigation fails during which a connection was refused, it fails with
 * -ERR_SECURITY_BLOCKED and the reason; any other answer gets an additional text.
 */
int refusals_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res);
