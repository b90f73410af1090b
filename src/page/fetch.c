#include "page/fetch.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "page/internal.h"
#include "page/options.h"
#include "page/paused_request.h"

/* What the browser sends with navigations and no program would. */
#define REMOVED_FIELDS "[\"Upgrade-Insecure-Requests\"]"

struct fetch {
	struct page_handler handler;
	struct page *page; /* that of page_fetch() */
	const struct fetch_request *request;
	const char *method, *body; /* of the next request; redirects change them */
	unsigned redirects;
	bool refused;          /* the address may not be reached */
	bool redirects_exceed; /* max_redirects */
	struct json *response; /* the parameters of the event; NULL: it is not there */
};

/* ---- pages without a request ---- */

static void refuse_request(struct page_handler *h, struct engine_target *s, const struct json *params)
{
	cdp_post(s, "Fetch.failRequest", "{requestId: ?, errorReason: 'BlockedByClient'}", json_str(params, "requestId"));
}

static void ignore_change(struct page_handler *h)
{
}

void page_set_aside(struct page *p)
{
	static struct page_handler closed = { .request = refuse_request, .changed = ignore_change };

	page_set_handler(p, &closed);
}

/* ---- the request ---- */

static bool has_content(const char *field)
{
	return strncasecmp(field, "Content-", 8) == 0;
}

/* Credentials that the code gave for the first address are not for another. */
static bool is_secret(const char *field)
{
	return strcasecmp(field, "Authorization") == 0 || strcasecmp(field, "Cookie") == 0;
}

static struct json *fields_for(const struct fetch *f, const char *url)
{
	_cleanup_(str_done) struct str origin = {}, text = {};
	struct json *fields = NULL;
	bool same = url_origin(&origin, f->request->url) && url_has_origin(url, origin.data), accepts = false;

	str_append_char(&text, '{');
	json_foreach(field, f->request->headers) {
		const char *name = json_name(field);

		if (!name || (!f->body && has_content(name)) || (!same && is_secret(name)))
			continue;
		accepts |= strcasecmp(name, "Accept") == 0;
		str_json(&text, "? ?: ?", JSON_COMMA(text.len > 1), name, json_text(field, NULL));
	}
	if (!accepts)
		str_json(&text, "? Accept: '*/*'", JSON_COMMA(text.len > 1));
	str_append_char(&text, '}');
	json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &fields);
	return fields;
}

static void send_on(struct fetch *f, struct engine_target *s, const struct json *params)
{
	_cleanup_(paused_request_unrefp) struct paused_request *q = paused_request_new(f->page, s, params);
	_cleanup_(json_freep) struct json *fields = NULL, *removed = NULL;
	const char *url = json_text(params, "request.url");

	if (strcmp(paused_request_type(q), "document") != 0 || !url_is_web(url) || !origin_allowed(page_options(f->page), url)) {
		f->refused = true;
		refuse_request(&f->handler, s, params);
		return;
	}
	fields = fields_for(f, url);
	json_parse(REMOVED_FIELDS, strlen(REMOVED_FIELDS), 1, JSON_REFUSE_UNREPRESENTABLE, &removed);
	paused_request_continue(q, &(const struct request_changes){
					   .method = f->method, .body = f->body, .set = fields, .removed = removed });
}

/* ---- the response ---- */

static bool is_redirect(const struct json *params)
{
	int64_t status = json_int(params, "responseStatusCode", 0);

	if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308)
		return false;
	json_foreach(field, json_get(params, "responseHeaders"))
		if (strcasecmp(json_text(field, "name"), "Location") == 0)
			return true;
	return false;
}

/* RFC 9110, 15.4 */
static void follow(struct fetch *f, int64_t status)
{
	f->redirects++;
	if ((status == 303 && strcmp(f->method, "HEAD") != 0) ||
	    ((status == 301 || status == 302) && strcmp(f->method, "POST") == 0)) {
		f->method = "GET";
		f->body = NULL;
	}
}

static void take_response(struct fetch *f, struct engine_target *s, const struct json *params)
{
	bool redirected = is_redirect(params), follows = redirected && f->redirects < f->request->max_redirects;

	f->redirects_exceed |= redirected && !follows && f->request->max_redirects;
	if (f->redirects_exceed) {
		refuse_request(&f->handler, s, params);
	} else if (follows || json_str(params, "responseErrorReason")) {
		follow(f, json_int(params, "responseStatusCode", 0));
		cdp_post(s, "Fetch.continueRequest", "{requestId: ?}", json_str(params, "requestId"));
	} else if (!f->response) {
		f->response = json_copy(params);
		waitq_wake(page_changed(f->page));
	}
}

