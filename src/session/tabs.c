#include "session/tabs.h"

#include <errno.h>
#include <search.h>

static int compare_pages(const void *a, const void *b)
{
	const struct page *x = ((const struct tab *)a)->page, *y = ((const struct tab *)b)->page;

	return (x > y) - (x < y);
}

static void tab_free(struct tabs *tabs, struct tab *tab)
{
	TAILQ_REMOVE(&tabs->list, tab, link);
	tdelete(tab, &tabs->by_page, compare_pages);
	page_unref(tab->page);
	str_done(&tab->reported);
	str_done(&tab->marks);
	str_done(&tab->shown_page);
	history_done(&tab->views);
	free(tab);
}

/* The tab has another page from now on, whose reference it takes. */
static void change_page(struct tabs *tabs, struct tab *tab, struct page *p)
{
	tdelete(tab, &tabs->by_page, compare_pages);
	page_unref(tab->page);
	tab->page = p;
	must(tsearch(tab, &tabs->by_page, compare_pages));
}

struct tab *tabs_find(const struct tabs *tabs, const struct page *p)
{
	struct tab *const *found = tfind(&(const struct tab){ .page = (struct page *)p }, &tabs->by_page, compare_pages);

	return found ? *found : NULL;
}

void tabs_add(struct tabs *tabs, struct page *p, struct context *c)
{
	struct tab *tab;

	if (tabs_find(tabs, p))
		return;
	tab = NEW(struct tab);
	tab->page = page_ref(p);
	tab->context = c;
	TAILQ_INSERT_TAIL(&tabs->list, tab, link);
	must(tsearch(tab, &tabs->by_page, compare_pages));
}

/* Removes the tab. If it was current, its successor or else the last tab becomes the current one. */
static void tabs_drop(struct tabs *tabs, struct tab *tab)
{
	struct tab *next = TAILQ_NEXT(tab, link);

	if (tabs->current == tab)
		tabs->current = next ? next : TAILQ_PREV(tab, tab_list, link);
	if (tabs->shown == tab)
		tabs->shown = NULL;
	tab_free(tabs, tab);
}

void tabs_init(struct tabs *tabs)
{
	TAILQ_INIT(&tabs->list);
	tabs->by_page = NULL;
	cursors_init(&tabs->cursors);
	tabs->current = NULL;
	tabs->shown = NULL;
	tabs->pointer = false;
	tabs->log_began = 0;
}

void tabs_done(struct tabs *tabs)
{
	tabs->current = NULL;
	tabs->shown = NULL;
	tabs->pointer = false;
	tabs->log_began = 0;
	cursors_done(&tabs->cursors);
	while (!TAILQ_EMPTY(&tabs->list))
		tab_free(tabs, TAILQ_FIRST(&tabs->list));
}

static void drop_closed(struct tabs *tabs)
{
	struct tab *tab = TAILQ_FIRST(&tabs->list), *next;

	for (; tab; tab = next) {
		next = TAILQ_NEXT(tab, link);
		if (!page_alive(tab->page) && !page_crashed(tab->page))
			tabs_drop(tabs, tab);
	}
}

void tabs_update(struct tabs *tabs, struct context *c)
{
	struct page *p = NULL;

	while (c && (p = context_next_page(c, p)))
		tabs_add(tabs, p, c);
	drop_closed(tabs);
	if (!tabs->current)
		tabs->current = TAILQ_FIRST(&tabs->list);
}

unsigned tabs_count(const struct tabs *tabs)
{
	const struct tab *tab;
	unsigned n = 0;

	TAILQ_FOREACH(tab, &tabs->list, link)
		n++;
	return n;
}

struct tab *tabs_nth(const struct tabs *tabs, unsigned index)
{
	struct tab *tab = TAILQ_FIRST(&tabs->list);

	while (tab && index-- > 0)
		tab = TAILQ_NEXT(tab, link);
	return tab;
}

static int fail_closed(struct task *t)
{
	return task_fail(t, -ESTALE, "the new tab was closed at once; call again");
}

int tabs_open(struct task *t, struct tabs *tabs, struct context *c)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	struct tab *tab;
	int r;

	r = context_open_page(t, c, &p);
	if (r < 0)
		return r;
	tabs_update(tabs, c);
	tab = tabs_find(tabs, p);
	if (!tab)
		return fail_closed(t);
	tabs->current = tab;
	return 0;
}

/* Replaces the page of the current tab, which has crashed, by a new one of the same context. */
static int replace_crashed_page(struct task *t, struct tabs *tabs, struct context *c)
{
	struct page *fresh = NULL;
	struct tab *tab, *taken;
	int r;

	r = context_open_page(t, c, &fresh);
	if (r < 0)
		return r;
	tab = tabs->current;
	if (!tab) {
		page_unref(fresh);
		return fail_closed(t);
	}
	taken = tabs_find(tabs, fresh);
	if (taken)
		tab_free(tabs, taken);
	change_page(tabs, tab, fresh);
	tab->is_prepared = false;
	tab->was_reset = true;
	tab->console_reported = tab->failures_reported = 0; /* the new page has a journal of its own */
	tab->console_log = 0;
	return 0;
}

int tabs_ensure(struct task *t, struct tabs *tabs, struct context *c, struct tab **ret)
{
	int r = 0;

	tabs_update(tabs, c);
	if (!tabs->current)
		r = tabs_open(t, tabs, c);
	else if (!page_alive(tabs->current->page))
		r = replace_crashed_page(t, tabs, tabs->current->context);
	if (r == 0)
		*ret = tabs->current;
	return r;
}

void tabs_close(struct tabs *tabs, struct tab *tab)
{
	page_close(tab->page);
	tabs_drop(tabs, tab);
}
