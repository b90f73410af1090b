/*
 * Modern requests repeat parts of the message in header fields, so that intermediaries can route them without parsing
 * it. Header fields and message must match: RPC_HEADER_MISMATCH otherwise.
 */
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/node.h"
#include "mcp/call.h"
#include "mcp/http_parts.h"
#include "mcp/tasks.h"

#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

static bool mismatch(struct request *q, const char *field, const char *what)
{
	request_error(q, RPC_HEADER_MISMATCH, NULL, "Header mismatch: the field %s %s", field, what);
	return false;
}

/* Decodes strict base64: standard alphabet, padded, padding only at the end. */
static bool http_modern_decode(const char *text, size_t len, struct str *out)
{
	size_t padding = len >= 2 && text[len - 2] == '=' ? 2 : len >= 1 && text[len - 1] == '=';
	ptrdiff_t n;

	if (len % 4 != 0 || memchr(text, '=', len - padding))
		return false;
	str_reserve(out, BASE64_DECODED_SIZE(len));
	n = base64_decode(text, len, (uint8_t *)out->data);
	if (n < 0 || memchr(out->data, '\0', (size_t)n))
		return false;
	out->len = (size_t)n;
	out->data[n] = '\0';
	return true;
}

/* The value of a field, which may be encoded as =?base64?...?= to carry any text. NULL: invalid encoding. */
static const char *unwrap(const char *value, struct str *out)
{
	static const char head[] = "=?base64?", tail[] = "?=";
	size_t len = strlen(value), head_len = sizeof(head) - 1, tail_len = sizeof(tail) - 1;

	if (len < head_len + tail_len || strncasecmp(value, head, head_len) || strcmp(value + len - tail_len, tail) != 0)
		return value;
	return http_modern_decode(value + head_len, len - head_len - tail_len, out) ? out->data : NULL;
}

/* Whether the field is the value that the message has. False: the request was refused. */
static bool repeats(struct request *q, const char *field, const char *value, const char *expected)
{
	_cleanup_(str_done) struct str decoded = {};

	if (!value)
		return mismatch(q, field, "is missing");
	value = unwrap(value, &decoded);
	if (!value)
		return mismatch(q, field, "is not valid base64");
	return !strcmp(value, expected) || mismatch(q, field, "does not match the message");
}

/* The parameter that Mcp-Name repeats; NULL: the method has none. */
static const char *named_parameter(const char *method)
{
	if (!strcmp(method, "tools/call") || !strcmp(method, "prompts/get"))
		return "name";
	if (task_is_method(method))
		return "taskId";
	return strcmp(method, "resources/read") ? NULL : "uri";
}

static bool admit_name(struct request *q, struct http_exchange *x)
{
	const char *parameter = named_parameter(q->message.method);
	const char *expected = parameter ? json_str(json_member(q->message.params, parameter), NULL) : NULL;

	if (!parameter || !expected) /* the method reports a missing parameter itself */
		return true;
	return repeats(q, "Mcp-Name", http_field(x, "mcp-name"), expected);
}

/* Refuses a session of another node, to which a proxy has led the request because its own node is gone, or by mistake. */
static bool admit_node(struct request *q, const struct http_post *p, const char *session)
{
	const char *own = p->http->options->node;
	_cleanup_(str_done) struct str data = {};
	char node[NODE_NAME_SIZE];

	if (!node_is_other(own, session, node) || p->http->services->archive) /* the call looks there */
		return true;
	str_json(&data, "{node: ?}", node);
	request_error(
		q, RPC_OTHER_NODE, data.data,
		"The session is on the node \"%s\", and this is \"%s\": that node is gone or out of reach; create a new session",
		node, own);
	return false;
}

/* Refuses a task of another node: tasks stay where they began. */
static bool admit_task(struct request *q, const struct http_post *p)
{
	const char *own = p->http->options->node, *id = json_str(json_member(q->message.params, "taskId"), NULL);
	_cleanup_(str_done) struct str data = {};
	char node[NODE_NAME_SIZE];

	if (!id || !task_is_method(q->message.method) || !node_is_other(own, id, node))
		return true;
	str_json(&data, "{node: ?}", node);
	request_error(q, RPC_OTHER_NODE, data.data,
		      "The task is on the node \"%s\", and this is \"%s\": that node is gone or out of reach; call the tool again",
		      node, own);
	return false;
}

/* The session's id, which the field repeats where the schema of the tool says so (x-mcp-header). */
static bool admit_session(struct request *q, const struct http_post *p)
{
	const struct tool_style *style = &q->conn->server->style;
	const struct json *arguments = json_member(q->message.params, "arguments"), *id;
	const char *name = json_str(q->message.params, "name"), *value;
	_cleanup_(str_done) struct str field = {};
	const struct tool *tool;

	if (!style->session_header || strcmp(q->message.method, "tools/call") != 0)
		return true;
	tool = name ? call_find_tool(q->conn, name) : NULL;
	id = json_member(arguments, style->session_argument);
	str_appendf(&field, "Mcp-Param-%s", style->session_header);
	value = http_field(p->stream.x, field.data);
	if (!tool || (id && json_type(id) != JSON_STRING && json_type(id) != JSON_NULL)) /* the call reports these */
		return true;
	if (!json_str(id, NULL))
		return !value || mismatch(q, field.data, "is there, and the argument is not");
	if ((value || tool_lists_param(tool, style, style->session_argument)) && !repeats(q, field.data, value, json_str(id, NULL)))
		return false;
	return admit_node(q, p, json_str(id, NULL));
}

bool modern_admit(struct request *q)
{
	const struct http_post *p = q->stream;
	struct http_exchange *x = p ? p->stream.x : NULL;
	const struct json *meta = json_member(q->message.params, "_meta");
	const char *version = json_str(json_member(meta, META_VERSION), NULL);
	const char *header = x ? http_field(x, "mcp-protocol-version") : NULL;
	const char *method = x ? http_field(x, "mcp-method") : NULL;

	if (!p) /* HTTP+SSE has no such fields */
		return true;
	if (!header)
		return mismatch(q, "MCP-Protocol-Version", "is missing");
	if (!version && !version_find(header)) { /* unsupported in either era */
		conn_refuse_version(q, header);
		return false;
	}
	if (!version || !json_member(meta, META_CAPABILITIES)) /* the caller reports missing members */
		return true;
	if (strcmp(header, version) != 0)
		return mismatch(q, "MCP-Protocol-Version", "does not match the message");
	if (!version_find(version))
		return true;
	if (!method)
		return mismatch(q, "Mcp-Method", "is missing");
	if (strcmp(method, q->message.method) != 0)
		return mismatch(q, "Mcp-Method", "does not match the message");
	return admit_name(q, x) && admit_session(q, p) && admit_task(q, p);
}
