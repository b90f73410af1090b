/*
 * What a caller means by a text that is no JavaScript expression: one with semicolons or comments behind it, or the body of a function.
 * Models write both where a function is asked for.
 */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/frames.h"

struct callable {
	bool is_function; /* `text` is a function without parameters but `parameter`, to be called */
	const char *text; /* an expression to evaluate instead; NULL: there is none; in the task's arena */
	const char *
		complaint; /* why not, with the place in the caller's text; NULL: `text` is set, or the caller's text is an expression */
};
/* The browser parses, and the page notices nothing. `parameter`: of a function that is made of a body, "" for none. Suspends. */
int callable_find(struct task *t, struct frame *f, const char *text, const char *parameter, struct callable *ret);
/*
 * The same for a text that is evaluated as a script, which `const a = 1; a + 1` is: `text` is NULL for a script. An object (`{a: 1, b: 2}`) is
 * none.
 */
int callable_find_in_script(struct task *t, struct frame *f, const char *text, struct callable *ret);
