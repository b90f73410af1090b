#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "devserver/answer.h"
#include "devserver/permit.h"
#include "devserver/plan.h"
#include "devserver/ports.h"
#include "devserver/server_kind.h"
#include "loop/scratch.h"

#define ARGS_MAX 256
#define FOLDER_VARIABLE "BROWSERD_SERVER_FOLDER" /* identifies the processes of a server whose keeper was killed (loop/scratch.h) */

/* ---- the start ---- */

static int server_plain_fail_taken(struct task *t, int port)
{
	struct port_holder holder;
	int r;

	if (!port_find_holder(port, &holder))
		return 0;
	r = task_fail(t, -ERR_SERVER_START_FAILED,
		      "port %d is in use by process %d (%s); end that process or give the server another port", port, holder.pid,
		      holder.name[0] ? holder.name : "of another user");
	task_fail_details(t, "{reason: 'port_in_use', port: ?, pid: ?, name: ?}", port, holder.pid, holder.name);
	return r;
}

static int server_plain_make_folder(struct devserver *s)
{
	int r = scratch_new(SCRATCH_SERVER, &s->folder);

	if (r == 0)
		plan_add_variable(&s->arena, &s->plan, arena_printf(&s->arena, FOLDER_VARIABLE "=%s", scratch_path(s->folder)));
	for (int i = 0; i < LOG_KINDS && r == 0; i++) {
		r = log_writer_new(scratch_path(s->folder), log_kind_names[i], &s->writers[i]);
		if (r == 0)
			s->logs.of[i] = must(strdup(log_writer_path(s->writers[i])));
	}
	return r;
}

static int server_plain_start_program(struct task *t, struct devserver *s)
{
	const char *argv[ARGS_MAX] = { s->plan.command };
	size_t n = 1;
	int r;

	for (const char *const *arg = s->plan.args; *arg && n < ARGS_MAX - 1; arg++)
		argv[n++] = *arg;
	s->started = clock_now();
	r = program_start(s->loop,
			  &(const struct program_plan){
				  .argv = argv,
				  .file = s->plan.file,
				  .env = s->plan.env,
				  .cwd = s->plan.cwd,
				  .port = s->plan.port,
				  .ready_url = s->plan.ready_url,
				  .ready_log = s->plan.ready_log,
				  .timeout = s->plan.timeout,
			  },
			  s->folder, s->writers, &s->program);
	return r < 0 ? task_fail(t, -ERR_SERVER_START_FAILED, "cannot start %s: %s", s->plan.command, strerror(-r)) : 0;
}

static int server_plain_launch(struct task *t, struct devserver *s)
{
	const char *file;
	int r;

	r = permit_program(t, s->plan.command, s->plan.cwd, s->plan.permit, &file);
	if (r == 0)
		s->plan.file = arena_strdup(&s->arena, file);
	if (r == 0 && s->plan.port)
		r = server_plain_fail_taken(t, s->plan.port);
	if (r < 0)
		return r;
	r = server_plain_make_folder(s);
	if (r < 0)
		return task_fail(t, -ERR_SERVER_START_FAILED, "cannot create a directory for the server's logs in %s: %s",
				 file_temporary_directory(), strerror(-r));
	return server_plain_start_program(t, s);
}

static void stamp_time(struct devserver *s)
{
	clock_print(clock_unix_msec() - (int64_t)((clock_now() - s->started) / USEC_PER_MSEC), s->started_at);
}

static int await_ready(struct task *t, struct devserver *s, const char *status)
{
	struct program_address a = {};
	struct port_holder holder = {};
	int r;

	r = program_await(t, s->program, &a);
	if (r < 0)
		return r;
	if (!a.pid && port_find_holder(a.port, &holder))
		a.pid = holder.pid;
	str_set(&s->url, a.url);
	str_reset(&s->message);
	str_appendf(&s->message, "The server was ready after %llu ms",
		    (unsigned long long)((clock_now() - s->started) / USEC_PER_MSEC));
	stamp_time(s);
	s->info.status = status;
	s->info.port = a.port;
	s->info.pid = a.pid;
	return 0;
}

static int await(struct task *t, struct devserver *s)
{
	return await_ready(t, s, "ready");
}

/* ---- state and end ---- */

static int end_for_restart(struct task *t, struct devserver *s)
{
	bool killed;
	int r;

	r = program_end(t, s->program, true, &killed);
	if (r < 0)
		return r;
	s->program = program_free(s->program);
	return server_await_free_port(t, s);
}

static int server_plain_restart(struct task *t, struct devserver *s)
{
	bool was_running = s->program && program_is_running(s->program, NULL, 0);
	int r = s->program ? end_for_restart(t, s) : 0;

	if (r == 0)
		r = server_plain_start_program(t, s);
	return r < 0 ? r : await_ready(t, s, was_running ? "restarted" : "started");
}

static int server_plain_state(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	const char *why = "no process listens on its port";
	char how[80];

	if (!s->program || devserver_is_dead(s, how, sizeof(how))) {
		ret->status = "stopped";
		ret->message = s->program ? arena_printf(task_arena(t), "The server %s", how) : "The server could not be restarted";
		ret->remedy = s->program ? REMEDY_RESTART : REMEDY_LOGS;
		return 0;
	}
	ret->uptime = (double)((clock_now() - s->started) / USEC_PER_MSEC) / 1000;
	ret->healthy =
		port_is_taken(s->info.port) && (!answer_can_ask(s->info.url) || answer_is_good(t, s->info.url, ANSWER_ANY, &why));
	ret->status = ret->healthy ? "running" : "unhealthy";
	ret->message = ret->healthy ? "The server answers" : arena_printf(task_arena(t), "The server runs, but %s", why);
	ret->remedy = ret->healthy ? REMEDY_NONE : REMEDY_LOGS;
	return 0;
}

static int server_plain_end(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	bool was_running = s->program && program_is_running(s->program, NULL, 0), killed;
	int r;

	if (!s->program) { /* a restart has failed or was cancelled between the two programs */
		*ret = (struct devserver_end){ "already_stopped", "The server had ended before" };
		return 0;
	}
	r = program_end(t, s->program, false, &killed);
	if (r < 0)
		return r;
	s->folder = scratch_remove(s->folder); /* remove it here in case the keeper was killed */
	ret->status = !was_running ? "already_stopped" : killed ? "force_stopped" : "stopped";
	ret->message = !was_running ? "The server had ended before" :
		       killed       ? "The server did not end when asked to and was killed" :
				      "The server has ended";
	return 0;
}

static void server_plain_release(struct devserver *s)
{
	if (s->program)
		program_release(s->program);
}

static bool server_plain_is_gone(const struct devserver *s)
{
	return !s->program || program_is_gone(s->program);
}

static bool server_plain_holds(const struct devserver *s, int port)
{
	return s->program && port_is_held_by(port, program_process(s->program), NULL);
}

static void server_plain_done(struct devserver *s)
{
	if (server_plain_is_gone(s) || program_keeps_folder(s->program)) /* no keeper removes the directory */
		scratch_remove(s->folder);
	else
		scratch_free(s->folder);
	program_free(s->program);
	for (int i = 0; i < LOG_KINDS; i++)
		log_writer_free(s->writers[i]);
}

const struct server_kind server_plain = { server_plain_launch,  await,
					  server_plain_restart, server_plain_state,
					  server_plain_end,     server_plain_release,
					  server_plain_is_gone, server_plain_holds,
					  server_plain_done };
