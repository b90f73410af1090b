/* The extension io.modelcontextprotocol/tasks: calls that become tasks, and what clients do with them. */
#include "mcp_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/mask.h"

#define MINUTE (60 * USEC_PER_SEC)
#define EXTENSION "extensions: {io.modelcontextprotocol/tasks: {}}"
#define META_WITH(capabilities) \
	"_meta: {io.modelcontextprotocol/protocolVersion: '2026-07-28', io.modelcontextprotocol/clientCapabilities: {" capabilities \
	"}}"
#define META META_WITH("elicitation: {}, " EXTENSION)
#define CALL_WITH(id, meta, arguments) \
	"{jsonrpc: '2.0', id: " id ", method: 'tools/call', params: {name: 'job', arguments: {" arguments "}, " meta "}}"
#define CALL(id, arguments) CALL_WITH(id, META, arguments)
#define ACCEPT "{action: 'accept', content: {}}"

/* Time is the machine's, and what a test lets pass. */
static usec_t passed;
usec_t __real_clock_now(void);
usec_t __wrap_clock_now(void);
usec_t __wrap_clock_now(void)
{
	return __real_clock_now() + passed;
}

/* ---- a tool ---- */

struct job {
	bool at_once, required, first, roots, beside, picture, fails, ends;
	int questions, bytes;
	const char *about;
};

static const struct param job_params[] = {
	PARAM(job, at_once, "Be a task from the beginning"),
	PARAM(job, required, "Fail if that is not possible"),
	PARAM(job, first, "Ask before"),
	PARAM(job, roots, "Ask what no client here answers"),
	PARAM(job, picture, "With a picture in the result"),
	PARAM(job, beside, "Ask beside what it waits for, and answer what the client said"),
	PARAM(job, fails, "Fail in the end"),
	PARAM(job, ends, "Do not wait for the test"),
	PARAM(job, questions, "To ask"),
	PARAM(job, bytes, "Of the result"),
	PARAM(job, about, "What clients read about it"),
	{},
};

static bool job_goes_on; /* set by tests, for the job that waits */
static bool job_begun;
static struct task *job_task; /* NULL: it has ended */
static int job_result;

static int job_ask(struct task *t, struct mcp_call *call, int count, usec_t timeout)
{
	struct mcp_question questions[2];

	for (int i = 0; i < count; i++)
		questions[i] = (struct mcp_question){ .key = i ? "b" : "a",
						      .feature = MCP_ELICITATION,
						      .params = "{\"message\":\"Go on?\"}" };
	return mcp_call_ask(t, call, questions, (size_t)count, timeout);
}

static int job_steps(struct task *t, struct mcp_call *call, const struct job *a)
{
	struct mcp_question roots = { .key = "roots", .feature = MCP_ROOTS, .params = "{}" };
	int r = a->first ? job_ask(t, call, 1, MINUTE) : 0;

	if (r == 0 && a->at_once && (a->required || mcp_call_takes_task(call)))
		r = mcp_call_become_task(t, call);
	if (r == 0 && a->about)
		mcp_call_progress(call, a->about);
	if (r == 0 && a->questions)
		r = job_ask(t, call, a->questions, MINUTE);
	if (r == 0 && a->roots)
		r = mcp_call_ask(t, call, &roots, 1, MINUTE);
	while (r == 0 && !a->ends && !job_goes_on)
		r = task_wait(t, "the test");
	return r < 0 || !a->fails ? r : task_fail(t, -ERR_BROWSER_ERROR, "It failed");
}

/* Until the test or the client says so. */
static int job_ask_beside(struct task *t, struct mcp_call *call, struct result *res)
{
	static const char *const words[] = { "none", "accepted", "declined", "cancelled", "failed" };
	struct mcp_question question = { .key = "a", .feature = MCP_ELICITATION, .params = "{\"message\":\"Go on?\"}" };
	struct ask *ask = mcp_call_begin_ask(call, &question);
	const struct json *content;
	int r = 0;

	assert_non_null(ask);
	while (r == 0 && !job_goes_on && mcp_ask_reply(ask, &content) == MCP_REPLY_NONE)
		r = task_wait(t, "the test");
	result_reset(res);
	result_text(res, words[mcp_ask_reply(ask, &content)]);
	mcp_call_end_ask(call, ask);
	return r;
}

