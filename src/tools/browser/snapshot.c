/* browser_snapshot, browser_find. */
#include <math.h>

#include "base/error.h"
#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_snapshot {
	const char *sessionId, *target, *filename;
	double depth;
	const struct json *boxes; /* NULL: as the settings say */
	const char *cursor, *since;
	int budget;
	bool urls;
};

#define DEPTH_MAX 1000

static const struct param browser_snapshot_params[] = {
	PARAM(browser_snapshot, target, TARGET_ABOUT, .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_snapshot, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_snapshot, depth, "Levels of the tree; default: all", .is_rare = true),
	PARAM(browser_snapshot, boxes, "Add [box=x,y,width,height] in CSS pixels", .is_flag = true, .is_rare = true),
	PARAM(browser_snapshot, cursor, "Show what an answer left out: c3, or c3+500 from the 500th line on",
	      .max_length = LIMIT_CURSOR_NAME, .empty_is_none = true, .is_for_terse = true),
	PARAM(browser_snapshot, since, "Show what changed since this view: r5", .max_length = LIMIT_CURSOR_NAME,
	      .empty_is_none = true, .is_for_terse = true),
	PARAM(browser_snapshot, budget, "Bytes; default 4096", .min = 200, .max = LIMIT_ANSWER, .is_for_terse = true),
	PARAM(browser_snapshot, urls, "With addresses of links", .is_for_terse = true, .is_rare = true),
	PARAM(browser_snapshot, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* Those of the session, or those to the rest of answers of other tools: a3. */
static struct cursors *cursors_of(struct browse *b, const char *cursor)
{
	return cursor[0] == 'a' ? &call_client(b->mcp_call)->rests : &session_tabs(b->session)->cursors;
}

static int snapshot_run(struct browse *b, const void *args)
{
	const struct browser_snapshot *a = args;
	int r;

	b->response.view = (struct view_request){ .budget = (size_t)a->budget, .since = a->since };
	if (a->depth != trunc(a->depth))
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "%sdepth: expected integer, got float %.15g",
				 browse_reference_caller(&b->call), a->depth);
	if (a->cursor)
		return response_continue(&b->response, cursors_of(b, a->cursor), a->cursor);
	b->response.options.depth = a->depth > 0 ? (int)MIN(a->depth, (double)DEPTH_MAX) : 0;
	b->response.options.boxes = json_bool(a->boxes, NULL, b->call.app->answers->boxes);
	b->response.options.urls = a->urls;
	if (a->target) {
		r = browse_find_target(b, a->target, &b->root);
		if (r < 0)
			return r;
		b->response.root = &b->root.target;
		b->response.options.ref = b->root.target.ref;
	}
	b->response.snapshot = SNAPSHOT_INLINE;
	b->response.filename = a->filename;
	return 0;
}

const struct tool tool_browser_snapshot = BROWSE_TOOL(
	"browser_snapshot", "Page snapshot", browser_snapshot,
	"Read the page as a tree of roles, names and refs, which other tools take as target. Use it rather than a screenshot.",
	(&(const struct browse_tool){ .run = snapshot_run }), .read_only = true,
	.terse = "View of page or target: roles, names, states, refs");

struct browser_find {
	const char *sessionId, *text, *regex, *filename;
	double maxResults;
};

static const struct param browser_find_params[] = {
	PARAM(browser_find, text, "Substring in any case", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_find, regex, "Regular expression, or /expression/flags", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_find, maxResults, "Matches to show; default: all", .is_later = true, .is_rare = true),
	PARAM(browser_find, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_find, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static bool snapshot_is_given(struct browse *b, const char *argument)
{
	return json_member(mcp_call_arguments(b->mcp_call), argument);
}

static int find_run(struct browse *b, const void *args)
{
	const struct browser_find *a = args;
	_cleanup_(str_done) struct str query = {}, found = {}, shown = {};
	int r;

	if (!a->text && !a->regex)
		return browse_fail(&b->call, "Provide either \"text\" or \"regex\" to search for.");
	if (a->text && a->regex)
		return browse_fail(&b->call, "Provide only one of \"text\" or \"regex\", not both.");
	if (a->maxResults < 0 || a->maxResults != trunc(a->maxResults) ||
	    (a->maxResults == 0 && snapshot_is_given(b, "maxResults")))
		return browse_fail(&b->call, "\"maxResults\" must be a positive integer.");
	if (a->maxResults > 0)
		str_json(&query, "maxResults: ?,", a->maxResults);
	if (a->text)
		str_json(&query, "text: ?", a->text);
	else
		str_json(&query, "regex: ?", a->regex);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	str_json(&shown, "?", a->text ? a->text : a->regex);
	r = response_find(&b->response, b->session, b->page, query.data, shown.data, (size_t)a->maxResults, &found);
	if (r == -ERR_INVALID_REGEX)
		return browse_fail(&b->call,
				   "Invalid arguments for tool \"browser_find\":\n✖ Invalid regular expression\n  → at regex");
	return r < 0 ? r : browse_result(b, a->filename, "Find results", str_text(&found));
}

const struct tool tool_browser_find = BROWSE_TOOL(
	"browser_find", "Find in page snapshot", browser_find,
	"Search a new snapshot for text or regex. Answers matching lines with refs and the lines around; shorter than browser_snapshot.",
	(&(const struct browse_tool){ .run = find_run }), .read_only = true,
	.terse = "Find text or regex; answers whole rows, items, sections with refs. Best on long pages");
