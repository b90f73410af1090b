#include "tools/browser/traced.h"

#include <string.h>

#include "base/limits.h"
#include "tools/browser/browse.h"
#include "trace/trace.h"

/*
 * The methods of Playwright's API that the calls amount to: the viewer has titles for them, which name the parameter in them.
 * Calls of other tools appear under the tool's title.
 */
static const struct method {
	const char *tool, *class, *name;
	const char *argument, *param; /* an argument of the tool that the method has under another name */
} method_table[] = {
	{ "browser_click", "Frame", "click" },
	{ "browser_close", "Page", "close" },
	{ "browser_console_messages", "Page", "consoleMessages" },
	{ "browser_drag", "Frame", "dragAndDrop", "startTarget", "source" },
	{ "browser_emulate_media", "Page", "emulateMedia" },
	{ "browser_evaluate", "Frame", "evaluateExpression", "function", "expression" },
	{ "browser_hover", "Frame", "hover" },
	{ "browser_navigate", "Frame", "goto" },
	{ "browser_navigate_back", "Page", "goBack" },
	{ "browser_network_requests", "Page", "requests" },
	{ "browser_press_key", "Page", "keyboardPress" },
	{ "browser_resize", "Page", "setViewportSize" },
	{ "browser_select_option", "Frame", "selectOption" },
	{ "browser_snapshot", "Frame", "ariaSnapshot" },
	{ "browser_take_screenshot", "Page", "screenshot" },
	{ "browser_type", "Frame", "fill", "text", "value" },
	{},
};

static const struct method *traced_method_of(const char *tool)
{
	const struct method *m = method_table;

	while (m->tool && strcmp(m->tool, tool) != 0)
		m++;
	return m;
}

_kept_ struct trace *traced_by(struct session *s)
{
	struct trace *trace = session_recording(s);

	return trace && trace_is_recording(trace) ? trace : NULL;
}

static void on_pressing(struct press_watcher *w, struct task *t, struct frame *f, const char *target, double x, double y)
{
	struct traced *traced = CONTAINER_OF(w, struct traced, watcher);
	struct trace *trace = traced_by(traced->session);

	if (trace)
		trace_press(t, trace, &traced->call, f, target, (struct point){ x, y });
}

void traced_begin(struct traced *traced, struct task *t, struct session *s, _nullable_ struct page *p)
{
	struct trace *trace = traced_by(s);

	*traced = (struct traced){ .watcher.pressing = on_pressing, .session = s };
	if (!trace)
		return;
	if (p)
		page_watch_presses(p, &traced->watcher);
	trace_begin_call(t, trace, &traced->call, p);
}

/* The locator; of an element that was not found, what the caller has named. */
static const char *selector_of(const struct traced *traced, struct task *t, const struct json *arguments)
{
	const char *target = json_str(arguments, "target");

	if (traced->locator || !target)
		return traced->locator;
	return is_ref(target) ? arena_printf(task_arena(t), "aria-ref=%s", target) : target;
}

static void append_params(const struct browse *b, const struct method *m, const struct json *arguments, struct str *out)
{
	const struct json *renamed = m->argument ? json_get(arguments, m->argument) : NULL;
	const char *selector = selector_of(&b->traced, b->call.t, arguments);
	bool any = selector || renamed;

	str_append_char(out, '{');
	if (selector)
		str_json(out, "selector: ?", selector);
	if (renamed)
		str_json(out, "? ?: ?", JSON_COMMA(selector), m->param, renamed);
	json_foreach(argument, arguments) {
		if (argument == renamed)
			continue;
		str_json(out, "? ?: ?", JSON_COMMA(any), json_name(argument), argument);
		any = true;
	}
	str_append_char(out, '}');
}

/* What the answer says, unless it is long or holds a picture. */
static void append_result(const struct result *res, struct str *out)
{
	if (res->content.len <= LIMIT_TRACE_RESULT)
		str_json(out, "{content: [?]}", JSON_RAW(str_text(&res->content)));
	else
		str_append(out, "{}");
}

