/* The contexts of a browser, and the targets in them. */
#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "page/address.h"
#include "page/rest.h"

/* ---- pages of an attached browser that belong to no context here ---- */

struct attachment {
	TAILQ_ENTRY(attachment) link;
	char *id, *target_id;
};

static void contexts_drop(struct contexts *all, struct attachment *a)
{
	TAILQ_REMOVE(&all->attachments, a, link);
	all->attachment_count--;
	free(a->id);
	free(a->target_id);
	free(a);
}

/* Such an attachment has ended; NULL: all. */
static void forget_attachment(struct contexts *all, const char *id)
{
	struct attachment *a, *next;

	for (a = TAILQ_FIRST(&all->attachments); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (!id || strcmp(a->id, id) == 0)
			contexts_drop(all, a);
	}
}

static void contexts_keep(struct contexts *all, const char *id, const char *target_id)
{
	struct attachment *a;

	if (all->attachment_count == LIMIT_ATTACHMENTS_COUNT || !engine_id_is_valid(target_id))
		return;
	a = NEW(struct attachment);
	a->id = must(strdup(id));
	a->target_id = must(strdup(target_id));
	TAILQ_INSERT_TAIL(&all->attachments, a, link);
	all->attachment_count++;
}

char *contexts_take_attachment(struct contexts *all, const char *target_id)
{
	struct attachment *a;
	char *id;

	TAILQ_FOREACH(a, &all->attachments, link)
		if (strcmp(a->target_id, target_id) == 0) {
			id = TAKE_PTR(a->id);
			contexts_drop(all, a);
			return id;
		}
	return NULL;
}

/*
 * A target outside of all contexts was attached to. It continues to run. Pages of an attached browser stay attached, because a
 * detachment takes back what other clients of the browser emulate there; they can be adopted later.
 *
 * A shared worker that is detached from before it starts would never start; it stays attached and sends no events, because none are
 * enabled. Other workers would not end while they are attached to.
 */
static void release_target(struct browser *b, struct engine_target *root, const struct engine_attachment *a)
{
	if (!engine_let_run(root, a->id))
		return;
	if (browser_attached(b) && a->target.kind == TARGET_PAGE)
		contexts_keep(browser_contexts(b), a->id, a->target.id);
	else if (a->target.kind != TARGET_SHARED_WORKER)
		engine_detach(root, a->id);
}

/* ---- the part of the browser ---- */

static void *contexts_new(struct browser *b)
{
	struct contexts *all = NEW(struct contexts);

	TAILQ_INIT(&all->list);
	TAILQ_INIT(&all->disposals);
	TAILQ_INIT(&all->attachments);
	return all;
}

/* Contexts and pages remain, as dead objects of their owners. */
static void contexts_gone(void *part)
{
	struct contexts *all = part;
	struct context *c;

	while (!TAILQ_EMPTY(&all->disposals))
		disposal_free(TAILQ_FIRST(&all->disposals));
	forget_attachment(all, NULL);
	while ((c = TAILQ_FIRST(&all->list)))
		context_gone(c);
	all->persistent = NULL;
	all->own_id_awaited = false;
	str_done(&all->own_id);
}

/* The pages in the browser's own context that were opened here. */
static void close_opened(void *part)
{
	struct context *c = TAILQ_FIRST(&((const struct contexts *)part)->list);

	for (struct browser *b = c ? context_browser(c) : NULL; c; c = browser_next_context(b, c))
		if (!*context_id(c))
			context_close_opened(c);
}

const struct browser_part contexts_part = { .new = contexts_new, .leaving = close_opened, .ended = contexts_gone, .free = free };

/* ---- its targets ---- */

bool context_may_adopt(struct context *c, const struct target_info *info)
{
	return *context_id(c) || address_may_stay(info->url, browser_options(context_browser(c))->page.files);
}

/* The one of the browser's own context. */
static struct context *find_lending(struct browser *b, const struct target_info *info)
{
	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (context_takes_lent(c, info))
			return c;
	return browser_contexts(b)->persistent;
}

static struct context *find_context(struct browser *b, const struct target_info *info)
{
	const struct contexts *all = browser_contexts(b);

	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (*info->context && strcmp(context_id(c), info->context) == 0)
			return c;
	if (all->own_id_awaited || (all->own_id.len && strcmp(all->own_id.data, info->context) != 0))
		return NULL;          /* of another client of an attached browser, or not known yet and attached to later */
	return find_lending(b, info); /* the ids of all other contexts are known before their pages attach */
}

/* A page of `c` was attached to. NULL: it is left alone, or was closed. */
static struct page *take_target(struct context *c, struct engine_target *root, const struct engine_attachment *a, bool found)
{
	struct page *known = page_group_find_target(context_pages(c), a->target.id), *p;

	if (known && !page_session(known, a->id)) /* a second attachment to it */
		engine_detach(root, a->id);
	if (known)
		return NULL;
	if (found)
		return page_found(context_pages(c), root, a);
	p = page_attached(context_pages(c), root, a);
	if (!p)
		page_limit_refuse(root, a);
	return p;
}

struct page *context_take_page(struct context *c, struct engine_target *root, const struct engine_attachment *a, bool found)
{
	struct page *p = take_target(c, root, a, found);

	if (p)
		context_own_journal(c, p);
	browser_note_page(context_browser(c));
	if (p && !context_claims(c, p))
		context_show_page(c, p);
	return p;
}

static bool contexts_had(const struct context *c, struct browser *b, const struct target_info *info)
{
	return browser_contexts(b)->adopting || context_awaits(c, info->id);
}

/* Pages that were there before are not windows that a page opens. */
static bool may_open(struct context *c, struct browser *b, const struct target_info *info)
{
	if (info->kind == TARGET_SHARED_WORKER || info->kind == TARGET_SERVICE_WORKER)
		return page_limit_allows_worker(c);
	return info->kind != TARGET_PAGE || contexts_had(c, b, info) || page_limit_allows(c, info->opener);
}

void contexts_on_attached(struct engine_target *root, const struct engine_attachment *a, void *browser)
{
	struct context *c = find_context(browser, &a->target);

	if (c && context_sealed(c)) { /* it never runs, even if its opener stalls */
		engine_close_target(root, a->target.id);
		return;
	}
	if (c && !may_open(c, browser, &a->target)) {
		page_limit_refuse(root, a);
		return;
	}
	if (!c || a->target.kind != TARGET_PAGE || (browser_attached(browser) && !context_may_adopt(c, &a->target)))
		release_target(browser, root, a);
	else
		context_take_page(c, root, a, contexts_had(c, browser, &a->target) && !a->waits);
}

void contexts_on_detached(const char *attachment, void *browser)
{
	struct page *p;

	forget_attachment(browser_contexts(browser), attachment);
	for (struct context *c = NULL; (c = browser_next_context(browser, c));) {
		p = page_group_find_session(context_pages(c), attachment);
		if (p) {
			page_gone(p);
			return;
		}
	}
}
