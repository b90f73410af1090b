#include "page/rest.h"

#include <errno.h>

#include "base/limits.h"
#include "base/macros.h"
#include "engine/emulate.h"
#include "engine/script.h"
#include "loop/loop.h"
#include "page/group.h"
#include "page/internal.h"
#include "page/modal.h"

#define RETRY USEC_PER_SEC               /* after something kept the page from resting */
#define TICK_TIME (1500 * USEC_PER_MSEC) /* in which a frozen page continues; timers of hidden pages run once a second */
#define WAKE_TIME (250 * USEC_PER_MSEC)  /* in which a page that was woken draws a frame, unless a script keeps it busy */

/* Frames of other processes are asked themselves. A page that redefines these functions affects nothing but its own rest. */
#define IS_PLAYING \
	"(function plays(d) { try { return [...d.querySelectorAll('audio,video')].some(m => !m.paused && !m.ended) || " \
	"[...d.querySelectorAll('iframe')].some(f => f.contentDocument && plays(f.contentDocument)) } catch { return false } })(document)"

static void set_depth(struct page *p, enum rest_depth depth)
{
	struct page_rest *r = &p->rest;

	if (r->depth == REST_NONE && depth != REST_NONE) {
		engine_set_focused(p->target, false);
		engine_freeze(p->target, true);
		r->was_frozen = true;
		r->depth = REST_FROZEN;
	}
	if (r->depth == REST_FROZEN && depth != REST_FROZEN)
		engine_freeze(p->target, false);
	if (r->depth == REST_HIDDEN && depth == REST_FROZEN)
		engine_freeze(p->target, true);
	if (r->depth != REST_NONE && depth == REST_NONE)
		engine_set_focused(p->target, true);
	r->depth = depth;
}

/* ---- what keeps a page from resting ---- */

static bool is_needed(const struct page *p)
{
	return p->rest.holds || page_blocked(p) || clock_now() < p->rest.files_until;
}

/* A request that does not end, such as a long poll, keeps the page for a limited time. */
static bool awaits_response(const struct page *p)
{
	return clock_now() < p->rest.since + LIMIT_REST_REQUEST_TIME * USEC_PER_SEC &&
	       (p->navigation.under_way || traffic_request_open(&p->traffic, 0, p->rest.before, false));
}

static bool has_workers(const struct page *p)
{
	const struct child_target *child;

	TAILQ_FOREACH(child, &p->children, link)
		if (child->is_worker)
			return true;
	return false;
}

/* Network tasks and workers of a frozen page stop. */
static bool may_freeze(const struct page *p)
{
	return !p->traffic.count && !has_workers(p);
}

/* ---- asking whether something is played ---- */

static void on_answer(struct engine_call *call, void *page);

/* Returns false if there is no document at `s`, or it cannot be asked. */
static bool rest_ask(struct page *p, struct engine_target *s)
{
	p->rest.who = s;
	return s && engine_ask_value(s, &p->rest.asked, IS_PLAYING, on_answer, p) == 0;
}

/* The attachment to a frame of another process that comes after the one that was asked. NULL: it was the last one. */
static struct engine_target *next_to_ask(struct page *p)
{
	struct child_target *child;
	bool is_next = p->rest.who == p->target;

	TAILQ_FOREACH(child, &p->children, link) {
		if (is_next && !child->is_worker)
			return child->target;
		is_next = is_next || child->target == p->rest.who;
	}
	return NULL;
}

static void lie_down(struct page *p)
{
	struct page_rest *r = &p->rest;

	set_depth(p, r->depth + 1);
	if (r->depth == REST_HIDDEN)
		page_collect_garbage(p);
	timer_set(r->timer, clock_now() + p->group->rest_pause);
}

static void on_answer(struct engine_call *call, void *page)
{
	struct page *p = page;
	bool plays = json_bool(engine_value(call), NULL, false);

	engine_call_done(call);
	if (plays || !p->rest.wanted || is_needed(p)) {
		timer_set(p->rest.timer, clock_now() + RETRY);
		return;
	}
	if (!rest_ask(p, next_to_ask(p)))
		lie_down(p);
}

/* ---- the steps ---- */

