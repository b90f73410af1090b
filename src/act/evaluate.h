/* JavaScript of the caller, in the page's own world. */
#pragma once

#include <stdbool.h>

#include "act/settle.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Evaluates an expression in the main frame; a promise is awaited. Suspends until the task's
 * deadline. `ret_json` gets the value as JSON text in the task's arena ("null" for undefined and what JSON cannot
 * hold). What the script throws is -ERR_BROWSER_ERROR with its text.
 */
int page_evaluate(struct task *t, struct page *p, const char *expression, const char **ret_json);

enum called_outcome {
	CALLED_VALUE,
	CALLED_UNPRINTABLE, /* there is a value, which JSON cannot hold */
	CALLED_THREW,
};
struct called {
	enum called_outcome outcome;
	const char *text; /* of the value, or why there is none; in the task's arena */
	bool is_function; /* the caller's text was one; with CALLED_THREW, nothing is known of that */
};

/*
 * Evaluates `text` (JavaScript of an expression) in the page's own world of `f` and, when that gives a function, calls
 * it. With `ref`, that element is the function's argument, and the expression knows it as `element`. A promise is
 * awaited. The text of a value is what JSON.stringify(value, null, 2) gives; "undefined" for that, "ref: <Node>" in
 * place of a node. The effects are watched and `s` learns of them, if it is about `f`. Suspends.
 */
int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *text, struct settle *s, struct called *ret);

struct evaluation {
	const char *function; /* text of a function; or of an expression, which is called when it gives a function */
	bool is_function;
	const char *argument;       /* JSON of a packed value (scripts/code/values.js); NULL: undefined */
	const struct json *refs;    /* array of elements that it refers to, of the same frame; NULL: none */
	const char *const *targets; /* elements that are the first argument, NULL-terminated: refs; NULL: there is none */
	bool listed;                /* as a list, whatever their number */
	bool wants_element;         /* `ret_ref` gets the ref of an element that is the value */
};
/*
 * The same with an argument. `ret` gets the packed value as JSON text, or what was thrown as text; it is NULL where
 * `ret_ref`, which may be NULL when none is wanted, is set.
 */
int frame_evaluate(struct task *t, struct frame *f, const struct evaluation *e, const char **ret, const char **ret_ref,
		   bool *ret_threw);
