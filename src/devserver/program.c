#include "devserver/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "devserver/answer.h"
#include "devserver/output.h"
#include "devserver/ports.h"

#define GRACE_MSEC 5000
/* Minimum pause between two checks of the ports; the pause is also at least ten times the duration of the last check. */
#define LOOK_PAUSE (10 * USEC_PER_MSEC)

struct program {
	struct loop *loop;
	struct process *process;
	struct log_writer *logs[LOG_KINDS]; /* borrowed */
	struct str output, errors;          /* the ends of both, without escape sequences */
	int port;                           /* requested port, 0 for any */
	char *ready_url;
	struct ready_search ready_log;
	struct str unread; /* output that `ready_log` has not searched yet, or in an incomplete line */
	bool has_news;     /* there is more in `unread` than at the last search */
	bool said_ready;
	usec_t timeout, started;
	struct output_address address;
	bool ended;                 /* the program has ended, but its descendants may still run */
	bool ending, leaves_folder; /* program_end() was called; its first `keep_folder` */
	bool exited;
	int status;
	struct waitq changed;
};

static bool awaits_log(const struct program *p)
{
	return p->ready_log.run && !p->said_ready;
}

static void program_take(struct program *p, enum log_kind kind, const char *text, size_t len)
{
	_cleanup_(str_done) struct str plain = {};

	log_writer_add(p->logs[kind], text, len);
	log_writer_add(p->logs[LOG_COMBINED], text, len);
	output_plain(&plain, text, len);
	output_keep_end(&p->output, str_text(&plain), plain.len, LIMIT_SERVER_OUTPUT);
	if (kind == LOG_STDERR)
		output_keep_end(&p->errors, str_text(&plain), plain.len, LIMIT_COMMAND_ERRORS);
	if (awaits_log(p)) {
		output_keep_end(&p->unread, str_text(&plain), plain.len, LIMIT_SERVER_UNREAD);
		p->has_news = true;
	}
	waitq_wake(&p->changed);
}

static void program_on_output(const char *text, size_t len, void *data)
{
	program_take(data, LOG_STDOUT, text, len);
}

static void program_on_errors(const char *text, size_t len, void *data)
{
	program_take(data, LOG_STDERR, text, len);
}

static void program_on_left(int status, void *data)
{
	struct program *p = data;

	p->ended = true;
	p->status = status;
	waitq_wake(&p->changed);
}

static void program_on_exited(int status, void *data)
{
	struct program *p = data;

	if (!p->ended)
		program_on_left(status, p);
	p->exited = true;
	waitq_wake(&p->changed);
}

static const struct process_handler handler = { program_on_output, program_on_errors, program_on_left, program_on_exited };

int program_start(struct loop *l, const struct program_plan *plan, const struct scratch *folder,
		  struct log_writer *const logs[LOG_KINDS], struct program **ret)
{
	_cleanup_(program_freep) struct program *p = NEW(struct program);
	int r;

	p->loop = l;
	p->port = plan->port;
	p->ready_url = plan->ready_url ? must(strdup(plan->ready_url)) : NULL;
	p->timeout = plan->timeout;
	p->started = clock_now();
	waitq_init(&p->changed);
	p->ready_log = plan->ready_log;
	memcpy(p->logs, logs, sizeof(p->logs));
	r = process_start(l,
			  &(const struct process_plan){
				  .argv = plan->argv,
				  .file = plan->file,
				  .env = plan->env,
				  .cwd = plan->cwd,
				  .folder = folder,
				  .grace_msec = GRACE_MSEC,
				  .grace_for_group = true,
				  .keep_until_released = true,
			  },
			  &handler, p, &p->process);
	if (r == 0)
		*ret = TAKE_PTR(p);
	return r;
}

void program_release(struct program *p)
{
	process_kill(p->process);
}

bool program_is_gone(const struct program *p)
{
	return p->exited;
}

struct program *program_free(struct program *p)
{
	if (!p)
		return NULL;
	process_free(p->process);
	str_done(&p->output);
	str_done(&p->errors);
	str_done(&p->unread);
	free(p->ready_url);
	free(p);
	return NULL;
}

/* ---- readiness ---- */

/* What the program prints during the search is appended to its incomplete last line, for the next search. */
static int look_for_ready(struct task *t, struct program *p)
{
	_cleanup_(str_done) struct str lines = {};
	const char *last;

	if (!awaits_log(p) || !p->has_news)
		return 0;
	p->has_news = false;
	lines = p->unread;
	p->unread = (struct str){};
	last = memrchr(str_text(&lines), '\n', lines.len);
	last = last ? last + 1 : str_text(&lines);
	output_keep_end(&p->unread, last, lines.len - (size_t)(last - str_text(&lines)), LIMIT_SERVER_OUTPUT);
	return p->ready_log.run(t, &lines, p->ready_log.data, &p->said_ready);
}

static bool program_take_address(struct program *p, const struct output_address *a, pid_t pid, struct program_address *ret)
{
	p->address = *a;
	*ret = (struct program_address){ p->address.url, a->port, pid };
	return true;
}

/* Finds a printed URL with `port`, on which `pid` listens, or, if `port` is 0, with any port on which the program listens. */
static bool find_printed(struct program *p, int port, pid_t pid, struct program_address *ret)
{
	struct output_address a;
	size_t at = 0;

	while (output_next_address(str_text(&p->output), &at, &a))
		if (!a.socket && (port ? a.port == port : port_is_held_by(a.port, p->process, &pid)))
			return program_take_address(p, &a, pid, ret);
	return false;
}

