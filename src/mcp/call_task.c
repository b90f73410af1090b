/* Calls that become tasks. */
#include <errno.h>

#include "base/error.h"
#include "mcp/call.h"
#include "mcp/tasks.h"

bool mcp_call_takes_task(const struct mcp_call *call)
{
	return call->request.takes_tasks;
}

/*
 * The response, with which the request ends for the client; the call has the request until its own end. `content` is not the extension's:
 * the schema of the protocol demands it of every result of a tools/call, and clients may check that.
 */
static void answer_with_task(struct mcp_call *call)
{
	_cleanup_(str_done) struct str members = {};
	struct request *q = &call->request;

	mcp_task_print(call->as_task, &members);
	str_append(&members, ",\"content\":[]");
	request_reply_task(q, &members);
	q->kept = &call->response;
	if (q->conn->transport->answered && q->stream)
		q->conn->transport->answered(q->stream);
}

/* False: there are too many tasks, or nobody can ask for this one, because the client has left or cancelled the call. */
static bool become_task(struct mcp_call *call)
{
	const struct mcp_conn *c = call->request.conn;

	if (call->cancelled || c->closing)
		return false;
	call->as_task = mcp_task_new(call, mcp_conn_owner(c), c->server);
	if (!call->as_task)
		return false;
	call->as_task->needed = call->request.needed;
	progress_stop(call);
	call->task_timer = timer_free(call->task_timer);
	answer_with_task(call);
	return true;
}

int mcp_call_become_task(struct task *t, struct mcp_call *call)
{
	if (call->as_task)
		return 0;
	if (!mcp_call_takes_task(call)) {
		call->asking.missing = TASKS_EXTENSION;
		return task_fail(t, -ERR_CLIENT_CANNOT,
				 "%s needs a client that takes tasks, and this one has not declared the extension %s", call->name,
				 TASKS_EXTENSION);
	}
	if (become_task(call))
		return 0;
	return task_fail(t, -EAGAIN, "%s cannot become a task: there are too many, or its client has left", call->name);
}

static void on_task_timer(void *data)
{
	struct mcp_call *call = data;

	if (!become_task(call))
		timer_set(call->task_timer, clock_now() + call->tool->task_after);
}

void call_task_await(struct mcp_call *call)
{
	if (!call->tool || !call->tool->task_after || !mcp_call_takes_task(call))
		return;
	call->task_timer = timer_new(call->request.conn->server->loop, on_task_timer, call);
	timer_set(call->task_timer, call->started + call->tool->task_after);
}

void call_task_end(struct mcp_call *call)
{
	struct mcp_task *task = call->as_task;
	bool failed = call->response.failed;

	if (!task)
		return;
	failed &= mcp_task_keep(task, &call->response);
	if (task->status != MCP_TASK_CANCELLED)
		mcp_task_set_status(task, failed ? MCP_TASK_FAILED : MCP_TASK_COMPLETED);
}

void call_task_cancel_all(struct mcp_conn *c)
{
	struct mcp_call *call;

	TAILQ_FOREACH(call, &c->calls, link)
		if (call->as_task)
			task_cancel(call->task, -ECANCELED, "The client has disconnected, and cannot ask for this task any more");
}
