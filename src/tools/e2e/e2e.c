#include "tools/e2e/e2e.h"

#include <errno.h>
#include <string.h>

#include "app/notes.h"
#include "base/error.h"
#include "observe/journal.h"
#include "tools/e2e/tools.h"

const struct tool *const e2e_tools[] = { E2E_TOOLS(TOOL_ROW) NULL };

struct e2e *e2e_ref(struct e2e *e)
{
	if (e)
		e->refs++;
	return e;
}

/* The last reference leaves the dev server to its shutdown without waiting for it. */
struct e2e *e2e_unref(struct e2e *e)
{
	if (!e || --e->refs > 0)
		return NULL;
	if (e->egress)
		egress_forget_server(e->egress); /* the session may still hold it */
	egress_unref(e->egress);
	if (e->server)
		devserver_abandon(e->server);
	journal_free(e->journal);
	free(e->ready_log);
	free(e);
	return NULL;
}

static struct e2e *of_session(struct mcp_call *call, const char *session_id)
{
	return session_id ? registry_data(call_app(call)->registry, call_owner(call), session_id) : NULL;
}

int e2e_find(struct task *t, struct mcp_call *call, const char *session_id, struct e2e **ret)
{
	struct e2e *e = of_session(call, session_id);

	if (!e && registry_knows(t, call_app(call)->registry, call_owner(call), session_id) < 0)
		return task_error(t);
	if (!e)
		return task_fail(t, -ERR_NO_SERVER, "session %s has no server of its own; startSession makes one that has",
				 session_id);
	*ret = e2e_ref(e);
	return 0;
}

int e2e_enter(struct task *t, struct e2e *e)
{
	int r = 0;

	while (r == 0 && e->working)
		r = waitq_wait(t, &e->changed, "the turn on the session's server");
	if (r == 0)
		e->working = true;
	return r;
}

void e2e_leave(struct e2e *e)
{
	e->working = false;
	waitq_wake(&e->changed);
}

/* ---- around calls ---- */

/* Records the present counts, so that the next call reports only later messages and refusals. */
static void mark(struct e2e *e, struct page *p)
{
	e->refusals_mark = egress_refusals(e->egress);
	journal_free(e->journal);
	e->journal = p ? journal_ref(page_journal(p)) : NULL;
	e->console_mark = p ? journal_end(page_journal(p)) : 0;
}

static bool is_e2e_tool(const struct tool *tool)
{
	const struct tool *const *each = e2e_tools;

	while (*each && *each != tool)
		each++;
	return *each;
}

int e2e_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res)
{
	struct registry *registry = call_app(call)->registry;
	const char *id = mcp_call_session_id(call);
	uint64_t owner = call_owner(call);
	_cleanup_(e2e_unrefp) struct e2e *e = e2e_ref(of_session(call, id));
	struct failed_call failed = { .call = call,
				      .e2e = e,
				      .refusals = e ? egress_refusals(e->egress) : 0,
				      .failures = e ? egress_failures(e->egress) : 0 };
	int r;

	if (e)
		registry_touch(registry, owner, id);
	r = e ? next(t, call) : notes_around(t, call, next, res);
	if (e && r == 0)
		notes_throttled(t, call, res);
	if (r == -EINPROGRESS ||
	    r == -ERR_CLIENT_CANNOT) /* the call returned a request to the client, or the client cannot answer one */
		return r;
	if ((r < 0 || res->is_error) && (e || is_e2e_tool(mcp_call_tool(call)))) {
		failed.failure = MIN(r, 0);
		e2e_explain(t, &failed, res);
		r = 0;
	}
	if (e)
		mark(e, registry_page(registry, owner, id));
	return r;
}
