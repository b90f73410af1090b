/*
 * The cdp_* tools: what pages wrote to their console and sent over the network, as events (session/observation.h).
 * Listed with --caps observe. They fail as {"error": {"code", "message", "details"?}}.
 */
#pragma once

#include "app/app.h"
#include "mcp/server.h"
#include "mcp/tool.h"
#include "session/observation.h"

/* Writes the answer of a call that failed. */
void cdp_failure(struct task *t, int r, const struct tool *tool, struct result *res);

#define EVENTS_DEFAULT 200 /* events in an answer that names no number */
/*
 * JSON of at most `limit` events from `*offset` on that `q` asks for, with commas between; `*offset` is put behind what
 * was looked at. An answer that becomes too long ends early.
 */
void event_list(struct str *out, struct observation *ob, const struct journal_query *q, uint64_t *offset, size_t limit);

/* Names of event_kind_table as enum observed_kind, or-ed; 0 for none. */
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
/* Schema of one event; what more it has depends on its kind. */
#define EVENT_OUTPUT \
	"{\"type\":\"object\",\"properties\":{\"seq\":{\"type\":\"integer\"},\"ts\":{\"type\":\"integer\"}," \
	"\"targetId\":{\"type\":\"string\"},\"sessionId\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"}}," \
	"\"required\":[\"seq\",\"ts\",\"targetId\",\"sessionId\",\"kind\"]}"
