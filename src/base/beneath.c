#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define STEP_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int open_root(const char *root, bool make)
{
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && make) {
		int r = file_make_directories(root, BENEATH_DIRECTORY_MODE);

		if (r < 0)
			return r;
		fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

/* Copies the first component of `rest`. False when it is empty, ".", ".." or too long. */
static bool beneath_take_name(const char *rest, char name[NAME_MAX + 1])
{
	size_t len = strcspn(rest, "/");

	if (len == 0 || len > NAME_MAX)
		return false;
	memcpy(name, rest, len);
	name[len] = '\0';
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* With O_DIRECTORY and O_NOFOLLOW, open() fails with ENOTDIR for a link; report -ELOOP then. */
static int step_error(int directory, const char *name)
{
	int error = errno;
	struct stat st;

	if (error == ENOTDIR && fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return -ELOOP;
	return -error;
}

/* `made`: gets the number of directories that are made, one more; NULL: none is. */
static int step(int directory, const char *name, unsigned *made)
{
	int fd = openat(directory, name, STEP_FLAGS);

	if (fd < 0 && errno == ENOENT && made) {
		if (mkdirat(directory, name, BENEATH_DIRECTORY_MODE) == 0)
			++*made;
		else if (errno != EEXIST)
			return -errno;
		fd = openat(directory, name, STEP_FLAGS);
	}
	return fd < 0 ? step_error(directory, name) : fd;
}

/* Opens the directories from `root` down to `end`, which points into `rest`. */
static int descend(const char *root, const char *rest, const char *end, unsigned *made)
{
	int fd = open_root(root, made), next;
	char name[NAME_MAX + 1];

	while (fd >= 0 && rest < end) {
		next = beneath_take_name(rest, name) ? step(fd, name, made) : -EINVAL;
		close(fd);
		fd = next;
		rest += strcspn(rest, "/");
		rest += *rest == '/';
	}
	return fd;
}

int beneath_directory(const char *root, const char *rest, bool make)
{
	unsigned made = 0;

	return descend(root, rest, rest + strlen(rest), make ? &made : NULL);
}

DIR *beneath_list(const char *root, const char *rest)
{
	int directory = beneath_directory(root, rest, false), fd;
	DIR *entries;

	if (directory < 0)
		return NULL;
	fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(directory);
	entries = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !entries)
		close(fd);
	return entries;
}

static int parent_of(const char *root, const char *rest, unsigned *made, const char **ret_name)
{
	const char *slash = strrchr(rest, '/'), *last = slash ? slash + 1 : rest;
	char name[NAME_MAX + 1];
	int fd;

	if (!*rest)
		return -EISDIR;
	if (!beneath_take_name(last, name))
		return strlen(last) > NAME_MAX ? -ENAMETOOLONG : -EINVAL;
	fd = descend(root, rest, last, made);
	if (fd >= 0)
		*ret_name = last;
	return fd;
}

int beneath_parent(const char *root, const char *rest, const char **ret_name)
{
	return parent_of(root, rest, NULL, ret_name);
}

int beneath_look(const char *root, const char *rest, struct stat *ret)
{
	const char *name = NULL;
	int parent, fd;

	if (!*rest) {
		fd = open_root(root, false);
	} else {
		parent = beneath_parent(root, rest, &name);
		if (parent < 0)
			return parent;
		fd = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
		close(parent);
	}
	if (fd >= 0 && fstat(fd, ret) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

/* Opens the file behind an O_PATH descriptor if it is a regular file, and closes that descriptor. */
static int reopen(int handle, const struct stat *st, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
	if (S_ISLNK(st->st_mode))
		fd = -ELOOP;
	else if (!S_ISREG(st->st_mode))
		fd = S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
	else
		fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd == -1)
		fd = -errno;
	close(handle);
	return fd;
}

int beneath_open(const char *root, const char *rest, int flags)
{
	struct stat st;
	int handle = beneath_look(root, rest, &st);

	return handle < 0 ? handle : reopen(handle, &st, flags);
}

int beneath_create(const char *root, const char *rest, unsigned *made)
{
	const char *name = NULL;
	int parent = parent_of(root, rest, made, &name), fd;

	if (parent < 0)
		return parent;
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, BENEATH_FILE_MODE);
	fd = fd < 0 ? -errno : fd;
	close(parent);
	return fd;
}

struct file_identity file_identity(const struct stat *st)
{
	return (struct file_identity){ st->st_dev, st->st_ino, st->st_size, st->st_mtim };
}

bool file_identity_equals(const struct file_identity *a, const struct file_identity *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size && a->modified.tv_sec == b->modified.tv_sec &&
	       a->modified.tv_nsec == b->modified.tv_nsec;
}
