#include "browser/kept_page.h"

#include <errno.h>

#include "page/frame.h"
#include "page/group.h"
#include "page/intercept.h"
#include "page/navigate.h"
#include "page/origins.h"
#include "scripts/scripts.h"

static int ask(struct task *t, struct page *p, usec_t until, const char *expression, struct json **ret)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	int r = f ? frame_probe_briefly(t, f, until, ret, expression) : -ESTALE;

	return r == -ECANCELED ? r : 0;
}

int page_keep(struct task *t, struct page *p, usec_t until, struct str *out)
{
	_cleanup_(json_freep) struct json *scroll = NULL, *items = NULL;
	_cleanup_(str_done) struct str call = {};
	int r = 0;

	if (url_is_web(page_url(p))) {
		str_appendf(&call, "%s('sessionStorage')", read_storage_script);
		r = ask(t, p, until, "[scrollX, scrollY]", &scroll);
		if (r == 0)
			r = ask(t, p, until, call.data, &items);
	}
	str_json(out, "{url: ?", page_url(p));
	if (json_type(scroll) == JSON_ARRAY)
		str_json(out, ", scroll: ?", scroll);
	if (json_type(items) == JSON_ARRAY && json_count(items))
		str_json(out, ", sessionStorage: ?", items);
	str_append_char(out, '}');
	return r;
}

/* Storage belongs to an origin, so an empty document of it comes first, for which no server is asked. */
static int fill_session_storage(struct task *t, struct page *p, const char *url, const struct json *items, usec_t timeout)
{
	_cleanup_(str_done) struct str origin = {}, call = {};
	int r;

	url_origin(&origin, url);
	str_appendf(&call, "%s(", fill_storage_script);
	json_print(&call, items);
	str_append(&call, ", 'sessionStorage')");
	page_answer_blank(p, true);
	r = page_navigate(t, p, origin.data, WAIT_DOMCONTENTLOADED, timeout, NULL);
	if (r == 0)
		r = ask(t, p, USEC_NEVER, call.data, NULL);
	page_answer_blank(p, false);
	return r;
}

int page_bring_back(struct task *t, struct page *p, const struct json *kept, usec_t timeout)
{
	const char *url = json_text(kept, "url");
	const struct json *items = json_member(kept, "sessionStorage"), *scroll = json_member(kept, "scroll");
	_cleanup_(str_done) struct str call = {};
	int r = 0;

	if (json_count(items) && url_is_web(url))
		r = fill_session_storage(t, p, url, items, timeout);
	if (r == 0)
		r = page_navigate(t, p, url, WAIT_LOAD, timeout, NULL);
	if (r < 0 || json_count(scroll) != 2)
		return r;
	str_append(&call, "scrollTo(...");
	json_print(&call, scroll);
	str_append(&call, ")");
	return ask(t, p, USEC_NEVER, call.data, NULL);
}
