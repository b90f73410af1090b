#include "vault/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/random.h"

#define PRIVATE_FILE_MODE 0600
#define PRIVATE_DIRECTORY_MODE 0700
#define PRIVATE_PART ((size_t)1 << 20) /* of a file, between which a task suspends */

/* A file in a directory that was opened and examined. */
struct private_place {
	int directory;
	const char *path, *name; /* the name is the end of the path */
};

void private_wipe(struct str *text)
{
	if (text->data)
		explicit_bzero(text->data, text->cap);
	str_done(text);
}

static int private_fail(struct str *error, int r, const char *what, const char *path)
{
	str_appendf(error, "cannot %s %s: %s", what, path, strerror(-r));
	return r;
}

/* Root is not asked for: it can change what belongs to anyone. */
static int check_owner(const char *path, const struct stat *st, struct str *error)
{
	if (st->st_uid == geteuid() || st->st_uid == 0)
		return 0;
	str_appendf(error,
		    "%s belongs to user %u and is not used by user %u: that user could change it; give it to this user with chown",
		    path, (unsigned)st->st_uid, (unsigned)geteuid());
	return -EPERM;
}

static int check_mode(const char *path, const struct stat *st, mode_t refused, struct str *error)
{
	if (!(st->st_mode & refused))
		return 0;
	str_appendf(error, "%s can be %s by other users (mode %04o) and is not used; chmod %s it first", path,
		    st->st_mode & refused & 022 ? "written" : "read", (unsigned)st->st_mode & 07777,
		    refused & 044 ? "go=" : "go-w");
	return -EPERM;
}

static int examine_directory(int fd, const char *path, struct str *error)
{
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0)
		return private_fail(error, -errno, "look at", path);
	r = check_owner(path, &st, error);
	return r < 0 ? r : check_mode(path, &st, 022, error);
}

static int private_open_directory(const char *path, struct str *error)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (fd < 0)
		return private_fail(error, -errno, "open the directory", path);
	r = examine_directory(fd, path, error);
	if (r == 0)
		return fd;
	close(fd);
	return r;
}

int private_directory_make(const char *path, struct str *error)
{
	int r = file_make_directories(path, PRIVATE_DIRECTORY_MODE);

	if (r < 0)
		return private_fail(error, r, "make the directory", path);
	r = private_open_directory(path, error);
	if (r < 0)
		return r;
	close(r);
	return 0;
}

/* Opens and examines the directory of `path`. */
static int open_place(const char *path, struct private_place *ret, struct str *error)
{
	_cleanup_(str_done) struct str directory = {};
	const char *slash = strrchr(path, '/');
	int r;

	if (!slash)
		str_append(&directory, ".");
	else
		str_append_len(&directory, path, MAX((size_t)(slash - path), 1u));
	r = private_open_directory(directory.data, error);
	if (r < 0)
		return r;
	*ret = (struct private_place){ r, path, slash ? slash + 1 : path };
	return 0;
}

static void private_place_done(struct private_place *p)
{
	file_close(&p->directory);
}

static int examine_file(int fd, const char *path, enum private_readers readers, struct stat *ret, struct str *error)
{
	int r;

	if (fstat(fd, ret) < 0)
		return private_fail(error, -errno, "look at", path);
	if (!S_ISREG(ret->st_mode)) {
		str_appendf(error, "%s is not a regular file", path);
		return -EINVAL;
	}
	r = check_owner(path, ret, error);
	return r < 0 ? r : check_mode(path, ret, readers == PRIVATE_OWNER_READS ? 077 : 022, error);
}

/* Reads into memory that was reserved at once: growing it would leave copies of a secret behind. */
static int private_read_all(_nullable_ struct task *t, int fd, size_t size, struct str *out)
{
	size_t end = out->len + size;
	ssize_t n = 1;
	int r = 0;

	str_reserve(out, size + 1);
	while (r == 0 && n > 0 && out->len < end) {
		n = read(fd, out->data + out->len, MIN(end - out->len, PRIVATE_PART));
		if (n < 0)
			r = -errno;
		else
			out->len += (size_t)n;
		if (r == 0 && t)
			r = task_sleep(t, 0);
	}
	out->data[out->len] = '\0';
	return r;
}

