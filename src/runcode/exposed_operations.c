/*
 * Functions of code that pages can call: exposeFunction() and exposeBinding() of pages and of the context. A page's call waits here
 * until the code (scripts/code/exposed.js) has answered it; also between runs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "browser/context_settings.h"
#include "page/answers.h"
#include "page/exposed.h"
#include "page/frame.h"
#include "runcode/operation.h"

struct exposed_wait {
	TAILQ_ENTRY(exposed_wait) link;
	uint64_t number;
	_kept_ struct frame *frame; /* a reference */
	int world;
	int64_t page_number; /* of the call in its document */
};

static void forget_wait(struct code_program *g, struct exposed_wait *w)
{
	TAILQ_REMOVE(&g->exposed_waits, w, link);
	g->exposed_waits_count--;
	frame_unref(w->frame);
	free(w);
}

/* Calls of documents that have gone. */
static void exposed_operations_forget_gone(struct code_program *g)
{
	struct exposed_wait *w, *next;

	for (w = TAILQ_FIRST(&g->exposed_waits); w; w = next) {
		next = TAILQ_NEXT(w, link);
		if (frame_detached(w->frame) || frame_page_world(w->frame) != w->world)
			forget_wait(g, w);
	}
}

static struct exposed_wait *add_wait(struct code_program *g, const struct exposed_call *call)
{
	struct exposed_wait *w;

	if (g->exposed_waits_count >= LIMIT_CODE_CALLS_COUNT)
		exposed_operations_forget_gone(g);
	if (g->exposed_waits_count >= LIMIT_CODE_CALLS_COUNT)
		return NULL;
	w = NEW(struct exposed_wait);
	*w = (struct exposed_wait){
		.number = ++g->last_call, .frame = frame_ref(call->frame), .world = call->world, .page_number = call->number
	};
	TAILQ_INSERT_TAIL(&g->exposed_waits, w, link);
	g->exposed_waits_count++;
	return w;
}

static void on_call(struct exposed_receiver *r, const struct exposed_call *call)
{
	struct code_program *g = CONTAINER_OF(r, struct code_program, calls_receiver);
	struct page *p = frame_page(call->frame);
	struct exposed_wait *w = add_wait(g, call);
	_cleanup_(str_done) struct str members = {};

	if (!w) {
		frame_refuse_call(call->frame, call->world, call->number, "too many calls wait for exposed functions");
		return;
	}
	str_json(&members, "call: ?, name: ?, page: ?, frame: ?, arguments: ?", w->number, call->name,
		 code_program_page_number(g, p), call->frame != page_main_frame(p) ? code_program_frame_number(g, call->frame) : -1,
		 call->arguments);
	code_program_tell(g, "called", members.data);
}

void code_program_end_exposed(struct code_program *g)
{
	struct exposed_wait *w;

	if (g->exposed_count > 0)
		context_receive_calls(g->context, NULL);
	g->exposed_count = 0;
	while ((w = TAILQ_FIRST(&g->exposed_waits))) {
		frame_refuse_call(w->frame, w->world, w->page_number, "the code of this function has ended");
		forget_wait(g, w);
	}
}

static int run_expose(struct operation_call *c)
{
	struct code_program *g = c->program;
	const char *name = operation_text(c, "name");
	int r;

	g->calls_receiver.called = on_call;
	context_receive_calls(g->context, &g->calls_receiver);
	g->exposed_count++;
	r = c->page ? page_expose(c->call.t, c->page, name) : context_expose(c->call.t, g->context, name);
	if (r < 0 && !g->ended)
		g->exposed_count--;
	return r;
}

static struct exposed_wait *find_wait(const struct operation_call *c)
{
	uint64_t number = (uint64_t)json_int(c->message, "call", 0);
	struct exposed_wait *w;

	TAILQ_FOREACH(w, &c->program->exposed_waits, link)
		if (w->number == number)
			break;
	return w;
}

/* Suspends until the page that has made the call takes another answer. */
static int exposed_operations_await_page(struct operation_call *c)
{
	const struct exposed_wait *w = find_wait(c);
	_cleanup_(page_unrefp) struct page *p = w ? page_ref(frame_page(w->frame)) : NULL;

	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	return p ? page_await_answers(c->call.t, p, ANSWER_TO_SCRIPT) : 0;
}

static int run_answer(struct operation_call *c)
{
	int r = exposed_operations_await_page(c);
	struct exposed_wait *w = find_wait(c);

	if (!w)
		return r; /* its document has gone */
	if (r == -ETIMEDOUT)
		frame_refuse_call(w->frame, w->world, w->page_number, "the page does not take the answers that it asks for");
	else if (r == 0)
		frame_answer_call(w->frame, w->world, w->page_number, operation_text(c, "value"),
				  json_bool(c->message, "threw", false));
	if (r == 0 || r == -ETIMEDOUT)
		forget_wait(c->program, w);
	return r;
}

const struct operation exposed_operations[] = {
	{ "expose", run_expose, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{ "answerCall", run_answer, .scheduling = OPERATION_CONCURRENT, .no_page = true, .answers = true, .between_runs = true },
	{},
};
