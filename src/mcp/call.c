#include "mcp/call.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/share.h"
#include "loop/failure_words.h"
#include "mcp/tasks.h"

static struct mcp_call *call_call_free(struct mcp_call *call)
{
	progress_stop(call);
	timer_free(call->task_timer);
	str_done(&call->response.text);
	str_done(&call->waiting_for);
	result_done(&call->result);
	asking_done(&call->asking);
	request_done(&call->request);
	free(call);
	return NULL;
}

/* The default result of a failed call: {errorCode, message, details?} and the session's id under the name of its argument, as text. */
static void default_failure(struct task *t, int r, struct mcp_call *call, struct result *res)
{
	const char *message = failure_words(t, r), *details = failure_details(t, r), *session_id = mcp_call_session_id(call);
	_cleanup_(str_done) struct str json = {};

	if (!failure_has_words(t, r))
		message = arena_printf(task_arena(t), "%s failed: %s", call->tool->name, message);
	str_json(&json, "{errorCode: ?, message: ?", error_name(r), message);
	if (session_id)
		str_json(&json, ", ?: ?", call->request.conn->server->style.session_argument, session_id);
	if (details)
		str_json(&json, ", details: ?", JSON_RAW(details));
	str_append_char(&json, '}');
	result_text(res, json.data);
}

static void call_answer_failure(struct mcp_call *call, struct task *t, int r)
{
	const struct mcp_server *server = call->request.conn->server;

	/* If the canceller recorded a reason (session closed, browser died, shutdown), that is the failure. */
	if (r == -ECANCELED && task_error(t) < 0)
		r = task_error(t);
	result_reset(&call->result);
	if (call->tool->failure)
		call->tool->failure(t, r, call, call->tool, &call->result);
	else if (server->failure)
		server->failure(t, r, call->tool->name, mcp_call_session_id(call), &call->result);
	else
		default_failure(t, r, call, &call->result);
	call->result.is_error = true;
}

/* Builds the message around the content in place, because a screenshot may have megabytes. */
static void call_answer(struct request *q, struct result *res)
{
	static const char head[] = "\"content\":[";
	struct str *out = &res->content;

	str_prepend(out, head, sizeof(head) - 1);
	if (res->links.len && q->version->structured)
		str_appendf(out, "%s%s", out->len > sizeof(head) - 1 ? "," : "", res->links.data);
	str_append_char(out, ']');
	if (res->structured.len && q->version->structured)
		str_json(out, ", structuredContent: ?", JSON_RAW(res->structured.data));
	if (res->is_error)
		str_append(out, ",\"isError\":true");
	request_reply_members(q, CACHE_NONE, out);
}

static int parse_and_run(struct task *t, struct mcp_call *call)
{
	const void *args;
	int r;

	r = tool_parse_arguments(t, call->tool, &call->request.conn->server->style, call->arguments, &args);
	if (r == 0)
		r = call_confirm(t, call);
	if (r < 0)
		return r;
	return call->tool->run(t, call, args, &call->result);
}

static int call_run_tool(struct task *t, struct mcp_call *call)
{
	const struct mcp_server *server = call->request.conn->server;

	call_announce(call);
	return server->around ? server->around(t, call, parse_and_run, &call->result) : parse_and_run(t, call);
}

static void answer_tool(struct mcp_call *call, struct task *t, int r)
{
	if (r < 0)
		call_answer_failure(call, t, r);
	if (call->request.conn->server->finish)
		call->request.conn->server->finish(call, &call->result);
	call_answer(&call->request, &call->result);
}

static int call_run(struct task *t, void *data)
{
	struct mcp_call *call = data;

	return call->kind->run(t, call);
}

static void call_on_done(struct task *t, int r, void *data)
{
	struct mcp_call *call = data;
	struct mcp_conn *c = call->request.conn;

	call_report(call, r < 0 || call->result.is_error, call->started);
	progress_stop(call);
	TAILQ_REMOVE(&c->calls, call, link);
	c->call_count--;
	if (!call->cancelled && !asking_answer(call, r))
		call->kind->answer(call, t, r);
	call_task_end(call);
	call_call_free(call);
	logging_update(c);
	if (c->closing && TAILQ_EMPTY(&c->calls))
		c->drained(c->drained_data);
}

