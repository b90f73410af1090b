/*
 * A plain long-running server (npm run dev, python3 -m http.server): the program itself, its output in log files, and the moment
 * from which it serves.
 */
#pragma once

#include "base/macros.h"
#include "devserver/logs.h"
#include "loop/process.h"
#include "loop/task.h"

struct program;
struct scratch;

struct program_plan {
	const char *const *argv; /* NULL-terminated */
	const char *const *env;  /* NULL: ours */
	const char *cwd;         /* NULL: ours */
	int port;                /* where it will listen; 0: found out */
	const char *ready_url;   /* it serves when this answers 2xx or 3xx; on this machine, see answer.h; NULL: when it listens */
	const char *ready_log;   /* and has printed a line that this POSIX extended expression matches; NULL: none */
	usec_t timeout;          /* for all that */
};

/* Does not wait. Negative errno. `folder`: of its logs, which are borrowed; it is removed at the end. */
int program_start(struct loop *l, const struct program_plan *plan, const struct scratch *folder, struct log_writer *const logs[LOG_KINDS],
		  struct program **ret);
/* Lets go of it and of all that it has started: they end by themselves soon. */
void program_release(struct program *p);
bool program_is_gone(const struct program *p); /* with all of that */
struct program *program_free(struct program *p);
DEFINE_FREEP(program);

/* Where it turned out to listen. Texts are the program's. */
struct program_address {
	const char *url;
	int port;
	pid_t pid; /* that listens; the program's first process where that is not known */
};
/* Suspends until it serves. -ERR_SERVER_START_FAILED with the reason (exited, port_in_use, timeout) in the details. */
int program_await(struct task *t, struct program *p, struct program_address *ret);
/* Is the program still there? If not, `how` gets words for its end. */
bool program_lives(const struct program *p, char *how, size_t size);
/* Asks it to end (SIGTERM to all of it), kills what does not, and waits for that. `keep_folder`: for the next one. */
int program_end(struct task *t, struct program *p, bool keep_folder, bool *ret_killed);
bool program_leaves_folder(const struct program *p); /* it was ended, or is being ended, with keep_folder */
const struct process *program_process(const struct program *p);
/* The end of its stderr, or of all it printed where it wrote nothing there. */
const char *program_last_output(const struct program *p);
