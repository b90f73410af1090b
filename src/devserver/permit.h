/*
 * What may be started, where, and with which variables: the operator's lists, and files that nobody else can change. A program runs
 * code from its environment (BASH_FUNC_x, NODE_OPTIONS, PYTHONPATH, PATH...) and from the directory that it runs in (package.json,
 * .env, modules), so where only listed programs may be started, a client may choose listed variables and directories only.
 * Nothing suspends. Failures are -ERR_SERVER_START_FAILED with the reason in the details.
 */
#pragma once

#include "loop/task.h"

/* Lists are NULL-terminated; NULL: an empty one. */
struct permit_lists {
	const char *const *commands;    /* files and folders; NULL: whatever is installed, with any variable, anywhere */
	const char *const *variables;   /* names, and PREFIX_*, besides the usual ones */
	const char *const *directories; /* besides those of the commands; with all below them */
	const char *clients;            /* no directory in which clients have their files; NULL: there is none */
};

/* The variable of a server that a client gives. */
int permit_variable(struct task *t, const char *name, const char *value, const struct permit_lists *lists);
/* Is it an entry of `variables`? */
bool permit_is_variable(const char *entry);
/*
 * The directory that a client gives for the program `command` (a path or a name): `*ret` is its path with links resolved, in
 * the task's arena.
 */
int permit_directory(struct task *t, const char *directory, const char *command, const struct permit_lists *lists, const char **ret);

/*
 * `path` is absolute, a regular file that can be run, its owner is the user of this process or root, and neither it nor a folder
 * on the way can be written by everybody (a sticky folder such as /tmp can). With a list (NULL-terminated files and folders;
 * NULL: any), it is one of these or lies below one, links resolved. -ERR_SERVER_START_FAILED with the reason in the
 * details: command_not_found, permission_denied.
 */
int permit_command_path(struct task *t, const char *path, const char *const *allowed);
/* The same for the name of a program, which may be looked up on PATH; without a list, every program is permitted. */
int permit_program(struct task *t, const char *name, const char *cwd, const char *const *allowed);
