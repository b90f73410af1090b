/*
 * The steps of a call: further calls of tools that a tool makes for its client, in one task. Its argument `steps` of struct tool is an
 * array of {tool, expect, ...}, where the other members are arguments of that tool, or one is `arguments` with all of them; `expect` is for
 * the tool that makes the calls. While a step runs, mcp_call_tool() and mcp_call_arguments() are those of the step.
 */
#pragma once

#include <stddef.h>

#include "mcp/server.h"

struct mcp_step {
	const struct tool *tool;
	const char *name;             /* of the tool, as the client wrote it */
	unsigned number;              /* from 1; 0: not a step but the call itself */
	const struct json *arguments; /* as a call of the tool alone would have them */
	const void *args;             /* the same as the tool takes them */
	const char *expect;           /* NULL: none */
	struct json *copy;            /* of the arguments, owned by the list of steps */
};

struct mcp_steps {
	struct mcp_step *items; /* in the task's arena */
	size_t count;
};

/*
 * Reads and checks all steps, and asks the user to confirm those that have to be. Before one is run, the call fails with everything that
 * is wrong with any: -ERR_INVALID_PARAMETERS, -ERR_NOT_CONFIRMED, or a failure of mcp_call_ask(). The caller releases `ret` in any case.
 */
int mcp_call_steps(struct task *t, struct mcp_call *call, const struct json *list, struct mcp_steps *ret);
void mcp_steps_done(struct mcp_steps *steps);
/* Runs the tool of a step; returns what that returns. `data` is not NULL. */
int mcp_call_run_step(struct task *t, struct mcp_call *call, const struct mcp_step *step, void *data, struct result *res);
/* The `data` of the step that runs; NULL: the client has called this tool itself. */
void *mcp_call_step_data(const struct mcp_call *call);
