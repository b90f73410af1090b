#include "page/renderer.h"

#include <string.h>

#include "base/log.h"
#include "base/macros.h"
#include "engine/processes.h"
#include "loop/priority.h"
#include "loop/process_status.h"
#include "loop/suspend.h"
#include "page/internal.h"

#define PLAIN (20u << 20)           /* bytes; more than the process of a small page has */
#define WORTH_COLLECTING (8u << 20) /* that it has to grow by */

void renderer_done(struct renderer *r)
{
	engine_call_done(&r->asked);
	engine_call_done(&r->collecting);
	renderer_continue(r);
	suspend_unref(r->process);
	*r = (struct renderer){ .ancestor = r->ancestor, .argument = r->argument };
}

static void set_pid(struct renderer *r, pid_t pid)
{
	if (pid == r->pid)
		return;
	renderer_done(r);
	r->pid = pid;
}

static void on_known(struct engine_call *call, void *data)
{
	pid_t pid = engine_process_of(call);

	if (pid)
		set_pid(data, pid);
	engine_call_done(call);
}

void renderer_ask(struct renderer *r, struct page *p, struct engine_target *s)
{
	if (!p->group || !p->group->browser_process)
		return;
	r->ancestor = p->group->browser_process;
	engine_call_done(&r->asked);
	r->argument = engine_process_argument(s, ENGINE_RENDERER);
	engine_ask_process(s, &r->asked, on_known, r);
}

/* The first use of the process opens it, which takes a tenth of a millisecond; most pages never need it. */
static bool is_open(struct renderer *r)
{
	int error;

	if (r->process || !r->pid)
		return r->process;
	error = suspend_open(r->pid, r->ancestor, r->argument, &r->process);
	if (error == 0)
		return true;
	log_debug("the process %d of a page is left alone: %s", r->pid, strerror(-error));
	renderer_done(r);
	return false;
}

void renderer_stop(struct renderer *r)
{
	if (r->stopped || !is_open(r))
		return;
	r->stopped = suspend_stop(r->process) == 0;
	if (!r->stopped)
		renderer_done(r);
}

void renderer_continue(struct renderer *r)
{
	if (r->stopped)
		suspend_continue(r->process);
	r->stopped = false;
}

void renderer_set_yielding(struct renderer *r, bool yields)
{
	if (is_open(r))
		priority_set_yielding(r->process, yields);
}

uint64_t renderer_memory(struct renderer *r)
{
	struct process_status status;

	return is_open(r) && process_status(r->pid, &status) == 0 && suspend_exists(r->process) ? status.memory : 0;
}

/* The kernel gets some of the memory back only later, so that `left` falls again at the next look. */
static void on_collected(struct engine_call *call, void *data)
{
	struct renderer *r = data;
	uint64_t memory = renderer_memory(r);

	engine_call_done(call);
	r->left = memory;
}

bool renderer_collect_garbage(struct renderer *r, struct engine_target *s)
{
	uint64_t memory = renderer_memory(r);

	if (!memory || !s || r->collecting.target)
		return false;
	r->left = MIN(r->left, memory);
	if (memory < MAX(r->left, (uint64_t)PLAIN) + WORTH_COLLECTING)
		return false;
	return engine_collect_garbage(s, &r->collecting, on_collected, r) == 0;
}

bool renderer_kill(struct renderer *r)
{
	return is_open(r) && suspend_kill(r->process) == 0;
}

struct renderer *page_next_renderer(struct page *p, const struct renderer *after)
{
	struct child_target *child = after && after != &p->renderer ? CONTAINER_OF(after, struct child_target, renderer) : NULL;

	if (!after && p->renderer.pid)
		return &p->renderer;
	for (child = child ? TAILQ_NEXT(child, link) : TAILQ_FIRST(&p->children); child; child = TAILQ_NEXT(child, link))
		if (child->renderer.pid)
			return &child->renderer;
	return NULL;
}

struct renderer *page_renderer(struct page *p, pid_t pid)
{
	struct renderer *r = NULL;

	while ((r = page_next_renderer(p, r)))
		if (r->pid == pid)
			break;
	return r;
}

/* Workers have heaps of their own, in the process of the page. */
static void collect_in_workers(struct page *p)
{
	struct child_target *child;

	TAILQ_FOREACH(child, &p->children, link)
		if (child->is_worker)
			engine_collect_garbage(child->target, NULL, NULL, NULL);
}

void page_collect_garbage(struct page *p)
{
	struct child_target *child;

	if (renderer_collect_garbage(&p->renderer, p->target))
		collect_in_workers(p);
	TAILQ_FOREACH(child, &p->children, link)
		if (!child->is_worker)
			renderer_collect_garbage(&child->renderer, child->target);
}
