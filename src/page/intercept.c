#include "page/intercept.h"

#include <errno.h>
#include <string.h>

#include "base/glob.h"
#include "base/limits.h"
#include "base/log.h"
#include "page/fence.h"
#include "page/internal.h"
#include "page/options.h"
#include "page/paused_request.h"

/* ---- what the browser is asked for ---- */

static bool has_origin_lists(const struct page *p)
{
	const struct page_options *o = page_options(p);

	return o->allowed_origins || o->blocked_origins;
}

static bool has_routes(const struct page *p)
{
	return p->group && !p->handler && !TAILQ_EMPTY(&p->group->interception.routes);
}

static bool has_fence(const struct page *p)
{
	return p->group && p->group->fence;
}

/* Also without routes. */
static bool always_intercepts(const struct page *p, bool is_worker)
{
	return has_credentials(page_options(p)) || (!is_worker && (has_origin_lists(p) || has_fence(p)));
}

static unsigned intercepted(const struct page *p)
{
	bool all = has_routes(p) || p->blank || has_origin_lists(p) || has_credentials(page_options(p));

	return (all ? INTERCEPT_REQUESTS : INTERCEPT_DOCUMENTS) | (has_credentials(page_options(p)) ? INTERCEPT_CHALLENGES : 0);
}

static bool is_offline(const struct page *p)
{
	const struct interception *all = p->group ? &p->group->interception : NULL;

	return all && all->network_set ? all->offline : page_options(p)->offline;
}

static void interception_prepare(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (has_routes(p) || always_intercepts(p, kind == TARGET_OTHER))
		engine_intercept(NULL, s, NULL, NULL, intercepted(p));
	if (has_routes(p))
		engine_set_cache(NULL, s, NULL, false);
	if (is_offline(p))
		engine_set_offline(NULL, s, NULL, true);
}

static size_t count_targets(const struct page_group *g)
{
	struct child_target *child;
	size_t count = 0;
	struct page *p;

	TAILQ_FOREACH(p, &g->pages, link) {
		count++;
		TAILQ_FOREACH(child, &p->children, link)
			count++;
	}
	return count;
}

enum setting { SETTING_OFFLINE, SETTING_NO_CACHE, SETTING_INTERCEPTION };

static void set(struct task *t, const struct page *p, struct engine_target *s, struct engine_call *call, enum setting what)
{
	if (what == SETTING_OFFLINE)
		engine_set_offline(t, s, call, is_offline(p));
	else if (what == SETTING_NO_CACHE)
		engine_set_cache(t, s, call, false);
	else
		engine_intercept(t, s, call, NULL, intercepted(p));
}

/* One that shows a dialog replies when the dialog is closed. */
static size_t set_of_page(struct task *t, struct page *p, struct engine_call *calls, enum setting what)
{
	struct child_target *child;
	size_t count = 0;

	if (p->handler && what == SETTING_INTERCEPTION) /* whose requests are paused for it */
		return 0;
	if (p->modal.type.len) {
		set(t, p, p->target, NULL, what);
		return 0;
	}
	set(t, p, p->target, &calls[count++], what);
	TAILQ_FOREACH(child, &p->children, link)
		set(t, p, child->target, &calls[count++], what);
	return count;
}

/*
 * Makes a setting in all targets of a group. Suspends until they have replied. A target that ends meanwhile, or does not know the
 * setting, fails its own call only.
 */
static int set_all(struct task *t, struct page_group *g, enum setting what)
{
	size_t size = (count_targets(g) + 1) * sizeof(struct engine_call), count = 0;
	struct engine_call *calls = memset(arena_alloc(task_arena(t), size), 0, size);
	struct page *p;
	int r = 0;

	TAILQ_FOREACH(p, &g->pages, link)
		count += set_of_page(t, p, calls + count, what);
	for (size_t i = 0; i < count; i++) {
		if (r == 0)
			r = engine_await(t, &calls[i]);
		r = r == -ECANCELED || r == -ETIMEDOUT ? r : 0;
		engine_call_done(&calls[i]);
	}
	return r;
}

int page_group_set_offline(struct task *t, struct page_group *g, bool offline)
{
	g->interception.network_set = true;
	g->interception.offline = offline;
	return set_all(t, g, SETTING_OFFLINE);
}

/* ---- routes ---- */

