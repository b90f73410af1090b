/*
 * Notices that the process which started browserd has ended, also when somebody else keeps our stdin open: a shell
 * between client and server does that when the client is killed.
 */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"

struct client_watch;

/*
 * Watches the parent and its ancestors up to the first one that is no shell. `gone` is called at most once; `who` is
 * for a person. What cannot be watched (a parent outside of the container, an old kernel) is left out.
 */
struct client_watch *client_watch_new(struct loop *l, void (*gone)(const char *who, void *data), void *data);
struct client_watch *client_watch_free(struct client_watch *w);
DEFINE_FREEP(client_watch);
