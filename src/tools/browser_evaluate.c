/* browser_evaluate. */
#include "browser/evaluate.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "tools/browse.h"
#include "tools/tools.h"

struct browser_evaluate {
	const char *sessionId, *element, *target, *function, *filename;
};

static const struct param browser_evaluate_params[] = {
	PARAM(browser_evaluate, element, NULL),
	PARAM(browser_evaluate, target, TARGET_ABOUT, .max_length = LIMIT_SELECTOR),
	PARAM(browser_evaluate, function, "() => {...}; with target: element => {...}", .required = true,
	      .max_length = LIMIT_EXPRESSION),
	PARAM(browser_evaluate, filename, FILENAME_ABOUT, .empty_is_none = true),
	PARAM(browser_evaluate, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* An expression becomes the body of a function. */
static const char *as_function(struct browse *b, const char *text)
{
	size_t blanks = strspn(text, " \t\r\n");
	bool is_function = strstr(text, "=>") || strncmp(text + blanks, "function", 8) == 0 || strncmp(text + blanks, "async", 5) == 0;

	return is_function ? text : arena_printf(task_arena(b->t), "() => (%s)", text);
}

static int evaluate_run(struct browse *b, const void *args)
{
	const struct browser_evaluate *a = args;
	_cleanup_(aim_done) struct aim aim = {};
	const char *function = as_function(b, a->function), *value = NULL;
	struct frame *f = page_main_frame(b->page);
	bool threw;
	int r;

	if (a->target) {
		r = browse_aim(b, a->target, &aim);
		b->bare_failure = r == -ERR_ELEMENT_AMBIGUOUS; /* as everything that happens in the page */
		if (r < 0)
			return r;
		f = aim.target.frame;
	}
	task_set_deadline(b->t, clock_now() + b->app->timeout_navigation);
	r = frame_call_function(b->t, f, aim.target.ref, function, &b->settle, &value, &threw);
	if (r < 0)
		return r;
	if (threw)
		return browse_fail(b, "%s%s", a->target ? "browserBackend.callTool: " : "", value);
	r = browse_result(b, a->filename, "Evaluation result", value);
	if (r < 0)
		return r;
	if (a->target)
		browse_code(b, "%s.evaluate(%s);", aim.locator, browse_quote(b, function));
	else
		browse_code(b, "evaluate(%s);", browse_quote(b, function));
	return 0;
}

const struct tool tool_browser_evaluate = BROWSE_TOOL(
	"browser_evaluate", "Evaluate JavaScript", browser_evaluate, "Run JavaScript in the page, on an element if given.",
	(&(const struct browse_tool){ .run = evaluate_run, .glances = true, .watches = true }));
