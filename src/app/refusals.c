#include "app/refusals.h"

#include <errno.h>

#include "base/error.h"
#include "egress/egress.h"

static struct egress *egress_of(struct mcp_call *call)
{
	const char *id = mcp_call_session_id(call);

	return registry_egress(call_app(call)->registry, call_owner(call), id ? id : client_session(call_client(call)));
}

static int fail_refused(struct task *t, struct egress *e, int r)
{
	const char *message = task_error_message(t);
	_cleanup_(str_done) struct str lines = {};

	message = arena_strdup(task_arena(t), message ? message : error_name(r));
	egress_take_refusals(e, &lines);
	return task_fail(t, -ERR_SECURITY_BLOCKED, "%s\nA connection was refused: %s", message, str_text(&lines));
}

static void append_refusals(struct egress *e, struct result *res)
{
	_cleanup_(str_done) struct str lines = {}, text = {};

	egress_take_refusals(e, &lines);
	if (lines.len == 0)
		return;
	str_appendf(&text, "Connections of the page that were refused:\n%s", lines.data);
	result_text(res, text.data);
}

int refusals_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res)
{
	struct egress *e = egress_of(call);
	uint64_t before = e ? egress_refusals(e) : 0;
	int r = next(t, call);

	e = egress_of(call); /* the call may have created or closed the session */
	if (!e)
		return r;
	if (r == -ERR_NAVIGATION_FAILED && egress_refusals(e) > before)
		return fail_refused(t, e, r);
	if (r == 0)
		append_refusals(e, res);
	return r;
}
