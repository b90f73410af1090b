/* browser_tabs, browser_close. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/routes.h"
#include "browser/archive.h"
#include "browser/videos.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"
#include "tools/browser/video.h"

struct browser_tabs {
	const char *sessionId, *url, *isolatedContext;
	int action;
	double index;
};

enum tabs_action { TABS_LIST, TABS_NEW, TABS_CLOSE, TABS_SELECT };
static const char *const action_names[] = { "list", "new", "close", "select", NULL };
#define NO_INDEX (-DBL_MAX)

static const struct param browser_tabs_params[] = {
	PARAM(browser_tabs, action, NULL, .choices = action_names, .required = true, .documented = "What to do with the tabs"),
	PARAM(browser_tabs, index, NULL,
	      .schema = "{\"type\":\"number\",\"description\":\"From 0; for select, or close (default: current)\"}",
	      .terse_schema = "{\"type\":\"number\"}"),
	PARAM(browser_tabs, url, "URL of the new tab", .max_length = LIMIT_URL, .empty_is_none = true),
	PARAM(browser_tabs, isolatedContext,
	      "Of a new tab: name of the context whose cookies and storage it shares; default: the session's own",
	      .max_length = LIMIT_ISOLATED_NAME, .empty_is_none = true, .is_later = true, .is_rare = true),
	PARAM(browser_tabs, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int find_tab(struct browse *b, double index, struct tab **ret)
{
	struct tab *tab =
		index >= 0 && index < 1e6 && index == trunc(index) ? tabs_nth(session_tabs(b->session), (unsigned)index) : NULL;

	if (!tab)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "Tab %.15g not found", index);
	*ret = tab;
	return 0;
}

static int make_context(struct browse *b, const char *name)
{
	int r = session_make_isolated(b->call.t, b->session, name);

	if (r == 0)
		r = browse_prepare_context(&b->call, session_find_context(b->session, name));
	if (r == 0)
		r = context_share_rules(b->call.t, session_find_context(b->session, NULL), session_find_context(b->session, name));
	if (r == 0)
		r = video_add_context(b, session_find_context(b->session, name));
	return r;
}

/* Opens a tab in the place of the spare one. `name`: of an isolated context, or NULL. */
static int replace_spare(struct browse *b, struct tab *spare, const char *name)
{
	_cleanup_(page_unrefp) struct page *page = page_ref(spare->page);
	int r;

	r = tabs_open(b->call.t, session_tabs(b->session), session_find_context(b->session, name));
	spare = tabs_find(session_tabs(b->session), page);
	if (r == 0 && spare)
		tabs_close(session_tabs(b->session), spare);
	return r;
}

static int open_in(struct browse *b, const char *name)
{
	struct tab *spare = session_spare_tab(b->session);

	if (!spare)
		return tabs_open(b->call.t, session_tabs(b->session), session_find_context(b->session, name));
	if (name || !page_alive(spare->page))
		return replace_spare(b, spare, name);
	return 0;
}

static int open_tab(struct browse *b, const char *url, const char *context)
{
	const char *name = context && strcmp(context, "default") != 0 ? context : NULL;
	_cleanup_(page_unrefp) struct page *p = NULL;
	struct tabs *tabs = session_tabs(b->session);
	int r = 0;

	if (name)
		r = make_context(b, name);
	if (r == 0)
		r = open_in(b, name);
	if (r == 0 && tabs->current)
		tabs->current->is_used = true;
	if (r == 0)
		r = browse_prepare_tabs(b);
	if (r < 0 || !url || !tabs->current)
		return r;
	p = page_ref(tabs->current->page);
	return browse_goto(b, p, url);
}

static int select_tab(struct browse *b, double index)
{
	struct tab *tab = NULL;
	int r;

	if (index == NO_INDEX)
		return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "Tab index is required");
	r = find_tab(b, index, &tab);
	if (r < 0)
		return r;
	session_tabs(b->session)->current = tab;
	if (page_alive(tab->page))
		page_post_to_front(tab->page);
	return 0;
}

