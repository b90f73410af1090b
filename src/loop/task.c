#include "loop/task.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/turn.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

/* Stacks of finished tasks that are kept for reuse: about 10 KiB resident each, and three system calls to create one. */
#define SPARE_STACKS 64

#define SHORTEST_SLEEP 20 /* microseconds: with a deadline that has passed when the wait begins, a task is not suspended */

struct task {
	TAILQ_ENTRY(task) link;
	struct loop *loop;
	struct ready ready;
	struct timer *timer; /* created with the first deadline */
	const char *name;
	usec_t started, deadline, timer_at;
	const char *where; /* the wait it is suspended in, NULL while it runs */
	unsigned waits;
	bool woken, cancelled, masked, finished;
	int interrupted;   /* the result of waits while interrupted, else 0 */
	struct gate *gate; /* NULL: none */
	usec_t gate_since;

	ucontext_t context;
	void *stack;
	unsigned valgrind_id;
	void *fake_stack; /* AddressSanitizer's, while suspended */

	int (*fn)(struct task *t, void *data);
	void (*done)(struct task *t, int result, void *data);
	void *data;
	int result;

	struct arena arena;
	struct failure failure;
};

static TAILQ_HEAD(, task) tasks = TAILQ_HEAD_INITIALIZER(tasks);
static unsigned live;
static struct task *current;
static ucontext_t loop_context;
static const void *loop_stack; /* bounds of the loop's own stack, as AddressSanitizer saw them */
static size_t loop_stack_size;
static void *spare_stacks[SPARE_STACKS];
static unsigned spare_count;

int (*task_wait_fault)(struct task *t, unsigned nth, const char *where);

static size_t guard_size(void)
{
	static size_t page;

	if (!page)
		page = (size_t)sysconf(_SC_PAGESIZE);
	return page;
}

