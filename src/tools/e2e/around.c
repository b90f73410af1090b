/* What is done around each call of a session with a server, whatever its tool is. */
#include <errno.h>

#include "app/notes.h"
#include "base/error.h"
#include "observe/journal.h"
#include "tools/e2e/e2e.h"
#include "tools/e2e/tools.h"

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
	_cleanup_(e2e_unrefp) struct e2e *e = e2e_ref(e2e_of_session(call, id));
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
