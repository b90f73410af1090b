/* JavaScript of the caller, in the page's own world. */
#pragma once

#include "browser/page.h"
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
 * "ref: <Node>" in place of a node. `ret_threw`: it is the text of what the function threw instead.
 */
int frame_call_function(struct task *t, struct frame *f, const char *ref, const char *function, const char **ret, bool *ret_threw);
