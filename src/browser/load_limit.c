#include "browser/load_limit.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "browser/internal.h"
#include "browser/main_process.h"
#include "browser/suspects.h"
#include "engine/processes.h"
#include "loop/cpu_alarm.h"
#include "loop/loop.h"
#include "page/renderer.h"
#include "page/throttle.h"

#define ALARM (15 * USEC_PER_MSEC)       /* processor time of the main process between two looks at it */
#define LATE (30 * USEC_PER_MSEC)        /* a sign of life; the search for the cause begins after as long again */
#define BEHIND (2 * LATE)                /* processor time of the main process until the search */
#define WORKS 1000000u                   /* nanoseconds until then that make a renderer a suspect */
#define WORKS_SHARE 20u                  /* later a renderer becomes one that works for a twentieth of the time */
#define SLICE (10 * USEC_PER_MSEC)       /* in which a suspect runs alone, and again until it has worked */
#define WORKED (4 * 1000000u)            /* nanoseconds of processor time after which a slice ends */
#define SLICE_LIMIT (50 * USEC_PER_MSEC) /* in which it ends in any case */
#define LEAST (3 * USEC_PER_MSEC)        /* of the main process in a slice; less is no load */
#define CALM_PART 0.5                 /* of the time that the main process works for others; above, nothing is known of a suspect */
#define IDLE_LIMIT USEC_PER_SEC       /* in which that is waited for, and for a sign of life of a process that does nothing */
#define KEPT_LIMIT (5 * USEC_PER_SEC) /* further ones, with one suspect */
#define GROWS (256u << 10)            /* bytes in a slice that are not chance */
#define EVIDENT (100 * USEC_PER_MSEC) /* of the main process in a slice; twice is enough */
#define CERTAIN USEC_PER_SEC          /* the same; once is enough */
#define SPENT_COUNTS 10u              /* as many times as what any of the suspects may have caused */
#define CONFIRMED 5u                  /* slices in a row in which a suspect is too expensive; calls cause work, too */
#define UNEXPLAINED (300 * USEC_PER_MSEC) /* of the main thread while all suspects are stopped, that one of them has caused */
#define PAUSE (100 * USEC_PER_MSEC)       /* after a search that found nothing, doubled each time */
#define PAUSE_MAX (3 * USEC_PER_SEC)
#define MISSED_MAX 3u /* searches in a row without a pause, each of which may have stopped others than the cause */
#define GROWTH_PAUSE USEC_PER_SEC

enum state {
	CALM,
	ASKED,     /* a sign of life was asked for */
	LOOKING,   /* it is late: who works? */
	DRAINING,  /* the suspects are stopped, the main process has not done yet what it had received */
	COMPARING, /* it has: what else does it do? */
	RUNNING,   /* one of the suspects */
	ENDING,    /* its slice has ended */
	SETTLING,  /* the main thread has done what it had received, other threads may not have */
};

struct load_limit {
	struct browser *browser;
	struct main_process main;
	struct cpu_alarm *alarm;
	struct timer *timer;
	struct engine_call sign;
	enum state state;
	bool again;      /* a second sign of life is needed */
	usec_t listed;   /* when the suspects were */
	uint64_t grown;  /* bytes: memory of the main process at the beginning of a slice, then what the slice has added */
	bool holds;      /* pages that are charged already */
	bool kept;       /* a suspect is stopped for that alone */
	bool for_growth; /* the search is, not for the time of the main thread */
	/*
	 * In the last slice: a renderer that is not stopped has worked more than the suspect. On a machine that does other things, the cause may not
	 * have worked while the suspects were looked for, and goes on while they are judged. A suspect of growth is not judged then.
	 */
	bool accompanied;
	bool missed;           /* in a slice of this search, so the cause may not be among the suspects */
	unsigned missed_count; /* searches in a row that found nothing and may have missed the cause */
	double others;         /* part of the time that the main process works without the suspects */
	usec_t cost;           /* of the slice that was judged last */
	struct suspects *suspects;
	unsigned expensive; /* slices in a row in which the current suspect was */
	uint64_t added;     /* bytes of the main process in these */
	pid_t charged;      /* the renderer whose slices these were */
	unsigned found;     /* pages that were charged */
	usec_t drained;     /* what the main process had received when the suspects were stopped: how long it has worked for that */
	usec_t spent;       /* by the main process in the expensive slices of the current suspect */
	struct {
		pid_t pid;
		usec_t spent;
	} acquitted[LIMIT_LOAD_SUSPECTS_COUNT];
	unsigned acquitted_count;
	usec_t not_before, pause, growth_not_before;
};

