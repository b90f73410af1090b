/* What clients are told of a task. */
#include "mcp/call.h"
#include "mcp/resources.h"
#include "mcp/tasks.h"

#define POLL_MSEC 1000 /* a good interval between two tasks/get */

static const char *const task_status_table[] = {
	[MCP_TASK_WORKING] = "working", [MCP_TASK_INPUT_REQUIRED] = "input_required", [MCP_TASK_COMPLETED] = "completed",
	[MCP_TASK_FAILED] = "failed",   [MCP_TASK_CANCELLED] = "cancelled",
};

static void append_requests(const struct mcp_call *call, struct str *out)
{
	const struct ask *ask;
	size_t n = 0;

	str_append(out, ",\"inputRequests\":{");
	LIST_FOREACH(ask, &call->asking.asks, link)
		if (ask->key && !ask->reply)
			str_json(out, "? ?: ?", JSON_COMMA(n++), ask->key, JSON_RAW(ask->request.data));
	str_append_char(out, '}');
}

void mcp_task_print(const struct mcp_task *task, struct str *out)
{
	char created[CLOCK_TEXT_SIZE], changed[CLOCK_TEXT_SIZE];

	clock_print(task->created, created);
	clock_print(task->changed, changed);
	str_json(out, "taskId: ?, status: ?, createdAt: ?, lastUpdatedAt: ?, ttlMs: ?, pollIntervalMs: ?", task->id,
		 task_status_table[task->status], created, changed, mcp_task_ttl(task), POLL_MSEC);
	if (task->call && progress_words(task->call))
		str_json(out, ", statusMessage: ?", progress_words(task->call));
}

void mcp_task_print_whole(const struct mcp_task *task, struct str *out)
{
	mcp_task_print(task, out);
	if (task->call && task->status == MCP_TASK_INPUT_REQUIRED)
		append_requests(task->call, out);
}

void mcp_task_set_status(struct mcp_task *task, enum mcp_task_status status)
{
	_cleanup_(str_done) struct str members = {};

	if (task->status == status)
		return;
	task->status = status;
	task->changed = clock_unix_msec();
	mcp_task_print_whole(task, &members);
	subscriptions_tell_task(task->id, members.data);
}
