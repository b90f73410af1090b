/* create_session, close_session, list_sessions (and session_close, session_list). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/limits.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "tools/session/states.h"
#include "tools/session/tools.h"

struct create {
	const char *egress, *state;
	int engine; /* index in `engines`; -1: not said */
};

#define EGRESS_PARAM \
	PARAM(create, egress, \
	      "Where its pages may connect: public, loopback, private, none, NAME, *.DOMAIN, ADDRESS[/BITS], each [:PORT]; " \
	      "comma-separated. Default: all that the server allows", \
	      .max_length = LIMIT_URL, .empty_is_none = true, .is_rare = true)

static const char *const engines[] = { "chromium", "firefox", NULL };
#define ENGINE_PARAM \
	PARAM(create, engine, "The engine of its browser. Default: that of the server's first browser", .choices = engines)

static const struct param create_params[] = { EGRESS_PARAM, {} };
static const struct param create_with_engine_params[] = { ENGINE_PARAM, EGRESS_PARAM, {} };
#define STATE_ABOUT "Name of a saved state that it begins with: cookies, local storage and IndexedDB"
static const struct param create_with_state_params[] = {
	PARAM(create, state, STATE_ABOUT, .empty_is_none = true),
	EGRESS_PARAM,
	{},
};
static const struct param create_with_state_and_engine_params[] = {
	PARAM(create, state, STATE_ABOUT, .empty_is_none = true),
	ENGINE_PARAM,
	EGRESS_PARAM,
	{},
};

static bool wants_second(const struct app *app, int engine)
{
	struct browser *second = pool_second(app->pool);

	return engine >= 0 && second && strcmp(engines[engine], engine_name(&browser_options(second)->start)) == 0;
}

static int create_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct create *a = args;
	_cleanup_(egress_unrefp) struct egress *egress = NULL;
	_cleanup_(json_freep) struct json *state = NULL;
	char id[SESSION_ID_SIZE];
	const struct session *s;
	int64_t expires_at;
	int r = 0;

	if (a->egress)
		r = registry_make_egress(t, call_app(call)->registry, a->egress, &egress);
	if (r == 0 && a->state)
		r = state_find(t, call, a->state, &state);
	if (r == 0)
		r = registry_create(t, call_app(call)->registry, call_owner(call),
				    &(const struct session_plan){ .egress = egress,
								  .second = wants_second(call_app(call), a->engine) },
				    &s);
	if (r < 0)
		return r;
	snprintf(id, sizeof(id), "%s", session_id(s));
	expires_at = session_expires_at(s);
	if (state)
		r = state_restore(t, call, id, state, &expires_at);
	if (r < 0)
		return r;
	result_json(res, "{sessionId: ?, expiresAt: ?, message: ?}", id, expires_at, "Session created");
	return 0;
}

#define CREATE_TOOL(tool_params) \
	{ \
		.name = "create_session", .terse = "Open an isolated session; answers a sessionId for all tools", \
		.about = \
			"Open an isolated browser session with its own cookies, storage and pages. Pass the sessionId that it answers to the other tools, " \
			"and end with close_session.", \
		.params = tool_params, .size = sizeof(struct create), .not_destructive = true, .run = create_run, \
	}

const struct tool tool_create_session = CREATE_TOOL(create_params);
const struct tool tool_create_session_with_state = CREATE_TOOL(create_with_state_params);
/* Where a server has a second browser, in the places of these. */
const struct tool tool_create_session_with_engine = CREATE_TOOL(create_with_engine_params);
const struct tool tool_create_session_with_state_and_engine = CREATE_TOOL(create_with_state_and_engine_params);

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
