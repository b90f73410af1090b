/* What others ask of a call, and what they tell the server of it. */
#include "mcp/call.h"

void *mcp_call_data(struct mcp_call *call)
{
	return call->request.conn->server->data;
}

bool mcp_call_may_act(const struct mcp_call *call)
{
	return call->request.rights & MCP_MAY_ACT;
}

struct mcp_conn *mcp_call_conn(struct mcp_call *call)
{
	return call->request.conn;
}

const struct tool *mcp_call_tool(struct mcp_call *call)
{
	return call->step ? call->step->tool : call->tool;
}

const char *mcp_call_tool_name(struct mcp_call *call)
{
	return call->step ? call->step->name : json_text(call->request.message.params, "name");
}

const struct json *mcp_call_arguments(struct mcp_call *call)
{
	return call->step ? call->step->arguments : call->arguments;
}

const char *mcp_call_session_id(struct mcp_call *call)
{
	const struct tool_style *style = &call->request.conn->server->style;

	return style->sessions_hidden || !style->session_argument ? NULL : json_str(call->arguments, style->session_argument);
}

struct task *mcp_call_task(struct mcp_call *call)
{
	return call->task;
}

void call_announce(struct mcp_call *call)
{
	const struct mcp_server *server = call->request.conn->server;

	if (server->began)
		server->began(call);
}

void call_report(struct mcp_call *call, bool failed, usec_t started)
{
	const struct mcp_server *server = call->request.conn->server;
	enum mcp_outcome outcome = call->cancelled ? MCP_CALL_CANCELLED : failed ? MCP_CALL_FAILED : MCP_CALL_OK;

	if (server->called && call->tool)
		server->called(call, outcome, clock_now() - started);
}
