/* The evaluate tool, which the capability "e2e" lists with a different parameter. */
#pragma once

#include "mcp/server.h"

struct evaluate {
	const char *sessionId, *expression;
	double timeout;
};

int evaluate_in(struct task *t, struct mcp_call *call, const struct evaluate *a, struct result *res);
#define EVALUATE_OUTPUT \
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"value\":{}," \
	"\"dialogs\":{\"type\":\"string\"}}}"
