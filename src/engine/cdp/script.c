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

void engine_run(struct engine_target *s, int world, const char *source)
{
	cdp_post(s, "Runtime.evaluate", "{expression: ?, contextId: ?, silent: true}", source, world);
}

void engine_run_as_console(struct engine_target *s, int world, const char *source)
{
	cdp_post(s, "Runtime.evaluate", "{expression: ?, contextId: ?, includeCommandLineAPI: true, silent: true}", source, world);
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

int engine_await_script(struct task *t, struct engine_call *call, struct script_outcome *ret)
{
	const struct json *result, *exception;
	int r = engine_await(t, call);

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_CONTEXT_GONE)
		return 0;
	if (r < 0)
		return r;
	result = cdp_call_result(call);
	exception = json_get(result, "exceptionDetails");
	if (exception) {
		ret->end = SCRIPT_THREW;
		ret->thrown = arena_strdup(task_arena(t), json_text(exception, "exception.description"));
	} else if (json_bool(result, "result.value.isMissing", false)) {
		ret->end = SCRIPT_MISSING;
	} else {
		ret->end = SCRIPT_ENDED;
		ret->value = json_extract(TAKE_PTR(call->reply), "result.result.value");
	}
	return 0;
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
