/* Pictures of a page, the page as PDF, and recordings of what it shows, by its target. */
#pragma once

#include "base/str.h"
#include "engine/engine.h"
#include "engine/geometry.h"

/* ---- pictures ---- */

struct page_metrics {
	struct rect view;     /* the part of the document that the viewport shows, in CSS pixels of the document */
	double zoom;          /* pixels of the viewport for each of these; 1 unless the page is pinched or wider than its phone */
	double width, height; /* of the document */
	double device_width;  /* of the document in device pixels; 0: not known */
};
/* Suspends. */
int engine_metrics(struct task *t, _borrowed_ struct engine_target *s, struct page_metrics *ret);

struct picture_request {
	const char *format;   /* "png", "jpeg", "webp" */
	int quality;          /* for "jpeg" and "webp" */
	bool fast;            /* takes less time, and more bytes */
	bool beyond_viewport; /* shows parts of the document outside of the viewport */
	const struct rect
		*clip; /* the part of the document; NULL: the viewport, or with `beyond_viewport` all of it, in device pixels */
	double scale;  /* of `clip`: image pixels for each device pixel */
};
/* `ret_base64`: the file in base64, in the task's arena. Suspends. -EREMOTE: the browser has not drawn the page in time; try again. */
int engine_capture(struct task *t, _borrowed_ struct engine_target *s, const struct picture_request *r, const char **ret_base64);

/* ---- printing ---- */

/* Lengths in inches. */
struct print_options {
	double width, height; /* of the paper */
	struct {
		double top, right, bottom, left;
	} margin;
	double scale; /* 1: the page's own size */
	bool landscape;
	bool background;      /* prints the colours and pictures of backgrounds */
	bool css_size;        /* sizes in the page's @page rules come before width and height */
	bool tagged, outline; /* with tags for assistive technology; with an outline of the headings */
	const char *ranges;   /* "1-5, 8"; "": all pages */
	bool header_and_footer;
	const char *header, *footer; /* their HTML templates; NULL: the browser's */
};
#define PRINT_LETTER 8.5, 11 /* width and height of US Letter */
/* The page as PDF, base64 in the task's arena. Suspends. */
int engine_print(struct task *t, _borrowed_ struct engine_target *s, const struct print_options *o, const char **ret_base64);

/* ---- recordings ---- */

/* The largest size of the pictures, which keep the shape of the page, and the most frames of a second. */
struct video_size {
	int width, height, rate;
};
/* Asks for a recording; `begun` is called with `call`, which engine_video_begun() reads. Does not suspend; fails when it cannot be sent. */
int engine_video_begin(struct engine_target *s, const struct video_size *size, struct engine_call *call,
		       void (*begun)(struct engine_call *call, void *data), void *data);
/*
 * What became of the recording that was asked for: 0, and `ret_stream` names what is recorded; -ENOTSUP: the browser cannot, for the reason
 * that is appended to `ret_reason`; else the result of the call.
 */
int engine_video_begun(const struct engine_call *call, struct str *ret_stream, struct str *ret_reason);
/* Asks for more of the recording, a fragmented MP4; `read` is called with `call`. Does not suspend; fails when it cannot be sent. */
int engine_video_read(struct engine_target *s, const char *stream, struct engine_call *call,
		      void (*read)(struct engine_call *call, void *data), void *data);
/* The bytes that came, allocated. Returns their number, 0: there are no more for now; -EPROTO: the browser sent something else. */
ptrdiff_t engine_video_bytes(const struct engine_call *call, uint8_t **ret);
/* Ends the recording, whose rest can be read. Suspends; with `t` NULL it is only sent. */
int engine_video_stop(struct task *t, _borrowed_ struct engine_target *s);
/* Nothing more is read of the recording, and the browser forgets it. Sent only. */
void engine_video_close(struct engine_target *s, const char *stream);
