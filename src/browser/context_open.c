/* Opening contexts and pages, in a browser that may not answer. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "browser/load_limit.h"
#include "engine/context.h"
#include "page/emulate.h"

usec_t browser_begin_setup(struct task *t, const struct browser *b)
{
	return task_set_deadline(t, MIN(task_deadline(t), browser_setup_limit(b)));
}

int browser_end_setup(struct task *t, struct browser *b, usec_t outer, int r)
{
	task_set_deadline(t, outer);
	if (r != -ETIMEDOUT || clock_now() >= outer)
		return r;
	return browser_setup_timed_out(t, b);
}

/* Two sessions in one context would share everything, so the id of another one is refused as well. */
static int check_context_id(struct task *t, struct browser *b, const char *id)
{
	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (strcmp(context_id(c), id) == 0)
			return task_fail(t, -ERR_BROWSER_ERROR,
					 "the browser has given a new context the id of another session's context; "
					 "use another browser");
	return 0;
}

/* -ENOTCONN when the browser turns out to have died, perhaps long ago. */
static int create_context(struct task *t, struct browser *b, const char *proxy, struct str *ret_id)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	const char *id;
	usec_t outer;
	bool masked;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	outer = browser_begin_setup(t, b);
	/* A context whose id is not received could not be disposed of, so this wait is not cancelable. */
	masked = task_mask_cancel(t, true);
	engine_create_context(t, browser_root(b), &call, proxy, browser_options(b)->page.ignore_https_errors);
	r = engine_await(t, &call);
	task_mask_cancel(t, masked);
	if (r == -ETIMEDOUT && call.target)
		disposal_of_late(b, &call);
	r = browser_end_setup(t, b, outer, r);
	if (r < 0)
		return r;
	if (!browser_running(b)) /* it died between its answer and now */
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	r = engine_created_context(t, &call, &id);
	if (r == 0)
		r = check_context_id(t, b, id);
	if (r == 0)
		str_set(ret_id, id);
	return r;
}

/* A browser with windows lets pages write to the clipboard after a press without asking. */
static void own_clipboard(struct context *c)
{
	static const char *const names[] = { "clipboard-read", "clipboard-write" };

	page_group_own_clipboard(context_pages(c));
	for (size_t i = 0; i < ARRAY_SIZE(names) &&
			   (!browser_options(context_browser(c))->start.headless || browser_attached(context_browser(c)));
	     i++)
		engine_deny(context_pages(c)->browser, context_id(c), names[i]);
}

/* `options`: of its pages; NULL: those of the browser. */
static struct context *make_with_pages(struct browser *b, const char *id, const struct page_options *options)
{
	struct context *c = context_make(b, id);
	struct page_group *pages = context_pages(c);

	pages->browser = browser_root(b);
	pages->loop = browser_loop(b);
	pages->browser_process = browser_process(b);
	pages->main_process = load_limit_main_process(browser_load_limit(b));
	pages->options = options ? options : &browser_options(b)->page;
	pages->webmcp = browser_webmcp(b);
	pages->max_storage = *id ? browser_options(b)->max_storage : 0; /* that of a profile is on the disk */
	return c;
}

void context_make_lent(struct browser *b, struct context **ret)
{
	*ret = make_with_pages(b, "", NULL);
	context_pages(*ret)->fence = browser_options(b)->lent_origins;
}

static struct context *add_context(struct browser *b, const char *id, const struct page_options *options)
{
	struct context *c = make_with_pages(b, id, options);
	struct page_group *pages = context_pages(c);

	engine_save_downloads(browser_root(b), id, NULL);
	if (*id && pages->options->own_clipboards)
		own_clipboard(c);
	emulate_context(pages, pages->options, id);
	return c;
}

static int fail_taken(struct task *t, const struct browser_options *o)
{
	return task_fail(
		t, -ERR_BROWSER_ERROR,
		"Browser is already in use for %s, use %s to run multiple instances of the same browser: another client of "
		"this server works in its tabs",
		o->endpoints ? o->names.endpoint : o->start.user_data_dir, o->start.names.isolated);
}

