/* How many pages a session may have open, and those of its owner, and how many workers they may start that pages share. */
#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/internal.h"
#include "page/frame.h"

#define STARTING (5 * USEC_PER_SEC) /* after pages were ended, in which workers that they registered may still start */

static unsigned pages_of(struct context *c)
{
	struct page *p = NULL;
	unsigned count = 0;

	while ((p = context_next_page(c, p)))
		count++;
	return count;
}

/* Those of the session, or of all sessions of its owner. */
static unsigned count_pages(struct context *c, bool of_owner)
{
	const struct context_holder *holder = context_holder(c), *other;
	unsigned count = 0;

	for (struct context *o = NULL; (o = browser_next_context(context_browser(c), o));) {
		other = context_holder(o);
		if (other->limits && !other->is_sandbox && other->owner == holder->owner &&
		    (of_owner || other->session == holder->session))
			count += pages_of(o);
	}
	return count;
}

int page_limit_check(struct task *t, struct context *c)
{
	const struct session_limits *limits = context_holder(c)->limits;
	unsigned count = limits ? count_pages(c, false) : 0;

	if (!limits || !limits->pages || count < limits->pages)
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%u pages are open in this session, the limit of %s; close one of them first",
			 count, limits->names.pages);
}

/* Its tab stays, so that the next answer is about this page. */
static void close_opener(struct context *c, const char *opener)
{
	struct page *p = page_group_find_target(context_pages(c), opener);

	if (!p || page_hidden(p))
		return;
	str_set(&context_notices(c)->closed, page_url(p));
	page_end(p);
}

bool page_limit_allows(struct context *c, const char *opener)
{
	unsigned opening = context_noted(c)->opening;
	const struct session_limits *limits = context_holder(c)->limits;

	if (!limits || !limits->pages)
		return true;
	/* Which of the new pages is that of the call is not known yet, so there is room for one more while it is being opened. */
	if (count_pages(c, false) < limits->pages + opening &&
	    (opening || count_pages(c, true) < LIMIT_OWNER_PAGES_FACTOR * limits->pages))
		return true;
	if (++context_notices(c)->windows > LIMIT_REFUSED_WINDOWS_COUNT)
		close_opener(c, opener);
	return false;
}

/*
 * The main process of the browser starts these workers, also after the page that registered them was closed. A page that registered 600
 * made calls of all sessions wait for seconds.
 */
bool page_limit_allows_worker(struct context *c)
{
	struct worker_budget *budget = &context_noted(c)->workers;
	usec_t now = clock_now();
	double regained = LIMIT_SHARED_WORKERS_PER_MINUTE * (double)(now - budget->updated) / (60 * USEC_PER_SEC);

	budget->used = MAX(budget->used - regained, 0.0) + 1;
	budget->updated = now;
	if (budget->used <= LIMIT_SHARED_WORKERS_BURST || !context_holder(c)->limits)
		return true;
	budget->used = LIMIT_SHARED_WORKERS_BURST;
	if (now >= budget->next_end && page_group_next(context_pages(c), NULL)) {
		log_info("the pages of a session are ended: they have started %u shared workers", LIMIT_SHARED_WORKERS_BURST);
		budget->next_end = now + STARTING;
		context_notices(c)->workers = true;
		context_end_pages(c);
	}
	return false;
}

/* It runs first: the opener of a page that is closed while it waits for its debugger stalls. */
void page_limit_refuse(struct engine_target *root, const struct engine_attachment *a)
{
	engine_refuse(root, a->id);
	engine_close_target(root, a->target.id);
}
