/*
 * Mouse and keyboard input. Events are sent in one batch and only the last one is awaited: the browser handles and
 * acknowledges them in order, and the acknowledgement of a mouse move that no other event follows would wait for the
 * next frame.
 *
 * Functions that send do not suspend; the caller awaits `last` with engine_await(). Its reply means that the page has
 * handled the whole batch. Points are CSS pixels in the viewport of the page (not of a frame).
 */
#pragma once

#include "act/keyboard.h"
#include "engine/input.h"
#include "loop/task.h"
#include "page/frames.h"
#include "page/page.h"

/*
 * Moves the mouse to the point, then presses and releases the button `count` times in a row (2: a double click; 0: only
 * moves). `modifiers`: enum modifier.
 */
void input_click(struct task *t, struct page *p, struct engine_call *last, struct point at, enum mouse_button button, int count,
		 unsigned modifiers);

/* One mouse event of a drag with the left button. `last` may be NULL. */
void input_drag(struct task *t, struct page *p, struct engine_call *last, enum mouse_event_type type, struct point at);

/* Presses and releases one key. `last` is NULL if a later event is awaited. */
void input_key(struct task *t, struct page *p, struct engine_call *last, const struct keystroke *k);
/* Inserts text as an input method does, and suspends until the page has handled it. */
int input_insert(struct task *t, struct page *p, const char *text);
/*
 * Between the keys of a text, of which `sent` have been sent: passes the gate of the task (loop/gate.h). -ERR_USER_HAS_CONTROL if it had to wait,
 * because the focus may be elsewhere then, in a field for a password as well: the rest must not be typed. Suspends.
 */
int input_goes_on(struct task *t, unsigned sent);
/* Types one character: as its key, or as inserted text if it has no key. Suspends until the page has handled it. */
int input_type(struct task *t, struct page *p, const char *character);

/*
 * Presses the key or chord `chord` (keyboard.h) with its modifiers. Suspends until the page has handled it.
 * -ERR_INVALID_PARAMETERS names the part of the chord that is not a key.
 */
int input_press(struct task *t, struct page *p, const char *chord);

/* Presses or releases a key while the modifiers `held` are pressed. Suspends; fails like input_press(). */
int input_press_or_release(struct task *t, struct page *p, const char *key, bool down, unsigned held);

/* Suspends until the page has handled the event. */
int input_mouse(struct task *t, struct page *p, const struct mouse_event *e);
