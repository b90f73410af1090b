#include "act/evaluate.h"

#include <errno.h>
#include <string.h>

#include "act/callable.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/script.h"
#include "page/agent_code.h"
#include "page/frames.h"
#include "page/frame.h"
#include "scripts/scripts.h"

static int fail_thrown(struct task *t, const struct evaluation_outcome *o)
{
	_cleanup_(str_done) struct str value = {};

	if (o->thrown)
		return task_fail(t, -ERR_BROWSER_ERROR, "%s", o->thrown);
	json_print(&value, o->thrown_value);
	return task_fail(t, -ERR_BROWSER_ERROR, "the script threw %s", value.len ? value.data : "an exception");
}

/* The time until the deadline, after which the browser terminates the script. */
static double left_msec(struct task *t)
{
	usec_t deadline = task_deadline(t), now = clock_now();

	return deadline == USEC_NEVER ? 0 : deadline > now ? (double)(deadline - now) / USEC_PER_MSEC : 1;
}

/* For values that cannot be serialized: window, for example, refers to itself. */
static int fail_too_deep(struct task *t)
{
	return task_fail(t, -ERR_BROWSER_ERROR,
			 "the value refers to itself or is nested too deeply; return the part that is needed");
}

#define STUCK_TIME (100 * USEC_PER_MSEC) /* in which a page answers that is not stuck */
#define SMALLER "; return the part that is needed, or one part at a time, or let the page save it as a download"

static int evaluate_fail_too_large(struct task *t, const struct engine_call *call)
{
	if (call->length <= LIMIT_VALUE)
		return task_fail(t, -ERR_BROWSER_ERROR, "the value has more than %u members and elements, the limit" SMALLER,
				 JSON_VALUES_MAX);
	return task_fail(t, -ERR_BROWSER_ERROR, "the value has %s%.1f MiB as JSON, and the limit is %u MiB" SMALLER,
			 call->length > LIMIT_CDP_MESSAGE ? "more than " : "",
			 (double)MIN(call->length, (size_t)LIMIT_CDP_MESSAGE) / (1 << 20), LIMIT_VALUE >> 20);
}

/*
 * Interrupts the script of a call that has timed out or was cancelled, if that script keeps the page from answering. The script may have
 * ended, or may wait for a promise: the interruption would then end the next script of the page, which belongs to another call.
 */
static void end_stuck_script(struct task *t, struct frame *f)
{
	_cleanup_(engine_call_done) struct engine_call alive = {};
	bool masked = task_mask_cancel(t, true);
	usec_t deadline = task_set_deadline(t, clock_now() + STUCK_TIME);
	int r;

	engine_ask_alive(t, frame_target(f), &alive);
	r = engine_await(t, &alive);
	task_set_deadline(t, deadline);
	task_mask_cancel(t, masked);
	if (r == -ETIMEDOUT && frame_alive(f))
		frame_interrupt(f);
}

static int evaluate_run_script(struct task *t, struct page *p, const char *script, struct engine_call *call,
			       struct evaluation_outcome *ret)
{
	const struct evaluation_request request = { .text = script, .time = left_msec(t) };
	int r;

	engine_call_done(call);
	r = engine_evaluate(t, frame_engine(page_main_frame(p)), call, &request);
	call->max_reply = LIMIT_VALUE;
	if (r == 0)
		r = engine_await_evaluation(t, call, ret);
	if (r == -EMSGSIZE)
		return evaluate_fail_too_large(t, call);
	if (r == -ETIMEDOUT)
		page_set_busy(p);
	if (r == -ECANCELED && page_alive(p))
		end_stuck_script(t, page_main_frame(p));
	if (r == 0 && ret->end == EVALUATION_STOPPED)
		return -ETIMEDOUT;
	return r == 0 && ret->end == EVALUATION_TOO_DEEP ? fail_too_deep(t) : r;
}

/* Runs what the caller means by a text that is no script, if the browser does not parse it as one. */
static int run_as_meant(struct task *t, struct page *p, const char *text, struct engine_call *call, struct evaluation_outcome *ret)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	struct callable callable;
	int r;

	r = callable_find_in_script(t, f, text, &callable);
	if (r < 0 || !callable.text)
		return r;
	return evaluate_run_script(t, p, arena_printf(task_arena(t), "(%s\n)%s", callable.text, callable.is_function ? "()" : ""),
				   call, ret);
}

