/*
 * Child processes that leave nothing behind. A keeper process, forked from browserd, runs between browserd and the program. It
 * is the subreaper of all processes that the program starts. When browserd closes the control pipe, or ends for whatever
 * reason (kill -9 included), the keeper ends all of them and removes the program's directory. Below, "released" means that.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/macros.h"
#include "loop/loop.h"

struct process;
struct scratch;

struct process_handler {
	/* The program wrote to stdout, or to stderr if `errors` is NULL. */
	void (*output)(const char *text, size_t len, void *data);
	/* The program wrote to stderr. */
	void (*errors)(const char *text, size_t len, void *data);
	/* The program has ended (only with process_plan.daemons or .keep_until_released); `exited` follows later. */
	void (*left)(int status, void *data);
	/* Called once, when all processes have ended and the directory was removed. `status` is the program's, as of waitpid(). */
	void (*exited)(int status, void *data);
};

struct process_plan {
	const char *const *argv;
	const char *file; /* what is executed, also as the stop command; NULL: argv[0], searched on PATH when it has no slash */
	const char *const *env;       /* NULL: inherited */
	const char *cwd;              /* NULL: inherited */
	const struct scratch *folder; /* a directory that the keeper also locks and removes at the end; NULL: none */
	/* A descriptor that the keeper holds open until it ends, such as profile_lock() returns. The caller closes its own. 0: none. */
	int lock;
	/*
	 * A descriptor that only the program inherits, as 3 and 4. The caller owns it and closes it after process_start(), so that
	 * the other end sees a hang-up when the program ends. 0: none.
	 */
	int channel;
	unsigned grace_msec;  /* time between SIGTERM and SIGKILL; 0: SIGKILL immediately */
	bool grace_for_group; /* SIGTERM goes to all descendants, not only to the program */
	bool daemons;         /* processes that the program left running live on until they end or the keeper is released */
	/* When the program has ended, its descendants are killed, `left` is called, and the directory is kept until the release. */
	bool keep_until_released;
	/*
	 * A command that the keeper runs on its release, before it ends the other processes, and the command's timeout. With it, the
	 * keeper waits for the release even if no process runs. NULL: none.
	 */
	const char *const *stop_command;
	unsigned stop_command_msec;
};

/* In a status: the program could not be executed. Its exit status is then 127, and the reason is on its stderr. */
#define PROCESS_NOT_EXECUTED (1 << 16)

int process_start(struct loop *l, const struct process_plan *plan, const struct process_handler *handler, void *data,
		  struct process **ret);
/* Ends the program and all its descendants as the plan says. `exited` follows. */
void process_kill(struct process *p);
/* process_kill() that keeps the directory for another process, or does not run the stop command. */
enum { PROCESS_LEAVE_FOLDER = 1, PROCESS_SKIP_STOP_COMMAND = 2 };
void process_end(struct process *p, unsigned flags);
/* The keeper, from which all of them descend; 0 when it has ended. */
pid_t process_keeper(const struct process *p);
/* The live descendants: fills `ret` and returns their number, at most `max`. */
size_t process_members(const struct process *p, pid_t *ret, size_t max);
/*
 * Ends the processes if needed, without waiting for the keeper: loop_free() waits for it, up to 2 s, unless the plan has a grace
 * period or daemons. `exited` is not called any more.
 */
struct process *process_free(struct process *p);
DEFINE_FREEP(process);

/* "exited with status 1", "was ended by signal 9 (Killed)", for messages. */
void process_describe_status(int status, char *buf, size_t size);
/* The parent of `pid`, 0 when it is unknown. */
pid_t process_parent(pid_t pid);
