#include "browser/cookies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "page/origins.h"

#define LAST_TIME 253402300799. /* the last second of the year 9999 */

/* Which requests carry a cookie is known to the pages. */
static struct engine_target *any_page(struct context *c)
{
	struct page *p = context_page(c);

	return p ? page_target(p) : NULL;
}

static int fail_ended(struct task *t)
{
	return task_fail(t, -ENOTCONN, "the browser has ended; the next call starts it again");
}

/* ---- reading ---- */

/* The whole context is asked through the browser, because it need not have a page. */
int context_cookies(struct task *t, struct context *c, const char *urls, struct cookies *ret)
{
	int r = context_refuse_lent(t, c, "cookies");

	if (r < 0)
		return r;
	if (urls)
		return engine_cookies_for(t, any_page(c), urls, ret);
	if (!context_browser(c))
		return fail_ended(t);
	return engine_cookies(t, browser_root(context_browser(c)), context_id(c), ret);
}

void cookies_print(struct str *out, const struct cookies *c)
{
	str_append(out, "[");
	for (size_t i = 0; i < c->count; i++) {
		const struct cookie *one = &c->items[i];

		str_json(out, "?{name: ?, value: ?, domain: ?, path: ?, expires: ?, httpOnly: ?, secure: ?, sameSite: ?",
			 JSON_COMMA(i > 0), one->name, one->value, one->domain, one->path, one->expires, one->http_only,
			 one->secure, one->same_site);
		if (one->partition)
			str_json(out, ", partitionKey: ?", one->partition);
		str_append(out, "}");
	}
	str_append(out, "]");
}

/* ---- changing ---- */

int context_add_cookies(struct task *t, struct context *c, const char *cookies)
{
	int r = context_refuse_lent(t, c, "cookies");

	if (r < 0)
		return r;
	if (!context_browser(c))
		return fail_ended(t);
	return engine_set_cookies(t, browser_root(context_browser(c)), context_id(c), cookies);
}

int context_clear_cookies(struct task *t, struct context *c)
{
	int r = context_refuse_lent(t, c, "cookies");

	if (r < 0)
		return r;
	if (!context_browser(c))
		return fail_ended(t);
	return engine_clear_cookies(t, browser_root(context_browser(c)), context_id(c));
}

/* ---- setting ---- */

static int check_url(struct task *t, const struct json *cookie, const char *url)
{
	if (strcmp(url, "about:blank") == 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Blank page can not have cookie \"%s\"", json_text(cookie, "name"));
	if (strncmp(url, "data:", 5) == 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Data URL page can not have cookie \"%s\"", json_text(cookie, "name"));
	if (!url_is_web(url))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Invalid URL");
	return 0;
}

static int check_cookie(struct task *t, const struct json *cookie)
{
	const char *url = json_text(cookie, "url"), *domain = json_text(cookie, "domain"), *path = json_text(cookie, "path");
	double expires = json_num(cookie, "expires", -1);

	if (!*url && !(*domain && *path))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Cookie should have a url or a domain/path pair");
	if (*url && *domain)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Cookie should have either url or domain");
	if (*url && *path)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Cookie should have either url or path");
	if ((expires < 0 && expires != -1) || expires > LAST_TIME)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "Cookie should have a valid expires, only -1 or a positive number for the unix timestamp in "
				 "seconds is allowed");
	return *url ? check_url(t, cookie, url) : 0;
}

/* The directory of the URL's path, which the browser's own default lacks the last slash of. */
static void append_url(struct str *out, const char *url)
{
	_cleanup_(str_done) struct str origin = {}, path = {};
	size_t len;

	url_origin(&origin, url);
	len = strcspn(url + origin.len, "?#");
	while (len && url[origin.len + len - 1] != '/')
		len--;
	str_append_len(&path, url + origin.len, len);
	str_json(out, ", url: ?, path: ?", url, path.len ? path.data : "/");
}

static void append_member(struct str *out, const struct json *cookie, const char *name)
{
	if (json_member(cookie, name))
		str_json(out, ", ?: ?", name, json_member(cookie, name));
}

static void append_cookie(struct str *out, const struct json *cookie)
{
	static const char *const members[] = { "domain", "path", "httpOnly", "secure", "sameSite", "partitionKey", "expires" };
	const char *url = json_text(cookie, "url");

	str_json(out, "?{name: ?, value: ?", JSON_COMMA(out->len > 1), json_text(cookie, "name"), json_text(cookie, "value"));
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!*url || (strcmp(members[i], "domain") != 0 && strcmp(members[i], "path") != 0))
			append_member(out, cookie, members[i]);
	if (*url)
		append_url(out, url);
	str_append(out, "}");
}

int context_set_cookies(struct task *t, struct context *c, const struct json *cookies)
{
	_cleanup_(str_done) struct str list = {};
	int r = 0;

	str_append(&list, "[");
	json_foreach(cookie, cookies) {
		r = check_cookie(t, cookie);
		if (r < 0)
			return r;
		append_cookie(&list, cookie);
	}
	str_append(&list, "]");
	return json_count(cookies) ? context_add_cookies(t, c, list.data) : 0;
}

static bool is_or_any(const char *text, const char *wanted)
{
	return !wanted || strcmp(text, wanted) == 0;
}

/* A cookie that replaces one and has expired removes it, without a moment in which another one is missing. */
static struct cookie expired(struct cookie c)
{
	c.expires = 1;
	return c;
}

int context_delete_cookies(struct task *t, struct context *c, const char *name, const char *domain, const char *path)
{
	_cleanup_(cookies_done) struct cookies all = {}, removed = {};
	_cleanup_(str_done) struct str list = {};
	int r;

	r = context_cookies(t, c, NULL, &all);
	if (r < 0)
		return r;
	removed.items = must(calloc(all.count + 1, sizeof(struct cookie)));
	for (size_t i = 0; i < all.count; i++)
		if (is_or_any(all.items[i].name, name) && is_or_any(all.items[i].domain, domain) &&
		    is_or_any(all.items[i].path, path))
			removed.items[removed.count++] = expired(all.items[i]);
	cookies_print(&list, &removed);
	return removed.count ? context_add_cookies(t, c, list.data) : 0;
}
