/* browser_storage_state, browser_set_storage_state. */
#include "browser/storage.h"

#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "reply/output.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

/* ---- saving ---- */

struct browser_storage_state {
	const char *sessionId, *filename;
	bool indexedDB;
};

static const struct param browser_storage_state_params[] = {
	PARAM(browser_storage_state, filename, "Default: storage-state-{time}.json", .empty_is_none = true),
	PARAM(browser_storage_state, indexedDB, "With the IndexedDB databases", .is_addition = true, .is_rare = true),
	PARAM(browser_storage_state, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* `left_out`: NULL: without databases. */
static int storage_collect_state(struct browse *b, struct str *out, struct str *left_out)
{
	_cleanup_(str_done) struct str compact = {};
	_cleanup_(json_freep) struct json *state = NULL;
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.navigation);
	if (left_out)
		r = storage_collect_all(b->call.t, session_context(b->session), &compact, left_out);
	else
		r = storage_collect(b->call.t, session_context(b->session), &compact);
	if (r == 0)
		r = json_parse(compact.data, compact.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &state);
	if (r == 0)
		json_print_indented(out, state);
	return r;
}

static int storage_state_run(struct browse *b, const void *args)
{
	const struct browser_storage_state *a = args;
	_cleanup_(str_done) struct str text = {}, left_out = {};
	struct output_file f;
	const char *shown;
	int r;

	r = output_choose(b->call.t, &b->call.files, a->filename, "storage-state", "json", &f);
	if (r == 0)
		r = storage_collect_state(b, &text, a->indexedDB ? &left_out : NULL);
	if (r == 0)
		r = response_write(&b->response, &f, text.data, text.len, false);
	if (r < 0)
		return r;
	shown = output_shown(b->call.t, &b->call.files, f.path);
	response_add(&b->response.result, "- [Storage state](%s)", shown);
	if (left_out.len)
		response_add(&b->response.result, "- Databases that cannot be written or are too large: [%s]", left_out.data);
	browse_code(b, "context().storageState({ path: %s%s });", browse_quote(&b->call, shown),
		    a->indexedDB ? ", indexedDB: true" : "");
	return 0;
}

const struct tool tool_browser_storage_state =
	BROWSE_TOOL("browser_storage_state", "Save storage state", browser_storage_state,
		    "Save the cookies and local storage of the session to a file.",
		    (&(const struct browse_tool){ .run = storage_state_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "storage", .read_only = true);

/* ---- restoring ---- */

struct browser_set_storage_state {
	const char *sessionId, *filename;
};

static const struct param browser_set_storage_state_params[] = {
	PARAM(browser_set_storage_state, filename, "File of browser_storage_state", .required = true),
	PARAM(browser_set_storage_state, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int fail_to_read(struct tool_call *call, int r, const char *path)
{
	return task_wrap(call->t, r, r, arena_printf(task_arena(call->t), "Error reading storage state from %s:\n", path), "");
}

/* Fails as the reading of the file, which the reference reports apart from the restoring. */
static int read_state(struct tool_call *call, const char *filename, struct json **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct json_place place;
	struct output_file f;
	struct stat st;
	int fd, r;

	r = output_find(call->t, &call->files, filename, &f);
	if (r < 0)
		return r;
	fd = output_look(call->t, &f, &st);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && S_ISDIR(st.st_mode))
		return task_fail(call->t, -ERR_INVALID_PARAMETERS,
				 "Error reading storage state from %s:\nEISDIR: illegal operation on a directory, read", f.path);
	r = output_read(call->t, &f, LIMIT_STORAGE_STATE, &text);
	if (r < 0)
		return fail_to_read(call, r, f.path);
	r = json_parse(str_text(&text), text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, ret);
	if (r == 0)
		return 0;
	place = json_refused_at(str_text(&text), text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE);
	return browse_fail(call,
			   "SyntaxError: Error reading storage state from %s:\nThe file is not valid JSON (line %u column %u)",
			   f.path, place.line, place.column);
}

static int set_state_run(struct browse *b, const void *args)
{
	const struct browser_set_storage_state *a = args;
	_cleanup_(json_freep) struct json *state = NULL;
	int r;

	r = read_state(&b->call, a->filename, &state);
	if (r < 0)
		return r;
	r = storage_check_all(b->call.t, state);
	if (r < 0)
		return browse_wrap(&b->call, r, BROWSE_FAILURE_OF_CALL, "", "");
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.navigation);
	r = storage_replace(b->call.t, session_context(b->session), state);
	if (r < 0)
		return browse_wrap(&b->call, r, BROWSE_FAILURE_OF_CALL, "Error setting storage state:\n", "");
	response_add(&b->response.result, "Storage state restored from %s", a->filename);
	browse_code(b, "context().setStorageState(%s);", browse_quote(&b->call, a->filename));
	return 0;
}

const struct tool tool_browser_set_storage_state =
	BROWSE_TOOL("browser_set_storage_state", "Restore storage state", browser_set_storage_state,
		    "Replace the cookies and local storage of the session by those of a file.",
		    (&(const struct browse_tool){ .run = set_state_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "storage");