int page_group_add_route(struct task *t, struct page_group *g, struct route *r)
{
	bool is_first = TAILQ_EMPTY(&g->interception.routes);
	int result;

	g->interception.loop = task_loop(t);
	r->number = ++g->interception.last;
	TAILQ_INSERT_HEAD(&g->interception.routes, r, link);
	if (!is_first)
		return 0;
	result = set_all(t, g, SETTING_NO_CACHE);
	return result < 0 ? result : set_all(t, g, SETTING_INTERCEPTION);
}

static void intercept_stop(struct page *p, struct engine_target *s, bool is_worker)
{
	if (p->handler) /* whose requests are paused for it */
		return;
	engine_intercept(NULL, s, NULL, NULL, always_intercepts(p, is_worker) ? intercepted(p) : 0);
	engine_set_cache(NULL, s, NULL, true);
}

void page_group_remove_route(struct page_group *g, struct route *r)
{
	struct child_target *child;
	struct page *p;

	TAILQ_REMOVE(&g->interception.routes, r, link);
	r->removed(r);
	if (!TAILQ_EMPTY(&g->interception.routes))
		return;
	TAILQ_FOREACH(p, &g->pages, link) {
		intercept_stop(p, p->target, false);
		TAILQ_FOREACH(child, &p->children, link)
			intercept_stop(p, child->target, child->is_worker);
	}
}

/* ---- which route answers ---- */

static bool is_for(const struct route *r, const struct paused_request *q)
{
	return r->number < q->asked && (q->of_group ? r->page == NULL : r->page == q->page);
}

/* -EAGAIN: other work has its turn first. -E2BIG: the URL cannot be compared with a pattern in reasonable time. */
static int intercept_compare(struct interception *all, struct route *r, struct paused_request *q, bool *ret)
{
	enum glob_result result = GLOB_MATCHES;

	if (all->steps >= LIMIT_ROUTE_STEPS)
		return -EAGAIN;
	if (r->pattern)
		result = glob_compare(r->pattern, q->reported.url, &all->steps);
	*ret = result == GLOB_MATCHES;
	return result == GLOB_UNDECIDED ? -E2BIG : 0;
}

static int find_in_list(struct interception *all, struct paused_request *q, struct route **ret)
{
	bool matches = false;
	struct route *r;
	int result;

	TAILQ_FOREACH(r, &all->routes, link) {
		if (!is_for(r, q))
			continue;
		result = intercept_compare(all, r, q, &matches);
		if (result < 0)
			return result;
		q->asked = r->number;
		if (!matches)
			continue;
		*ret = r;
		return 0;
	}
	return 0;
}

/*
 * The next route for a request: those of its page come before those of all pages. Leaves `ret` untouched if there is no other. After
 * -EAGAIN it goes on where it was.
 */
static int find_route(struct interception *all, struct paused_request *q, struct route **ret)
{
	int r = find_in_list(all, q, ret);

	if (r < 0 || *ret || q->of_group)
		return r;
	q->of_group = true;
	q->asked = UINT64_MAX;
	return find_in_list(all, q, ret);
}

static bool wait_for_turn(struct interception *all, struct paused_request *q)
{
	if (all->waiting_count >= LIMIT_ROUTE_WAITING_COUNT)
		return paused_request_abort(q, ABORT_FAILED);
	q->waiting = true;
	all->waiting_count++;
	paused_request_ref(q);
	TAILQ_INSERT_TAIL(&all->waiting, q, link);
	loop_ready(all->loop, &all->compare);
	return true;
}

static void stop_waiting(struct interception *all, struct paused_request *q)
{
	TAILQ_REMOVE(&all->waiting, q, link);
	all->waiting_count--;
	q->waiting = false;
}

static bool intercept_ask(struct interception *all, struct paused_request *q)
{
	struct route *route = NULL;
	int r = page_takes_answers(q->page, ANSWER_TO_REQUEST) ? find_route(all, q, &route) : -EAGAIN;

	if (r == -EAGAIN)
		return wait_for_turn(all, q);
	if (r < 0) {
		log_info("a request of %zu bytes was blocked: its URL takes too long to compare with the pattern of a route",
			 strlen(q->reported.url));
		return paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
	}
	if (!route)
		return paused_request_continue(q, NULL);
	if (paused_request_is_preflight(q))
		paused_request_answer_preflight(q);
	else
		route->handle(route, q);
	return true;
}

/* The first that waits for its turn only, and not for its page. To pass over the others takes steps, too. */
static struct paused_request *next_waiting(struct interception *all)
{
	struct paused_request *q;