static int new_persistent(struct task *t, struct browser *b, struct context **ret)
{
	_cleanup_(context_freep) struct context *c = NULL;
	usec_t outer;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	if (browser_contexts(b)->persistent) {
		browser_log_creation(
			b); /* by its log, @playwright/mcp starts a browser for each client, and then finds the profile taken */
		return fail_taken(t, browser_options(b));
	}
	browser_contexts(b)->own_id_awaited = browser_attached(b);
	c = browser_contexts(b)->persistent = add_context(b, "", NULL);
	if (browser_attached(b)) {
		outer = browser_begin_setup(t, b);
		r = browser_end_setup(t, b, outer, context_adopt_pages(t, c));
	}
	if (r < 0)
		return r;
	*ret = TAKE_PTR(c);
	return 0;
}

int context_new_persistent(struct task *t, struct browser *b, struct context **ret)
{
	int r;

	linger_begin(browser_linger(b));
	r = new_persistent(t, b, ret);
	linger_end(browser_linger(b));
	return r;
}

int context_new_offline(struct task *t, struct browser *b, const struct context_plan *plan, struct context **ret)
{
	_cleanup_(str_done) struct str id = {};
	int r;

	linger_begin(browser_linger(b));
	r = create_context(t, b, plan->proxy, &id);
	if (r == -ENOTCONN && !task_cancelled(t)) /* the call had changed nothing yet: retry with a new browser */
		r = create_context(t, b, plan->proxy, &id);
	if (r == 0)
		*ret = add_context(b, id.data, plan->page);
	linger_end(browser_linger(b));
	return r;
}

static int wait_for_page(struct task *t, struct context *c, const char *target_id, struct page **ret)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + ATTACH_TIMEOUT));
	struct page *p;
	int r = 0;

	while (!(p = page_group_find_target(context_pages(c), target_id)) && context_browser(c) && r == 0)
		r = waitq_wait(t, context_changed(c), "a page that was opened");
	task_set_deadline(t, outer);
	if (p) {
		*ret = page_ref(p);
		return 0;
	}
	if (!context_browser(c))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page that was opened has gone at once; try again");
	return r;
}

/* A page whose id is not received could not be closed in the browser's own context, so this wait is not cancelable. */
static int create_page(struct task *t, struct context *c, const char **ret_id)
{
	bool masked;
	int r;

	if (*context_id(c))
		return engine_open_page(t, browser_root(context_browser(c)), context_id(c), ret_id);
	masked = task_mask_cancel(t, true);
	r = engine_open_page(t, browser_root(context_browser(c)), context_id(c), ret_id);
	task_mask_cancel(t, masked);
	return r;
}

/*
 * A page that was opened in a browser's own context where tabs of that are lent: only its id tells it from those that the person opens, so
 * it was let run when it was attached to.
 */
static int take_opened(struct task *t, struct context *c, const char *target_id)
{
	struct target_info info = { .id = target_id,
				    .kind = TARGET_PAGE,
				    .type = "page",
				    .subtype = "",
				    .url = "about:blank",
				    .context = str_text(&browser_contexts(context_browser(c))->own_id),
				    .opener = "" };

	return context_adopt(t, c, &(const struct target_list){ .items = &info, .count = 1 }, target_id);
}

static int context_open_open_page(struct task *t, struct context *c, struct page **ret)
{
	_cleanup_(page_unrefp) struct page *page = NULL;
	const char *target_id;
	int r;

	r = create_page(t, c, &target_id);
	if (r < 0)
		return r;
	r = context_is_lent(c) ? take_opened(t, c, target_id) : 0;
	if (r == 0)
		r = wait_for_page(t, c, target_id, &page);
	if (r < 0 && context_browser(c) && !*context_id(c))
		engine_close_target(browser_root(context_browser(c)), target_id);
	if (r < 0)
		return r;
	page_set_opened_here(page);
	r = page_settle_in(t, page);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(page);
	return 0;
}

int context_open_page(struct task *t, struct context *c, struct page **ret)
{
	usec_t outer;
	int r;

	if (!context_browser(c))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	r = page_limit_check(t, c);
	if (r < 0)
		return r;
	outer = browser_begin_setup(t, context_browser(c));
	context_noted(c)->opening++;
	r = context_open_open_page(t, c, ret);
	context_noted(c)->opening--;
	if (!context_browser(c)) {
		task_set_deadline(t, outer);
		return r;
	}
	return browser_end_setup(t, context_browser(c), outer, r);
}
