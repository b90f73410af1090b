/* Programs: the documents of the sandbox that code runs in, and the operations that the code asks for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/share.h"
#include "loop/gate.h"
#include "page/frame.h"
#include "page/navigate.h"
#include "runcode/operation.h"

static LIST_HEAD(, code_program) programs = LIST_HEAD_INITIALIZER(programs);

/* ---- pages and frames ---- */

/* What has gone since the last run keeps its number, which no other page or frame gets. */
static void program_forget_gone(struct code_program *g)
{
	unsigned left = 0;

	for (unsigned i = 0; i < g->frames_count; i++)
		if (frame_detached(g->frames[i].frame) || !page_alive(frame_page(g->frames[i].frame)))
			frame_unref(g->frames[i].frame);
		else
			g->frames[left++] = g->frames[i];
	g->frames_count = left;
	left = 0;
	for (unsigned i = 0; i < g->pages_count; i++)
		if (page_alive(g->pages[i].page)) {
			g->pages[left++] = g->pages[i];
		} else {
			code_program_remove_routes(g, g->pages[i].page);
			page_unref(g->pages[i].page);
			str_done(&g->pages[i].state);
		}
	g->pages_count = left;
}

/* Dialogs of the pages interrupt the task; NULL: none. */
static void watch_modals(struct code_program *g, struct task *t)
{
	for (unsigned i = 0; i < g->pages_count; i++)
		page_watch_modals(g->pages[i].page, t);
}

static struct page *page_of_message(struct code_program *g, const struct json *message)
{
	int64_t number = json_int(message, "page", -1);

	for (unsigned i = 0; i < g->pages_count; i++)
		if (g->pages[i].number == number)
			return g->pages[i].page;
	return NULL;
}

/* ---- answers ---- */

/* Errors are sent with the name of their class: scripts/code/channel.js. Every one names the method but those with a text of their own. */
static void print_failure(struct operation_call *c, int r, struct str *out)
{
	enum browse_failure failure = c->call.failure == BROWSE_FAILURE_PLAIN ? BROWSE_FAILURE_OF_CALL : c->call.failure;

	if (r == -ESTALE && c->page && !page_alive(c->page)) {
		task_fail(c->call.t, r,
			  page_crashed(c->page) ? "Target crashed" : "Target page, context or browser has been closed");
		failure = BROWSE_FAILURE_OF_CALL;
	}
	str_json(out, ", error: {name: ?, message: ?}", failure == BROWSE_FAILURE_TIMEOUT ? "TimeoutError" : "Error",
		 browse_failure_text(c->call.t, r, failure, c->call.caller));
}

static void program_answer(struct operation_call *c, int r)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "id: ?", json_int(c->message, "id", 0));
	if (r < 0)
		print_failure(c, r, &out);
	else if (c->value.len)
		str_json(&out, ", value: ?", JSON_RAW(c->value.data));
	code_program_tell(c->program, "answer", out.data);
}

static void program_refuse(struct code_program *g, const struct json *message, const char *why)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{id: ?, error: {name: 'Error', message: ?}}", json_int(message, "id", 0), why);
	sandbox_call(g->sandbox, "answer", out.data);
}

/* ---- operations ---- */

static const struct operation *program_find_in(const struct operation *table, const char *name)
{
	for (; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

static const struct operation *find_operation(const char *name)
{
	const struct operation *const tables[] = {
		element_operations, page_operations,    context_operations, event_operations,   download_operations,
		file_operations,    request_operations, route_operations,   exposed_operations,
	};
	const struct operation *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_SIZE(tables); i++)
		found = program_find_in(tables[i], name);
	return found;
}

static void call_free(struct operation_call *c)
{
	c->program->busy -= c->counted;
	code_program_unref(c->program);
	json_free(c->message);
	page_unref(c->page);
	frame_unref(c->frame);
	str_done(&c->value);
	free(c);
}

static int program_perform(struct operation_call *c)
{
	struct page *p = c->page;
	unsigned commits = p ? page_commits(p) : 0;
	int r;

	if (p && !page_alive(p))
		return -ESTALE;
	if (c->frame && frame_detached(c->frame))
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR, "Frame was detached");
	r = c->operation->run(c);
	return r == 0 && p && c->operation->acts ? page_follow(c->call.t, p, commits, c->call.timeouts.navigation) : r;
}

