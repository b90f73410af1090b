/*
 * Files that are given to pages. Chromium opens a file by its path, later than it is told of it and whenever the page reads it, so
 * that the path of a file in a place where others may write could lead to another file by then. What Chromium is told is therefore
 * a name in a directory of the browser's own temporary folder, which only this user may enter: a second name (hard link) of
 * the very file that was opened and checked, or a copy where the file system does not allow that. They go with the context.
 *
 * Of a directory all regular files are taken, and no links.
 */
#pragma once

#include "browser/browser.h"

/*
 * Suspends while it copies. `fd` is the file or directory (opened in any way, O_PATH included), `name` what pages see. `ret_path` is
 * in the task's arena. Failures are task_fail().
 */
int context_stage_upload(struct task *t, struct context *c, int fd, const char *name, const char **ret_path);
