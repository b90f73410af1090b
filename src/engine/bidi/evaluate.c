/*
 * Code of the caller in the worlds of pages. A page may have replaced what prints values as JSON, so the browser describes them, and this
 * program prints them. BiDi has no limit of time for a script, and nothing that ends one.
 */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/elements.h"
#include "engine/bidi/internal.h"
#include "engine/bidi/values.h"
#include "engine/script.h"
#include "scripts/scripts.h"

/* The description of a value is longer than the value as JSON: by so many times for small members. */
#define DESCRIPTION_FACTOR 8u

/* How deep the browser describes the value: only its type where the value is wanted by reference, all of its members where it is copied. */
static const char *depths(const struct evaluation_request *e)
{
	return e->by_reference ? "{\"maxDomDepth\":0,\"maxObjectDepth\":0}" : "{\"maxDomDepth\":0,\"maxObjectDepth\":160}";
}

/* ---- parsing ---- */

static const char *text_of(struct task *t, const struct json *text)
{
	return json_str(text, NULL) ? arena_strdup(task_arena(t), json_str(text, NULL)) : NULL;
}

/* In a world that only this uses, as a script may refer to any name. */
int engine_parse(struct task *t, const struct engine_frame *at, const char *script, struct syntax *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL, *refused = NULL;
	const struct json *line;
	const char *text;
	int r;

	r = bidi_call(t, at->target, &reply, at->page_world, "script.callFunction",
		      "{functionDeclaration: ?, arguments: [{type: 'string', value: ?}], target: {context: ?, sandbox: "
		      "'browserd-parse'}, awaitPromise: false}",
		      parse_script, script, at->id);
	if (r < 0)
		return r;
	text = json_text(reply, "result.result.value");
	*ret = (struct syntax){};
	if (json_parse(text, strlen(text), 2, JSON_REPLACE_UNREPRESENTABLE, &refused) < 0 || !json_count(refused))
		return 0;
	line = json_first(refused);
	*ret = (struct syntax){
		.refused = true,
		.line = json_int(line, NULL, 0),
		.column = json_int(json_next(line), NULL, 0),
		.message = text_of(t, json_next(json_next(line))),
	};
	return 0;
}

/* ---- evaluating ---- */

/*
 * The caller's function as it is, or a method that gets the elements and knows the other arguments: that calls it by `super`, which keeps `this` and
 * reads nothing that the page may have replaced, as Function.prototype.call.
 */
static void print_function(struct str *out, const struct evaluation_request *e)
{
	if (!e->arguments) {
		str_append(out, e->text);
		return;
	}
	str_append(out, "({__proto__:{f:(");
	str_append(out, e->text);
	str_append(out, "\n)},run(...elements){return super.f(");
	for (size_t i = 0; e->arguments[i]; i++) {
		str_append(out, e->arguments[i]);
		str_append_char(out, ',');
	}
	str_append(out, "...elements)}}).run");
}

static int bidi_call_function(struct task *t, const struct engine_frame *at, struct engine_call *call,
			      const struct evaluation_request *e)
{
	_cleanup_(str_done) struct str text = {}, nodes = {};
	const char *const *ids, *last = NULL;
	int r = bidi_find_elements(t, at, e->elements, &ids);

	if (r < 0)
		return r;
	print_function(&text, e);
	for (size_t i = 0; ids[i]; i++) {
		last = ids[i];
		str_json(&nodes, "?{sharedId: ?}", JSON_COMMA(i > 0), last);
	}
	bidi_send(t, at->target, call, at->page_world, "script.callFunction",
		  "{functionDeclaration: ?, this: {sharedId: ?}, arguments: [?], target: ?, awaitPromise: true, "
		  "userActivation: true, serializationOptions: ?}",
		  text.data, last, JSON_RAW(e->arguments ? str_text(&nodes) : ""),
		  JSON_RAW(bidi_script_place(at->target, at->page_world)), JSON_RAW(depths(e)));
	return 0;
}

int engine_evaluate(struct task *t, const struct engine_frame *at, struct engine_call *call, const struct evaluation_request *e)
{
	int world = e->world ? e->world : bidi_document_world(at->target);

	if (e->elements && e->elements[0])
		return bidi_call_function(t, at, call, e);
	bidi_send(t, at->target, call, world, "script.evaluate",
		  "{expression: ?, target: ?, awaitPromise: true, userActivation: true, serializationOptions: ?}", e->text,
		  JSON_RAW(bidi_script_place(at->target, world)), JSON_RAW(depths(e)));
	return 0;
}

