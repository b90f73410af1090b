/* browser_evaluate. */
#include "act/evaluate.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_evaluate {
	const char *sessionId, *element, *target, *function, *filename;
};

static const struct param browser_evaluate_params[] = {
	PARAM(browser_evaluate, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_evaluate, target, TARGET_ABOUT, .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_evaluate, function, "() => document.title, or element => {...} with target; promises are awaited",
	      .required = true, .max_length = LIMIT_EXPRESSION),
	PARAM(browser_evaluate, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_evaluate, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* An expression becomes the body of a function. */
static void evaluate_add_code(struct browse *b, const char *locator, const struct function_result *called)
{
	const char *function = called->is_function ? called->code : arena_printf(task_arena(b->call.t), "() => (%s)", called->code);

	if (locator)
		browse_code(b, "%s.evaluate(%s);", locator, browse_quote(&b->call, function));
	else
		browse_code(b, "evaluate(%s);", browse_quote(&b->call, function));
}

/* If the file cannot be written, the answer still reports the evaluation, which has already happened. */
static int evaluate_write_value(struct browse *b, const char *filename, const char *value)
{
	return browse_complain_failure(b, browse_result(b, filename, "Evaluation result", value));
}

/* The answer shows the page to which the call, or the page itself, has navigated meanwhile. */
static int report_navigation(struct browse *b)
{
	int r = browse_settle(b, &b->settle);

	return r < 0 ? r : browse_complain(b, "Execution context was destroyed, most likely because of a navigation.");
}

static int browser_evaluate_run(struct browse *b, const void *args)
{
	const struct browser_evaluate *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	struct frame *f = page_main_frame(b->page);
	struct function_result called = {};
	int r;

	if (a->target) {
		r = browse_find_target(b, a->target, &found);
		if (r == -ERR_ELEMENT_AMBIGUOUS) /* printed like errors of the page */
			b->call.failure = BROWSE_FAILURE_BARE_OF_CALL;
		if (r < 0)
			return r;
		f = found.target.frame;
	}
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.navigation);
	r = frame_call_function(b->call.t, f, found.target.ref, a->function, &b->settle, &called);
	if (r == -ESTALE && page_alive(b->page))
		return report_navigation(b);
	if (r < 0)
		return r;
	if (called.outcome == FUNCTION_THREW)
		return browse_complain(b, "%s%s", a->target ? browse_reference_caller(&b->call) : "",
				       response_row(b->call.t, called.text));
	evaluate_add_code(b, found.locator, &called);
	if (called.outcome == FUNCTION_UNPRINTABLE)
		return browse_complain(b, "%s", response_row(b->call.t, called.text));
	return evaluate_write_value(b, a->filename, called.text);
}

const struct tool tool_browser_evaluate =
	BROWSE_TOOL("browser_evaluate", "Evaluate JavaScript", browser_evaluate,
		    "Call a JavaScript function in the page, with an element if target is given, and answer its result.",
		    (&(const struct browse_tool){ .run = browser_evaluate_run, .skip_first_wait = true, .watches = true }),
		    .terse = "Call a JavaScript function, on target if given");
