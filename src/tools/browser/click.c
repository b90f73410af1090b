/* browser_click, browser_hover. */
#include <string.h>

#include "act/action.h"
#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_click {
	const char *sessionId, *element, *target;
	bool doubleClick;
	int button;
	struct string_list modifiers;
};

static const struct param browser_click_params[] = {
	PARAM(browser_click, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_click, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR, .terse = "Ref, CSS or XPath"),
	PARAM(browser_click, doubleClick, "Click twice"),
	PARAM(browser_click, button, "Default: left", .choices = mouse_button_names),
	PARAM(browser_click, modifiers, "Keys held down", .choices = modifier_names),
	PARAM(browser_click, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static unsigned parse_modifiers(const struct string_list *names)
{
	unsigned modifiers = 0;

	for (size_t n = 0; n < names->count; n++)
		modifiers |= modifier_of_name(names->items[n]);
	return modifiers;
}

static int click(struct browse *b, const char *target, struct click_action *click)
{
	_cleanup_(found_target_done) struct found_target found = {};
	const char *element;
	int r;

	if (!browse_marks(b)) /* the point may move while the mark is shown */
		found.target.click = action_click_request(b->call.t, click);
	r = browse_find_target(b, target, &found);
	if (r == 0)
		r = browse_announce(b, &found, click->count > 1 ? "Double click" : "Click", NULL);
	if (r < 0) {
		action_cancel(b->call.t, page_main_frame(b->page));
		return r;
	}
	browse_statement(b, &found,
			 (struct code_call){
				 .verb = click->count > 1 ? CODE_DBLCLICK : CODE_CLICK,
				 .button = click->button,
				 .modifiers = click->modifiers,
			 });
	b->response.snapshot = SNAPSHOT_LINK;
	click->target = found.target.element;
	if (json_type(json_get(found.target.answer, "point")) == JSON_OBJECT) /* null: the element cannot be pressed at once */
		click->point = json_get(found.target.answer, "point");
	r = action_click(b->call.t, found.target.frame, click, &element);
	return browse_explain(&b->call, r, &found, click->count > 1 ? "dblclick" : "click");
}

static int browser_click_run(struct browse *b, const void *args)
{
	const struct browser_click *a = args;
	struct click_action how = {
		.timeout = b->call.timeouts.action,
		.count = a->doubleClick ? 2 : 1,
		.button = (enum mouse_button)MAX(a->button, MOUSE_LEFT),
		.modifiers = parse_modifiers(&a->modifiers),
	};

	return click(b, a->target, &how);
}

const struct tool tool_browser_click = BROWSE_TOOL(
	"browser_click", "Click", browser_click,
	"Click an element and wait for the effects. Answers URL, title, dialog or download, and the name of a snapshot file.",
	(&(const struct browse_tool){ .run = browser_click_run, .acts = true }),
	.defaults = &(const struct browser_click){ .button = -1 }, .terse = "Click; answers what changed");

struct browser_hover {
	const char *sessionId, *element, *target;
};

static const struct param browser_hover_params[] = {
	PARAM(browser_hover, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_hover, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_hover, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int hover_run(struct browse *b, const void *args)
{
	const struct browser_hover *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	const char *element;
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r == 0)
		r = browse_announce(b, &found, "Hover", NULL);
	if (r < 0)
		return r;
	browse_statement(b, &found, (struct code_call){ .verb = CODE_HOVER });
	b->response.snapshot = SNAPSHOT_LINK;
	r = action_hover(b->call.t, found.target.frame,
			 &(const struct click_action){
				 .target = found.target.element,
				 .timeout = b->call.timeouts.action,
			 },
			 &element);
	return browse_explain(&b->call, r, &found, "hover");
}

const struct tool tool_browser_hover =
	BROWSE_TOOL("browser_hover", "Hover mouse", browser_hover, "Move the mouse over an element, for example to open a menu.",
		    (&(const struct browse_tool){ .run = hover_run, .acts = true }), .terse = "Move the mouse over an element");