/* Before code of an agent runs in the page. */
static int evaluate_admit(struct task *t, struct page *p)
{
	int r = page_check_logins(t, p);

	if (r == 0)
		page_note_code(p);
	return r;
}

int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str value = {};
	struct evaluation_outcome outcome;
	int r;

	r = evaluate_admit(t, p);
	if (r == 0)
		r = evaluate_run_script(t, p, expression, &call, &outcome);
	if (r == 0 && outcome.is_malformed)
		r = run_as_meant(t, p, expression, &call, &outcome);
	if (r < 0)
		return r;
	if (outcome.end == EVALUATION_THREW)
		return fail_thrown(t, &outcome);
	if (outcome.value)
		json_print(&value, outcome.value);
	*ret_json = arena_strdup(task_arena(t), value.len ? value.data : "null");
	return 0;
}

/*
 * The caller's expression is evaluated outside of the wrapper's scope (scripts/functions/callexpression.js), so that it
 * sees no name of the wrapper but `element`, and begins in the first line, by which the console names what it logs.
 */
static void print_call(struct str *out, const char *text, bool on_element)
{
	str_append(out, on_element ? "({ element: this, read: element => (" : "({ read: () => (");
	str_append(out, text);
	str_append(out, "\n), run: ");
	str_append(out, call_expression_script);
	str_append(out, " }).run()");
}

static const char *thrown_text(struct task *t, const struct evaluation_outcome *o)
{
	_cleanup_(str_done) struct str value = {};

	if (o->thrown)
		return arena_strdup(task_arena(t), o->thrown);
	if (json_str(o->thrown_value, NULL))
		return arena_strdup(task_arena(t), json_str(o->thrown_value, NULL));
	if (o->thrown_value)
		json_print(&value, o->thrown_value);
	return arena_strdup(task_arena(t), value.len ? value.data : "undefined");
}

/* Whether the call has used up its time; a page that has not replied before gets less. */
static bool has_passed(struct task *t, int r)
{
	return r == -ETIMEDOUT && clock_now() >= task_deadline(t);
}

/* Returns 0 when the script has ended with a value, or has thrown. */
static int await_call(struct task *t, struct frame *f, struct engine_call *call, struct evaluation_outcome *ret)
{
	int r;

	call->max_reply = LIMIT_VALUE;
	r = engine_await_evaluation(t, call, ret);
	if (r == -ETIMEDOUT)
		page_set_busy(frame_page(f));
	if ((r == -ECANCELED || has_passed(t, r)) && frame_alive(f)) /* the page goes on without it */
		end_stuck_script(t, f);
	if (r == -EMSGSIZE)
		return evaluate_fail_too_large(t, call);
	if (r == -EREMOTE || (r == 0 && ret->end == EVALUATION_STOPPED))
		return task_fail(t, -ESTALE, "Execution context was destroyed, most likely because of a navigation");
	return r == 0 && ret->end == EVALUATION_TOO_DEEP ? fail_too_deep(t) : r;
}

static bool is_json(const char *text)
{
	return json_check(text, strlen(text), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE) == 0;
}

/* The page may have replaced JSON.stringify. A result that is not valid JSON is returned as a JSON string. */
static const char *value_text(struct arena *a, const char *text)
{
	_cleanup_(str_done) struct str quoted = {};

	if (!strcmp(text, "undefined") || is_json(text))
		return arena_strdup(a, text);
	str_append_quoted(&quoted, text, strlen(text));
	return arena_strdup(a, quoted.data);
}

static void evaluate_take_text(struct task *t, const char *text, struct function_result *ret)
{
	if (strlen(text) < 2)
		text = "fvundefined";
	ret->is_function = text[0] == 'f';
	ret->outcome = text[1] == 'v' ? FUNCTION_VALUE : FUNCTION_UNPRINTABLE;
	ret->text = text[1] == 'v' ? value_text(task_arena(t), text + 2) : arena_strdup(task_arena(t), text + 2);
}

/* Prints a value that the browser serialized, in the isolated world, whose JSON object the page cannot replace. */
static int evaluate_print_value(struct task *t, struct frame *f, const struct json *value, const char **ret)
{
	_cleanup_(json_freep) struct json *text = NULL;
	_cleanup_(str_done) struct str expression = {};
	int r;

	str_append(&expression, "JSON.stringify(");
	json_print(&expression, value);
	str_append(&expression, ", null, 2)");
	r = frame_probe(t, f, &text, expression.data);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_text(text, NULL));
	return r;
}

