/* Asks the user to confirm calls of the tools in the operator's list, once per call. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "mcp/call.h"

#define TIMEOUT (5 * 60 * USEC_PER_SEC)
#define ARGUMENTS_MAX 1000 /* bytes of the arguments shown in the question */

static bool is_wanted(const struct confirm_settings *settings, const struct tool *tool)
{
	for (size_t i = 0; settings && settings->tools && settings->tools[i]; i++)
		if (!strcmp(settings->tools[i], tool->name))
			return true;
	return false;
}

/* Appends at most ARGUMENTS_MAX bytes, cut between characters. */
static void append_arguments(const struct json *arguments, struct str *out)
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

static void write_question(struct mcp_call *call, struct str *out)
{
	_cleanup_(str_done) struct str message = {};

	str_appendf(&message, "Allow %s ", mcp_call_tool_name(call));
	append_arguments(call->arguments, &message);
	str_append_char(&message, '?');
	str_json(out,
		 "{message: ?, requestedSchema: {type: 'object', properties: {allow: {type: 'boolean', title: 'Allow this call', "
		 "default: false}}, required: ['allow']}}",
		 message.data);
}

static bool is_yes(const struct json *answer)
{
	return !strcmp(json_str(answer, "action"), "accept") && json_bool(answer, "content.allow", false);
}

static int ask(struct task *t, struct mcp_call *call)
{
	_cleanup_(str_done) struct str params = {};
	struct mcp_question question = { .key = "confirm", .feature = MCP_ELICITATION, .proven = true };
	int r;

	write_question(call, &params);
	question.params = params.data;
	mcp_call_progress(call, "the user's confirmation");
	r = mcp_call_ask(t, call, &question, 1, TIMEOUT);
	if (r == 0 && !is_yes(question.answer))
		return task_fail(t, -ERR_NOT_CONFIRMED,
				 "The user did not allow this call of %s (%s): nothing was done. "
				 "Do not repeat it; ask what to do instead",
				 mcp_call_tool_name(call), json_str(question.answer, "action"));
	return r;
}

int call_confirm(struct task *t, struct mcp_call *call)
{
	const struct confirm_settings *settings = call->request.conn->server->confirm;

	if (!is_wanted(settings, call->tool))
		return 0;
	if (mcp_call_can_ask(call, MCP_ELICITATION))
		return ask(t, call);
	return settings->by_default ?
		       0 :
		       task_fail(t, -ERR_NOT_CONFIRMED,
				 "%s needs the user's confirmation, and this client cannot ask for it (it has not declared "
				 "\"elicitation\"): nothing was done. Another client can; %s allow does without",
				 call->tool->name, settings->names.by_default);
}
