#include "mcp/resources.h"

#include <errno.h>
#include <string.h>

#include "loop/failure_words.h"
#include "mcp/call.h"

static int run_read(struct task *t, struct mcp_call *call)
{
	const struct mcp_server *server = call->request.conn->server;

	return server->resources->read(t, server->data, mcp_conn_owner(call->request.conn), json_str(call->arguments, "uri"),
				       &call->result.content);
}

static void answer_read(struct mcp_call *call, struct task *t, int r)
{
	struct request *q = &call->request;
	_cleanup_(str_done) struct str data = {};

	if (r < 0) {
		str_json(&data, "{uri: ?}", json_str(call->arguments, "uri"));
		request_error(q, r == -ENOENT ? q->version->resource_not_found : RPC_INTERNAL_ERROR, data.data, "%s",
			      failure_has_words(t, r) ? failure_words(t, r) : "Resource not found");
		return;
	}
	str_prepend(&call->result.content, "\"contents\":[", strlen("\"contents\":["));
	str_append_char(&call->result.content, ']');
	request_reply_members(q, CACHE_NEVER, &call->result.content);
}

void resources_read(struct request *q)
{
	static const struct call_kind kind = { "resources/read", run_read, answer_read };

	call_begin(q, &kind, NULL, q->message.params);
}
