/*
 * Routes of code: page.route(), context.route() and what their handlers answer. Requests that match wait here until the handler of
 * the code (scripts/code/route.js) has answered them; also between runs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "base/limits.h"
#include "browser/routes.h"
#include "page/answers.h"
#include "page/frame.h"
#include "runcode/operation.h"

#define TYPE_TIMEOUT (500 * USEC_PER_MSEC) /* for the page's event of a request that is paused already */

struct code_route {
	struct route route;
	TAILQ_ENTRY(code_route) link;
	struct code_program *program; /* which removes it before it ends */
	unsigned number;              /* of the program */
};

/* A request for which the handler of a route has been called. */
struct routed_request {
	TAILQ_ENTRY(routed_request) link;
	uint64_t number;
	struct paused_request *request; /* a reference */
};

/* ---- requests ---- */

static struct routed_request *route_operations_find_request(struct code_program *g, const struct paused_request *q)
{
	struct routed_request *rr;

	TAILQ_FOREACH(rr, &g->requests, link)
		if (rr->request == q)
			return rr;
	return NULL;
}

static void forget_request(struct code_program *g, struct routed_request *rr)
{
	TAILQ_REMOVE(&g->requests, rr, link);
	g->requests_count--;
	paused_request_unref(rr->request);
	free(rr);
}

/* Those whose pages have gone are answered by nothing any more. */
static void forget_answered(struct code_program *g)
{
	struct routed_request *rr, *next;

	for (rr = TAILQ_FIRST(&g->requests); rr; rr = next) {
		next = TAILQ_NEXT(rr, link);
		if (paused_request_answered(rr->request) || !page_alive(paused_request_page(rr->request)))
			forget_request(g, rr);
	}
}

static struct routed_request *route_operations_add_request(struct code_program *g, struct paused_request *q)
{
	struct routed_request *rr;

	if (g->requests_count >= LIMIT_CODE_REQUESTS_COUNT)
		forget_answered(g);
	if (g->requests_count >= LIMIT_CODE_REQUESTS_COUNT)
		return NULL;
	rr = NEW(struct routed_request);
	rr->number = ++g->last_request;
	rr->request = paused_request_ref(q);
	TAILQ_INSERT_TAIL(&g->requests, rr, link);
	g->requests_count++;
	return rr;
}

static void route_operations_print_request(struct code_program *g, const struct paused_request *q, struct str *out)
{
	const struct intercepted_request *reported = paused_request_reported(q);
	struct page *p = paused_request_page(q);
	struct frame *f = page_find_frame(p, reported->frame_id);
	_cleanup_(header_list_done) struct header_list headers = {};
	_cleanup_(str_done) struct str members = {};

	paused_request_changed_headers(q, &headers);
	for (size_t i = 0; i < headers.count; i++)
		str_json(&members, "??: ?", JSON_COMMA(i > 0), headers.items[i].name, headers.items[i].value);
	str_json(out, ", page: ?, frame: ?, url: ?, method: ?, resourceType: ?, body: ?, headers: {?}",
		 code_program_page_number(g, p), f && f != page_main_frame(p) ? code_program_frame_number(g, f) : -1, reported->url,
		 reported->method, paused_request_type(q), reported->post_data, JSON_RAW(str_text(&members)));
}

static void route_operations_on_request(struct route *r, struct paused_request *q)
{
	const struct code_route *cr = CONTAINER_OF(r, struct code_route, route);
	struct code_program *g = cr->program;
	struct routed_request *rr = route_operations_find_request(g, q);
	_cleanup_(str_done) struct str members = {};

	if (!rr)
		rr = route_operations_add_request(g, q);
	if (!rr) {
		paused_request_abort(q, ABORT_FAILED);
		return;
	}
	str_json(&members, "route: ?, request: ?", cr->number, rr->number);
	route_operations_print_request(g, q, &members);
	code_program_tell(g, "routed", members.data);
}

/* ---- routes ---- */

