/* What a page is, its group, and how it ends. */
#include "page/page.h"

#include <string.h>

#include "engine/targets.h"
#include "page/internal.h"
#include "page/options.h"

const struct page_options *page_options(const struct page *p)
{
	static const struct page_options defaults;

	return p->group ? p->group->options : &defaults;
}

struct context *page_context(const struct page *p)
{
	return p->group ? p->group->context : NULL;
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
	TELL_PARTS(p->parts, gone, p);
	p->group = NULL;
	children_drop(p);
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
	TELL_PARTS(p->parts, closing, p);
	page_gone(p);
}

void page_end(struct page *p)
{
	p->crashed = true;
	page_close(p);
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

struct journal *page_journal(struct page *p)
{
	return p->record.journal;
}

void page_set_handler(struct page *p, struct page_handler *h)
{
	p->handler = h;
}

struct page_handler *page_get_handler(const struct page *p)
{
	return p->handler;
}

void page_handler_changed(struct page_handler *h)
{
	if (h)
		h->changed(h);
}

void page_hide(struct page *p, bool hidden)
{
	p->hidden = hidden;
}

bool page_hidden(const struct page *p)
{
	return p->hidden;
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
