/* Prompts, which run in a task as tools do, and the completion of arguments of both prompts and resource templates. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "loop/failure_words.h"
#include "mcp/call.h"
#include "mcp/resources.h"

#define COMPLETIONS_MAX 100 /* in one response */

static int run_get(struct task *t, struct mcp_call *call)
{
	const struct mcp_prompts *prompts = call->request.conn->server->prompts;

	return prompts->get(t, call, json_str(call->arguments, "name"), json_member(call->arguments, "arguments"),
			    &call->result.content);
}

static void answer_get(struct mcp_call *call, struct task *t, int r)
{
	struct request *q = &call->request;
	int code = r == -ENOENT || r == -ERR_INVALID_PARAMETERS ? RPC_INVALID_PARAMS : RPC_INTERNAL_ERROR;

	if (r < 0 && failure_has_words(t, r)) {
		request_error(q, code, NULL, "%s", failure_words(t, r));
	} else if (r < 0) {
		request_error(q, code, NULL, "Unknown prompt: %.128s", json_str(call->arguments, "name"));
	} else {
		str_prepend(&call->result.content, "\"messages\":[", strlen("\"messages\":["));
		str_append_char(&call->result.content, ']');
		request_reply_members(q, CACHE_NONE, &call->result.content);
	}
}

void prompts_get(struct request *q)
{
	static const struct call_kind kind = { "prompts/get", run_get, answer_get };
	const char *name = json_str(q->message.params, "name");
	const struct json *arguments = json_member(q->message.params, "arguments");

	if (!name || (arguments && json_type(arguments) != JSON_OBJECT))
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"name\" must be a string, \"arguments\" an object");
	else if (!q->conn->server->prompts)
		request_error(q, RPC_INVALID_PARAMS, NULL, "Unknown prompt: %.128s", name);
	else
		call_begin(q, &kind, NULL, q->message.params);
}

/* ---- completion ---- */

void mcp_completion_offer(struct mcp_completion *c, const char *value)
{
	if (strncmp(value, c->value, strlen(c->value)) != 0)
		return;
	if (c->count++ < COMPLETIONS_MAX)
		str_json(&c->values, "? ?", JSON_COMMA(c->values.len), value);
}

/* Unknown prompts, templates and arguments have no values; they are not an error. */
static void prompts_collect(const struct request *q, struct mcp_completion *c)
{
	const struct mcp_server *server = q->conn->server;
	const char *type = json_str(q->message.params, "ref.type");
	bool prompt = type && !strcmp(type, "ref/prompt");

	c->ref = json_str(q->message.params, prompt ? "ref.name" : "ref.uri");
	if (!c->ref)
		return;
	if (prompt && server->prompts && server->prompts->complete)
		server->prompts->complete(c, server->data);
	else if (!prompt && server->resources && server->resources->complete)
		server->resources->complete(c, mcp_conn_owner(q->conn), server->data);
}

void completion_complete(struct request *q)
{
	struct mcp_completion c = {
		.argument = json_str(q->message.params, "argument.name"),
		.value = json_str(q->message.params, "argument.value"),
	};

	if (json_type(json_get(q->message.params, "ref")) != JSON_OBJECT || !c.argument || !c.value) {
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: \"ref\" must be an object, \"argument\" must "
			      "hold the strings \"name\" and \"value\"");
		return;
	}
	prompts_collect(q, &c);
	request_reply(q, CACHE_NONE, "completion: {values: [?], total: ?, hasMore: ?}", JSON_RAW(str_text(&c.values)), c.count,
		      (bool)(c.count > COMPLETIONS_MAX));
	str_done(&c.values);
}
