/* Operations of run_code programs on a page: navigation, keyboard, mouse, waiting. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "act/keyboard.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/capture.h"
#include "engine/emulate.h"
#include "page/frame.h"
#include "page/frames.h"
#include "page/emulate.h"
#include "page/navigate.h"
#include "reply/output.h"
#include "runcode/operation.h"

#define CHANGE_MAX_MSEC 1000.
#define MOUSE_STEPS_MAX 1000

/* ---- navigation ---- */

static enum wait_until until_of(const struct operation_call *c)
{
	const char *name = operation_text(c, "waitUntil");

	return strcmp(name, "networkidle") == 0                                     ? WAIT_NETWORKIDLE :
	       strcmp(name, "domcontentloaded") == 0 || strcmp(name, "commit") == 0 ? WAIT_DOMCONTENTLOADED :
										      WAIT_LOAD;
}

static const char *log_line(struct operation_call *c, const char *url)
{
	const char *until = operation_text(c, "waitUntil");

	return arena_printf(task_arena(c->call.t), "\nCall log:\n\x1b[2m  - navigating to \"%s\", waiting until \"%s\"\x1b[22m\n",
			    url, *until ? until : "load");
}

/* Writes the failure of a navigation in the words of Playwright. */
static int explain_goto(struct operation_call *c, int r, const char *url)
{
	if (r != -ERR_NAVIGATION_FAILED && r != -ERR_DOWNLOAD)
		return r;
	switch (task_error_reason(c->call.t)) {
	case REASON_NAVIGATION_UNANSWERED:
	case REASON_NAVIGATION_SLOW:
		return browse_fail_timeout(&c->call, c->call.timeouts.navigation, log_line(c, url));
	case REASON_DOWNLOAD_STARTED:
		return browse_fail_call(&c->call, r, "Download is starting%s", log_line(c, url));
	case REASON_INVALID_ADDRESS:
		return browse_fail_call(&c->call, r, "Protocol error (Page.navigate): Cannot navigate to invalid URL%s",
					log_line(c, url));
	default:
		return browse_wrap(&c->call, r, BROWSE_FAILURE_OF_CALL, "", log_line(c, url));
	}
}

static int go_history(struct operation_call *c, int steps, bool *ret_gone)
{
	int r;

	r = page_go(c->call.t, c->page, steps, c->call.timeouts.navigation, ret_gone);
	if (r == 0 && *ret_gone)
		r = page_wait_loaded(c->call.t, c->page, until_of(c), c->call.timeouts.navigation);
	return r;
}

static int run_navigate(struct operation_call *c)
{
	const char *how = operation_text(c, "how"), *url = operation_text(c, "url");
	struct navigation nav;
	bool gone = true;
	int r;

	if (strcmp(how, "goto") == 0)
		r = explain_goto(c, page_navigate(c->call.t, c->page, url, until_of(c), c->call.timeouts.navigation, &nav), url);
	else if (strcmp(how, "reload") == 0)
		r = page_reload(c->call.t, c->page, until_of(c), c->call.timeouts.navigation);
	else
		r = go_history(c, strcmp(how, "goBack") == 0 ? -1 : 1, &gone);
	if (r == -ETIMEDOUT)
		return browse_fail_timeout(&c->call, c->call.timeouts.navigation, "");
	if (r == 0 && gone)
		operation_print_document(page_journal(c->page), page_url(c->page), &c->value);
	return r;
}

static int run_loaded(struct operation_call *c)
{
	int r = c->frame ? frame_wait_loaded(c->call.t, c->frame, until_of(c), c->call.timeouts.navigation) :
			   page_wait_loaded(c->call.t, c->page, until_of(c), c->call.timeouts.navigation);

	return r == -ETIMEDOUT ? browse_fail_timeout(&c->call, c->call.timeouts.navigation, "") : r;
}

/* frame.goto() of a child frame. */
static int run_navigate_frame(struct operation_call *c)
{
	const char *url = operation_text(c, "url");
	int r;

	if (!c->frame)
		return task_fail(c->call.t, -EINVAL, "there is no such frame");
	r = frame_navigate(c->call.t, c->frame, url, until_of(c), c->call.timeouts.navigation);
	return r == -ETIMEDOUT ? browse_fail_timeout(&c->call, c->call.timeouts.navigation, log_line(c, url)) :
				 explain_goto(c, r, url);
}

/* Waits until the URL of the page or frame differs from the one that the program knows. */
static int run_moved(struct operation_call *c)
{
	int r = 0;

	while (r == 0 && page_alive(c->page) && !frame_detached(operation_frame(c)) &&
	       strcmp(frame_url(operation_frame(c)), operation_text(c, "from")) == 0)
		r = waitq_wait(c->call.t, page_changed(c->page), "another address");
	return r == 0 && !page_alive(c->page) ? -ESTALE : r;
}

