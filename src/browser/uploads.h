/*
 * Files that are passed to pages. Chromium receives a path and opens it when the page reads the file, by which time
 * another user could have replaced the file in a shared directory. Chromium therefore gets a name in a directory of the
 * browser's temporary directory, which only this user may enter: a hard link to the file that was opened and checked, or
 * a copy where the file system does not allow one. These names are removed with the context.
 *
 * Of a directory all regular files are included, and no links.
 */
#pragma once

#include "browser/context.h"

/*
 * Suspends while it copies. `fd` is the file or directory (opened in any way, O_PATH included), `name` what pages see. `ret_path` is
 * in the task's arena. Failures are task_fail().
 */
int context_stage_upload(struct task *t, struct context *c, int fd, const char *name, const char **ret_path);
