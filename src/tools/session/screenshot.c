#include "act/screenshot.h"

#include <errno.h>

#include "app/app.h"
#include "base/error.h"
#include "mcp/result.h"
#include "reply/output.h"
#include "tools/session/tools.h"

struct screenshot_args {
	const char *sessionId, *path;
	bool fullPage;
};

static const struct param screenshot_params[] = {
	PARAM(screenshot_args, sessionId, SESSION_ABOUT, .required = true),
	PARAM(screenshot_args, path, "File to write; default: image in the answer"),
	PARAM(screenshot_args, fullPage, "Whole page, not only the viewport", .is_rare = true),
	{},
};

static int save(struct task *t, const struct file_access *files, const char *name, const char *base64)
{
	struct output_file f;
	int r;

	r = output_find(t, files, name, &f);
	return r < 0 ? r : output_write_base64(t, files, &f, base64);
}

static int screenshot_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct screenshot_args *a = args;
	_cleanup_(visit_done) struct visited v = {};
	struct screenshot shot;
	struct file_access files;
	int r;

	r = call_files(t, call, &files);
	if (r == 0)
		r = visit_page(t, call, a->sessionId, &v);
	if (r < 0)
		return r;
	task_set_deadline(t, clock_now() + call_app(call)->timeouts->action);
	r = page_screenshot(t, v.page, a->fullPage, &shot);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page did not draw itself in time; a script may block it");
	if (r < 0)
		return r;
	if (!a->path) {
		result_json(res, "{success: true, width: ?, height: ?}", shot.width, shot.height);
		result_image(res, shot.base64, "image/png");
		return 0;
	}
	r = save(t, &files, a->path, shot.base64);
	if (r < 0)
		return r;
	result_json(res, "{success: true, path: ?, width: ?, height: ?}", a->path, shot.width, shot.height);
	return 0;
}

const struct tool tool_screenshot = {
	.name = "screenshot",
	.terse = "Picture of the page, or write it to path",
	.about = "Take a PNG screenshot of the page. browser_take_screenshot also takes one element, or JPEG and WebP.",
	.params = screenshot_params,
	.size = sizeof(struct screenshot_args),
	.not_destructive = true,
	.run = screenshot_run,
};
