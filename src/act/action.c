#include "act/action.h"

#include <errno.h>
#include <string.h>

#include "act/attempt.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/input.h"
#include "page/frame.h"
#include "page/navigate.h"

#define KEYS_PER_BATCH 32u /* keys sent before the first of them is acknowledged */

/* Presses with a pause before each release. */
static int press_slowly(struct attempt *a, const struct click_action *click, struct point at)
{
	struct mouse_event e = { .type = MOUSE_MOVED, .at = at, .button = click->button, .modifiers = click->modifiers };
	int r = input_mouse(a->t, a->page, &e);

	for (int i = 1; r == 0 && i <= 2 * click->count; i++) {
		e.type = i % 2 != 0 ? MOUSE_PRESSED : MOUSE_RELEASED;
		e.buttons = e.type == MOUSE_PRESSED ? mouse_button_bit(click->button) : 0;
		e.count = (i + 1) / 2;
		r = input_mouse(a->t, a->page, &e);
		if (r == 0 && e.buttons) {
			task_set_deadline(a->t, USEC_NEVER);
			r = task_sleep(a->t, click->delay);
			task_set_deadline(a->t, clock_now() + a->timeout + LIMIT_BUSY);
		}
	}
	return r;
}

static void announce_press(struct attempt *a, struct point at)
{
	struct press_watcher *w = page_press_watcher(a->page);

	if (w)
		w->pressing(w, a->t, a->f, a->target, at.x, at.y);
}

/* Sends the mouse events and waits until the page has handled them. */
static int action_press(struct attempt *a, const struct click_action *click, struct point at)
{
	_cleanup_(engine_call_done) struct engine_call release = {};
	int r;

	announce_press(a, at);
	frame_reset_press(a->f);
	if (click->delay > 0)
		r = press_slowly(a, click, at);
	else {
		input_click(a->t, a->page, &release, at, click->button, click->count, click->modifiers);
		r = engine_await(a->t, &release);
	}
	if (r == -ESTALE) /* the click closed the page */
		return 0;
	if (r < 0)
		return attempt_explain(a, r, "the page got the click, but its handler has not returned");
	if (click->force)
		return 0;
	return attempt_press_result(a);
}

/*
 * Returns 0 when the element received the click. Returns 1 when the element moved or was covered between the check and
 * the press; then neither the element nor anything else in its document received the click. An error for which
 * attempt_can_retry() is true means that the document was replaced. `again`: the previous attempt returned 1.
 */
static int try_click(struct attempt *a, const struct click_action *click, bool again, const char **ret_element)
{
	const struct point_options how = { .force = click->force, .presses = click->count, .again = again, .place = click->place };
	struct point at;
	int r;

	r = attempt_find_start(a, &how, &at, ret_element);
	if (r == 0 && click->trial)
		action_cancel(a->t, a->f);
	return r < 0 || click->trial ? r : action_press(a, click, at);
}

const char *action_click_request(struct task *t, const struct click_action *click)
{
	return attempt_click_request(t, &(const struct point_options){ .force = click->force, .presses = click->count },
				     click->timeout);
}

int action_click(struct task *t, struct frame *f, const struct click_action *click, const char **ret_element)
{
	struct attempt a = attempt_start(t, f, click->selector, click->target, click->timeout);
	int r = 0;

	a.point = click->point;
	do
		r = try_click(&a, click, r > 0, ret_element);
	while (r > 0 || attempt_can_retry(&a, r));
	return r;
}

int action_hover(struct task *t, struct frame *f, const struct click_action *hover, const char **ret_element)
{
	struct attempt a = attempt_start(t, f, hover->selector, hover->target, hover->timeout);
	_cleanup_(engine_call_done) struct engine_call moved = {};
	struct point at;
	int r;

	do
		r = attempt_find_start(&a, &(const struct point_options){ .force = hover->force, .place = hover->place }, &at,
				       ret_element);
	while (attempt_can_retry(&a, r));
	if (r < 0 || hover->trial)
		return r;
	input_click(t, a.page, &moved, at, MOUSE_LEFT, 0, hover->modifiers);
	r = engine_await(t, &moved);
	return r == -ESTALE ? 0 : attempt_explain(&a, r, "the page does not handle the mouse");
}

int action_wait(struct task *t, struct frame *f, const char *selector, usec_t timeout, const char **ret_element)
{
	struct attempt a = attempt_start(t, f, selector, NULL, timeout);
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	do
		r = attempt_prepare(&a, "waitForSight", "{}", &value);
	while (attempt_can_retry(&a, r));
	if (r == 0)
		*ret_element = arena_strdup(task_arena(t), json_str(value, "element"));
	return r;
}

