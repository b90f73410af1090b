#include "act/evaluate.h"

#include <errno.h>
#include <string.h>

#include "act/callable.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "page/frames.h"
#include "page/frame.h"
#include "scripts/scripts.h"

static int fail_thrown(struct task *t, const struct json *exception)
{
	const char *text = json_str(exception, "exception.description");
	_cleanup_(str_done) struct str value = {};

	if (text)
		return task_fail(t, -ERR_BROWSER_ERROR, "%s", text);
	json_print(&value, json_get(exception, "exception.value"));
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

static int fail_too_large(struct task *t, const struct engine_call *call)
{
	if (call->length <= LIMIT_VALUE)
		return task_fail(t, -ERR_BROWSER_ERROR, "the value has more than %u members and elements, the limit" SMALLER,
				 JSON_VALUES_MAX);
	return task_fail(t, -ERR_BROWSER_ERROR, "the value has %s%.1f MiB as JSON, and the limit is %u MiB" SMALLER,
			 call->length > LIMIT_CDP_MESSAGE ? "more than " : "",
			 (double)MIN(call->length, (size_t)LIMIT_CDP_MESSAGE) / (1 << 20), LIMIT_VALUE >> 20);
}

static const struct json *thrown_by(const struct engine_call *call)
{
	return json_get(cdp_call_result(call), "exceptionDetails");
}

/* Whether the browser may have refused to parse the text; the code can have thrown the same, when it has run. */
static bool may_be_malformed(const struct engine_call *call)
{
	const char *name = json_str(thrown_by(call), "exception.className");

	return name && strcmp(name, "SyntaxError") == 0;
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

	cdp_send(t, frame_target(f), &alive, "Runtime.evaluate", "{expression: '0', silent: true}");
	r = engine_await(t, &alive);
	task_set_deadline(t, deadline);
	task_mask_cancel(t, masked);
	if (r == -ETIMEDOUT && frame_alive(f))
		frame_interrupt(f);
}

static int run_script(struct task *t, struct page *p, const char *script, struct engine_call *call)
{
	int r;

	engine_call_done(call);
	cdp_send(t, page_target(p), call, "Runtime.evaluate",
		 "{expression: ?, returnByValue: true, awaitPromise: true, userGesture: true, timeout: ?}", script, left_msec(t));
	call->max_reply = LIMIT_VALUE;
	r = engine_await(t, call);
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_TERMINATED)
		return -ETIMEDOUT;
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_TOO_DEEP)
		return fail_too_deep(t);
	if (r == -EMSGSIZE)
		return fail_too_large(t, call);
	if (r == -ETIMEDOUT)
		page_set_busy(p);
	if (r == -ECANCELED && page_alive(p))
		end_stuck_script(t, page_main_frame(p));
	return r;
}

/* Runs what the caller means by a text that is no script, if the browser does not parse it as one. */
static int run_as_meant(struct task *t, struct page *p, const char *text, struct engine_call *call)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	struct callable callable;
	int r;

	r = callable_find_in_script(t, f, text, &callable);
	if (r < 0 || !callable.text)
		return r;
	return run_script(t, p, arena_printf(task_arena(t), "(%s\n)%s", callable.text, callable.is_function ? "()" : ""), call);
}

int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str value = {};
	const struct json *result;
	int r;

	r = run_script(t, p, expression, &call);
	if (r == 0 && may_be_malformed(&call))
		r = run_as_meant(t, p, expression, &call);
	if (r < 0)
		return r;
	result = cdp_call_result(&call);
	if (thrown_by(&call))
		return fail_thrown(t, thrown_by(&call));
	if (json_get(result, "result.value"))
		json_print(&value, json_get(result, "result.value"));
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

static const char *thrown_text(struct task *t, const struct json *exception)
{
	const char *text = json_str(exception, "exception.description");
	_cleanup_(str_done) struct str value = {};

	if (text)
		return arena_strdup(task_arena(t), text);
	if (json_str(exception, "exception.value"))
		return arena_strdup(task_arena(t), json_str(exception, "exception.value"));
	if (json_get(exception, "exception.value"))
		json_print(&value, json_get(exception, "exception.value"));
	return arena_strdup(task_arena(t), value.len ? value.data : "undefined");
}

/* Whether the call has used up its time; a page that has not replied before gets less. */
static bool has_passed(struct task *t, int r)
{
	return r == -ETIMEDOUT && clock_now() >= task_deadline(t);
}

