/* What the browser is asked for, and its replies. */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SOON USEC_PER_MSEC

struct memory_plan memory;

void memory_has_no(const char *name)
{
	fprintf(stderr, "the memory engine has no %s(): a test that needs it has to add it in tests/engine\n", name);
	abort();
}

struct json *memory_value_values(uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str text = {};
	struct json *value = NULL;
	va_list ap;

	va_start(ap, template);
	str_vjson(&text, types, template, ap);
	va_end(ap);
	json_parse(text.data, text.len, 64, JSON_REFUSE_UNREPRESENTABLE, &value);
	return must(value);
}

/* ---- calls ---- */

static void remove_call(struct engine_call *call)
{
	TAILQ_REMOVE(&call->target->calls, call, link);
	call->target = NULL;
}

static void complete(struct engine_call *call, int result, struct json *value)
{
	static uint64_t answers;

	remove_call(call);
	call->answered = ++answers;
	call->result = result;
	call->reply = value;
	if (call->task)
		task_wake(call->task);
	else
		call->replied(call, call->data);
}

static struct memory_message *find_message(struct engine_call *call)
{
	struct memory_message *m;

	TAILQ_FOREACH(m, &call->target->browser->messages, link)
		if (m->call == call)
			return m;
	return NULL;
}

static void free_message(struct memory_message *m)
{
	str_done(&m->text);
	json_free(m->value);
	free(m);
}

void memory_take_message(void *browser)
{
	struct launch *b = browser;
	struct memory_message *m = b->taken = TAILQ_FIRST(&b->messages);

	m->is_early = memory.held && strcmp(memory.held, m->what) == 0;
	if (memory.before && !m->is_early)
		memory.before(m->target->page, m->what, memory.data);
	if (b->taken && m->run && !m->is_early)
		m->run(m);
	if (!b->taken) /* its target has ended */
		return;
	TAILQ_REMOVE(&b->messages, m, link);
	if (!TAILQ_EMPTY(&b->messages))
		timer_set(b->timer, clock_now());
	b->taken = NULL;
	if (m->is_early) {
		m->is_early = false;
		TAILQ_INSERT_TAIL(&b->messages, m, link);
		timer_set(b->timer, clock_now() + SOON);
		return;
	}
	if (m->call)
		complete(m->call, m->result, TAKE_PTR(m->value));
	free_message(m);
}

struct memory_message *memory_send(struct task *t, struct engine_target *s, struct engine_call *call, const char *what,
				   void (*run)(struct memory_message *m), const char *text)
{
	struct memory_message *m;

	if (call)
		*call = (struct engine_call){ .task = t, .method = what, .result = s ? -ENOTCONN : -ESTALE };
	if (!s || !s->browser)
		return NULL;
	m = NEW(struct memory_message);
	*m = (struct memory_message){ .target = s, .call = call, .what = what, .run = run, .sent = clock_now() };
	str_append(&m->text, text);
	TAILQ_INSERT_TAIL(&s->browser->messages, m, link);
	timer_set(s->browser->timer, clock_now());
	if (!call)
		return m;
	call->target = s;
	call->sent = clock_now();
	TAILQ_INSERT_TAIL(&s->calls, call, link);
	return m;
}

void memory_post(struct engine_target *s, const char *what, void (*run)(struct memory_message *m), const char *text)
{
	memory_send(NULL, s, NULL, what, run, text);
}

int memory_call(struct task *t, struct engine_target *s, const char *what, void (*run)(struct memory_message *m), const char *text,
		struct json **ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	memory_send(t, s, &call, what, run, text);
	r = engine_await(t, &call);
	if (r == 0 && ret)
		*ret = TAKE_PTR(call.reply);
	return r;
}

void engine_call_done(struct engine_call *call)
{
	if (call->target) {
		find_message(call)->call = NULL;
		remove_call(call);
	}
	call->reply = json_free(call->reply);
}

int engine_await(struct task *t, struct engine_call *call)
{
	int r = 0;

	while (call->target && r == 0)
		r = task_wait(t, call->method);
	if (r == -ETIMEDOUT)
		return task_fail(t, r, "no reply to %s in time", call->method);
	if (r < 0 || call->result == 0)
		return r;
	return task_fail(t, call->result, "%s",
			 call->result == -ESTALE   ? ENGINE_PAGE_GONE :
			 call->result == -ENOTCONN ? ENGINE_BROWSER_ENDED :
						     strerror(-call->result));
}

/* ---- targets ---- */

struct engine_target *memory_target_new(struct launch *b, const char *id)
{
	struct engine_target *s = NEW(struct engine_target);

	s->browser = b;
	engine_id_set(s->id, id);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&b->targets, s, link);
	return s;
}

void memory_target_end(struct engine_target *s, int result)
{
	struct launch *b = s->browser;
	struct memory_message *m, *next;

	if (!b)
		return;
	while (!TAILQ_EMPTY(&s->calls))
		complete(TAILQ_FIRST(&s->calls), result, NULL);
	for (m = TAILQ_FIRST(&b->messages); m; m = next) {
		next = TAILQ_NEXT(m, link);
		if (m->target != s)
			continue;
		if (m == b->taken)
			b->taken = NULL;
		TAILQ_REMOVE(&b->messages, m, link);
		free_message(m);
	}
	timer_set(b->timer, TAILQ_EMPTY(&b->messages) ? USEC_NEVER : clock_now());
	TAILQ_REMOVE(&b->targets, s, link);
	if (s->page)
		s->page->target = NULL;
	s->browser = NULL;
	s->page = NULL;
}

struct engine_target *engine_target_free(struct engine_target *s)
{
	if (s)
		memory_target_end(s, -ESTALE);
	free(s);
	return NULL;
}

const char *engine_target_id(const struct engine_target *s)
{
	return s->id;
}
