/*
 * Files below a directory, reached in steps that follow no symbolic link.
 *
 * `root` is an absolute path that the caller trusts; links in it are followed. `rest` is relative to it: names with single
 * slashes between, none of them "." or ".."; "" is the root itself. Each name is opened relative to the descriptor of the one
 * before with O_NOFOLLOW, so that a component that is exchanged for a link between a check and the use ends in -ELOOP instead
 * of leading out. openat2(2) could do this in one call, but some container runtimes lack it, and missing directories have to
 * be created on the way.
 *
 * A file is first opened with O_PATH and examined with fstat(); only a regular file is then opened, through that descriptor.
 * Pipes, devices and sockets are therefore never opened and cannot block. All descriptors are close-on-exec. Nothing suspends.
 * Failures are negative errnos: -ELOOP for a link, -ENOTDIR, -ENOENT, -EINVAL when the file is not a regular file or `rest`
 * breaks the rules above.
 */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define BENEATH_FILE_MODE 0600
#define BENEATH_DIRECTORY_MODE 0700

/* The directory itself (O_PATH), for openat() and similar calls. `make` creates missing directories, the root included. */
int beneath_directory(const char *root, const char *rest, bool make);
/* Its entries, for readdir(); the caller closes it. NULL: there is no such directory, or it cannot be read. */
DIR *beneath_list(const char *root, const char *rest);
/* The directory that contains `rest`. `*ret_name` is the last component and points into `rest`. -EISDIR when `rest` is "". */
int beneath_parent(const char *root, const char *rest, const char **ret_name);
/* A descriptor (O_PATH) of an entry of any type, and its status. */
int beneath_look(const char *root, const char *rest, struct stat *ret);
/* Opens a regular file; `flags` are O_RDONLY or O_WRONLY, with O_APPEND or without. */
int beneath_open(const char *root, const char *rest, int flags);
/*
 * Creates a file for writing, with mode 0600, and missing directories on the way. -EEXIST when an entry of that name exists. `*made` is
 * raised by the number of directories that were made below the root, also on failure.
 */
int beneath_create(const char *root, const char *rest, unsigned *made);

/*
 * The identity of a file and its content at one moment. A later look that finds the same identity proves that the file was
 * neither replaced by another of the same name nor modified.
 */
struct file_identity {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct file_identity file_identity(const struct stat *st);
bool file_identity_equals(const struct file_identity *a, const struct file_identity *b);
