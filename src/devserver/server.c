#include "devserver/server.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "devserver/answer.h"
#include "devserver/command.h"
#include "devserver/permit.h"
#include "devserver/plan.h"
#include "devserver/ports.h"
#include "devserver/program.h"
#include "loop/scratch.h"

#define ARGS_MAX 256
#define FREE_PATIENCE (5 * USEC_PER_SEC)     /* for a port after its server has ended */
#define FREE_PAUSE (10 * USEC_PER_MSEC)      /* between two looks at it */
#define ABANDON_PAUSE (100 * USEC_PER_MSEC)  /* between two looks whether all has ended */
#define RUNS_MAX 64
#define FOLDER_VARIABLE "BROWSERD_SERVER_FOLDER" /* scratch.h knows by it who belongs to a server whose keeper was killed */

struct devserver {
	TAILQ_ENTRY(devserver) link; /* in `servers` */
	struct arena arena;          /* of the plan */
	struct loop *loop;
	struct devserver_plan plan;

	struct program *program; /* of a plain program */
	struct log_writer *writers[LOG_KINDS];
	struct scratch *folder; /* of these; the keeper's, too, while the program runs */

	struct command *runs[RUNS_MAX]; /* of a command by contract: the start, and restarts that keep something alive */
	unsigned run_count;

	struct devserver_info info;
	struct str url, message;
	char started_at[64];
	struct log_paths logs;
	usec_t started;
	struct timer *abandoned; /* NULL: it is not */
};

/* All that are alive: none of them reads the logs of another. */
static TAILQ_HEAD(, devserver) servers = TAILQ_HEAD_INITIALIZER(servers);

/* ---- a plain program ---- */

static int fail_taken(struct task *t, int port)
{
	struct port_holder holder;
	int r;

	if (!port_find_holder(port, &holder))
		return 0;
	r = task_fail(t, -ERR_SERVER_START_FAILED, "port %d is in use by process %d (%s); end that, or give the server another port",
		      port, holder.pid, holder.command[0] ? holder.command : "of another user");
	task_fail_details(t, "{reason: 'port_in_use', port: %d, pid: %d, command: %s}", port, holder.pid, holder.command);
	return r;
}

static int make_folder(struct devserver *s)
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

static int start_program(struct task *t, struct devserver *s)
{
	const char *argv[ARGS_MAX] = { s->plan.command };
	size_t n = 1;
	int r;

	for (const char *const *arg = s->plan.args; *arg && n < ARGS_MAX - 1; arg++)
		argv[n++] = *arg;
	s->started = clock_now();
	r = program_start(s->loop, &(const struct program_plan){
		.argv = argv,
		.env = s->plan.env,
		.cwd = s->plan.cwd,
		.port = s->plan.port,
		.ready_url = s->plan.ready_url,
		.ready_log = s->plan.ready_log,
		.timeout = s->plan.timeout,
	}, s->folder, s->writers, &s->program);
	return r < 0 ? task_fail(t, -ERR_SERVER_START_FAILED, "cannot start %s: %s", s->plan.command, strerror(-r)) : 0;
}

static int launch_program(struct task *t, struct devserver *s)
{
	int r;

	r = permit_program(t, s->plan.command, s->plan.cwd, s->plan.allowed);
	if (r == 0 && s->plan.port)
		r = fail_taken(t, s->plan.port);
	if (r < 0)
		return r;
	r = make_folder(s);
	if (r < 0)
		return task_fail(t, -ERR_SERVER_START_FAILED, "cannot make a folder for its logs in %s: %s", file_temporary_folder(),
				 strerror(-r));
	return start_program(t, s);
}

