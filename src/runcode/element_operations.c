/* Operations of run_code programs on elements. Like actions, they first wait for the element. */
#include <errno.h>
#include <string.h>

#include "act/action.h"
#include "act/evaluate.h"
#include "act/screenshot.h"
#include "act/snapshot.h"
#include "base/error.h"
#include "base/limits.h"
#include "page/frame.h"
#include "page/frames.h"
#include "reply/output.h"
#include "runcode/operation.h"

#define LOOK_AGAIN_MSEC 100 /* the longest pause, because the main frame does not see mutations in child frames */
#define CALL_LOG "\nCall log:\n\x1b[2m  - waiting for %s%s\x1b[22m\n"

/* What an operation is done to: a locator or ref, as the program wrote it. */
struct wanted_element {
	const char *target;
	_nullable_ _kept_ struct frame *root; /* where a locator begins; a reference held by the caller, NULL: the main frame */
	bool first;                           /* the first of several matches */
};

static struct wanted_element element_operations_wanted_of(struct operation_call *c)
{
	return (struct wanted_element){ operation_text(c, "target"), c->frame, json_bool(c->message, "first", false) };
}

/* The locator as call logs show it. */
static const char *locator_text(struct operation_call *c, const char *target)
{
	if (strncmp(target, "getBy", 5) == 0 || strncmp(target, "locator(", 8) == 0 || strncmp(target, "frameLocator(", 13) == 0)
		return target;
	return arena_printf(task_arena(c->call.t), "locator(%s)", browse_quote(&c->call, target));
}

static int resolve(struct operation_call *c, const struct wanted_element *e, struct target *ret)
{
	ret->root = e->root;
	return browse_resolve(&c->call, c->page,
			      e->first ? arena_printf(task_arena(c->call.t), "%s >> nth=0", e->target) : e->target, ret);
}

/* Suspends until the document changes, at most LOOK_AGAIN_MSEC. -ETIMEDOUT: `until` has passed. */
static int await_change(struct operation_call *c, usec_t until)
{
	usec_t now = clock_now();
	double delay = MIN((double)LOOK_AGAIN_MSEC, now < until ? (double)(until - now) / USEC_PER_MSEC : 0.);
	int r;

	if (now >= until)
		return -ETIMEDOUT;
	task_set_deadline(c->call.t, until + LIMIT_BUSY);
	r = frame_script(c->call.t, operation_frame(c), NULL, "nextChange", "{delay: ?}", delay);
	if (r == -ESTALE && page_alive(c->page)) /* the frame has navigated to another document */
		return task_sleep(c->call.t, USEC_PER_MSEC);
	return r;
}

/* Whether a missing element may still appear; a frame that navigates (-ESTALE) may contain it afterwards. */
static bool may_appear(struct operation_call *c, int r)
{
	return r == -ERR_ELEMENT_NOT_FOUND || (r == -ESTALE && page_alive(c->page));
}

static int fail_missing(struct operation_call *c, const char *target, const char *state)
{
	return browse_fail_timeout(&c->call, c->call.timeouts.action,
				   arena_printf(task_arena(c->call.t), CALL_LOG, locator_text(c, target), state));
}

static int fail_detached(struct operation_call *c)
{
	return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "Frame was detached");
}

/* Resolves the target and scrolls its frame into view, because the mouse reaches only the visible part of a frame. */
static int find_wanted(struct operation_call *c, const struct wanted_element *e, struct found_target *ret)
{
	usec_t until = clock_now() + c->call.timeouts.action;
	int r;

	ret->locator = locator_text(c, e->target);
	for (;;) {
		task_set_deadline(c->call.t, until + LIMIT_BUSY);
		r = resolve(c, e, &ret->target);
		if (!may_appear(c, r))
			break;
		if (e->root && frame_detached(e->root))
			return fail_detached(c);
		r = await_change(c, until);
		if (r == -ETIMEDOUT)
			return fail_missing(c, e->target, "");
		if (r < 0)
			return r;
	}
	if (r == -ERR_REF_NOT_FOUND)
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "Element is not attached to the DOM");
	if (r == 0 && ret->target.frame != page_main_frame(c->page))
		r = frame_script(c->call.t, ret->target.frame, NULL, "bringIntoView", "{ref: ?}", ret->target.ref);
	return r;
}