/* Whether the program printed a WebSocket URL with that port, for example that of its debugger. */
static bool program_is_socket(struct program *p, int port)
{
	struct output_address a;
	size_t at = 0;

	while (output_next_address(str_text(&p->output), &at, &a))
		if (a.socket && a.port == port)
			return true;
	return false;
}

static bool at_port(struct program *p, int port, pid_t pid, struct program_address *ret)
{
	struct output_address a = { .port = port };

	if (find_printed(p, port, pid, ret))
		return true;
	snprintf(a.url, sizeof(a.url), "http%s://localhost:%d", p->ready_url && answer_is_tls_on(p->ready_url, port) ? "s" : "",
		 port);
	return program_take_address(p, &a, pid, ret);
}

static bool find_address(struct program *p, struct program_address *ret)
{
	pid_t pid = 0;
	int port;

	if (p->port) /* in a container, the listening process may not be a descendant */
		return (port_is_held_by(p->port, p->process, &pid) || port_is_taken(p->port)) && at_port(p, p->port, pid, ret);
	if (find_printed(p, 0, 0, ret))
		return true;
	port = port_of(p->process, &pid);
	return port && !program_is_socket(p, port) && at_port(p, port, pid, ret);
}

static int program_fail(struct task *t, struct program *p, const char *reason, const char *text)
{
	const char *words = output_last_lines(program_last_output(p), OUTPUT_LINES_REPORTED);
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "the server %s%s%s", text, *words ? ": " : "", words);
	task_fail_details(t, "{reason: ?, stderr: ?}", reason, str_text(&p->errors));
	return r;
}

static int fail_in_use(struct task *t, struct program *p, int port)
{
	struct port_holder holder;
	const char *text;

	if (!port || !port_find_holder(port, &holder))
		text = "reported that its port is in use";
	else
		text = arena_printf(task_arena(t),
				    "reported that port %d is in use, by process %d (%s); end that process or give "
				    "the server another port",
				    port, holder.pid, holder.name[0] ? holder.name : "of another user");
	return program_fail(t, p, "port_in_use", text);
}

static int fail_exited(struct task *t, struct program *p)
{
	char how[80];
	int port;

	if (output_find_port_in_use(str_text(&p->output), &port))
		return fail_in_use(t, p, port);
	program_is_running(p, how, sizeof(how));
	return program_fail(t, p, "exited", arena_printf(task_arena(t), "%s before it was ready", how));
}

/* What the server has not done yet, for a message. `why` is the result of the last request to readyUrl. */
static const char *what_is_missing(struct task *t, const struct program *p, bool listens, const char *why)
{
	if (!listens)
		return p->port ? arena_printf(task_arena(t), "did not listen on port %d", p->port) : "did not listen on any port";
	if (awaits_log(p))
		return "did not print what readyLog matches";
	return arena_printf(task_arena(t), "did not respond to readyUrl with 2xx or 3xx (%s)", why);
}

static int fail_not_ready_in_time(struct task *t, struct program *p, bool listens, const char *why)
{
	double seconds = (double)p->timeout / USEC_PER_SEC;

	return program_fail(t, p, "timeout",
			    arena_printf(task_arena(t), "%s within %g s and was ended", what_is_missing(t, p, listens, why),
					 seconds));
}

/* Waits for output or the end of the program, at most `pause`. */
static int program_pause_for(struct task *t, struct program *p, usec_t pause)
{
	usec_t before = task_set_deadline(t, clock_now() + pause);
	int r = waitq_wait(t, &p->changed, "the server's start");

	task_set_deadline(t, before);
	return r == -ETIMEDOUT ? 0 : r;
}

int program_await(struct task *t, struct program *p, struct program_address *ret)
{
	usec_t end = p->started + p->timeout;
	bool listens = false, answers = !p->ready_url;
	const char *why = "no request was made in time";
	int r = 0;

	while (r == 0) {
		usec_t before = clock_now(), pause;

		if (p->ended)
			return fail_exited(t, p);
		if (before >= end)
			return fail_not_ready_in_time(t, p, listens, why);
		if (!listens)
			listens = find_address(p, ret);
		r = look_for_ready(t, p);
		if (r < 0)
			return r;
		if (listens && !awaits_log(p) && !answers)
			answers = answer_is_good(t, p->ready_url, ANSWER_SUCCESS, &why);
		if (listens && answers && !awaits_log(p))
			return 0;
		pause = MAX(LOOK_PAUSE, 10 * (clock_now() - before));
		r = program_pause_for(t, p, MIN(pause, end - before));
	}
	return r;
}

/* ---- state and end ---- */

bool program_is_running(const struct program *p, char *how, size_t size)
{
	if (p->ended && how)
		process_describe_status(p->status, how, size);
	return !p->ended;
}

int program_end(struct task *t, struct program *p, bool keep_folder, bool *ret_killed)
{
	usec_t before = task_set_deadline(t, USEC_NEVER);
	int r = 0;

	if (!p->ending) {
		process_end(p->process, keep_folder ? PROCESS_LEAVE_FOLDER : 0);
		p->leaves_folder = keep_folder;
		p->ending = true;
	}
	while (r == 0 && !p->exited)
		r = waitq_wait(t, &p->changed, "the end of the server");
	*ret_killed = WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGKILL;
	task_set_deadline(t, before);
	return r;
}

bool program_keeps_folder(const struct program *p)
{
	return p->leaves_folder;
}

const struct process *program_process(const struct program *p)
{
	return p->process;
}

const char *program_last_output(const struct program *p)
{
	return p->errors.len ? str_text(&p->errors) : str_text(&p->output);
}
