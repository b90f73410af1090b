/*
 * The mouse of a page between calls: a button may be pressed in one call, and released in a later one. act/mouse.h moves and
 * presses it; every mouse event that is sent notes its position here.
 */
#pragma once

#include "base/str.h"
#include "engine/input.h"
#include "page/page.h"

struct page_mouse {
	struct point at;
	unsigned buttons;          /* those that are pressed */
	enum mouse_button pressed; /* the last of them; MOUSE_NONE: that one was released */
	struct str drag;           /* what the page drags, as engine_drag() takes it; empty: nothing */
};

/* The mouse lives as long as the page object. */
_kept_ struct page_mouse *page_mouse(struct page *p);