/* Operations in their turn are steps of the session's trace. */
static int perform_traced(struct operation_call *c)
{
	struct browse *run = c->operation->scheduling == OPERATION_IN_TURN && !c->operation->untraced ? c->program->run : NULL;
	int r;

	if (run)
		traced_begin(&c->traced, c->call.t, run->session, c->page);
	r = program_perform(c);
	if (run)
		traced_end_step(&c->traced, &c->call, c->page, &run->traced, c->message, r);
	return r;
}

/*
 * A person who has control keeps the code from the pages, like a call. What pages wait for passes, because the person works with them, and so
 * does what only waits for events.
 */
static int pass_gate(struct operation_call *c)
{
	if (!c->session || c->operation->between_runs || c->operation->scheduling == OPERATION_BACKGROUND)
		return 0;
	task_set_gate(c->call.t, session_gate(c->session));
	return gate_pass(c->call.t);
}

static int call_main(struct task *t, void *data)
{
	struct operation_call *c = data;
	bool in_turn = c->operation->scheduling == OPERATION_IN_TURN;
	int r = 0;

	if (in_turn)
		r = operation_begin_turn(c);
	if (r < 0)
		return r;
	r = pass_gate(c);
	if (r >= 0 && c->operation->acts && c->program->run)
		c->program->run->acted = true;
	if (r >= 0)
		r = perform_traced(c);
	if (in_turn)
		operation_end_turn(c);
	return r;
}

/* The default is the reference's for run_code. 0 means no limit to the program; the server limits it to an hour. */
static void take_timeouts(struct operation_call *c)
{
	double msec = json_num(c->message, "timeout", -1);

	c->call.timeouts = c->program->timeouts;
	c->call.timeouts.action = CODE_ACTION_TIMEOUT;
	if (msec >= 0)
		c->call.timeouts.action = c->call.timeouts.navigation =
			(usec_t)(msec > 0 && msec < TIMEOUT_MAX_MSEC ? msec : TIMEOUT_MAX_MSEC) * USEC_PER_MSEC;
}

static struct operation_call *call_new(struct code_program *g, struct json *message)
{
	struct operation_call *c = NEW(struct operation_call);
	const char *caller = json_str(message, "api");

	c->program = code_program_ref(g);
	c->message = message;
	c->operation = find_operation(json_str(message, "op") ? json_str(message, "op") : "");
	c->call = (struct tool_call){ .app = g->app, .files = g->files, .owner = g->owner, .caller = caller ? caller : "page" };
	if (g->run && c->operation && !c->operation->between_runs)
		c->session = g->run->session;
	c->page = page_ref(page_of_message(g, message));
	c->frame = frame_ref(operation_child_frame(c, message));
	take_timeouts(c);
	return c;
}

/* What waits for an answer gets one; a program may give a few that are refused. */
static unsigned most_answers(const struct code_program *g)
{
	return LIMIT_CODE_ANSWERS_COUNT + g->requests_count + g->exposed_waits_count;
}

/* Why the operation cannot be performed; NULL: it can. */
static const char *obstacle(const struct code_program *g, struct operation_call *c)
{
	if (g->ended)
		return "the code has ended";
	if (!c->operation || (!c->operation->no_page && !c->page) || (c->frame && frame_page(c->frame) != c->page))
		return "there is no such operation or page";
	if (!g->run && !c->operation->between_runs)
		return "the call that ran this code has ended: its handlers can answer requests and calls, and nothing else";
	if (c->operation->answers ? g->answering + g->waiting_count >= most_answers(g) :
				    g->count - g->answering >= LIMIT_CODE_OPERATIONS_COUNT)
		return "too many operations at a time; await some of them";
	return NULL;
}

