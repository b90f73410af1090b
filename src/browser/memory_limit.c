/*
 * How much memory the pages of a session may take. Once a second the processes that run them are looked at, about
 * LIMIT_MEMORY_PROCESSES_COUNT of them in one turn of the loop, and none while no session has a page. When the
 * processes of a session have more than its limit, the largest of them is ended as if it had crashed, with the pages that it runs. The
 * next answer to the owner says so.
 *
 * The browser's main process is looked at in each round, too. While it grows quickly, browser/load_limit.h finds out which pages are the
 * cause. When it has more than browser_options.max_memory, the pages of the session that was found to make it grow are ended, and what
 * the origins that they have visited have stored is cleared; if no session was, browser/blob_limit.h looks for one.
 *
 * Pages in the same process are counted once. Processes that are not known (page/renderer.h) are not counted. Nothing suspends.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "browser/blob_limit.h"
#include "browser/gpu_limit.h"
#include "browser/internal.h"
#include "browser/load_limit.h"
#include "loop/loop.h"
#include "loop/process_status.h"
#include "loop/suspend.h"
#include "page/renderer.h"

#define INTERVAL USEC_PER_SEC
#define INTERVAL_GROWING (USEC_PER_SEC / 4) /* while a session is above half of its limit */
#define PAUSE USEC_PER_MSEC                 /* between two turns of one round */
#define QUICK (8u << 20)                    /* bytes a second that the main process grows by when its pages are looked at */
#define QUICK_ABOVE_HALF (1u << 20)         /* the same above half of its limit */
#define SMALL 8u                            /* below this part of its limit the main process grows as it likes */
#define SHARE 16u                           /* of the limit; sessions that were seen to add less are not the cause */
#define RELEASE (10 * USEC_PER_SEC)         /* in which the main process gives back what ended pages have kept there */

struct memory_limit {
	struct browser *browser;
	struct timer *timer;
	bool running;         /* a round is under way, or awaited */
	pid_t main_process;   /* of the browser */
	unsigned main_starts; /* browser_starts() for which it is known */
	uint64_t main_memory; /* of the last round */
	usec_t main_looked;   /* when that was */
	usec_t not_before;    /* pages are ended again because of it */
	unsigned round;       /* in which contexts are marked as they are looked at */
	bool any_pages, any_growing;
};

/* The process of a session that has the most, and all of them. */
struct usage {
	struct {
		pid_t pid;
		uint64_t memory;
	} * processes, largest;
	unsigned count, room;
	uint64_t total;
};

static bool is_counted(const struct usage *u, pid_t pid)
{
	for (unsigned i = 0; i < u->count; i++)
		if (u->processes[i].pid == pid)
			return true;
	return false;
}

static void count_process(struct usage *u, struct renderer *r)
{
	uint64_t memory;

	if (is_counted(u, r->pid))
		return;
	if (u->count == u->room) {
		u->room = u->room ? 2 * u->room : 16;
		u->processes = must(realloc(u->processes, u->room * sizeof(*u->processes)));
	}
	u->processes[u->count].pid = r->pid;
	u->processes[u->count].memory = memory = renderer_memory(r);
	if (memory > u->largest.memory)
		u->largest = u->processes[u->count];
	u->total += memory;
	u->count++;
}

/* The next context of the session, whose code runs in some of its own, too. */
static struct context *next_of_session(struct browser *b, struct context *after, const void *session)
{
	struct context *c = after;

	while ((c = browser_next_context(b, c)))
		if (context_holder(c)->limits && context_holder(c)->session == session)
			return c;
	return NULL;
}

static void count_page(struct usage *u, struct page *p)
{
	struct renderer *r = NULL;

	while ((r = page_next_renderer(p, r)))
		count_process(u, r);
}

