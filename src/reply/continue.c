/* Answers that go on behind a cursor (view/cursors.h). */
#include "base/display.h"
#include "base/error.h"
#include "base/limits.h"
#include "reply/response_internal.h"
#include "view/cursors.h"

/* The line that names a cursor. */
static void continue_append_note(struct str *out, const struct str *note)
{
	if (note->len && out->len && out->data[out->len - 1] != '\n')
		str_append_char(out, '\n');
	str_append(out, str_text(note));
}

/* A text may have lines of any form, so it is in a fence. What is older than the newest view says so. */
static void append_continued(struct response *r, const struct continued *c, unsigned newest)
{
	struct str *out = c->is_text ? &r->block : &r->result;

	if (c->revision < newest)
		str_appendf(&r->result, "as of r%u; the page is now r%u%s", c->revision, newest, c->is_text ? "" : "\n");
	if (c->is_text)
		display_code(out, "", str_text(&c->text));
	else
		str_append(out, str_text(&c->text));
	continue_append_note(out, &c->note);
}

static void continued_done(struct continued *c)
{
	str_done(&c->text);
	str_done(&c->note);
}

int response_continue(struct response *r, struct cursors *all, const char *cursor)
{
	const char *name = response_line(r->t, cursor);
	_cleanup_(continued_done) struct continued found = {};

	switch (cursors_continue(all, cursor, r->view.budget ? MIN(r->view.budget, (size_t)VIEW_BUDGET_MAX) : VIEW_BUDGET_MAX,
				 &found)) {
	case CURSOR_SHOWN:
		append_continued(r, &found, all->revision);
		return 0;
	case CURSOR_MALFORMED:
		return task_fail(
			r->t, -ERR_INVALID_PARAMETERS,
			"cursor: %.64s is no cursor; one is written as in an answer, c3, or c3+500 to leave out the first 500",
			name);
	case CURSOR_BEYOND:
		return task_fail(r->t, -ERR_INVALID_PARAMETERS, "cursor: %.64s is behind the end", name);
	case CURSOR_UNKNOWN:
		return task_fail(r->t, -ERR_INVALID_PARAMETERS, "cursor: no answer of this session had %.64s", name);
	case CURSOR_CROWDED_OUT:
		return task_fail(
			r->t, -ERR_INVALID_PARAMETERS,
			"cursor: %.64s is gone: what later cursors lead to has more than the %zu MiB that are kept. Call browser_snapshot without it",
			name, all->limit >> 20);
	case CURSOR_DROPPED:
		return task_fail(
			r->t, -ERR_INVALID_PARAMETERS,
			"cursor: %.64s is gone: all sessions together have seen more than the %u MiB that are kept. Call browser_snapshot without it",
			name, LIMIT_OWNER_VIEWS >> 20);
	default:
		return task_fail(r->t, -ERR_INVALID_PARAMETERS,
				 "cursor: %.64s is gone: only the last %u cursors are kept. Call browser_snapshot without it", name,
				 LIMIT_CURSORS_COUNT);
	}
}
