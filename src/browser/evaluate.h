/* JavaScript of the caller, in the page's own world. */
#pragma once

#include <stdbool.h>

#include "browser/page.h"
#include "browser/settle.h"
#include "loop/task.h"

/*
 * Evaluates an expression in the main frame; a promise is awaited. Suspends until the task's
 * deadline. `ret_json` gets the value as JSON text in the task's arena ("null" for undefined and what JSON cannot
 * hold). What the script throws is -ERR_BROWSER_ERROR with its text.
 */
int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json);

/*
 * Calls `function` (JavaScript text of a function) in the page's own world of `f`; with `ref`, on that element. A
 * promise is awaited. `ret` gets what JSON.stringify(value, null, 2) gives, in the task's arena; "undefined" for that,
 * "ref: <Node>" in place of a node. `ret_threw`: it is the text of what the function threw instead. The effects of the
 * call are watched and `s` learns of them, if it is about `f`.
 */
int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *function, struct settle *s, const char **ret,
			bool *ret_threw);

struct evaluation {
	const char *function; /* text of a function; or of an expression, which is called when it gives a function */
	bool is_function;
	const char *argument; /* JSON of a packed value (js/code/values.js); NULL: undefined */
	const struct json *refs; /* array of elements that it refers to, of the same frame; NULL: none */
	const char *const *targets; /* elements that are the first argument, NULL-terminated: refs; NULL: there is none */
	bool listed;                /* as a list, whatever their number */
	bool wants_element;         /* `ret_ref` gets the ref of an element that is the value */
};
/*
 * The same with an argument. `ret` gets the packed value as JSON text, or what was thrown as text; it is NULL where
 * `ret_ref`, which may be NULL when none is wanted, is set.
 */
int frame_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref, bool *ret_threw);
