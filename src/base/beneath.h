/*
 * Files below a directory, reached in steps that follow no symbolic link.
 *
 * `root` is an absolute path that whoever calls trusts; links in it are followed. `rest` is relative to it: names with single
 * slashes between, none of them "." or ".."; "" is the root itself. Each name is opened relative to the descriptor of the one
 * before with O_NOFOLLOW, so that a component that is exchanged for a link between a check and the use ends in -ELOOP instead
 * of leading out. openat2(2) would say the same in one call, but some container runtimes do not have it, and directories
 * that are missing have to be made on the way.
 *
 * What is opened is looked at first by a descriptor that opens nothing (O_PATH), and only a regular file is then opened, by
 * that descriptor: pipes, devices and sockets neither block nor notice. All descriptors are close-on-exec. Nothing suspends.
 * Failures are negative errnos: -ELOOP for a link, -ENOTDIR, -ENOENT, -EINVAL for what is not a regular file or for a `rest`
 * that is not as above.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define BENEATH_FILE_MODE 0600
#define BENEATH_DIRECTORY_MODE 0700

/* The directory itself, for openat() and the like (O_PATH). `make`: what is missing is made, the root included. */
int beneath_directory(const char *root, const char *rest, bool make);
/* The directory that `rest` lies in, and `*ret_name` is its last name, which points into `rest`. -EISDIR: it is "". */
int beneath_parent(const char *root, const char *rest, bool make, const char **ret_name);
/* Whatever is there (O_PATH), and what it is. */
int beneath_look(const char *root, const char *rest, struct stat *ret);
/* The regular file that is there; `flags` are O_RDONLY or O_WRONLY, with O_APPEND or without. */
int beneath_open(const char *root, const char *rest, int flags);
/* The same for an entry of a directory. */
int beneath_open_in(int directory, const char *name, int flags);
/* A new file for writing, for its owner alone; directories on the way are made. -EEXIST: there is something already. */
int beneath_create(const char *root, const char *rest);

/*
 * How a file was left by who wrote it. One that has the same identity later is that file, with that content: not another one of
 * the same name, and nobody has changed it since.
 */
struct file_identity {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct file_identity file_identity(const struct stat *st);
bool file_identity_equals(const struct file_identity *a, const struct file_identity *b);
