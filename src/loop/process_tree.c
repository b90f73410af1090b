#include "loop/process_tree.h"

#include <stdlib.h>

#include "base/limits.h"
#include "loop/process_status.h"

#define FRESH (USEC_PER_SEC / 2) /* how old the sum of a tree may get, for each turn that its measuring takes */
#define PAUSE USEC_PER_MSEC      /* between two turns of one measuring */

/* Arguments of Chromium's processes: one has no children, and what the other starts is a copy of itself. */
#define CHILDLESS "--type=renderer"
#define ZYGOTE "--type=zygote"

struct process {
	pid_t pid;
	uint64_t inherited; /* bytes that its parent had when it was forked without a new program; else 0 */
};

struct process_tree {
	pid_t root;
	bool follows;
	struct timer *timer;
	struct process_tree_use use, next; /* as it was measured, and is being measured */
	struct process *queue;             /* all that were found; those before `at` are in `next` */
	unsigned at, count, room;
};

static bool is_measuring(const struct process_tree *t)
{
	return t->at < t->count;
}

static void process_tree_add(struct process_tree *t, pid_t pid, uint64_t inherited)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->queue = must(realloc(t->queue, t->room * sizeof(*t->queue)));
	}
	t->queue[t->count++] = (struct process){ pid, inherited };
}

static void process_tree_add_children(struct process_tree *t, pid_t pid, uint64_t inherited)
{
	pid_t children[LIMIT_CHILDREN_COUNT];
	unsigned count = process_children(pid, children, 0, MIN(LIMIT_CHILDREN_COUNT, LIMIT_TREE_PROCESSES_COUNT - t->count));

	for (unsigned i = 0; i < count; i++)
		process_tree_add(t, children[i], inherited);
}

static void measure_process(struct process_tree *t, struct process process)
{
	struct process_status status;

	if (process_status(process.pid, &status) < 0) /* it has ended */
		return;
	t->next.processes++;
	t->next.memory += status.memory - MIN(process.inherited, status.anonymous);
	if (!process_has_argument(process.pid, CHILDLESS))
		process_tree_add_children(t, process.pid, process_has_argument(process.pid, ZYGOTE) ? status.anonymous : 0);
}

static unsigned turns(const struct process_tree *t)
{
	return (t->count + LIMIT_MEMORY_PROCESSES_COUNT - 1) / LIMIT_MEMORY_PROCESSES_COUNT;
}

/* When it is to be measured again, so that this takes a fiftieth of a processor at most. */
static usec_t next_time(const struct process_tree *t)
{
	return t->use.processes ? t->use.began + turns(t) * FRESH : 0;
}

static void process_tree_begin(struct process_tree *t)
{
	t->at = t->count = 0;
	t->next = (struct process_tree_use){ .began = clock_now() };
	process_tree_add(t, t->root, 0);
}

static void measure_some(struct process_tree *t)
{
	for (unsigned i = 0; i < LIMIT_MEMORY_PROCESSES_COUNT && is_measuring(t); i++)
		measure_process(t, t->queue[t->at++]);
	if (is_measuring(t)) {
		timer_set(t->timer, clock_now() + PAUSE);
		return;
	}
	t->use = t->next;
	timer_set(t->timer, t->follows && turns(t) > 1 ? next_time(t) : USEC_NEVER);
}

static void process_tree_on_timer(void *data)
{
	struct process_tree *t = data;

	if (!is_measuring(t))
		process_tree_begin(t);
	measure_some(t);
}

const struct process_tree_use *process_tree_use(struct process_tree *t)
{
	if (!is_measuring(t) && clock_now() >= next_time(t))
		process_tree_on_timer(t);
	return &t->use;
}

struct process_tree *process_tree_new(struct loop *l, pid_t root, bool follows)
{
	struct process_tree *t = NEW(struct process_tree);

	*t = (struct process_tree){ .root = root, .follows = follows, .timer = timer_new(l, process_tree_on_timer, t) };
	return t;
}

struct process_tree *process_tree_free(struct process_tree *t)
{
	if (!t)
		return NULL;
	timer_free(t->timer);
	free(t->queue);
	free(t);
	return NULL;
}
