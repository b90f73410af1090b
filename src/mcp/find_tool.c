/* The tools that a message names, and the rights that its sender needs for them. */
#include <string.h>

#include "base/limits.h"
#include "mcp/call.h"

const struct tool *call_find_tool(struct mcp_conn *c, const char *name)
{
	const struct mcp_server *server = c->server;

	for (const struct tool *const *tool = server->tools; *tool; tool++)
		if (!strcmp((*tool)->name, name))
			return *tool;
	return server->own_tools ? server->own_tools->find(c, name) : NULL;
}

/* NULL: the tool is unknown. */
static enum mcp_right tool_right(const struct tool *tool)
{
	return tool && tool->read_only ? MCP_MAY_READ : MCP_MAY_ACT;
}

const struct tool *call_find_step_tool(struct mcp_conn *c, const struct json *step)
{
	const char *name = json_str(json_member(step, STEP_TOOL), NULL);

	return name ? call_find_tool(c, name) : NULL;
}

/* A list that is none, or is too long to look at, is refused when it is read; that needs no lesser right than to act. */
static enum mcp_right steps_right(struct mcp_conn *c, const struct json *list)
{
	if (json_count(list) < 1 || json_count(list) > LIMIT_BATCH_STEPS)
		return MCP_MAY_ACT;
	json_foreach(step, list)
		if (tool_right(call_find_step_tool(c, step)) != MCP_MAY_READ)
			return MCP_MAY_ACT;
	return MCP_MAY_READ;
}

enum mcp_right call_right(const struct request *q)
{
	const char *name = json_str(q->message.params, "name");
	const struct tool *tool = name ? call_find_tool(q->conn, name) : NULL;

	if (tool && tool->steps)
		return steps_right(q->conn, json_member(json_member(q->message.params, "arguments"), tool->steps));
	return tool_right(tool);
}
