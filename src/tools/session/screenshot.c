#include "act/screenshot.h"

#include <errno.h>

#include "app/app.h"
#include "base/error.h"
#include "mcp/result.h"
#include "reply/output.h"
#include "reply/picture.h"
#include "tools/session/tools.h"

struct screenshot_args {
	const char *sessionId, *path;
	bool fullPage;
	int scale, part;
};

static const char *const scale_names[] = { "css", "device", NULL };
enum { SCALE_NONE = -1, SCALE_CSS };

static const struct param screenshot_params[] = {
	PARAM(screenshot_args, sessionId, SESSION_ABOUT, .required = true),
	PARAM(screenshot_args, path, "File to write; default: image in the answer"),
	PARAM(screenshot_args, fullPage, "Whole page, not only the viewport", .is_rare = true),
	PARAM(screenshot_args, scale, "All pixels, CSS or device; in compact answers only", .choices = scale_names, .is_rare = true,
	      .is_for_terse = true),
	PARAM(screenshot_args, part, PART_ABOUT, .min = 1, .max = LIMIT_PICTURE_PARTS_COUNT, .is_rare = true, .is_for_terse = true),
	{},
};

static int screenshot_save(struct task *t, const struct file_access *files, const char *name, const char *base64)
{
	struct output_file f;
	int r;

	r = output_find(t, files, name, &f);
	return r < 0 ? r : output_write_base64(t, files, &f, base64);
}

/* {success, path?, width, height}, and what the picture does not show. */
static void screenshot_describe(const char *path, const struct capture *c, const struct picture *pic, struct result *res)
{
	_cleanup_(str_done) struct str json = {}, shown = {};

	str_json(&json, "{success: true");
	if (path)
		str_json(&json, ", path: ?", path);
	str_json(&json, ", width: ?, height: ?", pic->width, pic->height);
	picture_describe(pic, c, c->full_page ? "page" : "viewport", &shown);
	if (shown.len)
		str_json(&json, ", scale: ?, shown: ?", pic->scale, shown.data);
	str_append_char(&json, '}');
	result_json(res, "?", JSON_RAW(json.data));
}

static int screenshot_screenshot_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct screenshot_args *a = args;
	const struct picture_wish wish = { .scale = a->scale != SCALE_NONE, .file = a->path, .part = a->part };
	struct capture capture = { .format = "png", .full_page = a->fullPage, .device_scale = a->scale != SCALE_CSS };
	_cleanup_(visit_done) struct visited v = {};
	struct picture pic;
	struct file_access files;
	int r;

	r = call_files(t, call, &files);
	if (r == 0)
		r = visit_page(t, call, a->sessionId, &v);
	if (r < 0)
		return r;
	task_set_deadline(t, clock_now() + call_app(call)->timeouts->action);
	picture_plan(call_app(call)->answers, &wish, &capture);
	r = page_capture(t, v.page, &capture, &pic);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page did not draw itself in time; a script may block it");
	if (r == 0 && a->path)
		r = screenshot_save(t, &files, a->path, pic.base64);
	if (r < 0)
		return r;
	screenshot_describe(a->path, &capture, &pic, res);
	if (!a->path)
		result_image(res, pic.base64, picture_type(&pic));
	return 0;
}

const struct tool tool_screenshot = {
	.name = "screenshot",
	.terse = "Picture of the page, or write it to path",
	.about = "Take a PNG screenshot of the page. browser_take_screenshot also takes one element, or JPEG and WebP.",
	.params = screenshot_params,
	.size = sizeof(struct screenshot_args),
	.defaults = &(const struct screenshot_args){ .scale = SCALE_NONE },
	.not_destructive = true,
	.run = screenshot_screenshot_run,
};
