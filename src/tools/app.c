#include "tools/app.h"

#include "browser/modal.h"

int visit_page(struct task *t, struct mcp_call *call, const char *session_id, struct visited *ret)
{
	int r;

	r = session_enter(t, call_app(call)->registry, session_id, &ret->session);
	if (r < 0)
		return r;
	context_keep_modals(session_context(ret->session), false);
	return session_page(t, ret->session, &ret->page);
}

void visit_done(struct visited *v)
{
	page_unref(v->page);
	if (v->session)
		session_leave(v->session);
}

const char *dialog_note(struct task *t, struct page *p)
{
	const char *note = page_take_dialog_note(p, task_arena(t));

	return note ? arena_printf(task_arena(t), " (%s)", note) : "";
}

int result_done_to(struct task *t, struct page *p, const char *what, const char *element, struct result *res)
{
	result_json(res, "{success: true, message: %s}",
		    arena_printf(task_arena(t), "%s %s%s", what, element, dialog_note(t, p)));
	return 0;
}

usec_t timeout_or(double msec, usec_t fallback)
{
	return msec > 0 ? (usec_t)(msec * USEC_PER_MSEC) : fallback;
}