static int job_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct job *a = args;
	char *text = arena_alloc(task_arena(t), (size_t)a->bytes + 1);

	job_begun = true;
	job_task = t;
	memset(text, 'x', (size_t)a->bytes);
	text[a->bytes] = '\0';
	result_text(res, a->bytes ? text : "done");
	if (a->picture)
		result_image(res, "xxxx", "image/png");
	job_result = job_steps(t, call, a);
	if (job_result == 0 && a->beside)
		job_result = job_ask_beside(t, call, res);
	job_task = NULL;
	return job_result;
}

static const struct tool tool_job = {
	.name = "job",
	.about = "Work",
	.params = job_params,
	.size = sizeof(struct job),
	.run = job_run,
	.task_after = TOOL_TASK_AFTER,
};
static const struct tool *const tools[] = { &tool_job, NULL };

static int setup(void **state)
{
	fixture_setup(state);
	((struct fixture *)*state)->server.tools = tools;
	job_goes_on = false;
	job_begun = false;
	passed = 0;
	return 0;
}

/* ---- what tests do ---- */

#define ID_SIZE 128

/* The next message answers a call with a task, whose id is returned. */
static void take_task(struct fixture *f, char id[static ID_SIZE])
{
	_cleanup_(json_freep) struct json *m = next_json(f);

	assert_string_equal(json_text(m, "result.resultType"), "task");
	assert_string_equal(json_text(m, "result.status"), "working");
	assert_null(json_get(m, "result.result"));
	snprintf(id, ID_SIZE, "%s", json_text(m, "result.taskId"));
}

static void begin_task(struct fixture *f, char id[static ID_SIZE])
{
	say(f, CALL("1", "at_once: true"));
	take_task(f, id);
}