static const char *traced_error_of(const struct browse *b, const struct result *res)
{
	if (task_cancelled(b->call.t))
		return "The call was cancelled.";
	if (b->response.error.len)
		return b->response.error.data;
	return res->is_error ? b->failure_text : NULL;
}

void traced_end(struct browse *b, const struct result *res)
{
	const struct tool *tool = mcp_call_tool(b->mcp_call);
	const struct method *m = traced_method_of(tool->name);
	_cleanup_(str_done) struct str params = {}, result = {};
	struct trace *trace = traced_by(b->session);

	if (b->page)
		page_watch_presses(b->page, NULL);
	if (!trace || !*b->traced.call.id) /* the call ended or began the trace */
		return;
	append_params(b, m, mcp_call_arguments(b->mcp_call), &params);
	append_result(res, &result);
	trace_end_call(b->call.t, trace, &b->traced.call, b->page, session_tabs(b->session),
		       &(const struct trace_action){
			       .class = m->tool ? m->class : "Page",
			       .method = m->tool ? m->name : tool->name,
			       .title = m->tool ? NULL : tool->title,
			       .params = params.data,
			       .log = str_text(&b->response.code),
			       .result = result.data,
			       .error = traced_error_of(b, res),
			       .error_name = b->call.failure == BROWSE_FAILURE_TIMEOUT ? "TimeoutError" : "Error",
		       });
}

/* ---- steps of code ---- */

/* `api` is "page.click", "locator.click"...; the viewer knows the methods of elements by the frame's. */
static const char *class_of(const char *api)
{
	static const struct {
		const char *prefix, *class;
	} classes[] = {
		{ "browserContext.", "BrowserContext" },
		{ "keyboard.", "Page" },
		{ "mouse.", "Page" },
		{ "page.screenshot", "Page" },
		{ "page.goBack", "Page" },
		{ "page.goForward", "Page" },
		{ "page.reload", "Page" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (strncmp(api, classes[i].prefix, strlen(classes[i].prefix)) == 0)
			return classes[i].class;
	return "Frame";
}

/* Members of the message that address the operation are no arguments of the method; long ones would repeat whole programs. */
static bool traced_is_argument(const struct json *member)
{
	static const char *const others[] = { "id", "op", "api", "page", "frame", "timeout", "target", "first" };
	const char *text = json_str(member, NULL);

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(json_name(member), others[i]) == 0)
			return false;
	return text ? strlen(text) <= LIMIT_TRACE_RESULT : json_type(member) != JSON_OBJECT && json_type(member) != JSON_ARRAY;
}

static void append_step_params(const char *selector, const struct json *arguments, struct str *out)
{
	str_append_char(out, '{');
	if (selector)
		str_json(out, "selector: ?", selector);
	json_foreach(argument, arguments)
		if (traced_is_argument(argument))
			str_json(out, "? ?: ?", JSON_COMMA(out->len > 1), json_name(argument), argument);
	str_append_char(out, '}');
}

void traced_end_step(struct traced *traced, struct tool_call *call, _nullable_ struct page *p, const struct traced *of,
		     const struct json *arguments, int r)
{
	const char *method = strchr(call->caller, '.');
	_cleanup_(str_done) struct str params = {};
	struct trace *trace = traced_by(traced->session);

	if (p)
		page_watch_presses(p, NULL);
	if (!trace || !*traced->call.id)
		return;
	append_step_params(selector_of(traced, call->t, arguments), arguments, &params);
	trace_end_call(call->t, trace, &traced->call, p, session_tabs(traced->session),
		       &(const struct trace_action){
			       .parent = of->call.id,
			       .class = class_of(call->caller),
			       .method = method ? method + 1 : call->caller,
			       .params = params.data,
			       .error = r < 0 ? browse_failure_text(call->t, r, call->failure, call->caller) : NULL,
			       .error_name = call->failure == BROWSE_FAILURE_TIMEOUT ? "TimeoutError" : "Error",
		       });
}
