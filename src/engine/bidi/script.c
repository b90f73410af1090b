/*
 * Calls into execution contexts. Values cross as JSON text, which the scripts of this program write and read themselves: the values of BiDi
 * have types for all that JavaScript has, and cost a hundred milliseconds where JSON takes three.
 */
#include "engine/script.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/internal.h"

#define MISSING "{\"isMissing\":true}" /* the text of a call in a world without the library */

static void script_prepare(struct engine_target *s, int world)
{
	if (s->connection)
		bidi_prepare_world(s, bidi_find_world(s->connection, world));
}

void engine_run(struct engine_target *s, int world, const char *source)
{
	if (!s)
		return;
	script_prepare(s, world);
	bidi_post(s, "script.evaluate", "{expression: ?, target: ?, awaitPromise: false}", source,
		  JSON_RAW(bidi_script_place(s, world)));
}

/* What addEventListener() was given no script can list, but handlers are there to be read. */
void engine_report_listeners(struct engine_target *s, int world, const char *function, const char *name)
{
	static const char handlers[] =
		"e=>{const o={};for(const k of ['click','mousedown','mouseup','pointerdown','pointerup','touchstart','touchend','dblclick',"
		"'contextmenu','dragstart','drag','drop','dragover','dragenter'])if(e['on'+k])o[k]=1;return o}";
	_cleanup_(str_done) struct str script = {};

	str_appendf(&script, "(%s\n)('%s',%s)", function, name, handlers);
	engine_run(s, world, script.data);
}

void engine_run_in_page(struct engine_target *s, const char *source)
{
	bidi_post(s, "script.evaluate", "{expression: ?, target: {context: ?}, awaitPromise: false}", source, s ? s->id : "");
}

void engine_call_script(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *function,
			const char *argument, bool is_gesture)
{
	_cleanup_(str_done) struct str declaration = {};

	if (at->target)
		script_prepare(at->target, at->own_world);
	str_appendf(&declaration, "async a=>'browserd'in globalThis?JSON.stringify(await browserd.%s(JSON.parse(a))):'" MISSING "'",
		    function);
	bidi_send(t, at->target, call, at->own_world, "script.callFunction",
		  "{functionDeclaration: ?, arguments: [{type: 'string', value: ?}], target: ?, awaitPromise: true, "
		  "userActivation: ?}",
		  declaration.data, argument, JSON_RAW(bidi_script_place(at->target, at->own_world)), is_gesture);
}

static void append_json_expression(struct str *out, const char *expression)
{
	str_append(out, "JSON.stringify(");
	str_append(out, expression);
	str_append(out, "\n)");
}

void engine_ask(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *expression)
{
	_cleanup_(str_done) struct str text = {};

	append_json_expression(&text, expression);
	bidi_send(t, at->target, call, at->own_world, "script.evaluate", "{expression: ?, target: ?, awaitPromise: false}",
		  text.data, JSON_RAW(bidi_script_place(at->target, at->own_world)));
}

/* The value of a script that ended with JSON text or undefined. */
static struct json *script_value(const struct json *result)
{
	const char *text = json_str(result, "result.value");
	struct json *value = NULL;

	if (text && json_parse(text, strlen(text), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value) < 0)
		return NULL;
	return value;
}

static void bidi_read_outcome(struct task *t, const struct json *result, struct script_outcome *ret)
{
	const char *text = json_str(result, "result.value");

	if (json_get(result, "exceptionDetails")) {
		ret->end = SCRIPT_THREW;
		ret->thrown = arena_strdup(task_arena(t), json_text(result, "exceptionDetails.text"));
	} else if (text && strcmp(text, MISSING) == 0) {
		ret->end = SCRIPT_MISSING;
	} else {
		ret->end = SCRIPT_ENDED;
		ret->value = script_value(result);
	}
}

bool bidi_has_gone(const struct engine_call *call)
{
	return call->result == -EREMOTE && (!call->reply || strcmp(bidi_error(call), "no such frame") == 0);
}

