#include "loop/file_wait.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/str.h"

/*
 * An inotify instance for the next wait, -1: none. Closing one waits for a grace period of the kernel (up to 0.3 s on a busy machine),
 * in which the loop would stand still.
 */
static int spare = -1;

struct file_wait {
	struct loop *loop;
	int fd, wd; /* the instance and its watch of the directory; -1: none */
	struct watch *watch;
	const char *name;
	struct ready found; /* the file exists already */
	void (*written)(void *data);
	void *data;
};

static void run_found(struct ready *r)
{
	struct file_wait *w = CONTAINER_OF(r, struct file_wait, found);

	w->written(w->data);
}

/* Whether one of the events is about the file. */
static bool file_wait_names_file(const struct file_wait *w, const char *events, size_t len)
{
	const struct inotify_event *e;

	for (size_t at = 0; at < len; at += sizeof(*e) + e->len) {
		e = (const void *)(events + at);
		if (e->wd == w->wd && e->len && strcmp(e->name, w->name) == 0)
			return true;
	}
	return false;
}

/* Events that do not fit are read in the next turn of the loop. */
static void file_wait_on_event(uint32_t events, void *data)
{
	struct file_wait *w = data;
	_Alignas(struct inotify_event) char buf[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
	ssize_t len = read(w->fd, buf, sizeof(buf));

	if (len > 0 && file_wait_names_file(w, buf, (size_t)len))
		w->written(w->data); /* may free `w` */
}

int file_wait_new(struct loop *l, void (*written)(void *data), void *data, struct file_wait **ret)
{
	_cleanup_(file_wait_freep) struct file_wait *w = NEW(struct file_wait);
	int r;

	*w = (struct file_wait){ .loop = l, .fd = spare, .wd = -1, .found.run = run_found, .written = written, .data = data };
	spare = -1;
	if (w->fd < 0)
		w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->fd < 0)
		return -errno;
	r = watch_new(l, w->fd, EPOLLIN, file_wait_on_event, w, &w->watch);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(w);
	return 0;
}

int file_wait_begin(struct file_wait *w, const char *dir, const char *name)
{
	_cleanup_(str_done) struct str path = {};

	w->name = name;
	w->wd = inotify_add_watch(w->fd, dir, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
	if (w->wd < 0)
		return -errno;
	str_appendf(&path, "%s/%s", dir, name);
	if (access(path.data, F_OK) == 0)
		loop_ready(w->loop, &w->found);
	return 0;
}

/* The kernel does not use the number of a watch again, so events that are still in the queue are recognised as old. */
static void file_wait_release(struct file_wait *w)
{
	if (w->wd >= 0)
		inotify_rm_watch(w->fd, w->wd);
	if (spare < 0)
		spare = w->fd;
	else if (w->fd >= 0)
		close(w->fd);
}

struct file_wait *file_wait_free(struct file_wait *w)
{
	if (!w)
		return NULL;
	loop_cancel_ready(w->loop, &w->found);
	watch_free(w->watch);
	file_wait_release(w);
	free(w);
	return NULL;
}
