/* Copies of the plans of servers, for server.c. Nothing suspends. */
#pragma once

#include "base/arena.h"
#include "devserver/server.h"

/*
 * A copy in the arena. `env` becomes the complete environment of the server, and `log_folders` also gets the directories where
 * logs are always allowed.
 */
void plan_copy(struct arena *a, const struct devserver_plan *plan, struct devserver_plan *ret);
/* Adds a variable (NAME=VALUE) to such a copy. */
void plan_add_variable(struct arena *a, struct devserver_plan *plan, const char *variable);
