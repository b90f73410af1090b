#include "page/agent_code.h"

#include <errno.h>

#include "base/error.h"
#include "page/internal.h"

/* The number of the document that the page shows, from 1. */
static unsigned agent_code_document(const struct page *p)
{
	return p->main->commits + 1;
}

void page_note_code(struct page *p)
{
	p->agent_code.ran_in = agent_code_document(p);
}

bool page_has_code(const struct page *p)
{
	return p->agent_code.ran_in == agent_code_document(p);
}

void page_note_lasting_code(struct page *p)
{
	if (p->group)
		p->group->has_code = true;
}

bool page_has_lasting_code(const struct page *p)
{
	return p->group && p->group->has_code;
}

void page_note_login(struct page *p)
{
	p->agent_code.login_in = agent_code_document(p);
}

/* A page of the context whose document may show a filled field; NULL: none does. */
static struct page *next_with_login(struct page *p)
{
	struct page *other = NULL;

	while (p->group && (other = page_group_next(p->group, other)))
		if (other->agent_code.login_in == agent_code_document(other))
			return other;
	return NULL;
}

static int check_login_of(struct task *t, struct page *p)
{
	_cleanup_(json_freep) struct json *held = NULL;
	int r = frame_script(t, page_main_frame(p), &held, "loginHeld", "{}");

	if (r < 0 && r != -ESTALE)
		return r;
	if (r == 0 && json_bool(held, NULL, true))
		return task_fail(
			t, -ERR_SECURITY_BLOCKED,
			"no code runs in this session while a page shows what a login has filled: send the form or leave the page first");
	p->agent_code.login_in = 0;
	return 0;
}

int page_check_logins(struct task *t, struct page *p)
{
	struct page *next;
	int r = 0;

	while (r == 0 && (next = next_with_login(p))) {
		_cleanup_(page_unrefp) struct page *other = page_ref(next);

		r = check_login_of(t, other);
	}
	return r;
}