static void stamp_time(struct devserver *s)
{
	int64_t now = clock_unix_msec() - (int64_t)((clock_now() - s->started) / USEC_PER_MSEC);
	time_t seconds = (time_t)(now / 1000);
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(s->started_at, sizeof(s->started_at), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(s->started_at + n, sizeof(s->started_at) - n, ".%03dZ", (int)(now % 1000));
}

static void set_text(struct str *s, const char *text)
{
	str_reset(s);
	str_append(s, text);
}

static int await_program(struct task *t, struct devserver *s, const char *status)
{
	struct program_address a = {};
	struct port_holder holder = {};
	int r;

	r = program_await(t, s->program, &a);
	if (r < 0)
		return r;
	if (!a.pid && port_find_holder(a.port, &holder))
		a.pid = holder.pid;
	set_text(&s->url, a.url);
	str_reset(&s->message);
	str_appendf(&s->message, "The server was ready after %llu ms", (unsigned long long)((clock_now() - s->started) / USEC_PER_MSEC));
	stamp_time(s);
	s->info.status = status;
	s->info.port = a.port;
	s->info.pid = a.pid;
	return 0;
}

/* ---- a command by contract ---- */

/* Of another server: two sessions may share one, which their command says is running already. */
static bool is_anothers_log(const struct devserver *s, const char *path, pid_t pid)
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

static int take_logs(struct task *t, struct devserver *s, const struct json *logs, pid_t pid)
{
	for (int i = 0; i < LOG_KINDS; i++) {
		const char *path = json_str(logs, log_kind_names[i]), *why = NULL;
		int r = log_check(path, s->plan.log_folders, &why);

		if (r == 0 && is_anothers_log(s, path, pid)) {
			r = -EACCES;
			why = "it is the log of another session's server";
		}
		if (r < 0 && r != -ENOENT) {
			r = task_fail(t, -ERR_SERVER_START_FAILED, "the server's log %s cannot be taken: %s", path,
				      why ? why : strerror(-r));
			task_fail_details(t, "{reason: 'log_refused', path: %s}", path);
			return r;
		}
		free(s->logs.of[i]);
		s->logs.of[i] = must(strdup(path));
	}
	return 0;
}

static int take_answer(struct task *t, struct devserver *s, const struct json *answer)
{
	const struct json *logs = json_get(answer, "logs");
	pid_t pid = (pid_t)json_int(answer, "pid", 0);
	int r;

	r = json_type(logs) == JSON_OBJECT ? take_logs(t, s, logs, pid) : 0;
	if (r < 0)
		return r;
	set_text(&s->url, json_str(answer, "url"));
	set_text(&s->message, json_str(answer, "message"));
	snprintf(s->started_at, sizeof(s->started_at), "%s", json_str(answer, "startedAt"));
	s->info.status = arena_strdup(&s->arena, json_str(answer, "status"));
	s->info.port = (int)json_int(answer, "port", 0);
	s->info.pid = pid;
	return 0;
}

static int start_run(struct task *t, struct devserver *s, enum contract_verb verb, struct command **ret)
{
	int r;

	r = command_start(s->loop, &(const struct command_plan){
		.path = s->plan.command_path,
		.args = s->plan.args,
		.env = s->plan.env,
		.cwd = s->plan.cwd,
		.verb = verb,
		.farewell = verb == CONTRACT_START,
	}, ret);
	return r < 0 ? task_fail(t, -ERR_SERVER_START_FAILED, "cannot start %s: %s", s->plan.command_path, strerror(-r)) : 0;
}

/* A run whose processes live for as long as the server. */
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
		return task_fail(t, -ERR_SERVER_START_FAILED, "%d restarts have left processes behind; end the session", RUNS_MAX);
	r = start_run(t, s, verb, &s->runs[s->run_count]);
	if (r == 0)
		s->run_count++;
	return r;
}

static int await_run(struct task *t, struct devserver *s)
{
	const struct json *answer;
	int r;

	r = command_await(t, s->runs[s->run_count - 1], &answer);
	return r < 0 ? r : take_answer(t, s, answer);
}

/* ---- from start to end ---- */

