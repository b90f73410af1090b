/* Asks the user to confirm calls of the tools in the operator's list, once per call; steps of a call are such calls, too. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "mcp/call.h"

#define TIMEOUT (5 * 60 * USEC_PER_SEC)
#define ARGUMENTS_MAX 1000 /* bytes of the arguments shown in the question */

static bool confirm_is_wanted(const struct confirm_settings *settings, const struct tool *tool)
{
	for (size_t i = 0; settings && settings->tools && settings->tools[i]; i++)
		if (!strcmp(settings->tools[i], tool->name))
			return true;
	return false;
}

/* Appends at most ARGUMENTS_MAX bytes, cut between characters. */
static void confirm_append_arguments(const struct json *arguments, struct str *out)
{
	_cleanup_(str_done) struct str text = {};
	size_t at = 0, len;

	if (arguments)
		json_print(&text, arguments);
	while (at < text.len && (len = utf8_sequence(text.data + at, text.len - at)) && at + len <= ARGUMENTS_MAX)
		at += len;
	str_append_len(out, str_text(&text), at);
	if (at < text.len)
		str_append(out, " ...");
}

static const char *write_question(struct task *t, const struct mcp_step *step)
{
	_cleanup_(str_done) struct str message = {}, out = {};

	str_appendf(&message, "Allow %s ", step->name);
	confirm_append_arguments(step->arguments, &message);
	str_append_char(&message, '?');
	str_json(&out,
		 "{message: ?, requestedSchema: {type: 'object', properties: {allow: {type: 'boolean', title: 'Allow this call', "
		 "default: false}}, required: ['allow']}}",
		 message.data);
	return arena_strdup(task_arena(t), out.data);
}

static bool is_yes(const struct json *answer)
{
	return !strcmp(json_str(answer, "action"), "accept") && json_bool(answer, "content.allow", false);
}

/* " (step 3)"; "" for the call itself. */
static const char *confirm_place_of(struct task *t, const struct mcp_step *step)
{
	return step->number ? arena_printf(task_arena(t), " (step %u)", step->number) : "";
}

/* Asks about all of them at once, because in some versions the call starts again with the answers. */
static int confirm_ask(struct task *t, struct mcp_call *call, const struct mcp_step **steps, size_t count)
{
	struct mcp_question *questions = arena_alloc(task_arena(t), count * sizeof(*questions));
	int r;

	for (size_t i = 0; i < count; i++)
		questions[i] = (struct mcp_question){
			.key = steps[i]->number ? arena_printf(task_arena(t), "confirm-%u", steps[i]->number) : "confirm",
			.feature = MCP_ELICITATION,
			.params = write_question(t, steps[i]),
			.proven = true,
		};
	mcp_call_progress(call, "the user's confirmation");
	r = mcp_call_ask(t, call, questions, count, TIMEOUT);
	for (size_t i = 0; i < count && r == 0; i++)
		if (!is_yes(questions[i].answer))
			r = task_fail(t, -ERR_NOT_CONFIRMED,
				      "The user did not allow this call of %s%s (%s): nothing was done. "
				      "Do not repeat it; ask what to do instead",
				      steps[i]->name, confirm_place_of(t, steps[i]), json_str(questions[i].answer, "action"));
	return r;
}

int call_confirm_steps(struct task *t, struct mcp_call *call, const struct mcp_step *steps, size_t count)
{
	const struct confirm_settings *settings = call->request.conn->server->confirm;
	const struct mcp_step **wanted = arena_alloc(task_arena(t), count * sizeof(*wanted));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (confirm_is_wanted(settings, steps[i].tool))
			wanted[n++] = &steps[i];
	if (!n)
		return 0;
	if (mcp_call_can_ask(call, MCP_ELICITATION))
		return confirm_ask(t, call, wanted, n);
	return settings->by_default ?
		       0 :
		       task_fail(t, -ERR_NOT_CONFIRMED,
				 "%s%s needs the user's confirmation, and this client cannot ask for it (it has not declared "
				 "\"elicitation\"): nothing was done. Another client can; %s allow does without",
				 wanted[0]->tool->name, confirm_place_of(t, wanted[0]), settings->names.by_default);
}

int call_confirm(struct task *t, struct mcp_call *call)
{
	const struct mcp_step self = { .tool = call->tool, .name = mcp_call_tool_name(call), .arguments = call->arguments };

	return call_confirm_steps(t, call, &self, 1);
}