/* The response to a method about a task. `more`: further members of the parameters, each preceded by a comma. */
static struct json *do_to(struct fixture *f, const char *method, const char *id, const char *more)
{
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{jsonrpc: '2.0', id: 'of', method: ?, params: {taskId: ?, " META, method, id);
	str_append(&text, more);
	str_append(&text, "}}");
	say_raw(f, text.data, text.len);
	return next_json(f);
}

static struct json *get(struct fixture *f, const char *id)
{
	return do_to(f, "tasks/get", id, "");
}

static void expect_status(struct fixture *f, const char *id, const char *status)
{
	_cleanup_(json_freep) struct json *m = get(f, id);

	assert_string_equal(json_text(m, "result.status"), status);
	assert_string_equal(json_text(m, "result.taskId"), id);
	assert_string_equal(json_text(m, "result.resultType"), "complete");
}

static void expect_ack(struct fixture *f, const char *method, const char *id, const char *more)
{
	_cleanup_(json_freep) struct json *m = do_to(f, method, id, more);

	assert_string_equal(json_text(m, "result.resultType"), "complete");
	assert_null(json_get(m, "result.taskId"));
	assert_null(json_get(m, "result.status"));
}

static void expect_refusal(struct fixture *f, const char *method, const char *id, const char *more, int code, const char *part)
{
	_cleanup_(json_freep) struct json *m = do_to(f, method, id, more);

	assert_int_equal(json_int(m, "error.code", 0), code);
	assert_non_null(strstr(json_text(m, "error.message"), part));
}

static void expect_told(struct fixture *f, const char *id, const char *status)
{
	_cleanup_(json_freep) struct json *m = next_json(f);

	assert_string_equal(json_text(m, "method"), "notifications/tasks");
	assert_string_equal(json_text(m, "params.taskId"), id);
	assert_string_equal(json_text(m, "params.status"), status);
	assert_int_equal(json_int(json_member(json_get(m, "params._meta"), "io.modelcontextprotocol/subscriptionId"), NULL, 0), 9);
	assert_null(json_get(m, "params.result"));
}

static void on_ready(struct ready *r)
{
}

/* The loop waits by the machine's clock; with something to do it does not wait, and looks at its timers. */
static void let_pass(struct fixture *f, usec_t time)
{
	struct ready ready = { .run = on_ready };

	passed += time;
	loop_ready(f->loop, &ready);
	while (ready.queued)
		loop_step(f->loop);
}

static void await_job(struct fixture *f)
{
	while (!job_begun)
		loop_step(f->loop);
}

static void finish_job(struct fixture *f)
{
	job_goes_on = true;
	if (job_task)
		task_wake(job_task);
	while (task_count())
		loop_step(f->loop);
}

/* ---- calls and tasks ---- */

static void long_calls_become_tasks(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	say(f, CALL("1", "about: 'the weather'"));
	await_job(f);
	assert_int_equal(f->sent.len, 0);
	let_pass(f, TOOL_TASK_AFTER);
	take_task(f, id);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "working");
	assert_string_equal(json_text(m, "result.statusMessage"), "the weather");
	json_free(m);
	finish_job(f);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_string_equal(json_text(json_first(json_get(m, "result.result.content")), "text"), "done");
	assert_string_equal(json_text(m, "result.result.resultType"), "complete");
	assert_null(json_get(m, "result.result._meta.io"));
	json_free(m);
	expect_nothing(f);
}

static void clients_that_take_no_tasks_wait(void **state)
{
	struct fixture *f = *state;
	struct json *m;

	say(f, CALL_WITH("1", META_WITH(""), "at_once: true"));
	await_job(f);
	let_pass(f, 2 * TOOL_TASK_AFTER);
	assert_int_equal(f->sent.len, 0);
	finish_job(f);
	m = next_json(f);
	assert_string_equal(json_text(m, "result.resultType"), "complete");
	json_free(m);
	say(f, CALL_WITH("2", META_WITH(""), "at_once: true, required: true"));
	m = next_json(f);
	assert_int_equal(json_int(m, "error.code", 0), -32021);
	assert_non_null(json_member(json_get(m, "error.data.requiredCapabilities.extensions"), "io.modelcontextprotocol/tasks"));
	json_free(m);
}

/* In what clients read about a call, and once in its result, of which pictures stay as they are. */
static void secrets_are_masked(void **state)
{
	static const struct secret secrets[] = { { "PASSWORD", "xxxx" }, {} };
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	mask_configure(secrets);
	say(f, CALL("1", "at_once: true, bytes: 4, picture: true, about: 'with xxxx'"));
	take_task(f, id);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.statusMessage"), "with <secret>PASSWORD</secret>");
	json_free(m);
	finish_job(f);
	m = get(f, id);
	mask_done();
	assert_string_equal(json_text(json_first(json_get(m, "result.result.content")), "text"), "<secret>PASSWORD</secret>");
	assert_string_equal(json_text(json_next(json_first(json_get(m, "result.result.content"))), "data"), "xxxx");
	json_free(m);
}

static void failures_of_tools_are_results(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	say(f, CALL("1", "at_once: true, fails: true, ends: true"));
	take_task(f, id);
	finish_job(f);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_true(json_bool(m, "result.result.isError", false));
	json_free(m);
}

static void errors_of_the_protocol_fail_the_task(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	say(f, CALL("1", "at_once: true, roots: true"));
	take_task(f, id);
	finish_job(f);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "failed");
	assert_int_equal(json_int(m, "result.error.code", 0), -32021);
	assert_null(json_get(m, "result.result"));
	json_free(m);
}

static void the_id_of_the_request_is_free_again(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE], other[ID_SIZE];

	begin_task(f, id);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	begin_task(f, other);
	assert_string_not_equal(id, other);
	expect_status(f, id, "working");
}

static void cancelled_calls_do_not_become_tasks(void **state)
{
	struct fixture *f = *state;

	say(f, CALL("1", "about: 'nothing'"));
	await_job(f);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	let_pass(f, TOOL_TASK_AFTER);
	expect_nothing(f);
	assert_int_equal(mcp_task_counts(&f->server).ended, 0);
}

static void ids_begin_with_the_node(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	f->server.node = "alpha";
	begin_task(f, id);
	assert_memory_equal(id, "alpha.", 6);
	assert_int_equal(strlen(id), 6 + 32);
}

/* ---- methods ---- */

static void tasks_are_cancelled(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	begin_task(f, id);
	expect_ack(f, "tasks/cancel", id, "");
	expect_status(f, id, "cancelled");
	while (task_count())
		loop_step(f->loop);
	assert_int_equal(job_result, -ECANCELED);
	expect_status(f, id, "cancelled");
	expect_ack(f, "tasks/cancel", id, "");
	expect_ack(f, "tasks/update", id, ",\"inputResponses\":{}");
	expect_nothing(f);
}

