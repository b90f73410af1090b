#include "act/attempt.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

#include "act/action.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "loop/gate.h"
#include "page/frames.h"
#include "page/frame.h"

#define SAME_POINT_DISTANCE 1.0 /* CSS pixels */
#define PRESS_REPORT_TIMEOUT \
	(3 * USEC_PER_MSEC) /* grace period for the page's press report after the input events are acknowledged */

struct attempt attempt_start(struct task *t, struct frame *f, const char *selector, const char *target, usec_t timeout)
{
	_cleanup_(str_done) struct str named = {};
	usec_t now = clock_now();

	if (!target) {
		assert(selector);
		str_json(&named, "{selector: ?}", selector);
		target = arena_strdup(task_arena(t), named.data);
	}
	task_set_deadline(t, now + timeout + LIMIT_BUSY);
	return (struct attempt){ .t = t, .f = f, .page = frame_page(f), .target = target, .timeout = timeout, .started = now };
}

/* Ends what prepareClick() began in the page. Sent without waiting, so a page that is busy handles it later. */
void action_cancel(struct task *t, struct frame *f)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	if (frame_alive(f) && frame_world(f) != 0)
		(void)frame_script_send(t, f, &call, "endClick", "{}");
}

int attempt_explain(struct attempt *a, int r, const char *what)
{
	if (r != -ETIMEDOUT && r != -ECANCELED && r != -EINTR)
		return r;
	action_cancel(a->t, a->f);
	if (r != -ETIMEDOUT)
		return r;
	page_set_busy(a->page);
	if (frame_alive(a->f)) /* input goes to the page, also that for a frame in another process */
		engine_doubt(frame_target(a->f));
	return task_fail(a->t, -ERR_BROWSER_ERROR,
			 "Timeout %llu ms exceeded: %s; a script that does not end may keep it busy, navigate ends it",
			 (unsigned long long)(a->timeout / USEC_PER_MSEC), what);
}

bool attempt_can_retry(const struct attempt *a, int r)
{
	return r == -ESTALE && frame_alive(a->f);
}

/* The argument of all scripts that wait for an element (scripts/click.js, scripts/typing.js). */
static const char *print_request(struct attempt *a, const char *options)
{
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{target: ?, timeout: ?, elapsed: ?, options: ?}", JSON_RAW(a->target), (double)a->timeout / USEC_PER_MSEC,
		 (double)(clock_now() - a->started) / USEC_PER_MSEC, JSON_RAW(options));
	return arena_strdup(task_arena(a->t), text.data);
}

int attempt_prepare(struct attempt *a, const char *function, const char *options, struct json **ret)
{
	int r;

	r = frame_script(a->t, a->f, ret, function, "?", JSON_RAW(print_request(a, options)));
	return attempt_explain(a, r, "the page does not answer");
}

int attempt_gesture(struct attempt *a, const char *function, const char *options, struct json **ret)
{
	int r = gate_pass(a->t);

	if (r < 0)
		return r;
	r = frame_gesture(a->t, a->f, ret, function, print_request(a, options));
	return attempt_explain(a, r, "the page does not answer");
}

static void append_point_options(struct str *options, const struct point_options *how, const char *obstacle)
{
	str_json(options, "{force: ?, presses: ?, drags: ?, inView: ?, again: ?, obstacle: ?", how->force, how->presses, how->drags,
		 how->in_view, (bool)(how->again || obstacle), JSON_RAW(obstacle ? obstacle : "null"));
	if (how->place)
		str_json(options, ", place: {x: ?, y: ?}", how->place->x, how->place->y);
	str_append(options, "}");
}

const char *attempt_click_request(struct task *t, const struct point_options *how, usec_t timeout)
{
	_cleanup_(str_done) struct str options = {}, text = {};

	append_point_options(&options, how, NULL);
	str_json(&text, "{timeout: ?, options: ?}", (double)timeout / USEC_PER_MSEC, JSON_RAW(options.data));
	return arena_strdup(task_arena(t), text.data);
}

static int ask_point(struct attempt *a, const struct point_options *how, const char *obstacle, struct json **ret)
{
	_cleanup_(str_done) struct str options = {};

	append_point_options(&options, how, obstacle);
	return attempt_prepare(a, "prepareClick", options.data, ret);
}

