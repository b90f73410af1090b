/* waitForSelector, getContent, exists, and evaluate as the capability "e2e" lists it: for every session. */
#include <errno.h>

#include "act/action.h"
#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "tools/e2e/tools.h"
#include "tools/session/evaluate.h"

struct waitForSelector {
	const char *sessionId, *selector;
	double timeout;
};

static const struct param waitForSelector_params[] = {
	PARAM(waitForSelector, sessionId, SESSION_ABOUT " or startSession", .required = true),
	PARAM(waitForSelector, selector, SELECTOR_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(waitForSelector, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC),
	{}
};

static int wait_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct waitForSelector *a = args;
	_cleanup_(visit_done) struct visited v = {};
	const char *element = NULL;
	int r;

	r = visit_page(t, call, a->sessionId, &v);
	if (r == 0)
		r = action_wait(t, page_main_frame(v.page), a->selector, timeout_or(a->timeout, call_app(call)->timeouts->action),
				&element);
	return r < 0 ? r : result_done_to(t, v.page, "Found", element, res);
}

const struct tool tool_waitForSelector = {
	.name = "waitForSelector",
	.about = "Wait until an element exists and is visible. To act on it, call click or type at once: they wait by themselves.",
	.params = waitForSelector_params,
	.size = sizeof(struct waitForSelector),
	.output_schema = ACTION_OUTPUT,
	.read_only = true,
	.run = wait_run,
};

struct exists {
	const char *sessionId, *selector;
};

static const struct param exists_params[] = {
	PARAM(exists, sessionId, SESSION_ABOUT " or startSession", .required = true),
	PARAM(exists, selector, SELECTOR_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	{},
};

/* Calls a function of the page scripts with the JSON `argument`; the caller owns `ret`. */
static int ask_page(struct task *t, struct mcp_call *call, struct visited *v, const char *function, const char *argument,
		    struct json **ret)
{
	int r;

	task_set_deadline(t, clock_now() + call_app(call)->timeouts->action);
	r = frame_script(t, page_main_frame(v->page), ret, function, "?", JSON_RAW(argument));
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page did not answer in time; a script may block it");
	return r;
}

static int exists_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct exists *a = args;
	_cleanup_(visit_done) struct visited v = {};
	_cleanup_(json_freep) struct json *matches = NULL;
	_cleanup_(str_done) struct str argument = {};
	int count, r;

	str_json(&argument, "{selector: ?}", a->selector);
	r = visit_page(t, call, a->sessionId, &v);
	if (r == 0)
		r = ask_page(t, call, &v, "countMatches", argument.data, &matches);
	if (r < 0)
		return r;
	count = (int)json_int(matches, NULL, 0);
	result_json(res, "{exists: ?, count: ?}", (bool)(count > 0), count);
	return 0;
}

const struct tool tool_exists = {
	.name = "exists",
	.about = "Count the elements that a selector matches now, without waiting.",
	.params = exists_params,
	.size = sizeof(struct exists),
	.output_schema =
		"{\"type\":\"object\",\"properties\":{\"exists\":{\"type\":\"boolean\"},\"count\":{\"type\":\"integer\"}}}",
	.read_only = true,
	.idempotent = true,
	.run = exists_run,
};

struct getContent {
	const char *sessionId;
};

static const struct param getContent_params[] = {
	PARAM(getContent, sessionId, SESSION_ABOUT " or startSession", .required = true),
	{},
};

static int content_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct getContent *a = args;
	_cleanup_(visit_done) struct visited v = {};
	_cleanup_(json_freep) struct json *html = NULL;
	int r;

	r = visit_page(t, call, a->sessionId, &v);
	if (r == 0)
		r = ask_page(t, call, &v, "html", "{}", &html);
	if (r < 0)
		return r;
	result_json(res, "{content: ?, url: ?}", json_str(html, NULL), page_url(v.page));
	return 0;
}

const struct tool tool_getContent = {
	.name = "getContent",
	.about = "Answer the current HTML of the page, as its scripts have changed it.",
	.params = getContent_params,
	.size = sizeof(struct getContent),
	.output_schema = "{\"type\":\"object\",\"properties\":{\"content\":{\"type\":\"string\"},\"url\":{\"type\":\"string\"}}}",
	.read_only = true,
	.idempotent = true,
	.run = content_run,
};

struct script {
	const char *sessionId, *script, *expression;
	double timeout;
};

static const struct param script_params[] = {
	PARAM(script, sessionId, SESSION_ABOUT " or startSession", .required = true),
	PARAM(script, script, "JavaScript expression", .max_length = LIMIT_EXPRESSION),
	PARAM(script, expression, "Another name for script; give one of them", .max_length = LIMIT_EXPRESSION),
	PARAM(script, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC),
	{},
};

static int script_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct script *a = args;

	if (!a->script == !a->expression)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "give script (or expression, which is the same), and one of them");
	return evaluate_in(t, call, &(const struct evaluate){ a->sessionId, a->script ? a->script : a->expression, a->timeout },
			   res);
}

const struct tool tool_e2e_evaluate = {
	.name = "evaluate",
	.about = "Evaluate a JavaScript expression in the page and answer its value as JSON; promises are awaited.",
	.params = script_params,
	.size = sizeof(struct script),
	.output_schema = EVALUATE_OUTPUT,
	.run = script_run,
};