/* ---- what became of it ---- */

/* Replaces the reply by `text`. */
static void replace_reply(struct engine_call *call, const struct str *text)
{
	struct json *reply = NULL;
	int r = json_parse(text->data, text->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &reply);

	json_free(call->reply);
	call->reply = r < 0 ? NULL : reply;
}

static void take_exception(struct engine_call *call, const struct json *details, struct evaluation_outcome *ret)
{
	_cleanup_(str_done) struct str text = {};
	const struct json *value = json_get(details, "exception");
	const char *words = json_text(details, "text");

	str_json(&text, "{isError: ?, text: ?", (bool)!bidi_is_primitive(value), words);
	if (bidi_is_primitive(value) && strcmp(json_text(value, "type"), "undefined") != 0) {
		str_append(&text, ",\"value\":");
		bidi_print_value(&text, value, LIMIT_VALUE);
	}
	str_append_char(&text, '}');
	replace_reply(call, &text);
	ret->end = EVALUATION_THREW;
	ret->thrown = json_bool(call->reply, "isError", false) ? json_text(call->reply, "text") : NULL;
	ret->thrown_value = json_get(call->reply, "value");
	ret->is_malformed = ret->thrown && strncmp(ret->thrown, "SyntaxError", strlen("SyntaxError")) == 0;
}

static bool is_by_reference(const struct json *value)
{
	return !bidi_is_primitive(value) && (json_str(value, "sharedId") || !json_get(value, "value"));
}

static int take_value(struct engine_call *call, const struct json *value, size_t max, struct evaluation_outcome *ret)
{
	_cleanup_(str_done) struct str text = {};
	const char *type = json_text(value, "type"), *id = json_str(value, "sharedId");
	int r = 0;

	ret->is_object = is_by_reference(value);
	str_json(&text, "{sharedId: ?", id);
	if (strcmp(type, "undefined") != 0 && !(ret->is_object && !id)) {
		str_append(&text, ",\"value\":");
		r = bidi_print_value(&text, value, max);
	}
	str_append_char(&text, '}');
	if (r == -ELOOP) {
		ret->end = EVALUATION_TOO_DEEP;
		return 0;
	}
	call->length = text.len;
	if (r < 0)
		return r;
	replace_reply(call, &text);
	ret->value = json_get(call->reply, "value");
	return call->reply ? 0 : -EMSGSIZE;
}

/* A page can make the browser refuse a value, for example by a getter that throws. */
static void take_refusal(struct engine_call *call, struct evaluation_outcome *ret)
{
	ret->end = EVALUATION_THREW;
	ret->thrown = bidi_error_message(call);
}

int engine_await_evaluation(struct task *t, struct engine_call *call, struct evaluation_outcome *ret)
{
	size_t max = call->max_reply ? call->max_reply : LIMIT_CDP_MESSAGE;
	const struct json *result, *exception;
	int r;

	call->max_reply = MIN(max * DESCRIPTION_FACTOR, LIMIT_CDP_MESSAGE);
	r = engine_await(t, call);
	*ret = (struct evaluation_outcome){};
	if (r == -EREMOTE && strcmp(bidi_error(call), "unknown error") == 0) {
		take_refusal(call, ret);
		return 0;
	}
	if (r < 0)
		return r;
	result = bidi_result(call);
	exception = json_get(result, "exceptionDetails");
	if (exception) {
		take_exception(call, exception, ret);
		return 0;
	}
	return take_value(call, json_get(result, "result"), max, ret);
}

int engine_value_handle(struct task *t, const struct engine_frame *at, const struct engine_call *call, const char *prefix,
			const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *id = json_str(call->reply, "sharedId");
	int r;

	*ret = NULL;
	if (!id)
		return 0;
	r = bidi_call(t, at->target, &reply, at->own_world, "script.callFunction",
		      "{functionDeclaration: '(element,refPrefix)=>browserd.handleOfElement({element,refPrefix}).ref', arguments: "
		      "[{sharedId: ?}, {type: 'string', value: ?}], target: ?, awaitPromise: false}",
		      id, prefix, JSON_RAW(bidi_script_place(at->target, at->own_world)));
	if (r == 0 && json_str(reply, "result.result.value"))
		*ret = arena_strdup(task_arena(t), json_str(reply, "result.result.value"));
	return r;
}

/* Nothing is kept for them. */
void engine_forget_values(struct engine_target *s)
{
}
