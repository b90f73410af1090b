#include "browser/context.h"

#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "engine/context.h"
#include "observe/journal.h"
#include "page/origins.h"
#include "page/renderer.h"
#include "page/rest.h"

struct context {
	TAILQ_ENTRY(context) link;
	struct browser *browser; /* NULL once the browser has ended */
	struct str id;           /* empty: the browser's own context */
	struct page_group pages;
	struct waitq changed;
	struct str awaited; /* of a lent one: context_await_target() */
	bool sealed;        /* targets opened in it from now on are closed before they run */
	const struct context_part *const *kinds;
	void *parts[CONTEXT_PARTS_COUNT]; /* NULL: not made */
	struct context_holder holder;
	struct noted noted;
	struct notices notices;
};

#define HAS(c, i, hook) ((c)->parts[i] && (c)->kinds[i]->hook)

struct context *context_make(struct browser *b, const char *id)
{
	struct context *c = NEW(struct context);

	c->browser = b;
	c->kinds = browser_parts(b)->of_context;
	str_append(&c->id, id);
	page_group_init(&c->pages);
	c->pages.context = c;
	waitq_init(&c->changed);
	TAILQ_INSERT_TAIL(&browser_contexts(b)->list, c, link);
	browser_contexts(b)->count++;
	return c;
}

static void leave_list(struct context *c)
{
	TAILQ_REMOVE(&browser_contexts(c->browser)->list, c, link);
	browser_contexts(c->browser)->count--;
}

void context_gone(struct context *c)
{
	leave_list(c);
	c->browser = NULL;
	c->pages.browser = NULL;
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (HAS(c, i, browser_gone))
			c->kinds[i]->browser_gone(c->parts[i]);
	page_group_gone(&c->pages);
	waitq_wake(&c->changed);
}

void context_show_page(struct context *c, struct page *p)
{
	page_hide(p, false);
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (HAS(c, i, page_shown))
			c->kinds[i]->page_shown(c->parts[i], p);
	waitq_wake(&c->changed);
}

void context_own_journal(struct context *c, struct page *p)
{
	if (c->holder.limits)
		journal_set_owner(page_journal(p), c->holder.owner);
}

bool context_claims(struct context *c, struct page *p)
{
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (HAS(c, i, claims) && c->kinds[i]->claims(c->parts[i], p))
			return true;
	return false;
}

void context_close_opened(struct context *c)
{
	struct page *p = page_group_next(&c->pages, NULL), *next;

	for (; p; p = next) {
		next = page_group_next(&c->pages, p);
		if (page_is_opened_here(p))
			page_close(p);
	}
}

/* In an attached browser only what was opened here; the other pages are detached from. */
static void leave_persistent(struct context *c)
{
	struct browser *b = c->browser;
	struct page *p;

	if (b && browser_attached(b))
		context_close_opened(c);
	while ((p = page_group_next(&c->pages, NULL)))
		if (b && browser_attached(b))
			page_detach(p);
		else
			page_close(p);
	if (b && browser_contexts(b)->persistent == c)
		browser_contexts(b)->persistent = NULL;
}

static void free_part(struct context *c, size_t i)
{
	if (c->parts[i])
		c->kinds[i]->free(c->parts[i]);
	c->parts[i] = NULL;
}

struct context *context_free(struct context *c)
{
	struct disposal *disposal;
	struct browser *b;

	if (!c)
		return NULL;
	b = c->browser;
	disposal = b && c->id.len ? disposal_new(b, c->id.data) : NULL;
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (disposal && HAS(c, i, delay))
			c->kinds[i]->delay(c->parts[i], disposal);
	if (!c->id.len)
		leave_persistent(c);
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		free_part(c, i);
	page_group_gone(&c->pages);
	if (b)
		leave_list(c);
	if (disposal)
		disposal_begin(disposal);
	page_group_done(&c->pages);
	str_done(&c->awaited);
	str_done(&c->notices.restored);
	str_done(&c->notices.closed);
	str_done(&c->notices.too_large);
	str_done(&c->notices.drawing);
	str_done(&c->id);
	free(c);
	if (b)
		linger_look(browser_linger(b));
	return NULL;
}

