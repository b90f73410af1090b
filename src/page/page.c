/* Lifetime of pages. */
#include "page/page.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "engine/script.h"
#include "engine/targets.h"
#include "page/address.h"
#include "page/internal.h"
#include "page/options.h"

const struct engine_events page_events = {
	.frames = &page_frame_events,
	.navigations = &page_navigation_events,
	.worlds = &page_world_events,
	.traffic = &page_traffic_events,
	.console = &page_console_events,
	.modals = &page_modal_events,
	.targets = &page_target_events,
	.drags = &page_drag_events,
	.tools = &page_tool_events,
	.journal = record_journal,
};

static struct page *new_page(struct page_group *g, struct engine_target *root, const char *attachment,
			     const struct observed_target *target)
{
	struct page *p;

	if (!engine_id_is_valid(target->target_id))
		return NULL;
	p = NEW(struct page);
	p->target = engine_target_new(root, attachment, &page_events, p);
	if (!p->target) {
		free(p);
		return NULL;
	}
	p->refs = 1; /* the group's */
	p->attached = clock_now();
	p->group = g;
	engine_id_set(p->target_id, target->target_id);
	engine_id_set(p->root_id, target->target_id);
	TAILQ_INIT(&p->frames);
	TAILQ_INIT(&p->children);
	waitq_init(&p->changed);
	navigation_init(&p->navigation);
	traffic_init(&p->traffic);
	webmcp_init(&p->webmcp);
	record_init(&p->record, target->journal, p->target_id);
	page_name_world(p);
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

const struct page_options *page_options(const struct page *p)
{
	static const struct page_options defaults;

	return p->group ? p->group->options : &defaults;
}

struct context *page_context(const struct page *p)
{
	return p->group ? p->group->context : NULL;
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

bool page_is_opened_here(const struct page *p)
{
	return p->opened_here;
}

void page_set_opened_here(struct page *p)
{
	p->opened_here = true;
}

void page_detach(struct page *p)
{
	struct engine_target *browser = p->group ? p->group->browser : NULL;

	if (browser)
		engine_detach(browser, engine_target_id(p->target));
	page_gone(p);
}

int page_bring_to_front(struct task *t, struct page *p)
{
	return engine_bring_to_front(t, p->target);
}

void page_post_to_front(struct page *p)
{
	engine_bring_to_front(NULL, p->target);
}

int page_settle_in(struct task *t, struct page *p)
{
	return engine_confirm_page(t, p->target);
}

void page_gone(struct page *p)
{
	struct frame *f;

	if (!p->group)
		return;
	TAILQ_REMOVE(&p->group->pages, p, link);
	interception_go_on(&p->group->interception);
	throttle_end(p);
	rest_end(p);
	p->group = NULL;
	page_drop_children(p);
	TAILQ_FOREACH(f, &p->frames, link)
		f->at.target = NULL;
	p->target = engine_target_free(p->target);
	waitq_wake(&p->changed);
	page_handler_changed(p->handler);
	page_unref(p);
}

void page_close(struct page *p)
{
	struct engine_target *browser = p->group ? p->group->browser : NULL;

	if (browser)
		engine_close_target(browser, p->target_id);
	throttle_close(p);
	page_gone(p);
}

void page_end(struct page *p)
{
	p->crashed = true;
	page_close(p);
}

void frame_interrupt(struct frame *f)
{
	engine_interrupt(f->at.target);
}

struct page *page_ref(struct page *p)
{
	if (p)
		p->refs++;
	return p;
}

struct page *page_unref(struct page *p)
{
	if (!p || --p->refs > 0)
		return NULL;
	assert(!p->group);
	while (!TAILQ_EMPTY(&p->frames)) {
		assert(TAILQ_FIRST(&p->frames)->refs == 1);
		frame_detach(TAILQ_FIRST(&p->frames));
	}
	forbidden_address_done(&p->forbidden);
	modal_done(&p->modal);
	traffic_done(&p->traffic);
	page_overrides_done(&p->overrides);
	webmcp_done(&p->webmcp);
	record_done(&p->record);
	str_done(&p->mouse.drag);
	free(p);
	return NULL;
}

struct engine_target *page_target(struct page *p)
{
	return p->target;
}

const char *page_target_id(const struct page *p)
{
	return p->target_id;
}

bool page_alive(const struct page *p)
{
	return p->target;
}

unsigned *page_captures(struct page *p)
{
	return &p->captures;
}

bool page_crashed(const struct page *p)
{
	return p->crashed;
}

struct waitq *page_changed(struct page *p)
{
	return &p->changed;
}

const char *page_opener_id(const struct page *p)
{
	return p->opener_id;
}

usec_t page_attached_at(const struct page *p)
{
	return p->attached;
}

struct traffic *page_traffic(struct page *p)
{
	return &p->traffic;
}

void page_watch_presses(struct page *p, struct press_watcher *w)
{
	p->press_watcher = w;
}

struct press_watcher *page_press_watcher(const struct page *p)
{
	return p->press_watcher;
}
