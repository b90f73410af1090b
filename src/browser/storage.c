#include "browser/storage.h"

#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "page/navigate.h"
#include "scripts/scripts.h"

#define OPEN_TIMEOUT (10 * USEC_PER_SEC)

const char *storage_check(const struct json *state)
{
	const struct json *cookies = json_member(state, "cookies"), *origins = json_member(state, "origins");

	if (json_type(state) != JSON_OBJECT || (cookies && json_type(cookies) != JSON_ARRAY) ||
	    (origins && json_type(origins) != JSON_ARRAY))
		return "it is not {\"cookies\": [...], \"origins\": [...]}";
	json_foreach(cookie, cookies)
		if (!json_str(cookie, "name") || !json_str(cookie, "value"))
			return "a cookie has no name or no value";
	json_foreach(origin, origins)
		if (!json_str(origin, "origin"))
			return "an entry of origins has no origin";
	return NULL;
}

static void append_text(struct str *out, const char *name, const struct json *cookie)
{
	if (json_str(cookie, name))
		str_json(out, ", ?: ?", name, json_str(cookie, name));
}

/* A time that is not positive is the session's, which CDP says by saying nothing. */
static void append_cookie(struct str *out, const struct json *cookie)
{
	static const char *const texts[] = { "url", "domain", "path", "sameSite" };
	double expires = json_num(cookie, "expires", -1);

	str_json(out, "?{name: ?, value: ?", JSON_COMMA(out->len), json_str(cookie, "name"), json_str(cookie, "value"));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		append_text(out, texts[i], cookie);
	if (expires > 0)
		str_json(out, ", expires: ?", expires);
	str_json(out, ", httpOnly: ?, secure: ?}", json_bool(cookie, "httpOnly", false), json_bool(cookie, "secure", false));
}

static int restore_cookies(struct task *t, struct context *c, const struct json *cookies)
{
	_cleanup_(str_done) struct str list = {};

	json_foreach(cookie, cookies)
		append_cookie(&list, cookie);
	if (!list.len)
		return 0;
	return cdp_call(t, browser_cdp(context_browser(c)), NULL, "Storage.setCookies", "{cookies: [?], browserContextId: ?}",
			JSON_RAW(list.data), context_id(c));
}

/* The page is empty, but of that origin. */
static int fill_origin(struct task *t, struct page *p, const struct json *origin)
{
	_cleanup_(str_done) struct str items = {}, expression = {};
	struct navigation nav;
	int r;

	r = page_navigate(t, p, json_str(origin, "origin"), WAIT_DOMCONTENTLOADED, OPEN_TIMEOUT, &nav);
	if (r < 0)
		return r;
	json_print(&items, json_member(origin, "localStorage"));
	str_append(&expression, fill_storage_script);
	str_appendf(&expression, "(%s)", items.data);
	return cdp_call(t, page_cdp(p), NULL, "Runtime.evaluate", "{expression: ?, silent: true}", expression.data);
}

/* Uses a page of its own whose requests are answered here, so that no server is contacted. */
static int restore_origins(struct task *t, struct context *c, const struct json *origins)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int r;

	if (!json_count(origins))
		return 0;
	r = context_open_page(t, c, &p);
	if (r < 0)
		return r;
	page_answer_blank(p);
	json_foreach(origin, origins)
		if (r == 0 && json_type(json_member(origin, "localStorage")) == JSON_ARRAY)
			r = fill_origin(t, p, origin);
	page_close(p);
	return r;
}

int storage_restore(struct task *t, struct context *c, const struct json *state)
{
	int r;

	r = restore_cookies(t, c, json_member(state, "cookies"));
	if (r == 0)
		r = restore_origins(t, c, json_member(state, "origins"));
	return r;
}