/* The operations that run are shared by the programs and, where owners do not know each other, by these. */
static bool program_has_share(const struct code_program *g)
{
	bool shared = registry_options(g->app->registry)->shared;
	const struct code_program *other;
	unsigned own = 0, all = 0;

	LIST_FOREACH(other, &programs, link) {
		all += other->count;
		own += other->owner == g->owner ? other->count : 0;
	}
	return share_allows(g->count, all, LIMIT_ALL_OPERATIONS_COUNT, 0) &&
	       (!shared || share_allows(own, all, LIMIT_ALL_OPERATIONS_COUNT, 0));
}

/* An answer waits only for the end of another one of its program. */
static bool has_to_wait(const struct code_program *g)
{
	return g->answering >= LIMIT_CODE_ANSWERS_COUNT || (g->answering > 0 && !program_has_share(g));
}

static void call_ended(struct task *t, int r, void *data);

static void begin_call(struct operation_call *c)
{
	struct code_program *g = c->program;

	if (!program_has_share(g) || task_start(g->loop, c->operation->name, call_main, call_ended, c, &c->call.t) < 0) {
		program_refuse(g, c->message, "the server is too busy; try again");
		call_free(c);
		return;
	}
	TAILQ_INSERT_TAIL(&g->calls, c, link);
	g->count++;
	g->answering += c->operation->answers;
}

static struct operation_call *take_waiting(struct code_program *g)
{
	struct operation_call *c = TAILQ_FIRST(&g->waiting);

	if (c) {
		TAILQ_REMOVE(&g->waiting, c, link);
		g->waiting_count--;
	}
	return c;
}

static void begin_waiting(struct code_program *g)
{
	while (!TAILQ_EMPTY(&g->waiting) && !has_to_wait(g))
		begin_call(take_waiting(g));
}

static void call_ended(struct task *t, int r, void *data)
{
	struct operation_call *c = data;
	struct code_program *g = c->program;

	program_answer(c, r);
	TAILQ_REMOVE(&g->calls, c, link);
	g->count--;
	g->answering -= c->operation->answers;
	begin_waiting(g);
	if (g->run)
		task_wake(g->run->call.t);
	call_free(c);
}

/* Takes ownership of `message`. */
static void start_call(struct code_program *g, struct json *message)
{
	struct operation_call *c = call_new(g, message);
	const char *why = obstacle(g, c);

	if (why) {
		program_refuse(g, message, why);
		call_free(c);
		return;
	}
	c->counted = c->operation->scheduling != OPERATION_BACKGROUND;
	g->busy += c->counted;
	if (!c->operation->answers || (TAILQ_EMPTY(&g->waiting) && !has_to_wait(g))) {
		begin_call(c);
	} else {
		TAILQ_INSERT_TAIL(&g->waiting, c, link);
		g->waiting_count++;
	}
}

/* Malformed messages are ignored, as is the end of a run that has ended. */
static void program_on_message(struct sandbox_user *u, const char *text)
{
	struct code_program *g = CONTAINER_OF(u, struct code_program, user);
	struct json *message = NULL;

	if (json_parse(text, strlen(text), JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &message) < 0)
		return;
	if (!json_get(message, "end")) {
		start_call(g, message);
	} else if (g->run && !g->end) {
		g->end = message;
		task_wake(g->run->call.t);
	} else {
		json_free(message);
	}
}

/* ---- its life ---- */

/* Operations that may go on between runs, unless `all`, are left alone. */
static void cancel_calls(struct code_program *g, bool all)
{
	struct operation_call *c;

	while (all && (c = take_waiting(g)))
		call_free(c);
	TAILQ_FOREACH(c, &g->calls, link)
		if (all || !c->operation->between_runs)
			task_cancel(c->call.t, -ECANCELED, "the code has ended");
}

