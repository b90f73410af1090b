#include "devserver/server.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "devserver/plan.h"
#include "devserver/ports.h"
#include "devserver/server_kind.h"

#define FREE_PATIENCE (5 * USEC_PER_SEC)    /* timeout for a port to become free after its server has ended */
#define FREE_PAUSE (10 * USEC_PER_MSEC)     /* between two checks of the port */
#define ABANDON_PAUSE (100 * USEC_PER_MSEC) /* between two checks whether all processes have ended */

/* All live servers, for checking that none reads the logs of another. */
static TAILQ_HEAD(, devserver) servers = TAILQ_HEAD_INITIALIZER(servers);

/* ---- start and end ---- */

int devserver_launch(struct task *t, const struct devserver_plan *plan, struct devserver **ret)
{
	_cleanup_(devserver_freep) struct devserver *s = NEW(struct devserver);
	int r;

	s->kind = plan->command_path ? &server_managed : &server_plain;
	s->loop = task_loop(t);
	s->started = clock_now();
	TAILQ_INSERT_TAIL(&servers, s, link);
	plan_copy(&s->arena, plan, &s->plan);
	s->info.logs = &s->logs;
	r = s->kind->launch(t, s);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

int devserver_await(struct task *t, struct devserver *s)
{
	int r = s->kind->await(t, s);

	s->info.url = str_text(&s->url);
	s->info.message = str_text(&s->message);
	s->info.started_at = s->started_at;
	return r;
}

const struct devserver_info *devserver_info(const struct devserver *s)
{
	return &s->info;
}

struct devserver *devserver_free(struct devserver *s)
{
	if (!s)
		return NULL;
	TAILQ_REMOVE(&servers, s, link);
	s->kind->done(s);
	log_paths_done(&s->logs);
	timer_free(s->abandoned);
	str_done(&s->url);
	str_done(&s->message);
	arena_done(&s->arena);
	free(s);
	return NULL;
}

static void on_abandon_timer(void *data)
{
	struct devserver *s = data;

	if (s->kind->is_gone(s))
		devserver_free(s);
	else
		timer_set(s->abandoned, clock_now() + ABANDON_PAUSE);
}

void devserver_abandon(struct devserver *s)
{
	s->kind->release(s);
	s->abandoned = timer_new(s->loop, on_abandon_timer, s);
	timer_set(s->abandoned, clock_now() + ABANDON_PAUSE);
}

void devserver_forget_abandoned(void)
{
	struct devserver *s, *next;

	for (s = TAILQ_FIRST(&servers); s; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->abandoned)
			devserver_free(s);
	}
}

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

int devserver_end(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	int r = s->kind->end(t, s, ret);

	return r < 0 ? r : server_await_free_port(t, s);
}

/* ---- state ---- */

int devserver_restart(struct task *t, struct devserver *s)
{
	struct devserver_info before = s->info;
	int r;

	r = s->kind->restart(t, s);
	if (r < 0)
		return r;
	s->info.url = str_text(&s->url);
	s->info.message = str_text(&s->message);
	s->info.previous_pid = before.pid;
	s->info.previous_port = before.port;
	return 0;
}

bool devserver_is_dead(const struct devserver *s, char *how, size_t size)
{
	if (s->program)
		return !program_is_running(s->program, how, size);
	snprintf(how, size, "has ended");
	return !s->info.pid || (kill(s->info.pid, 0) < 0 && errno == ESRCH);
}

int devserver_state(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	*ret = (struct devserver_state){};
	return s->kind->state(t, s, ret);
}

bool devserver_listens_on(const struct devserver *s, int port)
{
	char how[80];

	/* The listening process may not be visible, for example in a container. */
	if (port == s->info.port && !devserver_is_dead(s, how, sizeof(how)))
		return true;
	return s->kind->holds(s, port);
}

/* ---- logs ---- */

bool server_is_foreign_log(const struct devserver *s, const char *path, pid_t pid)
{
	const struct devserver *other;
	struct stat a, b;

	TAILQ_FOREACH(other, &servers, link)
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

static int fail_read(struct task *t, int r, const char *path, const char *why)
{
	int code = r == -ENOENT ? -ERR_LOG_NOT_FOUND : -ERR_LOG_READ_FAILED;

	if (!t)
		return code;
	return task_fail(t, code, "the log %s cannot be read: %s", path, why ? why : strerror(-r));
}

int devserver_read_log(struct task *t, struct devserver *s, enum log_kind kind, int64_t offset, unsigned lines,
		       struct log_part *ret)
{
	const struct log_writer *w = s->writers[kind];
	char before[PATH_MAX];
	const char *path = s->logs.of[kind], *why = NULL;
	struct log_query q = { .path = path, .folders = s->plan.log_folders, .offset = offset, .lines = lines };
	int r;

	if (!path)
		return fail_read(t, -ENOENT, log_kind_names[kind], "the server has not named one");
	snprintf(before, sizeof(before), "%s.1", path);
	if (w) {
		q.before = before;
		q.dropped = log_writer_dropped(w);
	}
	r = log_read(&q, ret, &why);
	return r < 0 ? fail_read(t, r, path, why) : 0;
}
