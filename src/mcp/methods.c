/* The methods of MCP, one function each, and the table of the eras and rights that they belong to. */
#include <string.h>

#include "auth/token.h"
#include "base/limits.h"
#include "mcp/call.h"
#include "mcp/feature.h"
#include "mcp/resources.h"
#include "mcp/tasks.h"

enum era { LEGACY = 1, MODERN = 2, BOTH = LEGACY | MODERN };

struct method {
	const char *name;
	enum era eras;
	enum mcp_right right; /* required right; 0: refused to all clients */
	void (*answer)(struct request *q);
	bool beyond_tools;    /* not available with tools_only */
	bool needs_resources; /* available only if the server has resources */
	bool needs_news;      /* available only if the server has what changes: resources, tools of connections, or tasks */
	bool needs_tasks;     /* available only to clients that have declared the extension */
};

static void append_capabilities(const struct request *q, struct str *out)
{
	if (q->conn->server->tools_only) {
		str_json(out, "{tools: {listChanged: true}}");
		return;
	}
	str_json(out, "{tools: {?}, resources: {?}, prompts: {}, logging: {}",
		 JSON_RAW(q->conn->server->own_tools ? "\"listChanged\":true" : ""),
		 JSON_RAW(q->conn->server->resources ? "\"subscribe\":true,\"listChanged\":true" : ""));
	if (q->version->completions_flag)
		str_json(out, ", completions: {}");
	if (q->version->modern)
		str_json(out, ", extensions: {?: {}}", TASKS_EXTENSION);
	str_append_char(out, '}');
}

static void append_instructions(const struct request *q, struct str *out)
{
	if (q->conn->server->instructions)
		str_json(out, ", instructions: ?", q->conn->server->instructions);
}

static void initialize(struct request *q)
{
	_cleanup_(str_done) struct str out = {};

	if (!json_str(q->message.params, "protocolVersion")) {
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"protocolVersion\" must be a string");
		return;
	}
	q->conn->version = q->version;
	q->conn->features = features_declared(json_get(q->message.params, "capabilities"), q->version);
	logging_update(q->conn);
	str_json(&out, "protocolVersion: ?, capabilities:", q->version->name);
	append_capabilities(q, &out);
	str_json(&out, ", serverInfo:");
	request_server_info(q, &out);
	append_instructions(q, &out);
	request_reply_members(q, CACHE_NONE, &out);
}

static void discover(struct request *q)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "supportedVersions: [");
	version_names(&out);
	str_json(&out, "], capabilities:");
	append_capabilities(q, &out);
	append_instructions(q, &out);
	request_reply_members(q, CACHE_PUBLIC, &out);
}

static void ping(struct request *q)
{
	request_reply(q, CACHE_NONE, " ");
}

static void set_level(struct request *q)
{
	int level = log_level_parse(json_str(q->message.params, "level"));

	if (level < 0) {
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"level\" must be one of " LOG_LEVEL_NAMES);
		return;
	}
	q->conn->log_level = (enum log_level)level;
	logging_update(q->conn);
	request_reply(q, CACHE_NONE, " ");
}

/* Lists have one page, so that every cursor is invalid. True: there was one, which has been answered. */
static bool refuse_cursor(struct request *q)
{
	if (!json_member(q->message.params, "cursor"))
		return false;
	request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: unknown cursor");
	return true;
}

static void list_tools(struct request *q)
{
	const struct tool *const *tools = q->conn->server->tools;
	_cleanup_(str_done) struct str out = {};

	if (refuse_cursor(q))
		return;
	str_append(&out, "\"tools\":[");
	for (size_t i = 0; tools[i]; i++) {
		if (i)
			str_append_char(&out, ',');
		tool_entry(tools[i], &q->conn->server->style, q->version, &out);
	}
	if (q->conn->server->own_tools)
		q->conn->server->own_tools->list(q->conn, q->version, &out);
	str_append_char(&out, ']');
	request_reply_members(q, q->conn->server->own_tools ? CACHE_NEVER : CACHE_PUBLIC, &out);
}

static void list_prompts(struct request *q)
{
	const struct mcp_server *server = q->conn->server;
	_cleanup_(str_done) struct str list = {};

	if (refuse_cursor(q))
		return;
	if (server->prompts)
		server->prompts->list(&list, server->data);
	request_reply(q, CACHE_PUBLIC, "prompts: [?]", JSON_RAW(str_text(&list)));
}