static int run_title(struct operation_call *c)
{
	struct navigation nav;
	int r;

	r = page_describe(c->call.t, c->page, &nav);
	if (r == 0)
		str_json(&c->value, "?", nav.title);
	return r;
}

/* ---- waiting ---- */

static usec_t msec_of(const struct operation_call *c, double most)
{
	double msec = json_num(c->message, "timeout", 0);

	return msec > 0 ? (usec_t)(MIN(msec, most) * USEC_PER_MSEC) : 0;
}

static int run_sleep(struct operation_call *c)
{
	return task_sleep(c->call.t, msec_of(c, TIMEOUT_MAX_MSEC));
}

static int run_change(struct operation_call *c)
{
	usec_t delay = msec_of(c, CHANGE_MAX_MSEC);
	int r;

	task_set_deadline(c->call.t, clock_now() + delay + LIMIT_BUSY);
	r = frame_script(c->call.t, operation_frame(c), NULL, "nextChange", "{delay: ?}", (double)delay / USEC_PER_MSEC);
	return r == -ESTALE && page_alive(c->page) ? 0 : r;
}

/* ---- keyboard and mouse ---- */

int operation_press(struct operation_call *c, const char *key)
{
	struct keystroke k;
	const char *unknown = "";
	int length = 0;

	if (keystroke_parse(key, &k, &unknown, &length) < 0)
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "Unknown key: \"%.*s\"", length, unknown);
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	return input_press(c->call.t, c->page, key);
}

static int press_half(struct operation_call *c, bool down)
{
	struct keystroke k;
	const char *key = operation_text(c, "key"), *unknown = "";
	int length = 0;

	if (keystroke_parse(key, &k, &unknown, &length) < 0)
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "Unknown key: \"%.*s\"", length, unknown);
	if (down)
		c->program->modifiers |= keystroke_modifier(&k);
	else
		c->program->modifiers &= ~keystroke_modifier(&k);
	return input_press_or_release(c->call.t, c->page, key, down, c->program->modifiers);
}

/* Types each character as its key, or as inserted text if it has no key. */
static int type_text(struct operation_call *c, const char *text, double delay)
{
	unsigned typed = 0;
	int r = 0;

	while (*text && r == 0) {
		size_t len = MAX((size_t)1, utf8_sequence(text, strlen(text)));

		r = input_goes_on(c->call.t, typed++);
		if (r < 0)
			return r;
		r = input_type(c->call.t, c->page, arena_strndup(task_arena(c->call.t), text, len));
		text += len;
		if (r == 0 && delay > 0 && *text)
			r = task_sleep(c->call.t, (usec_t)(MIN(delay, (double)TIMEOUT_MAX_MSEC) * USEC_PER_MSEC));
	}
	return r;
}

static int run_keyboard(struct operation_call *c)
{
	const char *how = operation_text(c, "how"), *text = operation_text(c, "text");

	if (strcmp(how, "press") == 0)
		return operation_press(c, operation_text(c, "key"));
	if (strcmp(how, "down") == 0 || strcmp(how, "up") == 0)
		return press_half(c, how[0] == 'd');
	if (strcmp(how, "type") == 0)
		return type_text(c, text, json_num(c->message, "delay", 0));
	return input_insert(c->call.t, c->page, text);
}

static int send_mouse(struct operation_call *c, enum mouse_event_type type, struct point delta, int count)
{
	struct code_program *g = c->program;

	return input_mouse(c->call.t, c->page,
			   &(const struct mouse_event){
				   .type = type,
				   .at = g->mouse,
				   .delta = delta,
				   .button = g->button,
				   .count = count,
				   .buttons = g->pressed ? mouse_button_bit(g->button) : 0,
				   .modifiers = g->modifiers,
			   });
}

static int page_operations_move_mouse(struct operation_call *c, struct point to)
{
	int64_t wanted = json_int(c->message, "steps", 1);
	int steps = wanted < 1 ? 1 : (int)MIN(wanted, MOUSE_STEPS_MAX), r = 0;
	struct point from = c->program->mouse;

	for (int i = 1; r == 0 && i <= steps; i++) {
		c->program->mouse = (struct point){ from.x + (to.x - from.x) * i / steps, from.y + (to.y - from.y) * i / steps };
		r = send_mouse(c, MOUSE_MOVED, (struct point){}, 0);
	}
	return r;
}

