/*
 * Dragging and dropping. The button is pressed on the source and the mouse moves a few pixels, so that the page starts
 * the drag before the target is scrolled into view; then the mouse moves to the target.
 *
 * An HTML drag is intercepted (page/drag.h): the browser reports the drag data, and the remaining steps are drag events with it.
 */
#include <errno.h>
#include <string.h>

#include "act/action.h"
#include "act/attempt.h"
#include "base/error.h"
#include "cdp/cdp.h"
#include "page/drag.h"
#include "page/frame.h"

#define FIRST_MOVE 6 /* CSS pixels; an HTML drag starts after 3 (for links 40, which the way to the target exceeds) */
#define DRAG_DATA_TIMEOUT (1 * USEC_PER_SEC) /* limit for Input.dragIntercepted after the page's dragstart */

static const struct point outside = { -1, -1 };

struct drag {
	struct task *t;
	_kept_ struct page *page;
	struct attempt from, to;
	const struct drag_action *action;
	struct drag_receiver receiver;
	struct str data; /* what the page drags, CDP's DragData as JSON; empty: nothing */
	bool held;       /* the button is pressed */
	struct point at; /* mouse position */
};

static void on_started(struct drag_receiver *r, const struct json *data)
{
	struct drag *d = CONTAINER_OF(r, struct drag, receiver);

	str_reset(&d->data);
	json_print(&d->data, data);
}

static bool has_data(const struct drag *d)
{
	return d->data.len > 0;
}

static int mouse(struct drag *d, const char *type, struct point at)
{
	_cleanup_(cdp_call_done) struct cdp_call last = {};

	input_drag_mouse(d->t, d->page, &last, type, at);
	d->at = at;
	d->held = strcmp(type, "mouseReleased") != 0;
	return attempt_explain(&d->from, cdp_await(d->t, &last), "the page does not handle the mouse");
}

/* Returns 1 when another element would have received the press; the page has not seen it then. */
static int try_press(struct drag *d, bool again)
{
	const char *element;
	struct point at;
	int r;

	r = attempt_find_point(&d->from,
			       &(const struct point_options){
				       .force = d->action->force,
				       .presses = 1,
				       .drags = true,
				       .again = again,
				       .place = d->action->source_place,
			       },
			       &at, &element);
	if (r < 0 || d->action->trial)
		return r;
	frame_reset_press(d->from.f);
	input_click(d->t, d->page, NULL, at, MOUSE_LEFT, 0, 0);
	r = mouse(d, "mousePressed", at);
	if (r == 0 && !d->action->force)
		r = attempt_press_result(&d->from);
	if (r > 0)
		r = mouse(d, "mouseReleased", at) < 0 ? -ESTALE : 1;
	return r;
}

static int press_source(struct drag *d)
{
	int r = 0;

	do
		r = try_press(d, r > 0);
	while (r > 0 || attempt_can_retry(&d->from, r));
	return r;
}

/* The page has allowed a drag; waits until the browser reports its data. */
static int wait_for_data(struct drag *d)
{
	usec_t outer = task_set_deadline(d->t, MIN(task_deadline(d->t), clock_now() + DRAG_DATA_TIMEOUT));
	int r = 0;

	while (r == 0 && !has_data(d) && page_alive(d->page))
		r = waitq_wait(d->t, page_changed(d->page), "Input.dragIntercepted");
	task_set_deadline(d->t, outer);
	return r == -ETIMEDOUT ? 0 : r; /* no data comes if, for example, the source was removed */
}

/* Waits for the drag data if the page has allowed a drag. A document that was replaced meanwhile has no drag. */
static int check_started(struct drag *d)
{
	_cleanup_(json_freep) struct json *prevented = NULL;
	int r;

	r = frame_script(d->t, d->from.f, &prevented, "dragPrevented", "{type: 'dragstart'}");
	if (r == -ESTALE && page_alive(d->page))
		return 0;
	if (r < 0)
		return attempt_explain(&d->from, r, "the page does not answer");
	return json_bool(prevented, NULL, true) ? 0 : wait_for_data(d);
}

/* Moves the mouse unless an HTML drag is active, then checks whether the move started one. */
static int move_mouse(struct drag *d, struct point at)
{
	int r;

	if (has_data(d))
		return 0;
	r = mouse(d, "mouseMoved", at);
	return r < 0 ? r : check_started(d);
}

static int move_off_start(struct drag *d)
{
	return move_mouse(d, (struct point){ d->at.x + (d->at.x > FIRST_MOVE ? -FIRST_MOVE : FIRST_MOVE), d->at.y });
}

/* Moves to a point: with a drag event if an HTML drag is active, with the mouse otherwise. */
static int move_to(struct drag *d, struct point at)
{
	_cleanup_(cdp_call_done) struct cdp_call over = {};

	if (!has_data(d))
		return move_mouse(d, at);
	input_drag_data(d->t, d->page, &over, "dragOver", at, arena_strdup(task_arena(d->t), d->data.data));
	d->at = at;
	return attempt_explain(&d->to, cdp_await(d->t, &over), "the page does not handle the drag");
}