/* Ends the pages in `c` that the process runs. The first one is named to the owner. */
static void memory_limit_end_pages(struct context *c, pid_t pid, struct notices *n)
{
	struct page *p = page_group_next(context_pages(c), NULL), *next;
	struct renderer *r;

	for (; p; p = next) {
		next = page_group_next(context_pages(c), p);
		r = page_renderer(p, pid);
		if (!r)
			continue;
		log_info("page %s is ended: its process takes too much memory", page_target_id(p));
		if (!n->too_large_count++)
			str_set(&n->too_large, context_holder(c)->is_sandbox ? "of the code that ran" : page_url(p));
		renderer_kill(r);
		page_end(p);
	}
}

static void end_largest(struct browser *b, struct context *first, const struct usage *u)
{
	const void *session = context_holder(first)->session;
	struct context *c, *told = first;

	while (told && context_holder(told)->is_sandbox)
		told = next_of_session(b, told, session);
	for (c = first; c; c = next_of_session(b, c, session))
		memory_limit_end_pages(c, u->largest.pid, context_notices(told ? told : first));
}

/* Every process of a page descends from it. */
static void find_main_process(struct memory_limit *m, const struct usage *u)
{
	struct context *c = NULL;

	if (m->main_starts == browser_starts(m->browser) || !u->largest.memory)
		return;
	m->main_starts = browser_starts(m->browser);
	m->main_process = suspend_browser(u->largest.pid);
	m->main_looked = 0;
	load_limit_watch(browser_load_limit(m->browser), m->main_process);
	while ((c = browser_next_context(m->browser, c)))
		context_pages(c)->main_process = m->main_process;
}

/* Returns how many processes the session has. */
static unsigned check_session(struct memory_limit *m, struct context *first)
{
	const struct context_holder *holder = context_holder(first);
	uint64_t limit = (uint64_t)holder->limits->memory << 20;
	struct usage u = {};
	struct page *p;

	for (struct context *c = first; c; c = next_of_session(m->browser, c, holder->session)) {
		context_noted(c)->memory_round = m->round;
		for (p = NULL; (p = page_group_next(context_pages(c), p)); m->any_pages = true)
			count_page(&u, p);
	}
	find_main_process(m, &u);
	free(u.processes);
	if (limit && u.total > limit / 2)
		m->any_growing = true;
	if (limit && u.total > limit && u.largest.memory)
		end_largest(m->browser, first, &u);
	return u.count;
}

/* After `c`; NULL: from the first. Contexts without pages, such as those of sessions that sleep, are passed over. */
static struct context *next_unchecked(struct memory_limit *m, struct context *c)
{
	while ((c = browser_next_context(m->browser, c)))
		if (context_holder(c)->limits && context_noted(c)->memory_round != m->round &&
		    page_group_next(context_pages(c), NULL))
			break;
	return c;
}

/*
 * A search stops renderers, and judges by what the main process adds while one of them runs. On a busy machine, calls of
 * browserd may be what makes it grow then. So no search begins before the growth matters.
 */
static bool grows_quickly(struct memory_limit *m, uint64_t memory, uint64_t limit)
{
	usec_t now = clock_now(), time = now - m->main_looked;
	uint64_t grown = m->main_looked && memory > m->main_memory ? memory - m->main_memory : 0;

	m->main_memory = memory;
	m->main_looked = now;
	if (memory < limit / SMALL)
		return false;
	return (double)grown * USEC_PER_SEC > (double)(memory > limit / 2 ? QUICK_ABOVE_HALF : QUICK) * (double)time;
}

static uint64_t session_growth(struct memory_limit *m, struct context *first)
{
	uint64_t sum = 0;
	bool slowed = false;

	for (struct context *c = first; c; c = next_of_session(m->browser, c, context_holder(first)->session)) {
		sum += context_noted(c)->grown;
		for (struct page *p = NULL; (p = page_group_next(context_pages(c), p));)
			slowed = slowed || page_takes_time(p);
	}
	return slowed ? UINT64_MAX : sum;
}

