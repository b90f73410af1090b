/*
 * The hidden page in which a caller's code runs, and its message channel.
 *
 * The page is the only one of a browser context without network access, which shares nothing with the context that owns
 * it and ends with it. The client side (scripts/code) provides `page` to the code; its requests arrive here as messages,
 * and the answers are sent back. A run begins in a new document, so that no state remains from the run before, unless that has left
 * something that has to go on: handlers of requests, functions for pages.
 *
 * Messages are JSON text that the code may have forged: {id, op, ...} is a request, {end: ...} the end of the run.
 */
#pragma once

#include <stdbool.h>

#include "browser/context.h"
#include "loop/task.h"

struct sandbox;

/* Who runs code in it; embedded in a struct of its owner. */
struct sandbox_user {
	/* What the code has sent. Does not suspend. */
	void (*message)(struct sandbox_user *u, const char *text);
	/*
	 * The document has ended with all code in it: no message comes any more. A run that is under way still has to leave the sandbox;
	 * between runs the user must not use the sandbox any more. Does not suspend.
	 */
	void (*ended)(struct sandbox_user *u);
};

/*
 * The one of `c`, which owns it; made, or made ready again, when need be. Borrowed until the run has left it, and after that for as long
 * as it has a user. Suspends.
 */
int sandbox_enter(struct task *t, struct context *c, struct sandbox **ret);
/* Who has left the document for the runs that follow; NULL: the document is new. */
struct sandbox_user *sandbox_user(const struct sandbox *s);
void sandbox_set_user(struct sandbox *s, struct sandbox_user *u); /* NULL: none, the next run gets a new document */
/* Starts `code`, the text of a function. Does not wait. `facts` is JSON that the client side receives first. */
void sandbox_run(struct sandbox *s, const char *code, const char *facts);
/* Calls a function that scripts/code/run.js exports; `argument` is JSON text. Does not wait. */
void sandbox_call(struct sandbox *s, const char *function, const char *argument);
/*
 * Ends a run. `clean`: the code has ended by itself, and the page is prepared for the next run without waiting, or stays as it is
 * when it has a user. Otherwise code may still run there, so context and page are closed, and its user has ended.
 */
void sandbox_leave(struct context *c, bool clean);