/* ---- the suspects ---- */

/* Those that are slowed down already are measured by their throttle. */
static void forget_slowed(void *data, struct context *c, struct page *p, const struct renderer *r)
{
	if (page_is_slowed(p))
		suspects_forget(data, r->pid);
}

static bool stop_suspects(struct load_limit *l)
{
	suspects_each_renderer(l->browser, forget_slowed, l->suspects);
	return suspects_stop(l->suspects, WORKS);
}

/* ---- the search ---- */

static void on_sign(struct engine_call *call, void *data);
static void load_limit_forget_process(void *part);

static void load_limit_ask(struct load_limit *l, enum state state)
{
	l->state = state;
	if (engine_ask_sign(browser_root(l->browser), &l->sign, on_sign, l) < 0)
		load_limit_forget_process(l);
}

/*
 * Databases, caches and files are the work of threads that a sign of life says nothing about: these have done what they had received when
 * no thread of the process works or waits for a processor. A search for what keeps the main thread busy does not wait for them.
 */
static bool is_idle(struct load_limit *l)
{
	return !l->for_growth || main_process_is_idle(&l->main);
}

/* The slices of pages that are charged already would be taken for those of the suspects. */
static void hold_charged(struct load_limit *l, bool hold)
{
	if (l->holds != hold)
		throttle_hold_charged(hold);
	l->holds = hold;
}

/*
 * The main process had much to do for one of the suspects, and none has caused work in slice after slice. A page notices that it was stopped,
 * and may behave for a while.
 */
static bool is_unexplained(const struct load_limit *l)
{
	return !l->for_growth && !l->found && l->drained >= UNEXPLAINED;
}

static void suspect_page(void *data, struct context *c, struct page *p, const struct renderer *r)
{
	struct load_limit *l = data;

	for (unsigned i = 0; i < l->acquitted_count; i++)
		if (l->acquitted[i].pid == r->pid) {
			page_suspect(p, (is_unexplained(l) ? l->drained : 0) + SPENT_COUNTS * l->acquitted[i].spent);
			break;
		}
}

static bool may_have_missed(const struct load_limit *l)
{
	return l->missed_count && l->missed_count <= MISSED_MAX;
}

static void load_limit_end_search(struct load_limit *l)
{
	bool again;

	l->missed_count = l->missed && !l->found ? l->missed_count + 1 : 0;
	again = l->found || is_unexplained(l) || may_have_missed(l);
	suspects_release(l->suspects);
	suspects_each_renderer(l->browser, suspect_page, l);
	hold_charged(l, false);
	if (l->for_growth) {
		l->growth_not_before = clock_now() + (l->found ? 0 : GROWTH_PAUSE);
	} else {
		l->pause = again ? PAUSE : MIN(2 * l->pause, PAUSE_MAX);
		l->not_before = clock_now() + (again ? 0 : l->pause);
	}
	l->state = CALM;
	main_process_look(&l->main);
}

/* What the main process does for others, while all suspects are stopped. */
static void load_limit_compare(struct load_limit *l)
{
	main_process_look(&l->main);
	main_process_await_idle(&l->main, IDLE_LIMIT);
	l->state = COMPARING;
	timer_set(l->timer, l->main.looked + SLICE);
}

static void run_next(struct load_limit *l)
{
	if (!suspects_current(l->suspects)) {
		load_limit_end_search(l);
		return;
	}
	main_process_look(&l->main);
	l->grown = main_process_memory(&l->main);
	suspects_note_others(l->suspects);
	suspects_run(l->suspects);
	l->state = RUNNING;
	timer_set(l->timer, l->main.looked + SLICE);
}

