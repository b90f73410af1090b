/* Operations of run_code programs on their session: pages and cookies. */
#include <errno.h>
#include <string.h>

#include "browser/context.h"
#include "runcode/operation.h"
#include "session/tabs.h"

static int run_new_page(struct snippet_call *c)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int number, r;

	r = context_open_page(c->b.t, session_context(c->b.session), &p);
	if (r < 0)
		return r;
	number = snippet_page_number(c->run, p);
	if (number < 0) {
		page_close(p);
		return task_fail(c->b.t, -EMFILE, "there are too many pages; close some of them");
	}
	str_json(&c->value, "%d", number);
	return 0;
}

/* Cookies belong to the context, so they can be requested through any of its pages. */
static struct page *any_page(struct snippet_call *c)
{
	return context_page(session_context(c->b.session));
}

static int run_cookies(struct snippet_call *c)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str urls = {};
	struct page *p = any_page(c);
	bool all = json_count(json_get(c->message, "urls")) == 0;
	int r;

	if (!p)
		return -ESTALE;
	json_print(&urls, json_get(c->message, "urls"));
	if (all)
		r = cdp_call(c->b.t, page_cdp(p), &reply, "Network.getAllCookies", "{}");
	else
		r = cdp_call(c->b.t, page_cdp(p), &reply, "Network.getCookies", "{urls: %p}", urls.data);
	if (r == 0)
		json_print(&c->value, json_get(reply, "result.cookies"));
	return r;
}

static int run_add_cookies(struct snippet_call *c)
{
	_cleanup_(str_done) struct str cookies = {};
	struct page *p = any_page(c);

	if (!p)
		return -ESTALE;
	json_print(&cookies, json_get(c->message, "cookies"));
	return cdp_call(c->b.t, page_cdp(p), NULL, "Network.setCookies", "{cookies: %p}", cookies.len ? cookies.data : "[]");
}

static int run_clear_cookies(struct snippet_call *c)
{
	struct page *p = any_page(c);

	return p ? cdp_call(c->b.t, page_cdp(p), NULL, "Network.clearBrowserCookies", "{}") : -ESTALE;
}

const struct snippet_operation snippet_context_operations[] = {
	{ "newPage", run_new_page, .no_page = true },
	{ "cookies", run_cookies, .no_page = true },
	{ "addCookies", run_add_cookies, .no_page = true },
	{ "clearCookies", run_clear_cookies, .no_page = true },
	{},
};
