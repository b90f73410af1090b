/* Records calls of browser_* tools in the trace of their session (trace/trace.h), if it has one. */
#pragma once

#include "page/page.h"
#include "trace/trace.h"

struct browse;
struct mcp_call;
struct result;
struct session;

/* A call that is recorded. */
struct traced {
	struct trace_call call;
	struct press_watcher watcher;
	_kept_ struct session *session; /* whose turn the call has */
	const char *locator;            /* of the first element that the call has found; NULL: none */
};

/* The trace that is recorded of the session; NULL: none. It belongs to the session. */
_kept_ struct trace *traced_by(struct session *s);
/* Before and after the tool runs. `res`: the answer. Both suspend if there is a trace, and else do nothing. */
void traced_begin(struct browse *b);
void traced_end(struct browse *b, struct mcp_call *call, const struct result *res);