/*
 * The main process has received so much that all suspects would be stopped for seconds. The one that has worked most stays stopped, and is
 * judged alone if the process becomes idle meanwhile.
 */
static void keep_first(struct load_limit *l)
{
	if (l->kept) {
		l->found++; /* the next search need not wait */
		load_limit_end_search(l);
		return;
	}
	suspects_keep_current(l->suspects);
	l->kept = true;
	main_process_look(&l->main);
	main_process_await_idle(&l->main, IDLE_LIMIT + KEPT_LIMIT);
	timer_set(l->timer, l->main.looked + SLICE);
}

/* While the main process waits for a processor, it is not known what it would do. */
static void load_limit_end_comparison(struct load_limit *l)
{
	usec_t time, ran = main_process_worked(&l->main, &time), now = clock_now();

	if (time < SLICE / 2 && now < l->main.looked + SLICE_LIMIT) {
		timer_set(l->timer, now + SLICE);
		return;
	}
	if (!is_idle(l) && !main_process_is_overdue(&l->main)) {
		main_process_look(&l->main);
		timer_set(l->timer, now + SLICE);
		return;
	}
	if (l->for_growth && main_process_is_overdue(&l->main)) {
		keep_first(l);
		return;
	}
	l->others = time < SLICE / 2 ? 1 : (double)ran / (double)time;
	run_next(l);
}

static void end_slice(struct load_limit *l)
{
	usec_t now = clock_now();

	if (suspects_worked(l->suspects) < WORKED && now < l->main.looked + SLICE_LIMIT) {
		timer_set(l->timer, now + SLICE);
		return;
	}
	suspects_halt(l->suspects);
	l->accompanied = suspects_others_worked(l->suspects) > suspects_worked(l->suspects);
	l->missed |= l->accompanied;
	main_process_await_idle(&l->main, IDLE_LIMIT);
	timer_set(l->timer, l->main.idle.looked + LATE);
	load_limit_ask(l, ENDING);
}

static void note_growth(void *data, struct context *c, struct page *p, const struct renderer *r)
{
	const struct load_limit *l = data;

	if (r->pid == l->charged)
		context_noted(c)->grown += l->added;
}

static void charge_page(void *data, struct context *c, struct page *p, const struct renderer *r)
{
	struct load_limit *l = data;

	if (r->pid == l->charged) {
		page_charge_time(p, l->cost, l->for_growth);
		l->found++;
	}
}

/*
 * On a machine that does other things, a slice takes long, because each of its steps waits for a processor. So the time that the main process
 * works is compared with the processor time of the suspect, too, which does not depend on the load.
 */
static bool is_expensive(const struct load_limit *l, usec_t cost, usec_t took)
{
	if (l->others >= CALM_PART || cost < LEAST || (l->for_growth && l->accompanied))
		return false;
	if (l->for_growth && l->grown >= GROWS)
		return true;
	return cost * 2 * suspects_count(l->suspects) > took || cost * 1000 > suspects_worked(l->suspects);
}

static unsigned slices_needed(usec_t cost)
{
	return cost >= CERTAIN ? 1 : cost >= EVIDENT ? 2 : CONFIRMED;
}

