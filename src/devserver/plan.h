/* Copies of the plans of servers, for server.c. Nothing suspends. */
#pragma once

#include "base/arena.h"
#include "devserver/server.h"

/*
 * A copy whose parts live in the arena. `env` becomes the whole environment of the server, `log_folders` has those where logs may
 * always be, too.
 */
void plan_copy(struct arena *a, const struct devserver_plan *plan, struct devserver_plan *ret);
/* One more variable (NAME=VALUE) for such a copy. */
void plan_add_variable(struct arena *a, struct devserver_plan *plan, const char *variable);
