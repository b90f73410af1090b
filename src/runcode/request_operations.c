/* Requests of the code itself: page.request, context.request, route.fetch(). Also between runs. */
#include <errno.h>
#include <string.h>

#include "browser/browser.h"
#include "browser/context.h"
#include "browser/fetcher.h"
#include "engine/features.h"
#include "page/origins.h"
#include "runcode/operation.h"

#define REDIRECTS_MAX 20

static const char *request_operations_method_of(const struct operation_call *c)
{
	const char *method = operation_text(c, "method");

	return is_field_name(method) ? method : "GET";
}

/* `ignoreHTTPSErrors` of a request, where the browser's pages do not ignore them. */
static int check_certificates(struct operation_call *c, const struct fetch_request *request)
{
	const struct browser_options *o = browser_options(context_browser(c->program->context));

	if (!request->ignore_https_errors || o->page.ignore_https_errors || (engine_features(&o->start) & ENGINE_CERTIFICATES))
		return 0;
	return browse_fail_call(
		&c->call, -ENOTSUP,
		"this browser ignores invalid certificates in all sessions or in none: leave ignoreHTTPSErrors out of the request, "
		"or set it in contextOptions of the server's config file");
}

static int run_fetch(struct operation_call *c)
{
	_cleanup_(fetcher_unrefp) struct fetcher *f = NULL;
	const struct fetch_request request = {
		.url = operation_text(c, "url"),
		.method = request_operations_method_of(c),
		.headers = json_get(c->message, "headers"),
		.body = json_str(c->message, "body"),
		.max_redirects = (unsigned)MIN(json_int(c->message, "maxRedirects", REDIRECTS_MAX), REDIRECTS_MAX),
		.ignore_https_errors = json_bool(c->message, "ignoreHTTPSErrors", false),
	};
	_cleanup_(str_done) struct str headers = {};
	struct fetch_response response;
	int r;

	if (!c->program->context)
		return task_fail(c->call.t, -ESTALE, "the session has ended");
	f = fetcher_ref(fetcher_of(c->program->context));
	if (!url_is_web(request.url))
		return browse_fail_call(&c->call, -EINVAL, "Invalid URL");
	r = check_certificates(c, &request);
	if (r < 0)
		return r;
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	r = fetcher_send(c->call.t, f, &request, &response);
	if (r == -ETIMEDOUT)
		return browse_fail_timeout(&c->call, c->call.timeouts.action, "");
	if (r < 0)
		return r;
	header_list_print(&headers, &response.headers);
	header_list_done(&response.headers);
	str_json(&c->value, "{url: ?, status: ?, statusText: ?, headers: ?, body: ?}", response.url, response.status,
		 response.status_text, JSON_RAW(headers.data), response.body);
	return 0;
}

const struct operation request_operations[] = {
	{ "fetch", run_fetch, .scheduling = OPERATION_CONCURRENT, .no_page = true, .between_runs = true },
	{},
};
