/* Tools that documents offer to agents, by the frames of their documents. */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "engine/engine.h"

struct offered_tool {
	const char *frame; /* id of the frame whose document offers it; NULL: not said */
	const char *name, *description;
	const struct json *schema; /* of its arguments, as the document wrote it; NULL: none */
	bool read_only, untrusted_content;
};

/* The report that a tool has ended; lives as long as the call of the handler that gets it. */
struct tool_end;
/* The size of this report in bytes. */
size_t engine_tool_end_length(const struct tool_end *e);

struct tool_outcome {
	bool completed;
	struct str error;    /* why it was not */
	struct json *output; /* NULL: none */
};
void tool_outcome_done(struct tool_outcome *o);
/*
 * Reads what became of the tool; a report may be long, so only one that is waited for is read. `ret` is the caller's in any case. False: it
 * has more values than can be read.
 */
bool engine_read_tool_end(const struct tool_end *e, struct tool_outcome *ret);

/* From here on the tools of the target's documents are reported (engine/events.h). Sent only. */
void engine_report_tools(struct engine_target *s);
/* Calls a tool with `input`, the JSON text of an object. Sent only; engine_await() for the reply, which comes before the tool has ended. */
void engine_call_tool(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *name,
		      const char *input);
/* The id of that call, by which its end is reported; borrowed, "" before the reply. */
const char *engine_tool_call_id(const struct engine_call *call);
/* Asks the document to stop the tool. */
void engine_cancel_tool(struct engine_target *s, const char *call_id);
