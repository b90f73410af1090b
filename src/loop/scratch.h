/*
 * Temporary folders that do not outlive their users, whatever ends these: TMPDIR/browserd-KIND-XXXXXX. One is locked as long
 * as it is held here or by a keeper (process.h). One that nobody locks is a left-over of processes that were killed: whoever
 * makes the next folder, of any kind, ends those that still use it, and removes it. Blocks.
 */
#pragma once

#include "base/macros.h"

struct scratch;

enum scratch_kind {
	SCRATCH_PROFILE, /* used by processes that have its path in their command lines or environments */
	SCRATCH_SERVER,  /* in their environments: its files may be looked at by others */
	SCRATCH_FILES,   /* files of clients, used by this process alone */
	SCRATCH_KINDS
};

/* For its owner alone. Negative errno. */
int scratch_new(enum scratch_kind kind, struct scratch **ret);
const char *scratch_path(const struct scratch *s);
int scratch_lock(const struct scratch *s); /* a descriptor; a child that inherits it holds the lock as well */
/* Lets go of a folder that somebody else has, who removes it. */
struct scratch *scratch_free(struct scratch *s);
DEFINE_FREEP(scratch);
/* Ends who uses it, removes it if it is still there, and frees this. */
struct scratch *scratch_remove(struct scratch *s);
