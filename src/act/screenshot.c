#include "act/screenshot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "act/attempt.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/limits.h"
#include "page/emulate.h"
#include "page/frames.h"
#include "page/options.h"
#include "page/frame.h"

#define HEAD_BASE64 8192   /* base64 characters in which the size of a picture is looked for; behind a colour profile in a JPEG */
#define PNG_SIZE_OFFSET 16 /* of width and height in the file: signature, then the IHDR chunk (PNG, 5.2 and 11.2.1) */

#define SMALL_PIXELS 500000 /* 800 x 600, and what has the size of most elements */
#define EXACT_PIXELS 65536  /* 256 x 256: icons and controls, whose edges and colours matter and which take 200 kB at most */
#define OWN_SCALE_MAX 16    /* device pixels for each CSS pixel of a screen; what a browser says beyond it is wrong */

#define ATTEMPTS 3u                         /* to capture one picture */
#define ATTEMPT_PAUSE (100 * USEC_PER_MSEC) /* between two of them */

static int be32(const uint8_t *p)
{
	return (int)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

static int be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* The start of a frame, of any kind but for tables of codes and the like (ISO 10918-1, table B.1). */
static bool begins_frame(uint8_t marker)
{
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

static void measure_jpeg(const uint8_t *head, size_t len, struct picture *ret)
{
	for (size_t at = 2; at + 9 <= len && head[at] == 0xff; at += 2 + (size_t)be16(head + at + 2)) {
		if (!begins_frame(head[at + 1]))
			continue;
		ret->height = be16(head + at + 5);
		ret->width = be16(head + at + 7);
		return;
	}
}

/* The size of a PNG or JPEG. */
static int screenshot_measure(struct task *t, struct picture *pic)
{
	uint8_t head[BASE64_DECODED_SIZE(HEAD_BASE64)];
	ptrdiff_t len = base64_decode(pic->base64, MIN(strlen(pic->base64), (size_t)HEAD_BASE64) & ~(size_t)3, head);

	if (strcmp(pic->format, "png") == 0 && len >= PNG_SIZE_OFFSET + 8) {
		pic->width = be32(head + PNG_SIZE_OFFSET);
		pic->height = be32(head + PNG_SIZE_OFFSET + 4);
	} else if (strcmp(pic->format, "jpeg") == 0 && len > 0) {
		measure_jpeg(head, (size_t)len, pic);
	}
	if (!pic->width && strcmp(pic->format, "png") == 0)
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no picture");
	return 0;
}

/*
 * A part of the document in CSS pixels. `scale` is the number of image pixels for each device pixel; `zoom` that of pixels of the viewport
 * for each CSS pixel, which differ where a page is pinched or wider than its phone.
 */
struct clip {
	struct rect at;
	double scale, zoom;
};

/* The scale of an image that has one pixel for each CSS pixel, unless device pixels are requested. */
static double scale_of(struct page *p, const struct capture *c)
{
	double scale = emulated_scale(page_options(p));

	return scale > 0 && !c->device_scale ? 1 / scale : 1;
}

/* Reduces `all` that a picture can show to `part` of it. */
static int apply_clip(struct task *t, struct rect *all, const struct rect *part)
{
	double right = MIN(all->x + all->width, all->x + part->x + part->width),
	       bottom = MIN(all->y + all->height, all->y + part->y + part->height);

	all->x += MAX(part->x, 0.);
	all->y += MAX(part->y, 0.);
	all->width = right - all->x;
	all->height = bottom - all->y;
	if (all->width > 0 && all->height > 0)
		return 0;
	return task_fail(t, -ERANGE, "Clipped area is either empty or outside the resulting image");
}

/* The viewport, or all of the document; of these the part that is wanted. */
static int view_clip(struct task *t, struct page *p, const struct capture *c, const struct page_metrics *metrics, struct clip *ret)
{
	*ret = (struct clip){ .at = metrics->view, .scale = scale_of(p, c), .zoom = metrics->zoom > 0 ? metrics->zoom : 1 };
	if (c->full_page) {
		ret->at = (struct rect){ 0, 0, metrics->width, metrics->height };
		ret->zoom = 1;
	}
	return c->clip ? apply_clip(t, &ret->at, c->clip) : 0;
}

/* The bounding box of the element, extended to whole pixels. */
static int element_clip(struct task *t, struct page *p, const struct capture *c, struct page_metrics *metrics, struct clip *ret)
{
	_cleanup_(json_freep) struct json *box = NULL;
	struct point at;
	struct attempt a = attempt_start(t, c->frame, NULL, c->target, c->timeout);
	int r;

	r = attempt_prepare(&a, "prepareBox", "{}", &box);
	if (r < 0)
		return r;
	at = (struct point){ json_num(box, "x", 0), json_num(box, "y", 0) };
	r = frame_to_page(t, c->frame, json_get(box, "offset"), &at, NULL);
	if (r == 0)
		r = engine_metrics(t, frame_alive(c->frame) ? page_target(p) : NULL, metrics);
	if (r < 0)
		return r;
	at.x += metrics->view.x;
	at.y += metrics->view.y;
	*ret = (struct clip){ .at = { floor(at.x), floor(at.y), 0, 0 }, .scale = scale_of(p, c), .zoom = 1 };
	ret->at.width = ceil(at.x + json_num(box, "width", 0)) - ret->at.x;
	ret->at.height = ceil(at.y + json_num(box, "height", 0)) - ret->at.y;
	return 0;
}

static int find_clip(struct task *t, struct page *p, const struct capture *c, struct page_metrics *metrics, struct clip *ret)
{
	int r;

	if (c->target)
		return element_clip(t, p, c, metrics, ret);
	r = engine_metrics(t, page_target(p), metrics);
	return r < 0 ? r : view_clip(t, p, c, metrics, ret);
}

/* The number of pixels of a picture; INFINITY: not known, as of whole documents. */
static double count_pixels(struct page *p, const struct capture *c, const struct clip *clip)
{
	double scale = emulated_scale(page_options(p)) > 0 ? emulated_scale(page_options(p)) : 1;
	int width, height;

	if (clip)
		return clip->at.width * clip->at.height * clip->zoom * clip->zoom * clip->scale * clip->scale * scale * scale;
	page_viewport(p, &width, &height);
	return c->full_page || !width ? INFINITY : width * height * scale * scale;
}

/*
 * The browser compresses a PNG well, or fast: then it has 1.2 to 2.3 times as many bytes. Good compression takes a time that grows with the
 * pixels and with what they show. Up to SMALL_PIXELS it adds 0 to 25 ms to the 40 of a call for pages of text, tables and
 * controls (photographs: 150), at 1280 x 720 it doubles the time of these pages and takes four times as long for photographs, so larger
 * pictures are compressed fast. Pictures of limited size, which models get, are always compressed well.
 */
static bool is_fast(struct page *p, const struct capture *c, const char *format, const struct clip *clip)
{
	return strcmp(format, "png") == 0 && (!c->longest || c->keeps_scale) && count_pixels(p, c, clip) > SMALL_PIXELS;
}

static int request(struct task *t, struct page *p, const struct capture *c, const char *format, const struct clip *clip,
		   const char **ret)
{
	const struct picture_request wanted = {
		.format = format,
		.quality = c->quality,
		.fast = is_fast(p, c, format, clip),
		.beyond_viewport = c->target || c->full_page,
		.clip = clip ? &clip->at : NULL,
		.scale = clip ? clip->scale * clip->zoom : 1,
	};
	int r;

	++*page_captures(p);
	r = engine_capture(t, page_target(p), &wanted, ret);
	--*page_captures(p);
	return r;
}

/*
 * `clip` NULL: the whole viewport or document, in device pixels. Chromium refuses a capture where its graphics process has not drawn the page
 * in time, or was ended meanwhile (browser/gpu_limit.h).
 */
static int shoot(struct task *t, struct page *p, const struct capture *c, const char *format, const struct clip *clip,
		 const char **ret)
{
	int r = request(t, p, c, format, clip, ret);

	for (unsigned i = 1; r == -EREMOTE && i < ATTEMPTS; i++) {
		task_forget_failure(t);
		r = task_sleep(t, ATTEMPT_PAUSE);
		if (r == 0)
			r = request(t, p, c, format, clip, ret);
	}
	return r;
}

static int screenshot_take(struct task *t, struct page *p, const struct capture *c, const struct clip *clip, struct picture *pic)
{
	int r;

	pic->format = c->or_jpeg && count_pixels(p, c, clip) > EXACT_PIXELS ? "jpeg" : c->format;
	r = shoot(t, p, c, pic->format, clip, &pic->base64);
	return r < 0 ? r : screenshot_measure(t, pic);
}

/* ---- pictures of limited size ---- */

/* The browser's own device pixels for each CSS pixel. Where this emulates another number, scale_of() has it. */
static double own_scale(struct page *p, const struct page_metrics *metrics)
{
	double css = metrics->width, device = metrics->device_width;
	bool is_known = css >= 1 && device >= 1 && device < css * OWN_SCALE_MAX;

	return emulated_scale(page_options(p)) > 0 || !is_known ? 1 : device / css;
}

/* The browser rounds sizes up or down, so half a pixel is left for that. */
static double scale_down(double side, unsigned longest)
{
	return side > longest ? (longest - 0.5) / side : 1;
}

/* Reduces the clip to the part, of the full width and as high as it may be. */
static int choose_part(struct task *t, const struct capture *c, struct clip *clip, struct picture *pic)
{
	double scale = c->keeps_scale ? 1 : scale_down(pic->whole_width, c->longest), height = floor(c->longest / scale);
	double parts = ceil(pic->whole_height / height);

	pic->parts = parts < 1 ? 1 : parts < LIMIT_PICTURE_PARTS_COUNT ? (unsigned)parts : LIMIT_PICTURE_PARTS_COUNT;
	if (!c->part)
		return 0;
	if (c->part > pic->parts)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "there is no part %u: the picture has %u", c->part, pic->parts);
	pic->top = (c->part - 1) * height;
	clip->at.y += pic->top / clip->zoom;
	clip->at.height = MIN(height, pic->whole_height - pic->top) / clip->zoom;
	return 0;
}

static int fit(struct task *t, struct page *p, const struct capture *c, const struct page_metrics *metrics, struct clip *clip,
	       struct picture *pic)
{
	int r;

	pic->whole_width = clip->at.width * clip->zoom;
	pic->whole_height = clip->at.height * clip->zoom;
	r = choose_part(t, c, clip, pic);
	pic->scale = c->keeps_scale ? 1 : scale_down(MAX(clip->at.width, clip->at.height) * clip->zoom, c->longest);
	clip->scale *= pic->scale;
	if (!c->device_scale)
		clip->scale /= own_scale(p, metrics);
	return r;
}

/*
 * Scales a picture down that would have more pixels than a picture may have. Chromium's GPU and main process, which all sessions share,
 * need 17 bytes for each pixel (measured: 268 million pixels took 3.5 and 1.0 GiB), and a page chooses how large its document is.
 */
static void limit_pixels(struct page *p, const struct capture *c, struct clip *clip, struct picture *pic)
{
	double pixels = count_pixels(p, c, clip), scale;

	if (pixels <= LIMIT_PICTURE_PIXELS)
		return;
	scale = sqrt(LIMIT_PICTURE_PIXELS / pixels);
	clip->scale *= scale;
	if (!c->longest)
		*pic = (struct picture){ .whole_width = clip->at.width * clip->zoom,
					 .whole_height = clip->at.height * clip->zoom,
					 .parts = 1,
					 .scale = 1 };
	pic->scale *= scale;
}

int page_capture(struct task *t, struct page *p, const struct capture *c, struct picture *ret)
{
	struct page_metrics metrics;
	struct picture pic = {};
	struct clip clip;
	int r;

	if (!c->longest && !c->target && !c->clip && scale_of(p, c) == 1 && count_pixels(p, c, NULL) <= LIMIT_PICTURE_PIXELS) {
		r = screenshot_take(t, p, c, NULL, &pic);
	} else {
		r = find_clip(t, p, c, &metrics, &clip);
		if (r == 0 && c->longest)
			r = fit(t, p, c, &metrics, &clip, &pic);
		if (r == 0)
			limit_pixels(p, c, &clip, &pic);
		if (r == 0)
			r = screenshot_take(t, p, c, &clip, &pic);
	}
	if (r == 0)
		*ret = pic;
	return r;
}
