/*
 * A plain long-running server program (npm run dev, python3 -m http.server): starts it, writes its output to log files, and
 * detects when it is ready.
 */
#pragma once

#include "base/macros.h"
#include "base/str.h"
#include "devserver/logs.h"
#include "loop/process.h"
#include "loop/task.h"

struct program;
struct scratch;

/*
 * Whether one of these lines says that the server is ready, for a caller who knows what to look for. The last line may be
 * incomplete; it comes again when there is more of it. May suspend; the output is the caller's, for the duration of the call.
 */
struct ready_search {
	int (*run)(struct task *t, const struct str *lines, void *data, bool *ret); /* NULL: the output does not matter */
	void *data;
};

struct program_plan {
	const char *const *argv;       /* NULL-terminated */
	const char *file;              /* what is executed; NULL: argv[0], searched on PATH when it has no slash */
	const char *const *env;        /* NULL: inherited */
	const char *cwd;               /* NULL: inherited */
	int port;                      /* on which it will listen; 0: detected */
	const char *ready_url;         /* ready when this URL (see answer.h) responds with 2xx or 3xx; NULL: when it listens */
	struct ready_search ready_log; /* ready only after its output said so */
	usec_t timeout;                /* for becoming ready */
};

/* Does not wait. Negative errno. `folder` holds the logs and is removed at the end; both are borrowed. */
int program_start(struct loop *l, const struct program_plan *plan, const struct scratch *folder,
		  struct log_writer *const logs[LOG_KINDS], struct program **ret);
/* Releases the keeper, which ends the program and all its descendants. */
void program_release(struct program *p);
bool program_is_gone(const struct program *p); /* whether all processes have ended */
struct program *program_free(struct program *p);
DEFINE_FREEP(program);

/* Where the program listens. Strings are owned by the program. */
struct program_address {
	const char *url;
	int port;
	pid_t pid; /* of the listening process; of the program's first process when that is unknown */
};
/* Suspends until the server is ready. -ERR_SERVER_START_FAILED with the reason (exited, port_in_use, timeout) in the details. */
int program_await(struct task *t, struct program *p, struct program_address *ret);
/* Whether the program is running. If not, `how` gets a description of how it ended. */
bool program_is_running(const struct program *p, char *how, size_t size);
/*
 * Sends SIGTERM to all processes of the program, SIGKILL after the grace period, and waits until they have ended.
 * `keep_folder` keeps the log directory for the next program.
 */
int program_end(struct task *t, struct program *p, bool keep_folder, bool *ret_killed);
bool program_keeps_folder(const struct program *p); /* whether program_end() was called with keep_folder */
const struct process *program_process(const struct program *p);
/* The end of its stderr, or of its stdout when stderr is empty. */
const char *program_last_output(const struct program *p);
