/*
 * The cdp_* tools: console messages and network traffic of pages as events (session/observation.h). They are listed with
 * the capability "observe". Failures have the form {"error": {"code", "message", "details"?}}.
 */
#pragma once

#include "app/app.h"
#include "mcp/server.h"
#include "mcp/tool.h"
#include "session/observation.h"

/* Writes the answer of a call that failed. */
void cdp_failure(struct task *t, int r, struct mcp_call *call, const struct tool *tool, struct result *res);

#define EVENTS_DEFAULT 200 /* events in an answer if the call gives no limit */
/*
 * Appends at most `limit` events from `*offset` on that match `q`, as JSON separated by commas, and sets `*offset` after the
 * last event that was examined. The list ends early if the answer becomes too long.
 */
void event_list(struct str *out, struct observation *ob, const struct journal_query *q, uint64_t *offset, size_t limit);

/* Converts names of event_kind_table to a set of enum observed_kind bits; 0 for no names. */
unsigned event_kinds_of(const struct string_list *names);

static inline struct observers *call_observers(struct mcp_call *call)
{
	return call_app(call)->observers;
}

/* Members of every cdp_* tool; `args` is a struct tag. */
#define CDP_TOOL(tool_name, tool_title, args, text, output, ...) \
	{ \
		.name = tool_name, .title = tool_title, .about = text, .params = args##_params, .size = sizeof(struct args), \
		.run = args##_run, .failure = cdp_failure, .output_schema = output, __VA_ARGS__ \
	}

#define HOST_ABOUT "Address of a browser with a debugging port; without host and port: pages of the sessions"
#define PORT_ABOUT "Debugging port of that browser"
#define PORT_MAX 65535
#define TARGET_ID_ABOUT "From cdp_observe"
/* Schema of one event; further members depend on its kind. */
#define EVENT_OUTPUT \
	"{\"type\":\"object\",\"properties\":{\"seq\":{\"type\":\"integer\"},\"ts\":{\"type\":\"integer\"}," \
	"\"targetId\":{\"type\":\"string\"},\"sessionId\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"}}," \
	"\"required\":[\"seq\",\"ts\",\"targetId\",\"sessionId\",\"kind\"]}"