int devserver_launch(struct task *t, const struct devserver_plan *plan, struct devserver **ret)
{
	_cleanup_(devserver_freep) struct devserver *s = NEW(struct devserver);
	int r;

	s->loop = task_loop(t);
	s->started = clock_now();
	TAILQ_INSERT_TAIL(&servers, s, link);
	plan_copy(&s->arena, plan, &s->plan);
	s->info.logs = &s->logs;
	if (plan->command_path) {
		r = permit_command_path(t, plan->command_path, plan->allowed);
		if (r == 0)
			r = add_run(t, s, CONTRACT_START);
	} else {
		r = launch_program(t, s);
	}
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

int devserver_await(struct task *t, struct devserver *s)
{
	int r;

	r = s->program ? await_program(t, s, "ready") : await_run(t, s);
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
	if (!s->program || program_leaves_folder(s->program) || program_is_gone(s->program)) /* no keeper has it */
		scratch_remove(s->folder);
	else
		scratch_free(s->folder);
	program_free(s->program);
	for (unsigned i = 0; i < s->run_count; i++)
		command_free(s->runs[i]);
	for (int i = 0; i < LOG_KINDS; i++)
		log_writer_free(s->writers[i]);
	log_paths_done(&s->logs);
	timer_free(s->abandoned);
	str_done(&s->url);
	str_done(&s->message);
	arena_done(&s->arena);
	free(s);
	return NULL;
}

static bool all_gone(const struct devserver *s)
{
	for (unsigned i = 0; i < s->run_count; i++)
		if (!command_is_gone(s->runs[i]))
			return false;
	return !s->program || program_is_gone(s->program);
}

static void on_abandon_timer(void *data)
{
	struct devserver *s = data;

	if (all_gone(s))
		devserver_free(s);
	else
		timer_set(s->abandoned, clock_now() + ABANDON_PAUSE);
}

void devserver_abandon(struct devserver *s)
{
	if (s->program)
		program_let_go(s->program);
	for (unsigned i = 0; i < s->run_count; i++)
		command_let_go(s->runs[i]);
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

/* ---- ending ---- */

static int await_free_port(struct task *t, const struct devserver *s)
{
	usec_t end = clock_now() + FREE_PATIENCE;
	struct port_holder holder;
	int r = 0;

	while (r == 0 && s->info.port && port_is_taken(s->info.port)) {
		if (clock_now() >= end)
			return task_fail(t, -ERR_SHUTDOWN_FAILED, "port %d is still in use, by process %d (%s), which does not belong "
					 "to this session", s->info.port, port_find_holder(s->info.port, &holder) ? holder.pid : 0,
					 holder.command);
		r = task_sleep(t, FREE_PAUSE);
	}
	return r;
}

static int end_program(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	bool lived = program_lives(s->program, NULL, 0), killed;
	int r;

	r = program_end(t, s->program, false, &killed);
	if (r < 0)
		return r;
	s->folder = scratch_remove(s->folder); /* the keeper may have been killed */
	ret->status = !lived ? "already_stopped" : killed ? "force_stopped" : "stopped";
	ret->message = !lived ? "The server had ended before" : killed ? "The server did not end when asked to and was killed" :
		       "The server has ended";
	return 0;
}

/* The shutdown itself: what it says, or why it could not. */
static int run_shutdown(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	_cleanup_(command_freep) struct command *c = NULL;
	const struct json *answer;
	int r;

	r = start_run(t, s, CONTRACT_SHUTDOWN, &c);
	if (r == 0)
		r = command_await(t, c, &answer);
	if (r == 0) {
		ret->status = arena_strdup(task_arena(t), json_str(answer, "status"));
		ret->message = arena_strdup(task_arena(t), json_str(answer, "message"));
	}
	if (c)
		command_end(t, c);
	return r;
}

static int end_runs(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	int r;

	r = run_shutdown(t, s, ret);
	if (task_cancelled(t)) /* the farewell is still to be said */
		return -ECANCELED;
	if (r < 0) {
		ret->status = "force_stopped";
		ret->message = arena_printf(task_arena(t), "All that the command has started was ended, as its --shutdown failed: %s",
					    task_error_message(t) ? task_error_message(t) : strerror(-r));
	}
	r = 0;
	for (unsigned i = 0; i < s->run_count && r == 0; i++)
		r = command_end(t, s->runs[i]);
	return r;
}

int devserver_end(struct task *t, struct devserver *s, struct devserver_end *ret)
{
	int r;

	if (s->plan.command_path)
		r = end_runs(t, s, ret);
	else if (s->program)
		r = end_program(t, s, ret);
	else { /* a restart has failed, or was given up between two programs */
		*ret = (struct devserver_end){ "already_stopped", "The server had ended before" };
		r = 0;
	}
	return r < 0 ? r : await_free_port(t, s);
}

/* ---- meanwhile ---- */

static int end_for_restart(struct task *t, struct devserver *s)
{
	bool killed;
	int r;

	r = program_end(t, s->program, true, &killed);
	if (r < 0)
		return r;
	s->program = program_free(s->program);
	return await_free_port(t, s);
}

static int restart_program(struct task *t, struct devserver *s)
{
	bool lived = s->program && program_lives(s->program, NULL, 0);
	int r = s->program ? end_for_restart(t, s) : 0;

	if (r == 0)
		r = start_program(t, s);
	return r < 0 ? r : await_program(t, s, lived ? "restarted" : "started");
}

static int restart_run(struct task *t, struct devserver *s)
{
	int r = add_run(t, s, CONTRACT_RESTART);

	return r < 0 ? r : await_run(t, s);
}

int devserver_restart(struct task *t, struct devserver *s)
{
	struct devserver_info before = s->info;
	int r;

	r = s->plan.command_path ? restart_run(t, s) : restart_program(t, s);
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
		return !program_lives(s->program, how, size);
	snprintf(how, size, "has ended");
	return !s->info.pid || (kill(s->info.pid, 0) < 0 && errno == ESRCH);
}

static int state_of_program(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	const char *why = "nothing listens on its port";
	char how[80];

	if (!s->program || devserver_is_dead(s, how, sizeof(how))) {
		ret->status = "stopped";
		ret->message = s->program ? arena_printf(task_arena(t), "The server %s; restartServer starts it again", how) :
			       "The server could not be restarted; readServerLogs says more";
		return 0;
	}
	ret->uptime = (double)((clock_now() - s->started) / USEC_PER_MSEC) / 1000;
	ret->healthy = port_is_taken(s->info.port) &&
		       (!answer_can_ask(s->info.url) || answer_is_good(t, s->info.url, ANSWER_ANY, &why));
	ret->status = ret->healthy ? "running" : "unhealthy";
	ret->message = ret->healthy ? "The server answers" :
		       arena_printf(task_arena(t), "The server runs, but %s; readServerLogs says more", why);
	return 0;
}

static int state_by_contract(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	_cleanup_(command_freep) struct command *c = NULL;
	const struct json *answer;
	int r;

	r = start_run(t, s, CONTRACT_STATUS, &c);
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

int devserver_state(struct task *t, struct devserver *s, struct devserver_state *ret)
{
	*ret = (struct devserver_state){};
	return s->plan.command_path ? state_by_contract(t, s, ret) : state_of_program(t, s, ret);
}

bool devserver_listens_on(const struct devserver *s, int port)
{
	char how[80];

	if (port == s->info.port && !devserver_is_dead(s, how, sizeof(how))) /* it may run where we do not see it */
		return true;
	for (unsigned i = 0; i < s->run_count; i++)
		if (port_is_held_by(port, command_process(s->runs[i]), NULL))
			return true;
	return s->program && port_is_held_by(port, program_process(s->program), NULL);
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
		return fail_read(t, -ENOENT, log_kind_names[kind], "the server has named none");
	snprintf(before, sizeof(before), "%s.1", path);
	if (w) {
		q.before = before;
		q.forgotten = log_writer_forgotten(w);
	}
	r = log_read(&q, ret, &why);
	return r < 0 ? fail_read(t, r, path, why) : 0;
}
