#include "browser/fetcher.h"

#include <errno.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "engine/context.h"

struct fetcher {
	unsigned refs;
	struct context *context; /* NULL once it or the browser has ended */
	struct waitq changed;
	unsigned count, opening;             /* pages, and those whose id the browser has not reported yet */
	_nullable_ _kept_ struct page *idle; /* a reference to a page that has no request; NULL: none */
};

struct fetcher *fetcher_of(struct context *c)
{
	struct fetcher *own = context_fetcher(c);

	if (!own) {
		own = NEW(struct fetcher);
		own->refs = 1;
		own->context = c;
		waitq_init(&own->changed);
		context_set_fetcher(c, own);
	}
	return own;
}

struct fetcher *fetcher_ref(struct fetcher *f)
{
	f->refs++;
	return f;
}

struct fetcher *fetcher_unref(struct fetcher *f)
{
	if (!f || --f->refs > 0)
		return NULL;
	page_unref(f->idle);
	free(f);
	return NULL;
}

static void leave_context(void *part)
{
	struct fetcher *f = part;

	f->context = NULL;
	waitq_wake(&f->changed);
}

static void fetcher_end(void *part)
{
	leave_context(part);
	fetcher_unref(part);
}

/* ---- hidden pages ---- */

/* While a page is being opened, pages that no other page has opened are hidden until it is known which one it is. */
static bool hide_page(void *part, struct page *p)
{
	struct fetcher *f = part;

	if (!f->opening || *page_opener_id(p))
		return false;
	page_hide(p, true);
	waitq_wake(&f->changed);
	return true;
}

const struct context_part fetcher_part = {
	.claims = hide_page, .browser_gone = leave_context, .free = fetcher_end, .owns_pages = true
};

static void show_others(struct fetcher *f)
{
	struct page_group *g = f->context && !f->opening ? context_pages(f->context) : NULL;

	for (struct page *p = g ? page_group_next(g, NULL) : NULL; p; p = page_group_next(g, p))
		if (page_hidden(p) && !page_get_handler(p))
			context_show_page(f->context, p);
}

static int create(struct task *t, struct fetcher *f, const char **ret_id)
{
	bool masked = task_mask_cancel(t, true);
	int r = engine_open_page(t, browser_root(context_browser(f->context)), context_id(f->context), ret_id);

	task_mask_cancel(t, masked);
	return r;
}

static struct page *find_page(struct fetcher *f, const char *target_id)
{
	return f->context ? page_group_find_target(context_pages(f->context), target_id) : NULL;
}

static int fetcher_await_page(struct task *t, _kept_ struct fetcher *f, const char *target_id, struct page **ret)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + ATTACH_TIMEOUT));
	struct page *p;
	int r = 0;

	while (!(p = find_page(f, target_id)) && f->context && r == 0)
		r = waitq_wait(t, &f->changed, "a page that was opened");
	task_set_deadline(t, outer);
	if (!p)
		return r < 0 ? r : -ESTALE;
	page_hide(p, true);
	page_set_aside(p);
	*ret = page_ref(p);
	return 0;
}

static int fetcher_open_page(struct task *t, _kept_ struct fetcher *f, struct page **ret)
{
	const char *id;
	int r;

	f->opening++;
	r = create(t, f, &id);
	if (r == 0)
		r = fetcher_await_page(t, f, id, ret);
	f->opening--;
	show_others(f);
	return r < 0 ? r : page_settle_in(t, *ret);
}

static void discount_page(struct fetcher *f)
{
	f->count--;
	waitq_wake(&f->changed);
}

static int take_page(struct task *t, _kept_ struct fetcher *f, struct page **ret)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int r = 0;

	while (r == 0 && f->context && !f->idle && f->count >= LIMIT_FETCH_PAGES_COUNT)
		r = waitq_wait(t, &f->changed, "other requests of the code");
	if (r < 0)
		return r;
	if (!f->context)
		return task_fail(t, -ESTALE, "the session has ended");
	if (f->idle && page_alive(f->idle)) {
		*ret = TAKE_PTR(f->idle);
		return 0;
	}
	if (f->idle)
		discount_page(f);
	f->idle = page_unref(f->idle);
	f->count++;
	r = fetcher_open_page(t, f, &p);
	if (r < 0) {
		if (p)
			page_close(p);
		discount_page(f);
		return r;
	}
	*ret = TAKE_PTR(p);
	return 0;
}

int fetcher_send(struct task *t, _kept_ struct fetcher *f, const struct fetch_request *request, struct fetch_response *ret)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int r = f->context ? context_refuse_lent(t, f->context, "requests outside of pages") : 0;

	if (r == 0)
		r = take_page(t, f, &p);
	if (r < 0)
		return r;
	r = page_fetch(t, p, request, ret);
	if (r == 0 && page_alive(p) && f->context && !f->idle) {
		f->idle = TAKE_PTR(p);
		waitq_wake(&f->changed);
		return 0;
	}
	page_close(p);
	discount_page(f);
	return r;
}
