/* close_session, list_sessions (and session_close, session_list). create_session is in create.c. */
#include <errno.h>

#include "app/app.h"
#include "tools/session/tools.h"

struct close {
	const char *sessionId;
};

static const struct param close_params[] = { PARAM(close, sessionId, SESSION_ABOUT, .required = true), {} };

static int sessions_close_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct close *a = args;
	int r;

	r = registry_close(t, call_app(call)->registry, call_owner(call), a->sessionId);
	if (r < 0)
		return r;
	result_json(res, "{success: true, message: ?}", "Session closed");
	return 0;
}

#define CLOSE_TOOL(tool_name) \
	{ \
		.name = tool_name, .about = "Close a session and its pages at once; calls still running in it fail.", \
		.terse = "End a session", .params = close_params, .size = sizeof(struct close), .run = sessions_close_run, \
		.ends_session = true, \
	}

const struct tool tool_close_session = CLOSE_TOOL("close_session");
const struct tool tool_session_close = CLOSE_TOOL("session_close");

static int sessions_list_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct app *app = call_app(call);
	_cleanup_(target_list_done) struct target_list targets = {};
	_cleanup_(str_done) struct str list = {};
	uint64_t owner = call_owner(call);
	const struct session *s = NULL;
	unsigned count = 0;
	int r;

	r = app_targets(t, app, owner, &targets);
	if (r < 0 && r != -ENOTCONN)
		return r;
	task_forget_failure(t); /* sessions that sleep are there without a browser, too */
	while ((s = registry_next(app->registry, owner, s))) {
		const struct page *p = session_current_page(s);
		const struct target_info *target = p ? target_list_find(&targets, page_target_id(p)) : NULL;
		const char *url = target ? target->url : "about:blank", *title = target ? target->title : "";

		session_sleeping_page(s, &url, &title);
		str_json(&list, "?{sessionId: ?, url: ?, title: ?, createdAt: ?, expiresAt: ?, busy: ?, state: ?}",
			 JSON_RAW(count++ ? "," : "["), session_id(s), url, title, session_created_at(s), session_expires_at(s),
			 session_busy(s), session_state_table[session_state(s)]);
	}
	str_append(&list, count ? "]" : "[]");
	result_json(res, "{sessions: ?, count: ?, maxSessions: ?}", JSON_RAW(list.data), count,
		    registry_options(app->registry)->max);
	return 0;
}

#define LIST_TOOL(tool_name) \
	{ \
		.name = tool_name, .about = "List the open sessions with their page and the time at which they end if unused.", \
		.terse = "List open sessions and when they end", .read_only = true, .idempotent = true, .run = sessions_list_run, \
	}

const struct tool tool_list_sessions = LIST_TOOL("list_sessions");
const struct tool tool_session_list = LIST_TOOL("session_list");