static void list_resources(struct request *q)
{
	const struct mcp_server *server = q->conn->server;
	_cleanup_(str_done) struct str list = {};

	if (refuse_cursor(q))
		return;
	if (server->resources)
		server->resources->list(&list, mcp_conn_owner(q->conn), server->data);
	request_reply(q, CACHE_NEVER, "resources: [?]", JSON_RAW(str_text(&list)));
}

static void list_templates(struct request *q)
{
	const struct mcp_resources *r = q->conn->server->resources;

	if (!refuse_cursor(q))
		request_reply(q, CACHE_PUBLIC, "resourceTemplates: [?]", JSON_RAW(r ? r->templates : ""));
}

static void read_resource(struct request *q)
{
	const char *uri = json_str(q->message.params, "uri");
	_cleanup_(str_done) struct str data = {};

	if (!uri) {
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"uri\" must be a string");
		return;
	}
	if (q->conn->server->resources) {
		resources_read(q);
		return;
	}
	str_json(&data, "{uri: ?}", uri);
	request_error(q, q->version->resource_not_found, data.data, "Resource not found");
}

static const struct method method_table[] = {
	{ "initialize", LEGACY, MCP_MAY_READ, initialize },
	{ "ping", LEGACY, MCP_MAY_READ, ping },
	{ "logging/setLevel", LEGACY, MCP_MAY_READ, set_level, true },
	{ "server/discover", MODERN, MCP_MAY_READ, discover },
	{ "tools/list", BOTH, MCP_MAY_READ, list_tools },
	{ "tools/call", BOTH, 0, call_start } /* the right depends on the tool */,
	{ "prompts/list", BOTH, MCP_MAY_READ, list_prompts, true },
	{ "prompts/get", BOTH, MCP_MAY_READ, prompts_get, true },
	{ "resources/list", BOTH, MCP_MAY_READ, list_resources, true },
	{ "resources/templates/list", BOTH, MCP_MAY_READ, list_templates, true },
	{ "resources/read", BOTH, MCP_MAY_READ, read_resource, true },
	{ "resources/subscribe", LEGACY, MCP_MAY_READ, resources_subscribe, true, true },
	{ "resources/unsubscribe", LEGACY, MCP_MAY_READ, resources_unsubscribe, true, true },
	{ "subscriptions/listen", MODERN, MCP_MAY_READ, subscriptions_listen, .needs_news = true },
	{ "completion/complete", BOTH, MCP_MAY_READ, completion_complete, true },
	{ "tasks/get", MODERN, 0, tasks_get, true, .needs_tasks = true } /* the right depends on the task */,
	{ "tasks/update", MODERN, 0, tasks_update, true, .needs_tasks = true },
	{ "tasks/cancel", MODERN, 0, tasks_cancel, true, .needs_tasks = true },
};

static bool methods_has_method(const struct mcp_server *server, const struct method *m)
{
	return !(m->beyond_tools && server->tools_only) && (server->resources || !m->needs_resources) &&
	       (server->resources || server->own_tools || !server->tools_only || !m->needs_news);
}

static const struct method *find_method(const struct request *q)
{
	enum era era = q->version->modern ? MODERN : LEGACY;

	for (const struct method *m = method_table; m < method_table + ARRAY_SIZE(method_table); m++)
		if (!strcmp(m->name, q->message.method) && m->eras & era && methods_has_method(q->conn->server, m))
			return m;
	return NULL;
}

/* Unknown methods need the strongest right. */
static enum mcp_right right_needed(const struct request *q, const struct method *m)
{
	if (!m)
		return MCP_MAY_ACT;
	if (m->needs_tasks)
		return task_right(q);
	return m->answer == call_start ? call_right(q) : m->right;
}

void method_dispatch(struct request *q)
{
	const struct method *m = find_method(q);

	q->needed = right_needed(q, m);
	if (m && m->needs_tasks && !q->takes_tasks)
		request_error_capability(q, TASKS_EXTENSION, q->message.method);
	else if (!(q->rights & q->needed))
		request_error(q, RPC_FORBIDDEN, NULL, "The token does not allow this: it needs the scope " TOKEN_SCOPE_ACT);
	else if (m)
		m->answer(q);
	else if (q->conn->server->tools_only)
		request_error(q, RPC_METHOD_NOT_FOUND, NULL, "Method not found");
	else
		request_error(q, RPC_METHOD_NOT_FOUND, NULL, "Method not found: %.128s", q->message.method);
}