int engine_await_script(struct task *t, struct engine_call *call, struct script_outcome *ret)
{
	int r = engine_await(t, call);

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	if (r == -EREMOTE && bidi_has_gone(call))
		return 0;
	if (r == 0)
		bidi_read_outcome(t, bidi_result(call), ret);
	return r;
}

int engine_ask_promise(struct task *t, const struct engine_frame *at, const char *expression, struct json **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	str_appendf(&text, "(async()=>JSON.stringify(await (%s\n)))()", expression);
	r = bidi_call(t, at->target, &reply, at->own_world, "script.evaluate", "{expression: ?, target: ?, awaitPromise: true}",
		      text.data, JSON_RAW(bidi_script_place(at->target, at->own_world)));
	*ret = r == 0 ? script_value(json_get(reply, "result")) : NULL;
	return r;
}

/* BiDi cannot end a script, so `time` limits only how long it is waited for. */
int engine_compute(struct task *t, struct engine_target *s, const char *expression, unsigned time, struct script_outcome *ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str text = {};
	usec_t outer = task_deadline(t);
	int r;

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	str_appendf(&text, "(async()=>JSON.stringify(await (%s\n)))()", expression);
	bidi_send(t, s, &call, bidi_document_world(s), "script.evaluate",
		  "{expression: ?, target: {context: ?}, awaitPromise: true}", text.data, s ? s->id : "");
	if (time)
		task_set_deadline(t, MIN(outer, clock_now() + time * USEC_PER_MSEC));
	r = engine_await(t, &call);
	task_set_deadline(t, outer);
	if (r == -ETIMEDOUT && time && clock_now() < outer)
		return task_fail(t, -EREMOTE, "the script has taken more than %u ms", time);
	if (r == 0)
		bidi_read_outcome(t, bidi_result(&call), ret);
	return r;
}

/* ---- without a task ---- */

int engine_ask_value(struct engine_target *s, struct engine_call *call, const char *expression,
		     void (*replied)(struct engine_call *call, void *data), void *data)
{
	return bidi_request(s, call, replied, data, bidi_document_world(s), "script.evaluate",
			    "{expression: ?, target: {context: ?}, awaitPromise: false}", expression, s ? s->id : "");
}

const struct json *engine_value(const struct engine_call *call)
{
	return json_get(bidi_result(call), "result.value");
}

int engine_ask_settled(struct engine_target *s, struct engine_call *call, int world, const char *expression,
		       void (*replied)(struct engine_call *call, void *data), void *data)
{
	return bidi_request(s, call, replied, data, world, "script.evaluate", "{expression: ?, target: ?, awaitPromise: true}",
			    expression, JSON_RAW(bidi_script_place(s, world)));
}

int engine_answer_run(struct engine_target *s, struct engine_call *call, int world, const char *source,
		      void (*replied)(struct engine_call *call, void *data), void *data)
{
	return bidi_answer(s, call, replied, data, world, "script.evaluate", "{expression: ?, target: ?, awaitPromise: false}",
			   source, JSON_RAW(bidi_script_place(s, world)));
}

int engine_answer_call(struct engine_target *s, struct engine_call *call, int world, const char *function, int number,
		       const char *text, void (*replied)(struct engine_call *call, void *data), void *data)
{
	return bidi_answer(s, call, replied, data, world, "script.callFunction",
			   "{functionDeclaration: ?, arguments: [{type: 'number', value: ?}, {type: 'string', value: ?}], "
			   "target: ?, awaitPromise: false}",
			   function, number, text, JSON_RAW(bidi_script_place(s, world)));
}

void engine_ask_alive(struct task *t, struct engine_target *s, struct engine_call *call)
{
	bidi_send(t, s, call, bidi_document_world(s), "script.evaluate",
		  "{expression: '0', target: {context: ?}, awaitPromise: false}", s ? s->id : "");
}