static int take_call(struct task *t, struct frame *f, const struct json *result, struct function_result *ret)
{
	const char *text = json_str(result, NULL), *kind = json_str(result, "called");
	const struct json *value = json_get(result, "value");

	if (!text && value) {
		ret->is_function = kind && *kind == 'f';
		return evaluate_print_value(t, f, value, &ret->text);
	}
	evaluate_take_text(t, text ? text : "", ret);
	return 0;
}

static int send_call(struct task *t, struct frame *f, const char *ref, const char *text, struct engine_call *call)
{
	struct evaluation_request request = { .elements = ref ? (const char *const[]){ ref, NULL } : NULL };
	_cleanup_(str_done) struct str script = {};

	str_append(&script, ref ? "function() { return " : "");
	print_call(&script, text, ref);
	str_append(&script, ref ? " }" : "");
	request.text = script.data;
	return engine_evaluate(t, frame_engine(f), call, &request);
}

/*
 * Takes the reply of browserd.endCall(), which was sent after the call. It does not cover what a promise did that was
 * resolved later. Negative: the task was canceled.
 */
static int take_no_effect(struct task *t, struct frame *f, const struct engine_call *call, struct engine_call *asked,
			  struct settle *s)
{
	_cleanup_(json_freep) struct json *value = NULL;
	struct navigation shown;
	int r;

	r = frame_script_await(t, f, asked, &value);
	if (r == -ECANCELED)
		return r;
	/* A call that returned a promise has awaited its timers itself. */
	s->awaits_timers = r == 0 && asked->answered >= call->answered;
	if (!s->awaits_timers || f != page_main_frame(s->page) || !json_str(value, "url"))
		return 0;
	navigation_shown(t, s->page, value, &shown);
	settle_without_effect(s, &shown);
	return 0;
}

static int evaluate_call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s,
				  struct function_result *ret, bool *ret_malformed)
{
	_cleanup_(engine_call_done) struct engine_call call = {}, asked = {};
	struct evaluation_outcome outcome = {};
	int r;

	r = settle_watch_call(t, s, f);
	if (r == 0)
		r = send_call(t, f, ref, text, &call);
	if (r < 0)
		return r;
	s->scrolls = strcasestr(text, "scroll"); /* the scroll event is dispatched with the next frame */
	if (!s->scrolls)
		engine_ask(t, frame_engine(f), &asked,
			   arena_printf(task_arena(t), "browserd.endCall({titleLimit: %d})", LIMIT_TITLE));
	r = await_call(t, f, &call, &outcome);
	if (has_passed(t, r))
		r = task_fail(t, -ERR_BROWSER_ERROR, "Timeout %llu ms exceeded: the function has not ended, and was stopped",
			      (unsigned long long)((clock_now() - call.sent) / USEC_PER_MSEC));
	*ret_malformed = r == 0 && outcome.is_malformed;
	if (r == 0 && outcome.end == EVALUATION_THREW) {
		ret->outcome = FUNCTION_THREW;
		ret->text = thrown_text(t, &outcome);
	} else if (r == 0) {
		r = take_call(t, f, outcome.value, ret);
	}
	if (r == 0 && !s->scrolls && !*ret_malformed)
		r = take_no_effect(t, f, &call, &asked, s);
	if (ref)
		engine_forget_values(frame_target(f));
	return r;
}

int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s,
			struct function_result *ret)
{
	struct callable callable = {};
	bool malformed = false;
	int r;

	ret->code = text;
	r = evaluate_admit(t, frame_page(f));
	if (r == 0)
		r = evaluate_call_function(t, f, ref, text, s, ret, &malformed);
	if (r == 0 && malformed)
		r = callable_find(t, f, text, ref ? "element" : "", &callable);
	if (callable.complaint)
		ret->text = callable.complaint;
	if (r < 0 || !callable.text)
		return r;
	*ret = (struct function_result){ .code = callable.text };
	return evaluate_call_function(t, f, ref, callable.text, s, ret, &malformed);
}

/* The kind of argument, as scripts/functions/evaluate.js names it. */
static const char *taken_by(const struct evaluation *e)
{
	if (e->targets)
		return e->listed ? "list" : "element";
	if (e->is_function)
		return e->listed ? "list" : "argument";
	return "value";
}