/* Returns 0 when there is a reply: it has a value, or `ret_threw` is set and `ret` is the text of the exception. */
static int await_call(struct task *t, struct frame *f, struct engine_call *call, const char **ret, bool *ret_threw)
{
	const struct json *exception;
	int r;

	call->max_reply = LIMIT_VALUE;
	r = engine_await(t, call);
	if (r == -ETIMEDOUT)
		page_set_busy(frame_page(f));
	if ((r == -ECANCELED || has_passed(t, r)) && frame_alive(f)) /* the page goes on without it */
		end_stuck_script(t, f);
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_TOO_DEEP)
		return fail_too_deep(t);
	if (r == -EMSGSIZE)
		return fail_too_large(t, call);
	if (r == -EREMOTE)
		return task_fail(t, -ESTALE, "Execution context was destroyed, most likely because of a navigation");
	if (r < 0)
		return r;
	exception = thrown_by(call);
	*ret_threw = exception;
	if (exception)
		*ret = thrown_text(t, exception);
	return 0;
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

static void take_text(struct task *t, const char *text, struct function_result *ret)
{
	if (strlen(text) < 2)
		text = "fvundefined";
	ret->is_function = text[0] == 'f';
	ret->outcome = text[1] == 'v' ? FUNCTION_VALUE : FUNCTION_UNPRINTABLE;
	ret->text = text[1] == 'v' ? value_text(task_arena(t), text + 2) : arena_strdup(task_arena(t), text + 2);
}

/* Prints a value that the browser serialized, in the isolated world, whose JSON object the page cannot replace. */
static int print_value(struct task *t, struct frame *f, const struct json *value, const char **ret)
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
		return print_value(t, f, value, &ret->text);
	}
	take_text(t, text ? text : "", ret);
	return 0;
}

/* `expression` refers to the element as `this`. */
static int call_object(struct task *t, struct frame *f, const char *ref, const char *expression, struct engine_call *call)
{
	const char *object;
	int r;

	r = cdp_page_object(t, frame_engine(f), ref, &object);
	if (r == 0)
		cdp_send(t, frame_target(f), call, "Runtime.callFunctionOn",
			 "{functionDeclaration: ?, objectId: ?, returnByValue: true, awaitPromise: true, userGesture: true}",
			 arena_printf(task_arena(t), "function() { return %s }", expression), object);
	return r;
}

static int send_call(struct task *t, struct frame *f, const char *ref, const char *text, struct engine_call *call)
{
	_cleanup_(str_done) struct str script = {};

	print_call(&script, text, ref);
	if (ref)
		return call_object(t, f, ref, script.data, call);
	cdp_send(t, frame_target(f), call, "Runtime.evaluate",
		 "{expression: ?, returnByValue: true, awaitPromise: true, userGesture: true}", script.data);
	return 0;
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

static int call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s,
			 struct function_result *ret, bool *ret_malformed)
{
	_cleanup_(engine_call_done) struct engine_call call = {}, asked = {};
	bool threw = false;
	int r;

	r = settle_watch_call(t, s, f);
	if (r == 0)
		r = send_call(t, f, ref, text, &call);
	if (r < 0)
		return r;
	s->scrolls = strcasestr(text, "scroll"); /* the scroll event is dispatched with the next frame */
	if (!s->scrolls)
		cdp_send(t, frame_target(f), &asked, "Runtime.evaluate", "{expression: ?, contextId: ?, returnByValue: true}",
			 arena_printf(task_arena(t), "browserd.endCall({titleLimit: %d})", LIMIT_TITLE), frame_world(f));
	r = await_call(t, f, &call, &ret->text, &threw);
	if (has_passed(t, r))
		r = task_fail(t, -ERR_BROWSER_ERROR, "Timeout %llu ms exceeded: the function has not ended, and was stopped",
			      (unsigned long long)((clock_now() - call.sent) / USEC_PER_MSEC));
	*ret_malformed = r == 0 && may_be_malformed(&call);
	if (r == 0 && threw)
		ret->outcome = FUNCTION_THREW;
	else if (r == 0)
		r = take_call(t, f, json_get(cdp_call_result(&call), "result.value"), ret);
	if (r == 0 && !s->scrolls && !*ret_malformed)
		r = take_no_effect(t, f, &call, &asked, s);
	if (ref)
		cdp_post(frame_target(f), "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r;
}

int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s,
			struct function_result *ret)
{
	struct callable callable = {};
	bool malformed;
	int r;

