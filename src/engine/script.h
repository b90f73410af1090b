/*
 * JavaScript in documents: the page scripts of this program, in an isolated world of each frame, and sources that documents get when they
 * begin. Execution contexts end with their documents, so a world is read from the frame (engine_frame) at each use.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "engine/frame.h"

/* Makes the isolated world of that name in the frame's document: `ret`. Suspends. -EREMOTE: the document has gone. */
int engine_make_world(struct task *t, const struct engine_frame *at, const char *name, int *ret);
/*
 * Runs `source` in all documents of the target and of frames that share its process, those that there are and those that will be, before their
 * own scripts. `world`: in the isolated world of that name; NULL: in that of the documents' own scripts. Sent only.
 */
void engine_add_script(struct engine_target *s, const char *source, const char *world);
/* Runs `source` in one execution context, and drops what becomes of it. Sent only. */
void engine_run(struct engine_target *s, int world, const char *source);
/* The same, with the functions that a console offers (getEventListeners). */
void engine_run_as_console(struct engine_target *s, int world, const char *source);

/*
 * Calls function `function` of the script library with one argument, JSON text, in the own world of the frame, and awaits its promise.
 * `is_gesture`: as a gesture of the user, for which a page may open windows or play sound. Sent only; engine_await_script() follows.
 */
void engine_call_script(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *function,
			const char *argument, bool is_gesture);
/* An expression in the same world, which needs no library and awaits nothing. Sent only; engine_await_script() follows. */
void engine_ask(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *expression);

enum script_end {
	SCRIPT_ENDED,   /* `value` */
	SCRIPT_THREW,   /* `thrown` */
	SCRIPT_MISSING, /* the world has no library */
	SCRIPT_LOST,    /* its document went away */
};
struct script_outcome {
	enum script_end end;
	struct json *value; /* owned by the caller; NULL: undefined */
	const char *thrown; /* the text of the exception, in the task's arena */
};
/* Suspends until the script has ended. Fails like engine_await() where there is no outcome. */
int engine_await_script(struct task *t, struct engine_call *call, struct script_outcome *ret);
/* What the promise of an expression in the own world of the frame resolves to, owned by the caller; NULL: it is rejected. Suspends. */
int engine_ask_promise(struct task *t, const struct engine_frame *at, const char *expression, struct json **ret);
