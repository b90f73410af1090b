/*
 * The directories of HTTP clients: one for each owner (src/session), which no other owner can name. It is the workspace of the
 * owner's clients, so their outputs, uploads and downloads are all in it (reply/output.h). Directories have unguessable names
 * and mode 700. A directory is never used again after a restart, because owner numbers are then assigned anew.
 *
 * Without an output directory, they are in a temporary directory (loop/scratch.h) that is removed when the server ends, even by
 * `kill -9`. A directory is removed with its owner. For owners that outlive their clients, files that have not changed for
 * LIMIT_OWNER_FILES_AGE are removed, and the oldest files beyond LIMIT_OWNER_FILES_BYTES. With one, the directories are
 * below it, and the operator removes them.
 *
 * No function suspends.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"

struct owner_dirs;

/* `parent`: an absolute path, which is created; NULL: a temporary directory. Negative errno. */
int owner_dirs_new(const char *parent, struct owner_dirs **ret);
/* Removes the temporary directories and frees `o`. */
struct owner_dirs *owner_dirs_free(struct owner_dirs *o);
DEFINE_FREEP(owner_dirs);
const char *owner_dirs_parent(const struct owner_dirs *o);
/* The directory of an owner, created at the first call. Borrowed until owner_dirs_end(). Negative errno. */
int owner_dirs_path(struct owner_dirs *o, uint64_t owner, const char **ret);
/* Removes the directory of an owner that has ended, if it is temporary. `o` may be NULL. */
void owner_dirs_end(struct owner_dirs *o, uint64_t owner);
