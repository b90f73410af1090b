/*
 * Mouse and keyboard of a page. Events travel in one burst and only the last one is awaited: the browser handles and
 * acknowledges them in order, and a mouse move that nothing follows would wait for the next frame.
 *
 * Functions that send do not suspend; the caller awaits `last` with cdp_await(). When its answer is there, the page
 * has handled all of the burst. Points are CSS pixels in the viewport of the page (not of a frame).
 */
#pragma once

#include "act/keyboard.h"
#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/frames.h"
#include "page/page.h"

enum mouse_button { MOUSE_LEFT, MOUSE_RIGHT, MOUSE_MIDDLE };
extern const char *const mouse_button_names[]; /* by enum mouse_button, NULL-terminated */
/* The button of that name; the left one when there is none. */
enum mouse_button mouse_button_of_name(const char *name);

/* Moves there, then presses and releases `count` times in a row (2: a double click; 0: only moves). `modifiers`: enum modifier. */
void input_click(struct task *t, struct page *p, struct cdp_call *last, struct point at, enum mouse_button button, int count,
		 unsigned modifiers);

/* One step of dragging with the left button, `type` as CDP names it; `last` may be NULL. */
void input_drag_mouse(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at);
/* The same for what the browser has begun to drag, or would from another program; `data`: JSON of CDP's DragData. */
void input_drag_data(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at, const char *data);

/* Presses and releases one key; `last` NULL: others follow that are awaited. */
void input_key(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k);
/* Text that no key has, as from an input method: no key events, one input event. */
void input_text(struct task *t, struct page *p, struct cdp_call *last, const char *text);

/*
 * Presses the key or chord named `chord` (keyboard.h), its modifiers around it. Suspends until the page has handled
 * it. -ERR_INVALID_PARAMETERS names the part of a chord that is no key.
 */
int input_press(struct task *t, struct page *p, const char *chord);

/* One half of a key press: the key goes down or up, with what its modifiers hold. Suspends; fails as above. */
int input_press_half(struct task *t, struct page *p, const char *key, bool down, unsigned held);

struct mouse_event {
	const char *type; /* CDP's: "mouseMoved", "mousePressed", "mouseReleased", "mouseWheel" */
	struct point at, delta;
	enum mouse_button button;
	int count; /* 0: no button changes */
	bool held; /* the button is down meanwhile */
	unsigned modifiers;
};
/* Suspends until the page has handled it. */
int input_mouse(struct task *t, struct page *p, const struct mouse_event *e);
