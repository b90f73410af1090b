/*
 * Dragging: the browser reports the data of an HTML drag that a move starts (page/drag.h). From then on the moves are drag events
 * with this data, and the release is the drop.
 */
#include "act/mouse.h"

#include <errno.h>

#include "page/drag.h"
#include "page/frame.h"
#include "page/mouse.h"

#define DRAG_DATA_TIMEOUT (1 * USEC_PER_SEC) /* limit for the report of a drag after the page's dragstart */

/* The event at the place of the mouse. `last` may be NULL. */
static void send_event(struct task *t, struct page *p, struct engine_call *last, struct mouse_event e)
{
	e.at = page_mouse(p)->at;
	e.buttons = page_mouse(p)->buttons;
	engine_mouse(t, page_target(p), last, &e);
}

static int await_event(struct task *t, struct page *p, struct mouse_event e)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	send_event(t, p, &call, e);
	return engine_await(t, &call);
}

static int send_drag(struct task *t, struct page *p, enum drag_step step)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	engine_drag(t, page_target(p), &call, step, page_mouse(p)->at, page_mouse(p)->drag.data);
	return engine_await(t, &call);
}

static bool drags(struct page *p)
{
	return page_mouse(p)->drag.len > 0;
}

/* ---- the start of a drag ---- */

struct drag_start {
	struct drag_receiver receiver;
	_kept_ struct page *page;
};

static void mouse_on_started(struct drag_receiver *r, const char *data)
{
	struct drag_start *start = CONTAINER_OF(r, struct drag_start, receiver);
	struct str *drag = &page_mouse(start->page)->drag;

	str_reset(drag);
	str_append(drag, data);
}

/* A document that is replaced meanwhile starts no drag. */
static bool mouse_is_over(const struct page *p, int r)
{
	return r < 0 && (r != -ESTALE || !page_alive(p));
}

static int watch_drags(struct task *t, struct page *p, const struct frame_list *frames)
{
	int r = 0;

	for (size_t i = 0; i < frames->count && !mouse_is_over(p, r); i++)
		r = frame_script(t, frame_list_item(frames, i), NULL, "watchDrags", "{}");
	return mouse_is_over(p, r) ? r : 0;
}

/* Whether a drag began in one of the frames, which the page did not prevent. */
static int find_drag(struct task *t, struct page *p, const struct frame_list *frames)
{
	for (size_t i = 0; i < frames->count && !drags(p); i++) {
		_cleanup_(json_freep) struct json *prevented = NULL;
		int r = frame_script(t, frame_list_item(frames, i), &prevented, "dragPrevented", "{type: 'dragstart'}");

		if (mouse_is_over(p, r))
			return r;
		if (json_type(prevented) == JSON_BOOL && !json_bool(prevented, NULL, true))
			return 1;
	}
	return 0;
}

/* No data comes if, for example, the page has removed the source. */
static int mouse_wait_for_data(struct task *t, struct page *p)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + DRAG_DATA_TIMEOUT));
	int r = 0;

	while (r == 0 && !drags(p) && page_alive(p))
		r = waitq_wait(t, page_changed(p), "the data of a drag");
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT ? 0 : r;
}

/*
 * The report of a drag is not ordered with the reply to the move. So the documents, which see the start of a drag before the move is
 * acknowledged, say whether a report will come.
 */
static int move_and_look(struct task *t, struct page *p, const struct frame_list *frames, unsigned modifiers)
{
	int r;

	r = watch_drags(t, p, frames);
	if (r == 0)
		r = await_event(t, p,
				(struct mouse_event){
					.type = MOUSE_MOVED, .button = page_mouse(p)->pressed, .modifiers = modifiers });
	if (r == 0)
		r = find_drag(t, p, frames);
	if (r > 0)
		r = mouse_wait_for_data(t, p);
	return r;
}

