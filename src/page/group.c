#include "page/group.h"

#include <assert.h>
#include <string.h>

#include "engine/dialogs.h"
#include "page/internal.h"
#include "page/options.h"

void page_group_init(struct page_group *g)
{
	static const struct page_options defaults;

	*g = (struct page_group){ .options = &defaults };
	TAILQ_INIT(&g->pages);
	interception_init(&g->interception);
	origins_init(&g->origins);
}

void page_group_done(struct page_group *g)
{
	assert(TAILQ_EMPTY(&g->pages));
	page_overrides_done(&g->overrides);
	interception_done(&g->interception);
	origins_done(&g->origins);
	group_clipboard_done(&g->clipboard);
}

struct page *page_group_find_session(struct page_group *g, const char *session_id)
{
	struct page *p;

	TAILQ_FOREACH(p, &g->pages, link)
		if (session_id && strcmp(engine_target_id(p->target), session_id) == 0)
			return p;
	return NULL;
}

struct page *page_group_find_target(struct page_group *g, const char *target_id)
{
	struct page *p;

	TAILQ_FOREACH(p, &g->pages, link)
		if (target_id && strcmp(p->target_id, target_id) == 0)
			return p;
	return NULL;
}

struct page *page_group_next(struct page_group *g, struct page *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&g->pages);
}

void page_group_gone(struct page_group *g)
{
	while (!TAILQ_EMPTY(&g->pages))
		page_gone(TAILQ_FIRST(&g->pages));
}

void page_group_keep_modals(struct page_group *g, bool keep)
{
	struct page *p;

	if (g->keeps_modals == keep)
		return;
	g->keeps_modals = keep;
	TAILQ_FOREACH(p, &g->pages, link) {
		engine_keep_choosers(p->target, keep);
		if (!keep)
			page_answer_open_dialog(p);
	}
}
