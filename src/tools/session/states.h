/* Named states, for create_session. The tools save_state, list_states and delete_state are in states.c. */
#pragma once

#include "base/json.h"
#include "loop/task.h"
#include "mcp/server.h"

/* Reads the state of that name of the call's owner. `ret` is owned by the caller. -ERR_STATE_NOT_FOUND. Suspends. */
int state_find(struct task *t, struct mcp_call *call, const char *name, struct json **ret);
/* Makes it the state of a session that has just been created, and ends that session if it cannot be. Suspends. */
int state_restore(struct task *t, struct mcp_call *call, const char *id, const struct json *state, int64_t *ret_expires_at);
