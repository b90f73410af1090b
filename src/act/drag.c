/*
 * Dragging and dropping. The button is pressed on the source and the mouse moves a few pixels, so that the page starts
 * the drag before the target is scrolled into view; then the mouse moves to the target. Pages rearrange themselves when a
 * drag starts: they insert placeholders, move cards below the pointer and switch pointer events off. A target that was in
 * view before is therefore taken where it was then if it can no longer be hit.
 *
 * An HTML drag is intercepted (page/drag.h): the browser reports the drag data, and the remaining steps are drag events with it.
 */
#include <errno.h>
#include <math.h>

#include "act/action.h"
#include "act/attempt.h"
#include "base/error.h"
#include "engine/input.h"
#include "page/drag.h"
#include "page/frame.h"

#define FIRST_MOVE 6 /* CSS pixels; an HTML drag starts after 3 (for links 40, which the way to the target exceeds) */
#define BESIDE 8     /* a target is beside the start if it is so many times farther across than up or down */
#define DWELL \
	(60 * USEC_PER_MSEC) /* above the target; libraries that emulate drags poll the mouse position, SortableJS every 50 ms */
#define DRAG_DATA_TIMEOUT (1 * USEC_PER_SEC) /* limit for the report of a drag after the page's dragstart */

static const struct point outside = { -1, -1 };

struct drag {
	struct task *t;
	_kept_ struct page *page;
	struct attempt from, to;
	const struct drag_action *action;
	struct drag_receiver receiver;
	struct str data; /* what the page drags, as engine_drag() takes it; empty: nothing */
	bool held;       /* the button is pressed */
	struct point at; /* mouse position */
	bool was_in_view;
	struct point place; /* of the target before the drag started, if it was in view */
};

static void drag_on_started(struct drag_receiver *r, const char *data)
{
	struct drag *d = CONTAINER_OF(r, struct drag, receiver);

	str_reset(&d->data);
	str_append(&d->data, data);
}

static bool has_data(const struct drag *d)
{
	return d->data.len > 0;
}

static int mouse(struct drag *d, enum mouse_event_type type, struct point at)
{
	_cleanup_(engine_call_done) struct engine_call last = {};

	input_drag(d->t, d->page, &last, type, at);
	d->at = at;
	d->held = type != MOUSE_RELEASED;
	return attempt_explain(&d->from, engine_await(d->t, &last), "the page does not handle the mouse");
}

