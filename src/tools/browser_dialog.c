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

/* What is wrong with one of the files; NULL: nothing. */
static const char *wrong_file(struct browse *b, const struct chooser *chooser, const char *path)
{
	struct stat st;

	if (output_stat(b->t, path, &st) < 0)
		return arena_strdup(task_arena(b->t), task_error_message(b->t));
	if (chooser->folder && !S_ISDIR(st.st_mode))
		return "fileChooser.setFiles: Error: [webkitdirectory] input requires passing a path to a directory";
	if (!chooser->folder && S_ISDIR(st.st_mode))
		return "fileChooser.setFiles: Error: File input does not support directories, pass individual files instead";
	return NULL;
}

static const char *wrong_count(const struct chooser *chooser, size_t count)
{
	if (count > 1 && chooser->folder)
		return "fileChooser.setFiles: Error: Multiple directories are not supported";
	if (count > 1 && !chooser->multiple)
		return "fileChooser.setFiles: Error: Non-multiple file input can only accept single file";
	return NULL;
}

/* As absolute paths, as Chromium ends a page that is given another one. */
static int resolve_files(struct browse *b, const struct string_list *paths, struct str *list)
{
	const char *path;
	int r = 0;

	for (size_t i = 0; i < paths->count && r == 0; i++) {
		r = output_named(b->t, b->app, paths->items[i], &path);
		if (r == 0)
			str_json(list, i ? ",%s" : "[%s", path);
		paths->items[i] = path;
	}
	str_append(list, paths->count ? "]" : "[]");
	return r;
}

/* The chooser's owner may try again after a complaint. */
static int check_files(struct browse *b, const struct string_list *paths)
{
	struct chooser chooser;
	const char *wrong;
	int r;

	r = page_chooser(b->t, b->page, &chooser);
	if (r < 0)
		return r;
	wrong = wrong_count(&chooser, paths->count);
	for (size_t i = 0; i < paths->count && !wrong; i++)
		wrong = wrong_file(b, &chooser, paths->items[i]);
	return wrong ? browse_complain(b, "%s", wrong) : 0;
}

static int upload_run(struct browse *b, const void *args)
{
	const struct browser_file_upload *a = args;
	_cleanup_(str_done) struct str list = {};
	int r;

	r = a->paths.items ? resolve_files(b, &a->paths, &list) : 0;
	if (r < 0)
		return r;
	response_add(&b->response.code, "await fileChooser.setFiles(%s)", list.len ? list.data : "undefined");
	b->response.snapshot = SNAPSHOT_LINK;
	task_set_deadline(b->t, clock_now() + b->app->timeout_action);
	r = a->paths.items ? check_files(b, &a->paths) : 0;
	if (r < 0 || b->response.error.len)
		return r;
	return page_choose_files(b->t, b->page, list.len ? list.data : NULL);
}

const struct tool tool_browser_file_upload = BROWSE_TOOL(
	"browser_file_upload", "Upload files", browser_file_upload, "Give files to the file chooser that is open.",
	(&(const struct browse_tool){ .run = upload_run, .modals = MODAL_CHOOSER, .acts = true }));
