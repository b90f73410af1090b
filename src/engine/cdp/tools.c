/* Tools that documents offer: the WebMCP domain. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/events.h"
#include "engine/cdp/internal.h"

void engine_report_tools(struct engine_target *s)
{
	cdp_post(s, "WebMCP.enable", "{}");
}

void engine_call_tool(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *name,
		      const char *input)
{
	cdp_send(t, s, call, "WebMCP.invokeTool", "{frameId: ?, toolName: ?, input: ?}", frame, name, JSON_RAW(input));
}

const char *engine_tool_call_id(const struct engine_call *call)
{
	return json_text(cdp_call_result(call), "invocationId");
}

void engine_cancel_tool(struct engine_target *s, const char *call_id)
{
	cdp_post(s, "WebMCP.cancelInvocation", "{invocationId: ?}", call_id);
}

/* ---- events ---- */

struct tool_end {
	const char *text; /* the message */
	size_t len;
};

size_t engine_tool_end_length(const struct tool_end *e)
{
	return e->len;
}

bool engine_read_tool_end(const struct tool_end *e, struct tool_outcome *ret)
{
	struct json *message;

	*ret = (struct tool_outcome){};
	if (json_parse(e->text, e->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message) < 0)
		return false;
	ret->completed = strcmp(json_text(message, "params.status"), "Completed") == 0;
	str_append(&ret->error, json_text(message, "params.errorText"));
	ret->output = json_extract(message, "params.output");
	return true;
}

static struct offered_tool tools_read_tool(const struct json *tool)
{
	return (struct offered_tool){
		.frame = json_str(tool, "frameId"),
		.name = json_text(tool, "name"),
		.description = json_text(tool, "description"),
		.schema = json_member(tool, "inputSchema"),
		.read_only = json_bool(tool, "annotations.readOnly", false),
		.untrusted_content = json_bool(tool, "annotations.untrustedContent", false),
	};
}

static struct offered_tool *read_tools(const struct json *params, size_t *ret_count)
{
	const struct json *list = json_get(params, "tools");
	struct offered_tool *tools = must(calloc(json_count(list) + 1, sizeof(*tools)));

	*ret_count = 0;
	json_foreach(tool, list)
		tools[(*ret_count)++] = tools_read_tool(tool);
	return tools;
}

static void tools_on_added(struct engine_target *s, const struct json *params, void *data)
{
	size_t count;
	_cleanup_(freep) struct offered_tool *tools = read_tools(params, &count);

	REPORT(s, tools, added, s, tools, count);
}

static void tools_on_removed(struct engine_target *s, const struct json *params, void *data)
{
	size_t count;
	_cleanup_(freep) struct offered_tool *tools = read_tools(params, &count);

	REPORT(s, tools, removed, s, tools, count);
}

/* Chromium writes the id as the first parameter. So the end of a call that is not ours, such as one by the page itself, is not parsed. */
static void on_responded(struct engine_target *s, const char *text, size_t len, void *data)
{
	const struct tool_end e = { .text = text, .len = len };
	size_t id_len = 0;
	const char *id = cdp_raw_string(text, len, "params.invocationId", &id_len);

	if (id)
		REPORT(s, tools, ended, s, id, id_len, &e);
}

const struct cdp_event cdp_tool_events[] = {
	{ "WebMCP.toolsAdded", tools_on_added },
	{ "WebMCP.toolsRemoved", tools_on_removed },
	{ "WebMCP.toolResponded", .raw = on_responded, .longest = LIMIT_CDP_MESSAGE },
	{},
};
