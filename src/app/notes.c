#include "app/notes.h"

#include "base/error.h"
#include "egress/egress.h"
#include "page/modal.h"
#include "page/page.h"
#include "session/session.h"

static struct egress *egress_of(struct mcp_call *call)
{
	return registry_egress(call_app(call)->registry, call_owner(call), call_session(call));
}

static int fail_refused(struct task *t, struct egress *e, int r)
{
	_cleanup_(str_done) struct str lines = {};

	egress_take_refusals(e, &lines);
	return task_wrap(t, r, -ERR_SECURITY_BLOCKED, "",
			 arena_printf(task_arena(t), "\nA connection was refused: %s", str_text(&lines)));
}

static void notes_append_refusals(struct egress *e, struct result *res)
{
	_cleanup_(str_done) struct str lines = {}, text = {};

	egress_take_refusals(e, &lines);
	if (lines.len == 0)
		return;
	str_appendf(&text, "Connections of the page that were refused:\n%s", lines.data);
	result_text(res, text.data);
}

/* What limits have done to the session's pages. */
static void append_notices(struct mcp_call *call, struct result *res)
{
	_cleanup_(str_done) struct str lines = {};
	const char *id = call_session(call);

	while (registry_next_notice(call_app(call)->registry, call_owner(call), id, &lines))
		str_append_char(&lines, '\n');
	if (lines.len)
		result_text(res, lines.data);
}

/* One text for all pages of the session. */
void notes_throttled(struct task *t, struct mcp_call *call, struct result *res)
{
	const struct registry *r = call_app(call)->registry;
	const char *id = call_session(call), *note = NULL, *other;

	for (struct page *p = NULL; (p = registry_next_page(r, call_owner(call), id, p));) {
		other = page_throttle_note(p, task_arena(t));
		note = note ? note : other;
	}
	if (note)
		result_text(res, note);
}

/* One text for all pages of the session, as above. */
static void append_refused(struct mcp_call *call, struct result *res)
{
	const struct registry *r = call_app(call)->registry;
	const char *id = call_session(call);
	unsigned refused = 0;

	for (struct page *p = NULL; (p = registry_next_page(r, call_owner(call), id, p));)
		refused |= page_take_refused(p);
	if (refused & REFUSED_FILES)
		result_text(
			res,
			"The page asked for files by the File System Access API (showOpenFilePicker, showSaveFilePicker, "
			"showDirectoryPicker), which is not available here: it was told that the user has cancelled. Fields and drop "
			"zones for files work, and so do downloads.");
	if (refused & REFUSED_POINTER)
		result_text(
			res,
			"The page locked the mouse pointer, which is not available here: it was released at once, as by Escape.");
}

int notes_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res)
{
	struct egress *e = egress_of(call);
	uint64_t before = e ? egress_refusals(e) : 0;
	int r = next(t, call);

	e = egress_of(call); /* the call may have created or closed the session */
	if (e && r == -ERR_NAVIGATION_FAILED && egress_refusals(e) > before)
		return fail_refused(t, e, r);
	if (r == 0 && e)
		notes_append_refusals(e, res);
	if (r < 0)
		return r;
	notes_throttled(t, call, res);
	append_refused(call, res);
	append_notices(call, res);
	return r;
}
