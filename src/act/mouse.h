/*
 * The mouse of a page, moved and pressed at points instead of elements. Its state lasts between calls (page/mouse.h): a button stays
 * pressed until it is released, and moves with the left button pressed drag what the page lets the user drag.
 *
 * Points are CSS pixels in the viewport of the page. `modifiers` are the keys that the event has as held, or-ed from enum modifier. All functions
 * suspend until the page has handled the events.
 */
#pragma once

#include "act/input.h"
#include "base/clock.h"

int mouse_move(struct task *t, struct page *p, struct point to, unsigned modifiers);
/* `count`: which click in a row this is, 1 for a single one. */
int mouse_press(struct task *t, struct page *p, enum mouse_button button, int count, unsigned modifiers);
/* Drops what is being dragged; the page then sees no released button. */
int mouse_release(struct task *t, struct page *p, enum mouse_button button, int count, unsigned modifiers);
/* Ends a press that failed: releases the button without waiting, and ends a drag without a drop. Does not suspend. */
void mouse_release_later(struct page *p, enum mouse_button button);

struct mouse_click {
	struct point at;
	enum mouse_button button;
	int count;    /* clicks in a row; 0 moves the mouse without pressing */
	usec_t delay; /* before each release, and between two clicks */
};
int mouse_click(struct task *t, struct page *p, const struct mouse_click *c);
int mouse_wheel(struct task *t, struct page *p, struct point delta);
