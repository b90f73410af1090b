/* Whole files; folders; logs that do not grow for ever. Blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

/* Appends the file's contents. Negative errno; -EFBIG when there are more than `limit` bytes. */
int file_read(const char *path, size_t limit, struct str *out);
/* The same from where the descriptor stands. */
int file_read_from(int fd, size_t limit, struct str *out);
/* Writes all of it. Negative errno; some of it may have been written then. */
int file_write_all(int fd, const void *bytes, size_t len);
/*
 * A log has become too long: `path` becomes PATH.1, in the place of an older one, and a new file is opened there for `*fd`,
 * with these flags of open() and for its owner alone. Negative errno, `*fd` is -1 then.
 */
int file_rotate(const char *path, int flags, int *fd);
/* mkdir -p: `path` is not empty. Negative errno. */
int file_make_directories(const char *path, mode_t mode);
/* Where files go that nobody keeps: TMPDIR, or /tmp. Borrowed from the environment. */
const char *file_temporary_directory(void);