int operation_find(struct operation_call *c, struct found_target *ret)
{
	const struct wanted_element wanted = element_operations_wanted_of(c);

	return find_wanted(c, &wanted, ret);
}

static int set_value(struct operation_call *c, const struct json *value)
{
	json_print(&c->value, value);
	return 0;
}

/* ---- actions ---- */

static unsigned modifiers_of(const struct operation_call *c)
{
	unsigned bits = c->program->modifiers;

	json_foreach(name, json_get(c->message, "modifiers"))
		bits |= json_str(name, NULL) ? modifier_of_name(json_str(name, NULL)) : 0;
	return bits;
}

/* `ret` is NULL if the program gives no position. */
static void take_place(const struct json *given, struct point *place, const struct point **ret)
{
	if (json_type(given) != JSON_OBJECT)
		return;
	*place = (struct point){ json_num(given, "x", 0), json_num(given, "y", 0) };
	*ret = place;
}

static usec_t delay_of(const struct operation_call *c)
{
	double delay = json_num(c->message, "delay", 0);

	return delay > 0 ? (usec_t)(MIN(delay, (double)TIMEOUT_MAX_MSEC) * USEC_PER_MSEC) : 0;
}

static int run_click(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	struct point place;
	const char *element;
	int count = (int)json_int(c->message, "count", 1), r;

	r = operation_find(c, &found);
	if (r < 0)
		return r;
	struct click_action click = {
		.target = found.target.element,
		.timeout = c->call.timeouts.action,
		.count = count < 0 ? 0 : MIN(count, 3),
		.button = mouse_button_of_name(operation_text(c, "button")),
		.modifiers = modifiers_of(c),
		.delay = delay_of(c),
		.force = json_bool(c->message, "force", false),
		.trial = json_bool(c->message, "trial", false),
	};
	take_place(json_get(c->message, "position"), &place, &click.place);
	if (click.count == 0)
		return browse_explain(&c->call, action_hover(c->call.t, found.target.frame, &click, &element), &found, "hover");
	return browse_explain(&c->call, action_click(c->call.t, found.target.frame, &click, &element), &found, "click");
}

static int run_type(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	bool at_once = json_bool(c->message, "atOnce", false);
	const char *element;
	int r;

	r = operation_find(c, &found);
	if (r < 0)
		return r;
	r = action_type(c->call.t, found.target.frame,
			&(const struct type_action){
				.target = found.target.element,
				.text = operation_text(c, "text"),
				.timeout = c->call.timeouts.action,
				.delay = delay_of(c),
				.at_once = at_once,
				.clear = json_bool(c->message, "clear", false),
				.any_keys = !at_once,
			},
			&element);
	return browse_explain(&c->call, r, &found, at_once ? "fill" : "type");
}

static int run_check(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	struct check_action check = {
		.timeout = c->call.timeouts.action,
		.checked = json_bool(c->message, "checked", true),
		.force = json_bool(c->message, "force", false),
		.trial = json_bool(c->message, "trial", false),
	};
	struct point place;
	const char *element;
	int r;

	r = operation_find(c, &found);
	if (r < 0)
		return r;
	check.target = found.target.element;
	take_place(json_get(c->message, "position"), &place, &check.place);
	return browse_explain(&c->call, action_check(c->call.t, found.target.frame, &check, &element), &found, "click");
}

