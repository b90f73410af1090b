/*
 * The steps of a call: further calls of tools that it makes. What decides about a call of a tool decides about a step:
 * call_find_tool() which tools there are, call_right() what the sender may do, tool_parse_arguments() the arguments, call_confirm_steps() the
 * user's consent.
 */
#include "mcp/steps.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "mcp/call.h"

#define NAME_SHOWN 128 /* bytes of the name of a tool that does not exist */

static const char expect_member[] = "expect", arguments_member[] = "arguments";

void mcp_steps_done(struct mcp_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		json_free(steps->items[i].copy);
}

/* ---- what is wrong ---- */

struct checker {
	struct task *task;
	struct mcp_call *call;
	const struct tool_style *style;
	const char *session_id; /* of the call; NULL: none */
	struct str complaints;  /* one below the other */
	unsigned count;
};

static void checker_done(struct checker *c)
{
	str_done(&c->complaints);
}

static void steps_complain(struct checker *c, unsigned number, const char *fmt, ...) _printf_(3, 4);
static void steps_complain(struct checker *c, unsigned number, const char *fmt, ...)
{
	va_list ap;

	if (c->count++ >= LIMIT_COMPLAINTS_COUNT)
		return;
	str_appendf(&c->complaints, "\nstep %u: ", number);
	va_start(ap, fmt);
	str_vappendf(&c->complaints, fmt, ap);
	va_end(ap);
}

/* Is it one that the server has for all clients? A tool that only one connection has belongs to that client's session. */
static bool steps_is_listed(const struct mcp_call *call, const struct tool *tool)
{
	const struct tool *const *each = call->request.conn->server->tools;

	while (*each && *each != tool)
		each++;
	return *each;
}

/* The tool that the step names; NULL, with a complaint, if it cannot be a step. */
static const struct tool *check_tool(struct checker *c, const struct json *step, unsigned number)
{
	const char *name = json_str(json_member(step, STEP_TOOL), NULL);
	const struct tool *tool = call_find_step_tool(c->call->request.conn, step);

	if (json_type(step) != JSON_OBJECT)
		steps_complain(c, number, "must be an object {tool, ...arguments}, not %s", tool_type_word(step));
	else if (!name)
		steps_complain(c, number, "\"tool\" must be the name of a tool");
	else if (!tool)
		steps_complain(c, number, "there is no tool \"%.*s\"", NAME_SHOWN, name);
	else if (tool->steps)
		steps_complain(c, number, "%s cannot be a step of another call: write its steps here", name);
	else if (tool->ends_session)
		steps_complain(c, number, "%s ends the session: call it by itself, after these steps", name);
	else if (steps_is_listed(c->call, tool) && !tool_takes_session(tool, c->style))
		steps_complain(c, number, "%s does not work on the page of a session: call it by itself", name);
	else
		return tool;
	return NULL;
}

static bool is_session(const struct checker *c, const struct json *member)
{
	const char *session = c->style->session_argument;

	return session && !strcmp(json_name(member), session);
}

static bool is_of_batch(const struct json *member)
{
	return !strcmp(json_name(member), STEP_TOOL) || !strcmp(json_name(member), expect_member);
}

/* Where the arguments are: beside the name of the tool, or all in one member, as a call has them. NULL: in both places. */
static const struct json *arguments_of(const struct checker *c, const struct tool *tool, const struct json *step)
{
	const struct json *apart = json_member(step, arguments_member);

	if (json_type(apart) != JSON_OBJECT || tool_takes_any(tool) || tool_has_param(tool, c->style, arguments_member))
		return step;
	json_foreach(member, step)
		if (member != apart && !is_of_batch(member) && !is_session(c, member))
			return NULL;
	return apart;
}

/* A step has the session of the call, whose turn it uses. */
static void steps_check_session(struct checker *c, const struct json *members, unsigned number)
{
	const struct json *session = c->style->session_argument ? json_member(members, c->style->session_argument) : NULL;
	const char *id = json_str(session, NULL);

	if (session && !c->style->sessions_hidden && !(id && c->session_id && !strcmp(id, c->session_id)))
		steps_complain(c, number, "all steps run in one session: give %s beside \"steps\", and leave it out here",
			       c->style->session_argument);
}

