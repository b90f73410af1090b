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

struct process_handler {
	/* Bytes that the program wrote to stderr (and stdout, which is the same pipe). */
	void (*output)(const char *text, size_t len, void *data);
	/* Once, when the program has ended and all that it left was ended and removed. `status` as of waitpid(). */
	void (*exited)(int status, void *data);
};

/* The folder that the program works in; locked while the keeper lives. */
struct process_folder {
	const char *path; /* NULL: none */
	/* It outlives the program, which is asked to end (SIGTERM) and has a second to write what it holds. Otherwise the
	 * program is killed and the folder removed. */
	bool kept;
};

/*
 * Starts argv[0] (searched on PATH when it has no slash). The folder belongs to the keeper from here on. Failure to
 * execute is reported by `exited` with the text on output.
 */
int process_start(struct loop *l, char *const argv[], struct process_folder folder, const struct process_handler *handler,
		  void *data, struct process **ret);
/* Ends the program and all that it started, at once. `exited` follows. */
void process_kill(struct process *p);
/* Kills if needed and waits until the keeper has finished, at most 2 s: it goes on alone. `exited` is not called any more. */
struct process *process_free(struct process *p);
DEFINE_FREEP(process);

/*
 * The lock that says a scratch folder is in use: an open descriptor (a child inherits the lock with it), or -EWOULDBLOCK
 * while somebody holds it. A folder that can be locked is a left-over.
 */
int process_lock_dir(const char *path);
/* Removes a folder and all below it; links are removed, not followed. */
void process_remove_tree(const char *path);

/* "exited with status 1", "was ended by signal 9 (Killed)": for messages. */
void process_describe_status(int status, char *buf, size_t size);