static bool has_calls_of_run(const struct code_program *g, bool all)
{
	struct operation_call *c;

	TAILQ_FOREACH(c, &g->calls, link)
		if (all || !c->operation->between_runs)
			return true;
	return false;
}

/* Whether something is left for which the document has to stay. */
static bool has_handlers(const struct code_program *g)
{
	return g->routes_count > 0 || g->exposed_count > 0;
}

static void program_finish(struct code_program *g)
{
	if (g->ended)
		return;
	g->ended = true;
	cancel_calls(g, true);
	code_program_remove_routes(g, NULL);
	code_program_end_exposed(g);
	g->context = NULL;
}

static void program_on_ended(struct sandbox_user *u)
{
	struct code_program *g = CONTAINER_OF(u, struct code_program, user);

	program_finish(g);
	if (g->run)
		task_wake(g->run->call.t);
	code_program_unref(g);
}

struct code_program *code_program_ref(struct code_program *g)
{
	g->refs++;
	return g;
}

struct code_program *code_program_unref(struct code_program *g)
{
	if (!g || --g->refs > 0)
		return NULL;
	for (unsigned i = 0; i < g->pages_count; i++) {
		page_unref(g->pages[i].page);
		str_done(&g->pages[i].state);
	}
	for (unsigned i = 0; i < g->frames_count; i++)
		frame_unref(g->frames[i].frame);
	LIST_REMOVE(g, link);
	json_free(g->end);
	free((char *)g->files.workspace);
	free(g);
	return NULL;
}

static struct code_program *code_program_new(struct browse *b, struct sandbox *s)
{
	struct code_program *g = NEW(struct code_program);

	g->refs = 1; /* the sandbox's */
	g->user = (struct sandbox_user){ .message = program_on_message, .ended = program_on_ended };
	g->sandbox = s;
	g->context = session_context(b->session);
	g->loop = task_loop(b->call.t);
	g->owner = b->call.owner;
	LIST_INSERT_HEAD(&programs, g, link);
	TAILQ_INIT(&g->calls);
	TAILQ_INIT(&g->waiting);
	TAILQ_INIT(&g->routes);
	TAILQ_INIT(&g->requests);
	TAILQ_INIT(&g->exposed_waits);
	waitq_init(&g->turns);
	sandbox_set_user(s, &g->user);
	return g;
}

static void take_settings(struct code_program *g, struct tool_call *call)
{
	free((char *)g->files.workspace);
	g->app = call->app;
	g->timeouts = call->timeouts;
	g->files = call->files;
	if (call->files.workspace)
		g->files.workspace = must(strdup(call->files.workspace));
}

struct code_program *code_program_begin_run(struct browse *b, _kept_ struct sandbox *s)
{
	struct sandbox_user *user = sandbox_user(s);
	struct code_program *g = user ? CONTAINER_OF(user, struct code_program, user) : code_program_new(b, s);

	g->run = b;
	g->end = json_free(g->end);
	take_settings(g, &b->call);
	program_forget_gone(g);
	watch_modals(g, b->call.t);
	return g;
}

void code_program_end_run(struct task *t, struct code_program *g)
{
	bool masked = task_mask_cancel(t, true), stays = g->end && !g->ended && has_handlers(g);

	task_interrupt(t, 0);
	task_set_deadline(t, USEC_NEVER);
	if (!stays && !g->ended) {
		sandbox_set_user(g->sandbox, NULL);
		program_finish(g);
		code_program_unref(g);
	}
	cancel_calls(g, !stays);
	while (has_calls_of_run(g, !stays))
		task_wait(t, "the operations of the code");
	task_mask_cancel(t, masked);
	watch_modals(g, NULL);
	g->run = NULL;
}
