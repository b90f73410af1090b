/*
 * Browsers that are started on this machine: the process, with temporary folders, and the connection to it. The connection is the browser's
 * debugging port where that can be closed to all other processes, or a socket that it inherits, which no other process can reach.
 */
#pragma once

#include <sys/types.h>

#include "base/macros.h"
#include "base/str.h"
#include "engine/connection.h"
#include "engine/options.h"

struct launch;
struct process;

struct launch_handler {
	struct engine_connection_handler connection;
	/*
	 * The browser must be ended, because its debugging port is not private. `shared`: another process has, or may have, connected; else it
	 * cannot be made private. `reason` is readable.
	 */
	void (*unsafe)(bool shared, const char *reason, void *data);
	/* Once: it ended, wanted or not, and its profile is removed. `reason` is for a person. */
	void (*exited)(const char *reason, void *data);
};

/* What earlier starts of a browser say about how the next one can be connected to. Zeroed at first; released by launch_history_done(). */
struct launch_history {
	struct str pipe_reason; /* why it is the pipe although that was not asked for, a half sentence; empty: it is not */
	bool pipe_only;         /* a port has failed */
	unsigned shared;        /* browsers of this start that were ended because of their ports */
};
void launch_history_done(struct launch_history *h);
/* launch_handler.unsafe was called. True: another browser is to be started; false: the start has failed, with a text in `error`. */
bool launch_may_retry(struct launch_history *h, const struct engine_options *o, bool shared, const char *reason, struct str *error);
/* Why the port of a browser with these options would not be used, a half sentence; NULL: it would. */
const char *launch_port_obstacle(struct loop *l, const struct engine_options *o);

/*
 * Does not wait. Fails with a text in `error` (owned by the caller) when no browser is found or nothing can start; with -EBUSY when
 * another browser, which may be about to end, uses the profile; with -ENOTSUP when the port is required and cannot be made private.
 */
int launch_start(struct loop *l, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret);
/* Begins to connect to the browser. Negative errno: that is not possible. */
int launch_connect(struct launch *l);
void launch_kill(struct launch *l);
/* The end of what the browser printed before it was ready, for messages; "" when nothing. */
const char *launch_output(struct launch *l);
/*
 * The browser is ready: what it has printed, and prints from now on, is not kept. Browsers print console messages of pages, in which there can be
 * what a person has typed.
 */
void launch_forget_output(struct launch *l);
/* What is wrong with its sandbox, as the end of a sentence, for messages; "" when nothing. */
const char *launch_warning(const struct launch *l);
/* The path of the program. */
const char *launch_program(const struct launch *l);
/* Whether its connection is its debugging port, and what the connection is called in messages. */
bool launch_uses_port(const struct launch *l);
const char *launch_connection(const struct launch *l);
/*
 * Whether it listens on a debugging port that was not made private, because a wrapper script or a setting has added it. Reads the command
 * lines of the running processes.
 */
bool launch_has_open_port(const struct launch *l);
/* The process from which all processes of the browser descend; 0 when it has ended. */
pid_t launch_pid(const struct launch *l);
/* The folder for downloads that are under way; it goes with the browser. */
const char *launch_downloads(const struct launch *l);
/* The folder for files that are given to pages; it goes with the browser. */
const char *launch_uploads(const struct launch *l);
/* Calls fail with -ENOTCONN, and no callback follows. May be called any time but inside of its callbacks. */
struct launch *launch_free(struct launch *l);
DEFINE_FREEP(launch);
