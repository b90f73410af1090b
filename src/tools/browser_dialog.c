/* browser_handle_dialog, browser_file_upload. */
#include "base/limits.h"
#include "tools/browse.h"
#include "tools/output.h"
#include "tools/tools.h"

struct browser_handle_dialog {
	const char *sessionId, *promptText;
	bool accept;
};

static const struct param browser_handle_dialog_params[] = {
	PARAM(browser_handle_dialog, accept, NULL, .required = true),
	PARAM(browser_handle_dialog, promptText, NULL, .max_length = LIMIT_TYPE_TEXT),
	PARAM(browser_handle_dialog, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int dialog_run(struct browse *b, const void *args)
{
	const struct browser_handle_dialog *a = args;

	task_set_deadline(b->t, clock_now() + b->app->timeout_action);
	return page_answer_dialog(b->t, b->page, a->accept, a->promptText);
}

const struct tool tool_browser_handle_dialog = BROWSE_TOOL(
	"browser_handle_dialog", "Handle a dialog", browser_handle_dialog, "Answer the dialog that is open.",
	(&(const struct browse_tool){ .run = dialog_run, .modals = MODAL_DIALOG, .acts = true }));

struct browser_file_upload {
	const char *sessionId;
	struct string_list paths;
};

static const struct param browser_file_upload_params[] = {
	PARAM(browser_file_upload, paths, "Left out: cancel"),
	PARAM(browser_file_upload, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int upload_run(struct browse *b, const void *args)
{
	const struct browser_file_upload *a = args;
	_cleanup_(str_done) struct str list = {};
	int r;

	for (size_t i = 0; i < a->paths.count; i++) {
		r = output_check(b->t, b->app, a->paths.items[i]);
		if (r < 0)
			return r;
		str_append(&list, i ? "," : "[");
		str_json(&list, "%s", a->paths.items[i]);
	}
	if (list.len)
		str_append_char(&list, ']');
	else if (a->paths.items)
		str_append(&list, "[]");
	response_add(&b->response.code, "await fileChooser.setFiles(%s)", list.len ? list.data : "undefined");
	b->response.snapshot = SNAPSHOT_LINK;
	task_set_deadline(b->t, clock_now() + b->app->timeout_action);
	return page_choose_files(b->t, b->page, list.len ? list.data : NULL);
}

const struct tool tool_browser_file_upload = BROWSE_TOOL(
	"browser_file_upload", "Upload files", browser_file_upload, "Give files to the file chooser that is open.",
	(&(const struct browse_tool){ .run = upload_run, .modals = MODAL_CHOOSER, .acts = true }));
