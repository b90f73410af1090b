/*
 * Closed shadow roots, for scripts/roots.js, which chooses the elements to ask about: the browser serializes elements together with their shadow roots, closed
 * ones included, and returns each as an object of the isolated world. Scripts of the page cannot observe this.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/*
 * Passes the closed shadow roots of some elements to the page scripts of `f`. `hosts`: an expression, a constant, that gives the list of
 * these elements there. Returns how many roots there are. Suspends.
 */
int closed_roots_find(struct task *t, struct frame *f, const char *hosts);
