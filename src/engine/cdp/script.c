#include "engine/script.h"

#include <errno.h>

#include "engine/cdp/cdp.h"

#define MISSING "{isMissing:true}" /* the value of a call in a world without the library */

int engine_make_world(struct task *t, const struct engine_frame *at, const char *name, int *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = cdp_call(t, at->target, &reply, "Page.createIsolatedWorld", "{frameId: ?, worldName: ?}", at->id, name);

	*ret = (int)json_int(reply, "result.executionContextId", 0);
	return r;
}

void engine_add_script(struct engine_target *s, const char *source, const char *world)
{
	if (world)
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?, worldName: ?, runImmediately: true}", source,
			 world);
	else
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?, runImmediately: true}", source);
}

/* In the same call the library would take most of the time of a call in a new document. */
void engine_add_library(struct engine_target *s, const char *source, const char *world)
{
	engine_add_script(s, source, world);
}

void engine_add_init_script(struct engine_target *s, const char *source, const char *world)
{
	if (world)
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?, worldName: ?}", source, world);
	else
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?}", source);
}

/* Pages that others open wait until they have been given it. */
void engine_share_init_script(struct engine_target *s, const char *source)
{
	engine_add_init_script(s, source, NULL);
}

void engine_lend_script(struct task *t, struct engine_target *s, struct engine_call *call, const char *source, const char *world)
{
	cdp_send(t, s, call, "Page.addScriptToEvaluateOnNewDocument", "{source: ?, worldName: ?}", source, world);
}

void engine_remove_script(struct engine_target *s, const struct engine_call *lent)
{
	const char *id = json_str(cdp_call_result(lent), "identifier");

	if (id)
		cdp_post(s, "Page.removeScriptToEvaluateOnNewDocument", "{identifier: ?}", id);
}

void engine_expose(struct engine_target *s, const char *name, const char *world)
{
	if (world)
		cdp_post(s, "Runtime.addBinding", "{name: ?, executionContextName: ?}", name, world);
	else
		cdp_post(s, "Runtime.addBinding", "{name: ?}", name);
}

void engine_run(struct engine_target *s, int world, const char *source)
{
	cdp_post(s, "Runtime.evaluate", "{expression: ?, contextId: ?, silent: true}", source, world);
}

/*
 * The functions of the console are there only while the first text is evaluated, which runs no code of the page. The second one gets the function
 * under a name that is new each time, because a name can be declared only once.
 */
void engine_report_listeners(struct engine_target *s, int world, const char *function, const char *name)
{
	static unsigned number;
	_cleanup_(str_done) struct str keep = {}, script = {};

	number++;
	str_appendf(&keep, "const l%s%u = getEventListeners", name, number);
	str_appendf(&script, "%s('%s', l%s%u)", function, name, name, number);
	cdp_post(s, "Runtime.evaluate", "{expression: ?, contextId: ?, includeCommandLineAPI: true, silent: true}", keep.data,
		 world);
	engine_run(s, world, script.data);
}

void engine_run_in_page(struct engine_target *s, const char *source)
{
	cdp_post(s, "Runtime.evaluate", "{expression: ?, silent: true}", source);
}

void engine_call_script(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *function,
			const char *argument, bool is_gesture)
{
	_cleanup_(str_done) struct str declaration = {};

	str_appendf(&declaration, "a=>'browserd'in globalThis?browserd.%s(a):" MISSING, function);
	cdp_send(t, at->target, call, "Runtime.callFunctionOn",
		 "{functionDeclaration: ?, arguments: [{value: ?}], executionContextId: ?, returnByValue: true, "
		 "awaitPromise: true, userGesture: ?}",
		 declaration.data, JSON_RAW(argument), at->own_world, is_gesture);
}

void engine_ask(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *expression)
{
	cdp_send(t, at->target, call, "Runtime.evaluate", "{expression: ?, contextId: ?, returnByValue: true}", expression,
		 at->own_world);
}

/* Of a call that has its reply, which it takes from it. */
static void read_outcome(struct task *t, struct engine_call *call, struct script_outcome *ret)
{
	const struct json *result = cdp_call_result(call), *exception = json_get(result, "exceptionDetails");

	if (exception) {
		ret->end = SCRIPT_THREW;
		ret->thrown = arena_strdup(task_arena(t), json_text(exception, "exception.description"));
	} else if (json_bool(result, "result.value.isMissing", false)) {
		ret->end = SCRIPT_MISSING;
	} else {
		ret->end = SCRIPT_ENDED;
		ret->value = json_extract(TAKE_PTR(call->reply), "result.result.value");
	}
}

int engine_await_script(struct task *t, struct engine_call *call, struct script_outcome *ret)
{
	int r = engine_await(t, call);

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_CONTEXT_GONE)
		return 0;
	if (r == 0)
		read_outcome(t, call, ret);
	return r;
}

int engine_compute(struct task *t, _borrowed_ struct engine_target *s, const char *expression, unsigned time,
		   struct script_outcome *ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	if (time)
		cdp_send(t, s, &call, "Runtime.evaluate", "{expression: ?, returnByValue: true, silent: true, timeout: ?}",
			 expression, time);
	else
		cdp_send(t, s, &call, "Runtime.evaluate", "{expression: ?, silent: true, awaitPromise: true, returnByValue: true}",
			 expression);
	r = engine_await(t, &call);
	if (r == 0)
		read_outcome(t, &call, ret);
	return r;
}

int engine_ask_promise(struct task *t, const struct engine_frame *at, const char *expression, struct json **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = cdp_call(t, at->target, &reply, "Runtime.evaluate",
			 "{expression: ?, contextId: ?, returnByValue: true, awaitPromise: true, silent: true}", expression,
			 at->own_world);

	*ret = r == 0 ? json_extract(TAKE_PTR(reply), "result.result.value") : NULL;
	return r;
}

/* ---- without a task ---- */

int engine_ask_value(struct engine_target *s, struct engine_call *call, const char *expression,
		     void (*replied)(struct engine_call *call, void *data), void *data)
{
	return cdp_request(s, call, replied, data, "Runtime.evaluate", "{expression: ?, returnByValue: true, silent: true}",
			   expression);
}

const struct json *engine_value(const struct engine_call *call)
{
	return json_get(cdp_call_result(call), "result.value");
}

int engine_ask_settled(struct engine_target *s, struct engine_call *call, int world, const char *expression,
		       void (*replied)(struct engine_call *call, void *data), void *data)
{
	return cdp_request(s, call, replied, data, "Runtime.evaluate",
			   "{expression: ?, contextId: ?, awaitPromise: true, silent: true}", expression, world);
}

int engine_answer_run(struct engine_target *s, struct engine_call *call, int world, const char *source,
		      void (*replied)(struct engine_call *call, void *data), void *data)
{
	return cdp_answer(s, call, replied, data, "Runtime.evaluate", "{expression: ?, contextId: ?, silent: true}", source, world);
}

int engine_answer_call(struct engine_target *s, struct engine_call *call, int world, const char *function, int number,
		       const char *text, void (*replied)(struct engine_call *call, void *data), void *data)
{
	return cdp_answer(s, call, replied, data, "Runtime.callFunctionOn",
			  "{functionDeclaration: ?, arguments: [{value: ?}, {value: ?}], executionContextId: ?, silent: true}",
			  function, number, text, world);
}
