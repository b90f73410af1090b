#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 4096

int file_read_from(int fd, size_t limit, struct str *out)
{
	ssize_t n;
	int r = 0;

	do {
		str_reserve(out, CHUNK);
		n = read(fd, out->data + out->len, CHUNK);
		out->len += n > 0 ? (size_t)n : 0;
	} while (n > 0 && out->len <= limit);
	if (n < 0)
		r = -errno;
	else if (out->len > limit)
		r = -EFBIG;
	out->data[out->len] = '\0';
	return r;
}

int file_read(const char *path, size_t limit, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), r;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else
		r = S_ISREG(st.st_mode) ? file_read_from(fd, limit, out) : S_ISDIR(st.st_mode) ? -EISDIR : -ENXIO;
	close(fd);
	return r;
}

const char *file_failure(int r)
{
	if (r == -ENXIO)
		return "it is not a regular file";
	return r == -EFBIG ? "it is too large" : strerror(-r);
}

int file_open_locked(const char *path, int flags)
{
	int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600), r;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}

void file_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int file_write_all(int fd, const void *bytes, size_t len)
{
	const char *data = bytes;

	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		data += MAX(n, 0);
		len -= (size_t)MAX(n, 0);
	}
	return 0;
}

int file_rotate(const char *path, int flags, int *fd)
{
	_cleanup_(str_done) struct str older = {};

	str_appendf(&older, "%s.1", path);
	if (*fd >= 0)
		close(*fd);
	*fd = rename(path, older.data) < 0 ? -1 : open(path, flags, 0600);
	return *fd < 0 ? -errno : 0;
}

int file_make_directories(const char *path, mode_t mode)
{
	_cleanup_(freep) char *copy = must(strdup(path));
	int missing = -ENOENT; /* why the first missing parent could not be made */

	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, mode) < 0 && errno != EEXIST && missing == -ENOENT)
			missing = -errno;
		*slash = '/';
	}
	if (mkdir(copy, mode) == 0 || errno == EEXIST)
		return 0;
	return errno == ENOENT ? missing : -errno;
}

int file_check_directory(const char *path)
{
	_cleanup_(freep) char *copy = must(strdup(path));
	const char *existing = copy;
	struct stat st;
	char *slash;

	while (stat(existing, &st) < 0) {
		if (errno != ENOENT || existing != copy)
			return -errno;
		slash = strrchr(copy, '/');
		if (slash)
			*slash = '\0';
		existing = !slash ? "." : slash == copy ? "/" : copy;
	}
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return faccessat(AT_FDCWD, existing, W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

const char *file_temporary_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}
