/*
 * Detects that the process which started browserd has ended. The end of stdin alone does not show that: if the client
 * is killed, a shell between client and server may keep stdin open.
 */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"

struct client_watch;

/*
 * Watches the parent and its ancestors up to the first that is not a shell. `gone` is called at most once; `who`
 * describes the process for the log. Processes that cannot be watched (a parent outside of the container, an old
 * kernel) are skipped.
 */
struct client_watch *client_watch_new(struct loop *l, void (*gone)(const char *who, void *data), void *data);
struct client_watch *client_watch_free(struct client_watch *w);
DEFINE_FREEP(client_watch);
