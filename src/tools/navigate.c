#include "browser/navigate.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "tools/app.h"
#include "tools/e2e.h"
#include "tools/tools.h"

struct navigate {
	const char *sessionId, *url;
	int waitUntil;
	double timeout;
};

static const char *const wait_until_names[] = { "load", "domcontentloaded", "networkidle", NULL };

static const struct param navigate_params[] = {
	PARAM(navigate, sessionId, NULL, .required = true),
	PARAM(navigate, url, NULL,
	      .required = true, .max_length = LIMIT_URL),
	PARAM(navigate, waitUntil, NULL, .choices = wait_until_names),
	PARAM(navigate, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC),
	{}
};

static bool starts_with(const char *text, const char *prefix)
{
	return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

/* RFC 3986, 3.1; a port after a host name ("localhost:80") is no scheme. */
static size_t scheme_length(const char *url)
{
	size_t n = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

	return n > 0 && url[n] == ':' && (url[n + 1] < '0' || url[n + 1] > '9') ? n : 0;
}

static bool is_part(const char *url)
{
	return strchr("/?#", *url);
}

/* Where a session has a server, parts have become whole. What has ended tells that first. */
static int check_whole(struct task *t, const char *url)
{
	if (!is_part(url))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%.200s is no whole address; give one such as https://example.com%.200s", url,
			 *url == '/' ? url + strspn(url, "/") - 1 : "");
}

static int check_url(struct task *t, const char *url, const char **ret)
{
	static const char *const allowed[] = { "http:", "https:", "about:", "data:" };
	static const char *const local[] = { "localhost", "127.", "[::1]", "0.0.0.0" };

	url += strspn(url, " \t\r\n");
	if (!*url)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "url is empty; give an address such as https://example.com");
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		if (starts_with(url, allowed[i])) {
			*ret = url;
			return 0;
		}
	if (scheme_length(url) > 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%.*s: addresses cannot be opened; use http:, https:, about: or data:",
				 (int)MIN(scheme_length(url), (size_t)64), url);
	if (is_part(url)) {
		*ret = url;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(local); i++)
		if (starts_with(url, local[i])) {
			*ret = arena_printf(task_arena(t), "http://%s", url);
			return 0;
		}
	*ret = arena_printf(task_arena(t), "https://%s", url);
	return 0;
}

static int navigate_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct navigate *a = args;
	_cleanup_(visit_done) struct visited v = {};
	struct navigation nav = {};
	const char *url = NULL, *dialogs;
	int r;

	url = e2e_resolve(t, call, a->sessionId, a->url);
	r = check_url(t, url ? url : a->url, &url);
	if (r < 0)
		return r;
	r = visit_page(t, call, a->sessionId, &v);
	if (r == 0)
		r = check_whole(t, url);
	if (r < 0)
		return r;
	r = page_navigate(t, v.page, url, (enum wait_until)a->waitUntil,
			  timeout_or(a->timeout, call_app(call)->timeout_navigation), &nav);
	if (r < 0)
		return r;
	dialogs = page_take_dialog_note(v.page, task_arena(t));
	if (dialogs)
		result_json(res, "{success: true, title: %s, url: %s, status: %d, dialogs: %s}", nav.title, nav.url,
			    nav.status, dialogs);
	else
		result_json(res, "{success: true, title: %s, url: %s, status: %d}", nav.title, nav.url, nav.status);
	return 0;
}

const struct tool tool_navigate = {
	.name = "navigate",
	.about = "Open an address and wait until it has loaded.",
	.params = navigate_params,
	.size = sizeof(struct navigate),
	.output_schema = "{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},"
			 "\"title\":{\"type\":\"string\"},\"url\":{\"type\":\"string\"},"
			 "\"status\":{\"type\":\"integer\"},"
			 "\"dialogs\":{\"type\":\"string\"}}}",
	.run = navigate_run,
};