static void only_the_owner_knows_a_task(void **state)
{
	static const char *const methods[] = { "tasks/get", "tasks/update", "tasks/cancel" };
	struct fixture *f = *state;
	struct mcp_conn *first;
	char id[ID_SIZE];

	begin_task(f, id);
	first = fixture_change_client(f, 2);
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		expect_refusal(f, methods[i], id, ",\"inputResponses\":{}", -32602, "there is no task");
	fixture_restore_client(f, first);
	first = fixture_change_client(f, 1);
	expect_status(f, id, "working");
	fixture_restore_client(f, first);
	expect_status(f, id, "working");
}

static void what_is_wrong_is_said(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	begin_task(f, id);
	expect_refusal(f, "tasks/get", "nothing", "", -32602, "there is no task \"nothing\"");
	expect_refusal(f, "tasks/update", id, "", -32602, "\"inputResponses\" must be an object");
	expect_refusal(f, "tasks/result", id, "", -32601, "Method not found");
	expect_refusal(f, "tasks/list", id, "", -32601, "Method not found");
	say(f, "{jsonrpc: '2.0', id: 5, method: 'tasks/get', params: {taskId: 7, " META "}}");
	expect_error(f, "5", -32602, "\"taskId\" must be a string");
	say(f, "{jsonrpc: '2.0', id: 6, method: 'tasks/cancel', params: {taskId: ?, " META_WITH("") "}}", id);
	expect_error(f, "6", -32021, "tasks/cancel needs a client with the capability \"io.modelcontextprotocol/tasks\"");
	expect_status(f, id, "working");
}

static void the_right_is_that_of_the_call(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str text = {};
	char id[ID_SIZE];

	begin_task(f, id);
	str_json(&text, "{jsonrpc: '2.0', id: 7, method: 'tasks/get', params: {taskId: ?, " META "}}", id);
	mcp_conn_receive(f->conn, text.data, text.len, NULL, MCP_MAY_READ);
	expect_error(f, "7", -32003, "scope");
	expect_status(f, id, "working");
}

static void the_server_says_that_it_has_tasks(void **state)
{
	struct fixture *f = *state;
	struct json *m;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'server/discover', params: {" META_WITH("") "}}");
	m = next_json(f);
	assert_int_equal(json_type(json_member(json_get(m, "result.capabilities.extensions"), "io.modelcontextprotocol/tasks")),
			 JSON_OBJECT);
	assert_null(json_get(m, "result.capabilities.tasks"));
	json_free(m);
	f->server.tools_only = true;
	say(f, CALL("2", "at_once: true"));
	await_job(f);
	finish_job(f);
	m = next_json(f);
	assert_string_equal(json_text(m, "result.resultType"), "complete");
	json_free(m);
}

/* ---- questions ---- */

static void questions_wait_in_the_task(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	say(f, CALL("1", "at_once: true, questions: 2, ends: true"));
	take_task(f, id);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "input_required");
	assert_string_equal(json_text(json_member(json_get(m, "result.inputRequests"), "a-1"), "method"), "elicitation/create");
	assert_string_equal(json_text(json_member(json_get(m, "result.inputRequests"), "b-2"), "params.mode"), "form");
	json_free(m);
	expect_ack(f, "tasks/update", id, ",\"inputResponses\":{\"b-2\":{\"action\":\"decline\"},\"c-3\":{\"ignored\":true}}");
	m = get(f, id);
	assert_int_equal(json_count(json_get(m, "result.inputRequests")), 1);
	assert_non_null(json_member(json_get(m, "result.inputRequests"), "a-1"));
	json_free(m);
	expect_refusal(f, "tasks/update", id, ",\"inputResponses\":{\"a-1\":{\"action\":\"dance\"}}", -32602,
		       "the response \"a-1\"");
	expect_status(f, id, "input_required");
	expect_ack(f, "tasks/update", id, ",\"inputResponses\":{\"a-1\":{\"action\":\"cancel\"}}");
	expect_status(f, id, "working");
	finish_job(f);
	expect_status(f, id, "completed");
}

/* A response is the answer to a request, which questions of tasks are not. */
static void only_updates_answer_questions(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	say(f, CALL("1", "at_once: true, questions: 1, ends: true"));
	take_task(f, id);
	say(f, "{jsonrpc: '2.0', id: 's-0', result: " ACCEPT "}");
	say(f, "{jsonrpc: '2.0', id: 'a-1', result: " ACCEPT "}");
	expect_status(f, id, "input_required");
}