static void rest_on_timer(void *page)
{
	struct page *p = page;
	struct page_rest *r = &p->rest;

	if (!r->wanted || r->asked.target)
		return;
	if (r->depth == REST_FROZEN) {
		set_depth(p, REST_HIDDEN);
		timer_set(r->timer, clock_now() + TICK_TIME);
	} else if (is_needed(p) || (r->depth == REST_NONE ? awaits_response(p) : !may_freeze(p)) || !rest_ask(p, p->target)) {
		timer_set(r->timer, clock_now() + RETRY);
	}
}

static void want(struct page *p)
{
	struct page_rest *r = &p->rest;

	if (!r->timer || r->wanted)
		return;
	r->wanted = true;
	r->since = clock_now();
	r->before = p->traffic.requests;
	rest_on_timer(p);
}

static void on_frame(struct engine_call *call, void *page)
{
	struct page *p = page;

	engine_call_done(call);
	waitq_wake(&p->changed);
}

/* In the world of the page scripts: the page may have replaced these functions in its own. */
static void request_frame(struct page *p)
{
	int world = p->main->at.own_world;

	engine_call_done(&p->rest.frame);
	if (world)
		engine_ask_settled(p->target, &p->rest.frame, world,
				   "new Promise(done => requestAnimationFrame(() => setTimeout(done)))", on_frame, p);
}

static void wake(struct page *p)
{
	if (p->rest.depth != REST_NONE) {
		set_depth(p, REST_NONE);
		request_frame(p);
	}
	engine_call_done(&p->rest.asked);
	if (p->rest.timer)
		timer_set(p->rest.timer, USEC_NEVER);
}

void page_group_rest(struct page_group *g, usec_t pause)
{
	struct page *p = NULL;

	g->rests = true;
	g->rest_pause = pause;
	while ((p = page_group_next(g, p)))
		want(p);
}

void page_group_wake(struct page_group *g)
{
	struct page *p = NULL;

	g->rests = false;
	while ((p = page_group_next(g, p))) {
		p->rest.wanted = false;
		wake(p);
	}
}

/* Not engine_await(): a page that is slow to draw, on a busy machine, must not count as one whose scripts do not end. */
int page_await_awake(struct task *t, struct page *p)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + WAKE_TIME));
	int r = 0;

	while (r == 0 && p->rest.frame.target)
		r = waitq_wait(t, &p->changed, "the first frame after a rest");
	task_set_deadline(t, outer);
	if (r != -ETIMEDOUT || clock_now() >= outer)
		return r;
	task_forget_failure(t);
	return 0;
}

int page_expect_files(struct task *t, struct page *p)
{
	struct page_rest *rest = &p->rest;
	int window, r;

	rest->files_until = clock_now() + LIMIT_REST_FILES_TIME * USEC_PER_SEC;
	if (!rest->was_frozen || !p->group || !p->group->browser)
		return 0;
	r = engine_find_window(t, p->group->browser, p->target_id, &window);
	if (r == 0 && p->group && p->group->browser) {
		engine_restore_window(p->group->browser, window);
		rest->was_frozen = false;
	}
	if (r == -EREMOTE) /* it has no window */
		task_forget_failure(t);
	return r == -EREMOTE ? 0 : r;
}

void page_hold_awake(struct page *p)
{
	if (p->rest.holds++ == 0)
		wake(p);
}

void page_let_rest(struct page *p)
{
	if (--p->rest.holds == 0 && p->rest.wanted)
		timer_set(p->rest.timer, clock_now() + RETRY);
}

bool page_is_held_awake(const struct page *p)
{
	return p->rest.holds;
}

bool page_rests(const struct page *p)
{
	return p->rest.depth != REST_NONE;
}

static void rest_attached(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (kind != TARGET_PAGE || p->rest.timer || !p->group->loop || !engine_can_freeze(s))
		return;
	p->rest.timer = timer_new(p->group->loop, rest_on_timer, p);
	if (p->group->rests)
		want(p);
}

static void rest_gone(struct page *p)
{
	engine_call_done(&p->rest.asked);
	engine_call_done(&p->rest.frame);
	p->rest.timer = timer_free(p->rest.timer);
	p->rest.wanted = false;
	p->rest.depth = REST_NONE;
}

const struct page_part rest_part = {
	.attached = rest_attached,
	.gone = rest_gone,
};
