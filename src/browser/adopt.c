/* Pages that an attached browser has open when its own context comes into use. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"

#define ADOPT_TIMEOUT (2 * USEC_PER_SEC) /* for them to describe themselves; busy ones do without */

/* One page that is attached to. */
struct adoption {
	struct engine_call attach; /* unused if it was attached to already */
	_kept_ struct page *page;
	struct engine_call tree;
};

static bool is_own_page(struct context *c, const struct target_info *info)
{
	const struct contexts *all = browser_contexts(context_browser(c));

	return info->kind == TARGET_PAGE && !*info->subtype && strcmp(info->context, str_text(&all->own_id)) == 0 &&
	       context_may_adopt(c, info);
}

/* The page that was attached to all the time; NULL: it has to be attached to. */
static struct page *take_attached(struct context *c, const struct target_info *info)
{
	_cleanup_(freep) char *id = contexts_take_attachment(browser_contexts(context_browser(c)), info->id);

	if (!id)
		return NULL;
	return page_ref(context_take_page(c, browser_root(context_browser(c)),
					  &(const struct engine_attachment){ id, *info, false }, true));
}

static size_t send_attachments(struct task *t, struct context *c, const struct target_list *targets, const char *only,
			       struct adoption *all, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < targets->count && count < room; i++) {
		const struct target_info *info = &targets->items[i];

		if ((only && strcmp(info->id, only) != 0) || !is_own_page(c, info) ||
		    page_group_find_target(context_pages(c), info->id))
			continue;
		all[count].page = take_attached(c, info);
		if (!all[count].page)
			engine_attach(t, browser_root(context_browser(c)), &all[count].attach, info->id);
		count++;
	}
	return count;
}

/* A page may have been closed meanwhile. */
static int await_attachments(struct task *t, struct context *c, struct adoption *all, size_t count)
{
	int r;

	for (size_t i = 0; i < count; i++) {
		if (all[i].page)
			continue;
		r = engine_await(t, &all[i].attach);
		if (r < 0 && r != -EREMOTE)
			return r;
		all[i].page = page_ref(page_group_find_session(context_pages(c), engine_attached(&all[i].attach)));
	}
	return 0;
}

/* All are asked before the first answer is awaited: those whose scripts are busy must not take the time of others. */
static int adopt(struct task *t, struct adoption *all, size_t count)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + ADOPT_TIMEOUT));
	int r = 0;

	for (size_t i = 0; i < count; i++)
		if (all[i].page)
			page_send_adoption(t, all[i].page, &all[i].tree);
	for (size_t i = 0; i < count && (r == 0 || r == -ETIMEDOUT || r == -EREMOTE || r == -ESTALE); i++)
		if (all[i].page)
			r = page_await_adoption(t, all[i].page, &all[i].tree);
	task_set_deadline(t, outer);
	return r == -ENOTCONN || r == -ECANCELED ? r : 0;
}

/* `only`: the id of the one that is wanted; NULL: all. */
static int adopt_targets(struct task *t, struct context *c, const struct target_list *targets, const char *only)
{
	size_t room = MIN(targets->count, (size_t)LIMIT_CDP_SESSIONS_COUNT), count;
	struct adoption *all = arena_alloc(task_arena(t), (room + 1) * sizeof(*all));
	int r;

	memset(all, 0, (room + 1) * sizeof(*all));
	count = send_attachments(t, c, targets, only, all, room);
	r = await_attachments(t, c, all, count);
	if (r == 0)
		r = adopt(t, all, count);
	for (size_t i = 0; i < count; i++) {
		engine_call_done(&all[i].attach);
		engine_call_done(&all[i].tree);
		page_unref(all[i].page);
	}
	return r;
}

int context_adopt_pages(struct task *t, struct context *c)
{
	_cleanup_(target_list_done) struct target_list targets = {};
	_cleanup_(str_done) struct str own_id = {};
	struct browser *b = context_browser(c);
	int r;

	r = engine_own_context(t, browser_root(b), &own_id, &targets);
	if (r < 0)
		return r;
	if (!context_browser(c))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	str_set(&browser_contexts(b)->own_id, str_text(&own_id));
	browser_contexts(b)->own_id_awaited = false;
	browser_contexts(b)->adopting = true;
	r = adopt_targets(t, c, &targets, NULL);
	browser_contexts(b)->adopting = false;
	return r;
}

int context_adopt(struct task *t, struct context *c, const struct target_list *targets, const char *target_id)
{
	context_await_target(c, target_id);
	return adopt_targets(t, c, targets, target_id);
}