static int close_tab(struct browse *b, double index)
{
	struct tab *tab = session_tabs(b->session)->current;
	_cleanup_(page_unrefp) struct page *closing = NULL;
	int r = 0;

	if (index != NO_INDEX)
		r = find_tab(b, index, &tab);
	if (r < 0 || !tab)
		return r;
	closing = page_ref(tab->page);
	r = context_stop_video(b->call.t, tab->context, closing);
	tab = tabs_find(session_tabs(b->session), closing); /* the page may have closed itself meanwhile */
	if (r == 0 && tab)
		tabs_close(session_tabs(b->session), tab);
	return r;
}

/* The list already describes the current page, so the answer needs no header for it. `shows`: the page that is current now is new. */
static int answer_with_tabs(struct browse *b, bool shows)
{
	struct tabs *tabs = session_tabs(b->session);

	if (!tabs->current) {
		response_add(&b->response.result, RESPONSE_NO_TABS);
		return 0;
	}
	b->response.tabs_printed = true;
	if (shows && b->call.app->answers->writer->shows_pages)
		b->response.snapshot = SNAPSHOT_LINK;
	return response_tabs(b->call.t, b->session, &b->response.result);
}

/* A reference, or NULL. */
static struct page *current_page_ref(const struct browse *b)
{
	const struct tab *tab = session_tabs(b->session)->current;

	return tab ? page_ref(tab->page) : NULL;
}

static int tabs_run(struct browse *b, const void *args)
{
	const struct browser_tabs *a = args;
	_cleanup_(page_unrefp) struct page *before = current_page_ref(b);
	_cleanup_(page_unrefp) struct page *now = NULL;
	struct tabs *tabs = session_tabs(b->session);
	struct tab *current = tabs->current;
	int r = 0;

	if (a->action == TABS_LIST || (a->action != TABS_NEW && !current))
		r = tabs_ensure(b->call.t, tabs, session_context(b->session), &current);
	if (r == 0)
		r = browse_prepare_tabs(b);
	if (r < 0)
		return r;
	if (a->action != TABS_NEW && tabs->current)
		tabs->current->is_used = true;
	if (a->action == TABS_NEW)
		r = open_tab(b, a->url, a->isolatedContext);
	else if (a->action == TABS_SELECT)
		r = select_tab(b, a->index);
	else if (a->action == TABS_CLOSE)
		r = close_tab(b, a->index);
	now = current_page_ref(b);
	return r < 0 ? r : answer_with_tabs(b, a->action == TABS_SELECT || (now != before && (a->action == TABS_CLOSE || a->url)));
}

const struct tool tool_browser_tabs =
	BROWSE_TOOL("browser_tabs", "Manage tabs", browser_tabs,
		    "List, open, select or close tabs; other tools work on the selected one.",
		    (&(const struct browse_tool){ .run = tabs_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .defaults = &(const struct browser_tabs){ .index = NO_INDEX }, .terse = "List, open, select or close tabs");

struct browser_close {
	const char *sessionId;
};

static const struct param browser_close_params[] = { PARAM(browser_close, sessionId, NULL, .schema = BROWSE_SESSION), {} };

static int tabs_close_run(struct browse *b, const void *args)
{
	struct context *c = NULL;
	int r = 0;

	if (b->call.app->one_session)
		return browse_fail(&b->call, "Error: The browser context is shared between clients and cannot be closed.");
	while (r == 0 && (c = session_next_context(b->session, c))) {
		r = context_stop_videos(b->call.t, c);
		if (r == 0)
			r = context_await_archive(b->call.t, c);
	}
	if (r < 0)
		return r;
	session_reset(b->session);
	r = browser_await_end(b->call.t, b->call.app->browser);
	if (r < 0)
		return r;
	response_add(&b->response.result, RESPONSE_NO_TABS);
	response_add(&b->response.code, "await page.close()");
	return 0;
}

const struct tool tool_browser_close =
	BROWSE_TOOL("browser_close", "Close browser", browser_close,
		    "Close all tabs, and forget cookies and storage unless a profile is kept. The session stays.",
		    (&(const struct browse_tool){ .run = tabs_close_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .terse = "Close all tabs; the session stays");
