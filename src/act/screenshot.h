/* Screenshots of a page. */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/page.h"

struct screenshot {
	const char *base64; /* PNG, in the task's arena */
	int width, height;  /* pixels */
};

/* Suspends for about two frames. `full_page`: the whole scrollable area, not just the viewport. */
int page_screenshot(struct task *t, struct page *p, bool full_page, struct screenshot *ret);

struct rect {
	double x, y, width, height; /* CSS pixels */
};

struct capture {
	const char *format; /* "png", "jpeg", "webp" */
	int quality;        /* for "jpeg" and "webp" */
	bool full_page;
	bool device_scale;          /* one image pixel for each device pixel, not for each CSS pixel */
	const struct rect *clip;    /* the part that is wanted, of the viewport or, with `full_page`, of the document; NULL: all */
	_kept_ struct frame *frame; /* held by the caller; with `target`: only that element, once it is visible and stable */
	const char *target;         /* JSON, the argument of findTarget() in scripts/target.js */
	usec_t timeout;             /* for the wait for `target` */
};

/*
 * `ret_base64` is in the task's arena. Suspends. -ERR_ELEMENT_NOT_CLICKABLE: the element did not become visible, or did
 * not stop moving. -ERANGE: nothing of `clip` lies in the picture.
 */
int page_capture(struct task *t, struct page *p, const struct capture *c, const char **ret_base64);
