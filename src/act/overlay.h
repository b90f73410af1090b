/*
 * What browserd draws over a page: highlights of elements, chapter cards, and marks of actions (scripts/overlay.js). All of it
 * goes with the document.
 */
#pragma once

#include "act/target.h"
#include "base/clock.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Highlights all elements that `target` (target_resolve_any()) matches, now and later, until they are hidden. `locator` is the
 * label, and identifies the highlight in its document. `style`: more CSS declarations of the boxes; NULL: none. Suspends.
 */
int target_highlight(struct task *t, const struct target *target, const char *locator, const char *style);
/* Suspends. */
int target_hide_highlight(struct task *t, const struct target *target, const char *locator);
/* Hides all highlights of the page. Does not wait. */
void page_hide_highlights(struct page *p);

/* Shows a card over the whole page for `duration`, and suspends until it has gone. `description` NULL: none. */
int page_show_chapter(struct task *t, struct page *p, const char *title, const char *description, usec_t duration);

struct action_mark {
	const char *title;           /* NULL: none is shown */
	const struct target *target; /* NULL: the action has none */
	usec_t duration;
	const char *options; /* members of a JSON object: position, cursor and style of scripts/marks.js */
};
/* Shows the mark, and suspends for its duration. */
int page_mark_action(struct task *t, struct page *p, const struct action_mark *mark);
/* Takes the mouse pointer of the marks away. Does not wait. */
void page_end_marks(struct page *p);
