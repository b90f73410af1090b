#include "act/action.h"

#include "app/app.h"
#include "base/limits.h"
#include "tools/session/tools.h"

struct type {
	const char *sessionId, *selector, *text;
	double delay, timeout;
	bool clear;
};

#define DELAY_MAX_MSEC 10000

static const struct param type_params[] = {
	PARAM(type, sessionId, SESSION_ABOUT, .required = true),
	PARAM(type, selector, SELECTOR_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(type, text, "A newline presses Enter", .required = true, .max_length = LIMIT_TYPE_TEXT),
	PARAM(type, delay, "Milliseconds between keys; default 0", .min = 0, .max = DELAY_MAX_MSEC, .is_rare = true),
	PARAM(type, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	PARAM(type, clear, "Remove the present text first", .is_rare = true),
	{}
};

static int session_type_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct type *a = args;
	_cleanup_(visit_done) struct visited v = {};
	const char *element = NULL;
	int r;

	r = visit_page(t, call, a->sessionId, &v);
	if (r < 0)
		return r;
	r = action_type(t, page_main_frame(v.page),
			&(const struct type_action){
				.selector = a->selector,
				.text = a->text,
				.timeout = timeout_or(a->timeout, call_app(call)->timeouts->action),
				.delay = (usec_t)(a->delay * USEC_PER_MSEC),
				.clear = a->clear,
				.tabs_leave = true,
			},
			&element);
	if (r < 0)
		return r;
	return result_done_to(t, v.page, "Typed into", element, res);
}

const struct tool tool_type = {
	.name = "type",
	.terse = "Type at a field's end; answers JSON",
	.about = "Type text key by key at the end of a field. Answers JSON; to type at a ref of a snapshot, use browser_type.",
	.params = type_params,
	.size = sizeof(struct type),
	.run = session_type_run,
};