/* The point that prepareClick() returned, in the page's viewport. `ret_obstacle`, unless NULL, is set if something outside its frame covers it. */
static int take_point(struct attempt *a, const struct json *value, struct point *ret, const char **ret_obstacle)
{
	*ret = (struct point){ json_num(value, "x", 0), json_num(value, "y", 0) };
	return attempt_explain(a, frame_to_page(a->t, a->f, json_get(value, "offset"), ret, ret_obstacle),
			       "the page does not answer");
}

static int find_point_once(struct attempt *a, const struct point_options *how, const char **obstacle, struct point *ret,
			   const char **ret_element)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const struct json *value = TAKE_PTR(a->point);
	int r;

	if (!value) {
		r = ask_point(a, how, *obstacle, &reply);
		if (r < 0)
			return r;
		value = reply;
	}
	*ret_element = arena_strdup(task_arena(a->t), json_str(value, "element"));
	*obstacle = NULL;
	return take_point(a, value, ret, how->force ? NULL : obstacle);
}

/*
 * The document of the element cannot see what covers a frame of another process. The script receives that obstacle from
 * here and continues to wait.
 */
int attempt_find_point(struct attempt *a, const struct point_options *how, struct point *ret, const char **ret_element)
{
	const char *obstacle = NULL;
	int r;

	do
		r = find_point_once(a, how, &obstacle, ret, ret_element);
	while (r == 0 && obstacle);
	if (r == 0)
		a->at = *ret;
	return r;
}

/* What the page script observes for the press ends while the task waits: it would take the input of others for the press. */
int attempt_find_start(struct attempt *a, const struct point_options *how, struct point *ret, const char **ret_element)
{
	struct gate *g = task_gate(a->t);
	int r;

	do {
		r = attempt_find_point(a, how, ret, ret_element);
		if (r < 0)
			return r;
		if (g && g->closed)
			action_cancel(a->t, a->f);
		r = gate_pass(a->t);
	} while (r > 0);
	return r;
}

int attempt_look(struct attempt *a, struct point_options how, struct point *ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	const char *obstacle = NULL;
	int r;

	how.in_view = true;
	r = ask_point(a, &how, NULL, &value);
	if (r < 0 || json_type(value) != JSON_OBJECT)
		return r;
	r = take_point(a, value, ret, &obstacle);
	return r < 0 ? r : !obstacle;
}

/*
 * The document did not report the press: a listener of the page may have stopped the event before our listener, or
 * another document received it. The element received it if it is still at the place where the press was sent (0), and may have
 * missed it if it has moved (1).
 */
static int has_moved(struct attempt *a, const struct json *place)
{
	struct point now = { json_num(place, "x", 0), json_num(place, "y", 0) };
	int r;

	r = frame_to_page(a->t, a->f, json_get(place, "offset"), &now, NULL);
	if (r < 0)
		return attempt_explain(a, r, "the page does not answer");
	return fabs(now.x - a->at.x) > SAME_POINT_DISTANCE || fabs(now.y - a->at.y) > SAME_POINT_DISTANCE;
}

/*
 * Requests the result of a press that the page has not reported yet. A report arrives before the reply, even if the
 * reply comes from a newer document.
 */
static int ask_press_result(struct attempt *a)
{
	_cleanup_(json_freep) struct json *place = NULL;
	int r;

	r = frame_script(a->t, a->f, &place, "endClick", "{}");
	if (frame_press(a->f) != PRESS_UNKNOWN)
		return frame_press(a->f) == PRESS_BLOCKED;
	if (r < 0)
		return attempt_explain(a, r, "the page does not answer");
	return json_type(place) == JSON_OBJECT ? has_moved(a, place) : -ESTALE;
}

/*
 * The page's report is not ordered with the acknowledgement of the input events and often arrives a moment later.
 * Waiting that moment costs less than a request.
 */
int attempt_press_result(struct attempt *a)
{
	usec_t outer = task_set_deadline(a->t, MIN(task_deadline(a->t), clock_now() + PRESS_REPORT_TIMEOUT));
	int r = 0;

	while (r == 0 && frame_press(a->f) == PRESS_UNKNOWN && page_alive(a->page))
		r = waitq_wait(a->t, page_changed(a->page), "the result of the press");
	task_set_deadline(a->t, outer);
	if (frame_press(a->f) != PRESS_UNKNOWN)
		return frame_press(a->f) == PRESS_BLOCKED;
	return r == -ETIMEDOUT || r == 0 ? ask_press_result(a) : r;
}