/* `to` in the message is the target: {frame, target, first}. */
static int run_drag(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target start = {}, end = {};
	const struct json *to = json_get(c->message, "to");
	_kept_ struct frame *root = operation_child_frame(c, to);
	const struct wanted_element wanted = { json_text(to, "target"), root, json_bool(to, "first", false) };
	int64_t steps = json_int(c->message, "steps", 1);
	struct drag_action drag = {
		.steps = steps > 1 ? (unsigned)MIN(steps - 1, (int64_t)LIMIT_DRAG_STEPS) : 0,
		.timeout = c->call.timeouts.action,
		.force = json_bool(c->message, "force", false),
		.trial = json_bool(c->message, "trial", false),
	};
	struct point source, target;
	int r;

	take_place(json_get(c->message, "sourcePosition"), &source, &drag.source_place);
	take_place(json_get(c->message, "targetPosition"), &target, &drag.target_place);
	if (root && frame_page(root) != c->page)
		return task_fail(c->call.t, -EINVAL, "the target is on another page");
	r = operation_find(c, &start);
	if (r == 0)
		r = find_wanted(c, &wanted, &end);
	if (r < 0)
		return r;
	return browse_drag(&c->call, &drag, &start, &end);
}

/* Calls a function of scripts/elements.js on the element; `more` holds further members of its argument object. */
static int ask_element(struct operation_call *c, const struct target *target, const char *what, const char *more, struct json **ret)
{
	_cleanup_(str_done) struct str question = {};

	str_json(&question, "{ref: ?, what: ? ?}", target->ref, what, JSON_RAW(more));
	return frame_gesture(c->call.t, target->frame, ret, "onElement", question.data);
}

static int run_select(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(json_freep) struct json *answer = NULL;
	_cleanup_(str_done) struct str values = {};
	const char *element;
	int r;

	json_print(&values, json_get(c->message, "values"));
	r = operation_find(c, &found);
	if (r < 0)
		return r;
	r = action_select(c->call.t, found.target.frame,
			  &(const struct select_action){
				  .target = found.target.element,
				  .values = values.len ? values.data : "[]",
				  .timeout = c->call.timeouts.action,
			  },
			  &element);
	r = browse_explain(&c->call, r, &found, "select option");
	if (r == 0)
		r = ask_element(c, &found.target, "selectedValues", "", &answer);
	return r < 0 ? r : set_value(c, json_get(answer, "value"));
}

static int run_press(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	int r;

	r = operation_find(c, &found);
	if (r == 0)
		r = ask_element(c, &found.target, "focus", "", NULL);
	return r < 0 ? r : operation_press(c, operation_text(c, "key"));
}

/* ---- questions ---- */

static int run_on_element(struct operation_call *c)
{
	static const char *const allowed[] = {
		"blur",       "boundingBox", "dispatchEvent",  "focus",      "getAttribute",
		"innerHTML",  "innerText",   "inputValue",     "isChecked",  "isDisabled",
		"isEditable", "isEnabled",   "scrollIntoView", "selectText", "textContent",
	};
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(json_freep) struct json *answer = NULL;
	_cleanup_(str_done) struct str more = {};
	const char *what = operation_text(c, "what");
	bool known = false;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		known |= strcmp(what, allowed[i]) == 0;
	if (!known)
		return task_fail(c->call.t, -EINVAL, "there is no such question");
	str_json(&more, ", name: ?, init: ?", operation_text(c, "name"), json_get(c->message, "init"));
	r = operation_find(c, &found);
	if (r == 0)
		r = ask_element(c, &found.target, what, more.data, &answer);
	if (r < 0)
		return r;
	if (strcmp(what, "boundingBox") == 0)
		return operation_print_box(c, found.target.frame, json_get(answer, "value"));
	return set_value(c, json_get(answer, "value"));
}

/* Returns 1 if the element is visible, 0 if it is hidden or missing. `ret_ref` (may be NULL) is set if the element exists. */
static int element_operations_is_visible(struct operation_call *c, const char **ret_ref)
{
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(json_freep) struct json *answer = NULL;
	const struct wanted_element wanted = element_operations_wanted_of(c);
	int r;

	r = resolve(c, &wanted, &found.target);
	if (r == 0)
		r = ask_element(c, &found.target, "visible", "", &answer);
	if (may_appear(c, r) || r == -ERR_REF_NOT_FOUND)
		return 0;
	if (r == 0 && ret_ref)
		*ret_ref = found.target.ref;
	return r < 0 ? r : json_bool(answer, "value", false);
}

