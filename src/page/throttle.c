#include "page/throttle.h"

#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/macros.h"
#include "engine/emulate.h"
#include "engine/processes.h"
#include "engine/script.h"
#include "loop/loop.h"
#include "loop/process_status.h"
#include "observe/own_events.h"
#include "page/internal.h"

/* Budget at which a stopped page continues; one that the browser has frozen does later, because that takes effect later. */
#define ENOUGH (LIMIT_PAGE_EVENTS_PER_SECOND / 20.0)
#define ENOUGH_FROZEN (LIMIT_PAGE_EVENTS_PER_SECOND / 2.0)
#define DEEPEST (-1.0 * LIMIT_PAGE_EVENTS_PER_SECOND)       /* a page is stopped for about a second at a time at most */
#define DEEPEST_TIME (-10.0 * LIMIT_PAGE_EVENTS_PER_SECOND) /* the same for one that is charged with time */
#define SLICE (10 * USEC_PER_MSEC)                          /* of an active page, in time and in processor time of its process */
#define IDLE_LIMIT USEC_PER_SEC      /* after a slice, in which the threads of the main process do what the page has asked for */
#define PATIENCE (10 * USEC_PER_SEC) /* with a script whose page cannot be stopped, before the script is ended */
#define SENT_BYTES 512               /* that each message to the browser, or reply, counts more than its length */
#define CALM_TIME (3 * USEC_PER_SEC) /* after which the page counts as calm if its budget was not used up meanwhile */

#define SLOWED_DOWN \
	"The page causes more than %u events a second (console messages, requests, WebSockets, frames, changes of its address...), so " \
	"it is slowed down until it causes fewer"

#define TAKES_TIME \
	"The page keeps the main process of the browser busy, which all sessions share, so it is slowed down until it needs less of it"

static unsigned active_pages; /* that share one budget */
static unsigned holds;        /* searches during which pages that take time stay stopped */

/* Takes from the budget, down to `deepest`; one that is lower already stays. */
static void take(struct throttle *t, double cost, double deepest)
{
	double left = MAX(t->budget - cost, deepest);

	t->budget = MIN(t->budget, left);
}

static void fill(struct throttle *t)
{
	usec_t now = clock_now();
	double rate = (double)LIMIT_PAGE_EVENTS_PER_SECOND / (t->active ? active_pages : 1);

	t->budget += rate * (double)(now - t->filled) / USEC_PER_SEC;
	t->budget = MIN(t->budget, t->takes_time ? ENOUGH : (double)LIMIT_PAGE_EVENTS_BURST);
	t->caused -= (double)LIMIT_PAGE_EVENTS_PER_SECOND * (double)(now - t->filled) / USEC_PER_SEC;
	t->caused = MAX(t->caused, 0.0);
	t->filled = now;
}

/* Whether it does, above what it may for a while: then it is slowed down for those, and is told so. */
static bool causes_events(const struct throttle *t)
{
	return t->caused > LIMIT_PAGE_EVENTS_AHEAD;
}

/* ---- the processes of a page ---- */

/* That of a worker is that of the page, as far as is known. */
static struct renderer *renderer_of(struct page *p, const struct engine_target *s)
{
	struct child_target *child;

	TAILQ_FOREACH(child, &p->children, link)
		if (child->target == s && !child->is_worker)
			return &child->renderer;
	return &p->renderer;
}

/* ---- telling ---- */

static const char *reason(const struct page *p, struct arena *a)
{
	return p->throttle.takes_time ? TAKES_TIME : arena_printf(a, SLOWED_DOWN, LIMIT_PAGE_EVENTS_PER_SECOND);
}

static void become_active(struct page *p)
{
	struct throttle *t = &p->throttle;
	_cleanup_(arena_done) struct arena a = {};

	t->active = true;
	t->told = false;
	t->exceeded = 0;
	active_pages++;
	journal_add_note(page_journal(p), engine_target_id(p->target), MESSAGE_WARNING, reason(p, &a));
	log_info("page %s is slowed down: it %s", p->target_id,
		 t->takes_time ? "keeps the main process of the browser busy" : "causes too many events");
}

static void become_calm(struct page *p)
{
	p->throttle.active = p->throttle.takes_time = p->throttle.grows = false;
	active_pages--;
	journal_add_note(page_journal(p), engine_target_id(p->target), MESSAGE_INFO,
			 "The page causes fewer events again and is no longer slowed down");
}

