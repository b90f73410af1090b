/*
 * Files that other users of the machine can neither read nor replace: keys, and documents that are sealed with them.
 *
 * `path` is the operator's or made by this program; a name that a client chose must be encoded before it becomes part of one. The
 * directory may be reached by links, its last component included, and is examined after it was opened; the file itself is no link. Both have
 * to belong to this user or to root, and nobody else may write to them. Directories above are not examined: who can exchange one of
 * these puts another directory in place, which is refused unless it belongs to this user as well.
 *
 * Functions with a task suspend between parts of a large file; without one (NULL) they block until it is done. Pipes and devices are refused. Failures are negative errnos: -EPERM when the owner or the permissions are
 * refused, -ELOOP for a link, -EFBIG, -EINVAL when it is no regular file. `error` gets a sentence that names the path and says
 * what to do.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "base/str.h"
#include "loop/task.h"

enum private_readers {
	PRIVATE_OWNER_READS,  /* refuses a file that others can read: it holds secrets as they are */
	PRIVATE_ANYONE_READS, /* its contents are encrypted */
};

/* Makes the directory with mode 0700, and its missing parents, unless it exists; then examines it. */
int private_directory_make(const char *path, struct str *error);
/* Appends the contents. -EFBIG when there are more than `limit` bytes. The caller wipes them. */
int private_read(_nullable_ struct task *t, const char *path, size_t limit, enum private_readers readers, struct str *out,
		 struct str *error);
/*
 * Writes a new file with mode 0600 beside `path` and moves it there, so that readers see the old contents or the new ones. The directory has
 * to exist. Without a task, the disk has the contents when the function returns. With one that is not awaited, because it takes longer than a turn of the
 * loop may: if the machine loses its power then, the old or the new contents are there, and on some file systems none. A process that is
 * killed leaves a file behind whose name begins with PRIVATE_UNFINISHED.
 */
#define PRIVATE_UNFINISHED ".new-"
int private_write(_nullable_ struct task *t, const char *path, const void *data, size_t len, struct str *error);
/* The same without a task, if there is no such file; -EEXIST without a sentence when there is one. */
int private_write_new(const char *path, const void *data, size_t len, struct str *error);
/* Removes the file; -ENOENT without a sentence when there is none. */
int private_remove(const char *path, struct str *error);

/* Overwrites the text in memory and releases it. */
void private_wipe(struct str *text);
