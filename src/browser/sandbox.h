/*
 * The hidden page in which a caller's code runs, and the channel by which that code asks for what it wants done.
 *
 * It lies in a browser context of its own that has no network, shares nothing with the context that owns it, has no other
 * page, and ends with it. The client side (scripts/code) gives the code its `page`; what that is asked to do arrives here as messages, and
 * answers travel back. Each run begins in a new document: nothing of one is left for the next.
 *
 * Messages are JSON text that the code can have written itself: {id, op, ...} asks, {end: ...} is its end.
 */
#pragma once

#include <stdbool.h>

#include "browser/browser.h"
#include "loop/task.h"

struct sandbox;

/* The one of `c`, which owns it; made, or made ready again, when need be. Borrowed until the next wait. Suspends. */
int sandbox_enter(struct task *t, struct context *c, struct sandbox **ret);
/* Starts `code`, the text of a function. Does not wait. `facts` is JSON that the client side is told first. */
void sandbox_run(struct sandbox *s, const char *code, const char *facts);
/* The next message, in the task's arena; NULL: none has come. */
char *sandbox_next(struct task *t, struct sandbox *s);
/* Suspends until there may be one, or the sandbox is no longer alive, or somebody wakes the task. */
int sandbox_wait(struct task *t, struct sandbox *s);
/* The document of the run is there. */
bool sandbox_alive(const struct sandbox *s);
/* `answer` is JSON text: {id, value | error, state?}. Does not wait. */
void sandbox_answer(struct sandbox *s, const char *answer);
/*
 * After a run. `clean`: the code has ended by itself; the page is made ready for the next one, without waiting. Otherwise
 * nobody knows what still runs there: context and page go.
 */
void sandbox_leave(struct context *c, bool clean);

/* For browser.c. */
struct sandbox *sandbox_free(struct sandbox *s);
