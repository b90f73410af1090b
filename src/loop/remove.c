#include "loop/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
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

#define REMOVE_TRIES 20 /* a program that is being killed may still write to its directory */
#define OPEN_MAX_COUNT 16
/* What is removed at once: a file takes 10 to 50 us, and a large one a millisecond for each 64 MiB or so. */
#define FILES_AT_ONCE 64
#define BYTES_AT_ONCE (64 << 20)
#define SUFFIX ".removed"

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	remove(path);
	return 0;
}

void remove_tree(const char *path)
{
	for (int i = 0; i < REMOVE_TRIES && access(path, F_OK) == 0; i++)
		nftw(path, remove_entry, OPEN_MAX_COUNT, FTW_DEPTH | FTW_PHYS);
}

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

static struct {
	unsigned files;
	off_t bytes;
} removed_at_once;

static int remove_if_few(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	removed_at_once.bytes += st->st_size;
	if (++removed_at_once.files > FILES_AT_ONCE || removed_at_once.bytes > BYTES_AT_ONCE)
		return 1;
	remove(path);
	return 0;
}

static void remove_path(const void *path)
{
	remove_tree(path);
}

void remove_tree_aside(const char *path)
{
	_cleanup_(str_done) struct str aside = {};
	int r;

	removed_at_once.files = 0;
	removed_at_once.bytes = 0;
	nftw(path, remove_if_few, OPEN_MAX_COUNT, FTW_DEPTH | FTW_PHYS);
	if (access(path, F_OK) < 0)
		return;
	str_appendf(&aside, "%s" SUFFIX, path);
	if (rename(path, aside.data) < 0)
		str_set(&aside, path);
	r = remove_in_child(remove_path, aside.data);
	if (r < 0)
		log_warning("cannot start a process that removes %s: %s", aside.data, strerror(-r));
}
