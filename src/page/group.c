#include "page/group.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/targets.h"
#include "observe/journal.h"
#include "page/address.h"
#include "page/internal.h"
#include "page/options.h"

void page_group_init(struct page_group *g)
{
	static const struct page_options defaults;

	*g = (struct page_group){ .options = &defaults };
	TAILQ_INIT(&g->pages);
	TELL_PARTS(&page_parts, group_init, g);
}

void page_group_done(struct page_group *g)
{
	assert(TAILQ_EMPTY(&g->pages));
	TELL_PARTS(&page_parts, group_done, g);
}

void page_group_set_private(struct page_group *g, bool is_private)
{
	struct page *p;

	g->is_private = is_private;
	TAILQ_FOREACH(p, &g->pages, link) {
		journal_set_private(p->record.journal, is_private);
		p->hides_passwords = true;
	}
}

bool page_is_private(const struct page *p)
{
	return p->group && p->group->is_private;
}

void page_group_gone(struct page_group *g)
{
	while (!TAILQ_EMPTY(&g->pages))
		page_gone(TAILQ_FIRST(&g->pages));
}

static struct page *new_page(struct page_group *g, struct engine_target *root, const char *attachment,
			     const struct observed_target *target)
{
	struct page *p;

	if (!engine_id_is_valid(target->target_id))
		return NULL;
	p = NEW(struct page);
	p->target = engine_target_new(root, attachment, &page_parts.events, p);
	if (!p->target) {
		free(p);
		return NULL;
	}
	p->parts = &page_parts;
	p->refs = 1; /* the group's */
	p->attached = clock_now();
	p->group = g;
	engine_id_set(p->target_id, target->target_id);
	engine_id_set(p->root_id, target->target_id);
	TAILQ_INIT(&p->frames);
	TAILQ_INIT(&p->children);
	waitq_init(&p->changed);
	record_init(&p->record, target->journal, p->target_id);
	journal_set_private(p->record.journal, g->is_private);
	p->hides_passwords = g->is_private;
	TELL_PARTS(p->parts, init, p);
	p->main = page_add_frame(p, p->target_id, NULL, p->target); /* the root frame's id is the target's */
	TAILQ_INSERT_TAIL(&g->pages, p, link);
	return p;
}

struct page *page_new(struct page_group *g, struct engine_target *root, const char *attachment, const char *target_id)
{
	return new_page(g, root, attachment, &(const struct observed_target){ .target_id = target_id });
}

struct page *page_new_observed(struct page_group *g, struct engine_target *root, const char *attachment,
			       const struct observed_target *target)
{
	struct page *p = new_page(g, root, attachment, target);

	if (!p)
		return NULL;
	p->role = PAGE_OBSERVED;
	p->no_workers = !target->workers;
	p->no_frames = !target->frames;
	return p;
}

/*
 * The page is the first of those that it opens, unless its opener is. Pages that were found may be reported before their openers: what
 * has `p` as its first page so far gets that of `p`. An id that leads back to `p` is only a name here, and nothing follows it.
 */
static void set_root(struct page *p, const struct page *opener, const char *opener_id)
{
	struct page *q;

	engine_id_set(p->root_id, opener ? opener->root_id : opener_id ? opener_id : p->target_id);
	TAILQ_FOREACH(q, &p->group->pages, link)
		if (q != p && strcmp(q->root_id, p->target_id) == 0)
			engine_id_set(q->root_id, p->root_id);
}

static struct page *new_driven(struct page_group *g, struct engine_target *root, const struct engine_attachment *a)
{
	struct page *opener = page_group_find_target(g, a->target.opener);
	struct page *p = page_new(g, root, a->id, a->target.id);
	bool reaches = a->target.reaches_opener && engine_id_is_valid(a->target.opener);

	if (!p)
		return NULL;
	engine_id_set(p->opener_id, a->target.opener);
	set_root(p, reaches ? opener : NULL, reaches ? a->target.opener : NULL);
	p->opened_here = opener && opener->opened_here;
	return p;
}

struct page *page_attached(struct page_group *g, struct engine_target *root, const struct engine_attachment *a)
{
	struct page *p = new_driven(g, root, a);

	if (p && !address_may_stay(a->target.url, page_options(p)->files)) {
		page_close(p); /* without ever having run */
		return NULL;
	}
	if (p)
		page_prepare(p);
	return p;
}

struct page *page_found(struct page_group *g, struct engine_target *root, const struct engine_attachment *a)
{
	struct page *p = new_driven(g, root, a);

	if (p)
		frame_set_url(p->main, a->target.url, "");
	return p;
}

void page_send_adoption(struct task *t, struct page *p, struct engine_call *call)
{
	engine_ask_frames(t, p->target, call);
}

int page_await_adoption(struct task *t, struct page *p, struct engine_call *call)
{
	int r = engine_await(t, call);

	if (!page_alive(p))
		return -ESTALE;
	if (r == 0)
		engine_read_frames(call, LIMIT_FRAMES_COUNT, page_take_document, p);
	page_prepare(p);
	return r;
}
