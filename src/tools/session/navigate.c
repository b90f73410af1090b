#include "page/navigate.h"
#include "page/options.h"

#include <string.h>

#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "page/address.h"
#include "tools/session/tools.h"

struct navigate {
	const char *sessionId, *url;
	int waitUntil;
	double timeout;
};

static const char *const wait_until_names[] = { "load", "domcontentloaded", "networkidle", NULL };

static const struct param navigate_params[] = {
	PARAM(navigate, sessionId, SESSION_ABOUT, .required = true),
	PARAM(navigate, url, "http:, https:, about: or data:", .required = true, .max_length = LIMIT_URL),
	PARAM(navigate, waitUntil, "When to answer", .choices = wait_until_names),
	PARAM(navigate, timeout, "Milliseconds; default 60000", .min = 0, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	{}
};

static bool is_part(const char *url)
{
	return strchr("/?#", *url);
}

/* A session with a dev server has completed relative URLs by now, so one that is still relative is an error. */
static int check_whole(struct task *t, const char *url)
{
	if (!is_part(url))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%.200s is no whole address; give one such as https://example.com%.200s", url,
			 *url == '/' ? url + strspn(url, "/") - 1 : "");
}

/*
 * Completes a URL, and refuses it before a session is made for it. Without `base`, a relative URL is returned unchanged, and
 * check_whole() reports it.
 */
static int navigate_complete(struct task *t, const struct app *app, const char *url, const char *base, const char **ret)
{
	url += strspn(url, " \t\r\n");
	if (!*url)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "url is empty; give an address such as https://example.com");
	if (is_part(url) && !base) {
		*ret = url;
		return 0;
	}
	*ret = address_complete(task_arena(t), url, base);
	return address_check(t, *ret, &(const struct page_options){ .files = app->output.settings->unrestricted });
}

static int session_navigate_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct navigate *a = args;
	_cleanup_(visit_done) struct visited v = {};
	struct navigation nav = {};
	const char *base, *url = NULL, *dialogs;
	int r;

	base = registry_base_url(call_app(call)->registry, call_owner(call), a->sessionId);
	r = navigate_complete(t, call_app(call), a->url, base, &url);
	if (r < 0)
		return r;
	r = visit_page(t, call, a->sessionId, &v);
	if (r == 0)
		r = check_whole(t, url);
	if (r < 0)
		return r;
	r = page_navigate(t, v.page, url, (enum wait_until)a->waitUntil,
			  timeout_or(a->timeout, call_app(call)->timeouts->navigation), &nav);
	if (r < 0)
		return r;
	dialogs = page_take_dialog_note(v.page, task_arena(t));
	if (dialogs)
		result_json(res, "{success: true, title: ?, url: ?, status: ?, dialogs: ?}", nav.title, nav.url, nav.status,
			    dialogs);
	else
		result_json(res, "{success: true, title: ?, url: ?, status: ?}", nav.title, nav.url, nav.status);
	return 0;
}

const struct tool tool_navigate = {
	.name = "navigate",
	.terse = "Open a URL; answers JSON",
	.about =
		"Open a URL and wait until it has loaded. Answers JSON (title, url, HTTP status); to work with snapshots and refs, use browser_navigate.",
	.params = navigate_params,
	.size = sizeof(struct navigate),
	.run = session_navigate_run,
};
