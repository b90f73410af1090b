/*
 * Pictures of a page, and the page as PDF. Firefox captures in device pixels only, so pictures of another scale are made smaller in the
 * page's process, by a script in a world of its own: the page sees nothing of it, as it would of another device pixel ratio.
 */
#include "engine/capture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "engine/bidi/internal.h"

#define CAPTURE_WORLD "browserd-capture"
#define CM_PER_INCH 2.54

/*
 * What is captured may be larger than the picture that is made of it. Firefox's main process holds two copies of it with four bytes for each
 * pixel, and the page's process one.
 */
#define CAPTURED_PIXELS (2.0 * LIMIT_PICTURE_PIXELS)

/* ---- sizes ---- */

static const char measure[] =
	"(()=>{const v=visualViewport,e=document.scrollingElement||document.documentElement;return JSON.stringify({x:v.pageLeft,"
	"y:v.pageTop,width:v.width,height:v.height,zoom:v.scale,all:{width:e?e.scrollWidth:0,height:e?e.scrollHeight:0},"
	"ratio:devicePixelRatio})})()";

/* `ratio`: device pixels for each CSS pixel. */
static int measure_page(struct task *t, _borrowed_ struct engine_target *s, struct page_metrics *ret, double *ratio)
{
	_cleanup_(json_freep) struct json *reply = NULL, *sizes = NULL;
	const char *text;
	int r = bidi_call(t, s, &reply, bidi_document_world(s), "script.evaluate",
			  "{expression: ?, target: {context: ?, sandbox: '" CAPTURE_WORLD "'}, awaitPromise: false}", measure,
			  s ? s->id : "");

	if (r < 0)
		return r;
	text = json_text(reply, "result.result.value");
	if (json_parse(text, strlen(text), 8, JSON_REPLACE_UNREPRESENTABLE, &sizes) < 0)
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser did not say how large the page is");
	*ratio = json_num(sizes, "ratio", 1);
	*ret = (struct page_metrics){
		.view = { json_num(sizes, "x", 0), json_num(sizes, "y", 0), json_num(sizes, "width", 0),
			  json_num(sizes, "height", 0) },
		.zoom = json_num(sizes, "zoom", 1),
		.width = json_num(sizes, "all.width", 0),
		.height = json_num(sizes, "all.height", 0),
		.device_width = json_num(sizes, "all.width", 0) * *ratio,
	};
	return 0;
}

int engine_metrics(struct task *t, struct engine_target *s, struct page_metrics *ret)
{
	double ratio;

	return measure_page(t, s, ret, &ratio);
}

/* ---- pictures ---- */

static const char shrink[] =
	"async(data,scale,type,quality)=>{"
	"let from=await createImageBitmap(new Blob([Uint8Array.fromBase64(data)])),w=from.width,h=from.height;"
	/* As Chromium rounds it, but for what is no part of a pixel and comes of the division that the scale was made by. */
	"const side=n=>Math.max(1,Math.ceil(n*scale-.001)),width=side(w),height=side(h);let canvas;"
	/* By halves, so that each pixel of the result is made of all those that it stands for. */
	"do{w=w>2*width?Math.ceil(w/2):width;h=h>2*height?Math.ceil(h/2):height;canvas=new OffscreenCanvas(w,h);"
	"canvas.getContext('2d').drawImage(from,0,0,w,h);from=canvas}while(w!==width||h!==height);"
	"return new Uint8Array(await(await canvas.convertToBlob({type,quality})).arrayBuffer()).toBase64()}";

/* The file that a reply holds, in the task's arena. */
static int take_captured(struct task *t, const struct json *reply, const char *path, const char *what, const char **ret)
{
	const char *data = json_str(reply, path);

	if (!data || !*data)
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no %s", what);
	*ret = arena_strdup(task_arena(t), data);
	return 0;
}

static int shrink_picture(struct task *t, _borrowed_ struct engine_target *s, const struct picture_request *r, const char *picture,
			  const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int res = bidi_call(t, s, &reply, bidi_document_world(s), "script.callFunction",
			    "{functionDeclaration: ?, arguments: [{type: 'string', value: ?}, {type: 'number', value: ?}, "
			    "{type: 'string', value: ?}, {type: 'number', value: ?}], "
			    "target: {context: ?, sandbox: '" CAPTURE_WORLD "'}, awaitPromise: true}",
			    shrink, picture, r->scale, arena_printf(task_arena(t), "image/%s", r->format), r->quality / 100.0,
			    s ? s->id : "");

	return res < 0 ? res : take_captured(t, reply, "result.result.value", "picture of that size", ret);
}