const char *page_throttle_note(struct page *p, struct arena *a)
{
	struct throttle *t = &p->throttle;
	bool news = t->active || (t->exceeded && !t->told);

	t->told = true;
	return news ? reason(p, a) : NULL;
}

/* ---- time of the browser's main process ---- */

/* Microseconds that it has worked since the last time. */
static usec_t work_since(struct page *p, usec_t *ret_time)
{
	struct throttle *t = &p->throttle;
	usec_t was = t->main_process.ran, at = t->main_process.at;
	struct process_work work;

	*ret_time = 0;
	if (!p->group->main_process || process_work(p->group->main_process, &work) < 0)
		return 0;
	t->main_process.ran = work.all;
	t->main_process.at = clock_now();
	if (!at || work.all < was)
		return 0;
	*ret_time = t->main_process.at - at;
	return work.all - was;
}

static void charge_time(struct throttle *t, double time)
{
	take(t, time / USEC_PER_MSEC * LIMIT_PAGE_EVENTS_PER_SECOND / LIMIT_MAIN_PROCESS_SHARE, DEEPEST_TIME);
	if (t->budget < 0)
		t->exceeded_at = t->filled;
}

/* The page is stopped: charges what the main process has done since the last look. Returns whether it is idle. */
static bool charge_slice(struct page *p)
{
	struct throttle *t = &p->throttle;
	usec_t time, ran;

	ran = work_since(p, &time);
	fill(t);
	charge_time(t, MAX(0.0, (double)ran - t->main_process.others * (double)time));
	return process_is_idle(p->group->main_process, ran, time);
}

/* The page continues: what the main process has done since the last slice was for others. */
static void begin_charging(struct page *p)
{
	struct throttle *t = &p->throttle;
	usec_t time, ran;

	if (!t->takes_time)
		return;
	ran = work_since(p, &time);
	if (time)
		t->main_process.others = (double)ran / (double)time;
}

/* ---- stopping and continuing ---- */

static void on_sign_of_life(struct engine_call *call, void *page);

static bool is_behind(const struct throttle *t)
{
	return t->sign.target;
}

/* The browser handles this after everything that it has received from the page. */
static void ask_for_sign_of_life(struct page *p)
{
	struct throttle *t = &p->throttle;

	t->ahead = 0;
	if (!is_behind(t) && p->group->browser)
		engine_ask_sign(p->group->browser, &t->sign, on_sign_of_life, p);
}

/* Its events are not only those that the browser had received before. */
static bool does_not_stop(const struct throttle *t)
{
	return t->stopped && !t->takes_time && !is_behind(t) && t->budget <= DEEPEST;
}

static void freeze(struct page *p, struct engine_target *s)
{
	struct throttle *t = &p->throttle;

	if (!t->frozen) {
		renderer_ask(&p->renderer, p, p->target);
		t->frozen = true;
		engine_freeze(p->target, true);
	} else if (!t->interrupted && does_not_stop(t) && t->filled > t->stopped_at + PATIENCE) {
		/* A script that does not end cannot be frozen. One that logs 20,000 lines and ends is left alone. */
		t->interrupted = true;
		engine_terminate(s);
	}
}

/* `s` has reported the event that was one too many. */
static void throttle_stop(struct page *p, struct engine_target *s)
{
	struct throttle *t = &p->throttle;
	struct child_target *child;

	renderer_stop(&p->renderer);
	TAILQ_FOREACH(child, &p->children, link)
		renderer_stop(&child->renderer);
	if (!renderer_of(p, s)->stopped || does_not_stop(t)) /* the page may have gone to another process */
		freeze(p, s);
	if (t->stopped)
		return;
	t->stopped = true;
	t->stopped_at = t->filled;
	ask_for_sign_of_life(p);
	if (!is_behind(t)) /* the connection is ending */
		timer_set(t->timer, t->filled + SLICE);
}