static int read_opened(_nullable_ struct task *t, int fd, const char *path, size_t limit, enum private_readers readers,
		       struct str *out, struct str *error)
{
	struct stat st;
	int r = examine_file(fd, path, readers, &st, error);

	if (r < 0)
		return r;
	if ((size_t)st.st_size > limit) {
		str_appendf(error, "%s has %lld bytes, of which %zu are allowed", path, (long long)st.st_size, limit);
		return -EFBIG;
	}
	r = private_read_all(t, fd, (size_t)st.st_size, out);
	return r < 0 ? private_fail(error, r, "read", path) : 0;
}

int private_read(_nullable_ struct task *t, const char *path, size_t limit, enum private_readers readers, struct str *out,
		 struct str *error)
{
	_cleanup_(private_place_done) struct private_place place = { .directory = -1 };
	int r = open_place(path, &place, error), fd;

	if (r < 0)
		return r;
	fd = openat(place.directory, place.name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ELOOP) {
		str_appendf(error, "%s is a symbolic link, which is not followed; name the file itself", path);
		return -ELOOP;
	}
	if (fd < 0)
		return private_fail(error, -errno, "read", path);
	r = read_opened(t, fd, path, limit, readers, out, error);
	close(fd);
	return r;
}

static int private_write_all(_nullable_ struct task *t, int fd, const char *data, size_t len)
{
	int r = 0;

	for (size_t at = 0; r == 0 && at < len; at += PRIVATE_PART) {
		r = file_write_all(fd, data + at, MIN(len - at, PRIVATE_PART));
		if (r == 0 && t)
			r = task_sleep(t, 0);
	}
	if (r == 0 && !t && fsync(fd) < 0)
		r = -errno;
	return r;
}

/* Writes the contents to a file of its own in the directory. */
static int write_beside(_nullable_ struct task *t, const struct private_place *p, const char *name, const void *data, size_t len)
{
	int fd = openat(p->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE_FILE_MODE), r;

	if (fd < 0)
		return -errno;
	r = private_write_all(t, fd, data, len);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		unlinkat(p->directory, name, 0);
	return r;
}

/* `replaces`: takes the place of a file of that name. */
static int move_there(const struct private_place *p, const char *from, bool replaces)
{
	int r = 0;

	if (replaces && renameat(p->directory, from, p->directory, p->name) == 0)
		return 0;
	if (replaces || linkat(p->directory, from, p->directory, p->name, 0) < 0)
		r = -errno;
	unlinkat(p->directory, from, 0);
	return r;
}

static int private_write_place(_nullable_ struct task *t, const struct private_place *p, const void *data, size_t len,
			       bool replaces)
{
	char name[sizeof(PRIVATE_UNFINISHED) + RANDOM_NAME_SIZE], random[RANDOM_NAME_SIZE];
	int r;

	random_name(random);
	snprintf(name, sizeof(name), PRIVATE_UNFINISHED "%s", random);
	r = write_beside(t, p, name, data, len);
	if (r == 0)
		r = move_there(p, name, replaces);
	if (r == 0 && !t)
		fsync(p->directory); /* some file systems cannot; the contents are on the disk already */
	return r;
}

int private_write(_nullable_ struct task *t, const char *path, const void *data, size_t len, struct str *error)
{
	_cleanup_(private_place_done) struct private_place place = { .directory = -1 };
	int r = open_place(path, &place, error);

	if (r < 0)
		return r;
	r = private_write_place(t, &place, data, len, true);
	return r < 0 ? private_fail(error, r, "write", path) : 0;
}

int private_write_new(const char *path, const void *data, size_t len, struct str *error)
{
	_cleanup_(private_place_done) struct private_place place = { .directory = -1 };
	int r = open_place(path, &place, error);

	if (r < 0)
		return r;
	r = private_write_place(NULL, &place, data, len, false);
	return r < 0 && r != -EEXIST ? private_fail(error, r, "write", path) : r;
}

int private_remove(const char *path, struct str *error)
{
	_cleanup_(private_place_done) struct private_place place = { .directory = -1 };
	int r = open_place(path, &place, error);

	if (r < 0 || unlinkat(place.directory, place.name, 0) == 0)
		return r;
	r = -errno;
	return r == -ENOENT ? r : private_fail(error, r, "remove", path);
}
