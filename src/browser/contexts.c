/* The contexts of a browser, and the targets in them. */
#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "engine/cdp/cdp.h"
#include "page/address.h"
#include "page/rest.h"

/* ---- pages of an attached browser that belong to no context here ---- */

/* The CDP session of a page that belongs to no context here. */
struct attachment {
	TAILQ_ENTRY(attachment) link;
	char *session_id, *target_id;
};

static void drop(struct contexts *all, struct attachment *a)
{
	TAILQ_REMOVE(&all->attachments, a, link);
	all->attachment_count--;
	free(a->session_id);
	free(a->target_id);
	free(a);
}

/* Such an attachment has ended; NULL: all. */
static void forget_attachment(struct contexts *all, const char *session_id)
{
	struct attachment *a, *next;

	for (a = TAILQ_FIRST(&all->attachments); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (!session_id || strcmp(a->session_id, session_id) == 0)
			drop(all, a);
	}
}

static void keep(struct contexts *all, const char *session_id, const char *target_id)
{
	struct attachment *a;

	if (all->attachment_count == LIMIT_ATTACHMENTS_COUNT || !engine_id_is_valid(target_id))
		return;
	a = NEW(struct attachment);
	a->session_id = must(strdup(session_id));
	a->target_id = must(strdup(target_id));
	TAILQ_INSERT_TAIL(&all->attachments, a, link);
	all->attachment_count++;
}

char *contexts_take_attachment(struct contexts *all, const char *target_id)
{
	struct attachment *a;
	char *session_id;

	TAILQ_FOREACH(a, &all->attachments, link)
		if (strcmp(a->target_id, target_id) == 0) {
			session_id = TAKE_PTR(a->session_id);
			drop(all, a);
			return session_id;
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
static void release_target(struct browser *b, struct engine_target *root, const char *session_id, const struct json *info)
{
	struct engine_target *s = cdp_session_new(cdp_session_connection(root), session_id, NULL, NULL);
	const char *type = json_text(info, "type");

	if (!s) {
		cdp_session_refuse(root, session_id);
		return;
	}
	cdp_post(s, "Runtime.runIfWaitingForDebugger", "{}");
	if (browser_attached(b) && strcmp(type, "page") == 0)
		keep(browser_contexts(b), session_id, json_str(info, "targetId"));
	else if (strcmp(type, "shared_worker") != 0)
		cdp_post(root, "Target.detachFromTarget", "{sessionId: ?}", session_id);
	cdp_session_free(s);
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
	const struct contexts *all = part;

	if (all->persistent)
		context_close_opened(all->persistent);
}

const struct browser_part contexts_part = { .new = contexts_new, .leaving = close_opened, .ended = contexts_gone, .free = free };

/* ---- its targets ---- */

/* for them to describe themselves; busy ones do without */

bool context_may_adopt(struct context *c, const struct json *info)
{
	const char *url = json_str(info, "url");

	return *context_id(c) || !url || address_may_stay(url, browser_options(context_browser(c))->page.files);
}

static struct context *find_context(struct browser *b, const char *id)
{
	const struct contexts *all = browser_contexts(b);

	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (id && strcmp(context_id(c), id) == 0)
			return c;
	if (all->own_id_awaited || (all->own_id.len && (!id || strcmp(all->own_id.data, id) != 0)))
		return NULL;    /* of another client of an attached browser, or not known yet and attached to later */
	return all->persistent; /* the ids of all other contexts are known before their pages attach */
}

/* A page of `c` was attached to. NULL: it is left alone, or was closed. */
static struct page *take_target(struct context *c, struct engine_target *root, const char *session_id, const struct json *info,
				bool found)
{
	struct cdp *cdp = cdp_session_connection(root);
	struct page *known = page_group_find_target(context_pages(c), json_str(info, "targetId")), *p;

	if (known && !page_session(known, session_id)) /* a second attachment to it */
		cdp_post(root, "Target.detachFromTarget", "{sessionId: ?}", session_id);
	if (known)
		return NULL;
	if (found)
		return page_found(context_pages(c), cdp, session_id, info);
	p = page_attached(context_pages(c), cdp, session_id, info);
	if (!p)
		page_limit_refuse(root, session_id, info);
	return p;
}

struct page *context_take_page(struct context *c, struct engine_target *root, const char *session_id, const struct json *info,
			       bool found)
{
	struct page *p = take_target(c, root, session_id, info, found);

	if (p)
		context_own_journal(c, p);
	browser_note_page(context_browser(c));
	if (p && !context_claims(c, p))
		context_show_page(c, p);
	return p;
}

static bool is_shared_worker(const char *type)
{
	return strcmp(type, "service_worker") == 0 || strcmp(type, "shared_worker") == 0;
}

/* Pages that were there before are not windows that a page opens. */
static bool may_open(struct context *c, struct browser *b, const struct json *info)
{
	const char *type = json_text(info, "type");

	if (is_shared_worker(type))
		return page_limit_allows_worker(c);
	return strcmp(type, "page") != 0 || browser_contexts(b)->adopting || page_limit_allows(c, json_str(info, "openerId"));
}

void contexts_on_attached(struct engine_target *root, const struct json *params, void *data)
{
	const struct json *info = json_get(params, "targetInfo");
	const char *session_id = json_str(params, "sessionId"), *type = json_str(info, "type");
	struct context *c = find_context(data, json_str(info, "browserContextId"));

	if (!engine_id_is_valid(session_id) || !type)
		return;
	if (c && context_sealed(c)) { /* it never runs, even if its opener stalls */
		cdp_post(root, "Target.closeTarget", "{targetId: ?}", json_str(info, "targetId"));
		return;
	}
	if (c && !may_open(c, data, info)) {
		page_limit_refuse(root, session_id, info);
		return;
	}
	if (!c || strcmp(type, "page") != 0 || (browser_attached(data) && !context_may_adopt(c, info))) {
		release_target(data, root, session_id, info);
		return;
	}
	context_take_page(c, root, session_id, info,
			  browser_contexts(data)->adopting && !json_bool(params, "waitingForDebugger", false));
}

void contexts_on_detached(struct engine_target *root, const struct json *params, void *data)
{
	const char *session_id = json_str(params, "sessionId");
	struct page *p;

	forget_attachment(browser_contexts(data), session_id);
	for (struct context *c = NULL; (c = browser_next_context(data, c));) {
		p = page_group_find_session(context_pages(c), session_id);
		if (p) {
			page_gone(p);
			return;
		}
	}
}
