/*
 * One run of a command that implements the contract (contract.h). It is started without a shell in its own process group, with
 * the verb as its first argument. The processes that it starts may live on until the run is ended.
 */
#pragma once

#include "base/macros.h"
#include "devserver/contract.h"
#include "loop/process.h"
#include "loop/task.h"

struct command;

struct command_plan {
	const char *path;        /* as the client wrote it: argv[0] */
	const char *file;        /* what is executed */
	const char *const *args; /* NULL-terminated, follow the verb; may be NULL */
	const char *const *env;
	const char *cwd;
	enum contract_verb verb;
	bool stop_command; /* run the command with --shutdown first, unless the run is ended by command_end() */
};

/* Does not wait. Negative errno. */
int command_start(struct loop *l, const struct command_plan *plan, struct command **ret);
/* Releases the keeper of all processes that the run has started; it runs the stop command and ends them. */
void command_release(struct command *c);
bool command_is_gone(const struct command *c); /* whether all processes have ended */
struct command *command_free(struct command *c);
DEFINE_FREEP(command);

/*
 * Suspends until the command has printed a valid result. `ret` is borrowed. -ERR_SERVER_START_FAILED,
 * -ERR_SHUTDOWN_FAILED or -ERR_SERVER_COMMAND_FAILED (status), with the reason
 * (timeout, non_zero_exit, invalid_json, invalid_answer, command_not_found, permission_denied) in the details.
 */
int command_await(struct task *t, struct command *c, const struct json **ret);
/* Ends all processes that the run has started, without the stop command, and waits for their end. */
int command_end(struct task *t, struct command *c);
const struct process *command_process(const struct command *c);
