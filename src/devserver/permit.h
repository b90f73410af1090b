/* Which programs may be started: the operator's list, and files that nobody else can change. Nothing suspends. */
#pragma once

#include "loop/task.h"

/*
 * `path` is absolute, a regular file that can be run, its owner is the user of this process or root, and neither it nor a folder
 * on the way can be written by everybody (a sticky folder such as /tmp can). With a list (NULL-terminated files and folders;
 * NULL: any), it is one of these or lies below one, links resolved. -ERR_SERVER_START_FAILED with the reason in the
 * details: command_not_found, permission_denied.
 */
int permit_command_path(struct task *t, const char *path, const char *const *allowed);
/* The same for the name of a program, which may be looked up on PATH; without a list, every program is permitted. */
int permit_program(struct task *t, const char *name, const char *cwd, const char *const *allowed);
