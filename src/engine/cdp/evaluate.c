#include <errno.h>
#include <string.h>

#include "engine/cdp/cdp.h"
#include "engine/script.h"

int engine_parse(struct task *t, const struct engine_frame *at, const char *script, struct syntax *ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	const struct json *refused;
	const char *message;
	int r;

	cdp_send(t, at->target, &call, "Runtime.compileScript", "{expression: ?, sourceURL: '', persistScript: false}", script);
	r = engine_await(t, &call);
	if (r < 0)
		return r;
	refused = json_get(cdp_call_result(&call), "exceptionDetails");
	message = json_str(refused, "exception.description");
	*ret = (struct syntax){
		.refused = refused,
		.line = json_int(refused, "lineNumber", 0),
		.column = json_int(refused, "columnNumber", 0),
		.message = message ? arena_strndup(task_arena(t), message, strcspn(message, "\n")) : NULL,
	};
	return 0;
}

/* Appends the elements to the arguments of the call; `anchor` is set to the object id of the last one. */
static int append_elements(struct task *t, const struct engine_frame *at, const char *const *handles, struct str *arguments,
			   const char **anchor)
{
	int r = 0;

	for (size_t i = 0; r == 0 && handles[i]; i++) {
		r = cdp_page_object(t, at, handles[i], anchor);
		if (r == 0)
			str_json(arguments, "?{objectId: ?}", JSON_COMMA(arguments->len), *anchor);
	}
	return r;
}

static int call_function(struct task *t, const struct engine_frame *at, struct engine_call *call,
			 const struct evaluation_request *e)
{
	_cleanup_(str_done) struct str arguments = {};
	const char *anchor = NULL;
	int r;

	for (size_t i = 0; e->arguments && e->arguments[i]; i++)
		str_json(&arguments, "?{value: ?}", JSON_COMMA(i > 0), JSON_RAW(e->arguments[i]));
	r = append_elements(t, at, e->elements, &arguments, &anchor);
	if (r < 0)
		return r;
	cdp_send(t, at->target, call, "Runtime.callFunctionOn",
		 "{functionDeclaration: ?, objectId: ?, arguments: [?], returnByValue: ?, awaitPromise: true, userGesture: true, "
		 "objectGroup: 'browserd'}",
		 e->text, anchor, JSON_RAW(e->arguments ? str_text(&arguments) : ""), (bool)!e->by_reference);
	return 0;
}

int engine_evaluate(struct task *t, const struct engine_frame *at, struct engine_call *call, const struct evaluation_request *e)
{
	_cleanup_(str_done) struct str more = {};

	if (e->elements && e->elements[0])
		return call_function(t, at, call, e);
	if (e->world)
		str_json(&more, ", contextId: ?", e->world);
	if (e->time > 0)
		str_json(&more, ", timeout: ?", e->time);
	cdp_send(t, at->target, call, "Runtime.evaluate",
		 "{expression: ?, returnByValue: ?, awaitPromise: true, userGesture: true, objectGroup: 'browserd' ?}", e->text,
		 (bool)!e->by_reference, JSON_RAW(str_text(&more)));
	return 0;
}

int engine_await_evaluation(struct task *t, struct engine_call *call, struct evaluation_outcome *ret)
{
	const struct json *result, *exception;
	const char *name;
	int r = engine_await(t, call);

	*ret = (struct evaluation_outcome){};
	if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_TOO_DEEP)
		ret->end = EVALUATION_TOO_DEEP;
	else if (r == -EREMOTE && cdp_call_refusal(call) == CDP_REFUSED_TERMINATED)
		ret->end = EVALUATION_STOPPED;
	else if (r < 0)
		return r;
	if (r < 0)
		return 0;
	result = cdp_call_result(call);
	exception = json_get(result, "exceptionDetails");
	name = json_str(exception, "exception.className");
	*ret = (struct evaluation_outcome){
		.end = exception ? EVALUATION_THREW : EVALUATION_ENDED,
		.value = json_get(result, "result.value"),
		.is_object = json_str(result, "result.objectId"),
		.thrown = json_str(exception, "exception.description"),
		.thrown_value = json_get(exception, "exception.value"),
		.is_malformed = name && strcmp(name, "SyntaxError") == 0,
	};
	return 0;
}

int engine_value_handle(struct task *t, const struct engine_frame *at, const struct engine_call *call, const char *prefix,
			const char **ret)
{
	const char *object = arena_strdup(task_arena(t), json_str(cdp_call_result(call), "result.objectId"));
	_cleanup_(json_freep) struct json *node = NULL, *resolved = NULL, *reply = NULL;
	int r;

	r = cdp_call(t, at->target, &node, "DOM.describeNode", "{objectId: ?}", object);
	if (r == 0)
		r = cdp_call(t, at->target, &resolved, "DOM.resolveNode",
			     "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
			     json_int(node, "result.node.backendNodeId", 0), at->own_world);
	if (r < 0)
		return r;
	r = cdp_call(
		t, at->target, &reply, "Runtime.callFunctionOn",
		"{functionDeclaration: 'function(refPrefix){return browserd.handleOfElement({element: this, refPrefix})}', objectId: ?, "
		"arguments: [{value: ?}], returnByValue: true}",
		json_str(resolved, "result.object.objectId"), prefix);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(reply, "result.result.value.ref"));
	return r;
}

void engine_forget_values(struct engine_target *s)
{
	cdp_post(s, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
}

void engine_terminate(struct engine_target *s)
{
	cdp_post(s, "Runtime.terminateExecution", "{}");
}

/* If the script had ended already, the termination would hit the next script; the empty evaluation absorbs it. */
void engine_interrupt(struct engine_target *s)
{
	engine_terminate(s);
	cdp_post(s, "Runtime.evaluate", "{expression: '0', silent: true}");
}

void engine_ask_alive(struct task *t, struct engine_target *s, struct engine_call *call)
{
	cdp_send(t, s, call, "Runtime.evaluate", "{expression: '0', silent: true}");
}
