#include "browser/evaluate.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "browser/frames.h"
#include "browser/internal.h"

static int fail_thrown(struct task *t, const struct json *exception)
{
	const char *text = json_str(exception, "exception.description");
	_cleanup_(str_done) struct str value = {};

	if (text)
		return task_fail(t, -ERR_BROWSER_ERROR, "%s", text);
	json_print(&value, json_get(exception, "exception.value"));
	return task_fail(t, -ERR_BROWSER_ERROR, "the script threw %s", value.len ? value.data : "an exception");
}

/* What is left of the time, for the browser to end a script that runs on by itself. */
static double left_msec(struct task *t)
{
	usec_t deadline = task_deadline(t), now = clock_now();

	return deadline == USEC_NEVER ? 0 : deadline > now ? (double)(deadline - now) / USEC_PER_MSEC : 1;
}

int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};
	_cleanup_(str_done) struct str value = {};
	const struct json *result;
	int r;

	cdp_send(t, p->cdp, &call, "Runtime.evaluate",
		 "{expression: %s, returnByValue: true, awaitPromise: true, userGesture: true, timeout: %f}", expression,
		 left_msec(t));
	r = cdp_await(t, &call);
	if (r == -EREMOTE && strstr(cdp_call_refusal(&call), "terminated"))
		return -ETIMEDOUT;
	if (r == -ETIMEDOUT)
		p->busy = true;
	if (r == -ECANCELED && p->cdp)
		page_interrupt(p);
	if (r < 0)
		return r;
	result = cdp_call_result(&call);
	if (json_get(result, "exceptionDetails"))
		return fail_thrown(t, json_get(result, "exceptionDetails"));
	if (json_get(result, "result.value"))
		json_print(&value, json_get(result, "result.value"));
	*ret_json = arena_strdup(task_arena(t), value.len ? value.data : "null");
	return 0;
}

/* Runs in the page's world, which may have changed anything: it only costs the page its own answer. */
#define CALL_BEGIN                                                                                          \
	"async function(...args) {\n"                                                                      \
	"const value = await ("
#define CALL_END                                                                                            \
	"\n)(...args);\n"                                                                                 \
	"const show = (key, v) => v instanceof Node ? 'ref: <Node>' : v === window ? 'ref: <Window>' : v;\n" \
	"return JSON.stringify(value, show, 2) ?? 'undefined';\n}"

static const char *thrown_text(struct task *t, const struct json *exception)
{
	const char *text = json_str(exception, "exception.description");
	_cleanup_(str_done) struct str value = {};

	if (text)
		return arena_strdup(task_arena(t), text);
	if (json_str(exception, "exception.value"))
		return arena_strdup(task_arena(t), json_str(exception, "exception.value"));
	json_print(&value, json_get(exception, "exception.value"));
	return arena_strdup(task_arena(t), value.len ? value.data : "undefined");
}

static int await_call(struct task *t, struct frame *f, struct cdp_call *call, const char **ret, bool *ret_threw)
{
	const struct json *result;
	const char *text;
	int r;

	r = cdp_await(t, call);
	if (r == -ETIMEDOUT && f->page)
		f->page->busy = true;
	if (r == -ECANCELED && f->page && f->page->cdp)
		page_interrupt(f->page);
	if (r == -EREMOTE)
		return task_fail(t, -ESTALE, "Execution context was destroyed, most likely because of a navigation");
	if (r < 0)
		return r;
	result = cdp_call_result(call);
	*ret_threw = json_get(result, "exceptionDetails");
	if (*ret_threw) {
		*ret = thrown_text(t, json_get(result, "exceptionDetails"));
		return 0;
	}
	text = json_str(result, "result.value");
	*ret = arena_strdup(task_arena(t), text ? text : "undefined");
	return 0;
}

int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *function, const char **ret, bool *ret_threw)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};
	_cleanup_(str_done) struct str text = {};
	const char *object = NULL;
	int r;

	if (ref) {
		r = frame_page_object(t, f, ref, &object);
		if (r < 0)
			return r;
		str_append(&text, CALL_BEGIN);
		str_append(&text, function);
		str_append(&text, CALL_END);
		cdp_send(t, f->cdp, &call, "Runtime.callFunctionOn",
			 "{functionDeclaration: %s, objectId: %s, arguments: [{objectId: %s}], returnByValue: true, awaitPromise: true, "
			 "userGesture: true}", text.data, object, object);
	} else {
		str_append(&text, "(" CALL_BEGIN);
		str_append(&text, function);
		str_append(&text, CALL_END ")()");
		cdp_send(t, f->cdp, &call, "Runtime.evaluate",
			 "{expression: %s, returnByValue: true, awaitPromise: true, userGesture: true}", text.data);
	}
	r = await_call(t, f, &call, ret, ret_threw);
	if (ref)
		cdp_post(f->cdp, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r;
}
