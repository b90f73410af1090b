/*
 * The server of a web application, from its start to its end: one that a command manages by contract (command.h), or a plain
 * program that runs (program.h). Whatever happens to its owner or to browserd, nothing that it has started remains.
 *
 * Functions that take a task may suspend; one at a time works on a server.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"
#include "devserver/logs.h"
#include "loop/task.h"

struct devserver;

/* Copied. */
struct devserver_plan {
	const char *command_path, *command; /* one of the two: by contract, or a plain program */
	const char *const *args;            /* NULL-terminated; may be NULL */
	const char *const *env;             /* NAME=VALUE in addition to ours, NULL-terminated; may be NULL */
	const char *cwd;                    /* NULL: ours */
	/* Of a plain program, see program.h. */
	int port;
	const char *ready_url, *ready_log;
	usec_t timeout;
	const char *const *allowed;     /* permit.h */
	const char *const *log_folders; /* where logs that a command names may be; its own folder, cwd, TMPDIR and /tmp may always */
};

/* Texts are the server's, valid until it is restarted. */
struct devserver_info {
	const char *status; /* "ready", "already_running", "restarted", "started" */
	const char *url, *started_at, *message;
	int port;
	pid_t pid;
	int previous_port; /* before a restart, 0: none */
	pid_t previous_pid;
	const struct log_paths *logs;
};

/* Starts it and does not wait. The failures of program.h and command.h, and port_in_use at once for a port that is taken. */
int devserver_launch(struct task *t, const struct devserver_plan *plan, struct devserver **ret);
/* Suspends until it serves. After a failure it is to be ended. */
int devserver_await(struct task *t, struct devserver *s);
const struct devserver_info *devserver_info(const struct devserver *s);

struct devserver_state {
	const char *status; /* "running", "stopped", "unhealthy" */
	const char *message; /* in the task's arena, as the status */
	double uptime;       /* seconds, of one that runs */
	bool healthy;
};
int devserver_state(struct task *t, struct devserver *s, struct devserver_state *ret);
int devserver_restart(struct task *t, struct devserver *s);

struct devserver_end {
	const char *status;  /* "stopped", "already_stopped", "force_stopped" */
	const char *message; /* in the task's arena, as the status */
};
/* Ends it and waits until its port is free. -ERR_SHUTDOWN_FAILED: it is not. */
int devserver_end(struct task *t, struct devserver *s, struct devserver_end *ret);
struct devserver *devserver_free(struct devserver *s);
DEFINE_FREEP(devserver);
/* Ends it without waiting, and frees it when that is done. */
void devserver_abandon(struct devserver *s);
/* At the very end: those whose end is under way are left to it. */
void devserver_forget_abandoned(void);

/* Has its process ended (`how`: in what way, where that is known)? */
bool devserver_is_dead(const struct devserver *s, char *how, size_t size);
/* Is that a port of this machine where it, or something that it has started, listens? */
bool devserver_listens_on(const struct devserver *s, int port);

/*
 * A piece of a log: `offset` -1 and the last lines, or what begins there. -ERR_LOG_NOT_FOUND, -ERR_LOG_READ_FAILED. Does not
 * suspend. `t` NULL: the failure has no text.
 */
int devserver_read_log(struct task *t, struct devserver *s, enum log_kind kind, int64_t offset, unsigned lines,
		       struct log_part *ret);
