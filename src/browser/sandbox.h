/*
 * The hidden page in which a caller's code runs, and its message channel.
 *
 * The page is the only one of a browser context without network access, which shares nothing with the context that owns
 * it and ends with it. The client side (scripts/code) provides `page` to the code; its requests arrive here as messages,
 * and the answers are sent back. Each run begins in a new document, so that no state remains from the run before.
 *
 * Messages are JSON text that the code may have forged: {id, op, ...} is a request, {end: ...} the end of the run.
 */
#pragma once

#include <stdbool.h>

#include "browser/context.h"
#include "loop/task.h"

struct sandbox;

/* The one of `c`, which owns it; made, or made ready again, when need be. Borrowed until the next wait. Suspends. */
int sandbox_enter(struct task *t, struct context *c, struct sandbox **ret);
/* Starts `code`, the text of a function. Does not wait. `facts` is JSON that the client side receives first. */
void sandbox_run(struct sandbox *s, const char *code, const char *facts);
/* The next message, in the task's arena; NULL: none has come. */
char *sandbox_next(struct task *t, struct sandbox *s);
/* Suspends until a message may have arrived, the sandbox has ended, or the task is woken for another reason. */
int sandbox_wait(struct task *t, struct sandbox *s);
/* The document of the run is there. */
bool sandbox_alive(const struct sandbox *s);
/* `answer` is JSON text: {id, value | error, state?}. Does not wait. */
void sandbox_answer(struct sandbox *s, const char *answer);
/*
 * Ends a run. `clean`: the code has ended by itself, and the page is prepared for the next run without waiting.
 * Otherwise code may still run there, so context and page are closed.
 */
void sandbox_leave(struct context *c, bool clean);

/* For browser.c. */
struct sandbox *sandbox_free(struct sandbox *s);