static void steps_check_members(struct checker *c, const struct json *step, const struct json *arguments, unsigned number)
{
	const struct json *expect = json_member(step, expect_member);

	if (expect && !*json_text(expect, NULL))
		steps_complain(c, number, "\"expect\" must be a text that the page shows after the step");
	else if (expect && strlen(json_str(expect, NULL)) > LIMIT_SELECTOR)
		steps_complain(c, number, "\"expect\" must be at most %u bytes long", LIMIT_SELECTOR);
	steps_check_session(c, step, number);
	if (arguments != step)
		steps_check_session(c, arguments, number);
}

/* ---- the steps ---- */

/* The arguments as a call of that tool alone would have them. */
static int copy_arguments(const struct checker *c, const struct tool *tool, const struct json *step, const struct json *arguments,
			  struct json **ret)
{
	bool any = c->session_id && tool_takes_session(tool, c->style);
	_cleanup_(str_done) struct str text = {};

	str_append_char(&text, '{');
	if (any)
		str_json(&text, "?: ?", c->style->session_argument, c->session_id);
	json_foreach(member, arguments)
		if (!is_session(c, member) && (arguments != step || !is_of_batch(member))) {
			str_json(&text, "? ?: ?", JSON_COMMA(any), json_name(member), member);
			any = true;
		}
	str_append_char(&text, '}');
	return json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, ret);
}

static int parse_arguments(struct checker *c, struct mcp_step *step)
{
	int r = tool_parse_arguments(c->task, step->tool, c->style, step->arguments, &step->args);

	if (r != -ERR_INVALID_PARAMETERS)
		return r;
	steps_complain(c, step->number, "%s", failure_words(c->task, r));
	task_forget_failure(c->task);
	return 0;
}

/* Adds the step, unless it names no tool that can be one, or its arguments are in two places. */
static int read_step(struct checker *c, const struct json *from, unsigned number, struct mcp_steps *to)
{
	const struct tool *tool = check_tool(c, from, number);
	const struct json *arguments = tool ? arguments_of(c, tool, from) : NULL;
	struct mcp_step *step = &to->items[to->count];
	int r;

	if (tool && !arguments)
		steps_complain(c, number,
			       "has arguments in \"arguments\" and beside it: write all of them in one of the two places");
	if (!arguments)
		return 0;
	steps_check_members(c, from, arguments, number);
	*step = (struct mcp_step){ .tool = tool,
				   .name = json_str(json_member(from, STEP_TOOL), NULL),
				   .number = number,
				   .expect = json_str(json_member(from, expect_member), NULL) };
	r = copy_arguments(c, tool, from, arguments, &step->copy);
	if (r < 0)
		return task_fail(c->task, r, "step %u: the arguments cannot be copied: %s", number, strerror(-r));
	step->arguments = step->copy;
	to->count++;
	return parse_arguments(c, step);
}

static int steps_check_list(struct task *t, const struct json *list)
{
	if (json_type(list) != JSON_ARRAY)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "steps must be an array of {tool, ...arguments}, not %s",
				 tool_type_word(list));
	if (json_count(list) < 1 || json_count(list) > LIMIT_BATCH_STEPS)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "steps must be 1 to %u, not %zu: nothing was done", LIMIT_BATCH_STEPS,
				 json_count(list));
	return 0;
}

int mcp_call_steps(struct task *t, struct mcp_call *call, const struct json *list, struct mcp_steps *ret)
{
	_cleanup_(checker_done) struct checker c = {
		.task = t, .call = call, .style = &call->request.conn->server->style, .session_id = mcp_call_session_id(call)
	};
	unsigned number = 0;
	int r;

	r = steps_check_list(t, list);
	if (r < 0)
		return r;
	ret->items = arena_alloc(task_arena(t), json_count(list) * sizeof(*ret->items));
	json_foreach(step, list) {
		r = read_step(&c, step, ++number, ret);
		if (r < 0)
			return r;
	}
	if (c.count)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Nothing was done, because steps are wrong:%s%s", c.complaints.data,
				 c.count > LIMIT_COMPLAINTS_COUNT ? "\nand more" : "");
	return call_confirm_steps(t, call, ret->items, ret->count);
}

int mcp_call_run_step(struct task *t, struct mcp_call *call, const struct mcp_step *step, void *data, struct result *res)
{
	usec_t started = clock_now();
	int r;

	call->step = step;
	call->step_data = data;
	call_announce(call);
	r = step->tool->run(t, call, step->args, res);
	call_report(call, r < 0 || res->is_error, started);
	call->step = NULL;
	call->step_data = NULL;
	return r;
}

void *mcp_call_step_data(const struct mcp_call *call)
{
	return call->step_data;
}
