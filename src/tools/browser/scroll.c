/* browser_scroll, browser_select_text: actions that clicks and keys do not do well. @playwright/mcp has no such tools. */
#include <math.h>
#include <string.h>

#include "act/input.h"
#include "base/error.h"
#include "base/limits.h"
#include "page/frames.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

/* ---- browser_scroll ---- */

struct browser_scroll {
	const char *sessionId, *element, *target;
	double x, y;
	int to;
};

enum { SCROLL_TOP, SCROLL_BOTTOM, SCROLL_LEFT, SCROLL_RIGHT, SCROLL_VIEW };
static const char *const end_names[] = { "top", "bottom", "left", "right", "view", NULL };

static const struct param browser_scroll_params[] = {
	PARAM(browser_scroll, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_scroll, target, "Ref or selector of an element in the scrolled area; default: the page",
	      .max_length = LIMIT_SELECTOR),
	PARAM(browser_scroll, x, "CSS pixels to the right; negative: left"),
	PARAM(browser_scroll, y, "CSS pixels down; negative: up"),
	PARAM(browser_scroll, to, "Instead of x and y: to this end; view: target into view", .choices = end_names),
	PARAM(browser_scroll, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* Sends wheel events over the target, because content that scripts draw scrolls only by them. */
static int turn_wheel(struct browse *b, struct frame *f, const struct json *place, const struct browser_scroll *a)
{
	struct point at = { json_num(place, "x", 0), json_num(place, "y", 0) };
	int r;

	r = frame_to_page(b->call.t, f, json_get(place, "offset"), &at, NULL);
	if (r < 0)
		return r;
	return input_mouse(b->call.t, b->page,
			   &(const struct mouse_event){ .type = MOUSE_WHEEL, .at = at, .delta = { a->x, a->y } });
}

static const char *place_word(const struct json *state, const char *at, const char *range)
{
	double position = json_num(state, at, 0), most = json_num(state, range, 0);

	return most == 0 ? "does not scroll" : position <= 0 ? "at its start" : position >= most ? "at its end" : "in between";
}

static void report(struct browse *b, const struct json *after)
{
	const struct json *moved = json_get(after, "moved");
	const char *frame = json_str(after, "frame"), *what = json_text(after, "element");

	if (moved)
		response_add(&b->response.result, "Scrolled %s by %.0f, %.0f.", what, json_num(moved, "x", 0),
			     json_num(moved, "y", 0));
	else if (json_bool(after, "isElsewhere", false))
		response_add(&b->response.result, "The page has scrolled %s.", what);
	else if (frame)
		response_add(&b->response.result,
			     "Nothing has scrolled here; what is in %s scrolls by itself: give a target in it.", frame);
	else
		response_add(&b->response.result, "Nothing has scrolled.");
	response_add(&b->response.result, "Vertically: %.0f of %.0f (%s). Horizontally: %.0f of %.0f (%s).",
		     json_num(after, "top", 0), json_num(after, "height", 0), place_word(after, "top", "height"),
		     json_num(after, "left", 0), json_num(after, "width", 0), place_word(after, "left", "width"));
}

static void write_code(struct browse *b, const struct found_target *found, const struct browser_scroll *a)
{
	if (a->to == SCROLL_VIEW)
		browse_code(b, "%s.scrollIntoViewIfNeeded();", found->locator);
	else if (a->to < 0)
		browse_code(b, "mouse.wheel(%.15g, %.15g);", a->x, a->y);
}

/* `ref`: NULL: the page. */
static int wheel(struct browse *b, struct frame *f, const char *ref, const struct browser_scroll *a, struct json **ret_after)
{
	_cleanup_(json_freep) struct json *place = NULL;
	int r;

	r = frame_script(b->call.t, f, &place, "scrollPlace", "{ref: ?, x: ?, y: ?}", ref, a->x, a->y);
	if (r == 0)
		r = turn_wheel(b, f, place, a);
	return r < 0 ? r : frame_script(b->call.t, f, ret_after, "scrolled", "{}");
}

static int scroll(struct browse *b, struct frame *f, const char *ref, const struct browser_scroll *a)
{
	_cleanup_(json_freep) struct json *after = NULL;
	int r;

	if (a->to < 0)
		r = wheel(b, f, ref, a, &after);
	else
		r = frame_script(b->call.t, f, &after, "scrollToEnd", "{ref: ?, to: ?}", ref, end_names[a->to]);
	if (r == 0)
		report(b, after);
	return r;
}

static int scroll_run(struct browse *b, const void *args)
{
	const struct browser_scroll *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	int r = 0;

	if (a->to < 0 && a->x == 0 && a->y == 0)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "Say how far or where to scroll: x or y, or to");
	if (a->to >= 0 && (a->x != 0 || a->y != 0))
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "Give either x and y, or to");
	if (a->to == SCROLL_VIEW && !a->target)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "to: \"view\" shows an element: give its target");
	if (fabs(a->x) > LIMIT_SCROLL || fabs(a->y) > LIMIT_SCROLL)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "x and y must be from -%u to %u", LIMIT_SCROLL, LIMIT_SCROLL);
	if (a->target)
		r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	f = frame_ref(a->target ? found.target.frame : page_main_frame(b->page));
	write_code(b, &found, a);
	b->response.snapshot = SNAPSHOT_LINK;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return browse_explain(&b->call, scroll(b, f, found.target.ref, a), &found, "scroll");
}

