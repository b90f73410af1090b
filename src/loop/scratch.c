#include "loop/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "loop/process.h"
#include "loop/remove.h"

#define TRIES 8 /* another process may remove a new directory before it is locked, taking it for one that was left behind */

static const struct kind {
	const char *prefix;
	const char *files[2]; /* files of /proc/PID; a process that uses the directory has its path in one of them */
} kind_table[SCRATCH_KINDS] = {
	[SCRATCH_PROFILE] = { "browserd-profile-", { "cmdline", "environ" } },
	[SCRATCH_SERVER] = { "browserd-server-", { "environ" } },
	[SCRATCH_FILES] = { "browserd-files-", { NULL } },
};

struct scratch {
	const struct kind *kind;
	struct str path;
	int lock;
};

/* ---- directories of killed processes ---- */

static bool is_in_file(pid_t pid, const char *name, const char *path)
{
	_cleanup_(str_done) struct str text = {};
	char file[64];

	snprintf(file, sizeof(file), "/proc/%d/%s", pid, name);
	return file_read(file, LIMIT_PROCESS_TEXT, &text) == 0 && memmem(text.data, text.len, path, strlen(path));
}

static bool is_user(pid_t pid, const struct kind *kind, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind->files) && kind->files[i]; i++)
		if (is_in_file(pid, kind->files[i], path))
			return true;
	return false;
}

static void kill_users(const struct kind *kind, const char *path)
{
	DIR *proc = kind->files[0] ? opendir("/proc") : NULL;
	struct dirent *e;

	while (proc && (e = readdir(proc))) {
		pid_t pid = (pid_t)atoi(e->d_name);

		if (pid > 0 && pid != getpid() && is_user(pid, kind, path))
			kill(pid, SIGKILL);
	}
	if (proc)
		closedir(proc);
}

static bool is_at_path(const char *path, int lock)
{
	struct stat here, locked;

	return lstat(path, &here) == 0 && fstat(lock, &locked) == 0 && here.st_dev == locked.st_dev && here.st_ino == locked.st_ino;
}

static bool scratch_is_private(int lock)
{
	struct stat st;

	return fstat(lock, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

static void remove_folder(const struct kind *kind, const char *path)
{
	kill_users(kind, path);
	remove_tree_aside(path);
}

static void remove_leftover(const struct kind *kind, const char *path)
{
	int lock = file_open_locked(path, O_RDONLY | O_DIRECTORY);

	if (lock < 0)
		return;
	if (scratch_is_private(lock) && is_at_path(path, lock)) {
		log_info("removing %s, which a killed process left behind", path);
		remove_folder(kind, path);
	}
	close(lock);
}

static void sweep_all(void)
{
	DIR *dir = opendir(file_temporary_directory());
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		for (int i = 0; i < SCRATCH_KINDS; i++) {
			_cleanup_(str_done) struct str path = {};

			if (strncmp(e->d_name, kind_table[i].prefix, strlen(kind_table[i].prefix)) != 0)
				continue;
			str_appendf(&path, "%s/%s", file_temporary_directory(), e->d_name);
			remove_leftover(&kind_table[i], path.data);
		}
	if (dir)
		closedir(dir);
}

/* ---- directories of this process ---- */

static int try_to_make(struct scratch *s)
{
	str_reset(&s->path);
	str_appendf(&s->path, "%s/%sXXXXXX", file_temporary_directory(), s->kind->prefix);
	if (!mkdtemp(s->path.data))
		return -errno;
	s->lock = file_open_locked(s->path.data, O_RDONLY | O_DIRECTORY);
	if (s->lock >= 0 && is_at_path(s->path.data, s->lock))
		return 0;
	if (s->lock >= 0)
		close(s->lock);
	return -EAGAIN;
}

int scratch_new(enum scratch_kind kind, struct scratch **ret)
{
	_cleanup_(scratch_freep) struct scratch *s = NEW(struct scratch);
	int r = -EAGAIN;

	*s = (struct scratch){ .kind = &kind_table[kind], .lock = -1 };
	sweep_all();
	for (int i = 0; i < TRIES && r == -EAGAIN; i++)
		r = try_to_make(s);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

const char *scratch_path(const struct scratch *s)
{
	return s->path.data;
}

int scratch_lock(const struct scratch *s)
{
	return s->lock;
}

struct scratch *scratch_free(struct scratch *s)
{
	if (!s)
		return NULL;
	if (s->lock >= 0)
		close(s->lock);
	str_done(&s->path);
	free(s);
	return NULL;
}

struct scratch *scratch_remove(struct scratch *s)
{
	if (s && is_at_path(s->path.data, s->lock))
		remove_folder(s->kind, s->path.data);
	return scratch_free(s);
}
