/* Pictures of a page. */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/page.h"

struct screenshot {
	const char *base64; /* PNG, in the task's arena */
	int width, height;  /* pixels */
};

/* Suspends for about two frames. `full_page`: all that can be scrolled to, not just the viewport. */
int page_screenshot(struct task *t, struct page *p, bool full_page, struct screenshot *ret);

struct capture {
	const char *format; /* "png", "jpeg", "webp" */
	int quality;        /* of the last two */
	bool full_page;
	bool device_scale;          /* one pixel of the picture for each of the device, not of CSS */
	_kept_ struct frame *frame; /* by the caller; with `target`: that element alone, once it is visible and does not move */
	const char *target;         /* JSON, as scripts/target.js findTarget() takes it */
	usec_t timeout;             /* for that */
};

/*
 * `ret_base64` lives in the task's arena. Suspends. -ERR_ELEMENT_NOT_CLICKABLE: the element did not come to be visible, or
 * moved on and on.
 */
int page_capture(struct task *t, struct page *p, const struct capture *c, const char **ret_base64);
