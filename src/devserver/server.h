/*
 * A dev server: one that a command manages by contract (command.h), or a plain program (program.h). All its processes are ended
 * with the server, also when browserd is killed.
 *
 * Functions that take a task may suspend; only one of them may run on a server at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"
#include "devserver/logs.h"
#include "devserver/program.h"
#include "loop/task.h"

struct devserver;

/* Copied. */
struct devserver_plan {
	const char *command_path, *command; /* exactly one is set: a command with contract, or a plain program */
	const char *const *args;            /* NULL-terminated; may be NULL */
	const char *const *env;             /* NAME=VALUE in addition to browserd's, NULL-terminated; may be NULL */
	const char *cwd;                    /* NULL: inherited */
	const char *file; /* set by the launch: what is executed (permit.h); NULL: `command`, looked up at each start */
	/* For plain programs, see program.h. */
	int port;
	const char *ready_url;
	struct ready_search ready_log; /* its data must live as long as the server is in use */
	usec_t timeout;
	const struct permit_lists *permit; /* outlives the server */
	const char *const *log_folders;    /* allowed directories of logs, in addition to the log directory, cwd, TMPDIR and /tmp */
};

/* Strings are owned by the server and valid until it is restarted. */
struct devserver_info {
	const char *status; /* "ready", "already_running", "restarted", "started" */
	const char *url, *started_at, *message;
	int port;
	pid_t pid;
	int previous_port; /* before the restart, 0 for none */
	pid_t previous_pid;
	const struct log_paths *logs;
};

/* Starts a server without waiting. Fails like program.h and command.h, and with port_in_use if the port is taken already. */
int devserver_launch(struct task *t, const struct devserver_plan *plan, struct devserver **ret);
/* Suspends until the server is ready. After a failure the caller must end it. */
int devserver_await(struct task *t, struct devserver *s);
const struct devserver_info *devserver_info(const struct devserver *s);

/* What helps, or says more, about a server that is not as it should be. */
enum devserver_remedy {
	REMEDY_NONE,
	REMEDY_RESTART,
	REMEDY_LOGS,
};
struct devserver_state {
	const char *status;  /* "running", "stopped", "unhealthy" */
	const char *message; /* in the task's arena, as the status */
	enum devserver_remedy remedy;
	double uptime; /* seconds, if it is running */
	bool healthy;
};
int devserver_state(struct task *t, struct devserver *s, struct devserver_state *ret);
int devserver_restart(struct task *t, struct devserver *s);

struct devserver_end {
	const char *status;      /* "stopped", "already_stopped", "force_stopped" */
	const char *message;     /* in the task's arena, as the status; of a server that ended by itself, or by its own command */
	struct failure shutdown; /* of its own command, after which the processes were ended; code 0: none */
};
static inline void devserver_end_done(struct devserver_end *end)
{
	failure_done(&end->shutdown);
}
/* Ends the server and waits until its port is free; -ERR_SHUTDOWN_FAILED when it is not freed in time. The caller calls devserver_end_done(). */
int devserver_end(struct task *t, struct devserver *s, struct devserver_end *ret);
struct devserver *devserver_free(struct devserver *s);
DEFINE_FREEP(devserver);
/* Ends the server in the background and frees it when it has ended. */
void devserver_abandon(struct devserver *s);
/* For process exit: frees abandoned servers, which their keepers continue to end. */
void devserver_forget_abandoned(void);

/* Whether the server's process has ended; `how` gets a description if it is known. */
bool devserver_is_dead(const struct devserver *s, char *how, size_t size);
/* Whether the server or one of its descendants listens on that port of this machine. */
bool devserver_listens_on(const struct devserver *s, int port);

/*
 * Reads part of a log: the last lines for `offset` -1, else from that offset. -ERR_LOG_NOT_FOUND, -ERR_LOG_READ_FAILED. Does
 * not suspend. `t` may be NULL; the failure then has no text.
 */
int devserver_read_log(struct task *t, struct devserver *s, enum log_kind kind, int64_t offset, unsigned lines,
		       struct log_part *ret);
