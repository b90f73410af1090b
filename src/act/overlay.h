/*
 * What browserd draws over a page: highlights of elements, chapter cards, and marks of actions (scripts/overlay.js). All of it
 * goes with the document.
 */
#pragma once

#include "act/target.h"
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
