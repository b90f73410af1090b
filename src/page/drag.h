/*
 * HTML drags of a page. Chromium would pass them to the window system; while there is a receiver, it reports their data to this
 * program instead.
 */
#pragma once

#include "page/page.h"

struct drag_receiver {
	/* `data`: as engine_drag() takes it. page_changed() is woken afterwards. */
	void (*started)(struct drag_receiver *r, const char *data);
};

/* Does not wait. NULL: drags are no longer intercepted. */
void page_set_drag_receiver(struct page *p, struct drag_receiver *r);
