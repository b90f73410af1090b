/*
 * Mouse and keyboard input. Events are sent in one batch and only the last one is awaited: the browser handles and
 * acknowledges them in order, and the acknowledgement of a mouse move that no other event follows would wait for the
 * next frame.
 *
 * Functions that send do not suspend; the caller awaits `last` with cdp_await(). Its reply means that the page has
 * handled the whole batch. Points are CSS pixels in the viewport of the page (not of a frame).
 */
#pragma once

#include "act/keyboard.h"
#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/frames.h"
#include "page/page.h"

enum mouse_button { MOUSE_LEFT, MOUSE_RIGHT, MOUSE_MIDDLE };
extern const char *const mouse_button_names[]; /* indexed by enum mouse_button, NULL-terminated */
/* The button with that name, or the left one if the name is unknown. */
enum mouse_button mouse_button_of_name(const char *name);
/* The bit of a pressed button in CDP's `buttons`. */
unsigned input_button_bit(enum mouse_button button);

/*
 * Moves the mouse to the point, then presses and releases the button `count` times in a row (2: a double click; 0: only
 * moves). `modifiers`: enum modifier.
 */
void input_click(struct task *t, struct page *p, struct cdp_call *last, struct point at, enum mouse_button button, int count,
		 unsigned modifiers);

/* One mouse event of a drag with the left button; `type` is the name in CDP. `last` may be NULL. */
void input_drag_mouse(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at);
/* One drag event of an HTML drag, or of a drag from another program; `data`: JSON of CDP's DragData. */
void input_drag_data(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at, const char *data);

/* Presses and releases one key. `last` is NULL if a later event is awaited. */
void input_key(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k);
/* Inserts text as an input method does: without key events, with one input event. */
void input_text(struct task *t, struct page *p, struct cdp_call *last, const char *text);
/* input_text(), and suspends until the page has handled it. */
int input_insert(struct task *t, struct page *p, const char *text);
/* Types one character: as its key, or as inserted text if it has no key. Suspends until the page has handled it. */
int input_type(struct task *t, struct page *p, const char *character);

/*
 * Presses the key or chord `chord` (keyboard.h) with its modifiers. Suspends until the page has handled it.
 * -ERR_INVALID_PARAMETERS names the part of the chord that is not a key.
 */
int input_press(struct task *t, struct page *p, const char *chord);

/* Presses or releases a key while the modifiers `held` are pressed. Suspends; fails like input_press(). */
int input_press_or_release(struct task *t, struct page *p, const char *key, bool down, unsigned held);

enum mouse_event_type { MOUSE_MOVED, MOUSE_PRESSED, MOUSE_RELEASED, MOUSE_WHEEL };

struct mouse_event {
	enum mouse_event_type type;
	struct point at, delta;
	enum mouse_button button;
	int count; /* 0: no button is pressed or released */
	bool held; /* a button is pressed during the event */
	unsigned modifiers;
};
/* Suspends until the page has handled the event. */
int input_mouse(struct task *t, struct page *p, const struct mouse_event *e);