static void continue_page(struct page *p)
{
	struct throttle *t = &p->throttle;
	struct child_target *child;

	begin_charging(p);
	renderer_continue(&p->renderer);
	TAILQ_FOREACH(child, &p->children, link)
		renderer_continue(&child->renderer);
	if (t->frozen)
		engine_freeze(p->target, false);
	t->stopped = t->frozen = t->interrupted = false;
	if (t->takes_time) /* to be stopped is not to be calm: the time for which it runs counts */
		t->exceeded_at += t->filled - MAX(t->stopped_at, t->exceeded_at);
	t->main_process.idle_by = 0;
	answers_go_on(p);
}

/* Until the page has run for a slice, if it is active; else nothing is waited for. */
static void begin_slice(struct throttle *t)
{
	timer_set(t->timer, t->active ? t->filled + SLICE : USEC_NEVER);
}

static void continue_or_wait(struct page *p)
{
	struct throttle *t = &p->throttle;
	double missing;

	fill(t);
	missing = t->budget < 0 || t->active ? (t->frozen ? ENOUGH_FROZEN : ENOUGH) - t->budget : 0;
	if (is_behind(t))
		return;
	if (t->takes_time && holds) {
		timer_set(t->timer, t->filled + SLICE);
		return;
	}
	if (missing > 1) {
		timer_set(t->timer,
			  t->filled + (usec_t)(missing * MAX(active_pages, 1u) * USEC_PER_SEC / LIMIT_PAGE_EVENTS_PER_SECOND));
		return;
	}
	continue_page(p);
	begin_slice(t);
}

static void on_sign_of_life(struct engine_call *call, void *page)
{
	struct page *p = page;

	engine_call_done(call);
	if (!p->throttle.stopped)
		return;
	if (!p->throttle.takes_time) {
		continue_or_wait(p);
		return;
	}
	charge_slice(p);
	p->throttle.main_process.idle_by = p->throttle.filled + IDLE_LIMIT;
	timer_set(p->throttle.timer, p->throttle.filled + SLICE);
}

/* The main thread has done what the page had asked for, and other threads may still be at it. */
static void await_idle(struct page *p)
{
	struct throttle *t = &p->throttle;

	if (!charge_slice(p) && t->filled < t->main_process.idle_by) {
		timer_set(t->timer, t->filled + SLICE);
		return;
	}
	t->main_process.idle_by = 0;
	continue_or_wait(p);
}

static void throttle_on_timer(void *page)
{
	struct page *p = page;
	struct throttle *t = &p->throttle;

	if (t->stopped && t->main_process.idle_by) {
		await_idle(p);
		return;
	}
	if (t->stopped) {
		continue_or_wait(p);
		return;
	}
	fill(t);
	if (t->filled > t->exceeded_at + CALM_TIME)
		become_calm(p);
	else if (p->renderer.process)
		throttle_stop(p, p->target);
	else
		timer_set(t->timer, t->exceeded_at + CALM_TIME + 1);
}

static void charge(struct page *p, double cost)
{
	struct throttle *t = &p->throttle;

	fill(t);
	take(t, cost, DEEPEST);
}

/* To stop the page would send, too: its next event does that. */
static void on_moved(struct engine_meter *m, size_t bytes)
{
	charge(CONTAINER_OF(m, struct page, throttle.meter), (double)(SENT_BYTES + bytes) / LIMIT_PAGE_EVENT_BYTES);
}

static void on_event(struct engine_meter *m, struct engine_target *s, double cost)
{
	struct page *p = CONTAINER_OF(m, struct page, throttle.meter);
	struct throttle *t = &p->throttle;

	charge(p, cost);
	t->caused += cost;
	if (causes_events(t) && !t->grows)
		t->takes_time = false;
	t->ahead += cost;
	if (t->budget < 0) {
		if (!t->active)
			become_active(p);
		t->exceeded_at = t->filled;
		t->exceeded++;
		throttle_stop(p, s);
	} else if (t->ahead > LIMIT_PAGE_EVENTS_AHEAD && is_behind(t)) {
		throttle_stop(p, s);
	} else if (t->ahead > LIMIT_PAGE_EVENTS_AHEAD) {
		ask_for_sign_of_life(p);
	}
}

/* Not at once: who sends may use the page. */
static void on_lost(struct engine_meter *m)
{
	struct page *p = CONTAINER_OF(m, struct page, throttle.meter);

	if (p->group && p->group->loop)
		loop_ready(p->group->loop, &p->throttle.lost);
}

static void end_lost(struct ready *r)
{
	page_end(CONTAINER_OF(r, struct page, throttle.lost));
}