static void *stack_new(void)
{
	char *stack;

	if (spare_count > 0)
		return spare_stacks[--spare_count];
	stack = mmap(NULL, guard_size() + LIMIT_TASK_STACK, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		abort();
	if (mprotect(stack, guard_size(), PROT_NONE) < 0)
		abort();
	return stack + guard_size();
}

static void stack_free(void *stack)
{
	if (spare_count < SPARE_STACKS)
		spare_stacks[spare_count++] = stack;
	else
		munmap((char *)stack - guard_size(), guard_size() + LIMIT_TASK_STACK);
}

/* The four halves of AddressSanitizer's fibre protocol; no-ops without it. */
static void fiber_leave(void **fake_stack, const void *bottom, size_t size)
{
#ifdef HAVE_ASAN
	__sanitizer_start_switch_fiber(fake_stack, bottom, size);
#endif
}

static void fiber_entered(void *fake_stack, const void **from_bottom, size_t *from_size)
{
#ifdef HAVE_ASAN
	__sanitizer_finish_switch_fiber(fake_stack, from_bottom, from_size);
#endif
}

static void switch_to_loop(struct task *t)
{
	fiber_leave(t->finished ? NULL : &t->fake_stack, loop_stack, loop_stack_size);
	swapcontext(&t->context, &loop_context);
	fiber_entered(t->fake_stack, &loop_stack, &loop_stack_size);
}

static void switch_to_task(struct task *t)
{
	void *fake_stack = NULL;

	current = t;
	turn_runs_task(t->name);
	fiber_leave(&fake_stack, t->stack, LIMIT_TASK_STACK);
	swapcontext(&loop_context, &t->context);
	fiber_entered(fake_stack, NULL, NULL);
	turn_runs_task(NULL);
	current = NULL;
}

static void task_main(void)
{
	struct task *t = current;

	fiber_entered(NULL, &loop_stack, &loop_stack_size);
	if (task_wait_fault)
		task_wait_fault(t, 0, "its first run");
	/* What the function would work with may have gone with the reason for the cancellation. */
	t->result = t->cancelled ? -ECANCELED : t->fn(t, t->data);
	t->finished = true;
	switch_to_loop(t);
	abort();
}

static void task_free(struct task *t)
{
	TAILQ_REMOVE(&tasks, t, link);
	live--;
	loop_cancel_ready(t->loop, &t->ready);
	timer_free(t->timer);
	VALGRIND_STACK_DEREGISTER(t->valgrind_id);
	stack_free(t->stack);
	arena_done(&t->arena);
	failure_done(&t->failure);
	free(t);
}

static void task_resume(struct ready *r)
{
	struct task *t = CONTAINER_OF(r, struct task, ready);

	switch_to_task(t);
	if (!t->finished)
		return;
	if (t->done)
		t->done(t, t->result, t->data);
	task_free(t);
}

int task_start(struct loop *l, const char *name, int (*fn)(struct task *t, void *data),
	       void (*done)(struct task *t, int result, void *data), void *data, struct task **ret)
{
	struct task *t;

	if (live >= LIMIT_TASKS_COUNT)
		return -EAGAIN;
	t = NEW(struct task);
	*t = (struct task){
		.loop = l,
		.name = name,
		.fn = fn,
		.done = done,
		.data = data,
		.started = clock_now(),
		.deadline = USEC_NEVER,
		.timer_at = USEC_NEVER,
		.ready.run = task_resume,
		.stack = stack_new(),
	};
	t->valgrind_id = VALGRIND_STACK_REGISTER(t->stack, (char *)t->stack + LIMIT_TASK_STACK);
	getcontext(&t->context);
	t->context.uc_stack = (stack_t){ .ss_sp = t->stack, .ss_size = LIMIT_TASK_STACK };
	makecontext(&t->context, task_main, 0);
	TAILQ_INSERT_TAIL(&tasks, t, link);
	live++;
	loop_ready(l, &t->ready);
	if (ret)
		*ret = t;
	return 0;
}

static void deadline_passed(void *data)
{
	struct task *t = data;

	t->timer_at = USEC_NEVER;
	if (t->where)
		loop_ready(t->loop, &t->ready);
}

static void arm_deadline(struct task *t)
{
	if (t->timer_at == t->deadline)
		return;
	if (!t->timer)
		t->timer = timer_new(t->loop, deadline_passed, t);
	t->timer_at = t->deadline;
	timer_set(t->timer, t->deadline);
}

/* The error that ends the wait, or 0. A wake-up takes precedence over a deadline that passed at the same time. */
static int interruption(struct task *t)
{
	if (t->cancelled && !t->masked)
		return -ECANCELED;
	if (t->interrupted < 0 && !t->masked)
		return t->interrupted;
	if (!t->woken && t->deadline != USEC_NEVER && clock_now() >= t->deadline)
		return -ETIMEDOUT;
	return 0;
}

int task_wait(struct task *t, const char *where)
{
	int r;

	assert(t == current);
	t->waits++;
	r = task_wait_fault ? task_wait_fault(t, t->waits, where) : 0;
	if (r < 0)
		return r;
	for (;;) {
		r = interruption(t);
		if (r < 0)
			return r;
		if (t->woken) {
			t->woken = false;
			return 0;
		}
		arm_deadline(t);
		t->where = where;
		switch_to_loop(t);
		t->where = NULL;
	}
}

void task_wake(struct task *t)
{
	t->woken = true;
	if (t->where)
		loop_ready(t->loop, &t->ready);
}

int task_sleep(struct task *t, usec_t duration)
{
	usec_t until = clock_now() + MAX(duration, (usec_t)SHORTEST_SLEEP);
	usec_t outer = t->deadline;
	int r;

	task_set_deadline(t, MIN(until, outer));
	do
		r = task_wait(t, "pause");
	while (r == 0);
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT && until <= outer ? 0 : r;
}

void task_cancel(struct task *t, int r, const char *fmt, ...)
{
	va_list ap;

	if (t->cancelled)
		return;
	t->cancelled = true;
	va_start(ap, fmt);
	failure_vset(&t->failure, r, fmt, ap);
	va_end(ap);
	if (t->where)
		loop_ready(t->loop, &t->ready);
}

void task_interrupt(struct task *t, int r)
{
	t->interrupted = r;
	if (r < 0 && t->where)
		loop_ready(t->loop, &t->ready);
}

bool task_cancelled(const struct task *t)
{
	return t->cancelled;
}

bool task_mask_cancel(struct task *t, bool masked)
{
	bool old = t->masked;

	t->masked = masked;
	return old;
}

usec_t task_set_deadline(struct task *t, usec_t at)
{
	usec_t old = t->deadline;

	t->deadline = at;
	return old;
}

usec_t task_deadline(const struct task *t)
{
	return t->deadline;
}

void task_set_gate(struct task *t, struct gate *g)
{
	if (t->gate == g)
		return;
	t->gate = g;
	t->gate_since = clock_now();
}

struct gate *task_gate(const struct task *t)
{
	return t->gate;
}

usec_t task_gate_since(const struct task *t)
{
	return t->gate_since;
}

struct waitq_entry {
	TAILQ_ENTRY(waitq_entry) link;
	struct task *task;
};

void waitq_init(struct waitq *q)
{
	TAILQ_INIT(&q->entries);
}

int waitq_wait(struct task *t, struct waitq *q, const char *where)
{
	struct waitq_entry entry = { .task = t };
	int r;

	TAILQ_INSERT_TAIL(&q->entries, &entry, link);
	r = task_wait(t, where);
	TAILQ_REMOVE(&q->entries, &entry, link);
	return r;
}

void waitq_wake(struct waitq *q)
{
	struct waitq_entry *e;

	TAILQ_FOREACH(e, &q->entries, link)
		task_wake(e->task);
}

struct loop *task_loop(const struct task *t)
{
	return t->loop;
}

struct arena *task_arena(struct task *t)
{
	return &t->arena;
}

struct task *task_current(void)
{
	return current;
}

int task_vfail(struct task *t, int r, const char *fmt, va_list ap)
{
	if (t->cancelled) /* errors after the cancellation are consequences of it */
		return t->failure.code;
	failure_vset(&t->failure, r, fmt, ap);
	return r;
}

int task_fail(struct task *t, int r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r = task_vfail(t, r, fmt, ap);
	va_end(ap);
	return r;
}

int task_fail_because_values(struct task *t, int r, enum reason reason, uint64_t types, const char *template, ...)
{
	va_list ap;

	if (t->cancelled)
		return t->failure.code;
	va_start(ap, template);
	failure_vset_because(&t->failure, r, reason, types, template, ap);
	va_end(ap);
	return r;
}

void task_fail_details_values(struct task *t, uint64_t types, const char *template, ...)
{
	va_list ap;

	if (t->cancelled)
		return;
	str_reset(&t->failure.details);
	va_start(ap, template);
	str_vjson(&t->failure.details, types, template, ap);
	va_end(ap);
}

int task_wrap(struct task *t, int r, int as, const char *before, const char *after)
{
	if (t->cancelled)
		return t->failure.code;
	if (t->failure.code != r)
		failure_set(&t->failure, r, "%s", error_words(r));
	failure_wrap(&t->failure, as, before, after);
	return as;
}

const struct failure *task_failure(const struct task *t)
{
	return &t->failure;
}

int task_error(const struct task *t)
{
	return t->failure.code;
}

enum reason task_error_reason(const struct task *t)
{
	return t->failure.reason;
}

struct json *task_error_facts(const struct task *t)
{
	return failure_facts(&t->failure);
}

void task_keep_failure(const struct task *t, int r, struct failure *ret)
{
	if (t->failure.code == r)
		failure_copy(ret, &t->failure);
	else
		failure_reset(ret, r);
}

int task_fail_of(struct task *t, const struct failure *f)
{
	if (t->cancelled)
		return t->failure.code;
	failure_copy(&t->failure, f);
	return f->code;
}

void task_forget_failure(struct task *t)
{
	if (!t->cancelled)
		failure_reset(&t->failure, 0);
}

void task_dump(struct str *out)
{
	struct task *t;

	TAILQ_FOREACH(t, &tasks, link)
		str_appendf(out, "%s: %" PRIu64 " ms old, %s\n", t->name, (uint64_t)((clock_now() - t->started) / USEC_PER_MSEC),
			    t->where ? t->where : "running");
}

const char *task_where(const struct task *t)
{
	return t->where;
}

unsigned task_count(void)
{
	return live;
}