/* The keystrokes of a text in order: from `list` where the page has split the text into characters, otherwise byte by byte. */
struct typing {
	struct attempt *a;
	const struct json *list;
	const char *text;
	char buffer[2];
	unsigned sent; /* keystrokes so far */
	bool tabs_leave;
};

static bool more_strokes(const struct typing *y)
{
	return y->list || *y->text;
}

/* Returns a character or a text that no key types. Line breaks are "\n". */
static const char *next_stroke(struct typing *y)
{
	const char *stroke;

	y->sent++;
	if (!y->list) {
		y->buffer[0] = *y->text++;
		return y->buffer;
	}
	stroke = json_text(y->list, NULL);
	y->list = json_next(y->list);
	return strcmp(stroke, "\r\n") == 0 || strcmp(stroke, "\r") == 0 ? "\n" : stroke;
}

static bool stroke_key(const struct typing *y, const char *stroke, struct keystroke *ret)
{
	return !stroke[1] && (stroke[0] != '\t' || y->tabs_leave) && keystroke_for_char(stroke[0], ret);
}

static void send_stroke(const struct typing *y, struct engine_call *last, const char *stroke)
{
	struct attempt *a = y->a;
	struct keystroke k;

	if (stroke_key(y, stroke, &k))
		input_key(a->t, a->page, last, &k);
	else
		engine_text(a->t, page_target(a->page), last, stroke);
}

/* The timeout applies to each batch of keys, not to the whole text, because the time for a text grows with its length. */
static int await_keys(struct attempt *a, struct engine_call *last)
{
	int r;

	task_set_deadline(a->t, clock_now() + a->timeout + LIMIT_BUSY);
	r = engine_await(a->t, last);
	if (r == -ESTALE) /* a key has closed the page */
		return 0;
	return attempt_explain(a, r, "the page handles the keys too slowly");
}

static int send_batch(struct typing *y, unsigned count)
{
	_cleanup_(engine_call_done) struct engine_call last = {};

	for (bool more = true; more;) {
		const char *stroke = next_stroke(y);

		more = --count > 0 && more_strokes(y);
		send_stroke(y, more ? NULL : &last, stroke);
	}
	return await_keys(y->a, &last);
}

/*
 * Advances `y` from the start of a batch past the keystrokes that the page has received. -ENOENT: the page missed one in
 * between.
 */
static int skip_received(struct typing *y, const struct json *seen)
{
	json_foreach(e, seen) {
		struct keystroke k;
		const char *stroke = more_strokes(y) ? next_stroke(y) : "";

		if (strcmp(stroke_key(y, stroke, &k) ? k.key : stroke, json_str(e, NULL) ? json_str(e, NULL) : "") != 0)
			return -ENOENT;
	}
	return 0;
}

/*
 * The browser drops keys while a dialog is open. Waits until the page runs again, then resets `y` to the first keystroke
 * of the batch starting at `before` that the page did not receive.
 */
static int resume_after_dialog(struct typing *y, struct typing before)
{
	_cleanup_(json_freep) struct json *seen = NULL;
	int r;

	r = frame_script(y->a->t, y->a->f, &seen, "strokesSeen", "{skipped: ?}", before.sent);
	if (attempt_can_retry(y->a, r))
		return 0;
	if (r < 0)
		return attempt_explain(y->a, r, "the page does not answer");
	if (json_type(seen) != JSON_ARRAY) /* a key started a navigation to another document */
		return 0;
	if (skip_received(&before, seen) < 0)
		return task_fail(y->a->t, -ERR_BROWSER_ERROR,
				 "some of the first %u keys were lost because the page opened a dialog while they were typed; type "
				 "with a delay, which waits for each key",
				 y->sent);
	*y = before;
	return 0;
}

