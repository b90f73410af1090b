#include "browser/suspects.h"

#include <stdlib.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "engine/processes.h"
#include "loop/process.h"
#include "loop/process_status.h"
#include "loop/suspend.h"
#include "page/renderer.h"

struct suspect {
	pid_t pid;
	uint64_t time, worked; /* nanoseconds: its time when it was listed, and since */
	uint64_t noted;        /* its time at suspects_note_others() */
};

struct suspects {
	struct browser *browser;
	struct suspect *listed; /* LIMIT_LOAD_PROCESSES_COUNT */
	unsigned listed_count;
	struct stopped {
		pid_t pid;
		struct suspendable *process; /* NULL: it continues for good */
		bool runs;                   /* until suspects_halt() */
		uint64_t time;               /* nanoseconds: when it continued last */
	} stopped[LIMIT_LOAD_SUSPECTS_COUNT];
	unsigned count, current;
};

/* ---- the list ---- */

void suspects_each_renderer(struct browser *b, void (*fn)(void *data, struct context *c, struct page *p, const struct renderer *r),
			    void *data)
{
	struct context *c = NULL;
	struct renderer *r;
	struct page *p;

	while ((c = browser_next_context(b, c)))
		for (p = NULL; (p = page_group_next(context_pages(c), p));)
			for (r = NULL; (r = page_next_renderer(p, r));)
				fn(data, c, p, r);
}

static struct suspect *find_listed(const struct suspects *s, pid_t pid)
{
	for (unsigned i = 0; i < s->listed_count; i++)
		if (s->listed[i].pid == pid)
			return &s->listed[i];
	return NULL;
}

/* All renderers are children of one process, also those that run only workers. */
static void list_siblings(void *data, struct context *c, struct page *p, const struct renderer *r)
{
	pid_t pids[LIMIT_LOAD_PROCESSES_COUNT];
	struct suspects *s = data;
	unsigned count;

	if (find_listed(s, r->pid))
		return;
	count = process_children(process_parent(r->pid), pids, 0, LIMIT_LOAD_PROCESSES_COUNT);
	for (unsigned i = 0; i < count && s->listed_count < LIMIT_LOAD_PROCESSES_COUNT; i++)
		s->listed[s->listed_count++] = (struct suspect){ .pid = pids[i], .time = process_time(pids[i]) };
}

void suspects_list(struct suspects *s)
{
	s->listed_count = 0;
	suspects_each_renderer(s->browser, list_siblings, s);
}

void suspects_forget(struct suspects *s, pid_t pid)
{
	struct suspect *found = find_listed(s, pid);

	if (found)
		*found = s->listed[--s->listed_count];
}

void suspects_forget_all(struct suspects *s)
{
	s->listed_count = 0;
}

/* ---- the search ---- */

static uint64_t worked_since(pid_t pid, uint64_t before)
{
	uint64_t now = process_time(pid); /* 0: it has ended */

	return now > before ? now - before : 0;
}

static int compare_work(const void *a, const void *b)
{
	const struct suspect *s = a, *t = b;

	return (s->worked < t->worked) - (s->worked > t->worked);
}

static void suspects_stop_process(struct suspects *s, pid_t pid)
{
	struct suspendable *process;

	if (suspend_open(pid, browser_process(s->browser), engine_process_argument(browser_root(s->browser), ENGINE_RENDERER),
			 &process) < 0)
		return;
	if (suspend_stop(process) < 0) {
		suspend_unref(process);
		return;
	}
	s->stopped[s->count++] = (struct stopped){ .pid = pid, .process = process };
}

static bool is_stopped(const struct suspects *s, pid_t pid)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->stopped[i].pid == pid)
			return true;
	return false;
}

bool suspects_stop_more(struct suspects *s, uint64_t least)
{
	unsigned before = s->count;

	for (unsigned i = 0; i < s->listed_count; i++)
		s->listed[i].worked = worked_since(s->listed[i].pid, s->listed[i].time);
	qsort(s->listed, s->listed_count, sizeof(*s->listed), compare_work);
	for (unsigned i = 0; i < s->listed_count && s->count < LIMIT_LOAD_SUSPECTS_COUNT && s->listed[i].worked > least; i++)
		if (!is_stopped(s, s->listed[i].pid))
			suspects_stop_process(s, s->listed[i].pid);
	return s->count > before;
}