/* Returns 1 when another element would have received the press; the page has not seen it then. */
static int try_press(struct drag *d, bool again)
{
	const char *element;
	struct point at;
	int r;

	r = attempt_find_start(&d->from,
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
	r = mouse(d, MOUSE_PRESSED, at);
	if (r == 0 && !d->action->force)
		r = attempt_press_result(&d->from);
	if (r > 0)
		r = mouse(d, MOUSE_RELEASED, at) < 0 ? -ESTALE : 1;
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
static int drag_wait_for_data(struct drag *d)
{
	usec_t outer = task_set_deadline(d->t, MIN(task_deadline(d->t), clock_now() + DRAG_DATA_TIMEOUT));
	int r = 0;

	while (r == 0 && !has_data(d) && page_alive(d->page))
		r = waitq_wait(d->t, page_changed(d->page), "the data of a drag");
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
	return json_bool(prevented, NULL, true) ? 0 : drag_wait_for_data(d);
}

/* Moves the mouse unless an HTML drag is active, then checks whether the move started one. */
static int drag_move_mouse(struct drag *d, struct point at)
{
	int r;

	if (has_data(d))
		return 0;
	r = mouse(d, MOUSE_MOVED, at);
	return r < 0 ? r : check_started(d);
}

/* The first move, towards the target where it is known, so that a line that the page draws has no tail. */
static int move_off_start(struct drag *d)
{
	struct point way = { d->place.x - d->at.x, d->place.y - d->at.y };
	double length = d->was_in_view ? hypot(way.x, way.y) : 0;

	if (length > 0)
		way = (struct point){ way.x / length * FIRST_MOVE, way.y / length * FIRST_MOVE };
	else
		way = (struct point){ d->at.x > FIRST_MOVE ? -FIRST_MOVE : FIRST_MOVE, 0 };
	return drag_move_mouse(d, (struct point){ d->at.x + way.x, d->at.y + way.y });
}

/* Moves to a point: with a drag event if an HTML drag is active, with the mouse otherwise. */
static int drag_move_to(struct drag *d, struct point at)
{
	_cleanup_(engine_call_done) struct engine_call over = {};

	if (!has_data(d))
		return drag_move_mouse(d, at);
	engine_drag(d->t, page_target(d->page), &over, DRAG_OVER, at, arena_strdup(task_arena(d->t), d->data.data));
	d->at = at;
	return attempt_explain(&d->to, engine_await(d->t, &over), "the page does not handle the drag");
}

/* Moves in steps, because sliders and sortable lists follow the mouse step by step. */
static int move_in_steps(struct drag *d, struct point to)
{
	struct point from = d->at;
	unsigned steps = d->action->steps;
	int r = 0;

	for (unsigned i = 1; r == 0 && i <= steps; i++)
		r = drag_move_to(d, (struct point){ from.x + (to.x - from.x) * i / (steps + 1),
						    from.y + (to.y - from.y) * i / (steps + 1) });
	return r;
}

/* Waits until the element can receive the mouse, again in each new document of its frame. */
static int await_point(struct attempt *a, const struct point_options *how, struct point *ret)
{
	const char *element;
	int r;

	do
		r = attempt_find_point(a, how, ret, &element);
	while (attempt_can_retry(a, r));
	return r;
}

static struct point_options target_options(const struct drag *d)
{
	return (struct point_options){ .force = d->action->force, .drags = true, .place = d->action->target_place };
}

/*
 * Waits for the target. The element that the locator led to before the drag is the target as long as it exists, because
 * placeholders change what a locator like li:nth-child(2) leads to.
 */
static int wait_for_target(struct drag *d, struct point *ret_at)
{
	const struct point_options how = target_options(d);
	int r = await_point(&d->to, &how, ret_at);

	if (r != -ERR_REF_NOT_FOUND || d->to.target == d->action->target)
		return r;
	d->to.target = d->action->target;
	return wait_for_target(d, ret_at);
}

static int look_at_target(struct drag *d, struct point *ret_at)
{
	int r = d->action->force ? 0 : attempt_look(&d->to, target_options(d), ret_at);

	return attempt_can_retry(&d->to, r) ? 0 : r;
}

static int find_target(struct drag *d, struct point *ret_at)
{
	int r;

	if (!d->was_in_view)
		return wait_for_target(d, ret_at);
	r = look_at_target(d, ret_at);
	if (r == 0)
		*ret_at = d->place;
	return MIN(r, 0);
}

/* The last move: vertical, unless the target is nearly beside the start. Lists that wrap go by rows first. */
static struct point last_step(struct point from, struct point to)
{
	double x = to.x - from.x, y = to.y - from.y;

	if (fabs(y) * BESIDE < fabs(x) || y == 0)
		return (struct point){ x < 0 ? -1 : 1, 0 };
	return (struct point){ 0, y < 0 ? -1 : 1 };
}

/* The next whole pixel beyond the coordinate in the direction `step`, which is -1 or 1; 0: the coordinate itself. */
static double beyond(double at, double step)
{
	return step < 0 ? ceil(at) - 1 : step > 0 ? floor(at) + 1 : at;
}

/*
 * Moves to the target and sends two moves there: many mouse listeners take the first move as the start of the drag and
 * read the position from later ones. Sortable lists make room when the mouse has passed the middle of an item, and mouse
 * events have whole pixels, so the last move ends one pixel beyond the middle.
 */
static int move_to_target(struct drag *d, struct point *ret_at)
{
	struct point step;
	int r = find_target(d, ret_at);

	if (r < 0)
		return r;
	step = last_step(d->at, *ret_at);
	if (!d->action->target_place)
		*ret_at = (struct point){ beyond(ret_at->x, step.x), beyond(ret_at->y, step.y) };
	r = move_in_steps(d, *ret_at);
	if (r == 0)
		r = drag_move_mouse(d, (struct point){ ret_at->x - step.x, ret_at->y - step.y });
	if (r == 0)
		r = drag_move_mouse(d, *ret_at);
	return r < 0 || has_data(d) ? r : task_sleep(d->t, DWELL);
}

/* Drags data over the point, then drops it. `accepted`, unless NULL, is called in between. */
static int drop_at(struct attempt *a, struct point at, const char *data, int (*accepted)(struct attempt *a))
{
	_cleanup_(engine_call_done) struct engine_call over = {}, drop = {};
	int r;

	engine_drag(a->t, page_target(a->page), NULL, DRAG_ENTER, at, data);
	engine_drag(a->t, page_target(a->page), &over, DRAG_OVER, at, data);
	r = attempt_explain(a, engine_await(a->t, &over), "the page does not handle the drag");
	if (r == 0 && accepted)
		r = accepted(a);
	if (r < 0)
		return r;
	engine_drag(a->t, page_target(a->page), &drop, DRAG_DROP, at, data);
	return attempt_explain(a, engine_await(a->t, &drop), "the page got the drop, but its handler has not returned");
}

static int drag_release(struct drag *d, struct point at)
{
	int r;

	if (!has_data(d))
		return mouse(d, MOUSE_RELEASED, at);
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
		engine_drag(d->t, page_target(p), NULL, DRAG_CANCEL, d->at, d->data.data);
	else if (page_alive(p) && d->held)
		input_drag(d->t, p, NULL, MOUSE_RELEASED, outside);
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
		return wait_for_target(d, &at);
	r = look_at_target(d, &d->place);
	if (r < 0)
		return r;
	d->was_in_view = r > 0;
	r = move_off_start(d);
	if (r == 0)
		r = move_to_target(d, &at);
	return r < 0 ? r : drag_release(d, at);
}

int action_drag(struct task *t, const struct drag_action *action, bool *ret_pressed)
{
	struct drag d = { .t = t, .page = frame_page(action->from), .action = action };
	_cleanup_(str_done) struct str handle = {};
	int r;

	*ret_pressed = false;
	d.from = attempt_start(t, action->from, NULL, action->source, action->timeout);
	d.to = d.from;
	d.to.f = action->to;
	str_json(&handle, "{ref: ?}", action->target_handle);
	d.to.target = handle.data;
	d.receiver.started = drag_on_started;
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
	_cleanup_(str_done) struct str data = {};
	struct point at;
	const char *element;
	int r;

	do
		r = attempt_find_start(&a, &(const struct point_options){ .drags = true }, &at, &element);
	while (attempt_can_retry(&a, r));
	if (r < 0)
		return r;
	engine_print_drag(page_target(a.page), &data, &action->data);
	r = drop_at(&a, at, data.data, is_accepted);
	if (r < 0 && page_alive(a.page)) { /* the page rejected the data: cancel the drag */
		engine_drag(t, page_target(a.page), NULL, DRAG_OVER, outside, data.data);
		engine_drag(t, page_target(a.page), NULL, DRAG_CANCEL, outside, data.data);
	}
	return r;
}
