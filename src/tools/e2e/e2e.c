#include "tools/e2e/e2e.h"

#include "base/error.h"
#include "observe/journal.h"

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

struct e2e *e2e_of_session(struct mcp_call *call, const char *session_id)
{
	return session_id ? registry_data(call_app(call)->registry, call_owner(call), session_id) : NULL;
}

int e2e_find(struct task *t, struct mcp_call *call, const char *session_id, struct e2e **ret)
{
	struct e2e *e = e2e_of_session(call, session_id);

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