static void free_route(struct route *r)
{
	struct code_route *cr = CONTAINER_OF(r, struct code_route, route);

	TAILQ_REMOVE(&cr->program->routes, cr, link);
	cr->program->routes_count--;
	glob_free(r->pattern);
	free(cr);
}

/* No handler will answer: the requests go on to routes of others, or to the network. */
static void release_requests(struct code_program *g)
{
	struct routed_request *rr;

	while ((rr = TAILQ_FIRST(&g->requests))) {
		_cleanup_(paused_request_unrefp) struct paused_request *q = paused_request_ref(rr->request);

		forget_request(g, rr);
		if (!paused_request_answered(q))
			paused_request_fall_back(q, NULL);
	}
}

void code_program_remove_routes(struct code_program *g, const struct page *p)
{
	struct code_route *cr, *next;

	for (cr = TAILQ_FIRST(&g->routes); cr; cr = next) {
		next = TAILQ_NEXT(cr, link);
		if (!p || cr->route.page == p)
			context_remove_route(g->context, &cr->route);
	}
	if (!p)
		release_requests(g);
}

/* `pattern`: a glob; without, the program itself decides which requests it answers. */
static int run_route(struct operation_call *c)
{
	const char *pattern = json_str(c->message, "pattern"), *reason = NULL;
	struct code_program *g = c->program;
	struct glob *glob = NULL;
	struct code_route *cr;

	if (g->routes_count >= LIMIT_CODE_ROUTES_COUNT)
		return browse_fail_call(&c->call, -EMFILE, "there are %u routes already; remove some of them",
					LIMIT_CODE_ROUTES_COUNT);
	if (pattern)
		glob = glob_new(pattern, &reason);
	if (pattern && !glob)
		return browse_fail_call(&c->call, -EINVAL, "Invalid glob pattern \"%s\": %s", pattern, reason);
	cr = NEW(struct code_route);
	cr->route =
		(struct route){ .pattern = glob, .page = c->page, .handle = route_operations_on_request, .removed = free_route };
	cr->program = g;
	cr->number = (unsigned)json_int(c->message, "number", 0);
	TAILQ_INSERT_TAIL(&g->routes, cr, link);
	g->routes_count++;
	return context_add_route(c->call.t, g->context, &cr->route);
}

/* Code may send any number of them, of which it has given no more than there can be routes. */
static bool has_number(const struct json *numbers, unsigned number)
{
	unsigned left = LIMIT_CODE_ROUTES_COUNT;

	json_foreach(item, numbers) {
		if (json_int(item, NULL, -1) == number)
			return true;
		if (--left == 0)
			break;
	}
	return false;
}

static int run_unroute(struct operation_call *c)
{
	struct code_program *g = c->program;
	struct code_route *cr, *next;

	for (cr = TAILQ_FIRST(&g->routes); cr; cr = next) {
		next = TAILQ_NEXT(cr, link);
		if (has_number(json_get(c->message, "numbers"), cr->number))
			context_remove_route(g->context, &cr->route);
	}
	return 0;
}

/* ---- answers ---- */

static int find_routed(struct operation_call *c, struct routed_request **ret)
{
	int64_t number = json_int(c->message, "request", 0);
	struct routed_request *rr;

	TAILQ_FOREACH(rr, &c->program->requests, link)
		if ((int64_t)rr->number == number)
			break;
	if (!rr)
		return browse_fail_call(&c->call, -EINVAL, "Route is already handled!");
	*ret = rr;
	return 0;
}

/* Suspends until the page of the request takes another response. */
static int route_operations_await_page(struct operation_call *c)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	struct routed_request *rr = NULL;
	int r = find_routed(c, &rr);

	if (r < 0)
		return r;
	p = page_ref(paused_request_page(rr->request));
	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	return page_await_answers(c->call.t, p, ANSWER_TO_REQUEST);
}