unsigned suspects_working(const struct suspects *s, uint64_t least)
{
	unsigned count = 0;

	for (unsigned i = 0; i < s->listed_count; i++)
		count += worked_since(s->listed[i].pid, s->listed[i].time) > least;
	return count;
}

bool suspects_stop(struct suspects *s, uint64_t least)
{
	if (browser_suspects(s->browser))
		return false;
	s->count = s->current = 0;
	if (!suspects_stop_more(s, least))
		return false;
	browser_set_part(s->browser, BROWSER_suspects, s);
	return true;
}

pid_t suspects_current(const struct suspects *s)
{
	return s->current < s->count ? s->stopped[s->current].pid : 0;
}

unsigned suspects_count(const struct suspects *s)
{
	return s->count;
}

void suspects_run(struct suspects *s)
{
	struct stopped *current = &s->stopped[s->current];

	current->time = process_time(current->pid);
	suspend_continue(current->process);
	current->runs = true;
}

void suspects_halt(struct suspects *s)
{
	struct stopped *current = &s->stopped[s->current];

	current->runs = suspend_stop(current->process) < 0;
}

bool suspects_is_halted(const struct suspects *s, pid_t pid)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->stopped[i].pid == pid)
			return s->stopped[i].process && !s->stopped[i].runs;
	return false;
}

uint64_t suspects_worked(struct suspects *s)
{
	return worked_since(s->stopped[s->current].pid, s->stopped[s->current].time);
}

void suspects_note_others(struct suspects *s)
{
	for (unsigned i = 0; i < s->listed_count; i++)
		s->listed[i].noted = process_time(s->listed[i].pid);
}

static uint64_t worked_since_noted(const struct suspects *s, const struct suspect *other)
{
	return other->pid == suspects_current(s) ? 0 : worked_since(other->pid, other->noted);
}

uint64_t suspects_others_worked(const struct suspects *s)
{
	uint64_t worked, most = 0;

	for (unsigned i = 0; i < s->listed_count; i++) {
		worked = worked_since_noted(s, &s->listed[i]);
		most = MAX(most, worked);
	}
	return most;
}

unsigned suspects_others_working(const struct suspects *s, uint64_t least)
{
	unsigned count = 0;

	for (unsigned i = 0; i < s->listed_count; i++)
		count += worked_since_noted(s, &s->listed[i]) > least;
	return count;
}

static void release(struct suspects *s, unsigned n)
{
	if (!s->stopped[n].process)
		return;
	if (!s->stopped[n].runs)
		suspend_continue(s->stopped[n].process);
	s->stopped[n].process = suspend_unref(s->stopped[n].process);
}

void suspects_acquit(struct suspects *s)
{
	release(s, s->current++);
}

void suspects_pass(struct suspects *s)
{
	s->current++;
}

void suspects_keep_current(struct suspects *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (i != s->current)
			release(s, i);
	s->count = s->current + 1;
}

void suspects_kill(struct suspects *s)
{
	suspend_kill(s->stopped[s->current].process);
}

void suspects_release(struct suspects *s)
{
	if (browser_suspects(s->browser) == s)
		browser_set_part(s->browser, BROWSER_suspects, NULL);
	for (unsigned i = 0; i < s->count; i++)
		release(s, i);
	s->count = s->current = 0;
}

struct suspects *suspects_new(struct browser *b)
{
	struct suspects *s = NEW(struct suspects);

	s->browser = b;
	s->listed = must(calloc(LIMIT_LOAD_PROCESSES_COUNT, sizeof(*s->listed)));
	return s;
}

struct suspects *suspects_free(struct suspects *s)
{
	suspects_release(s);
	free(s->listed);
	free(s);
	return NULL;
}

/* Those of the search that is under way, which belong to it. */
const struct browser_part suspects_part = {};
