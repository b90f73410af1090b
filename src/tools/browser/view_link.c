/* view_link: an address at which a person sees one session in the live view. */
#include <string.h>

#include "base/error.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define MINUTES_DEFAULT 15
#define MINUTES_MAX 60

struct view_link {
	const char *sessionId;
	int minutes;
	bool once, act;
};

static const struct param view_link_params[] = {
	PARAM(view_link, sessionId, NULL, .schema = BROWSE_SESSION),
	PARAM(view_link, minutes, "How long it can be opened", .min = 1, .max = MINUTES_MAX),
	PARAM(view_link, once, "It can be opened once"),
	PARAM(view_link, act, "Whoever opens it may take over the session"),
	{},
};

/* The session that the call names, or that of its client. */
static int view_link_find(struct task *t, struct mcp_call *call, const char *asked, char ret[SESSION_ID_SIZE])
{
	const char *id = asked ? asked : client_session(call_client(call));

	if (!*id)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "this client has no session yet: open a page first, or name a sessionId");
	if (strlen(id) >= SESSION_ID_SIZE)
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "there is no session with this id");
	strcpy(ret, id);
	return 0;
}

/* A link gives no more than its maker has. */
static int view_link_check(struct task *t, const struct mcp_call *call, const struct view_link *a)
{
	if (!a->act || mcp_call_may_act(call))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "act: the token of this client may only look, and so may whoever opens its links: leave out act");
}

static int view_link_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct view_link *a = args;
	_cleanup_(str_done) struct str url = {};
	const struct view_link_wish wish = {
		.valid = (usec_t)a->minutes * 60 * USEC_PER_SEC,
		.once = a->once,
		.act = a->act,
	};
	char id[SESSION_ID_SIZE], until[CLOCK_TEXT_SIZE];
	int64_t expires_at;
	int r;

	r = view_link_check(t, call, a);
	if (r == 0)
		r = view_link_find(t, call, a->sessionId, id);
	if (r == 0)
		r = app_view_link(t, call_app(call), call_owner(call), id, &wish, &url, &expires_at);
	if (r < 0)
		return r;
	clock_print(expires_at, until);
	result_json(res, "{url: ?, expiresAt: ?}", url.data, until);
	return 0;
}

const struct tool tool_view_link = {
	.name = "view_link",
	.title = "Link for a person",
	.about = "Make an address at which a person sees this session live. Give it only to people who may see the session.",
	.terse = "Make an address at which a person sees the session live",
	.params = view_link_params,
	.size = sizeof(struct view_link),
	.defaults = &(const struct view_link){ .minutes = MINUTES_DEFAULT },
	.read_only = true,
	.run = view_link_run,
};