static int run_fulfill(struct operation_call *c)
{
	_cleanup_(header_list_done) struct header_list headers = {};
	struct routed_request *rr = NULL;
	int r = route_operations_await_page(c), found = find_routed(c, &rr);

	if (r == -ETIMEDOUT && found == 0)
		paused_request_abort(rr->request, ABORT_TIMED_OUT);
	if (r < 0 || found < 0)
		return r < 0 ? r : found;
	json_foreach(field, json_get(c->message, "headers"))
		header_list_add(&headers, json_text(field, "name"), json_text(field, "value"));
	paused_request_fulfill(rr->request, &(const struct fulfilment){
						    .status = (int)json_int(c->message, "status", 200),
						    .headers = &headers,
						    .body = json_str(c->message, "body"),
					    });
	forget_request(c->program, rr);
	return 0;
}

/* `fields` is added to, and used by the changes. */
static struct request_changes changes_of(const struct operation_call *c, struct header_list *fields)
{
	header_list_add_members(fields, json_get(c->message, "set"));
	json_foreach(name, json_get(c->message, "removed"))
		header_list_add(fields, json_text(name, NULL), NULL);
	return (struct request_changes){
		.url = json_str(c->message, "url"),
		.method = json_str(c->message, "method"),
		.body = json_str(c->message, "body"),
		.fields = fields,
	};
}

static int run_continue(struct operation_call *c)
{
	_cleanup_(header_list_done) struct header_list fields = {};
	const struct request_changes changes = changes_of(c, &fields);
	struct routed_request *rr = NULL;
	int r = find_routed(c, &rr);

	if (r < 0)
		return r;
	paused_request_continue(rr->request, &changes);
	forget_request(c->program, rr);
	return 0;
}

/* The answer is true if the request waits for another route of the program. */
static int run_fall_back(struct operation_call *c)
{
	_cleanup_(header_list_done) struct header_list fields = {};
	const struct request_changes changes = changes_of(c, &fields);
	_cleanup_(paused_request_unrefp) struct paused_request *q = NULL;
	struct routed_request *rr = NULL;
	int r = find_routed(c, &rr);

	if (r < 0)
		return r;
	q = paused_request_ref(rr->request);
	paused_request_fall_back(q, &changes);
	rr = route_operations_find_request(c->program, q);
	if (rr && paused_request_answered(q))
		forget_request(c->program, rr);
	else if (rr)
		str_append(&c->value, "true");
	return 0;
}

static int run_abort(struct operation_call *c)
{
	struct routed_request *rr = NULL;
	enum abort_reason reason = abort_reason_find(operation_text(c, "reason"));
	int r = find_routed(c, &rr);

	if (r < 0)
		return r;
	if (reason == ABORT_REASONS)
		return browse_fail_call(&c->call, -EINVAL, "Unknown error code: %s", operation_text(c, "reason"));
	paused_request_abort(rr->request, reason);
	forget_request(c->program, rr);
	return 0;
}

/* The type of a request that was null when the request was sent to the program. */
static int run_request_type(struct operation_call *c)
{
	_cleanup_(paused_request_unrefp) struct paused_request *q = NULL;
	struct routed_request *rr = NULL;
	int r = find_routed(c, &rr);
	const char *type;

	if (r < 0)
		return r;
	q = paused_request_ref(rr->request);
	task_set_deadline(c->call.t, clock_now() + TYPE_TIMEOUT);
	while (r == 0 && !paused_request_type(q) && page_alive(paused_request_page(q)))
		r = waitq_wait(c->call.t, page_changed(paused_request_page(q)), "the type of a request");
	if (r < 0 && r != -ETIMEDOUT)
		return r;
	type = paused_request_type(q);
	str_json(&c->value, "?", type ? type : paused_request_reported(q)->type);
	return 0;
}

const struct operation route_operations[] = {
	{ "route", run_route, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{ "unroute", run_unroute, .scheduling = OPERATION_CONCURRENT, .no_page = true, .between_runs = true },
	{ "fulfillRoute", run_fulfill, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true, .between_runs = true },
	{ "continueRoute", run_continue, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true,
	  .between_runs = true },
	{ "fallBackRoute", run_fall_back, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true,
	  .between_runs = true },
	{ "abortRoute", run_abort, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true, .between_runs = true },
	{ "requestType", run_request_type, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true,
	  .between_runs = true },
	{},
};