const struct tool tool_browser_scroll =
	BROWSE_TOOL("browser_scroll", "Scroll", browser_scroll,
		    "Scroll the page or a scrollable area by a distance, to an end, or to an element.",
		    (&(const struct browse_tool){ .run = scroll_run, .acts = true }),
		    .defaults = &(const struct browser_scroll){ .to = -1 }, .not_destructive = true,
		    .terse = "Scroll page or area by pixels, to an end, or target into view");

/* ---- browser_select_text ---- */

struct browser_select_text {
	const char *sessionId, *element, *target, *text;
	int occurrence, start, end;
};

static const struct param browser_select_text_params[] = {
	PARAM(browser_select_text, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_select_text, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_select_text, text, "Words to select", .max_length = LIMIT_TYPE_TEXT),
	PARAM(browser_select_text, occurrence, "Which match, from 1", .min = 1, .max = LIMIT_TYPE_TEXT, .is_rare = true),
	PARAM(browser_select_text, start, "Instead of text: first character, from 0", .min = 0, .max = LIMIT_TYPE_TEXT,
	      .is_rare = true),
	PARAM(browser_select_text, end, "Behind the last character; -1: to the end", .min = -1, .max = LIMIT_TYPE_TEXT,
	      .is_rare = true),
	PARAM(browser_select_text, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int scroll_select_run(struct browse *b, const void *args)
{
	const struct browser_select_text *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(json_freep) struct json *selected = NULL;
	_cleanup_(str_done) struct str wanted = {}, shown = {};
	int r;

	if (a->end >= 0 && a->end < a->start)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "end (%d) must not be before start (%d)", a->end, a->start);
	r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	str_json(&wanted, "{ref: ?, words: ?, occurrence: ?, start: ?, end: ?}", found.target.ref, a->text ? a->text : "",
		 a->occurrence, a->start, a->end);
	b->response.snapshot = SNAPSHOT_LINK;
	r = frame_gesture(b->call.t, found.target.frame, &selected, "selectRange", wanted.data);
	if (r < 0)
		return browse_explain(&b->call, r, &found, "select text");
	str_json(&shown, "?", json_str(selected, "text"));
	response_add(&b->response.result, "Selected %s", shown.data);
	return 0;
}

const struct tool tool_browser_select_text =
	BROWSE_TOOL("browser_select_text", "Select text", browser_select_text,
		    "Select part of an element's text, by its words or by position, to replace, copy or format it.",
		    (&(const struct browse_tool){ .run = scroll_select_run, .acts = true }),
		    .defaults = &(const struct browser_select_text){ .occurrence = 1, .end = -1 }, .not_destructive = true,
		    .terse = "Select words in an element");
