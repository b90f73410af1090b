#include "devserver/server_kind.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "devserver/ports.h"

#define FREE_PATIENCE (5 * USEC_PER_SEC) /* timeout for a port to become free after its server has ended */
#define FREE_PAUSE (10 * USEC_PER_MSEC)  /* between two checks of the port */

struct server_list server_list = TAILQ_HEAD_INITIALIZER(server_list);

int server_await_free_port(struct task *t, const struct devserver *s)
{
	usec_t end = clock_now() + FREE_PATIENCE;
	struct port_holder holder = {};
	int r = 0;

	while (r == 0 && s->info.port && port_is_taken(s->info.port)) {
		if (clock_now() >= end)
			return task_fail(t, -ERR_SHUTDOWN_FAILED,
					 "port %d is still in use, by process %d (%s), which does not belong "
					 "to this session",
					 s->info.port, port_find_holder(s->info.port, &holder) ? holder.pid : 0, holder.name);
		r = task_sleep(t, FREE_PAUSE);
	}
	return r;
}

bool devserver_is_dead(const struct devserver *s, char *how, size_t size)
{
	if (s->program)
		return !program_is_running(s->program, how, size);
	snprintf(how, size, "has ended");
	return !s->info.pid || (kill(s->info.pid, 0) < 0 && errno == ESRCH);
}

bool server_is_foreign_log(const struct devserver *s, const char *path, pid_t pid)
{
	const struct devserver *other;
	struct stat a, b;

	TAILQ_FOREACH(other, &server_list, link)
		for (int i = 0; i < LOG_KINDS; i++) {
			const char *theirs = other->logs.of[i];

			if (other == s || other->info.pid == pid || !theirs)
				continue;
			if (strcmp(theirs, path) == 0 ||
			    (stat(theirs, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino))
				return true;
		}
	return false;
}
