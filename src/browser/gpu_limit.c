#include "browser/gpu_limit.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "browser/internal.h"
#include "browser/suspects.h"
#include "engine/processes.h"
#include "loop/cpu_alarm.h"
#include "loop/loop.h"
#include "loop/process_status.h"
#include "loop/suspend.h"
#include "page/renderer.h"

#define ALARM (50 * USEC_PER_MSEC)
#define POLL (20 * USEC_PER_MSEC)   /* for the new process, and what a suspect costs it */
#define SLICE (400 * USEC_PER_MSEC) /* in which a suspect runs alone: its page notices the new process, and draws */
#define LATE (200 * USEC_PER_MSEC)  /* in which the process gets what a suspect had drawn before it was stopped again */
#define PATIENCE (3 * USEC_PER_SEC) /* for the new process, and until it has drawn what other pages show */
#define RESTS (100 * USEC_PER_MSEC) /* of the thread, which a page that keeps it busy does not let it have */
#define DRAWS 2000000u              /* nanoseconds of work of a renderer that may have had something drawn */
#define TOGETHER 4u                 /* pages that are drawn in the time that one of them may take */
#define FACTOR_MAX 8u               /* times as much, for any number of pages and for pictures */
#define CHILDREN_MAX 64u            /* of one process */
#define GRANDCHILDREN_MAX 256u

enum state {
	CALM,
	RESTARTING, /* the process was ended, the suspects are stopped */
	COMPARING,  /* do other pages keep the new one busy? */
	RUNNING,    /* one of the suspects */
	ENDING,     /* its slice has ended, and what it has drawn may be on its way */
};

struct gpu_limit {
	struct browser *browser;
	pid_t main_process, pid, thread;
	struct suspendable *process; /* NULL: not known */
	struct cpu_alarm *alarm;
	struct timer *timer;
	enum state state;
	struct thread_work slept; /* when the thread was seen to have slept last */
	usec_t pictured;          /* when the thread began to take the pictures that it takes; 0: none */
	struct thread_work begun; /* what it had worked then */
	usec_t deadline;          /* of the state */
	struct suspects *suspects;
	pid_t accused; /* the suspect in whose turn the process was busy, which gets a second turn with a new process */
};

static void gpu_limit_on_alarm(void *data);

/* ---- the process ---- */

static void gpu_limit_forget_process(struct gpu_limit *g)
{
	g->alarm = cpu_alarm_free(g->alarm);
	g->process = suspend_unref(g->process);
	g->pid = g->thread = 0;
	g->pictured = 0;
}

static bool open_process(struct gpu_limit *g, pid_t pid)
{
	if (suspend_open(pid, browser_process(g->browser), engine_process_argument(browser_root(g->browser), ENGINE_GRAPHICS),
			 &g->process) < 0)
		return false;
	g->thread = process_thread(pid, engine_drawing_thread(browser_root(g->browser)));
	if (!g->thread || thread_work(pid, g->thread, &g->slept) < 0) { /* it has just started */
		g->process = suspend_unref(g->process);
		return false;
	}
	g->pid = pid;
	return true;
}

/* A child of the main process, or of the process that starts such processes for it. */
static bool find_process(struct gpu_limit *g)
{
	pid_t pids[GRANDCHILDREN_MAX];
	unsigned children = process_children(g->main_process, pids, 0, CHILDREN_MAX), count = children;

	for (unsigned i = 0; i < children; i++)
		count = process_children(pids[i], pids, count, GRANDCHILDREN_MAX);
	for (unsigned i = 0; i < count; i++)
		if (open_process(g, pids[i]))
			break;
	if (g->pid)
		g->alarm = cpu_alarm_new(browser_loop(g->browser), g->pid, ALARM, gpu_limit_on_alarm, g);
	return g->pid;
}

static void end_process(struct gpu_limit *g)
{
	suspend_kill(g->process);
	gpu_limit_forget_process(g);
}

/* Microseconds that the thread has worked without a pause. Time for which it waits for a processor does not count. */
static usec_t busy_for(struct gpu_limit *g)
{
	struct thread_work now;

	if (thread_work(g->pid, g->thread, &now) < 0)
		return 0;
	if (now.sleeps == g->slept.sleeps)
		return now.ran - g->slept.ran;
	g->slept = now;
	return 0;
}

static bool is_halted(const struct gpu_limit *g, struct page *p)
{
	struct renderer *r = NULL;

	while ((r = page_next_renderer(p, r)))
		if (suspects_is_halted(g->suspects, r->pid))
			return true;
	return false;
}

