/* Questions of a call that is a task: they are part of what the client reads about it, and tasks/update has the answers. */
#include <errno.h>

#include "base/error.h"
#include "mcp/call.h"
#include "mcp/feature.h"
#include "mcp/tasks.h"

void ask_free(struct ask *ask)
{
	LIST_REMOVE(ask, link);
	json_free(ask->reply);
	free(ask->key);
	str_done(&ask->request);
	free(ask);
}

static struct ask *ask_task_new(struct mcp_call *call, const struct mcp_question *question)
{
	struct ask *ask = NEW(struct ask);
	struct str key = {};

	str_appendf(&key, "%s-%u", question->key, ++call->as_task->questions);
	ask->key = str_take(&key);
	ask->feature = question->feature;
	str_json(&ask->request, "{method: ?, params:", feature_table[question->feature].method);
	feature_write_params(question, call->request.version, NULL, &ask->request);
	str_append_char(&ask->request, '}');
	LIST_INSERT_HEAD(&call->asking.asks, ask, link);
	return ask;
}

bool ask_task_pending(const struct mcp_call *call)
{
	const struct ask *ask;

	LIST_FOREACH(ask, &call->asking.asks, link)
		if (ask->key && !ask->reply)
			return true;
	return false;
}

/* After questions were withdrawn. */
static void ask_task_go_on(struct mcp_call *call)
{
	if (call->as_task->status == MCP_TASK_INPUT_REQUIRED && !ask_task_pending(call))
		mcp_task_set_status(call->as_task, MCP_TASK_WORKING);
}

struct ask *ask_task_begin(struct mcp_call *call, const struct mcp_question *question)
{
	struct ask *ask = ask_task_new(call, question);

	mcp_task_set_status(call->as_task, MCP_TASK_INPUT_REQUIRED);
	return ask;
}

void ask_task_end(struct mcp_call *call, struct ask *ask)
{
	ask_free(ask);
	ask_task_go_on(call);
}

static bool all_answered(struct ask **asks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (asks[i] && !asks[i]->reply)
			return false;
	return true;
}

static void take_answers(struct ask **asks, struct mcp_question *questions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (asks[i])
			questions[i].answer = asks[i]->reply;
}

/* Questions without an answer are withdrawn; answers are kept as long as the call. */
static void ask_task_withdraw(struct ask **asks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (asks[i] && !asks[i]->reply)
			ask_free(asks[i]);
}

int ask_in_task(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout)
{
	struct ask **asks = arena_alloc(task_arena(t), count * sizeof(struct ask *));
	usec_t deadline = task_set_deadline(t, clock_now() + timeout);
	int r = 0;

	for (size_t i = 0; i < count; i++)
		asks[i] = questions[i].answer ? NULL : ask_task_new(call, &questions[i]);
	if (!all_answered(asks, count))
		mcp_task_set_status(call->as_task, MCP_TASK_INPUT_REQUIRED);
	while (r == 0 && !all_answered(asks, count))
		r = task_wait(t, "the client's answer to a question");
	task_set_deadline(t, deadline);
	ask_task_withdraw(asks, count);
	ask_task_go_on(call);
	if (r == -ETIMEDOUT)
		return task_fail(t, r, "The client has not answered %s within %llu s", feature_table[questions->feature].method,
				 timeout / USEC_PER_SEC);
	if (r == 0)
		take_answers(asks, questions, count);
	return r;
}
