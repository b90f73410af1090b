/* The methods of tasks: each names a task of its sender's owner, and needs the right that the call of the task needed. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/call.h"
#include "mcp/feature.h"
#include "mcp/tasks.h"

bool task_is_method(const char *name)
{
	return !strcmp(name, "tasks/get") || !strcmp(name, "tasks/update") || !strcmp(name, "tasks/cancel");
}

static struct mcp_task *task_of(const struct request *q)
{
	return mcp_task_find(q->conn->server, mcp_conn_owner(q->conn), json_str(json_member(q->message.params, "taskId"), NULL));
}

enum mcp_right task_right(const struct request *q)
{
	const struct mcp_task *task = task_of(q);

	return task ? task->needed : MCP_MAY_READ;
}

/* NULL: there is no such task, which has been answered. */
static struct mcp_task *find_task(struct request *q)
{
	const char *id = json_str(json_member(q->message.params, "taskId"), NULL);
	struct mcp_task *task = task_of(q);

	if (!id)
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"taskId\" must be a string");
	else if (!task)
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: there is no task \"%.128s\", or it has expired: call the tool again", id);
	return task;
}

static bool is_terminal(const struct mcp_task *task)
{
	return task->status != MCP_TASK_WORKING && task->status != MCP_TASK_INPUT_REQUIRED;
}

/* ---- tasks/get ---- */

/* In place of a response for which there was no room. */
static void answer_without_response(struct request *q, struct str *members)
{
	_cleanup_(str_done) struct str result = {}, text = {};

	str_appendf(
		&text,
		"The result of this task is not kept: the results of all tasks may have %u MiB, and those of one owner half of it. "
		"Read the result of a task soon after its end, or do with smaller ones",
		LIMIT_MCP_TASK_BYTES >> 20);
	str_json(&result, "{resultType: 'complete', content: [{type: 'text', text: ?}], isError: true}", text.data);
	request_reply_around(q, members, "result", result.data, result.len);
}

static void answer_with_response(struct request *q, const struct kept_response *response, struct str *members)
{
	request_reply_around(q, members, response->failed ? "error" : "result", response->text.data + response->at,
			     response->text.len - response->at - 1);
}

void tasks_get(struct request *q)
{
	struct mcp_task *task = find_task(q);
	_cleanup_(str_done) struct str members = {};

	if (!task)
		return;
	mcp_task_print_whole(task, &members);
	if (!is_terminal(task) || task->status == MCP_TASK_CANCELLED)
		request_reply_around(q, &members, NULL, NULL, 0);
	else if (task->response.text.len)
		answer_with_response(q, &task->response, &members);
	else
		answer_without_response(q, &members);
	task->read |= is_terminal(task);
}

/* ---- tasks/update ---- */

static struct ask *find_pending(const struct mcp_call *call, const char *key)
{
	struct ask *ask;

	LIST_FOREACH(ask, &call->asking.asks, link)
		if (ask->key && !ask->reply && !strcmp(ask->key, key))
			return ask;
	return NULL;
}

/* The key of a response that does not answer its question; NULL: there is none. */
static const char *find_misfit(const struct mcp_call *call, const struct json *responses)
{
	json_foreach(response, responses) {
		const struct ask *ask = find_pending(call, json_name(response));

		if (ask && !feature_table[ask->feature].takes(response))
			return json_name(response);
	}
	return NULL;
}

static void give_responses(struct mcp_task *task, const struct json *responses)
{
	json_foreach(response, responses) {
		struct ask *ask = find_pending(task->call, json_name(response));

		if (ask)
			ask->reply = json_copy(response);
	}
	if (task->status != MCP_TASK_INPUT_REQUIRED || ask_task_pending(task->call))
		return;
	mcp_task_set_status(task, MCP_TASK_WORKING);
	task_wake(task->call->task);
}

/* Responses to questions that are not asked, or no longer, are ignored, as the extension has it. */
void tasks_update(struct request *q)
{
	const struct json *responses = json_member(q->message.params, "inputResponses");
	struct mcp_task *task = find_task(q);
	const char *misfit = task && task->call ? find_misfit(task->call, responses) : NULL;

	if (!task)
		return;
	if (json_type(responses) != JSON_OBJECT || misfit) {
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: %s%.128s%s",
			      misfit ? "the response \"" : "\"inputResponses\" must be an object", misfit ? misfit : "",
			      misfit ? "\" does not have the structure of an answer to its request" : "");
		return;
	}
	if (task->call)
		give_responses(task, responses);
	request_reply(q, CACHE_NONE, " ");
}

/* ---- tasks/cancel ---- */

void tasks_cancel(struct request *q)
{
	struct mcp_task *task = find_task(q);

	if (!task)
		return;
	if (!is_terminal(task)) {
		task->call->cancelled = true;
		mcp_task_set_status(task, MCP_TASK_CANCELLED);
		task_cancel(task->call->task, -ECANCELED, "The client cancelled the task");
	}
	request_reply(q, CACHE_NONE, " ");
}
