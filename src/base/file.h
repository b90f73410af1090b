/* Reading and writing whole files, creating directories, rotating logs. All functions block. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/str.h"

/*
 * Appends the file's contents. Negative errno; -EFBIG when there are more than `limit` bytes, -ENXIO when it is no regular file: the
 * opening of a pipe, and the reading of a device, may never end.
 */
int file_read(const char *path, size_t limit, struct str *out);
/* What is wrong with a file that file_read() cannot read, for messages. */
const char *file_failure(int r);
/* file_read() from the descriptor's current offset. */
int file_read_from(int fd, size_t limit, struct str *out);
/* Writes all `len` bytes. Negative errno; part of them may have been written then. */
int file_write_all(int fd, const void *bytes, size_t len);
/*
 * Rotates a log: renames `path` to PATH.1, replacing an older one, and opens a new file at `path` for `*fd` with these open()
 * flags and mode 0600. On failure, returns a negative errno and sets `*fd` to -1.
 */
int file_rotate(const char *path, int flags, int *fd);
/*
 * Opens a file or directory with these open() flags, without following a link at its end, and locks it for this process and the
 * children that inherit the descriptor (flock(2)). A new file has mode 0600. -EWOULDBLOCK while another process holds the lock.
 */
int file_open_locked(const char *path, int flags);
/* Closes the descriptor, if it is one, and sets it to -1. */
void file_close(int *fd);
/* Creates `path` (not empty) and its missing parents, as mkdir -p does. Negative errno. */
int file_make_directories(const char *path, mode_t mode);
/* Whether the directory `path` can be written, or made with its missing parents: 0 or a negative errno. Makes nothing. */
int file_check_directory(const char *path);
/* The directory for temporary files: TMPDIR or /tmp. Borrowed from the environment. */
const char *file_temporary_directory(void);