static void on_request(struct page_handler *h, struct engine_target *s, const struct json *params)
{
	struct fetch *f = CONTAINER_OF(h, struct fetch, handler);

	if (json_get(params, "responseStatusCode") || json_str(params, "responseErrorReason"))
		take_response(f, s, params);
	else
		send_on(f, s, params);
}

static int take_body(struct task *t, struct fetch *f, struct fetch_response *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str encoded = {};
	const char *body;
	int r;

	ret->body = "";
	if (is_redirect(f->response))
		return 0;
	r = cdp_call(t, page_target(f->page), &reply, "Fetch.getResponseBody", "{requestId: ?}",
		     json_str(f->response, "requestId"));
	if (r == -EMSGSIZE)
		return task_fail(t, -ERR_NAVIGATION_FAILED, "the response of %s is too large", f->request->url);
	if (r < 0)
		return r;
	body = json_text(reply, "result.body");
	if (!json_bool(reply, "result.base64Encoded", false)) {
		base64_encode(&encoded, (const uint8_t *)body, strlen(body));
		body = str_text(&encoded);
	}
	ret->body = arena_strdup(task_arena(t), body);
	return 0;
}

static int read_response(struct task *t, struct fetch *f, struct fetch_response *ret)
{
	_cleanup_(str_done) struct str headers = {};
	struct fetch_response response = {
		.url = arena_strdup(task_arena(t), json_text(f->response, "request.url")),
		.status = (int)json_int(f->response, "responseStatusCode", 0),
		.status_text = arena_strdup(task_arena(t), json_text(f->response, "responseStatusText")),
	};
	int r = take_body(t, f, &response);

	json_print(&headers, json_get(f->response, "responseHeaders"));
	response.headers = arena_strdup(task_arena(t), headers.len ? headers.data : "[]");
	cdp_post(page_target(f->page), "Fetch.failRequest", "{requestId: ?, errorReason: 'Aborted'}",
		 json_str(f->response, "requestId"));
	if (r == 0)
		*ret = response;
	return r;
}

static int explain(struct task *t, const struct fetch *f, const struct engine_call *call)
{
	const char *error = json_str(cdp_call_result(call), "errorText");

	if (!page_alive(f->page))
		return task_fail(t, -ESTALE, "the session has ended");
	if (f->redirects_exceed)
		return task_fail(t, -ERR_NAVIGATION_FAILED, "Max redirect count exceeded");
	if (f->refused)
		error = "net::ERR_BLOCKED_BY_CLIENT";
	return task_fail(t, -ERR_NAVIGATION_FAILED, "%s at %s", error ? error : "net::ERR_FAILED", f->request->url);
}

static void prepare(struct page *p, const struct fetch_request *request)
{
	cdp_post(p->cdp, "Network.setBypassServiceWorker", "{bypass: true}"); /* it would answer before the interception */
	cdp_post(p->cdp, "Network.setCacheDisabled",
		 "{cacheDisabled: true}"); /* requests of one address would wait for each other */
	cdp_post(p->cdp, "Security.setIgnoreCertificateErrors", "{ignore: ?}",
		 (bool)(request->ignore_https_errors || page_options(p)->ignore_https_errors));
	cdp_post(p->cdp, "Fetch.enable",
		 "{patterns: [{urlPattern: '*', requestStage: 'Request'}, {urlPattern: '*', requestStage: 'Response'}], "
		 "handleAuthRequests: ?}",
		 has_credentials(page_options(p)));
}

int page_fetch(struct task *t, _kept_ struct page *p, const struct fetch_request *request, struct fetch_response *ret)
{
	struct fetch f = {
		.handler = { .request = on_request, .changed = ignore_change },
		.page = p,
		.request = request,
		.method = request->method,
		.body = request->body,
	};
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r = 0;

	if (!page_alive(p))
		return -ESTALE;
	page_set_handler(p, &f.handler);
	prepare(p, request);
	cdp_send(t, p->cdp, &call, "Page.navigate", "{url: ?}", request->url);
	while (r == 0 && !f.response && call.target && page_alive(p))
		r = waitq_wait(t, &p->changed, "a response");
	if (r == 0)
		r = f.response ? read_response(t, &f, ret) : explain(t, &f, &call);
	page_set_aside(p);
	json_free(f.response);
	return r < 0 ? r : engine_await(t, &call);
}
