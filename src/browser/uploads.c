#include "browser/uploads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/internal.h"
#include "loop/copy.h"
#include "loop/remove.h"

#define FILES_IN_A_ROW 64 /* without letting others have their turn: a few milliseconds */

/* Referenced by the context and by running copies, which may outlive the context. */
struct uploads {
	unsigned refs;
	struct str path; /* of the directory; gone with the browser, if not before */
	unsigned count;
	unsigned files;
	uint64_t copied; /* bytes of files that have no second name */
};

/* One file or directory that is taken over. */
struct staging {
	struct task *t;
	struct uploads *of;
	unsigned files;
	unsigned depth;
};

static void uploads_unref(void *part)
{
	struct uploads *u = part;

	if (--u->refs > 0)
		return;
	remove_tree_aside(u->path.data);
	str_done(&u->path);
	free(u);
}

const struct context_part uploads_part = { .free = uploads_unref };

/* Those of the context, with a reference. */
static int hold_uploads(struct context *c, struct uploads **ret)
{
	struct uploads *u = context_uploads(c);
	struct str path = {};

	if (!u) {
		str_appendf(&path, "%s/XXXXXX", browser_uploads(context_browser(c)));
		if (!mkdtemp(path.data)) {
			str_done(&path);
			return -errno;
		}
		u = NEW(struct uploads);
		*u = (struct uploads){ .refs = 1, .path = path };
		context_set_uploads(c, u);
	}
	u->refs++;
	*ret = u;
	return 0;
}

static const char *descriptor_path(char buf[64], int fd)
{
	snprintf(buf, 64, "/proc/self/fd/%d", fd);
	return buf;
}

static int copy_content(struct staging *s, int fd, const struct stat *st, int directory, const char *name)
{
	const struct timespec times[] = { st->st_atim, st->st_mtim };
	char path[64];
	int in, out, r;

	s->of->copied += (uint64_t)st->st_size;
	if (s->of->copied > LIMIT_UPLOAD_COPIES)
		return -EFBIG;
	in = open(descriptor_path(path, fd), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (in < 0)
		return -errno;
	out = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, BENEATH_FILE_MODE);
	r = out < 0 ? -errno : copy_file(s->t, in, out);
	if (r == 0 && futimens(out, times) < 0)
		r = -errno;
	close(in);
	if (out >= 0)
		close(out);
	return r;
}

static int stage_file(struct staging *s, int fd, const struct stat *st, int directory, const char *name)
{
	char path[64];
	int r;

	if (++s->files > LIMIT_UPLOAD_FILES_COUNT)
		return -E2BIG;
	if (++s->of->files > LIMIT_UPLOADS_COUNT)
		return -EDQUOT;
	if (s->of->files % FILES_IN_A_ROW == 0) {
		r = task_sleep(s->t, USEC_PER_MSEC);
		if (r < 0)
			return r;
	}
	if (linkat(AT_FDCWD, descriptor_path(path, fd), directory, name, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	return copy_content(s, fd, st, directory, name);
}

static int stage(struct staging *s, int fd, int directory, const char *name);

static int stage_entries(struct staging *s, DIR *dir, int directory)
{
	struct dirent *e;
	int r = 0, fd;

	while (r == 0 && (e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		fd = openat(dirfd(dir), e->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue; /* it has gone meanwhile */
		r = stage(s, fd, directory, e->d_name);
		close(fd);
		if (r == -EINVAL) /* a link, a pipe and the like are not given to pages */
			r = 0;
	}
	return r;
}

static int stage_directory(struct staging *s, int fd, int directory, const char *name)
{
	int from, to, r;
	DIR *dir;

	if (s->depth == LIMIT_UPLOAD_DEPTH)
		return -E2BIG;
	if (mkdirat(directory, name, BENEATH_DIRECTORY_MODE) < 0)
		return -errno;
	to = openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	from = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = from < 0 ? NULL : fdopendir(from);
	r = to < 0 || !dir ? -errno : 0;
	s->depth++;
	if (r == 0)
		r = stage_entries(s, dir, to);
	s->depth--;
	if (dir)
		closedir(dir);
	else if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return r;
}

/* -EINVAL: it is neither a regular file nor a directory. */
static int stage(struct staging *s, int fd, int directory, const char *name)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return stage_directory(s, fd, directory, name);
	return S_ISREG(st.st_mode) ? stage_file(s, fd, &st, directory, name) : -EINVAL;
}

static int stage_in(struct staging *s, const char *folder, int fd, const char *name)
{
	int directory, r;

	if (mkdir(folder, BENEATH_DIRECTORY_MODE) < 0)
		return -errno;
	directory = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory < 0)
		return -errno;
	r = stage(s, fd, directory, name);
	close(directory);
	return r;
}

static int uploads_fail(struct task *t, const char *name, int r)
{
	if (r == -EFBIG)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "%s cannot be given to the page: copies of files that were given to pages "
				 "of this session would have more than %llu bytes",
				 name, (unsigned long long)LIMIT_UPLOAD_COPIES);
	if (r == -EDQUOT)
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"%s cannot be given to the page: pages of this session would have been given more than %u files; open "
			"another session",
			name, LIMIT_UPLOADS_COUNT);
	if (r == -E2BIG)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "%s cannot be given to the page: it has more than %u files, or is more than "
				 "%u directories deep",
				 name, LIMIT_UPLOAD_FILES_COUNT, LIMIT_UPLOAD_DEPTH);
	if (r == -EINVAL)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "%s cannot be given to the page: it is neither a regular file nor a "
				 "directory",
				 name);
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%s cannot be given to the page: %s", name, strerror(-r));
}

int context_stage_upload(struct task *t, struct context *c, int fd, const char *name, const char **ret_path)
{
	struct staging s = { .t = t };
	const char *folder;
	int r;

	if (!context_browser(c))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	if (!browser_shares_files(context_browser(c)))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "%s cannot be given to the page: the browser of %s is on another machine and cannot read files of "
				 "this one",
				 name, browser_options(context_browser(c))->names.endpoint);
	r = hold_uploads(c, &s.of);
	if (r < 0)
		return uploads_fail(t, name, r);
	folder = arena_printf(task_arena(t), "%s/%u", s.of->path.data, ++s.of->count);
	r = stage_in(&s, folder, fd, name);
	uploads_unref(s.of);
	if (r == -ECANCELED || r == -ETIMEDOUT || r == -EINTR)
		return r;
	if (r < 0)
		return uploads_fail(t, name, r);
	*ret_path = arena_printf(task_arena(t), "%s/%s", folder, name);
	return 0;
}
