/*
 * Decides which programs may be started, in which directories and with which environment variables, by the operator's allow
 * lists and by file permissions. A program executes code from its environment (BASH_FUNC_x, NODE_OPTIONS, PYTHONPATH, PATH...)
 * and from its working directory (package.json, .env, modules). Therefore, if programs are restricted to a list, a client may
 * also choose only listed variables and directories. Nothing suspends. Failures are -ERR_SERVER_START_FAILED with the reason in
 * the details.
 */
#pragma once

#include "loop/task.h"

/* Lists are NULL-terminated; NULL: an empty one. */
struct permit_lists {
	const char *const *commands;    /* files and directories; NULL: any program, variable and directory */
	const char *const *variables;   /* names and PREFIX_*, in addition to the usual ones */
	const char *const *directories; /* with their subdirectories, in addition to those of the commands */
	struct {
		const char *commands, *variables, *directories;
	} names; /* what messages call the lists */
};

/* Checks an environment variable that a client sets for a server. */
int permit_variable(struct task *t, const char *name, const char *value, const struct permit_lists *lists);
/* Whether `entry` has the form of an entry of `variables`. */
bool permit_is_variable(const char *entry);
/*
 * Checks the working directory that a client chooses for the program `command` (a path or a name). `clients`: a directory with
 * clients' files, which is never allowed; NULL: none. `*ret` is its path with links resolved, in the task's arena.
 */
int permit_directory(struct task *t, const char *directory, const char *command, const struct permit_lists *lists,
		     const char *clients, const char **ret);

/*
 * Checks that `path` is absolute and an executable regular file that belongs to the user of this process or root, and that
 * neither it nor any of its parent directories is world-writable (sticky directories such as /tmp are accepted). With a list
 * of commands, it must be one of these or below one, links resolved.
 * -ERR_SERVER_START_FAILED with the reason in the details: command_not_found, permission_denied.
 *
 * `*ret` is the path of the checked file with links resolved, in the task's arena. Only that may be executed: a link in `path` can be
 * changed after the check.
 */
int permit_command_path(struct task *t, const char *path, const struct permit_lists *lists, const char **ret);
/*
 * The same check for a program name, which is looked up on PATH if it has no slash; without a list, any program is allowed, and
 * `*ret` is NULL.
 */
int permit_program(struct task *t, const char *name, const char *cwd, const struct permit_lists *lists, const char **ret);
