/*
 * The event listeners that a page has where the events of an action came through, for scripts/settle.js: without any, none
 * of its scripts can have run. The page notices nothing.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/* Tells the page scripts of `f` the types of the page's listeners on the nodes of its eventPath(), and on its window. Suspends. */
int listeners_find(struct task *t, struct frame *f);
