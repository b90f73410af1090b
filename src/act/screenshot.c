#include "act/screenshot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "act/attempt.h"
#include "base/base64.h"
#include "base/error.h"
#include "cdp/cdp.h"
#include "page/emulate.h"
#include "page/frames.h"
#include "page/options.h"
#include "page/frame.h"

#define PNG_SIZE_OFFSET 16 /* of width and height in the file: signature, then the IHDR chunk (PNG, 5.2 and 11.2.1) */
#define PNG_HEAD_BASE64 32 /* number of base64 characters that contain them */

static int be32(const uint8_t *p)
{
	return (int)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

int page_screenshot(struct task *t, struct page *p, bool full_page, struct screenshot *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	uint8_t head[BASE64_DECODED_SIZE(PNG_HEAD_BASE64)];
	const char *data;
	int r;

	r = cdp_call(t, page_cdp(p), &reply, "Page.captureScreenshot",
		     "{format: 'png', optimizeForSpeed: true, captureBeyondViewport: ?}", full_page);
	if (r < 0)
		return r;
	data = json_str(reply, "result.data");
	if (!data || strlen(data) < PNG_HEAD_BASE64 || base64_decode(data, PNG_HEAD_BASE64, head) < PNG_SIZE_OFFSET + 8)
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no picture");
	ret->base64 = arena_strdup(task_arena(t), data);
	ret->width = be32(head + PNG_SIZE_OFFSET);
	ret->height = be32(head + PNG_SIZE_OFFSET + 4);
	return 0;
}

/* A part of the document in CSS pixels; `scale` is the number of image pixels for each device pixel. */
struct clip {
	double x, y, width, height, scale;
};

static void print_clip(struct str *out, const struct clip *c)
{
	str_json(out, "{x: ?, y: ?, width: ?, height: ?, scale: ?}", c->x, c->y, c->width, c->height, c->scale);
}

/* The scale of an image that has one pixel for each CSS pixel, unless device pixels are requested. */
static double scale_of(const struct page *p, const struct capture *c)
{
	double scale = emulated_scale(page_options(p));

	return scale > 0 && !c->device_scale ? 1 / scale : 1;
}

/* Reduces `clip`, which is all that a picture can show, to `part` of it. */
static int apply_clip(struct task *t, struct clip *clip, const struct rect *part)
{
	double right = MIN(clip->x + clip->width, clip->x + part->x + part->width),
	       bottom = MIN(clip->y + clip->height, clip->y + part->y + part->height);

	clip->x += MAX(part->x, 0.);
	clip->y += MAX(part->y, 0.);
	clip->width = right - clip->x;
	clip->height = bottom - clip->y;
	if (clip->width > 0 && clip->height > 0)
		return 0;
	return task_fail(t, -ERANGE, "Clipped area is either empty or outside the resulting image");
}

/* The viewport, or all of the document; of these the part that is wanted. */
static int view_clip(struct task *t, struct page *p, const struct capture *c, struct str *out)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const struct json *view, *all;
	struct clip clip;
	int r;

	r = cdp_call(t, page_cdp(p), &reply, "Page.getLayoutMetrics", "{}");
	if (r < 0)
		return r;
	view = json_get(reply, "result.cssVisualViewport");
	all = json_get(reply, "result.cssContentSize");
	if (c->full_page)
		clip = (struct clip){ 0, 0, json_num(all, "width", 0), json_num(all, "height", 0), scale_of(p, c) };
	else
		clip = (struct clip){ json_num(view, "pageX", 0), json_num(view, "pageY", 0), json_num(view, "clientWidth", 0),
				      json_num(view, "clientHeight", 0), json_num(view, "scale", 1) * scale_of(p, c) };
	r = c->clip ? apply_clip(t, &clip, c->clip) : 0;
	if (r == 0)
		print_clip(out, &clip);
	return r;
}

/* The bounding box of the element, extended to whole pixels. */
static int element_clip(struct task *t, const struct capture *c, double scale, struct str *out)
{
	_cleanup_(json_freep) struct json *box = NULL, *view = NULL;
	struct clip clip = { .scale = scale };
	struct point at;
	struct attempt a = attempt_start(t, c->frame, NULL, c->target, c->timeout);
	int r;

	r = attempt_prepare(&a, "prepareBox", "{}", &box);
	if (r < 0)
		return r;
	at = (struct point){ json_num(box, "x", 0), json_num(box, "y", 0) };
	r = frame_to_page(t, c->frame, json_get(box, "offset"), &at, NULL);
	if (r < 0)
		return r;
	r = cdp_call(t, frame_cdp(c->frame) ? page_cdp(frame_page(c->frame)) : NULL, &view, "Page.getLayoutMetrics", "{}");
	if (r < 0)
		return r;
	at.x += json_num(view, "result.cssVisualViewport.pageX", 0);
	at.y += json_num(view, "result.cssVisualViewport.pageY", 0);
	clip.x = floor(at.x);
	clip.y = floor(at.y);
	clip.width = ceil(at.x + json_num(box, "width", 0)) - clip.x;
	clip.height = ceil(at.y + json_num(box, "height", 0)) - clip.y;
	print_clip(out, &clip);
	return 0;
}

/*
 * PNG files are compressed for speed: they take a tenth to a half of the time, and have about a third more bytes on a full page.
 * The reference has them compressed well.
 */
static bool is_png(const struct capture *c)
{
	return strcmp(c->format, "png") == 0;
}

static int capture_element(struct task *t, struct page *p, const struct capture *c, struct json **ret)
{
	_cleanup_(str_done) struct str clip = {};
	int r;

	r = element_clip(t, c, scale_of(p, c), &clip);
	if (r < 0)
		return r;
	return cdp_call(t, page_cdp(p), ret, "Page.captureScreenshot",
			"{format: ?, quality: ?, optimizeForSpeed: ?, captureBeyondViewport: true, clip: ?}", c->format, c->quality,
			is_png(c), JSON_RAW(clip.data));
}

static int capture_view(struct task *t, struct page *p, const struct capture *c, struct json **ret)
{
	_cleanup_(str_done) struct str clip = {};
	int r = view_clip(t, p, c, &clip);

	if (r < 0)
		return r;
	return cdp_call(t, page_cdp(p), ret, "Page.captureScreenshot",
			"{format: ?, quality: ?, optimizeForSpeed: ?, captureBeyondViewport: ?, clip: ?}", c->format, c->quality,
			is_png(c), c->full_page, JSON_RAW(clip.data));
}

int page_capture(struct task *t, struct page *p, const struct capture *c, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	if (c->target)
		r = capture_element(t, p, c, &reply);
	else if (c->clip || scale_of(p, c) != 1)
		r = capture_view(t, p, c, &reply);
	else
		r = cdp_call(t, page_cdp(p), &reply, "Page.captureScreenshot",
			     "{format: ?, quality: ?, optimizeForSpeed: ?, captureBeyondViewport: ?}", c->format, c->quality,
			     is_png(c), c->full_page);
	if (r < 0)
		return r;
	if (!json_str(reply, "result.data"))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no picture");
	*ret_base64 = arena_strdup(task_arena(t), json_str(reply, "result.data"));
	return 0;
}
