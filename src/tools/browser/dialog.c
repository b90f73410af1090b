/* browser_handle_dialog, browser_file_upload. */
#include <unistd.h>

#include "base/limits.h"
#include "page/rest.h"
#include "reply/output.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define FILES_IN_A_ROW 64 /* that are looked up without letting others have their turn: a few milliseconds */

struct browser_handle_dialog {
	const char *sessionId, *promptText;
	bool accept;
};

static const struct param browser_handle_dialog_params[] = {
	PARAM(browser_handle_dialog, accept, "false: dismiss", .required = true),
	PARAM(browser_handle_dialog, promptText, "Answer to a prompt dialog", .max_length = LIMIT_TYPE_TEXT),
	PARAM(browser_handle_dialog, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int dialog_run(struct browse *b, const void *args)
{
	const struct browser_handle_dialog *a = args;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return page_answer_dialog(b->call.t, b->page, a->accept, a->promptText);
}

const struct tool tool_browser_handle_dialog =
	BROWSE_TOOL("browser_handle_dialog", "Handle a dialog", browser_handle_dialog,
		    "Accept or dismiss the alert, confirm or prompt dialog that an earlier call has opened.",
		    (&(const struct browse_tool){ .run = dialog_run, .modals = MODAL_DIALOG, .acts = true }),
		    .terse = "Answer the open dialog");

struct browser_file_upload {
	const char *sessionId;
	struct string_list paths;
};

static const struct param browser_file_upload_params[] = {
	PARAM(browser_file_upload, paths, "Absolute paths; omit to cancel"),
	PARAM(browser_file_upload, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* The reason why the chooser does not accept a file; NULL if it does. */
static const char *wrong_file(const struct chooser *chooser, const struct stat *st)
{
	if (chooser->folder && !S_ISDIR(st->st_mode))
		return "fileChooser.setFiles: Error: [webkitdirectory] input requires passing a path to a directory";
	if (!chooser->folder && S_ISDIR(st->st_mode))
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

/* Resolves the paths; `shown` gets the absolute ones. */
static int find_files(struct tool_call *call, const struct string_list *paths, struct output_file *files, struct str *shown)
{
	int r = 0;

	for (size_t i = 0; i < paths->count && r == 0; i++) {
		if (i % FILES_IN_A_ROW == FILES_IN_A_ROW - 1 && (r = task_sleep(call->t, USEC_PER_MSEC)) < 0)
			return r;
		r = output_find(call->t, &call->files, paths->items[i], &files[i]);
		if (r == 0)
			str_json(shown, "? ?", JSON_RAW(i ? "," : "["), files[i].path);
	}
	str_append(shown, paths->count ? "]" : "[]");
	return r;
}

/* Appends the path to send to the browser. If the chooser does not accept the file, adds a complaint and returns 0; the client may retry. */
static int dialog_give_file(struct browse *b, const struct chooser *chooser, const struct output_file *f, struct str *list)
{
	const char *path, *wrong;
	struct stat st;
	int fd = output_look(b->call.t, f, &st), r;

	if (fd < 0)
		return browse_complain_failure(b, fd);
	wrong = wrong_file(chooser, &st);
	if (wrong) {
		close(fd);
		return browse_complain(b, "%s", wrong);
	}
	r = output_give_to_pages(b->call.t, session_context(b->session), f, fd, &path);
	if (r == 0)
		str_json(list, "? ?", JSON_RAW(list->len ? "," : "["), path);
	return r;
}

static int dialog_give_files(struct browse *b, const struct output_file *files, size_t count, struct str *list)
{
	struct chooser chooser;
	const char *wrong;
	int r;

	r = page_chooser(b->call.t, b->page, &chooser);
	if (r < 0)
		return r;
	wrong = wrong_count(&chooser, count);
	if (wrong)
		return browse_complain(b, "%s", wrong);
	for (size_t i = 0; i < count && r == 0 && !b->response.error.len; i++)
		r = dialog_give_file(b, &chooser, &files[i], list);
	str_append(list, list->len ? "]" : "[]");
	return r;
}

static int upload_run(struct browse *b, const void *args)
{
	const struct browser_file_upload *a = args;
	struct output_file *files = arena_alloc(task_arena(b->call.t), (a->paths.count + 1) * sizeof(*files));
	_cleanup_(str_done) struct str shown = {}, list = {};
	int r;

	r = a->paths.items ? find_files(&b->call, &a->paths, files, &shown) : 0;
	if (r < 0)
		return r;
	response_add(&b->response.code, "await fileChooser.setFiles(%s)", shown.len ? shown.data : "undefined");
	b->response.snapshot = SNAPSHOT_LINK;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = a->paths.items ? dialog_give_files(b, files, a->paths.count, &list) : 0;
	if (r == 0 && !b->response.error.len)
		r = page_expect_files(b->call.t, b->page);
	if (r < 0 || b->response.error.len)
		return r;
	return page_choose_files(b->call.t, b->page, a->paths.items ? list.data : NULL);
}

const struct tool tool_browser_file_upload =
	BROWSE_TOOL("browser_file_upload", "Upload files", browser_file_upload,
		    "Give files to the file chooser that an earlier click has opened, or cancel it.",
		    (&(const struct browse_tool){ .run = upload_run, .modals = MODAL_CHOOSER, .acts = true }),
		    .terse = "Give the open file chooser files; none: cancel");
