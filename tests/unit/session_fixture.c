#include "session_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "loop/failure_words.h"

struct loop *loop;
struct browser *browser;
struct pool *pool;
static struct registry *current; /* is told that the browser died */
const struct egress_settings no_limits;

static void on_browser_died(struct browser *b, void *data)
{
	if (current)
		registry_browser_died(current, b);
}

int group_setup(void **state)
{
	static const struct browser_options options = { .start.headless = true, .timeout_launch = 60 * USEC_PER_SEC };

	log_set_level(LOG_EMERGENCY);
	if (loop_new(&loop) < 0)
		return -1;
	browser = browser_new(loop, &options, on_browser_died, NULL);
	pool = pool_new(loop, browser, NULL);
	return 0;
}

int group_teardown(void **state)
{
	pool_free(pool);
	browser_free(browser);
	loop_free(loop);
	return 0;
}

int fixture_setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->options = (struct registry_options){ .timeout = HOUR, .max = 10 };
	f->registry = current = registry_new(loop, pool, &f->options, &no_limits, NULL);
	*state = f;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *f = *state;

	registry_close_all(f->registry);
	while (task_count() > 0)
		assert_int_equal(loop_step(loop), 0);
	current = NULL;
	registry_free(f->registry);
	for (unsigned i = 0; i < CALLS; i++)
		str_done(&f->calls[i].failure);
	str_done(&f->events);
	free(f);
	return 0;
}

/* ---- calls ---- */

static void on_returned(struct task *t, int result, void *data)
{
	struct call *c = data;

	c->task = NULL;
	c->result = result < 0 && task_error(t) ? task_error(t) : result;
	str_reset(&c->failure);
	str_append(&c->failure, failure_has_words(t, task_error(t)) ? failure_words(t, task_error(t)) : "");
}

struct call *call_new(struct fixture *f, uint64_t owner, const char *id)
{
	struct call *c = f->calls;

	while (c->f)
		c++;
	*c = (struct call){ .f = f, .owner = owner, .name = (char)('a' + (c - f->calls)) };
	snprintf(c->id, sizeof(c->id), "%s", id);
	return c;
}

struct call *start(struct call *c, int (*fn)(struct task *t, void *data))
{
	assert_int_equal(task_start(loop, "call", fn, on_returned, c, &c->task), 0);
	run_queued(loop);
	return c;
}

int await_end(struct call *c)
{
	while (c->task)
		assert_int_equal(loop_step(loop), 0);
	return c->result;
}

void await_inside(struct call *c)
{
	while (!c->inside)
		assert_int_equal(loop_step(loop), 0);
}

void let_leave(struct call *c)
{
	c->may_leave = true;
	task_wake(c->task);
	await_end(c);
}

int run_create(struct task *t, void *data)
{
	struct call *c = data;
	const struct session *s;
	int r;

	r = registry_create(t, c->f->registry, c->owner, &c->plan, &s);
	if (r == 0)
		snprintf(c->id, sizeof(c->id), "%s", session_id(s));
	return r;
}

static int stay(struct task *t, struct call *c, struct session *s)
{
	struct page *p;
	int r = 0;

	str_append_char(&c->f->events, c->name);
	c->inside = true;
	snprintf(c->id, sizeof(c->id), "%s", session_id(s));
	while (r == 0 && !c->may_leave)
		r = task_wait(t, "the test");
	p = context_page(session_context(s));
	snprintf(c->page, sizeof(c->page), "%s", p ? page_target_id(p) : "");
	if (c->resets)
		session_reset(s);
	session_leave(s);
	str_append_char(&c->f->events, c->name);
	return r;
}

int run_visit(struct task *t, void *data)
{
	struct call *c = data;
	struct session *s;
	int r;

	r = session_enter(t, c->f->registry, c->owner, c->id, &s);
	return r < 0 ? r : stay(t, c, s);
}

int run_visit_own(struct task *t, void *data)
{
	struct call *c = data;
	struct session *s;
	int r;

	r = session_enter_own(t, c->f->registry, c->owner, c->id, &s);
	return r < 0 ? r : stay(t, c, s);
}

int run_knows(struct task *t, void *data)
{
	struct call *c = data;

	return registry_knows(t, c->f->registry, c->owner, c->id);
}

int run_close(struct task *t, void *data)
{
	struct call *c = data;

	return registry_close(t, c->f->registry, c->owner, c->id);
}

void expect(struct fixture *f, uint64_t owner, const char *id, int (*fn)(struct task *t, void *data), int result, const char *part)
{
	struct call *c = call_new(f, owner, id);

	c->may_leave = true;
	assert_int_equal(await_end(start(c, fn)), result);
	if (!strstr(c->failure.data, part))
		fail_msg("\"%s\" does not contain \"%s\"", c->failure.data, part);
	str_done(&c->failure);
	c->f = NULL;
}

struct call *visit(struct fixture *f, uint64_t owner, const char *id)
{
	return start(call_new(f, owner, id), run_visit);
}

void on_ended(void *data)
{
	((struct fixture *)data)->ended++;
}

int create_planned(struct fixture *f, uint64_t owner, struct session_plan plan, char ret[SESSION_ID_SIZE])
{
	struct call *c = call_new(f, owner, "");

	c->plan = plan;
	await_end(start(c, run_create));
	snprintf(ret, SESSION_ID_SIZE, "%s", c->id);
	str_done(&c->failure);
	c->f = NULL;
	return c->result;
}

int run_open_pages(struct task *t, void *data)
{
	const struct call *c = data;

	return registry_open_pages(t, c->f->registry, c->owner);
}

int create(struct fixture *f, uint64_t owner, char ret[SESSION_ID_SIZE])
{
	int r = create_planned(f, owner, (struct session_plan){ .ended = on_ended, .data = f }, ret);

	if (r == 0)
		expect(f, owner, ret, run_open_pages, 0, "");
	return r;
}

void assert_failure(struct call *c, int result, const char *part)
{
	assert_int_equal(await_end(c), result);
	if (!strstr(c->failure.data, part))
		fail_msg("\"%s\" does not contain \"%s\"", c->failure.data, part);
}

static void raise_flag(void *data)
{
	*(bool *)data = true;
}

void run_until(usec_t at)
{
	bool passed = false;
	struct timer *timer = timer_new(loop, raise_flag, &passed);

	timer_set(timer, at);
	while (!passed)
		assert_int_equal(loop_step(loop), 0);
	timer_free(timer);
	run_queued(loop);
}
