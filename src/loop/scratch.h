/*
 * Temporary directories TMPDIR/browserd-KIND-XXXXXX that are removed even if browserd is killed. A directory is locked while
 * this process or a keeper (process.h) uses it. An unlocked one was left behind by killed processes: scratch_new(), of any
 * kind, ends the processes that still use it and removes it. All functions block.
 */
#pragma once

#include "base/macros.h"

struct scratch;

enum scratch_kind {
	SCRATCH_PROFILE, /* used by processes that have its path in their command lines or environments */
	SCRATCH_SERVER,  /* used by processes that have its path in their environments; other processes may read its files */
	SCRATCH_FILES,   /* files of clients, used by this process alone */
	SCRATCH_KINDS
};

/* Creates a directory with mode 0700. Negative errno. */
int scratch_new(enum scratch_kind kind, struct scratch **ret);
const char *scratch_path(const struct scratch *s);
int scratch_lock(const struct scratch *s); /* a descriptor; a child that inherits it holds the lock as well */
/* Unlocks a directory that another holder of the lock removes. */
struct scratch *scratch_free(struct scratch *s);
DEFINE_FREEP(scratch);
/* Ends the processes that use the directory, removes it if it still exists, and frees `s`. */
struct scratch *scratch_remove(struct scratch *s);
