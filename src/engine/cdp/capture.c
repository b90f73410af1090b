#include "engine/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/error.h"
#include "engine/cdp/cdp.h"

/* ---- pictures ---- */

int engine_metrics(struct task *t, _borrowed_ struct engine_target *s, struct page_metrics *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const struct json *view, *all;
	int r = cdp_call(t, s, &reply, "Page.getLayoutMetrics", "{}");

	if (r < 0)
		return r;
	view = json_get(reply, "result.cssVisualViewport");
	all = json_get(reply, "result.cssContentSize");
	*ret = (struct page_metrics){
		.view = { json_num(view, "pageX", 0), json_num(view, "pageY", 0), json_num(view, "clientWidth", 0),
			  json_num(view, "clientHeight", 0) },
		.zoom = json_num(view, "scale", 1),
		.width = json_num(all, "width", 0),
		.height = json_num(all, "height", 0),
		.device_width = json_num(reply, "result.contentSize.width", 0),
	};
	return 0;
}

/* The file that a reply holds, in the task's arena. */
static int take_file(struct task *t, const struct json *reply, const char *what, const char **ret)
{
	const char *data = json_str(reply, "result.data");

	if (!data)
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no %s", what);
	*ret = arena_strdup(task_arena(t), data);
	return 0;
}

int engine_capture(struct task *t, _borrowed_ struct engine_target *s, const struct picture_request *r, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str part = {};
	const struct rect *c = r->clip;
	int res;

	if (c)
		str_json(&part, ", clip: {x: ?, y: ?, width: ?, height: ?, scale: ?}", c->x, c->y, c->width, c->height, r->scale);
	res = cdp_call(t, s, &reply, "Page.captureScreenshot",
		       "{format: ?, quality: ?, optimizeForSpeed: ?, captureBeyondViewport: ? ?}", r->format, r->quality, r->fast,
		       r->beyond_viewport, JSON_RAW(str_text(&part)));
	return res < 0 ? res : take_file(t, reply, "picture", ret_base64);
}

/* ---- printing ---- */

static void append_options(struct str *out, const struct print_options *o)
{
	str_json(out, "{paperWidth: ?, paperHeight: ?, marginTop: ?, marginRight: ?, marginBottom: ?, marginLeft: ?, scale: ?",
		 o->width, o->height, o->margin.top, o->margin.right, o->margin.bottom, o->margin.left, o->scale);
	str_json(out,
		 ", landscape: ?, printBackground: ?, preferCSSPageSize: ?, generateTaggedPDF: ?, generateDocumentOutline: ?, "
		 "pageRanges: ?, displayHeaderFooter: ?",
		 o->landscape, o->background, o->css_size, o->tagged, o->outline, o->ranges, o->header_and_footer);
	if (o->header)
		str_json(out, ", headerTemplate: ?", o->header);
	if (o->footer)
		str_json(out, ", footerTemplate: ?", o->footer);
	str_append(out, "}");
}

int engine_print(struct task *t, _borrowed_ struct engine_target *s, const struct print_options *o, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str options = {};
	int r;

	append_options(&options, o);
	r = cdp_call(t, s, &reply, "Page.printToPDF", "?", JSON_RAW(options.data));
	return r < 0 ? r : take_file(t, reply, "PDF", ret_base64);
}

/* ---- recordings ---- */

#define READ_SIZE (1 << 20)

int engine_video_begin(struct engine_target *s, const struct video_size *size, struct engine_call *call,
		       void (*begun)(struct engine_call *call, void *data), void *data)
{
	return cdp_request(s, call, begun, data, "Page.startScreenRecording", "{maxWidth: ?, maxHeight: ?, frameRate: ?}",
			   size->width, size->height, size->rate);
}

int engine_video_begun(const struct engine_call *call, struct str *ret_stream, struct str *ret_reason)
{
	const char *handle = json_text(cdp_call_result(call), "stream");

	if (call->result == 0 && engine_id_is_valid(handle)) {
		str_append(ret_stream, handle);
		return 0;
	}
	if (call->result < 0 && call->result != -EREMOTE)
		return call->result;
	str_appendf(ret_reason, "Page.startScreenRecording: %s",
		    call->result < 0 ? json_text(call->reply, "error.message") : "the browser's reply has no valid handle");
	return -ENOTSUP;
}

int engine_video_read(struct engine_target *s, const char *stream, struct engine_call *call,
		      void (*read)(struct engine_call *call, void *data), void *data)
{
	return cdp_request(s, call, read, data, "IO.read", "{handle: ?, size: ?}", stream, READ_SIZE);
}

ptrdiff_t engine_video_bytes(const struct engine_call *call, uint8_t **ret)
{
	const struct json *result = cdp_call_result(call);
	const char *data = json_text(result, "data");
	size_t len = strlen(data);
	ptrdiff_t count;

	*ret = NULL;
	if (len == 0)
		return 0;
	if (!json_bool(result, "base64Encoded", false))
		return -EPROTO;
	*ret = must(malloc(BASE64_DECODED_SIZE(len)));
	count = base64_decode(data, len, *ret);
	return count < 0 ? -EPROTO : count;
}

int engine_video_stop(struct task *t, _borrowed_ struct engine_target *s)
{
	if (t)
		return cdp_call(t, s, NULL, "Page.stopScreenRecording", "{}");
	cdp_post(s, "Page.stopScreenRecording", "{}");
	return 0;
}

void engine_video_close(struct engine_target *s, const char *stream)
{
	cdp_post(s, "IO.close", "{handle: ?}", stream);
}
