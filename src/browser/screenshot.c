#include "browser/screenshot.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/error.h"
#include "browser/attempt.h"
#include "browser/frames.h"
#include "browser/internal.h"

#define PNG_SIZE_OFFSET 16 /* of width and height in the file: signature, then the IHDR chunk (PNG, 5.2 and 11.2.1) */
#define PNG_HEAD_BASE64 32 /* characters that cover them */

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

	r = cdp_call(t, p->cdp, &reply, "Page.captureScreenshot",
		     "{format: 'png', optimizeForSpeed: true, captureBeyondViewport: %i}", full_page);
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

/* Place and size of the element in the coordinates of the document. */
static int element_clip(struct task *t, const struct capture *c, struct str *out)
{
	_cleanup_(json_freep) struct json *reply = NULL, *view = NULL;
	const struct json *box;
	struct point at;
	struct attempt a = attempt_start(t, c->frame, NULL, c->target, c->timeout);
	int r;

	r = attempt_prepare(&a, "prepareBox", "{}", &reply);
	if (r < 0)
		return r;
	box = json_get(reply, "result.result.value");
	at = (struct point){ json_num(box, "x", 0), json_num(box, "y", 0) };
	r = frame_to_page(t, c->frame, json_get(box, "offset"), &at, NULL);
	if (r < 0)
		return r;
	r = cdp_call(t, c->frame->cdp ? frame_page(c->frame)->cdp : NULL, &view, "Page.getLayoutMetrics", "{}");
	if (r < 0)
		return r;
	at.x += json_num(view, "result.cssVisualViewport.pageX", 0);
	at.y += json_num(view, "result.cssVisualViewport.pageY", 0);
	str_json(out, "{x: %f, y: %f, width: %f, height: %f, scale: 1}", at.x, at.y, json_num(box, "width", 0),
		 json_num(box, "height", 0));
	return 0;
}

static int capture_element(struct task *t, struct page *p, const struct capture *c, struct json **ret)
{
	_cleanup_(str_done) struct str clip = {};
	int r;

	r = element_clip(t, c, &clip);
	if (r < 0)
		return r;
	return cdp_call(t, p->cdp, ret, "Page.captureScreenshot",
			"{format: %s, quality: %d, captureBeyondViewport: true, clip: %p}", c->format, c->quality, clip.data);
}

int page_capture(struct task *t, struct page *p, const struct capture *c, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	if (c->target)
		r = capture_element(t, p, c, &reply);
	else
		r = cdp_call(t, p->cdp, &reply, "Page.captureScreenshot", "{format: %s, quality: %d, captureBeyondViewport: %i}",
			     c->format, c->quality, c->full_page);
	if (r < 0)
		return r;
	if (!json_str(reply, "result.data"))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no picture");
	*ret_base64 = arena_strdup(task_arena(t), json_str(reply, "result.data"));
	return 0;
}