/* Moves in steps, because sliders and sortable lists follow the mouse step by step. */
static int move_in_steps(struct drag *d, struct point to)
{
	struct point from = d->at;
	unsigned steps = d->action->steps;
	int r = 0;

	for (unsigned i = 1; r == 0 && i <= steps; i++)
		r = move_to(d, (struct point){ from.x + (to.x - from.x) * i / (steps + 1),
					       from.y + (to.y - from.y) * i / (steps + 1) });
	return r;
}

static int find_target(struct drag *d, struct point *ret_at)
{
	const struct point_options how = { .force = d->action->force, .drags = true, .place = d->action->target_place };
	const char *element;
	int r;

	do
		r = attempt_find_point(&d->to, &how, ret_at, &element);
	while (attempt_can_retry(&d->to, r));
	return r;
}

/*
 * Moves to the target and sends two moves there: many mouse listeners take the first move as the start of the drag and
 * read the position from later ones.
 */
static int move_to_target(struct drag *d, struct point *ret_at)
{
	int r = find_target(d, ret_at);

	if (r == 0)
		r = move_in_steps(d, *ret_at);
	if (r == 0)
		r = move_mouse(d, (struct point){ ret_at->x - 1, ret_at->y });
	if (r == 0)
		r = move_mouse(d, *ret_at);
	return r;
}

/* Drags data over the point, then drops it. `accepted`, unless NULL, is called in between. */
static int drop_at(struct attempt *a, struct point at, const char *data, int (*accepted)(struct attempt *a))
{
	_cleanup_(cdp_call_done) struct cdp_call over = {}, drop = {};
	int r;

	input_drag_data(a->t, a->page, NULL, "dragEnter", at, data);
	input_drag_data(a->t, a->page, &over, "dragOver", at, data);
	r = attempt_explain(a, cdp_await(a->t, &over), "the page does not handle the drag");
	if (r == 0 && accepted)
		r = accepted(a);
	if (r < 0)
		return r;
	input_drag_data(a->t, a->page, &drop, "drop", at, data);
	return attempt_explain(a, cdp_await(a->t, &drop), "the page got the drop, but its handler has not returned");
}

static int release(struct drag *d, struct point at)
{
	int r;

	if (!has_data(d))
		return mouse(d, "mouseReleased", at);
	r = drop_at(&d->to, at, arena_strdup(task_arena(d->t), d->data.data), NULL);
	if (r == 0)
		d->held = false;
	return r;
}

/* Cancels a drag that is still active, or releases the button outside of all elements. */
static void end_drag(struct drag *d)
{
	struct page *p = d->page;

	if (page_alive(p) && d->held && has_data(d))
		input_drag_data(d->t, p, NULL, "dragCancel", d->at, d->data.data);
	else if (page_alive(p) && d->held)
		input_drag_mouse(d->t, p, NULL, "mouseReleased", outside);
	if (d->action->trial)
		action_cancel(d->t, d->from.f);
	page_set_drag_receiver(p, NULL);
	str_done(&d->data);
}

static int drag(struct drag *d, bool *ret_pressed)
{
	struct point at;
	int r;

	r = press_source(d);
	if (r < 0)
		return r;
	*ret_pressed = true;
	if (d->action->trial)
		return find_target(d, &at);
	r = move_off_start(d);
	if (r == 0)
		r = move_to_target(d, &at);
	return r < 0 ? r : release(d, at);
}

int action_drag(struct task *t, const struct drag_action *action, bool *ret_pressed)
{
	struct drag d = { .t = t, .page = frame_page(action->from), .action = action };
	int r;

	*ret_pressed = false;
	d.from = attempt_start(t, action->from, NULL, action->source, action->timeout);
	d.to = d.from;
	d.to.f = action->to;
	d.to.target = action->target;
	d.receiver.started = on_started;
	page_set_drag_receiver(d.page, &d.receiver);
	r = drag(&d, ret_pressed);
	end_drag(&d);
	return r;
}

/* Whether the page accepts the drop. A frame in the target may accept it, which the document of the target cannot see. */
static int is_accepted(struct attempt *a)
{
	_cleanup_(json_freep) struct json *prevented = NULL;
	int r;

	r = frame_script(a->t, a->f, &prevented, "dragPrevented", "{type: 'dragover'}");
	if (r < 0)
		return attempt_explain(a, r, "the page does not answer");
	if (json_bool(prevented, NULL, true))
		return 0;
	return task_fail(a->t, -EACCES, "Drop target did not accept the drop — its dragover handler did not call preventDefault()");
}

int action_drop(struct task *t, struct frame *f, const struct drop_action *action)
{
	struct attempt a = attempt_start(t, f, NULL, action->target, action->timeout);
	const char *element;
	struct point at;
	int r;

	do
		r = attempt_find_point(&a, &(const struct point_options){ .drags = true }, &at, &element);
	while (attempt_can_retry(&a, r));
	if (r < 0)
		return r;
	r = drop_at(&a, at, action->data, is_accepted);
	if (r < 0 && page_alive(a.page)) { /* the page rejected the data: cancel the drag */
		input_drag_data(t, a.page, NULL, "dragOver", outside, action->data);
		input_drag_data(t, a.page, NULL, "dragCancel", outside, action->data);
	}
	return r;
}
