#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "devserver/permit.h"
#include "devserver/ports.h"
#include "devserver/server_kind.h"

/* ---- results ---- */

static int take_logs(struct task *t, struct devserver *s, const struct json *logs, pid_t pid)
{
	for (int i = 0; i < LOG_KINDS; i++) {
		const char *path = json_str(logs, log_kind_names[i]), *why = NULL;
		int r = log_check(path, s->plan.log_folders, &why);

		if (r == 0 && server_is_foreign_log(s, path, pid)) {
			r = -EACCES;
			why = "it is the log of another session's server";
		}
		if (r < 0 && r != -ENOENT) {
			r = task_fail(t, -ERR_SERVER_START_FAILED, "the server's log %s is not accepted: %s", path,
				      why ? why : strerror(-r));
			task_fail_details(t, "{reason: 'log_refused', path: ?}", path);
			return r;
		}
		free(s->logs.of[i]);
		s->logs.of[i] = must(strdup(path));
	}
	return 0;
}

static int server_managed_take_answer(struct task *t, struct devserver *s, const struct json *answer)
{
	const struct json *logs = json_get(answer, "logs");
	pid_t pid = (pid_t)json_int(answer, "pid", 0);
	int r;

	r = json_type(logs) == JSON_OBJECT ? take_logs(t, s, logs, pid) : 0;
	if (r < 0)
		return r;
	str_set(&s->url, json_str(answer, "url"));
	str_set(&s->message, json_str(answer, "message"));
	snprintf(s->started_at, sizeof(s->started_at), "%s", json_str(answer, "startedAt"));
	s->info.status = arena_strdup(&s->arena, json_str(answer, "status"));
	s->info.port = (int)json_int(answer, "port", 0);
	s->info.pid = pid;
	return 0;
}

/* ---- runs ---- */

static int server_managed_start_run(struct task *t, struct devserver *s, enum contract_verb verb, struct command **ret)
{
	int r;

	r = command_start(s->loop,
			  &(const struct command_plan){
				  .path = s->plan.command_path,
				  .file = s->plan.file,
				  .args = s->plan.args,
				  .env = s->plan.env,
				  .cwd = s->plan.cwd,
				  .verb = verb,
				  .stop_command = verb == CONTRACT_START,
			  },
			  ret);
	return r < 0 ? task_fail(t, -ERR_SERVER_START_FAILED, "cannot start %s: %s", s->plan.command_path, strerror(-r)) : 0;
}

/* Starts a run whose processes live until the server is ended. */
static int add_run(struct task *t, struct devserver *s, enum contract_verb verb)
{
	unsigned kept = 0;
	int r;

	for (unsigned i = 0; i < s->run_count; i++) {
		if (command_is_gone(s->runs[i]))
			command_free(s->runs[i]);
		else
			s->runs[kept++] = s->runs[i];
	}
	s->run_count = kept;
	if (s->run_count == RUNS_MAX)
		return task_fail(t, -ERR_SERVER_START_FAILED, "%d restarts have left processes running; end the session", RUNS_MAX);
	r = server_managed_start_run(t, s, verb, &s->runs[s->run_count]);
	if (r == 0)
		s->run_count++;
	return r;
}

static int await_run(struct task *t, struct devserver *s)
{
	const struct json *answer;
	int r;

	r = command_await(t, s->runs[s->run_count - 1], &answer);
	return r < 0 ? r : server_managed_take_answer(t, s, answer);
}

/* Runs the command, waits for its result and ends its processes. */
static int run_once(struct task *t, struct devserver *s, enum contract_verb verb, struct devserver_state *ret)
{
	_cleanup_(command_freep) struct command *c = NULL;
	const struct json *answer;
	int r;

	r = server_managed_start_run(t, s, verb, &c);
	if (r == 0)
		r = command_await(t, c, &answer);
	if (r == 0) {
		ret->status = arena_strdup(task_arena(t), json_str(answer, "status"));
		ret->message = arena_strdup(task_arena(t), json_str(answer, "message"));
		ret->uptime = json_num(answer, "uptime", 0);
		ret->healthy = json_bool(answer, "healthy", strcmp(ret->status, "running") == 0);
	}
	if (c)
		command_end(t, c);
	return r;
}

/* ---- operations ---- */

static int server_managed_launch(struct task *t, struct devserver *s)
{
	const char *file;
	int r = permit_command_path(t, s->plan.command_path, s->plan.permit, &file);

	if (r < 0)
		return r;
	s->plan.file = arena_strdup(&s->arena, file);
	return add_run(t, s, CONTRACT_START);
}

static int server_managed_restart(struct task *t, struct devserver *s)
{
	int r = add_run(t, s, CONTRACT_RESTART);

	return r < 0 ? r : await_run(t, s);
}

static int server_managed_state(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	return run_once(t, s, CONTRACT_STATUS, ret);
}

static int server_managed_end(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	struct devserver_state said = {};
	int r;

	r = run_once(t, s, CONTRACT_SHUTDOWN, &said);
	if (task_cancelled(t)) /* the keeper still has to run the stop command */
		return -ECANCELED;
	ret->status = r < 0 ? "force_stopped" : said.status;
	ret->message = said.message;
	if (r < 0)
		task_keep_failure(t, r, &ret->shutdown);
	r = 0;
	for (unsigned i = 0; i < s->run_count && r == 0; i++)
		r = command_end(t, s->runs[i]);
	return r;
}

static void server_managed_release(struct devserver *s)
{
	for (unsigned i = 0; i < s->run_count; i++)
		command_release(s->runs[i]);
}

static bool server_managed_is_gone(const struct devserver *s)
{
	for (unsigned i = 0; i < s->run_count; i++)
		if (!command_is_gone(s->runs[i]))
			return false;
	return true;
}

static bool server_managed_holds(const struct devserver *s, int port)
{
	for (unsigned i = 0; i < s->run_count; i++)
		if (port_is_held_by(port, command_process(s->runs[i]), NULL))
			return true;
	return false;
}

static void server_managed_done(struct devserver *s)
{
	for (unsigned i = 0; i < s->run_count; i++)
		command_free(s->runs[i]);
}

const struct server_kind server_managed = { server_managed_launch,  await_run,
					    server_managed_restart, server_managed_state,
					    server_managed_end,     server_managed_release,
					    server_managed_is_gone, server_managed_holds,
					    server_managed_done };
