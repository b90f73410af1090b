/* Whole files, for what is read once at the start, and folders. Blocks. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

/* Appends the file's contents. Negative errno; -EFBIG when there are more than `limit` bytes. */
int file_read(const char *path, size_t limit, struct str *out);
/* mkdir -p: `path` is not empty. Negative errno. */
int file_make_folders(const char *path, mode_t mode);
/* Where files go that nobody keeps: TMPDIR, or /tmp. Borrowed from the environment. */
const char *file_temporary_folder(void);