static void questions_are_not_asked_for_ever(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	say(f, CALL("1", "at_once: true, questions: 1"));
	take_task(f, id);
	expect_status(f, id, "input_required");
	let_pass(f, 2 * MINUTE);
	while (task_count())
		loop_step(f->loop);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_true(json_bool(m, "result.result.isError", false));
	assert_null(json_get(m, "result.inputRequests"));
	json_free(m);
}

static void expect_said(struct fixture *f, const char *id, const char *text)
{
	_cleanup_(json_freep) struct json *m = get(f, id);

	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_string_equal(json_text(json_first(json_get(m, "result.result.content")), "text"), text);
}

static void a_question_beside_something_else(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	say(f, CALL("1", "at_once: true, beside: true, ends: true"));
	take_task(f, id);
	expect_status(f, id, "input_required");
	expect_ack(f, "tasks/update", id, ",\"inputResponses\":{\"a-1\":{\"action\":\"decline\"}}");
	expect_status(f, id, "working");
	while (task_count())
		loop_step(f->loop);
	expect_said(f, id, "declined");
}

static void a_question_that_needs_no_answer_any_more(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	say(f, CALL("1", "at_once: true, beside: true, ends: true"));
	take_task(f, id);
	say(f, "{jsonrpc: '2.0', id: 9, method: 'subscriptions/listen', params: {notifications: {taskIds: [?]}, " META "}}", id);
	free(next_message(f));
	finish_job(f);
	expect_told(f, id, "working");
	expect_told(f, id, "completed");
	expect_said(f, id, "none");
}

static void what_asks_is_cancelled(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	say(f, CALL("1", "at_once: true, questions: 2"));
	take_task(f, id);
	expect_ack(f, "tasks/cancel", id, "");
	expect_ack(f, "tasks/update", id, ",\"inputResponses\":{\"a-1\":{\"action\":\"cancel\"},\"b-2\":{\"action\":\"cancel\"}}");
	while (task_count())
		loop_step(f->loop);
	assert_int_equal(job_result, -ECANCELED);
	expect_status(f, id, "cancelled");
}

/* A call asks in its response as long as it is no task. */
static void questions_before_the_task_are_answered_with_the_call(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *m = NULL;
	char id[ID_SIZE];

	say(f, CALL("1", "first: true, at_once: true, questions: 1, ends: true"));
	m = next_json(f);
	assert_string_equal(json_text(m, "result.resultType"), "input_required");
	assert_null(json_get(m, "result.taskId"));
	say(f,
	    "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'job', arguments: {first: true, at_once: true, questions: 1, ends: "
	    "true}, inputResponses: {a: " ACCEPT "}, requestState: ?, " META "}}",
	    json_text(m, "result.requestState"));
	take_task(f, id);
	finish_job(f); /* the second question has the key of the first, whose answer is known */
	expect_status(f, id, "completed");
}

/* ---- notifications ---- */

static void those_who_listen_are_told(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;

	begin_task(f, id);
	say(f,
	    "{jsonrpc: '2.0', id: 9, method: 'subscriptions/listen', params: {notifications: {taskIds: [?, 'unknown', 5], "
	    "resourceSubscriptions: []}, " META "}}",
	    id);
	m = next_json(f);
	assert_string_equal(json_text(m, "method"), "notifications/subscriptions/acknowledged");
	assert_int_equal(json_count(json_get(m, "params.notifications.taskIds")), 1);
	assert_string_equal(json_text(json_first(json_get(m, "params.notifications.taskIds")), NULL), id);
	json_free(m);
	finish_job(f);
	expect_told(f, id, "completed");
	expect_nothing(f);
}

static void questions_are_told(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];

	say(f, CALL("1", "questions: 1, ends: true, at_once: true"));
	take_task(f, id);
	say(f, "{jsonrpc: '2.0', id: 9, method: 'subscriptions/listen', params: {notifications: {taskIds: [?]}, " META "}}", id);
	free(next_message(f));
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tasks/update', params: {taskId: ?, inputResponses: {a-1: " ACCEPT "}, " META "}}",
	    id);
	expect_told(f, id, "working");
	free(next_message(f));
	expect_told(f, id, "completed");
}