/* A page that is slowed down for it now comes before all that were. NULL: no session was seen to make the main process grow. */
static struct context *find_grower(struct memory_limit *m)
{
	struct context *c = NULL, *most = NULL;
	uint64_t growth, largest = ((uint64_t)browser_options(m->browser)->max_memory << 20) / SHARE;

	while ((c = browser_next_context(m->browser, c))) {
		growth = context_holder(c)->limits ? session_growth(m, c) : 0;
		if (growth >= largest && (!most || growth > largest)) {
			most = c;
			largest = growth;
		}
	}
	return most;
}

/*
 * On a busy machine, messages of the session that is ended reach the main process in the slices of others, for whom they are noted. The main
 * process may also give memory back later than RELEASE, and those others would be ended for it then. Who really adds is noted again.
 */
static void forget_growth(struct browser *b)
{
	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		context_noted(c)->grown = 0;
}

static bool end_grower(struct memory_limit *m, uint64_t memory)
{
	struct context *first = find_grower(m);

	if (!first)
		return false;
	m->not_before = clock_now() + RELEASE;
	load_limit_wait(browser_load_limit(m->browser), m->not_before);
	log_warning(
		"the main process of the browser has %llu MiB, more than %s allows: the pages of the session that make it grow are ended",
		(unsigned long long)(memory >> 20), browser_options(m->browser)->names.max_memory);
	context_notices(first)->stored = true;
	for (struct context *c = first; c; c = next_of_session(m->browser, c, context_holder(first)->session))
		context_end_pages(c);
	forget_growth(m->browser);
	return true;
}

static void check_main_process(struct memory_limit *m)
{
	uint64_t limit = (uint64_t)browser_options(m->browser)->max_memory << 20;
	struct process_status status;

	if (!limit || m->main_starts != browser_starts(m->browser) || m->main_process <= 1 ||
	    process_status(m->main_process, &status) < 0)
		return;
	if (status.memory > limit / 2)
		m->any_growing = true;
	if (grows_quickly(m, status.memory, limit))
		load_limit_grows(browser_load_limit(m->browser));
	if (status.memory > limit && clock_now() >= m->not_before && !end_grower(m, status.memory))
		blob_limit_exceeded(browser_blob_limit(m->browser), status.memory);
}

static void end_round(struct memory_limit *m)
{
	check_main_process(m);
	if (m->main_starts == browser_starts(m->browser) && m->main_process > 1)
		gpu_limit_watch(browser_gpu_limit(m->browser), m->main_process);
	m->running = m->any_pages;
	timer_set(m->timer, !m->any_pages ? USEC_NEVER : clock_now() + (m->any_growing ? INTERVAL_GROWING : INTERVAL));
	m->any_pages = m->any_growing = false;
	m->round++;
}

static void memory_limit_on_timer(void *data)
{
	struct memory_limit *m = data;
	struct context *c = NULL;

	for (unsigned count = 0; count < LIMIT_MEMORY_PROCESSES_COUNT;) {
		c = next_unchecked(m, c);
		if (!c) {
			end_round(m);
			return;
		}
		count += check_session(m, c) + 1;
	}
	timer_set(m->timer, clock_now() + PAUSE);
}

static void *memory_limit_new(struct browser *b)
{
	struct memory_limit *m = NEW(struct memory_limit);

	m->browser = b;
	m->round = 1;
	m->timer = timer_new(browser_loop(b), memory_limit_on_timer, m);
	return m;
}

static void memory_limit_free(void *part)
{
	struct memory_limit *m = part;

	timer_free(m->timer);
	free(m);
}

static void page_opened(void *part)
{
	struct memory_limit *m = part;

	if (m->running || !browser_process(m->browser))
		return;
	m->running = true;
	timer_set(m->timer, clock_now() + INTERVAL);
}

const struct browser_part memory_limit_part = { .new = memory_limit_new, .page_opened = page_opened, .free = memory_limit_free };
