#include "act/evaluate.h"

#include <errno.h>

#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "tools/session/evaluate.h"
#include "tools/session/tools.h"

static const struct param evaluate_params[] = {
	PARAM(evaluate, sessionId, SESSION_ABOUT, .required = true),
	PARAM(evaluate, expression, "Such as document.title", .required = true, .max_length = LIMIT_EXPRESSION),
	PARAM(evaluate, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	{},
};

int evaluate_in(struct task *t, struct mcp_call *call, const struct evaluate *a, struct result *res)
{
	_cleanup_(visit_done) struct visited v = {};
	usec_t timeout = timeout_or(a->timeout, call_app(call)->timeouts->action);
	const char *value, *dialogs;
	int r;

	r = visit_page(t, call, a->sessionId, &v);
	if (r < 0)
		return r;
	task_set_deadline(t, clock_now() + timeout);
	r = page_evaluate(t, v.page, a->expression, &value);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "Timeout %llu ms exceeded: the script has not ended; navigate ends it",
				 timeout / USEC_PER_MSEC);
	if (r < 0)
		return r;
	dialogs = page_take_dialog_note(v.page, task_arena(t));
	if (dialogs)
		result_json(res, "{success: true, value: ?, dialogs: ?}", JSON_RAW(value), dialogs);
	else
		result_json(res, "{success: true, value: ?}", JSON_RAW(value));
	return 0;
}

static int session_evaluate_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	return evaluate_in(t, call, args, res);
}

const struct tool tool_evaluate = {
	.name = "evaluate",
	.terse = "Value of a JavaScript expression, as JSON",
	.about =
		"Evaluate a JavaScript expression in the page and answer its value as JSON; promises are awaited. browser_evaluate can pass an element.",
	.params = evaluate_params,
	.size = sizeof(struct evaluate),
	.run = session_evaluate_run,
};
