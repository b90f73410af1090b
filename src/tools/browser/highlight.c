/* browser_highlight, browser_hide_highlight. */
#include "act/overlay.h"
#include "base/error.h"
#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_highlight {
	const char *sessionId, *element, *target, *style;
};

static const struct param browser_highlight_params[] = {
	PARAM(browser_highlight, element, ELEMENT_ABOUT, .empty_is_none = true),
	PARAM(browser_highlight, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_highlight, style, "CSS declarations of the box, such as \"outline: 2px dashed red\"",
	      .max_length = LIMIT_STYLE),
	PARAM(browser_highlight, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/*
 * Finds the elements of a highlight, the locator that identifies it, and by what answers name it: for a ref, the description if there
 * is one.
 */
static int find_highlighted(struct browse *b, const char *written, const char *description, struct target *target,
			    const char **ret_locator, const char **ret_name)
{
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = target_resolve_any(b->call.t, b->page, written, target);
	if (r == -ERR_INVALID_SELECTOR)
		return browse_wrap(&b->call, r, BROWSE_FAILURE_OF_CALL, "", "");
	if (r == 0 && is_ref(target->written))
		*ret_locator = arena_printf(task_arena(b->call.t), "locator('aria-ref=%s')", target->written);
	else if (r == 0)
		r = target_locator(b->call.t, b->page, target, code_dialect(CODE_TYPESCRIPT), ret_locator);
	if (r == 0)
		*ret_name = description && is_ref(target->written) ? description : *ret_locator;
	return r;
}

static int highlight_run(struct browse *b, const void *args)
{
	const struct browser_highlight *a = args;
	_cleanup_(target_done) struct target target = {};
	const char *locator = "", *name = "";
	int r;

	r = find_highlighted(b, a->target, a->element, &target, &locator, &name);
	if (r == 0)
		r = target_highlight(b->call.t, &target, locator, a->style);
	if (r == 0)
		response_add(&b->response.result, "Highlighted %s", name);
	return r;
}

const struct tool tool_browser_highlight = BROWSE_TOOL(
	"browser_highlight", "Highlight element", browser_highlight,
	"Draw a box with a label around an element, or around all that match, until browser_hide_highlight or the next document.",
	(&(const struct browse_tool){ .run = highlight_run }), .read_only = true, .capability = "devtools");

struct browser_hide_highlight {
	const char *sessionId, *element, *target;
};

static const struct param browser_hide_highlight_params[] = {
	PARAM(browser_hide_highlight, element, ELEMENT_ABOUT, .empty_is_none = true),
	PARAM(browser_hide_highlight, target, "As given to browser_highlight; default: all highlights",
	      .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_hide_highlight, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int highlight_hide_run(struct browse *b, const void *args)
{
	const struct browser_hide_highlight *a = args;
	_cleanup_(target_done) struct target target = {};
	const char *locator = "", *name = "";
	int r;

	if (!a->target) {
		page_hide_highlights(b->page);
		response_add(&b->response.result, "Hid page highlight");
		return 0;
	}
	r = find_highlighted(b, a->target, a->element, &target, &locator, &name);
	if (r == 0)
		r = target_hide_highlight(b->call.t, &target, locator);
	if (r == 0)
		response_add(&b->response.result, "Hid highlight for %s", name);
	return r;
}

const struct tool tool_browser_hide_highlight =
	BROWSE_TOOL("browser_hide_highlight", "Hide element highlight", browser_hide_highlight,
		    "Remove what browser_highlight has drawn.", (&(const struct browse_tool){ .run = highlight_hide_run }),
		    .read_only = true, .capability = "devtools");
