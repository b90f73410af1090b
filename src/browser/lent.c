#include "browser/lent.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "page/fence.h"

bool lent_is_taken(struct browser *b, const char *target_id)
{
	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (page_group_find_target(context_pages(c), target_id))
			return true;
	return false;
}

static bool is_offered_tab(struct browser *b, const struct target_info *info)
{
	const struct page_group offer = { .fence = browser_options(b)->lent_origins };

	return info->kind == TARGET_PAGE && !*info->subtype && strncmp(info->url, "http", 4) == 0 &&
	       strcmp(info->context, str_text(&browser_contexts(b)->own_id)) == 0 && fence_allows(&offer, info->url);
}

static int own_targets(struct task *t, struct browser *b, struct target_list *ret)
{
	_cleanup_(str_done) struct str own_id = {};
	usec_t outer;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	outer = browser_begin_setup(t, b);
	r = browser_end_setup(t, b, outer, engine_own_context(t, browser_root(b), &own_id, ret));
	if (r < 0)
		return r;
	if (!browser_running(b)) /* its connection has ended between its answer and now */
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	if (own_id.len == 0)
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the browser does not say which of its contexts is its own, so no tab of it can be lent; use another browser");
	str_set(&browser_contexts(b)->own_id, own_id.data);
	return 0;
}

/* The texts of the others stay with the list. */
static void keep_offered(struct browser *b, struct target_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (is_offered_tab(b, &list->items[i]))
			list->items[kept++] = list->items[i];
	list->count = kept;
}

int lent_tabs(struct task *t, struct browser *b, struct target_list *ret)
{
	int r = own_targets(t, b, ret);

	keep_offered(b, ret);
	return r;
}

static int fail_not_offered(struct task *t, const char *target_id)
{
	return task_fail_because(t, -ERR_INVALID_PARAMETERS, REASON_TAB_NOT_OFFERED, "{tab: ?}", target_id);
}

static int check_tab(struct task *t, struct browser *b, const char *target_id, const struct target_list *tabs)
{
	if (!target_list_find(tabs, target_id))
		return fail_not_offered(t, target_id);
	if (browser_own_context_taken(b))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "another client of this server works in all tabs of that browser");
	if (lent_is_taken(b, target_id))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "the tab %s is lent to another session already: use that one, or close it first", target_id);
	return 0;
}

/* The tab may have gone to another address since it was listed. */
static int lend(struct task *t, struct context *c, const char *target_id, const struct target_list *tabs)
{
	struct browser *b = context_browser(c);
	usec_t outer = browser_begin_setup(t, b);
	struct page *p;
	int r;

	r = browser_end_setup(t, b, outer, context_adopt(t, c, tabs, target_id));
	if (r < 0)
		return r;
	p = page_group_find_target(context_pages(c), target_id);
	if (!p || !fence_allows(context_pages(c), page_url(p)))
		return fail_not_offered(t, target_id);
	return 0;
}

int context_new_lent(struct task *t, struct browser *b, const char *target_id, struct context **ret)
{
	_cleanup_(target_list_done) struct target_list tabs = {};
	_cleanup_(context_freep) struct context *c = NULL;
	int r;

	linger_begin(browser_linger(b));
	r = lent_tabs(t, b, &tabs);
	if (r == 0)
		r = check_tab(t, b, target_id, &tabs);
	if (r == 0) {
		context_make_lent(b, &c);
		r = lend(t, c, target_id, &tabs);
	}
	linger_end(browser_linger(b));
	if (r == 0)
		*ret = TAKE_PTR(c);
	return r;
}
