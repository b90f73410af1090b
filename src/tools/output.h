/*
 * Files that answers name: where they go and how they are shown. Automatic ones go into the output folder, made on
 * first use; names that a caller gives are taken from the workspace (the client's folder, or our working folder) and must
 * stay inside of it or of the output folder. Texts live in the task's arena.
 */
#pragma once

#include <stddef.h>
#include <sys/stat.h>

#include "base/str.h"
#include "loop/task.h"
#include "tools/app.h"

/* The folder that a file: URI of the client names; NULL when it is none. */
const char *output_workspace(struct task *t, const char *uri);
/* Where automatic files go; it need not exist. */
const char *output_folder(struct task *t, const struct app *app);
/* `page-2026-11-20T18-14-26-717Z.yml` in the output folder, for the prefix "page" and the extension "yml". */
int output_automatic(struct task *t, const struct app *app, const char *prefix, const char *extension, const char **ret);
/* The same for another moment than now (Unix milliseconds). */
int output_at(struct task *t, const struct app *app, const char *prefix, int64_t at, const char *extension, const char **ret);
/* The path of a name that a caller gave. -ERR_INVALID_PARAMETERS: it lies outside. */
int output_named(struct task *t, const struct app *app, const char *name, const char **ret);
/* Looks at a file that a caller has named. -ERR_INVALID_PARAMETERS: it is not there. */
int output_stat(struct task *t, const char *path, struct stat *ret);
/* Writes a file; `append`: at its end. */
int output_write(struct task *t, const char *path, const void *data, size_t len, bool append);
/* Appends what a file holds, which may be `limit` bytes. */
int output_read(struct task *t, const char *path, size_t limit, struct str *out);
/* The same as output_write() for what comes as base64. */
int output_write_base64(struct task *t, const char *path, const char *base64);
/* How the answer shows a path: relative to the working folder ("./name", "folder/name"), or absolute. */
const char *output_shown(struct task *t, const struct app *app, const char *path);
/* Is the path (which need not exist) inside of the working or the output folder? Else task_fail(). */
int output_check(struct task *t, const struct app *app, const char *path);
