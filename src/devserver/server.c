#include "devserver/server.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "devserver/plan.h"
#include "devserver/server_kind.h"

#define ABANDON_PAUSE (100 * USEC_PER_MSEC) /* between two checks whether all processes have ended */

/* ---- start and end ---- */

int devserver_launch(struct task *t, const struct devserver_plan *plan, struct devserver **ret)
{
	_cleanup_(devserver_freep) struct devserver *s = NEW(struct devserver);
	int r;

	s->kind = plan->command_path ? &server_managed : &server_plain;
	s->loop = task_loop(t);
	s->started = clock_now();
	TAILQ_INSERT_TAIL(&server_list, s, link);
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
	TAILQ_REMOVE(&server_list, s, link);
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

	for (s = TAILQ_FIRST(&server_list); s; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->abandoned)
			devserver_free(s);
	}
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
