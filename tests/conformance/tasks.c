/* Tools whose calls are tasks. */
#include "fixtures.h"

#include "base/error.h"

#define TIMEOUT (30 * USEC_PER_SEC)
#define TASK_AFTER (200 * USEC_PER_MSEC) /* less than the shortest call that the suite expects to become a task */
#define FORM(message, property, type) \
	"{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"" property "\":{\"type\":\"" type \
	"\"}},\"required\":[\"" property "\"]}}"

struct greeted {
	const char *name;
};
static const struct param greet_params[] = { PARAM(greeted, name, "Whom to greet", .required = true), {} };

static int greet(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct greeted *a = args;

	result_text(res, arena_printf(task_arena(t), "Hello, %s!", a->name));
	return 0;
}

struct computed {
	double seconds;
	const char *label;
};
static const struct param compute_params[] = { PARAM(computed, seconds, "How long", .min = 0, .max = 600),
					       PARAM(computed, label, "What for"),
					       {} };

static int compute(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct computed *a = args;
	int r = a->seconds > 0 ? task_sleep(t, (usec_t)(a->seconds * USEC_PER_SEC)) : 0;

	result_text(res, arena_printf(task_arena(t), "Computed %s", a->label ? a->label : "something"));
	return r;
}

static int fail_late(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	int r = mcp_call_become_task(t, call);

	if (r == 0)
		r = task_sleep(t, USEC_PER_SEC);
	return r < 0 ? r : task_fail(t, -ERR_BROWSER_ERROR, "This job fails");
}

/* The client has not declared that it can be asked for its roots, so that the call ends with an error of the protocol. */
static int fail_protocol(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct mcp_question question = { .key = "roots", .feature = MCP_ROOTS, .params = "{}" };
	int r = mcp_call_become_task(t, call);

	if (r == 0)
		r = mcp_call_ask(t, call, &question, 1, TIMEOUT);
	result_text(res, "There are roots");
	return r;
}

struct deletion {
	const char *filename;
};
static const struct param delete_params[] = { PARAM(deletion, filename, "What to delete"), {} };

static int confirm_delete(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct mcp_question question = { .key = "confirm",
					 .feature = MCP_ELICITATION,
					 .params = FORM("Delete it?", "confirm", "boolean") };
	int r = mcp_call_become_task(t, call);

	if (r == 0)
		r = mcp_call_ask(t, call, &question, 1, TIMEOUT);
	if (r == 0)
		result_text(res, json_bool(question.answer, "content.confirm", false) ? "Deleted" : "Kept");
	return r;
}

static int ask_twice(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct mcp_question questions[] = {
		{ .key = "name", .feature = MCP_ELICITATION, .params = FORM("Your name?", "name", "string") },
		{ .key = "confirm", .feature = MCP_ELICITATION, .params = FORM("Are you sure?", "confirm", "boolean") },
	};
	int r = mcp_call_become_task(t, call);

	if (r == 0)
		r = mcp_call_ask(t, call, questions, ARRAY_SIZE(questions), TIMEOUT);
	result_text(res, "Both were answered");
	return r;
}

/* Asks before it becomes a task, so that the client repeats the request. */
static int ask_first(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct mcp_question question = { .key = "user_name",
					 .feature = MCP_ELICITATION,
					 .params = FORM("What is your name?", "name", "string") };
	int r = mcp_call_ask(t, call, &question, 1, TIMEOUT);

	if (r == 0)
		r = mcp_call_become_task(t, call);
	if (r == 0)
		r = task_sleep(t, TASK_AFTER);
	if (r == 0)
		result_text(res, arena_printf(task_arena(t), "Hello, %s!", json_text(question.answer, "content.name")));
	return r;
}

#define TOOL(tool_name, text, function, ...) \
	&(const struct tool) \
	{ \
		.name = tool_name, .about = text, .read_only = true, .run = function, __VA_ARGS__ \
	}

const struct tool *const tool_table_conformance_tasks[] = {
	TOOL("greet", "Greets", greet, .params = greet_params, .size = sizeof(struct greeted)),
	TOOL("slow_compute", "Takes its time", compute, .params = compute_params, .size = sizeof(struct computed),
	     .task_after = TASK_AFTER),
	TOOL("failing_job", "Fails", fail_late),
	TOOL("protocol_error_job", "Fails as requests fail", fail_protocol),
	TOOL("confirm_delete", "Asks, and deletes nothing", confirm_delete, .params = delete_params,
	     .size = sizeof(struct deletion)),
	TOOL("multi_input", "Asks two things at once", ask_twice),
	TOOL("test_tool_with_task", "Asks, and goes on as a task", ask_first),
	NULL,
};
