/*
 * Starts and ends Chromium: command line, temporary profile, and its end of the connection.
 *
 * With CONNECTION_PORT it listens on a port of the kernel's choice (--remote-debugging-port=0), which browser/debugging_port.h
 * makes private. Otherwise it listens on no port: it reads from descriptor 3 and writes to descriptor 4 (--remote-debugging-pipe),
 * which are one end of a socketpair, and processes without the other end cannot reach it.
 */
#pragma once

#include <sys/types.h>

#include "browser/browser.h"
#include "loop/loop.h"

struct launch;

struct launch_handler {
	/* Once: it ended, wanted or not, and its profile is removed. `reason` is for a person. */
	void (*exited)(const char *reason, void *data);
};

/*
 * Does not wait. `ret_fd` is this program's end of the socket, for cdp_attach(); -1 with CONNECTION_PORT. Fails with a text in `error` (owned by the caller)
 * when no browser is found or nothing can start; with -EBUSY when another browser, which may be about to end, uses the profile.
 */
int launch_start(struct loop *l, const struct browser_options *o, const struct launch_handler *handler, void *data,
		 struct str *error, struct launch **ret, int *ret_fd);
void launch_kill(struct launch *l);
/* The end of what the browser printed, for messages; "" when nothing. */
const char *launch_output(struct launch *l);
/* What is wrong with its sandbox, as the end of a sentence, for messages; "" when nothing. */
const char *launch_warning(const struct launch *l);
/* The path of the program. */
const char *launch_program(const struct launch *l);
/* Whether a wrapper script or a setting has added a debugging port. Reads the command lines of the running processes. */
bool launch_has_port(const struct launch *l);
/* The process from which all processes of the browser descend; 0 when it has ended. */
pid_t launch_pid(const struct launch *l);
/* What the program and its children run in, and the temporary directory, which is also the profile unless that is kept on disk. */
const struct process *launch_process(const struct launch *l);
const char *launch_directory(const struct launch *l);
/* The folder for downloads that are under way; it goes with the browser. */
const char *launch_downloads(const struct launch *l);
/* The one for files that are given to pages, likewise. */
const char *launch_uploads(const struct launch *l);
struct launch *launch_free(struct launch *l);
DEFINE_FREEP(launch);
