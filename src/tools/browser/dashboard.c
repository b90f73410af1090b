/*
 * browser_resume and browser_annotate: tools for the debugger and the dashboard of Playwright, which do not exist here. They answer
 * what there is to know.
 */
#include <errno.h>

#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_resume {
	const char *sessionId, *location;
	bool step;
};

static const struct param browser_resume_params[] = { PARAM(browser_resume, step, "Pause again before the next action"),
						      PARAM(browser_resume, location, "Pause at <file>:<line>",
							    .max_length = LIMIT_URL),
						      PARAM(browser_resume, sessionId, NULL, .schema = BROWSE_SESSION),
						      {} };

static int resume_run(struct browse *b, const void *args)
{
	return browse_fail_call(&b->call, -EINVAL, "Debugger is not paused");
}

const struct tool tool_browser_resume = BROWSE_TOOL(
	"browser_resume", "Resume paused script execution", browser_resume,
	"Resume a paused script of Playwright's test runner. This server runs no such scripts: the tool answers with an error.",
	(&(const struct browse_tool){ .run = resume_run }), .capability = "devtools");

struct browser_annotate {
	const char *sessionId;
};

static const struct param browser_annotate_params[] = { PARAM(browser_annotate, sessionId, NULL, .schema = BROWSE_SESSION), {} };

static int annotate_run(struct browse *b, const void *args)
{
	return browse_fail(
		&b->call, "Annotation needs the Playwright Dashboard, which this server does not have. Show the user the page with "
			  "browser_take_screenshot and browser_highlight, and ask what they want to change.");
}

const struct tool tool_browser_annotate = BROWSE_TOOL(
	"browser_annotate", "Annotate the current page", browser_annotate,
	"Not available: drawing on a page needs the Playwright Dashboard. Use browser_take_screenshot and browser_highlight.",
	(&(const struct browse_tool){ .run = annotate_run }), .read_only = true, .capability = "devtools");