/* Of a page that can draw itself for it: a picture of one that is stopped costs nothing until the search is over. */
static bool takes_picture(const struct gpu_limit *g)
{
	struct context *c = NULL;
	struct page *p;

	while ((c = browser_next_context(g->browser, c)))
		for (p = NULL; (p = page_group_next(context_pages(c), p));)
			if (*page_captures(p) && !is_halted(g, p))
				return true;
	return false;
}

static usec_t rested_since(usec_t time, const struct thread_work *then, const struct thread_work *now)
{
	usec_t passed = clock_now() - time, busy = now->ran - then->ran + (now->waited - then->waited);

	return passed > busy ? passed - busy : 0;
}

/*
 * A picture of a long document takes a second. Pictures that are still not there after FACTOR_MAX times what is too long without them wait for
 * something else, and are taken one after the other while a page keeps the thread busy: then they are no reason to wait longer. A client that
 * takes long ones one after the other lets the thread rest between two of them.
 */
static bool works_on_pictures(struct gpu_limit *g)
{
	struct thread_work now;

	if (!takes_picture(g) || thread_work(g->pid, g->thread, &now) < 0) {
		g->pictured = 0;
		return false;
	}
	if (!g->pictured || rested_since(g->pictured, &g->begun, &now) > RESTS) {
		g->pictured = clock_now();
		g->begun = now;
	}
	return now.ran - g->begun.ran < FACTOR_MAX * LIMIT_GPU_BUSY;
}

/*
 * Many pages that draw at once keep the thread from sleeping as well, each for a short time. `working` counts those that may have; it reads the
 * time of each renderer, so it is called only where the answer depends on it.
 */
static bool is_too_long(struct gpu_limit *g, usec_t busy, unsigned (*working)(const struct suspects *s, uint64_t least))
{
	bool pictures = works_on_pictures(g);
	unsigned factor;

	if (busy < LIMIT_GPU_BUSY)
		return false;
	factor = pictures ? FACTOR_MAX : MIN(working(g->suspects, DRAWS) / TOGETHER, FACTOR_MAX);
	return busy >= LIMIT_GPU_BUSY * MAX(factor, 1u);
}

static bool has_too_much(const struct gpu_limit *g)
{
	struct process_status status;

	return process_status(g->pid, &status) == 0 && status.memory > LIMIT_GPU_MEMORY;
}

/* ---- the search ---- */

static void gpu_limit_end_search(struct gpu_limit *g)
{
	g->accused = 0;
	suspects_release(g->suspects);
	suspects_forget_all(g->suspects);
	timer_set(g->timer, USEC_NEVER);
	g->state = CALM;
}

static void gpu_limit_end_pages(struct context *c, pid_t pid)
{
	struct page *p = page_group_next(context_pages(c), NULL), *next;

	for (; p; p = next) {
		next = page_group_next(context_pages(c), p);
		if (!page_renderer(p, pid))
			continue;
		log_info("page %s is ended: it keeps the graphics process of the browser busy", page_target_id(p));
		str_set(&context_notices(c)->drawing, page_url(p));
		page_end(p);
	}
}

static void end_culprit(struct gpu_limit *g)
{
	struct context *c = NULL;

	suspects_kill(g->suspects);
	while ((c = browser_next_context(g->browser, c)))
		gpu_limit_end_pages(c, suspects_current(g->suspects));
	end_process(g);
	gpu_limit_end_search(g);
	find_process(g);
}

static void await_process(struct gpu_limit *g)
{
	end_process(g);
	g->state = RESTARTING;
	g->deadline = clock_now() + PATIENCE;
	timer_set(g->timer, clock_now() + POLL);
}

static void run_suspect(struct gpu_limit *g)
{
	if (!suspects_current(g->suspects)) {
		gpu_limit_end_search(g);
		return;
	}
	suspects_note_others(g->suspects);
	suspects_run(g->suspects);
	thread_work(g->pid, g->thread, &g->slept);
	g->state = RUNNING;
	g->deadline = clock_now() + SLICE;
	timer_set(g->timer, clock_now() + POLL);
}

static void gpu_limit_compare(struct gpu_limit *g)
{
	thread_work(g->pid, g->thread, &g->slept);
	g->state = COMPARING;
	g->deadline = clock_now() + PATIENCE;
	timer_set(g->timer, clock_now() + SLICE);
}

