/*
 * Child processes that leave nothing behind. Between browserd and the program stands a keeper, a fork of browserd
 * that owns the program's process group, is the subreaper of everything it starts, and ends all of it and removes
 * its folder when browserd lets go of the control pipe, however browserd ends (kill -9 included).
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
	/* Bytes that the program wrote to stdout, and to stderr where `errors` is NULL. */
	void (*output)(const char *text, size_t len, void *data);
	/* Bytes that it wrote to stderr. */
	void (*errors)(const char *text, size_t len, void *data);
	/* The program has ended (process_plan.daemons, .stays); `exited` comes later. */
	void (*left)(int status, void *data);
	/* Once, when the program has ended and all that it left was ended and removed. `status` as of waitpid(). */
	void (*exited)(int status, void *data);
};

struct process_plan {
	const char *const *argv; /* argv[0] is searched on PATH when it has no slash */
	const char *const *env;  /* NULL: ours */
	const char *cwd;      /* NULL: ours */
	const struct scratch *folder; /* the keeper holds it, too, and removes it at the end; NULL: none */
	const char *locked;   /* another folder, which is locked as long; NULL: none */
	/*
	 * A descriptor that the program gets as 3 and as 4, and nothing else that the keeper runs gets. It stays the caller's,
	 * who closes it after process_start(), so that the end of the program is seen at the other end. 0: none.
	 */
	int channel;
	unsigned grace_msec;  /* how long the program may take to end after SIGTERM before it is killed; 0: killed at once */
	bool grace_for_group; /* its whole process group is asked to end, not the program alone */
	bool daemons;         /* the program may end and leave others running, which live until they end or are let go */
	/* When the program has ended, what it left is ended, `left` is called, and the folder stays until it is let go. */
	bool keep_until_released;
	/* Runs before all is ended because browserd let go or is gone, and may take that long; NULL: nothing. With it, the
	 * keeper stays until it is let go even if nothing runs. */
	const char *const *stop_command;
	unsigned stop_command_msec;
};

/* Failure to execute is reported by `exited` with the text on stderr. */
int process_start(struct loop *l, const struct process_plan *plan, const struct process_handler *handler, void *data,
		  struct process **ret);
/* Ends the program and all that it started, as the plan says. `exited` follows. */
void process_kill(struct process *p);
/* The same for another process that takes the folder over next, or when the farewell has been said already. */
enum { PROCESS_LEAVE_FOLDER = 1, PROCESS_SKIP_STOP_COMMAND = 2 };
void process_end(struct process *p, unsigned flags);
/* All that it has started, directly or not, and that still lives: fills `ret` and returns how many there are, at most `max`. */
size_t process_members(const struct process *p, pid_t *ret, size_t max);
/*
 * Kills if needed and waits until the keeper has finished, at most 2 s (not at all where it has time to end gently): it
 * goes on alone. `exited` is not called any more.
 */
struct process *process_free(struct process *p);
DEFINE_FREEP(process);

/*
 * The lock that says a folder is in use: an open descriptor (a child inherits the lock with it), or -EWOULDBLOCK while
 * somebody holds it.
 */
int process_lock_dir(const char *path);
/* Removes a folder and all below it; links are removed, not followed. */
void process_remove_tree(const char *path);

/* "exited with status 1", "was ended by signal 9 (Killed)": for messages. */
void process_describe_status(int status, char *buf, size_t size);
/* The process that started `pid`, 0 when that is not known. */
pid_t process_parent(pid_t pid);
