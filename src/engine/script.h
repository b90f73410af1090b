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
 * own scripts where the browser can do that at no cost, else as soon as a document is reported. `world`: in the isolated world of that name; NULL: in
 * that of the documents' own scripts. Sent only.
 */
void engine_add_script(struct engine_target *s, const char *source, const char *world);
/*
 * Has `source` run once in each isolated world of that name of the target and of frames that share its process, at the latest before the first
 * engine_call_script() or engine_run() there. Sent only.
 */
void engine_add_library(struct engine_target *s, const char *source, const char *world);
/* As engine_add_script(), but in the documents that begin later only, and always before their own scripts. */
void engine_add_init_script(struct engine_target *s, const char *source, const char *world);
/*
 * As engine_add_init_script(), in the world of the documents' own scripts, for all pages of the browser context of `s`, also those that others
 * open. It is called for each page, in the same order.
 */
void engine_share_init_script(struct engine_target *s, const char *source);
/* As engine_add_init_script(), until engine_remove_script(). Sent only; engine_await() follows. */
void engine_lend_script(struct task *t, struct engine_target *s, struct engine_call *call, const char *source, const char *world);
void engine_remove_script(struct engine_target *s, const struct engine_call *lent);
/*
 * Gives these documents, in the same world, a function `name` whose argument, a text, the target reports with the execution context that it
 * was called in. Sent only.
 */
void engine_expose(struct engine_target *s, const char *name, const char *world);
/* Runs `source` in one execution context, and drops what becomes of it. Sent only. */
void engine_run(struct engine_target *s, int world, const char *source);
/*
 * Calls `function`, whose text runs no code of the page when it begins, in the world of a document's own scripts with `name` and a function that
 * answers the listeners of an element, as getEventListeners() of a console does, or only those that are its attributes and properties, where
 * the browser does not tell the others. Sent only.
 */
void engine_report_listeners(struct engine_target *s, int world, const char *function, const char *name);

/* Runs `source` in the main document of the target, in the world of its own scripts, and drops what becomes of it. Sent only. */
void engine_run_in_page(struct engine_target *s, const char *source);

/*
 * Calls function `function` of the script library with one argument, JSON text, in the own world of the frame, and awaits its promise.
 * `is_gesture`: as a gesture of the user, for which a page may open windows or play sound. Sent only; engine_await_script() follows.
 */
void engine_call_script(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *function,
			const char *argument, bool is_gesture);
/*
 * Asks for the value of an expression in the own world of the frame, without the library, and awaits no promise. Sent only;
 * engine_await_script() follows.
 */
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

/*
 * What an expression of this program evaluates to in the main document of the target, in the world of its own scripts; a promise is awaited.
 * `time`: milliseconds, after which the browser stops the script; a promise is not awaited then; 0: it does not. `ret` is SCRIPT_ENDED or
 * SCRIPT_THREW. Suspends. -EREMOTE: it was stopped, or the document has gone.
 */
int engine_compute(struct task *t, _borrowed_ struct engine_target *s, const char *expression, unsigned time,
		   struct script_outcome *ret);

/* ---- without a task: these return a negative errno, and do not call `replied`, when the call was not sent ---- */

/* Asks for the value of such an expression. */
int engine_ask_value(struct engine_target *s, struct engine_call *call, const char *expression,
		     void (*replied)(struct engine_call *call, void *data), void *data);
/* The value that came, borrowed from the call; NULL: none. */
const struct json *engine_value(const struct engine_call *call);
/* `replied` is called when the promise of `expression`, in one execution context, is settled. */
int engine_ask_settled(struct engine_target *s, struct engine_call *call, int world, const char *expression,
		       void (*replied)(struct engine_call *call, void *data), void *data);
/*
 * Answers to what the scripts of a page have asked for, on its account: a few bytes ask for long ones. What is sent is charged to the meter of
 * `s`; the functions return its size in bytes. The first runs `source` as engine_run() does, the second calls `function` with a number and a text.
 */
int engine_answer_run(struct engine_target *s, struct engine_call *call, int world, const char *source,
		      void (*replied)(struct engine_call *call, void *data), void *data);
int engine_answer_call(struct engine_target *s, struct engine_call *call, int world, const char *function, int number,
		       const char *text, void (*replied)(struct engine_call *call, void *data), void *data);

/* ---- code of the caller, in a world of the page's own ---- */

/* Whether the browser can parse `script`, and where it stops if not. */
struct syntax {
	bool refused;
	int64_t line, column; /* from 0 */
	const char *message;  /* the first line, in the task's arena; NULL: none */
};
/* Parses, and runs nothing. Suspends. */
int engine_parse(struct task *t, const struct engine_frame *at, const char *script, struct syntax *ret);

struct evaluation_request {
	const char *text;            /* an expression; with `elements` the text of a function */
	int world;                   /* of an expression; 0: that of the main document of the target */
	const char *const *elements; /* handles, NULL-terminated; the last one is `this` in the function. NULL: none */
	const char *const
		*arguments; /* of the function: JSON values, NULL-terminated, which the elements follow. NULL: it gets none */
	bool by_reference;  /* the value is not copied, because it may be an element: engine_value_handle() */
	double time;        /* milliseconds, after which the browser stops the script; 0: it does not */
};
/*
 * Evaluates as a gesture of the user and awaits a promise. Suspends to find the elements, fails where there are not all of them any more, and
 * sends; engine_await_evaluation() follows. Set call->max_reply between the two.
 */
int engine_evaluate(struct task *t, const struct engine_frame *at, struct engine_call *call, const struct evaluation_request *r);

enum evaluation_end {
	EVALUATION_ENDED,    /* `value` */
	EVALUATION_THREW,    /* `thrown`, `thrown_value`, `is_malformed` */
	EVALUATION_TOO_DEEP, /* the value refers to itself, or is nested too deeply */
	EVALUATION_STOPPED,  /* after its time */
};
/* All texts and values belong to the call. */
struct evaluation_outcome {
	enum evaluation_end end;
	const struct json *value;        /* NULL: undefined, or an object that was not copied */
	bool is_object;                  /* the value was not copied and is an object */
	const char *thrown;              /* text of an Error; NULL: something else was thrown */
	const struct json *thrown_value; /* NULL: undefined, or an object */
	bool is_malformed;               /* the browser may have refused to parse the text, or the code threw a SyntaxError */
};
/* Suspends until the script has ended. Fails like engine_await(); -EREMOTE: its document went away. */
int engine_await_evaluation(struct task *t, struct engine_call *call, struct evaluation_outcome *ret);
/*
 * The handle, in the task's arena, of the element that is the value of an evaluation by reference; NULL: it is none. `prefix`: of handles of
 * the frame (page/frames.h), whose own world has the library. Suspends.
 */
int engine_value_handle(struct task *t, const struct engine_frame *at, const struct engine_call *call, const char *prefix,
			const char **ret);
/* Forgets the elements and values of evaluations in the target. Sent only. */
void engine_forget_values(struct engine_target *s);
/* Ends the script that runs in the target, or the next one, if it has ended by itself meanwhile. Sent only. */
void engine_terminate(struct engine_target *s);
/* Ends the script that runs in the target, if one does. Sent only. */
void engine_interrupt(struct engine_target *s);
/* Asks for a reply that comes as soon as no script keeps the page from one. Sent only; engine_await() follows. */
void engine_ask_alive(struct task *t, struct engine_target *s, struct engine_call *call);
