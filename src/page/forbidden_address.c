/*
 * Every navigation that a client requests passes address_check(). A page that reaches a forbidden address in another way
 * (scripts, redirects, history, restored pages) is navigated away from it.
 */
#include "base/error.h"
#include "engine/navigation.h"
#include "observe/own_events.h"
#include "page/address.h"
#include "page/internal.h"
#include "page/options.h"

void leave_forbidden_address(struct page *p, struct engine_target *s)
{
	struct forbidden_address *forbidden = &p->forbidden;
	const char *url = page_url(p);

	if (p->role != PAGE_DRIVEN)
		return;
	if (address_may_stay(url, page_options(p)->files)) {
		/* Only now, because the messages of a document go with it. */
		if (forbidden->shown)
			journal_add_note(page_journal(p), engine_target_id(s), MESSAGE_ERROR, forbidden->failure.text.data);
		forbidden->shown = false;
		return;
	}
	forbidden->shown = true;
	failure_set(&forbidden->failure, -ERR_NAVIGATION_FAILED,
		    "The page went to %.200s, an address that may not be opened; it was sent to about:blank", url);
	engine_navigate(NULL, p->target, NULL, "about:blank");
}

static void forbidden_address_done(struct page *p)
{
	failure_done(&p->forbidden.failure);
}

const struct page_part forbidden_address_part = {
	.done = forbidden_address_done,
};
