#include "act/action.h"

#include "app/app.h"
#include "base/limits.h"
#include "tools/session/tools.h"

struct click {
	const char *sessionId, *selector;
	double timeout;
	bool force;
	int clickCount;
};

static const struct param click_params[] = {
	PARAM(click, sessionId, SESSION_ABOUT, .required = true),
	PARAM(click, selector, SELECTOR_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(click, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	PARAM(click, force, "Click without waiting until it can be clicked", .is_rare = true),
	PARAM(click, clickCount, "2: double click", .min = 1, .max = 3, .is_rare = true),
	{},
};

static int session_click_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct click *a = args;
	_cleanup_(visit_done) struct visited v = {};
	const char *element = NULL;
	int r;

	r = visit_page(t, call, a->sessionId, &v);
	if (r < 0)
		return r;
	r = action_click(t, page_main_frame(v.page),
			 &(const struct click_action){
				 .selector = a->selector,
				 .timeout = timeout_or(a->timeout, call_app(call)->timeouts->action),
				 .force = a->force,
				 .count = a->clickCount,
			 },
			 &element);
	if (r < 0)
		return r;
	return result_done_to(t, v.page, "Clicked", element, res);
}

const struct tool tool_click = {
	.name = "click",
	.terse = "Click by CSS or XPath; answers JSON",
	.about = "Click an element when it is visible, enabled, not moving and not covered. Answers JSON; to click a ref of a "
		 "snapshot, use browser_click.",
	.params = click_params,
	.size = sizeof(struct click),
	.defaults = &(const struct click){ .clickCount = 1 },
	.run = session_click_run,
};