static int run_visible(struct operation_call *c)
{
	int r;

	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	r = element_operations_is_visible(c, NULL);
	if (r >= 0)
		str_json(&c->value, "?", (bool)r);
	return MIN(r, 0);
}

static int look_once(struct operation_call *c, usec_t until, const char **ret_ref)
{
	int r;

	task_set_deadline(c->call.t, USEC_NEVER);
	r = operation_begin_turn(c);
	if (r < 0)
		return r;
	task_set_deadline(c->call.t, until + LIMIT_BUSY);
	r = element_operations_is_visible(c, ret_ref);
	operation_end_turn(c);
	return r;
}

/* The value is {ref} if the awaited state requires an element. */
static int run_wait(struct operation_call *c)
{
	usec_t until = clock_now() + c->call.timeouts.action;
	const char *state = operation_text(c, "state"), *ref;
	bool gone = strcmp(state, "hidden") == 0 || strcmp(state, "detached") == 0;
	bool attached = strcmp(state, "attached") == 0 || strcmp(state, "detached") == 0;
	int r;

	for (;;) {
		ref = NULL;
		r = look_once(c, until, &ref);
		if (r < 0)
			return r;
		if (c->frame && frame_detached(c->frame))
			return gone ? 0 : fail_detached(c);
		if ((attached ? ref != NULL : r > 0) != gone)
			break;
		r = await_change(c, until);
		if (r == -ETIMEDOUT)
			return fail_missing(c, operation_text(c, "target"),
					    attached && !gone ? "" : arena_printf(task_arena(c->call.t), " to be %s", state));
		if (r < 0)
			return r;
	}
	if (!gone)
		str_json(&c->value, "{ref: ?}", ref);
	return 0;
}

static int run_list(struct operation_call *c)
{
	const char *what = operation_text(c, "what"), *list = NULL;
	int r;

	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	r = target_list(c->call.t, c->page, c->frame, operation_text(c, "target"), what, operation_text(c, "name"), &list);
	if (r == -ERR_ELEMENT_NOT_FOUND) /* a frame of the locator's path is missing */
		list = strcmp(what, "count") == 0 ? "0" : "[]";
	else if (r < 0)
		return r;
	str_append(&c->value, list);
	return 0;
}

/* ---- what takes a target or the page ---- */

static int save_picture(struct operation_call *c, const char *data)
{
	struct output_file f;
	int r;

	r = output_find(c->call.t, &c->call.files, operation_text(c, "path"), &f);
	return r < 0 ? r : output_write_base64(c->call.t, &c->call.files, &f, data);
}

static int run_screenshot(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	const char *type = operation_text(c, "type");
	const struct json *clip = json_get(c->message, "clip");
	const struct rect part = { json_num(clip, "x", 0), json_num(clip, "y", 0), json_num(clip, "width", 0),
				   json_num(clip, "height", 0) };
	struct capture capture = {
		.format = strcmp(type, "jpeg") == 0 ? "jpeg" :
			  strcmp(type, "webp") == 0 ? "webp" :
						      "png",
		.quality = (int)json_int(c->message, "quality", 80),
		.full_page = json_bool(c->message, "fullPage", false),
		.device_scale = strcmp(operation_text(c, "scale"), "css") != 0,
		.clip = clip ? &part : NULL,
	};
	struct picture pic = {};
	int r = 0;

	if (json_get(c->message, "target")) {
		r = operation_find(c, &found);
		capture.frame = found.target.frame;
		capture.target = found.target.element;
		capture.timeout = c->call.timeouts.action;
		found.resolve_lines = BROWSE_SCREENSHOT_LINES;
	}
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	if (r == 0)
		r = page_capture(c->call.t, c->page, &capture, &pic);
	if (capture.target)
		r = browse_explain(&c->call, r, &found, "scroll into view");
	if (r == 0 && json_get(c->message, "path"))
		r = save_picture(c, pic.base64);
	if (r == 0)
		str_json(&c->value, "?", pic.base64);
	return r;
}

