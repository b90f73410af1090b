/*
 * What all actions on an element share: they wait in the page until it can be used (scripts/patience.js), the document may be
 * replaced meanwhile, and what the waiting ended with is explained in one way. For the files of this folder.
 */
#pragma once

#include <stdbool.h>

#include "act/input.h"
#include "base/clock.h"
#include "base/json.h"
#include "loop/task.h"
#include "page/page.h"

/* An action under way. */
struct attempt {
	struct task *t;
	_kept_ struct frame *f; /* by the caller */
	_kept_ struct page *page;
	const char *target; /* JSON, as scripts/target.js findTarget() takes it */
	usec_t timeout, started;
	struct point at;        /* where attempt_aim() found it last, in the page's viewport */
	struct cdp_call *asked; /* by attempt_ask_aim(): the first attempt_prepare() takes its answer; NULL: nothing was */
};

/* What scripts/click.js waits for. */
struct aiming {
	bool force;                /* whatever lies at the element's place */
	int presses;               /* that will follow and are watched as they arrive */
	bool drags;                /* what is dragged or dropped: it need not be enabled, and drag events are watched */
	bool again;                /* the attempt before was blocked on arrival */
	const struct point *place; /* of the element's box, from its upper left corner; NULL: wherever it gets the mouse */
};

/* `target`, or else `selector`. Sets the deadline of the task. */
struct attempt attempt_start(struct task *t, struct frame *f, const char *selector, const char *target, usec_t timeout);
/* What a wait of the action ended with becomes what the action fails with. */
int attempt_explain(struct attempt *a, int r, const char *what);
/* Does `r` say that the document went away, and that another one is or will be there? */
bool attempt_outlived(const struct attempt *a, int r);

/*
 * Waits in the page until the element is ready: calls the script `function` with the options, a JSON object. `ret` is
 * owned by the caller. Suspends.
 */
int attempt_prepare(struct attempt *a, const char *function, const char *options, struct json **ret);
/* The same for a function that also acts, as the user does. */
int attempt_gesture(struct attempt *a, const char *function, const char *options, struct json **ret);
/* Sends the first question of attempt_aim(), for `asked`. Suspends only where no script ran in the document yet. */
int attempt_ask_aim(struct attempt *a, const struct aiming *how, struct cdp_call *ret);
/* The page must not act later on what is given up now. */
void attempt_give_up(struct task *t, struct frame *f);
/* attempt_prepare() for the mouse: the point to aim at in the page's viewport, and the element in words, in the task's arena. */
int attempt_aim(struct attempt *a, const struct aiming *how, struct point *ret, const char **ret_element);
/*
 * What became of a watched press that the page has handled. 0: it arrived, as far as the element's document can
 * see. 1: it was blocked, or came to another document because a frame around the element moved. -ESTALE: the document had been
 * replaced before it came. Suspends.
 */
int attempt_fate(struct attempt *a);
