/*
 * A document that is left. A script that does not end would keep it, and with it the process of the new one, forever, so it is ended
 * when the page does not reply. Input or a timer may begin such a script again and again.
 */
#pragma once

#include <stdbool.h>

#include "engine/engine.h"
#include "loop/task.h"
#include "page/page.h"

struct leaving {
	struct task *t;
	_kept_ struct page *p;    /* held by the caller */
	struct engine_call alive; /* to which the page replies when no script runs */
	usec_t patience;          /* until it counts as stuck */
	bool stuck;
};

/* `stuck`: the page has not replied before. */
struct leaving leave(struct task *t, struct page *p, bool stuck);
void leaving_done(struct leaving *l);
/* Asks whether the page replies; sent before what is awaited. */
void leaving_ask(struct leaving *l);
/* engine_await() for a navigation, during which the scripts of a page that does not reply are ended. */
int leaving_await_reply(struct leaving *l, struct engine_call *call);
/* Suspends until the main frame has had more documents than `commits_before`. */
int leaving_await_commit(const struct leaving *l, unsigned commits_before);
/* Ends what loads and runs in a page that is known to be stuck, before it is navigated. Suspends. */
int page_stop_document(struct task *t, struct page *p);
