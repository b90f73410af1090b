/*
 * The page's event listeners on the path of an action's events, for scripts/settle.js: without listeners, none of the
 * page's scripts can have run. Scripts of the page cannot observe this.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/*
 * Passes the event types of the page's listeners on the nodes of eventPath() and on the window to the page scripts of
 * `f`. Long names are passed as "other". -EMSGSIZE: more than LIMIT_LISTENERS of a node. Suspends.
 */
int listeners_find(struct task *t, struct frame *f);
