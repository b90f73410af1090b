#include "page/fetch.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/http_status.h"
#include "engine/navigation.h"
#include "page/internal.h"
#include "page/options.h"
#include "page/paused_request.h"

struct fetch {
	struct page_handler handler;
	struct page *page; /* that of page_fetch() */
	const struct fetch_request *request;
	const char *method, *body; /* of the next request; redirects change them */
	unsigned redirects;
	bool refused;                    /* the address may not be reached */
	bool redirects_exceed;           /* max_redirects */
	struct paused_request *answered; /* with the response; a reference, NULL: it is not there */
};

/* ---- pages without a request ---- */

static void refuse_request(struct page_handler *h, struct paused_request *q)
{
	paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
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

static void add_fields(struct header_list *to, const struct fetch *f, const char *url)
{
	_cleanup_(str_done) struct str origin = {};
	bool same = url_origin(&origin, f->request->url) && url_has_origin(url, origin.data);

	header_list_add(to, "Upgrade-Insecure-Requests", NULL); /* which the browser sends with navigations and no program would */
	json_foreach(field, f->request->headers) {
		const char *name = json_name(field);

		if (name && (f->body || !has_content(name)) && (same || !is_secret(name)))
			header_list_add(to, name, json_text(field, NULL));
	}
	if (!header_list_find(to, "Accept"))
		header_list_add(to, "Accept", "*/*");
}

static void send_on(struct fetch *f, struct paused_request *q)
{
	_cleanup_(header_list_done) struct header_list fields = {};
	const char *url = q->reported.url;

	if (q->reported.kind != RESOURCE_DOCUMENT || !url_is_web(url) || !origin_allowed(page_options(f->page), url)) {
		f->refused = true;
		paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
		return;
	}
	add_fields(&fields, f, url);
	paused_request_continue(q, &(const struct request_changes){ .method = f->method, .body = f->body, .fields = &fields });
}

/* ---- the response ---- */

static bool is_redirect(const struct intercepted_response *r)
{
	return (r->status == 301 || r->status == 302 || r->status == 303 || r->status == 307 || r->status == 308) &&
	       header_list_find(&r->headers, "Location");
}

/* RFC 9110, 15.4 */
static void follow(struct fetch *f, int status)
{
	f->redirects++;
	if ((status == 303 && strcmp(f->method, "HEAD") != 0) ||
	    ((status == 301 || status == 302) && strcmp(f->method, "POST") == 0)) {
		f->method = "GET";
		f->body = NULL;
	}
}

static void take_response(struct fetch *f, struct paused_request *q)
{
	const struct intercepted_response *response = &q->reported.response;
	bool redirected = is_redirect(response), follows = redirected && f->redirects < f->request->max_redirects;

	f->redirects_exceed |= redirected && !follows && f->request->max_redirects;
	if (f->redirects_exceed) {
		paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
	} else if (follows || response->failed) {
		follow(f, response->status);
		paused_request_continue(q, NULL);
	} else if (!f->answered) {
		f->answered = paused_request_ref(q);
		waitq_wake(page_changed(f->page));
	}
}

static void on_request(struct page_handler *h, struct paused_request *q)
{
	struct fetch *f = CONTAINER_OF(h, struct fetch, handler);

	if (q->reported.has_response)
		take_response(f, q);
	else
		send_on(f, q);
}

static bool fetch_has_body(const struct intercepted_response *r)
{
	return !is_redirect(r) && !http_status_is_empty(r->status) && r->status != 304;
}

static int take_body(struct task *t, struct fetch *f, struct fetch_response *ret)
{
	const struct intercepted_request *of = &f->answered->reported;
	int r;

	ret->body = "";
	if (!fetch_has_body(&of->response))
		return 0;
	r = engine_waiting_body(t, page_target(f->page), of->id, &ret->body);
	if (r == -EMSGSIZE)
		return task_fail(t, -ERR_NAVIGATION_FAILED, "the response of %s is too large", f->request->url);
	return r;
}

static int read_response(struct task *t, struct fetch *f, struct fetch_response *ret)
{
	struct intercepted_request *of = &f->answered->reported;
	struct fetch_response response = {
		.url = arena_strdup(task_arena(t), of->url),
		.status = of->response.status,
		.status_text = arena_strdup(task_arena(t), of->response.status_text),
	};
	int r = take_body(t, f, &response);

	paused_request_abort(f->answered, ABORT_ABORTED);
	if (r < 0)
		return r;
	*ret = response;
	ret->headers = of->response.headers;
	of->response.headers = (struct header_list){};
	return 0;
}

static int explain(struct task *t, const struct fetch *f, const struct engine_call *call)
{
	const char *error = engine_navigated(call).error;

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
	unsigned challenges = has_credentials(page_options(p)) ? INTERCEPT_CHALLENGES : 0;

	engine_bypass_workers(p->target, true);
	engine_set_cache(NULL, p->target, NULL, false); /* requests of one address would wait for each other */
	engine_ignore_certificates(p->target, request->ignore_https_errors || page_options(p)->ignore_https_errors);
	engine_intercept(NULL, p->target, NULL, NULL, INTERCEPT_REQUESTS | INTERCEPT_RESPONSES | challenges);
}

/* Some engines show what was read, and the page is not to keep it. */
static int leave_document(struct task *t, _kept_ struct page *p)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	if (!page_alive(p) || strcmp(page_url(p), "about:blank") == 0)
		return 0;
	engine_navigate(t, p->target, &call, "about:blank");
	return engine_await(t, &call);
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
	engine_navigate(t, p->target, &call, request->url);
	while (r == 0 && !f.answered && call.target && page_alive(p))
		r = waitq_wait(t, &p->changed, "a response");
	if (r == 0)
		r = f.answered ? read_response(t, &f, ret) : explain(t, &f, &call);
	page_set_aside(p);
	paused_request_unref(f.answered);
	if (r == 0)
		r = engine_await(t, &call);
	return r < 0 ? r : leave_document(t, p);
}