	ret->code = text;
	r = call_function(t, f, ref, text, s, ret, &malformed);
	if (r == 0 && malformed)
		r = callable_find(t, f, text, ref ? "element" : "", &callable);
	if (callable.complaint)
		ret->text = callable.complaint;
	if (r < 0 || !callable.text)
		return r;
	*ret = (struct function_result){ .code = callable.text };
	return call_function(t, f, ref, callable.text, s, ret, &malformed);
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

/* Appends the elements to the arguments of the call; `anchor` is set to the object id of the last one. */
static int append_elements(struct task *t, struct frame *f, const struct evaluation *e, struct str *arguments, const char **anchor)
{
	const char *object = NULL;
	int r;

	for (size_t i = 0; e->targets && e->targets[i]; i++) {
		r = cdp_page_object(t, frame_engine(f), e->targets[i], &object);
		if (r < 0)
			return r;
		str_json(arguments, ", {objectId: ?}", object);
		*anchor = object;
	}
	json_foreach(ref, e->refs) {
		r = cdp_page_object(t, frame_engine(f), json_str(ref, NULL) ? json_str(ref, NULL) : "", &object);
		if (r < 0)
			return r;
		str_json(arguments, ", {objectId: ?}", object);
		*anchor = object;
	}
	return 0;
}

/* The handle of an element that is given as an object of the page's own world. */
static int ref_of_object(struct task *t, struct frame *f, const char *object, const char **ret_ref)
{
	_cleanup_(json_freep) struct json *node = NULL, *resolved = NULL, *reply = NULL;
	char prefix[REF_PREFIX_SIZE];
	int r;

	r = frame_script(t, f, NULL, "prepared", "{}");
	if (r == 0)
		r = cdp_call(t, frame_target(f), &node, "DOM.describeNode", "{objectId: ?}", object);
	if (r == 0)
		r = cdp_call(t, frame_target(f), &resolved, "DOM.resolveNode",
			     "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
			     json_int(node, "result.node.backendNodeId", 0), frame_world(f));
	if (r < 0)
		return r;
	frame_ref_prefix(f, prefix);
	r = cdp_call(
		t, frame_target(f), &reply, "Runtime.callFunctionOn",
		"{functionDeclaration: 'function(refPrefix){return browserd.handleOfElement({element: this, refPrefix})}', objectId: ?, "
		"arguments: [{value: ?}], returnByValue: true}",
		json_str(resolved, "result.object.objectId"), prefix);
	if (r == 0)
		*ret_ref = arena_strdup(task_arena(t), json_str(reply, "result.result.value.ref"));
	return r;
}

static int take_value(struct task *t, struct frame *f, struct engine_call *call, const struct evaluation *e, const char **ret,
		      const char **ret_ref)
{
	const char *object = json_str(cdp_call_result(call), "result.objectId");
	const char *text = json_str(cdp_call_result(call), "result.value");

	if (!e->wants_element || !object) {
		if (text && !is_json(text)) /* the result is embedded as JSON, and the page may have replaced JSON.stringify */
			return task_fail(t, -ERR_BROWSER_ERROR,
					 "the page has changed JSON.stringify, or what it uses: the value is not known");
		*ret = arena_strdup(task_arena(t), text ? text : "undefined");
		return 0;
	}
	*ret = NULL;
	return ref_of_object(t, f, arena_strdup(task_arena(t), object), ret_ref);
}

/* The browser evaluates in the main frame of a target unless it gets the execution context of another one. */
static int await_world(struct task *t, struct frame *f)
{
	int r = 0;

	while (r == 0 && frame_parent(f) && frame_page_world(f) == 0)
		r = waitq_wait(t, page_changed(frame_page(f)), "the document of a frame");
	return r == 0 && frame_detached(f) ? task_fail(t, -ESTALE, "the frame was removed") : r;
}

static int evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
		    bool *ret_threw)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str function = {}, arguments = {}, world = {};
	const char *anchor = NULL;
	unsigned count = 0;
	int r;

	r = await_world(t, f);
	if (r < 0)
		return r;
	while (e->targets && e->targets[count])
		count++;
	print_evaluation(e, &function);
	str_json(&arguments, "{value: ?}, {value: ?}", JSON_RAW(e->argument ? e->argument : "{\"u\":0}"), count);
	r = append_elements(t, f, e, &arguments, &anchor);
	if (r < 0)
		return r;
	if (anchor)
		cdp_send(
			t, frame_target(f), &call, "Runtime.callFunctionOn",
			"{functionDeclaration: ?, objectId: ?, arguments: [?], returnByValue: ?, awaitPromise: true, userGesture: true, "
			"objectGroup: 'browserd'}",
			function.data, anchor, JSON_RAW(arguments.data), (bool)!e->wants_element);
	else {
		str_prepend(&function, "(", 1);
		str_append(&function, ")(");
		str_append(&function, e->argument ? e->argument : "{\"u\":0}");
		str_append(&function, ", 0)");
		if (frame_parent(f))
			str_json(&world, ", contextId: ?", frame_page_world(f));
		cdp_send(t, frame_target(f), &call, "Runtime.evaluate",
			 "{expression: ?, returnByValue: ?, awaitPromise: true, userGesture: true, objectGroup: 'browserd' ?}",
			 function.data, (bool)!e->wants_element, JSON_RAW(str_text(&world)));
	}
	r = await_call(t, f, &call, ret, ret_threw);
	if (r < 0 || *ret_threw)
		return r;
	return take_value(t, f, &call, e, ret, ret_ref);
}

int frame_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
		   bool *ret_threw)
{
	int r;

	r = evaluate(t, f, e, ret, ret_ref, ret_threw);
	if (e->targets || e->wants_element || json_first(e->refs))
		cdp_post(frame_target(f), "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r;
}