/* A move with the left button pressed. */
static int move_pressed(struct task *t, struct page *p, unsigned modifiers)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	struct drag_start start = { .receiver.started = mouse_on_started, .page = p };
	int r;

	page_list_frames(p, &frames);
	page_set_drag_receiver(p, &start.receiver);
	r = move_and_look(t, p, &frames, modifiers);
	page_set_drag_receiver(p, NULL);
	return r == 0 && drags(p) ? send_drag(t, p, DRAG_ENTER) : r;
}

/* ---- the mouse ---- */

int mouse_move(struct task *t, struct page *p, struct point to, unsigned modifiers)
{
	struct page_mouse *m = page_mouse(p);

	m->at = to;
	if (drags(p))
		return send_drag(t, p, DRAG_OVER);
	if (m->buttons & mouse_button_bit(MOUSE_LEFT))
		return move_pressed(t, p, modifiers);
	return await_event(t, p, (struct mouse_event){ .type = MOUSE_MOVED, .button = m->pressed, .modifiers = modifiers });
}

int mouse_press(struct task *t, struct page *p, enum mouse_button button, int count, unsigned modifiers)
{
	struct page_mouse *m = page_mouse(p);

	if (drags(p))
		return 0;
	m->pressed = button;
	m->buttons |= mouse_button_bit(button);
	return await_event(t, p,
			   (struct mouse_event){ .type = MOUSE_PRESSED, .button = button, .count = count, .modifiers = modifiers });
}

static int mouse_drop(struct task *t, struct page *p)
{
	int r;

	r = send_drag(t, p, DRAG_DROP);
	str_reset(&page_mouse(p)->drag);
	return r;
}

int mouse_release(struct task *t, struct page *p, enum mouse_button button, int count, unsigned modifiers)
{
	struct page_mouse *m = page_mouse(p);

	m->pressed = MOUSE_NONE;
	m->buttons &= ~mouse_button_bit(button);
	if (drags(p))
		return mouse_drop(t, p);
	return await_event(t, p,
			   (struct mouse_event){
				   .type = MOUSE_RELEASED, .button = button, .count = count, .modifiers = modifiers });
}

void mouse_release_later(struct page *p, enum mouse_button button)
{
	struct page_mouse *m = page_mouse(p);

	if (!page_alive(p) || !(m->buttons & mouse_button_bit(button)))
		return;
	m->pressed = MOUSE_NONE;
	m->buttons &= ~mouse_button_bit(button);
	if (drags(p))
		engine_drag(NULL, page_target(p), NULL, DRAG_CANCEL, m->at, m->drag.data);
	else
		send_event(NULL, p, NULL, (struct mouse_event){ .type = MOUSE_RELEASED, .button = button, .count = 1 });
	str_reset(&m->drag);
}

static int pause_for(struct task *t, usec_t delay)
{
	return delay > 0 ? task_sleep(t, delay) : 0;
}

static int click_slowly(struct task *t, struct page *p, const struct mouse_click *c)
{
	int r;

	r = mouse_move(t, p, c->at, 0);
	for (int i = 1; r == 0 && i <= c->count; i++) {
		r = i > 1 ? pause_for(t, c->delay) : 0;
		if (r == 0)
			r = mouse_press(t, p, c->button, i, 0);
		if (r == 0)
			r = pause_for(t, c->delay);
		if (r == 0)
			r = mouse_release(t, p, c->button, i, 0);
	}
	if (r < 0)
		mouse_release_later(p, c->button);
	return r;
}

int mouse_click(struct task *t, struct page *p, const struct mouse_click *c)
{
	_cleanup_(engine_call_done) struct engine_call last = {};

	if (c->delay > 0 || page_mouse(p)->buttons || drags(p))
		return click_slowly(t, p, c);
	input_click(t, p, &last, c->at, c->button, MAX(c->count, 0), 0);
	return engine_await(t, &last);
}

int mouse_wheel(struct task *t, struct page *p, struct point delta)
{
	return input_mouse(t, p, &(const struct mouse_event){ .type = MOUSE_WHEEL, .at = page_mouse(p)->at, .delta = delta });
}
