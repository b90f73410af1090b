/*
 * One run of a command that keeps the contract: started without a shell in a process group of its own, with the verb as its first
 * argument. What it starts lives for as long as the run does, and ends with it.
 */
#pragma once

#include "base/macros.h"
#include "devserver/contract.h"
#include "loop/process.h"
#include "loop/task.h"

struct command;

struct command_plan {
	const char *path;
	const char *const *args; /* NULL-terminated, behind the verb; may be NULL */
	const char *const *env;
	const char *cwd;
	enum contract_verb verb;
	bool stop_command; /* when the run ends other than by command_end(), the command is asked to --shutdown first */
};

/* Does not wait. Negative errno. */
int command_start(struct loop *l, const struct command_plan *plan, struct command **ret);
/* Lets go of all that it has started: it ends by itself, after the farewell. */
void command_release(struct command *c);
bool command_is_gone(const struct command *c); /* with all of that */
struct command *command_free(struct command *c);
DEFINE_FREEP(command);

/*
 * Suspends until the answer is there and keeps the contract: `ret` is borrowed. -ERR_SERVER_START_FAILED,
 * -ERR_SHUTDOWN_FAILED or -ERR_SERVER_COMMAND_FAILED (status), with the reason
 * (timeout, non_zero_exit, invalid_json, invalid_answer, command_not_found, permission_denied) in the details.
 */
int command_await(struct task *t, struct command *c, const struct json **ret);
/* Ends all that it has started, without the farewell, and waits for that. */
int command_end(struct task *t, struct command *c);
const struct process *command_process(const struct command *c);
