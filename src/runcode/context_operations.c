/* Operations of run_code programs on their session: pages and cookies. */
#include <errno.h>
#include <string.h>

#include "browser/context.h"
#include "browser/cookies.h"
#include "runcode/operation.h"
#include "session/tabs.h"

static int run_new_page(struct operation_call *c)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int number, r;

	r = context_open_page(c->b.t, session_context(c->b.session), &p);
	if (r < 0)
		return r;
	number = code_run_page_number(c->run, p);
	if (number < 0) {
		page_close(p);
		return task_fail(c->b.t, -EMFILE, "there are too many pages; close some of them");
	}
	str_json(&c->value, "?", number);
	return 0;
}

static _kept_ struct context *context_of(struct operation_call *c)
{
	return session_context(c->b.session);
}

static int run_cookies(struct operation_call *c)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str urls = {};
	const struct json *wanted = json_get(c->message, "urls");
	int r;

	json_print(&urls, wanted);
	r = context_cookies(c->b.t, context_of(c), json_count(wanted) ? urls.data : NULL, &reply);
	if (r == 0)
		json_print(&c->value, json_get(reply, "result.cookies"));
	return r;
}

static int run_add_cookies(struct operation_call *c)
{
	_cleanup_(str_done) struct str cookies = {};

	json_print(&cookies, json_get(c->message, "cookies"));
	return context_add_cookies(c->b.t, context_of(c), cookies.len ? cookies.data : "[]");
}

static int run_clear_cookies(struct operation_call *c)
{
	return context_clear_cookies(c->b.t, context_of(c));
}

const struct operation context_operations[] = {
	{ "newPage", run_new_page, .no_page = true },
	{ "cookies", run_cookies, .no_page = true },
	{ "addCookies", run_add_cookies, .no_page = true },
	{ "clearCookies", run_clear_cookies, .no_page = true },
	{},
};
