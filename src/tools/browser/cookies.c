/* browser_cookie_list, browser_cookie_get, browser_cookie_set, browser_cookie_delete, browser_cookie_clear. */
#include "browser/cookies.h"

#include <float.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

/* Cookies belong to the session, not to a page: these tools need no tab, and an open dialog does not matter. */
#define OF_SESSION(function) (&(const struct browse_tool){ .run = function, .modals = MODAL_IGNORES, .no_tab = true })

static int fail_call(struct tool_call *call, int r)
{
	return browse_wrap(call, r, BROWSE_FAILURE_OF_CALL, "", "");
}

static int cookies_fetch(struct browse *b, struct cookies *ret)
{
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return context_cookies(b->call.t, session_context(b->session), NULL, ret);
}

/* Appends the line of a cookie; `more` continues its parentheses. A row begins with the name. */
static void add_cookie(struct browse *b, const struct cookie *c, const char *more)
{
	response_add(&b->response.result, "%s=%s (domain: %s, path: %s%s)", response_text(&b->response, c->name),
		     response_row(b->call.t, c->value), response_row(b->call.t, c->domain), response_row(b->call.t, c->path), more);
}

/* ---- reading ---- */

struct browser_cookie_list {
	const char *sessionId, *domain, *path;
};

static const struct param browser_cookie_list_params[] = {
	PARAM(browser_cookie_list, domain, "Only cookies of this domain and its subdomains", .empty_is_none = true),
	PARAM(browser_cookie_list, path, "Only cookies of this path and paths below it", .empty_is_none = true),
	PARAM(browser_cookie_list, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* A cookie of a domain and its subdomains has a dot before the domain. */
static const char *without_dot(const char *domain)
{
	return domain + (*domain == '.');
}

static bool is_in_domain(const char *of_cookie, const char *asked)
{
	size_t len, asked_len;

	of_cookie = without_dot(of_cookie);
	asked = without_dot(asked);
	len = strlen(of_cookie);
	asked_len = strlen(asked);
	return len >= asked_len && strcasecmp(of_cookie + len - asked_len, asked) == 0 &&
	       (len == asked_len || of_cookie[len - asked_len - 1] == '.');
}

/* `asked` consists of whole segments: /docs has /docs and /docs/api, but not /docs2. */
static bool cookies_is_below(const char *path, const char *asked)
{
	size_t len = strlen(asked);

	return strncmp(path, asked, len) == 0 && (!path[len] || path[len] == '/' || asked[len - 1] == '/');
}

static int cookies_list_run(struct browse *b, const void *args)
{
	const struct browser_cookie_list *a = args;
	_cleanup_(cookies_done) struct cookies all = {};
	int r;

	r = cookies_fetch(b, &all);
	if (r < 0)
		return r;
	for (size_t i = 0; i < all.count; i++)
		if ((!a->domain || is_in_domain(all.items[i].domain, a->domain)) &&
		    (!a->path || cookies_is_below(all.items[i].path, a->path)))
			add_cookie(b, &all.items[i], "");
	if (!b->response.result.len)
		response_add(&b->response.result, "No cookies found");
	browse_code(b, "context().cookies();");
	return 0;
}

const struct tool tool_browser_cookie_list =
	BROWSE_TOOL("browser_cookie_list", "List cookies", browser_cookie_list, "List the cookies of the session, of all sites.",
		    OF_SESSION(cookies_list_run), .capability = "storage", .read_only = true);

struct browser_cookie_get {
	const char *sessionId, *name;
};

static const struct param browser_cookie_get_params[] = {
	PARAM(browser_cookie_get, name, "Name of the cookie", .required = true),
	PARAM(browser_cookie_get, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static const char *truth(bool is_true)
{
	return is_true ? "true" : "false";
}

static const struct cookie *cookies_find(const struct cookies *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->items[i].name, name) == 0)
			return &all->items[i];
	return NULL;
}

static int get_run(struct browse *b, const void *args)
{
	const struct browser_cookie_get *a = args;
	_cleanup_(cookies_done) struct cookies all = {};
	const struct cookie *c;
	int r;

	r = cookies_fetch(b, &all);
	if (r < 0)
		return r;
	c = cookies_find(&all, a->name);
	if (c)
		add_cookie(b, c,
			   arena_printf(task_arena(b->call.t), ", httpOnly: %s, secure: %s, sameSite: %s", truth(c->http_only),
					truth(c->secure), c->same_site));
	else
		response_add(&b->response.result, "Cookie '%s' not found", a->name);
	browse_code(b, "context().cookies();");
	return 0;
}

const struct tool tool_browser_cookie_get =
	BROWSE_TOOL("browser_cookie_get", "Get cookie", browser_cookie_get, "Show the cookie of a name.", OF_SESSION(get_run),
		    .capability = "storage", .read_only = true);

/* ---- changing ---- */

struct browser_cookie_set {
	const char *sessionId, *name, *value, *domain, *path;
	double expires;
	const struct json *httpOnly, *secure;
	int sameSite;
};

#define NO_EXPIRY (-DBL_MAX)
static const char *const same_site_names[] = { "Strict", "Lax", "None", NULL };
static const struct browser_cookie_set browser_cookie_set_defaults = { .expires = NO_EXPIRY, .sameSite = -1 };

static const struct param browser_cookie_set_params[] = {
	PARAM(browser_cookie_set, name, "Name of the cookie", .required = true),
	PARAM(browser_cookie_set, value, "Its value", .required = true),
	PARAM(browser_cookie_set, domain, "Default: the host of the page", .empty_is_none = true),
	PARAM(browser_cookie_set, path, "Default: /", .empty_is_none = true),
	PARAM(browser_cookie_set, expires, NULL, .schema = "{\"type\":\"number\",\"description\":\"Unix time in seconds\"}"),
	PARAM(browser_cookie_set, httpOnly, "Hidden from scripts", .is_flag = true),
	PARAM(browser_cookie_set, secure, "Sent over HTTPS only", .is_flag = true),
	PARAM(browser_cookie_set, sameSite, NULL, .choices = same_site_names,
	      .documented = "Which requests from other sites have the cookie"),
	PARAM(browser_cookie_set, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* The host in the page's URL, as new URL(url).hostname gives it; "" for URLs without a host (about:blank, data:). */
static const char *page_host(struct browse *b)
{
	const char *url = b->page ? page_url(b->page) : "", *host = strstr(url, "://"), *colon;
	size_t len;

	if (!host || strcspn(url, ":/") != (size_t)(host - url))
		return "";
	host += 3;
	len = strcspn(host, "/?#");
	colon = memrchr(host, ':', len);
	if (colon && !memchr(colon, ']', len - (size_t)(colon - host)))
		len = (size_t)(colon - host);
	return arena_printf(task_arena(b->call.t), "%.*s", (int)len, host);
}

static int set_run(struct browse *b, const void *args)
{
	const struct browser_cookie_set *a = args;
	_cleanup_(str_done) struct str cookie = {};
	_cleanup_(json_freep) struct json *list = NULL;
	int r;

	str_json(&cookie, "[{name: ?, value: ?, domain: ?, path: ?", a->name, a->value, a->domain ? a->domain : page_host(b),
		 a->path ? a->path : "/");
	if (a->expires != NO_EXPIRY)
		str_json(&cookie, ", expires: ?", a->expires);
	if (a->httpOnly)
		str_json(&cookie, ", httpOnly: ?", a->httpOnly);
	if (a->secure)
		str_json(&cookie, ", secure: ?", a->secure);
	if (a->sameSite >= 0)
		str_json(&cookie, ", sameSite: ?", same_site_names[a->sameSite]);
	str_append(&cookie, "}]");
	r = json_parse(cookie.data, cookie.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &list);
	if (r < 0)
		return r;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = context_set_cookies(b->call.t, session_context(b->session), list);
	if (r < 0)
		return fail_call(&b->call, r);
	browse_code(b, "context().addCookies(%s);", cookie.data);
	return 0;
}

const struct tool tool_browser_cookie_set =
	BROWSE_TOOL("browser_cookie_set", "Set cookie", browser_cookie_set, "Set a cookie, of the page's site or another one.",
		    OF_SESSION(set_run), .capability = "storage", .defaults = &browser_cookie_set_defaults);

struct browser_cookie_delete {
	const char *sessionId, *name, *domain, *path;
};

static const struct param browser_cookie_delete_params[] = {
	PARAM(browser_cookie_delete, name, "Name of the cookie", .required = true),
	PARAM(browser_cookie_delete, domain, "Only the one of this domain", .is_later = true),
	PARAM(browser_cookie_delete, path, "Only the one of this path", .is_later = true),
	PARAM(browser_cookie_delete, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int cookies_delete_run(struct browse *b, const void *args)
{
	const struct browser_cookie_delete *a = args;
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = context_delete_cookies(b->call.t, session_context(b->session), a->name, a->domain, a->path);
	if (r < 0)
		return fail_call(&b->call, r);
	browse_code(b, "context().clearCookies({ name: %s%s%s%s%s });", browse_quote(&b->call, a->name),
		    a->domain ? ", domain: " : "", a->domain ? browse_quote(&b->call, a->domain) : "", a->path ? ", path: " : "",
		    a->path ? browse_quote(&b->call, a->path) : "");
	return 0;
}

const struct tool tool_browser_cookie_delete =
	BROWSE_TOOL("browser_cookie_delete", "Delete cookie", browser_cookie_delete, "Delete the cookies of a name, of all sites.",
		    OF_SESSION(cookies_delete_run), .capability = "storage");

struct browser_cookie_clear {
	const char *sessionId;
};

static const struct param browser_cookie_clear_params[] = {
	PARAM(browser_cookie_clear, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int cookies_clear_run(struct browse *b, const void *args)
{
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = context_clear_cookies(b->call.t, session_context(b->session));
	if (r < 0)
		return fail_call(&b->call, r);
	browse_code(b, "context().clearCookies();");
	return 0;
}

const struct tool tool_browser_cookie_clear =
	BROWSE_TOOL("browser_cookie_clear", "Clear cookies", browser_cookie_clear, "Delete all cookies of the session.",
		    OF_SESSION(cookies_clear_run), .capability = "storage");
