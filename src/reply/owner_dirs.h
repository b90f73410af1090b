/*
 * Where clients of other machines have their files: a directory for each owner (src/session), which nobody else can name. It is the
 * workspace of the owner's clients, so outputs, uploads and downloads are all in it (reply/output.h). Directories have names
 * that cannot be guessed, and mode 700; an owner's number means nobody after a restart, so a directory is never used again.
 *
 * Without --output-dir they are in a temporary folder (loop/scratch.h) that goes with the server, `kill -9` included. A
 * directory goes with its owner; of owners that outlive their clients, files that were not changed for LIMIT_OWNER_FILES_AGE go,
 * and the oldest ones when there are more than LIMIT_OWNER_FILES_BYTES. With --output-dir they are below it, and the operator's.
 *
 * Nothing suspends.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"

struct owner_dirs;

/* `parent`: an absolute path, which is made; NULL: a temporary folder. Negative errno. */
int owner_dirs_new(const char *parent, struct owner_dirs **ret);
/* Removes what is temporary. */
struct owner_dirs *owner_dirs_free(struct owner_dirs *o);
DEFINE_FREEP(owner_dirs);
const char *owner_dirs_parent(const struct owner_dirs *o);
/* The directory of an owner, made at the first call. Borrowed until owner_dirs_end(). Negative errno. */
int owner_dirs_path(struct owner_dirs *o, uint64_t owner, const char **ret);
/* The owner has gone. `o` may be NULL. */
void owner_dirs_end(struct owner_dirs *o, uint64_t owner);
