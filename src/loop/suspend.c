#include "loop/suspend.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "base/macros.h"
#include "loop/keeper.h"
#include "loop/process_status.h"

struct suspendable {
	LIST_ENTRY(suspendable) link;
	pid_t pid;
	int pidfd;
	unsigned refs, stops; /* owners, and those of them that have stopped it */
};

static LIST_HEAD(, suspendable) open_processes = LIST_HEAD_INITIALIZER(open_processes);

static int send_signal(int pidfd, int signal)
{
	return pidfd_send_signal(pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

pid_t suspend_browser(pid_t pid)
{
	do
		pid = process_parent(pid);
	while (pid > 1 && process_has_argument(pid, "--type="));
	return pid;
}

/* Whether the browser sees the same pids as this process. A program may have started it in another PID namespace. */
static bool browser_sees_pids(pid_t pid)
{
	pid_t browser = suspend_browser(pid);
	struct process_status status;

	return browser > 1 && process_status(browser, &status) == 0 && status.number == browser;
}

/* Whether the process, which exists, is one that the browser has started. */
static bool is_meant(pid_t pid, pid_t ancestor, const char *argument)
{
	return process_descends(pid, ancestor) && process_has_argument(pid, argument) && browser_sees_pids(pid);
}

static struct suspendable *suspend_find_open(pid_t pid)
{
	struct suspendable *s;

	LIST_FOREACH(s, &open_processes, link)
		if (s->pid == pid && suspend_exists(s)) /* another process may have the number of one that has ended */
			break;
	return s;
}

static int open_new(pid_t pid, struct suspendable **ret)
{
	int fd = pidfd_open(pid, 0);

	if (fd < 0)
		return -errno;
	*ret = NEW(struct suspendable);
	**ret = (struct suspendable){ .pid = pid, .pidfd = fd };
	LIST_INSERT_HEAD(&open_processes, *ret, link);
	return 0;
}

int suspend_open(pid_t pid, pid_t ancestor, const char *argument, struct suspendable **ret)
{
	struct suspendable *s = suspend_find_open(pid);
	int r = s ? 0 : open_new(pid, &s);

	*ret = NULL;
	if (r < 0)
		return r;
	s->refs++;
	/* The process is looked at after the pidfd has been opened: if it still exists then, it is the one that was looked at. */
	if (!is_meant(pid, ancestor, argument) || !suspend_exists(s)) {
		suspend_unref(s);
		return -ESRCH;
	}
	*ret = s;
	return 0;
}

struct suspendable *suspend_unref(struct suspendable *s)
{
	if (!s || --s->refs)
		return NULL;
	LIST_REMOVE(s, link);
	close(s->pidfd);
	free(s);
	return NULL;
}

int suspend_stop(struct suspendable *s)
{
	int r = send_signal(s->pidfd, SIGSTOP);

	s->stops += r == 0;
	return r;
}

void suspend_continue(struct suspendable *s)
{
	if (--s->stops == 0)
		send_signal(s->pidfd, SIGCONT);
}

bool suspend_exists(const struct suspendable *s)
{
	return send_signal(s->pidfd, 0) == 0;
}

pid_t suspend_pid(const struct suspendable *s)
{
	return s->pid;
}

int suspend_kill(struct suspendable *s)
{
	return send_signal(s->pidfd, SIGKILL);
}
