/*
 * Closed shadow roots, for scripts/roots.js: the browser serializes elements together with their shadow roots, closed ones
 * included, and gives each as an object of the isolated world. The page notices nothing.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/* Gives the closed roots of the elements that scripts/roots.js asks about to the page scripts of `f`. Suspends. */
int closed_roots_find(struct task *t, struct frame *f);