static int run_mouse(struct operation_call *c)
{
	const char *how = operation_text(c, "how");
	struct point at = { json_num(c->message, "x", 0), json_num(c->message, "y", 0) };
	int count = (int)json_int(c->message, "count", 1);

	if (strcmp(how, "move") == 0)
		return page_operations_move_mouse(c, at);
	if (strcmp(how, "wheel") == 0)
		return send_mouse(c, MOUSE_WHEEL, at, 0);
	c->program->button = mouse_button_of_name(operation_text(c, "button"));
	c->program->pressed = strcmp(how, "down") == 0;
	return send_mouse(c, c->program->pressed ? MOUSE_PRESSED : MOUSE_RELEASED, (struct point){}, count);
}

/* ---- the page itself ---- */

static int run_resize(struct operation_call *c)
{
	double width = json_num(c->message, "width", -1), height = json_num(c->message, "height", -1);

	if (!(width >= 0 && width <= LIMIT_VIEWPORT && height >= 0 && height <= LIMIT_VIEWPORT))
		return task_fail(c->call.t, -EINVAL, "width and height must be from 0 to %u", LIMIT_VIEWPORT);
	return page_resize(c->call.t, c->page, (int)width, (int)height);
}

static int run_bring_to_front(struct operation_call *c)
{
	return page_bring_to_front(c->call.t, c->page);
}

static int run_close(struct operation_call *c)
{
	page_close(c->page);
	return 0;
}

/* `features`: a list of {name, value}. */
static int run_media(struct operation_call *c)
{
	_cleanup_(str_done) struct str features = {};

	json_print(&features, json_get(c->message, "features"));
	return engine_set_media(c->call.t, page_target(c->page), operation_text(c, "media"), features.len ? features.data : "[]");
}

/* The members of `from` are those that printOptions() of the page API gives. */
static struct print_options page_operations_print_options(const struct json *from)
{
	return (struct print_options){
		.width = json_num(from, "width", 0),
		.height = json_num(from, "height", 0),
		.margin = { json_num(from, "margin.top", 0), json_num(from, "margin.right", 0), json_num(from, "margin.bottom", 0),
			    json_num(from, "margin.left", 0) },
		.scale = json_num(from, "scale", 1),
		.landscape = json_bool(from, "landscape", false),
		.background = json_bool(from, "background", false),
		.css_size = json_bool(from, "cssSize", false),
		.tagged = json_bool(from, "tagged", false),
		.outline = json_bool(from, "outline", false),
		.ranges = json_text(from, "ranges"),
		.header_and_footer = json_bool(from, "headerAndFooter", false),
		.header = json_str(from, "header"),
		.footer = json_str(from, "footer"),
	};
}

static int run_pdf(struct operation_call *c)
{
	struct print_options options = page_operations_print_options(json_get(c->message, "options"));
	const char *data = NULL, *path = json_str(c->message, "path");
	struct output_file f;
	int r = 0;

	if (path)
		r = output_find(c->call.t, &c->call.files, path, &f);
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.navigation);
	if (r == 0)
		r = engine_print(c->call.t, page_target(c->page), &options, &data);
	if (r == 0 && path)
		r = output_write_base64(c->call.t, &c->call.files, &f, data);
	if (r == 0)
		str_json(&c->value, "?", data);
	return r;
}

int operation_print_box(struct operation_call *c, struct frame *f, const struct json *box)
{
	struct point at = { json_num(box, "x", 0) + json_num(box, "offset.x", 0),
			    json_num(box, "y", 0) + json_num(box, "offset.y", 0) };
	int r;

	if (json_type(box) != JSON_OBJECT) {
		str_append(&c->value, "null");
		return 0;
	}
	r = frame_to_page(c->call.t, f, json_get(box, "offset"), &at, NULL);
	if (r == 0)
		str_json(&c->value, "{x: ?, y: ?, width: ?, height: ?}", at.x, at.y, json_num(box, "width", 0),
			 json_num(box, "height", 0));
	return r;
}

const struct operation page_operations[] = {
	{ "navigate", run_navigate, .acts = true },
	{ "navigateFrame", run_navigate_frame, .acts = true },
	{ "loaded", run_loaded, .scheduling = OPERATION_CONCURRENT },
	{ "moved", run_moved, .scheduling = OPERATION_BACKGROUND },
	{ "title", run_title },
	{ "sleep", run_sleep, .scheduling = OPERATION_CONCURRENT },
	{ "change", run_change, .scheduling = OPERATION_CONCURRENT },
	{ "keyboard", run_keyboard, .acts = true },
	{ "mouse", run_mouse, .acts = true },
	{ "resize", run_resize },
	{ "media", run_media },
	{ "pdf", run_pdf },
	{ "bringToFront", run_bring_to_front },
	{ "close", run_close },
	{},
};
