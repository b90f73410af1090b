#include "loop/suspend.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/macros.h"
#include "loop/keeper.h"
#include "loop/process_status.h"

/* The arguments are separated by NULs, and by blanks if the process has written its command line anew, as Chromium's do. */
static bool has_argument(pid_t pid, const char *argument)
{
	_cleanup_(str_done) struct str command = {};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	return file_read(path, LIMIT_PROCESS_TEXT, &command) == 0 && memmem(command.data, command.len, argument, strlen(argument));
}

static int send_signal(int pidfd, int signal)
{
	return pidfd_send_signal(pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

pid_t suspend_browser(pid_t pid)
{
	do
		pid = process_parent(pid);
	while (pid > 1 && has_argument(pid, "--type="));
	return pid;
}

/* Whether the browser sees the same pids as this process. A program may have started it in another PID namespace. */
static bool browser_sees_pids(pid_t pid)
{
	pid_t browser = suspend_browser(pid);
	struct process_status status;

	return browser > 1 && process_status(browser, &status) == 0 && status.number == browser;
}

int suspend_open(pid_t pid, pid_t ancestor, const char *argument)
{
	int fd = pidfd_open(pid, 0), r;

	if (fd < 0)
		return -errno;
	/* The process is looked at after the pidfd has been opened: if it still exists then, it is the one that was looked at. */
	r = process_descends(pid, ancestor) && has_argument(pid, argument) && browser_sees_pids(pid) ? send_signal(fd, 0) : -ESRCH;
	if (r == 0)
		return fd;
	close(fd);
	return r;
}

int suspend_stop(int pidfd)
{
	return send_signal(pidfd, SIGSTOP);
}

int suspend_continue(int pidfd)
{
	return send_signal(pidfd, SIGCONT);
}

bool suspend_exists(int pidfd)
{
	return send_signal(pidfd, 0) == 0;
}

int suspend_kill(int pidfd)
{
	return send_signal(pidfd, SIGKILL);
}