static void refuse_unknown(struct request *q, const char *name)
{
	const struct mcp_server *server = q->conn->server;
	_cleanup_(result_done) struct result res = {};
	const char *missing = server->missing ? server->missing(name, server->missing_data) : NULL;

	if (missing) {
		request_error(q, RPC_INVALID_PARAMS, NULL, "%.128s needs %s, which the browser of this server does not have", name,
			      missing);
	} else if (server->unknown_tool) {
		server->unknown_tool(name, &res);
		call_answer(q, &res);
	} else {
		request_error(q, RPC_INVALID_PARAMS, NULL, "Unknown tool: %.128s", name);
	}
}

/* The tool that `q` calls; NULL if the request is invalid, which has been answered. */
static const struct tool *check_call(struct request *q)
{
	const char *name = json_str(q->message.params, "name");
	const struct json *arguments = json_member(q->message.params, "arguments");
	const struct tool *tool = name ? call_find_tool(q->conn, name) : NULL;

	if (!name)
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"name\" must be a string");
	else if (!tool)
		refuse_unknown(q, name);
	else if (arguments && json_type(arguments) != JSON_OBJECT)
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"arguments\" must be an object");
	else
		return tool;
	return NULL;
}

void call_start(struct request *q)
{
	static const struct call_kind kind = { .run = call_run_tool, .answer = answer_tool };
	const struct tool *tool = check_call(q);

	if (tool)
		call_begin(q, &kind, tool, json_member(q->message.params, "arguments"));
}

unsigned call_count(void)
{
	const struct mcp_conn *c;
	unsigned n = 0;

	LIST_FOREACH(c, &mcp_conns, link)
		n += c->call_count;
	return n;
}

/* Whether the owner may start another call beside all tasks. Its connections are counted only if the limit could be reached. */
static bool owner_may_call(const struct mcp_conn *c)
{
	const struct mcp_conn *other;
	unsigned n = 0;

	if (task_count() < LIMIT_OWNER_CALLS_COUNT)
		return true;
	LIST_FOREACH(other, &mcp_conns, link)
		if (other->owner.number == c->owner.number)
			n += other->call_count;
	return n < LIMIT_OWNER_CALLS_COUNT && share_allows(n, task_count(), LIMIT_TASKS_COUNT, 0);
}

void call_begin(struct request *q, const struct call_kind *kind, const struct tool *tool, const struct json *arguments)
{
	struct mcp_call *call = NEW(struct mcp_call);
	struct mcp_conn *c = q->conn;

	call->kind = kind;
	call->tool = tool;
	call->name = tool ? tool->name : kind->name;
	call->arguments = arguments;
	call->started = clock_now();
	if (!asking_begin(q, &call->asking)) {
		call_call_free(call);
		return;
	}
	if (c->call_count >= LIMIT_CALLS_COUNT || !owner_may_call(c) ||
	    task_start(c->server->loop, call->name, call_run, call_on_done, call, &call->task) < 0) {
		request_error(q, RPC_INTERNAL_ERROR, NULL, "Too many calls are running: wait for one to finish");
		call_call_free(call);
		return;
	}
	call->request = *q;
	*q = (struct request){};
	TAILQ_INSERT_TAIL(&c->calls, call, link);
	c->call_count++;
	progress_start(call);
	call_task_await(call);
	logging_update(c);
}

struct mcp_call *call_find(struct mcp_conn *c, const struct rpc_token *id)
{
	struct mcp_call *call;

	if (!id->key)
		return NULL;
	TAILQ_FOREACH(call, &c->calls, link)
		if (!call->cancelled && !call->as_task && !strcmp(call->request.message.id.key, id->key))
			return call;
	return NULL;
}

void call_cancel(struct mcp_conn *c, const struct rpc_token *id, unsigned rights)
{
	struct mcp_call *call = call_find(c, id);

	if (!call || !(rights & call->request.needed))
		return;
	call->cancelled = true;
	progress_stop(call);
	task_cancel(call->task, -ECANCELED, "The client cancelled the call");
}

void call_cancel_all(struct mcp_conn *c)
{
	struct mcp_call *call;

	TAILQ_FOREACH(call, &c->calls, link)
		task_cancel(call->task, -ECANCELED, "The connection is closing: the call was cancelled");
}