static void others_hear_nothing(void **state)
{
	struct fixture *f = *state;
	struct mcp_conn *first;
	char id[ID_SIZE];
	struct json *m;

	begin_task(f, id);
	first = fixture_change_client(f, 2);
	say(f, "{jsonrpc: '2.0', id: 9, method: 'subscriptions/listen', params: {notifications: {taskIds: [?]}, " META "}}", id);
	m = next_json(f);
	assert_null(json_get(m, "params.notifications.taskIds"));
	json_free(m);
	finish_job(f);
	expect_nothing(f);
	fixture_restore_client(f, first);
}

/* ---- limits ---- */

static void tasks_expire(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct json *m;
	int64_t told;

	begin_task(f, id);
	let_pass(f, 60 * MINUTE); /* a task that runs does not expire */
	m = get(f, id);
	told = json_int(m, "result.ttlMs", 0);
	json_free(m);
	finish_job(f);
	let_pass(f, 14 * MINUTE);
	m = get(f, id);
	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_true(json_int(m, "result.ttlMs", 0) >= told);
	json_free(m);
	let_pass(f, 2 * MINUTE);
	expect_refusal(f, "tasks/get", id, "", -32602, "it has expired");
}

static void an_owner_has_a_share_of_tasks(void **state)
{
	struct fixture *f = *state;
	char id[ID_SIZE];
	struct mcp_conn *first;
	struct json *m;

	for (unsigned i = 0; i < LIMIT_MCP_TASKS_COUNT / 2; i++) {
		say(f, CALL("1", "at_once: true, ends: true"));
		take_task(f, id);
		finish_job(f);
		job_goes_on = false;
	}
	say(f, CALL("1", "at_once: true, required: true, ends: true"));
	m = next_json(f);
	assert_true(json_bool(m, "result.isError", false));
	json_free(m);
	assert_int_equal(mcp_task_counts(&f->server).ended, LIMIT_MCP_TASKS_COUNT / 2);
	first = fixture_change_client(f, 2);
	begin_task(f, id);
	fixture_restore_client(f, first);
	assert_int_equal(mcp_task_counts(&f->server).ended, LIMIT_MCP_TASKS_COUNT / 2);
	assert_int_equal(mcp_task_counts(&f->server).running, 0);
}

/* A task whose result has six MiB. */
static void make_large_task(struct fixture *f, char id[static ID_SIZE])
{
	say(f, CALL("1", "at_once: true, ends: true, bytes: 6000000"));
	take_task(f, id);
	finish_job(f);
}

static void expect_result(struct fixture *f, const char *id, bool kept)
{
	_cleanup_(json_freep) struct json *m = get(f, id);
	const char *text = json_text(json_first(json_get(m, "result.result.content")), "text");

	assert_string_equal(json_text(m, "result.status"), "completed");
	assert_int_equal(json_bool(m, "result.result.isError", false), !kept);
	assert_int_equal(text[0] == 'x', kept);
}

static void an_owner_has_a_share_of_results(void **state)
{
	struct fixture *f = *state;
	char a[ID_SIZE], b[ID_SIZE], c[ID_SIZE], d[ID_SIZE];

	make_large_task(f, a);
	make_large_task(f, b);
	make_large_task(f, c); /* there is no room for this one, and none was read */
	expect_result(f, a, true);
	expect_result(f, b, true);
	expect_result(f, c, false);
	make_large_task(f, d);
	expect_result(f, a, false);
	expect_result(f, b, true);
	expect_result(f, d, true);
	assert_int_equal(mcp_task_counts(&f->server).unread, 0);
	assert_true(mcp_task_counts(&f->server).bytes > 12000000);
}

static void tasks_end_with_their_client(void **state)
{
	struct fixture *f = *state;
	struct mcp_conn *first = fixture_change_client(f, 2);
	char id[ID_SIZE];

	begin_task(f, id);
	fixture_restore_client(f, first);
	assert_int_equal(job_result, -ECANCELED);
	assert_int_equal(mcp_task_counts(&f->server).ended, 0);
	assert_int_equal(mcp_task_counts(&f->server).running, 0);
}

/* ---- at any wait ---- */

static struct fixture *struck;
static char struck_id[ID_SIZE];
static unsigned strike_at, strikes_made;
static void (*strike)(void);
static bool client_leaves, client_gone;

static void on_client_gone(void *data)
{
	client_gone = true;
}

