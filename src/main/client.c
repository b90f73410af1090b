#include "main/client.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/log.h"

#define ANCESTORS_MAX 8   /* nested shells; deeper chains are not followed */
#define NAME_MAX_BYTES 16 /* length of /proc/PID/comm */

struct ancestor {
	struct client_watch *owner;
	char name[NAME_MAX_BYTES];
	int fd;
	struct watch *watch;
};

struct client_watch {
	void (*gone)(const char *who, void *data);
	void *data;
	bool reported;
	size_t count;
	struct ancestor ancestors[ANCESTORS_MAX];
};

static bool is_shell(const char *name)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ash", "busybox", "zsh", "ksh", "mksh", "fish" };

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (!strcmp(shells[i], name))
			return true;
	return false;
}

/* Reads name and parent of a process; false if it is not visible. */
static bool look_up(pid_t pid, char name[NAME_MAX_BYTES], pid_t *ret_parent)
{
	char path[32], stat[256];
	const char *open_paren, *close_paren;
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	stat[fread(stat, 1, sizeof(stat) - 1, f)] = '\0';
	fclose(f);
	open_paren = strchr(stat, '(');
	close_paren = strrchr(stat, ')'); /* the name may contain parentheses */
	if (!open_paren || !close_paren || sscanf(close_paren + 1, " %*c %d", ret_parent) != 1)
		return false;
	len = MIN((size_t)(close_paren - open_paren - 1), (size_t)NAME_MAX_BYTES - 1);
	memcpy(name, open_paren + 1, len);
	name[len] = '\0';
	return true;
}

static void on_exit_of(uint32_t events, void *data)
{
	struct ancestor *a = data;
	struct client_watch *w = a->owner;

	a->watch = watch_free(a->watch);
	if (w->reported)
		return;
	w->reported = true;
	w->gone(a->name, w->data);
}

/* False if the process has ended already or cannot be watched. */
static bool watch_ancestor(struct loop *l, struct client_watch *w, pid_t pid, const char *name)
{
	struct ancestor *a = &w->ancestors[w->count];

	*a = (struct ancestor){ .owner = w, .fd = pidfd_open(pid, 0) };
	snprintf(a->name, sizeof(a->name), "%s", name);
	if (a->fd < 0)
		return false;
	if (watch_new(l, a->fd, EPOLLIN, on_exit_of, a, &a->watch) < 0) {
		close(a->fd);
		return false;
	}
	w->count++;
	return true;
}

struct client_watch *client_watch_new(struct loop *l, void (*gone)(const char *who, void *data), void *data)
{
	struct client_watch *w = NEW(struct client_watch);
	pid_t pid = getppid(), parent;
	char name[NAME_MAX_BYTES];

	w->gone = gone;
	w->data = data;
	/*
	 * Process 1 adopts processes whose parent has ended; then only the end of stdin shows that the client has
	 * left.
	 */
	while (pid > 1 && w->count < ANCESTORS_MAX && look_up(pid, name, &parent)) {
		if (!watch_ancestor(l, w, pid, name))
			break;
		log_debug("ends with process %d (%s)", pid, name);
		if (!is_shell(name))
			break;
		pid = parent;
	}
	return w;
}

struct client_watch *client_watch_free(struct client_watch *w)
{
	if (!w)
		return NULL;
	for (size_t i = 0; i < w->count; i++) {
		watch_free(w->ancestors[i].watch);
		close(w->ancestors[i].fd);
	}
	free(w);
	return NULL;
}