	TAILQ_FOREACH(q, &all->waiting, link) {
		if (page_takes_answers(q->page, ANSWER_TO_REQUEST))
			break;
		all->steps++;
	}
	return q;
}

static void compare_waiting(struct ready *ready)
{
	struct interception *all = CONTAINER_OF(ready, struct interception, compare);
	struct paused_request *next;

	all->steps = 0;
	while (all->steps < LIMIT_ROUTE_STEPS && (next = next_waiting(all))) {
		_cleanup_(paused_request_unrefp) struct paused_request *q = next;

		stop_waiting(all, q);
		if (!q->answered)
			intercept_ask(all, q);
	}
	if (next_waiting(all))
		loop_ready(all->loop, &all->compare);
}

/* A page may take answers again, or has gone. */
static void interception_go_on(struct page *p)
{
	struct interception *all = &p->group->interception;

	if (!TAILQ_EMPTY(&all->waiting))
		loop_ready(all->loop, &all->compare);
}

/* ---- requests ---- */

static void follow_redirect(struct paused_request *q)
{
	struct changed_request *c;

	TAILQ_FOREACH(c, &q->page->group->interception.changed, link)
		if (strcmp(c->id, q->reported.redirected_from) == 0)
			break;
	paused_request_continue(q, &(const struct request_changes){ .fields = c ? &c->fields : NULL });
}

static void interception_group_init(struct page_group *g)
{
	struct interception *all = &g->interception;

	TAILQ_INIT(&all->routes);
	TAILQ_INIT(&all->waiting);
	all->compare.run = compare_waiting;
	TAILQ_INIT(&all->changed);
	TAILQ_INIT(&all->challenges);
}

static void interception_group_done(struct page_group *g)
{
	struct interception *all = &g->interception;
	struct paused_request *q;
	struct route *r;

	while ((r = TAILQ_FIRST(&all->routes))) {
		TAILQ_REMOVE(&all->routes, r, link);
		r->removed(r);
	}
	/* After the routes, which fall back with the requests that they hold. */
	while ((q = TAILQ_FIRST(&all->waiting))) {
		stop_waiting(all, q);
		paused_request_unref(q);
	}
	if (all->loop)
		loop_cancel_ready(all->loop, &all->compare);
	changed_requests_forget(all, 0);
	credentials_forget(all, 0);
}

bool paused_request_fall_back(struct paused_request *q, const struct request_changes *c)
{
	struct interception *all = q->page->group ? &q->page->group->interception : NULL;

	if (c)
		paused_request_remember(q, c);
	if (q->answered || !all)
		return paused_request_continue(q, NULL);
	return TAILQ_EMPTY(&all->waiting) ? intercept_ask(all, q) : wait_for_turn(all, q);
}

static void answer_blank(struct paused_request *q)
{
	_cleanup_(header_list_done) struct header_list fields = {};

	header_list_add(&fields, "Content-Type", "text/html");
	paused_request_fulfill(q, &(const struct fulfilment){ .status = 200, .headers = &fields });
}

static bool intercept_is_allowed(struct page *p, const struct intercepted_request *q)
{
	bool in_main = p->main && strcmp(q->frame_id, frame_id(p->main)) == 0;

	if (!origin_allowed(page_options(p), q->url))
		return false;
	if (!p->group || q->kind != RESOURCE_DOCUMENT)
		return true;
	return in_main ? fence_allows(p->group, q->url) : fence_allows_frame(p->group, q->url);
}

void intercept_on_request(struct page *p, const struct engine_target *s, struct intercepted_request *reported)
{
	_cleanup_(paused_request_unrefp) struct paused_request *q = paused_request_new(p, s, reported);

	if (p->handler)
		p->handler->request(p->handler, q);
	else if (p->blank)
		answer_blank(q);
	else if (!intercept_is_allowed(p, &q->reported))
		paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
	else if (!has_routes(p))
		paused_request_continue(q, NULL);
	else if (q->reported.redirected_from)
		follow_redirect(q);
	else
		paused_request_fall_back(q, NULL);
}

void page_answer_blank(struct page *p, bool blank)
{
	p->blank = blank;
	engine_bypass_workers(p->target, blank);
	if (blank)
		engine_intercept(NULL, p->target, NULL, NULL, intercepted(p));
	else if (!has_routes(p))
		intercept_stop(p, p->target, false);
}

const struct page_part interception_part = {
	.group_init = interception_group_init,
	.group_done = interception_group_done,
	.prepare = interception_prepare,
	.go_on = interception_go_on,
	.gone = interception_go_on,
};
