/*
 * The directories of HTTP clients: one for each owner (src/session), which no other owner can name. It is the workspace of the
 * owner's clients, so their outputs, uploads and downloads are all in it (reply/output.h). Directories have unguessable names
 * and mode 700. A directory is never used again after a restart, because owner numbers are then assigned anew.
 *
 * Without an output directory, they are in a temporary directory (loop/scratch.h) that is removed when the server ends, even by
 * `kill -9`. A directory is removed with its owner. For owners that outlive their clients, files that have not changed for
 * LIMIT_OWNER_FILES_AGE are removed, and the oldest files when three quarters of LIMIT_OWNER_FILES_BYTES or
 * LIMIT_OWNER_FILES_COUNT are used up; so are directories that have been empty for a minute. A directory in it counts as a file. With one, the directories are below it, and the operator removes them.
 *
 * At the limits nothing more is written. How much an owner has is counted by a child process, once a minute, more often near the
 * limits; in between, what is written is added to that.
 *
 * No function suspends.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"

#define OWNER_DIR_PREFIX "owner-"
#define OWNER_DIR_TEMPLATE OWNER_DIR_PREFIX "XXXXXX" /* for mkdtemp(3) */

struct owner_dirs;

/* `parent`: an absolute path, which is created; NULL: a temporary directory. Negative errno. */
int owner_dirs_new(const char *parent, struct owner_dirs **ret);
/* Removes the temporary directories and frees `o`. */
struct owner_dirs *owner_dirs_free(struct owner_dirs *o);
DEFINE_FREEP(owner_dirs);
const char *owner_dirs_parent(const struct owner_dirs *o);
/* The directory of an owner, created at the first call. Borrowed until owner_dirs_end(). Negative errno. */
int owner_dirs_path(struct owner_dirs *o, uint64_t owner, const char **ret);
/* Bytes that the owner may still write; 0 also if it has as many files as it may have. `o` may be NULL: UINT64_MAX. */
uint64_t owner_dirs_room(const struct owner_dirs *o, uint64_t owner);
/* The owner has so many more bytes and files (directories are files here), or fewer. `o` may be NULL. */
void owner_dirs_add(struct owner_dirs *o, uint64_t owner, int64_t bytes, int64_t files);
/* Removes the directory of an owner that has ended, if it is temporary. `o` may be NULL. */
void owner_dirs_end(struct owner_dirs *o, uint64_t owner);
