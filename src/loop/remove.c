#include "loop/remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/macros.h"
#include "base/str.h"

/* A program that is being killed may still write to its directory, longer on a busy machine: 2 s of tries with pauses between them. */
#define REMOVE_TRIES 36
#define REMOVE_PAUSE_MAX_MS 64
/* What is removed at once: a file takes 10 to 50 us, and a large one a millisecond for each 64 MiB or so. */
#define FILES_AT_ONCE 64
#define BYTES_AT_ONCE (64 << 20)
#define SUFFIX ".removed"

/* ---- child processes ---- */

/* Each child keeps the writing end of this pipe open until it ends. */
static int alive[2] = { -1, -1 };

static _noreturn_ void run_child(void (*fn)(const void *data), const void *data)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(alive[1], 3);
	close_range(4, ~0u, 0);
	prctl(PR_SET_NAME, "bd-remover");
	fn(data);
	_exit(0);
}

/* Those that may be running. Waiting for one here would depend on when it gets a processor. */
struct child {
	LIST_ENTRY(child) link;
	pid_t pid;
};
static LIST_HEAD(, child) children = LIST_HEAD_INITIALIZER(children);

static void reap_children(void)
{
	struct child *c, *next;

	for (c = LIST_FIRST(&children); c; c = next) {
		next = LIST_NEXT(c, link);
		if (waitpid(c->pid, NULL, WNOHANG) == 0)
			continue;
		LIST_REMOVE(c, link);
		free(c);
	}
}

int remove_in_child(void (*fn)(const void *data), const void *data)
{
	struct child *c;
	pid_t pid;

	reap_children();
	if (alive[0] < 0 && pipe2(alive, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		run_child(fn, data);
	c = NEW(struct child);
	c->pid = pid;
	LIST_INSERT_HEAD(&children, c, link);
	return 0;
}

void remove_finish(int msec)
{
	struct pollfd ended = { .fd = alive[0] };
	struct child *c;

	if (alive[0] < 0)
		return;
	close(alive[1]);
	poll(&ended, 1, msec);
	close(alive[0]);
	alive[0] = alive[1] = -1;
	reap_children();
	while ((c = LIST_FIRST(&children))) {
		LIST_REMOVE(c, link);
		free(c);
	}
}

/* ---- directories ---- */

/*
 * The removal of a directory. A directory below it that has directories is emptied by moving those up, into the directory that is
 * removed. So there are two levels at each moment, whatever the depth: two descriptors, no recursion, and no path that is too long.
 * Each directory is moved once.
 */
struct removal {
	DIR *top;
	int64_t files, bytes; /* that may still be removed */
	unsigned moved;       /* the name of the next directory that is moved */
	bool progress;
};

static bool remove_take(struct removal *r, off_t bytes)
{
	r->files--;
	r->bytes -= bytes;
	return r->files >= 0 && r->bytes >= 0;
}

static bool note_progress(struct removal *r, bool done)
{
	r->progress |= done;
	return done;
}

/* A name that is taken belongs to another entry of the directory, and is not tried again. */
static void move_up(struct removal *r, int directory, const char *name)
{
	char number[16];

	while (remove_take(r, 0)) {
		snprintf(number, sizeof(number), "%u", r->moved++);
		if (note_progress(r, renameat(directory, name, dirfd(r->top), number) == 0))
			return;
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return;
	}
}

/* Removes a file or an empty directory. False if it is a directory with entries. */
static bool remove_entry(struct removal *r, int directory, const char *name)
{
	struct stat st;

	if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !remove_take(r, S_ISREG(st.st_mode) ? st.st_size : 0))
		return true;
	if (note_progress(r, unlinkat(directory, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) == 0))
		return true;
	return !S_ISDIR(st.st_mode);
}

static DIR *remove_open_directory(int in, const char *name)
{
	int fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

static void each_entry(struct removal *r, DIR *dir, void (*use)(struct removal *r, int directory, const char *name))
{
	struct dirent *e;

	while (r->files > 0 && r->bytes > 0 && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			use(r, dirfd(dir), e->d_name);
}

static void remove_or_move_up(struct removal *r, int directory, const char *name)
{
	if (!remove_entry(r, directory, name))
		move_up(r, directory, name);
}

static void remove_with_entries(struct removal *r, int directory, const char *name)
{
	DIR *dir = remove_entry(r, directory, name) ? NULL : remove_open_directory(directory, name);

	if (!dir)
		return;
	each_entry(r, dir, remove_or_move_up);
	closedir(dir);
	remove_entry(r, directory, name);
}

/* Removes the directory, or so many files and bytes of it. */
static void remove_part(const char *path, int64_t files, int64_t bytes)
{
	struct removal r = { .top = remove_open_directory(AT_FDCWD, path), .files = files, .bytes = bytes, .progress = true };

	while (r.top && r.progress && r.files > 0 && r.bytes > 0) {
		r.progress = false;
		rewinddir(r.top);
		each_entry(&r, r.top, remove_with_entries);
	}
	if (r.top)
		closedir(r.top);
	remove(path);
}

void remove_tree(const char *path)
{
	int pause = 1; /* ms */

	for (int i = 0; i < REMOVE_TRIES; i++) {
		remove_part(path, INT64_MAX, INT64_MAX);
		if (access(path, F_OK) < 0)
			return;
		poll(NULL, 0, pause);
		pause = MIN(2 * pause, REMOVE_PAUSE_MAX_MS);
	}
}

static void remove_path(const void *path)
{
	remove_tree(path);
}

void remove_tree_aside(const char *path)
{
	_cleanup_(str_done) struct str aside = {};
	int r;

	remove_part(path, FILES_AT_ONCE, BYTES_AT_ONCE);
	if (access(path, F_OK) < 0)
		return;
	str_appendf(&aside, "%s" SUFFIX, path);
	if (rename(path, aside.data) < 0)
		str_set(&aside, path);
	r = remove_in_child(remove_path, aside.data);
	if (r < 0)
		log_warning("cannot start a process that removes %s: %s", aside.data, strerror(-r));
}
