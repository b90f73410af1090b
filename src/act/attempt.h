/*
 * The common part of all actions on an element: the wait in the page until the element is actionable
 * (scripts/patience.js), retries when the document is replaced meanwhile, and error messages. Internal to this folder.
 */
#pragma once

#include <stdbool.h>

#include "act/input.h"
#include "base/clock.h"
#include "base/json.h"
#include "loop/task.h"
#include "page/page.h"

/* The wait of one action until its element is actionable, with its retries. */
struct attempt {
	struct task *t;
	_kept_ struct frame *f; /* a reference held by the caller */
	_kept_ struct page *page;
	const char *target; /* JSON, the argument of findTarget() in scripts/target.js */
	usec_t timeout, started;
	struct point at;          /* the last result of attempt_find_point(), in the page's viewport */
	const struct json *point; /* the first result, if the page was asked when it resolved the target; else NULL */
};

/* Which point of an element an action needs, and what is checked there: options of scripts/click.js. */
struct point_options {
	bool force;   /* do not check what covers the element */
	int presses;  /* presses that follow; the page reports where they arrive */
	bool drags;   /* for a drag or a drop: the element need not be enabled, and drag events are observed */
	bool again;   /* continues after a press that was blocked */
	bool in_view; /* neither waits nor scrolls; see attempt_look() */
	const struct point *
		place; /* offset from the upper left corner of the element's padding box; NULL: any point that receives the press */
};

/* `target`, or `selector` if `target` is NULL, names the element. Sets the deadline of the task. */
struct attempt attempt_start(struct task *t, struct frame *f, const char *selector, const char *target, usec_t timeout);
/* Turns the error `r` of a wait into the error of the action; `what` describes a timeout. */
int attempt_explain(struct attempt *a, int r, const char *what);
/* Whether `r` means that the document was replaced while the frame still exists, so that the action can be tried again. */
bool attempt_can_retry(const struct attempt *a, int r);

/*
 * Calls the page script `function` with `options`, a JSON object, and waits until the element is ready. The caller owns
 * `ret`. Suspends.
 */
int attempt_prepare(struct attempt *a, const char *function, const char *options, struct json **ret);
/* Like attempt_prepare(), for scripts that also act: they run with user activation. */
int attempt_gesture(struct attempt *a, const char *function, const char *options, struct json **ret);
/* The argument of scripts/click.js without the target, in the task's arena. */
const char *attempt_click_request(struct task *t, const struct point_options *how, usec_t timeout);
/*
 * attempt_prepare() for the mouse. Returns the click point in the page's viewport and a description of the element in
 * the task's arena.
 */
int attempt_find_point(struct attempt *a, const struct point_options *how, struct point *ret, const char **ret_element);
/*
 * attempt_find_point() for an input that begins a gesture: passes the gate of the task (loop/gate.h), and finds the point again if it had to
 * wait there. Negative also if the task must not go on. Until the gesture has ended, no gate comes: nothing is left pressed.
 */
int attempt_find_start(struct attempt *a, const struct point_options *how, struct point *ret, const char **ret_element);
/* Whether the element is in view and can receive the mouse now: 1 and its point, or 0. Neither waits for it nor scrolls. Suspends. */
int attempt_look(struct attempt *a, struct point_options how, struct point *ret);
/*
 * The result of an observed press, once the page has handled it. 0: the press arrived, as far as the element's document
 * can see. 1: it was blocked, or another document received it because a frame around the element moved. -ESTALE: the
 * document was replaced before the press arrived. Suspends.
 */
int attempt_press_result(struct attempt *a);
