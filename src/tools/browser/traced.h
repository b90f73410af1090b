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

/* The trace that is recorded of the session; NULL: none, or none between two chunks. It belongs to the session. */
_kept_ struct trace *traced_by(struct session *s);
/*
 * The recording for code: tracing.start(), startChunk(), stop() and stopChunk(). `path`: the archive, NULL: what was recorded is not
 * packed. They fail as these methods do. Suspend.
 */
int traced_start(struct browse *b);
int traced_start_chunk(struct browse *b);
int traced_stop(struct browse *b, const char *path);
int traced_stop_chunk(struct browse *b, const char *path);
/* The same as traced_begin() and traced_end() for a step of the call `of`, with a `struct browse` and a page (or none) of its own. */
void traced_begin_step(struct browse *b, struct session *s);
void traced_end_step(struct browse *b, const struct browse *of, const struct json *arguments, int r);
/* Before and after the tool runs. `res`: the answer. Both suspend if there is a trace, and else do nothing. */
void traced_begin(struct browse *b);
void traced_end(struct browse *b, struct mcp_call *call, const struct result *res);
