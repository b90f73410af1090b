/*
 * Closed shadow roots, for scripts/roots.js: the browser serializes elements together with their shadow roots, closed
 * ones included, and returns each as an object of the isolated world. Scripts of the page cannot observe this.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/* Passes the closed shadow roots of the elements that scripts/roots.js requests to the page scripts of `f`. Suspends. */
int closed_roots_find(struct task *t, struct frame *f);