/* What a slice has cost the main process, without what others make it do. */
static void judge(struct load_limit *l)
{
	usec_t took, cost = main_process_worked(&l->main, &took), others = (usec_t)(l->others * (double)took);
	uint64_t now = main_process_memory(&l->main);

	cost = cost > others ? cost - others : 0;
	l->grown = now > l->grown ? now - l->grown : 0;
	log_debug("the renderer %d costs the main process of the browser %llu us in %llu us and %llu KiB",
		  suspects_current(l->suspects), (unsigned long long)cost, (unsigned long long)took,
		  (unsigned long long)(l->grown >> 10));
	l->expensive = is_expensive(l, cost, took) ? l->expensive + 1 : 0;
	l->added = l->expensive ? l->added + l->grown : 0;
	l->spent += l->expensive ? cost : 0;
	if (l->expensive && l->expensive < slices_needed(cost)) {
		load_limit_compare(l);
		return;
	}
	l->charged = l->expensive ? suspects_current(l->suspects) : 0;
	if (!l->charged) {
		l->acquitted[l->acquitted_count].pid = suspects_current(l->suspects);
		l->acquitted[l->acquitted_count++].spent = l->spent;
	}
	l->cost = cost;
	if (l->charged && l->for_growth)
		suspects_each_renderer(l->browser, note_growth, l);
	/*
	 * A page that is charged stops its renderer. If the search let the renderer continue before, what the renderer asks for in that
	 * moment could keep the main process busy for seconds.
	 */
	if (l->charged)
		suspects_each_renderer(l->browser, charge_page, l);
	/* What an acquitted suspect does until a search for growth ends would be taken for the work of the next suspect. */
	if (l->for_growth && !l->charged)
		suspects_pass(l->suspects);
	else
		suspects_acquit(l->suspects);
	l->expensive = 0;
	l->added = l->spent = 0;
	run_next(l);
}

static void on_sign(struct engine_call *call, void *data)
{
	struct load_limit *l = data;

	engine_call_done(call);
	switch (l->state) {
	case ASKED:
	case LOOKING:
		timer_set(l->timer, USEC_NEVER);
		l->state = CALM;
		break;
	case DRAINING:
		if (!l->again) {
			l->drained = main_process_thread_time(&l->main) - l->drained;
			load_limit_compare(l);
			break;
		}
		l->again = false;
		load_limit_ask(l, DRAINING);
		break;
	case ENDING:
		l->state = SETTLING;
		main_process_await_idle(&l->main, IDLE_LIMIT);
		timer_set(l->timer, l->main.idle.looked + (l->for_growth ? SLICE : 0));
		break;
	default:
		break;
	}
}

static void list_suspects(struct load_limit *l)
{
	suspects_list(l->suspects);
	l->listed = clock_now();
}

/*
 * On a machine that does other things, the cause may not have got a processor before the suspects were stopped. It would give the main process
 * ever more to do while that is busy with what it had received, and the sign of life, which comes after that, would be late by minutes.
 */
static void stop_more(struct load_limit *l)
{
	suspects_stop_more(l->suspects, MAX((uint64_t)WORKS, (clock_now() - l->listed) * 1000 / WORKS_SHARE));
}

/* A main process that has nothing to do and gives no sign of life waits for something, which may be one of the suspects. */
static bool is_silent(struct load_limit *l)
{
	if (!main_process_is_idle(&l->main))
		l->main.idle.until = l->main.idle.looked + IDLE_LIMIT;
	return main_process_is_overdue(&l->main);
}

static void await_sign(struct load_limit *l)
{
	if (is_silent(l)) {
		log_info("the main process of the browser does nothing and gives no sign of life: the renderers continue");
		engine_call_done(&l->sign);
		load_limit_end_search(l);
		return;
	}
	if (l->state == DRAINING && !l->for_growth)
		stop_more(l);
	timer_set(l->timer, l->main.idle.looked + LATE);
}

/*
 * A sign of life that is late says little on a machine that does other things: the main process may have waited for a processor. What all its
 * threads have worked since load_limit_on_alarm() asked for the sign does not depend on the load of the machine.
 */
static bool main_process_is_behind(const struct load_limit *l)
{
	usec_t time;

	return l->for_growth || main_process_worked(&l->main, &time) >= BEHIND;
}

static void load_limit_begin_search(struct load_limit *l)
{
	bool stopped = main_process_is_behind(l) && stop_suspects(l);

	l->found = l->expensive = 0;
	l->added = l->spent = l->acquitted_count = 0;
	l->missed = false;
	l->drained = main_process_thread_time(&l->main);
	if (!stopped && l->for_growth) {
		load_limit_end_search(l);
		return;
	}
	if (!stopped) { /* until the sign of life comes */
		timer_set(l->timer, clock_now() + LATE);
		return;
	}
	log_info("the main process of the browser %s, %u renderers are stopped until it is known which of them is the cause",
		 l->for_growth ? "grows" : "is busy", suspects_count(l->suspects));
	l->again = true;
	main_process_await_idle(&l->main, IDLE_LIMIT);
	timer_set(l->timer, l->main.idle.looked + LATE);
	if (l->for_growth)
		load_limit_ask(l, DRAINING);
	else
		l->state = DRAINING; /* until the sign that is late */
}

