/* What the pages of a session were refused (egress/egress.h), in the answers of the calls on it. */
#pragma once

#include "app/app.h"

/*
 * Around a call, for struct mcp_server. A navigation that fails along with a refusal fails with -ERR_SECURITY_BLOCKED and the
 * reason; any other answer gets one more text.
 */
int refusals_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res);
