/* Screenshots of a page. */
#pragma once

#include <stdbool.h>

#include "engine/capture.h"
#include "loop/task.h"
#include "page/page.h"

struct capture {
	const char *format; /* "png", "jpeg", "webp" */
	int quality;        /* for "jpeg" and "webp" */
	bool full_page;
	bool device_scale;          /* one image pixel for each device pixel, not for each CSS pixel */
	const struct rect *clip;    /* the part that is wanted, of the viewport or, with `full_page`, of the document; NULL: all */
	_kept_ struct frame *frame; /* held by the caller; with `target`: only that element, once it is visible and stable */
	const char *target;         /* JSON, the argument of findTarget() in scripts/target.js */
	usec_t timeout;             /* for the wait for `target` */

	unsigned longest; /* pixels of the longer side, to which the picture is scaled down; 0: any number */
	bool keeps_scale; /* it is not scaled down; `longest` only divides it into parts */
	unsigned part;    /* from 1: one of the parts into which `longest` divides a tall picture of full width; 0: all of it */
	bool or_jpeg;     /* a JPEG, unless the picture is so small that a PNG takes little time and few bytes */
};

/* What a picture shows of what was asked for. */
struct picture {
	const char *base64, *format; /* in the task's arena; a constant */
	int width, height;           /* pixels; 0 if not known, as of a WebP */

	/* Only if `longest` was given, or the picture would have had more than LIMIT_PICTURE_PIXELS; otherwise 0. */
	double whole_width, whole_height; /* of all that was asked for, in CSS pixels of the viewport */
	double scale;                     /* image pixels for each of these, or for each device pixel with `device_scale` */
	unsigned parts;                   /* into which `longest` divides it */
	double top;                       /* where the part begins, in the same pixels */
};

/*
 * Suspends for about two frames. -ERR_ELEMENT_NOT_CLICKABLE: the element did not become visible, or did not stop moving. -ERANGE:
 * nothing of `clip` lies in the picture. -ERR_INVALID_PARAMETERS: there is no such part.
 */
int page_capture(struct task *t, struct page *p, const struct capture *c, struct picture *ret);
