/*
 * What a caller means by a text that is no JavaScript expression: one with semicolons or comments behind it, or the body of a function.
 * Models write both where a function is asked for.
 */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/frames.h"

struct callable {
	const char *text; /* an expression to evaluate instead; NULL: there is none; in the task's arena */
	const char *
		complaint; /* why not, with the place in the caller's text; NULL: `text` is set, or the caller's text is an expression */
};
/* The browser parses, and the page notices nothing. `parameter`: of a function that is made of a body, "" for none. Suspends. */
int callable_find(struct task *t, struct frame *f, const char *text, const char *parameter, struct callable *ret);