void context_close_pages(struct context *c)
{
	struct page *p;

	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (c->kinds[i]->owns_pages)
			free_part(c, i);
	while ((p = page_group_next(&c->pages, NULL)))
		page_close(p);
}

struct browser *context_browser(struct context *c)
{
	return c->browser;
}

const char *context_id(const struct context *c)
{
	return str_text(&c->id);
}

struct page_group *context_pages(struct context *c)
{
	return &c->pages;
}

void *context_part(struct context *c, enum context_part_number number)
{
	return c->parts[number];
}

void context_set_part(struct context *c, enum context_part_number number, void *part)
{
	c->parts[number] = part;
}

bool context_is_lent(const struct context *c)
{
	return c->pages.fence;
}

int context_refuse_lent(struct task *t, const struct context *c, const char *what)
{
	if (!context_is_lent(c))
		return 0;
	return task_fail(t, -ERR_SECURITY_BLOCKED,
			 "this session works in a tab that a person has lent, and %s belong to the whole browser of that person; "
			 "use a session in a browser of this server",
			 what);
}

void context_await_target(struct context *c, const char *target_id)
{
	str_set(&c->awaited, target_id);
}

bool context_awaits(const struct context *c, const char *target_id)
{
	return strcmp(str_text(&c->awaited), target_id) == 0;
}

bool context_takes_lent(struct context *c, const struct target_info *info)
{
	return context_is_lent(c) &&
	       (context_awaits(c, info->id) || (*info->opener && page_group_find_target(&c->pages, info->opener)));
}

struct context_holder *context_holder(struct context *c)
{
	return &c->holder;
}

void context_set_holder(struct context *c, struct context_holder holder)
{
	struct page *p = NULL;

	c->holder = holder;
	while ((p = page_group_next(&c->pages, p)))
		context_own_journal(c, p);
}

struct noted *context_noted(struct context *c)
{
	return &c->noted;
}

void context_end_pages(struct context *c)
{
	struct visited_origin *o;
	struct renderer *r;
	struct page *p;

	for (p = NULL; (p = page_group_next(&c->pages, p));)
		for (r = NULL; (r = page_next_renderer(p, r));)
			renderer_kill(r);
	p = page_group_next(&c->pages, NULL);
	if (p)
		TAILQ_FOREACH(o, &c->pages.origins.list, link)
			engine_clear_storage(page_target(p), o->origin);
	while ((p = page_group_next(&c->pages, NULL)))
		page_end(p);
	c->noted.grown = 0;
}

struct notices *context_notices(struct context *c)
{
	return &c->notices;
}

void context_allow_downloads(struct context *c)
{
	struct browser *b = c->browser;

	if (!browser_options(b)->no_downloads && !context_is_lent(c))
		engine_save_downloads(browser_root(b), context_id(c), browser_downloads(b));
}

struct context *browser_next_context(struct browser *b, struct context *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&browser_contexts(b)->list);
}

struct waitq *context_changed(struct context *c)
{
	return &c->changed;
}

void context_seal(struct context *c)
{
	c->sealed = true;
}

bool context_sealed(const struct context *c)
{
	return c->sealed;
}

void context_keep_modals(struct context *c, bool keep)
{
	page_group_keep_modals(&c->pages, keep);
}

void context_rest(struct context *c, usec_t pause)
{
	page_group_rest(&c->pages, pause);
}

void context_wake(struct context *c)
{
	page_group_wake(&c->pages);
}

void context_set_private(struct context *c, bool is_private)
{
	page_group_set_private(&c->pages, is_private);
	for (size_t i = 0; i < CONTEXT_PARTS_COUNT; i++)
		if (HAS(c, i, privacy_changed))
			c->kinds[i]->privacy_changed(c->parts[i]);
}

struct page *context_next_page(struct context *c, struct page *after)
{
	struct page *p = page_group_next(&c->pages, after);

	while (p && page_hidden(p))
		p = page_group_next(&c->pages, p);
	return p;
}

struct page *context_page(struct context *c)
{
	return context_next_page(c, NULL);
}
