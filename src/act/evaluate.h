/* Evaluates the caller's JavaScript in the page's own world. */
#pragma once

#include <stdbool.h>

#include "act/settle.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Evaluates an expression in the main frame and awaits a promise. Suspends until the task's deadline. `ret_json` is the
 * value as JSON text in the task's arena ("null" for undefined and for values that JSON cannot represent). An exception
 * of the script is -ERR_BROWSER_ERROR with its text.
 */
int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json);

enum function_outcome {
	FUNCTION_VALUE,
	FUNCTION_UNPRINTABLE, /* there is a value that JSON cannot represent */
	FUNCTION_THREW,
};
struct function_result {
	enum function_outcome outcome;
	const char *text; /* the value, or why the call has no value; in the task's arena */
	bool is_function; /* the caller's text evaluated to a function; not known with FUNCTION_THREW */
	const char *code; /* the caller's text, or what was evaluated in its place (callable.h) */
};

/*
 * Evaluates the expression `text` in the page's own world of `f` and, if the value is a function, calls it. A text that is no
 * expression is called as the body of a function. With `ref`,
 * that element is the function's argument, and the expression refers to it as `element`. A promise is awaited. The text
 * of the value is that of JSON.stringify(value, null, 2), with "undefined" for undefined and "ref: <Node>" for a node.
 * `s` observes the effects if it watches `f`. Suspends.
 */
int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s,
			struct function_result *ret);

struct evaluation {
	const char *function; /* text of a function, or of an expression, whose value is called if it is a function */
	bool is_function;
	const char *argument;       /* JSON of a packed value (scripts/code/values.js); NULL: undefined */
	const struct json *refs;    /* array of refs that the argument refers to, in the same frame; NULL: none */
	const char *const *targets; /* refs of the elements passed as the first argument, NULL-terminated; NULL: none */
	bool listed;                /* pass a list even for one element */
	bool wants_element;         /* if the value is an element, return its ref in `ret_ref` */
};
/*
 * Evaluates with an argument. `ret` is the packed value as JSON text, or the text of the exception; it is NULL if
 * `ret_ref` is set. `ret_ref` may be NULL unless `wants_element` is set.
 */
int frame_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
		   bool *ret_threw);