/* Once a key has opened a dialog, the remaining keys are sent one at a time, so that none of them is lost to the next dialog. */
static int send_keys(struct typing *y, usec_t delay)
{
	unsigned together = delay > 0 ? 1 : KEYS_PER_BATCH;
	int r = 0;

	while (more_strokes(y) && frame_alive(y->a->f)) {
		struct typing before = *y;
		size_t dialogs = page_dialog_note_length(y->a->page);

		r = input_goes_on(y->a->t, y->sent);
		if (r == 0)
			r = send_batch(y, together);
		if (r == 0 && page_dialog_note_length(y->a->page) != dialogs) {
			together = 1;
			r = resume_after_dialog(y, before);
		}
		if (r == 0 && delay > 0 && more_strokes(y)) {
			task_set_deadline(y->a->t, USEC_NEVER);
			r = task_sleep(y->a->t, delay);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

/* Deletes the selected text with a key press, for texts that begin with a key that does not replace the selection (Enter, Tab). */
static int erase(struct typing *y)
{
	_cleanup_(engine_call_done) struct engine_call last = {};
	struct keystroke delete;
	const char *unknown;
	int length, r;

	r = keystroke_parse("Delete", &delete, &unknown, &length);
	if (r < 0)
		return r;
	input_key(y->a->t, y->a->page, &last, &delete);
	y->sent++;
	return await_keys(y->a, &last);
}

static int action_insert(struct attempt *a, const char *text)
{
	_cleanup_(engine_call_done) struct engine_call last = {};

	engine_text(a->t, page_target(a->page), &last, text);
	return await_keys(a, &last);
}

int action_type(struct task *t, struct frame *f, const struct type_action *type, const char **ret_element)
{
	struct attempt a = attempt_start(t, f, type->selector, type->target, type->timeout);
	_cleanup_(json_freep) struct json *value = NULL;
	_cleanup_(str_done) struct str options = {};
	struct typing y = { .a = &a, .tabs_leave = type->tabs_leave };
	int r;

	str_json(&options, "{text: ?, clear: ?, atOnce: ?, anyKeys: ?}", type->text, type->clear, type->at_once, type->any_keys);
	do
		r = attempt_gesture(&a, "prepareType", options.data, &value);
	while (attempt_can_retry(&a, r));
	if (r < 0)
		return r;
	*ret_element = arena_strdup(task_arena(t), json_str(value, "element"));
	if (json_bool(value, "done", false))
		return 0;
	if (type->at_once && type->text[0])
		return action_insert(&a, type->text);
	if (type->clear &&
	    strchr("\n\r\t", type->text[0])) { /* strchr() also finds the terminating NUL: an empty text erases as well */
		r = erase(&y);
		if (r < 0)
			return r;
	}
	y.list = json_first(json_get(value, "keystrokes"));
	y.text = y.list ? "" : type->text;
	return send_keys(&y, type->delay);
}

int action_select(struct task *t, struct frame *f, const struct select_action *select, const char **ret_element)
{
	struct attempt a = attempt_start(t, f, NULL, select->target, select->timeout);
	_cleanup_(json_freep) struct json *value = NULL;
	_cleanup_(str_done) struct str options = {};
	int r;

	str_json(&options, "{values: ?, byLabel: ?, patience: ?}", JSON_RAW(select->values), select->by_label,
		 select->patience / USEC_PER_MSEC);
	do
		r = attempt_gesture(&a, "selectOptions", options.data, &value);
	while (attempt_can_retry(&a, r));
	if (r == 0)
		*ret_element = arena_strdup(task_arena(t), json_str(value, "element"));
	return r;
}

/* Returns 1 when the element is in the wanted state, or when `clicked` is set and the script accepts its state; otherwise 0. */
static int check_state(struct task *t, struct frame *f, const struct check_action *check, bool clicked)
{
	struct attempt a = attempt_start(t, f, NULL, check->target, check->timeout);
	_cleanup_(json_freep) struct json *value = NULL;
	_cleanup_(str_done) struct str options = {};
	int r;

	str_json(&options, "{checked: ?, clicked: ?}", check->checked, clicked);
	r = attempt_prepare(&a, "checkState", options.data, &value);
	return r < 0 ? r : json_bool(value, "done", false);
}

int action_check(struct task *t, struct frame *f, const struct check_action *check, const char **ret_element)
{
	unsigned commits = frame_commits(f);
	int r;

	*ret_element = "";
	r = check_state(t, f, check, false);
	if (r != 0)
		return MIN(r, 0);
	r = action_click(t, f,
			 &(const struct click_action){
				 .target = check->target,
				 .timeout = check->timeout,
				 .count = 1,
				 .force = check->force,
				 .trial = check->trial,
				 .place = check->place,
			 },
			 ret_element);
	if (r < 0 || check->trial || !frame_alive(f) || frame_commits(f) != commits ||
	    page_navigating(frame_page(f))) /* the click navigated to another document */
		return r;
	r = check_state(t, f, check, true);
	return r == -ESTALE ? 0 : MIN(r, 0);
}