static void leave(void)
{
	client_leaves = true;
	mcp_conn_close(struck->conn, on_client_gone, NULL);
}

static void finish(void)
{
	client_leaves = true;
	mcp_conn_finish(struck->conn, on_client_gone, NULL);
}

static void say_about_task(const char *method)
{
	say(struck, "{jsonrpc: '2.0', id: 'struck', method: ?, params: {taskId: ?, inputResponses: {a-1: " ACCEPT "}, " META "}}",
	    method, struck_id);
}

static void cancel_and_answer(void)
{
	say_about_task("tasks/cancel");
	say_about_task("tasks/update");
}

static void answer_and_cancel(void)
{
	say_about_task("tasks/update");
	say_about_task("tasks/cancel");
}

static int strike_wait(struct task *t, unsigned nth, const char *where)
{
	const char *at = strstr(str_text(&struck->sent) + struck->read, "taskId");

	if (at && !struck_id[0])
		sscanf(at, "taskId\":\"%127[^\"]", struck_id);
	if (nth != strike_at)
		return 0;
	strikes_made++;
	if (!strike)
		return -ETIMEDOUT;
	strike();
	return 0;
}

static void strike_job(struct fixture *f, const char *arguments)
{
	struct mcp_conn *first = fixture_change_client(f, 2);

	struck = f;
	struck_id[0] = '\0';
	client_leaves = client_gone = false;
	task_wait_fault = strike_wait;
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'job', arguments: {?}, " META "}}",
	    JSON_RAW(arguments));
	if (strike_at > 0)
		await_job(f);
	else
		loop_step(f->loop);
	if (!client_leaves)
		leave();
	while (!client_gone || task_count())
		loop_step(f->loop);
	task_wait_fault = NULL;
	mcp_conn_free(f->conn);
	f->conn = first;
	f->read = f->sent.len;
	assert_int_equal(mcp_task_counts(&f->server).ended, 0);
	assert_int_equal(mcp_task_counts(&f->server).running, 0);
	assert_int_equal(mcp_task_counts(&f->server).asking, 0);
}

/* What happens at a wait of the call: nothing is left of the client then, and the sanitizers find nothing. */
static void anything_may_happen_at_any_wait(void **state)
{
	static void (*const strikes[])(void) = { NULL, leave, finish, cancel_and_answer, answer_and_cancel };
	static const char *const jobs[] = {
		"\"at_once\":true,\"questions\":1",
		"\"at_once\":true,\"questions\":2,\"ends\":true",
		"\"first\":true,\"at_once\":true",
		"\"at_once\":true,\"beside\":true,\"ends\":true",
	};

	for (size_t i = 0; i < ARRAY_SIZE(strikes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(jobs); j++)
			for (strike_at = 0; strike_at < 3; strike_at++) {
				strike = strikes[i];
				job_begun = false;
				strike_job(*state, jobs[j]);
			}
	assert_true(strikes_made >= ARRAY_SIZE(strikes) * ARRAY_SIZE(jobs));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(long_calls_become_tasks),
		TEST(clients_that_take_no_tasks_wait),
		TEST(secrets_are_masked),
		TEST(failures_of_tools_are_results),
		TEST(errors_of_the_protocol_fail_the_task),
		TEST(the_id_of_the_request_is_free_again),
		TEST(cancelled_calls_do_not_become_tasks),
		TEST(ids_begin_with_the_node),
		TEST(tasks_are_cancelled),
		TEST(only_the_owner_knows_a_task),
		TEST(what_is_wrong_is_said),
		TEST(the_right_is_that_of_the_call),
		TEST(the_server_says_that_it_has_tasks),
		TEST(questions_wait_in_the_task),
		TEST(only_updates_answer_questions),
		TEST(questions_are_not_asked_for_ever),
		TEST(a_question_beside_something_else),
		TEST(a_question_that_needs_no_answer_any_more),
		TEST(what_asks_is_cancelled),
		TEST(questions_before_the_task_are_answered_with_the_call),
		TEST(those_who_listen_are_told),
		TEST(questions_are_told),
		TEST(others_hear_nothing),
		TEST(tasks_expire),
		TEST(an_owner_has_a_share_of_tasks),
		TEST(an_owner_has_a_share_of_results),
		TEST(tasks_end_with_their_client),
		TEST(anything_may_happen_at_any_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
