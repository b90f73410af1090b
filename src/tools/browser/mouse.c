/* browser_mouse_*: the mouse at points instead of elements. */
#include "act/mouse.h"

#include <errno.h>
#include <math.h>

#include "base/limits.h"
#include "page/frame.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define CAPABILITY "vision"

static void set_deadline(struct tool_call *call, usec_t more)
{
	task_set_deadline(call->t, clock_now() + call->timeouts.action + more);
}

/* Watches for effects in the document at `at`, unless that is the main one, which is watched already. */
static int watch_document_at(struct browse *b, struct point at)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	int r;

	r = page_frame_at(b->call.t, b->page, at, &f);
	if (r == 0 && f != page_main_frame(b->page))
		r = settle_watch(b->call.t, &b->settle, f);
	return r == 0 ? settle_await_watch(b->call.t, &b->settle) : r;
}

/* ---- browser_mouse_move_xy, browser_mouse_wheel ---- */

struct browser_mouse_move_xy {
	const char *sessionId;
	double x, y;
};

static const struct param browser_mouse_move_xy_params[] = {
	PARAM(browser_mouse_move_xy, x, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_move_xy, y, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_move_xy, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int move_run(struct browse *b, const void *args)
{
	const struct browser_mouse_move_xy *a = args;

	response_add(&b->response.code, "// Move mouse to (%.15g, %.15g)", a->x, a->y);
	browse_code(b, "mouse.move(%.15g, %.15g);", a->x, a->y);
	set_deadline(&b->call, 0);
	return mouse_move(b->call.t, b->page, (struct point){ a->x, a->y }, 0);
}

const struct tool tool_browser_mouse_move_xy =
	BROWSE_TOOL("browser_mouse_move_xy", "Move mouse", browser_mouse_move_xy,
		    "Move the mouse to a point, also while a button is pressed.", (&(const struct browse_tool){ .run = move_run }),
		    .capability = CAPABILITY);

struct browser_mouse_wheel {
	const char *sessionId;
	double deltaX, deltaY;
};

static const struct param browser_mouse_wheel_params[] = { PARAM(browser_mouse_wheel, deltaX, "CSS pixels to the right",
								 .defaulted = true),
							   PARAM(browser_mouse_wheel, deltaY, "CSS pixels down", .defaulted = true),
							   PARAM(browser_mouse_wheel, sessionId, NULL, .schema = BROWSE_SESSION),
							   {} };

static int wheel_run(struct browse *b, const void *args)
{
	const struct browser_mouse_wheel *a = args;

	response_add(&b->response.code, "// Scroll mouse wheel");
	browse_code(b, "mouse.wheel(%.15g, %.15g);", a->deltaX, a->deltaY);
	set_deadline(&b->call, 0);
	return mouse_wheel(b->call.t, b->page, (struct point){ a->deltaX, a->deltaY });
}

const struct tool tool_browser_mouse_wheel =
	BROWSE_TOOL("browser_mouse_wheel", "Scroll mouse wheel", browser_mouse_wheel, "Turn the mouse wheel where the mouse is.",
		    (&(const struct browse_tool){ .run = wheel_run }), .capability = CAPABILITY);

/* ---- browser_mouse_down, browser_mouse_up ---- */

struct browser_mouse_down {
	const char *sessionId;
	int button;
};

static const struct param browser_mouse_down_params[] = { PARAM(browser_mouse_down, button, "Default: left",
								.choices = mouse_button_names),
							  PARAM(browser_mouse_down, sessionId, NULL, .schema = BROWSE_SESSION),
							  {} };
#define browser_mouse_up browser_mouse_down
#define browser_mouse_up_params browser_mouse_down_params

static enum mouse_button button_of(int argument)
{
	return (enum mouse_button)MAX(argument, MOUSE_LEFT);
}

static void add_button_code(struct browse *b, const char *method, int button)
{
	response_add(&b->response.code, "// Press mouse %s", method);
	if (button < 0)
		browse_code(b, "mouse.%s();", method);
	else
		browse_code(b, "mouse.%s({\n  button: '%s'\n});", method, mouse_button_names[button]);
}

static int down_run(struct browse *b, const void *args)
{
	const struct browser_mouse_down *a = args;

	add_button_code(b, "down", a->button);
	set_deadline(&b->call, 0);
	return mouse_press(b->call.t, b->page, button_of(a->button), 1, 0);
}

static int up_run(struct browse *b, const void *args)
{
	const struct browser_mouse_up *a = args;

	add_button_code(b, "up", a->button);
	set_deadline(&b->call, 0);
	return mouse_release(b->call.t, b->page, button_of(a->button), 1, 0);
}

const struct tool tool_browser_mouse_down =
	BROWSE_TOOL("browser_mouse_down", "Press mouse down", browser_mouse_down, "Press a mouse button where the mouse is.",
		    (&(const struct browse_tool){ .run = down_run }), .capability = CAPABILITY,
		    .defaults = &(const struct browser_mouse_down){ .button = -1 });

const struct tool tool_browser_mouse_up =
	BROWSE_TOOL("browser_mouse_up", "Press mouse up", browser_mouse_up, "Release a mouse button.",
		    (&(const struct browse_tool){ .run = up_run }), .capability = CAPABILITY,
		    .defaults = &(const struct browser_mouse_up){ .button = -1 });

/* ---- browser_mouse_click_xy ---- */

struct browser_mouse_click_xy {
	const char *sessionId;
	double x, y;
	int button;
	double clickCount, delay; /* NAN: not given */
};

static const struct param browser_mouse_click_xy_params[] = {
	PARAM(browser_mouse_click_xy, x, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_click_xy, y, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_click_xy, button, "Default: left", .choices = mouse_button_names),
	PARAM(browser_mouse_click_xy, clickCount, "Clicks in a row; default: 1"),
	PARAM(browser_mouse_click_xy, delay, "Milliseconds between press and release; default: 0"),
	PARAM(browser_mouse_click_xy, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* The options that the call gives, in the order of its parameters. */
static void add_click_code(struct browse *b, const struct browser_mouse_click_xy *a)
{
	_cleanup_(str_done) struct str options = {};

	if (a->button >= 0)
		str_appendf(&options, ",\n  button: '%s'", mouse_button_names[a->button]);
	if (!isnan(a->clickCount))
		str_appendf(&options, ",\n  clickCount: %.15g", a->clickCount);
	if (!isnan(a->delay))
		str_appendf(&options, ",\n  delay: %.15g", a->delay);
	response_add(&b->response.code, "// Click mouse at coordinates (%.15g, %.15g)", a->x, a->y);
	if (options.len)
		browse_code(b, "mouse.click(%.15g, %.15g, {%s\n});", a->x, a->y, options.data + 1);
	else
		browse_code(b, "mouse.click(%.15g, %.15g);", a->x, a->y);
}

static int check_click(struct tool_call *call, const struct browser_mouse_click_xy *a)
{
	if (!isnan(a->clickCount) && a->clickCount != trunc(a->clickCount))
		return task_fail(call->t, -EINVAL, "clickCount: expected integer, got float %.15g", a->clickCount);
	if (a->clickCount > LIMIT_CLICKS)
		return task_fail(call->t, -EINVAL, "clickCount must be at most %u, not %.15g", LIMIT_CLICKS, a->clickCount);
	if (a->delay > LIMIT_CLICK_DELAY_MSEC)
		return task_fail(call->t, -EINVAL, "delay must be at most %u milliseconds, not %.15g", LIMIT_CLICK_DELAY_MSEC,
				 a->delay);
	return 0;
}

static int click_xy_run(struct browse *b, const void *args)
{
	const struct browser_mouse_click_xy *a = args;
	struct mouse_click click = {
		.at = { a->x, a->y },
		.button = button_of(a->button),
		.count = isnan(a->clickCount) ? 1 : (int)MAX(a->clickCount, 0),
		.delay = a->delay > 0 ? (usec_t)(a->delay * USEC_PER_MSEC) : 0,
	};
	int r;

	r = check_click(&b->call, a);
	if (r < 0)
		return r;
	add_click_code(b, a);
	b->response.snapshot = SNAPSHOT_LINK;
	set_deadline(&b->call, 2 * (usec_t)click.count * click.delay);
	r = watch_document_at(b, click.at);
	return r == 0 ? mouse_click(b->call.t, b->page, &click) : r;
}

const struct tool tool_browser_mouse_click_xy =
	BROWSE_TOOL("browser_mouse_click_xy", "Click", browser_mouse_click_xy, "Click at a point and wait for the effects.",
		    (&(const struct browse_tool){ .run = click_xy_run, .acts = true }), .capability = CAPABILITY,
		    .defaults = &(const struct browser_mouse_click_xy){ .button = -1, .clickCount = NAN, .delay = NAN });

/* ---- browser_mouse_drag_xy ---- */

struct browser_mouse_drag_xy {
	const char *sessionId;
	double startX, startY, endX, endY;
};

static const struct param browser_mouse_drag_xy_params[] = {
	PARAM(browser_mouse_drag_xy, startX, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_drag_xy, startY, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_drag_xy, endX, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_drag_xy, endY, "CSS pixels in the viewport", .required = true),
	PARAM(browser_mouse_drag_xy, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static void add_drag_code(struct browse *b, const struct browser_mouse_drag_xy *a)
{
	response_add(&b->response.code, "// Drag mouse from (%.15g, %.15g) to (%.15g, %.15g)", a->startX, a->startY, a->endX,
		     a->endY);
	browse_code(b, "mouse.move(%.15g, %.15g);", a->startX, a->startY);
	browse_code(b, "mouse.down();");
	browse_code(b, "mouse.move(%.15g, %.15g);", a->endX, a->endY);
	browse_code(b, "mouse.up();");
}

static int drag_from_to(struct browse *b, struct point start, struct point end)
{
	int r;

	r = mouse_move(b->call.t, b->page, start, 0);
	if (r == 0)
		r = mouse_press(b->call.t, b->page, MOUSE_LEFT, 1, 0);
	if (r == 0)
		r = mouse_move(b->call.t, b->page, end, 0);
	if (r == 0)
		r = mouse_release(b->call.t, b->page, MOUSE_LEFT, 1, 0);
	else
		mouse_release_later(b->page, MOUSE_LEFT);
	return r;
}

static int drag_xy_run(struct browse *b, const void *args)
{
	const struct browser_mouse_drag_xy *a = args;
	struct point start = { a->startX, a->startY }, end = { a->endX, a->endY };
	int r;

	add_drag_code(b, a);
	b->response.snapshot = SNAPSHOT_LINK;
	set_deadline(&b->call, 0);
	r = watch_document_at(b, end);
	return r == 0 ? drag_from_to(b, start, end) : r;
}

const struct tool tool_browser_mouse_drag_xy =
	BROWSE_TOOL("browser_mouse_drag_xy", "Drag mouse", browser_mouse_drag_xy,
		    "Press the left button at a point, release it at another, and wait for the effects.",
		    (&(const struct browse_tool){ .run = drag_xy_run, .acts = true }), .capability = CAPABILITY);
