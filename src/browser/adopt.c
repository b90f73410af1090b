/* Pages that an attached browser has open when its own context comes into use. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/names.h"
#include "browser/internal.h"
#include "engine/cdp/cdp.h"
#include "page/address.h"

#define ADOPT_TIMEOUT (2 * USEC_PER_SEC) /* One page that is attached to. */
struct adoption {
	struct engine_call attach; /* unused if it was attached to already */
	_kept_ struct page *page;
	struct engine_call tree;
};

/* Older browsers do not say which their own context is: it is the one that the list of the others lacks. */
static const char *find_own_id(const struct json *contexts, const struct json *targets)
{
	const char *id = json_str(contexts, "result.defaultBrowserContextId");
	_cleanup_(names_done) struct names listed = { .compare = strcmp };

	if (id)
		return id;
	json_foreach(other, json_get(contexts, "result.browserContextIds"))
		names_add(&listed, json_text(other, NULL));
	names_sort(&listed);
	json_foreach(target, json_get(targets, "result.targetInfos")) {
		id = json_str(target, "browserContextId");
		if (id && !names_have(&listed, id))
			return id;
	}
	return NULL;
}

static bool is_own_page(struct context *c, const struct json *info)
{
	const struct contexts *all = browser_contexts(context_browser(c));

	return strcmp(json_text(info, "type"), "page") == 0 && !json_str(info, "subtype") &&
	       strcmp(json_text(info, "browserContextId"), str_text(&all->own_id)) == 0 && context_may_adopt(c, info);
}

/* The page that was attached to all the time; NULL: it has to be attached to. */
static struct page *take_attached(struct context *c, const struct json *info)
{
	_cleanup_(freep) char *session_id =
		contexts_take_attachment(browser_contexts(context_browser(c)), json_text(info, "targetId"));

	return session_id ? page_ref(context_take_page(c, browser_cdp(context_browser(c)), session_id, info, true)) : NULL;
}

static size_t send_attachments(struct task *t, struct context *c, const struct json *targets, struct adoption *all, size_t room)
{
	size_t count = 0;

	json_foreach(info, targets) {
		if (count == room)
			break;
		if (!is_own_page(c, info) || page_group_find_target(context_pages(c), json_str(info, "targetId")))
			continue;
		all[count].page = take_attached(c, info);
		if (!all[count].page)
			cdp_send(t, browser_cdp(context_browser(c)), &all[count].attach, "Target.attachToTarget",
				 "{targetId: ?, flatten: true}", json_str(info, "targetId"));
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
		all[i].page =
			page_ref(page_group_find_session(context_pages(c), json_str(all[i].attach.reply, "result.sessionId")));
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

static int adopt_targets(struct task *t, struct context *c, const struct json *targets)
{
	size_t room = MIN(json_count(targets), (size_t)LIMIT_CDP_SESSIONS_COUNT), count;
	struct adoption *all = arena_alloc(task_arena(t), (room + 1) * sizeof(*all));
	int r;

	memset(all, 0, (room + 1) * sizeof(*all));
	count = send_attachments(t, c, targets, all, room);
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
	_cleanup_(json_freep) struct json *contexts = NULL, *targets = NULL;
	struct browser *b = context_browser(c);
	const char *own_id;
	int r;

	r = cdp_call(t, browser_cdp(b), &contexts, "Target.getBrowserContexts", "{}");
	if (r == 0)
		r = cdp_call(t, browser_cdp(b), &targets, "Target.getTargets", "{}");
	if (r < 0)
		return r;
	if (!context_browser(c))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	own_id = find_own_id(contexts, targets);
	str_set(&browser_contexts(b)->own_id, own_id ? own_id : "");
	browser_contexts(b)->own_id_awaited = false;
	browser_contexts(b)->adopting = true;
	r = adopt_targets(t, c, json_get(targets, "result.targetInfos"));
	browser_contexts(b)->adopting = false;
	return r;
}