static int run_aria_snapshot(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(str_done) struct str text = {};
	struct snapshot_options options = {
		.depth = (int)json_int(c->message, "depth", 0),
		.plain = json_bool(c->message, "plain", false),
	};
	int r = 0;

	if (json_get(c->message, "target"))
		r = operation_find(c, &found);
	if (r < 0)
		return r;
	options.ref = found.target.ref;
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action + LIMIT_BUSY);
	r = frame_snapshot(c->call.t, found.target.frame ? found.target.frame : operation_frame(c), &options, &text, NULL);
	if (r == 0)
		str_json(&c->value, "?", str_text(&text));
	return r;
}

/* Resolves the elements that the function is called with. `ret` is NULL-terminated, in the task's arena. */
static int find_function_target(struct operation_call *c, struct found_target *found, const char *const **ret)
{
	_cleanup_(json_freep) struct json *refs = NULL;
	const char *list = NULL, **items;
	size_t n = 0;
	int r;

	if (!json_bool(c->message, "all", false)) {
		r = operation_find(c, found);
		items = arena_alloc(task_arena(c->call.t), 2 * sizeof(*items));
		items[0] = found->target.ref;
		*ret = items;
		return r;
	}
	r = target_list(c->call.t, c->page, c->frame, operation_text(c, "target"), "refs", "", &list);
	if (r < 0)
		return r;
	r = json_parse(list, strlen(list), JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &refs);
	if (r < 0)
		return r;
	items = arena_alloc(task_arena(c->call.t), (json_count(refs) + 1) * sizeof(*items));
	json_foreach(ref, refs)
		items[n++] = arena_strdup(task_arena(c->call.t), json_str(ref, NULL));
	*ret = items;
	if (items[0])
		found->target.frame = frame_ref(page_frame_of_ref(c->page, items[0]));
	return 0;
}

static int run_evaluate(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(str_done) struct str argument = {};
	const struct json *refs = json_get(c->message, "refs");
	const char *value = NULL, *ref = NULL;
	struct evaluation e = {
		.function = operation_text(c, "function"),
		.is_function = json_bool(c->message, "isFunction", false),
		.refs = refs,
		.listed = json_bool(c->message, "all", false),
		.wants_element = json_bool(c->message, "handle", false),
	};
	bool threw = false;
	struct frame *f;
	int r = 0;

	if (json_get(c->message, "target"))
		r = find_function_target(c, &found, &e.targets);
	if (r < 0)
		return r;
	json_print(&argument, json_get(c->message, "argument"));
	e.argument = argument.len ? argument.data : NULL;
	if (!found.target.frame && json_str(json_first(refs), NULL))
		found.target.frame = frame_ref(page_frame_of_ref(c->page, json_str(json_first(refs), NULL)));
	f = found.target.frame ? found.target.frame : operation_frame(c);
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.navigation);
	r = frame_evaluate(c->call.t, f, &e, &value, &ref, &threw);
	if (r == -ETIMEDOUT)
		return browse_fail_timeout(&c->call, c->call.timeouts.navigation, "");
	if (r < 0)
		return r;
	if (threw)
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "%s", response_row(c->call.t, value));
	if (ref)
		str_json(&c->value, "{ref: ?}", ref);
	else
		str_append(&c->value, value);
	return 0;
}

const struct operation element_operations[] = {
	{ "click", run_click, .acts = true },
	{ "type", run_type, .acts = true },
	{ "check", run_check, .acts = true },
	{ "drag", run_drag, .acts = true },
	{ "select", run_select, .acts = true },
	{ "press", run_press, .acts = true },
	{ "do", run_on_element },
	{ "visible", run_visible },
	{ "wait", run_wait, .scheduling = OPERATION_CONCURRENT },
	{ "list", run_list },
	{ "screenshot", run_screenshot },
	{ "ariaSnapshot", run_aria_snapshot },
	{ "evaluate", run_evaluate, .scheduling = OPERATION_CONCURRENT },
	{ "evaluateOn", run_evaluate }, /* with elements */
	{},
};