void throttle_except(struct page *p, size_t bytes)
{
	p->throttle.budget += (double)bytes / LIMIT_PAGE_EVENT_BYTES;
}

void page_charge_time(struct page *p, usec_t time, bool grows)
{
	struct throttle *t = &p->throttle;

	if (!t->timer)
		return;
	fill(t);
	t->grows = t->grows || grows;
	t->takes_time = t->grows || !causes_events(t);
	t->budget = MIN(t->budget, 0);
	charge_time(t, (double)time);
	if (!t->active)
		become_active(p);
	t->exceeded++;
	t->main_process.at = 0;
	throttle_stop(p, p->target);
}

void page_suspect(struct page *p, usec_t time)
{
	struct throttle *t = &p->throttle;
	usec_t now = clock_now(), forgotten = (now - t->suspected) / USEC_PER_MSEC * LIMIT_SUSPICION_SHARE;

	t->suspicion -= MIN(t->suspicion, forgotten);
	t->suspicion = MIN(t->suspicion + time, LIMIT_SUSPICION);
	t->suspected = now;
	if (t->suspicion == LIMIT_SUSPICION) /* what it costs is measured from now on */
		page_charge_time(p, LIMIT_MAIN_PROCESS_SHARE * USEC_PER_MSEC, false);
}

void throttle_hold_charged(bool hold)
{
	holds += hold ? 1 : -1;
}

bool page_takes_time(const struct page *p)
{
	return p->throttle.active && p->throttle.takes_time;
}

bool page_is_slowed(const struct page *p)
{
	return p->throttle.active;
}

/* ---- the pages that have limits ---- */

static void begin(struct page *p)
{
	struct throttle *t = &p->throttle;

	if (t->timer || !p->group->loop)
		return;
	t->meter = (struct engine_meter){ .event = on_event, .moved = on_moved, .lost = on_lost };
	t->lost.run = end_lost;
	t->budget = LIMIT_PAGE_EVENTS_BURST;
	t->filled = clock_now();
	t->timer = timer_new(p->group->loop, throttle_on_timer, p);
	engine_count(p->target, &t->meter);
	renderer_ask(&p->renderer, p, p->target);
}

/* Pages that are only observed have no limits. */
static void throttle_attached(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (kind == TARGET_PAGE) {
		begin(p);
		return;
	}
	if (!p->throttle.timer)
		return;
	engine_count(s, &p->throttle.meter);
	if (kind == TARGET_FRAME)
		renderer_ask(renderer_of(p, s), p, s);
}

/* The length of "scheme://host:port" of "scheme://host:port/path". */
static size_t throttle_origin_length(const char *url)
{
	const char *host = strstr(url, "://");

	return host ? (size_t)(host + 3 - url) + strcspn(host + 3, "/?#") : strlen(url);
}

void throttle_on_address(struct page *p, const char *url)
{
	struct str *origin = &p->throttle.origin;
	size_t len = throttle_origin_length(url);

	if (!p->throttle.timer || (p->renderer.pid && len == origin->len && memcmp(url, str_text(origin), len) == 0))
		return;
	str_reset(origin);
	str_append_len(origin, url, len);
	renderer_ask(&p->renderer, p, p->target);
}

static bool is_shared(struct page *p, pid_t pid)
{
	struct page *q = NULL;

	while ((q = page_group_next(p->group, q)))
		if (q != p && page_renderer(q, pid))
			return true;
	return false;
}

/* One that is slowed down runs no more until the browser gets to closing it. */
static void throttle_closing(struct page *p)
{
	struct renderer *r = NULL;

	if (!p->group || !p->throttle.active)
		return;
	while ((r = page_next_renderer(p, r)))
		if (!is_shared(p, r->pid))
			renderer_kill(r);
}

static void throttle_gone(struct page *p)
{
	struct throttle *t = &p->throttle;

	renderer_done(&p->renderer);
	engine_call_done(&t->sign);
	if (p->group->loop)
		loop_cancel_ready(p->group->loop, &t->lost);
	active_pages -= t->active;
	t->active = false;
	t->timer = timer_free(t->timer);
	str_done(&t->origin);
}

const struct page_part throttle_part = {
	.attached = throttle_attached,
	.closing = throttle_closing,
	.gone = throttle_gone,
};
