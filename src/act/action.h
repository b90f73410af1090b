/*
 * User actions on an element: clicking, typing, selecting, dragging.
 *
 * Each action waits at most `timeout` until the element that `selector` names is actionable. The waiting happens in the
 * page (scripts/click.js, scripts/typing.js, scripts/select.js). CSS selectors match in open shadow roots, too; a
 * selector that begins with `//`, `(//` or `xpath=` is XPath.
 *
 * Errors: -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_NOT_CLICKABLE and -ERR_ELEMENT_NOT_EDITABLE say what prevented the
 * action, -ERR_INVALID_PARAMETERS that the selector is not valid, -ERR_BROWSER_ERROR that the page does not answer,
 * which is reported LIMIT_BUSY after the timeout. All actions suspend and change the deadline of the task.
 */
#pragma once

#include <stdbool.h>

#include "act/input.h"
#include "base/clock.h"
#include "loop/task.h"
#include "page/page.h"

struct click_action {
	const char *selector;
	const char *target; /* replaces the selector: JSON of a struct target */
	usec_t timeout;
	bool force; /* presses at the element's position even if it is covered or disabled; the element only needs a box */
	int count;
	enum mouse_button button;
	unsigned modifiers; /* enum modifier */
	usec_t delay;       /* between press and release */
	bool trial;         /* waits until it could press, and does not */
	const struct point
		*place; /* the only point to press, as an offset from the upper left corner of the padding box; NULL: any */
	const struct json *point; /* of struct target, where the first press goes; NULL: the page is asked */
};

struct type_action {
	const char *selector;
	const char *target; /* replaces the selector */
	const char *text;   /* "\n" presses Enter */
	usec_t timeout;
	usec_t delay; /* between two keys */
	bool at_once; /* inserts the text with one input event instead of key events */
	bool clear;   /* replaces the existing text; otherwise the text is appended */
	/*
	 * Sends the keys to any element that can have the focus, even one without editable text (a canvas, a list box).
	 * If the element has the focus already, its selection is kept.
	 */
	bool any_keys;
	bool tabs_leave; /* "\t" presses Tab; otherwise it is inserted as text */
};

struct select_action {
	const char *target;
	const char *values; /* JSON array of values or labels; all other options are deselected */
	usec_t timeout;
	usec_t patience; /* for options that are not there; 0: `timeout` */
	bool by_label;   /* a label goes before a value */
};

struct check_action {
	const char *target; /* a check box, a radio button, or an element with one of these ARIA roles */
	usec_t timeout;
	bool checked;
	bool force, trial; /* of the click, struct click_action */
	const struct point *place;
};

/* Both elements are in frames of the same page. */
struct drag_action {
	_kept_ struct frame *from, *to; /* references held by the caller */
	const char *source, *target;    /* JSON of a struct target */
	const char *target_handle;      /* of the element that `target` led to before the drag */
	const struct point *source_place,
		*target_place; /* offsets from the upper left corners of their padding boxes; NULL: the center */
	unsigned steps;        /* intermediate mouse positions, without the first and the last */
	usec_t timeout;        /* for source and target together */
	bool force;            /* what covers the elements is not checked */
	bool trial;            /* waits until it could press the source, and does not */
};

struct drop_action {
	const char *target;
	struct drag_data data; /* dragged from another program */
	usec_t timeout;
};

/*
 * The argument of the page script `resolveForClick`, for struct target, in the task's arena: the page looks for the click point of this
 * action as soon as it has resolved the target, so that one message does both. If action_click() does not follow, call
 * action_cancel().
 */
const char *action_click_request(struct task *t, const struct click_action *a);
/* Ends the wait of an action in the page, and the check of its press, so that the page does nothing later. Sends only. */
void action_cancel(struct task *t, struct frame *f);
/*
 * `ret_element` is a description of the element in the task's arena: <button id="save">Save</button>. When these
 * functions return 0, the page's event handlers have run.
 */
int action_click(struct task *t, struct frame *f, const struct click_action *a, const char **ret_element);
/* Moves the mouse to the element; `count` is 0. */
int action_hover(struct task *t, struct frame *f, const struct click_action *a, const char **ret_element);
/* Waits until an element that matches is visible. */
int action_wait(struct task *t, struct frame *f, const char *selector, usec_t timeout, const char **ret_element);
int action_type(struct task *t, struct frame *f, const struct type_action *a, const char **ret_element);
int action_select(struct task *t, struct frame *f, const struct select_action *a, const char **ret_element);
/* Clicks the element unless it is in the wanted state already. */
int action_check(struct task *t, struct frame *f, const struct check_action *a, const char **ret_element);

/*
 * Drags with the mouse. If the page starts an HTML drag, the data of that drag is dropped. The button is released and
 * the drag ended in every case. `ret_pressed`: the source was pressed, so that an error concerns the target.
 */
int action_drag(struct task *t, const struct drag_action *d, bool *ret_pressed);
/* Drops data on the element, as if it were dragged from another program. -EACCES: the page does not accept it. */
int action_drop(struct task *t, struct frame *f, const struct drop_action *d);