/* All pages draw anew after the process has started. While those that are no suspects do, nothing would be known of a suspect. */
static void gpu_limit_end_comparison(struct gpu_limit *g)
{
	if (busy_for(g) < POLL) {
		run_suspect(g);
	} else if (clock_now() < g->deadline) {
		timer_set(g->timer, clock_now() + POLL);
	} else {
		log_info("other pages keep the graphics process of the browser busy: no page is ended");
		gpu_limit_end_search(g);
	}
}

/*
 * On a machine that does other things, what another page had drawn may reach the process in the turn of this one, and the cause may have worked
 * only before the suspects were stopped. So all that have worked until now are stopped as well, the end of the process discards what it has
 * received, and a page is ended only when it keeps a new process busy again.
 */
static void accuse(struct gpu_limit *g)
{
	pid_t current = suspects_current(g->suspects);

	if (!suspects_stop_more(g->suspects, DRAWS) && g->accused == current) {
		end_culprit(g);
		return;
	}
	g->accused = current;
	if (g->state == RUNNING)
		suspects_halt(g->suspects);
	await_process(g);
}

/* The process has work for the suspect, or would have it if it got a processor. */
static bool has_work(const struct gpu_limit *g, usec_t busy)
{
	struct thread_work now;

	return busy >= POLL || (thread_work(g->pid, g->thread, &now) == 0 && now.runnable);
}

static void watch_suspect(struct gpu_limit *g)
{
	usec_t busy = busy_for(g);

	if (is_too_long(g, busy, suspects_others_working)) {
		accuse(g);
	} else if (clock_now() < g->deadline || has_work(g, busy)) {
		timer_set(g->timer, clock_now() + POLL);
	} else if (g->state == RUNNING) {
		suspects_halt(g->suspects);
		g->state = ENDING;
		g->deadline = clock_now() + LATE;
		timer_set(g->timer, clock_now() + POLL);
	} else {
		suspects_pass(g->suspects);
		run_suspect(g);
	}
}

static void gpu_limit_on_timer(void *data)
{
	struct gpu_limit *g = data;

	if ((g->state == RUNNING || g->state == ENDING) && suspend_exists(g->process))
		watch_suspect(g);
	else if (g->state == COMPARING && suspend_exists(g->process))
		gpu_limit_end_comparison(g);
	else if (g->state == RESTARTING && find_process(g))
		gpu_limit_compare(g);
	else if (g->state == RESTARTING && clock_now() < g->deadline)
		timer_set(g->timer, clock_now() + POLL);
	else
		gpu_limit_end_search(g);
}

/* The process has worked for ALARM. */
static void gpu_limit_on_alarm(void *data)
{
	struct gpu_limit *g = data;
	usec_t busy;

	if (g->state != CALM || !g->process)
		return;
	busy = busy_for(g);
	if (!busy) /* a page that opens while the thread is busy is not the cause */
		suspects_list(g->suspects);
	if (has_too_much(g)) {
		log_warning("the graphics process of the browser has more than %u MiB and is ended",
			    (unsigned)(LIMIT_GPU_MEMORY >> 20));
		end_process(g);
	} else if (is_too_long(g, busy, suspects_working) && suspects_stop(g->suspects, 0)) {
		/* A page does not work while what it has drawn before is shown: without a suspect, the next alarm looks again. */
		log_info(
			"the graphics process of the browser is busy and is ended, %u renderers are stopped until it is known which of "
			"them is the cause",
			suspects_count(g->suspects));
		await_process(g);
	}
}

/* ---- */

void gpu_limit_watch(struct gpu_limit *g, pid_t main_process)
{
	g->main_process = main_process;
	if (g->state != CALM || (g->process && suspend_exists(g->process)))
		return;
	gpu_limit_forget_process(g);
	find_process(g);
}

static void gpu_limit_browser_ended(void *part)
{
	struct gpu_limit *g = part;

	gpu_limit_end_search(g);
	gpu_limit_forget_process(g);
	g->main_process = 0;
}

static void *gpu_limit_new(struct browser *b)
{
	struct gpu_limit *g = NEW(struct gpu_limit);

	g->browser = b;
	g->timer = timer_new(browser_loop(b), gpu_limit_on_timer, g);
	g->suspects = suspects_new(b);
	return g;
}

static void gpu_limit_free(void *part)
{
	struct gpu_limit *g = part;

	gpu_limit_browser_ended(g);
	timer_free(g->timer);
	suspects_free(g->suspects);
	free(g);
}

const struct browser_part gpu_limit_part = { .new = gpu_limit_new, .ended = gpu_limit_browser_ended, .free = gpu_limit_free };
