/*
 * What a caller means by a text that is no JavaScript expression: one with semicolons or comments behind it, or the body of a function.
 * Models write both where a function is asked for.
 */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/frames.h"

struct callable {
	/* The expression to evaluate in place of the caller's text, in the task's arena. NULL: the caller's text is one, or `complaint` is set. */
	const char *text;
	bool is_function; /* the value of `text` is a function, which the caller has to call */
	/* Why the browser cannot parse the caller's text, and where. NULL: it can, or `text` is set. */
	const char *complaint;
};
/* The browser parses, and the page notices nothing. `parameter`: of a function that is made of a body, "" for none. Suspends. */
int callable_find(struct task *t, struct frame *f, const char *text, const char *parameter, struct callable *ret);
/*
 * Like callable_find(), for a text that is evaluated as a script. `ret->text` is NULL if the text is a script, as `const a = 1; a + 1`.
 * An object (`{a: 1, b: 2}`) is no script, and gets a `text`.
 */
int callable_find_in_script(struct task *t, struct frame *f, const char *text, struct callable *ret);