/* A page chooses how large its document is. */
static int check_captured_size(struct task *t, _borrowed_ struct engine_target *s, const struct picture_request *r)
{
	struct page_metrics metrics;
	double ratio, pixels;
	int res = measure_page(t, s, &metrics, &ratio);

	if (res < 0)
		return res;
	pixels = (r->clip ? r->clip->width * r->clip->height : metrics.width * metrics.height) * ratio * ratio;
	if (pixels <= CAPTURED_PIXELS)
		return 0;
	return task_fail(
		t, -ERANGE,
		"the page is too large for one picture: it would be made of %.0f million pixels, and %.0f are possible with this "
		"browser; take a picture of the viewport or of an element",
		pixels / 1e6, CAPTURED_PIXELS / 1e6);
}

/* Clips are places in the document whatever part of it is shown, and Firefox cuts those of a viewport off at its edges. */
static void append_part(struct str *out, const struct picture_request *r)
{
	const struct rect *c = r->clip;

	str_json(out, "origin: ?", c || r->beyond_viewport ? "document" : "viewport");
	if (c)
		str_json(out, ", clip: {type: 'box', x: ?, y: ?, width: ?, height: ?}", c->x, c->y, c->width, c->height);
}

int engine_capture(struct task *t, struct engine_target *s, const struct picture_request *r, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str part = {};
	bool shrinks = r->clip && r->scale < 1;
	const char *picture = NULL;
	int res = r->clip || r->beyond_viewport ? check_captured_size(t, s, r) : 0;

	append_part(&part, r);
	if (res == 0)
		res = bidi_call(t, s, &reply, 0, "browsingContext.captureScreenshot",
				"{context: ?, format: {type: ?, quality: ?}, ?}", s ? s->id : "",
				shrinks ? "image/png" : arena_printf(task_arena(t), "image/%s", r->format), r->quality / 100.0,
				JSON_RAW(part.data));
	if (res == 0)
		res = take_captured(t, reply, "result.data", "picture", &picture);
	if (res == 0 && shrinks)
		return shrink_picture(t, s, r, picture, ret_base64);
	if (res == 0)
		*ret_base64 = picture;
	return res;
}

/* ---- printing ---- */

/* What Firefox has no setting for. */
static const char *missing_setting(const struct print_options *o)
{
	return o->header_and_footer ? "headers and footers (displayHeaderFooter)" :
	       o->css_size          ? "the size that the page asks for (preferCSSPageSize)" :
	       o->tagged            ? "tags for assistive technology (tagged)" :
	       o->outline           ? "an outline of the headings (outline)" :
				      NULL;
}

/* "1-5, 8" as a list. */
static void append_ranges(struct str *out, const char *ranges)
{
	size_t before = out->len;

	for (const char *at = ranges; *at;) {
		size_t blank = strspn(at, ", "), len = strcspn(at + blank, ",");

		while (len && at[blank + len - 1] == ' ')
			len--;
		if (len)
			str_json(out, "? ?", JSON_COMMA(out->len - before), JSON_TEXT(at + blank, len));
		at += blank + strcspn(at + blank, ",");
	}
}

int engine_print(struct task *t, struct engine_target *s, const struct print_options *o, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str ranges = {};
	int r;

	if (missing_setting(o))
		return task_fail(t, -ENOTSUP, "this browser cannot print with %s; leave that out", missing_setting(o));
	append_ranges(&ranges, o->ranges);
	r = bidi_call(t, s, &reply, 0, "browsingContext.print",
		      "{context: ?, background: ?, orientation: ?, scale: ?, page: {width: ?, height: ?}, "
		      "margin: {top: ?, right: ?, bottom: ?, left: ?}, pageRanges: [?]}",
		      s ? s->id : "", o->background, o->landscape ? "landscape" : "portrait", o->scale, o->width * CM_PER_INCH,
		      o->height * CM_PER_INCH, o->margin.top * CM_PER_INCH, o->margin.right * CM_PER_INCH,
		      o->margin.bottom * CM_PER_INCH, o->margin.left * CM_PER_INCH, JSON_RAW(str_text(&ranges)));
	return r < 0 ? r : take_captured(t, reply, "result.data", "PDF", ret_base64);
}
