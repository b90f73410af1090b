/* Records calls of browser_* tools in the trace of their session (trace/trace.h), if it has one. */
#pragma once

#include "page/page.h"
#include "trace/trace.h"

struct browse;
struct result;
struct session;
struct tool_call;

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
int traced_start(struct tool_call *call, struct session *s, _nullable_ struct page *p);
int traced_start_chunk(struct tool_call *call, struct session *s, _nullable_ struct page *p);
int traced_stop(struct tool_call *call, struct session *s, const char *path);
int traced_stop_chunk(struct tool_call *call, struct session *s, const char *path);
/*
 * Before and after a call: of a tool, which gives the answer `res`, or of code, which is a step of the tool's call `of` and returns `r`.
 * They suspend if there is a trace, and else do nothing.
 */
void traced_begin(struct traced *traced, struct task *t, struct session *s, _nullable_ struct page *p);
void traced_end(struct browse *b, const struct result *res);
void traced_end_step(struct traced *traced, struct tool_call *call, _nullable_ struct page *p, const struct traced *of,
		     const struct json *arguments, int r);