/* Prints function(packed, count, ...elements). The caller's text is evaluated outside of the wrapper's scope here, too. */
static void print_evaluation(const struct evaluation *e, struct str *out)
{
	str_append(out, "function() { return ({ fn: (");
	str_append(out, e->function);
	str_append(out, "\n), run: ");
	str_append(out, evaluate_script);
	str_appendf(out, " }).run('%s', %s, ...arguments);\n}", taken_by(e), e->wants_element ? "true" : "false");
}

/* The handles of the elements that the function gets, NULL-terminated, in the task's arena. */
static const char *const *list_elements(struct task *t, const struct evaluation *e, unsigned targets)
{
	const char **list = arena_alloc(task_arena(t), (targets + json_count(e->refs) + 1) * sizeof(*list));
	size_t count = 0;

	for (; count < targets; count++)
		list[count] = e->targets[count];
	json_foreach(ref, e->refs)
		list[count++] = json_text(ref, NULL);
	list[count] = NULL;
	return list;
}

/* The handle of the element that is the value. */
static int ref_of_value(struct task *t, struct frame *f, const struct engine_call *call, const char **ret_ref)
{
	char prefix[REF_PREFIX_SIZE];
	int r = frame_script(t, f, NULL, "prepared", "{}");

	frame_ref_prefix(f, prefix);
	return r < 0 ? r : engine_value_handle(t, frame_engine(f), call, prefix, ret_ref);
}

static int evaluate_take_value(struct task *t, struct frame *f, const struct engine_call *call, const struct evaluation_outcome *o,
			       const struct evaluation *e, const char **ret, const char **ret_ref)
{
	const char *text = json_str(o->value, NULL);

	*ret = NULL;
	if (e->wants_element && o->is_object)
		return ref_of_value(t, f, call, ret_ref);
	if (text && !is_json(text)) /* the result is embedded as JSON, and the page may have replaced JSON.stringify */
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the page has changed JSON.stringify, or what it uses: the value is not known");
	*ret = arena_strdup(task_arena(t), text ? text : "undefined");
	return 0;
}

/* The browser evaluates in the main frame of a target unless it gets the execution context of another one. */
static int await_world(struct task *t, struct frame *f)
{
	int r = 0;

	while (r == 0 && frame_parent(f) && frame_page_world(f) == 0)
		r = waitq_wait(t, page_changed(frame_page(f)), "the document of a frame");
	return r == 0 && frame_detached(f) ? task_fail(t, -ESTALE, "the frame was removed") : r;
}

/* The function for the engine; without elements an expression that calls it with its arguments. */
static void evaluate_print_request(const struct evaluation *e, bool has_elements, const char *argument, struct str *text)
{
	if (has_elements) {
		print_evaluation(e, text);
		return;
	}
	str_append(text, "(");
	print_evaluation(e, text);
	str_append(text, ")(");
	str_append(text, argument);
	str_append(text, ", 0)");
}

static int evaluate_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
			     bool *ret_threw)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str text = {};
	const char *argument = e->argument ? e->argument : "{\"u\":0}";
	struct evaluation_request request = { .by_reference = e->wants_element };
	struct evaluation_outcome outcome;
	unsigned count = 0;
	int r;

	r = await_world(t, f);
	if (r < 0)
		return r;
	while (e->targets && e->targets[count])
		count++;
	request.elements = list_elements(t, e, count);
	evaluate_print_request(e, request.elements[0], argument, &text);
	request.text = text.data;
	request.arguments = (const char *const[]){ argument, arena_printf(task_arena(t), "%u", count), NULL };
	request.world = frame_parent(f) ? frame_page_world(f) : 0;
	r = engine_evaluate(t, frame_engine(f), &call, &request);
	if (r == 0)
		r = await_call(t, f, &call, &outcome);
	if (r < 0)
		return r;
	*ret_threw = outcome.end == EVALUATION_THREW;
	if (!*ret_threw)
		return evaluate_take_value(t, f, &call, &outcome, e, ret, ret_ref);
	*ret = thrown_text(t, &outcome);
	return 0;
}

int frame_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
		   bool *ret_threw)
{
	int r;

	r = evaluate_admit(t, frame_page(f));
	if (r == 0)
		r = evaluate_evaluate(t, f, e, ret, ret_ref, ret_threw);
	if (e->targets || e->wants_element || json_first(e->refs))
		engine_forget_values(frame_target(f));
	return r;
}
