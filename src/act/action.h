/*
 * What a person does to an element: clicking it, typing into it, choosing from it.
 *
 * Each waits until the element that `selector` names can be used, at most `timeout`; the waiting happens in the page
 * (scripts/click.js, scripts/typing.js, scripts/select.js). CSS reaches into open shadow roots; `//`, `(//` and `xpath=` begin an XPath.
 *
 * Failures: -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_NOT_CLICKABLE, -ERR_ELEMENT_NOT_EDITABLE say what was in the way,
 * -ERR_INVALID_PARAMETERS that the selector is none, -ERR_BROWSER_ERROR that the page does not answer, which is known
 * LIMIT_BUSY after the time-out. All suspend and change the deadline of the task.
 */
#pragma once

#include <stdbool.h>

#include "act/input.h"
#include "base/clock.h"
#include "loop/task.h"
#include "page/page.h"

struct click_action {
	const char *selector;
	const char *target; /* instead of the selector: JSON of a struct target */
	usec_t timeout;
	bool force; /* presses whatever lies at the element's place; it only needs a box */
	int count;
	enum mouse_button button;
	unsigned modifiers;     /* enum modifier */
	struct cdp_call *asked; /* by action_click_ask(); NULL: nothing was */
};

struct type_action {
	const char *selector;
	const char *target; /* instead of the selector */
	const char *text;   /* "\n" presses Enter */
	usec_t timeout;
	usec_t delay; /* between two keys */
	bool at_once; /* no keys: the text comes as from an input method */
	bool clear;   /* replaces what is there; otherwise the text is added at the end */
	/*
	 * The keys go to whatever can have the focus, also where there is no text to edit (a canvas, a list box). When the
	 * element has the focus already, its selection stays.
	 */
	bool any_keys;
	bool tabs_leave; /* "\t" presses Tab; otherwise it is a text as any other */
};

struct select_action {
	const char *target;
	const char *values; /* JSON array of texts: values or labels of options; what else was chosen no longer is */
	usec_t timeout;
	bool by_label; /* only labels */
};

struct check_action {
	const char *target; /* a check box, a radio button, or an element with such a role */
	usec_t timeout;
	bool checked;
};

/* Both ends lie in frames of the same page. */
struct drag_action {
	_kept_ struct frame *from, *to;                  /* by the caller */
	const char *source, *target;                     /* JSON of a struct target */
	const struct point *source_place, *target_place; /* in their boxes, from the upper left corner; NULL: the middle */
	unsigned steps;                                  /* positions of the mouse on the way, those at the ends not counted */
	usec_t timeout;                                  /* for both together */
};

struct drop_action {
	const char *target;
	const char *data; /* JSON of CDP's DragData */
	usec_t timeout;
};

/*
 * Asks ahead of action_click() where to press, so that the question travels with others. Suspends only where no script ran
 * in the document yet; that it fails shows later. What was asked and is not used is to be forgotten.
 */
void action_click_ask(struct task *t, struct frame *f, const struct click_action *a, struct cdp_call *ret);
void action_click_forget(struct task *t, struct frame *f);
/*
 * `ret_element` gets words for the element, in the task's arena: <button id="save">Save</button>. When these return 0,
 * the page's own handlers of the events have run.
 */
int action_click(struct task *t, struct frame *f, const struct click_action *a, const char **ret_element);
/* Moves the mouse there; `count` is 0. */
int action_hover(struct task *t, struct frame *f, const struct click_action *a, const char **ret_element);
/* Only waits, until one of those that match is visible. */
int action_wait(struct task *t, struct frame *f, const char *selector, usec_t timeout, const char **ret_element);
int action_type(struct task *t, struct frame *f, const struct type_action *a, const char **ret_element);
int action_select(struct task *t, struct frame *f, const struct select_action *a, const char **ret_element);
/* Clicks it unless it is in that state already. */
int action_check(struct task *t, struct frame *f, const struct check_action *a, const char **ret_element);

/*
 * Drags with the mouse. When the page makes a drag of HTML out of it, with data of its own, that is what is dropped.
 * However it ends, nothing is held afterwards. `ret_lifted`: the source was pressed, a failure concerns the target.
 */
int action_drag(struct task *t, const struct drag_action *d, bool *ret_lifted);
/* Drops data as if dragged here from another program. -EACCES: the page does not take it. */
int action_drop(struct task *t, struct frame *f, const struct drop_action *d);