static void load_limit_on_timer(void *data)
{
	struct load_limit *l = data;

	switch (l->state) {
	case ASKED:
		l->state = LOOKING;
		timer_set(l->timer, clock_now() + LATE);
		break;
	case LOOKING:
		load_limit_begin_search(l);
		break;
	case DRAINING:
	case ENDING:
		await_sign(l);
		break;
	case COMPARING:
		load_limit_end_comparison(l);
		break;
	case RUNNING:
		end_slice(l);
		break;
	case SETTLING:
		if (is_idle(l) || main_process_is_overdue(&l->main))
			judge(l);
		else
			timer_set(l->timer, clock_now() + SLICE);
		break;
	default:
		break;
	}
}

/* The main process has worked for ALARM. Whether it has been busy all the time does not depend on what else the machine does. */
static void load_limit_on_alarm(void *data)
{
	struct load_limit *l = data;
	struct process_work before = l->main.work, now;
	usec_t since = l->main.looked, demand;

	if (l->state != CALM || !browser_root(l->browser) || process_work(l->main.pid, &now) < 0)
		return;
	l->main.work = now;
	l->main.looked = clock_now();
	demand = now.ran - before.ran + now.waited - before.waited;
	if (l->main.looked < l->not_before || demand * 2 < l->main.looked - since)
		return;
	l->for_growth = false;
	list_suspects(l);
	load_limit_ask(l, ASKED);
	timer_set(l->timer, l->main.looked + LATE);
}

void load_limit_grows(struct load_limit *l)
{
	if (l->state != CALM || !l->alarm || !browser_root(l->browser) || clock_now() < l->growth_not_before)
		return;
	l->for_growth = true;
	hold_charged(l, true);
	l->kept = false;
	list_suspects(l);
	l->state = LOOKING;
	timer_set(l->timer, clock_now() + LATE);
}

void load_limit_wait(struct load_limit *l, usec_t until)
{
	if (l->state != CALM) {
		engine_call_done(&l->sign);
		timer_set(l->timer, USEC_NEVER);
		load_limit_end_search(l);
	}
	l->not_before = l->growth_not_before = until;
}

/* ---- */

void load_limit_watch(struct load_limit *l, pid_t main_process)
{
	load_limit_forget_process(l);
	l->main.pid = main_process;
	main_process_look(&l->main);
	l->alarm = cpu_alarm_new(browser_loop(l->browser), main_process, ALARM, load_limit_on_alarm, l);
	if (!l->alarm)
		log_debug("the time that pages take in the main process of the browser is not limited: the kernel does not tell");
}

pid_t load_limit_main_process(const struct load_limit *l)
{
	return l->main.pid;
}

static void load_limit_forget_process(void *part)
{
	struct load_limit *l = part;

	engine_call_done(&l->sign);
	timer_set(l->timer, USEC_NEVER);
	suspects_release(l->suspects);
	hold_charged(l, false);
	l->alarm = cpu_alarm_free(l->alarm);
	l->main.pid = 0;
	l->state = CALM;
}

static void *load_limit_new(struct browser *b)
{
	struct load_limit *l = NEW(struct load_limit);

	l->browser = b;
	l->pause = PAUSE;
	l->timer = timer_new(browser_loop(b), load_limit_on_timer, l);
	l->suspects = suspects_new(b);
	return l;
}

static void load_limit_free(void *part)
{
	struct load_limit *l = part;

	load_limit_forget_process(l);
	timer_free(l->timer);
	suspects_free(l->suspects);
	free(l);
}

const struct browser_part load_limit_part = { .new = load_limit_new, .ended = load_limit_forget_process, .free = load_limit_free };
