#include "engine/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "engine/operations.h"
#include "engine/cdp/arguments.h"
#include "engine/cdp/launch_history.h"
#include "engine/cdp/profile.h"
#include "loop/process.h"
#include "loop/scratch.h"

#define GRACE_MSEC 1000
#define MEMBERS_MAX 64 /* processes of a browser that are looked at */

struct launch {
	const struct engine_operations *engine;
	struct loop *loop;
	struct process *process;
	const struct launch_handler *handler;
	void *data;
	struct scratch *scratch;       /* for what the browser needs only while it runs */
	struct str downloads, uploads; /* folders in it */
	struct str output;
	struct str program;
	struct str warning; /* about its sandbox */
	bool exited;
	struct debugging_port *port; /* NULL: the pipe */
	int channel;                 /* this program's end of the pipe, until launch_connect(); -1: none */
	struct cdp *cdp;             /* NULL: there is no connection yet */
};

static void forget_old_output(struct launch *l)
{
	size_t excess = l->output.len > LIMIT_BROWSER_STDERR ? l->output.len - LIMIT_BROWSER_STDERR : 0;

	if (!excess)
		return;
	memmove(l->output.data, l->output.data + excess, l->output.len - excess + 1);
	l->output.len -= excess;
}

static void on_output(const char *text, size_t len, void *data)
{
	struct launch *l = data;

	str_append_len(&l->output, text, len);
	forget_old_output(l);
}

static void launch_on_exited(int status, void *data)
{
	struct launch *l = data;
	char how[80];

	l->exited = true;
	process_describe_status(status, how, sizeof(how));
	l->handler->exited(how, l->data);
}

static const struct process_handler process_handler = { .output = on_output, .exited = launch_on_exited };

static int start_in(struct loop *loop, struct launch *l, const struct engine_options *o, const struct engine_choice *choice,
		    int lock, int channel, struct str *error)
{
	const char *scratch = scratch_path(l->scratch), *kept = o->user_data_dir;
	_cleanup_(arguments_done) struct arguments args = {}, env = {};
	int r;

	arguments_build(&args, o, choice, kept ? kept : scratch);
	arguments_build_environment(&env, o->env, scratch);
	r = process_start(loop,
			  &(const struct process_plan){
				  .argv = args.items,
				  .env = env.items,
				  .folder = l->scratch,
				  .lock = lock,
				  .channel = channel,
				  .grace_msec = kept ? GRACE_MSEC : 0, /* it writes what it holds */
			  },
			  &process_handler, l, &l->process);
	if (r < 0) {
		str_reset(error);
		str_appendf(error, "Failed to launch %s: %s", args.items[0], strerror(-r));
		l->scratch = scratch_remove(l->scratch);
	}
	return r;
}

static void make_folder(struct launch *l, const char *name, struct str *ret_path)
{
	str_reset(ret_path);
	str_appendf(ret_path, "%s/%s", scratch_path(l->scratch), name);
	mkdir(ret_path->data, 0700);
}

/* A socketpair rather than two pipes: another process cannot open its ends through /proc. */
static int open_channel(int fds[2], struct str *error)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0)
		return 0;
	str_appendf(error, "Failed to launch the browser: cannot create a socket: %s", strerror(errno));
	return -errno;
}

static int launch_start_program(struct loop *loop, struct launch *l, const struct engine_options *o,
				const struct engine_choice *choice, int lock, struct str *error)
{
	int fds[2] = { -1, 0 }, r;

	r = scratch_new(SCRATCH_PROFILE, &l->scratch);
	if (r < 0) {
		str_reset(error);
		str_appendf(
			error,
			"Failed to launch the browser: cannot create a profile folder in %s: %s; set TMPDIR to a folder that can be written",
			file_temporary_directory(), strerror(-r));
		return r;
	}
	make_folder(l, "browserd-downloads", &l->downloads);
	make_folder(l, "browserd-uploads", &l->uploads);
	r = o->connection == CONNECTION_PORT ? 0 : open_channel(fds, error);
	if (r < 0)
		return r;
	r = start_in(loop, l, o, choice, lock, fds[1], error);
	if (fds[1] > 0)
		close(fds[1]);
	l->channel = fds[0];
	return r;
}

/* Chromium itself would pass its work to the browser that has the profile, and end. */
static int lock_profile(const struct engine_options *o, const struct engine_choice *choice, struct str *error)
{
	_cleanup_(str_done) struct str holder = {};
	const char *profile = o->user_data_dir;
	int r = profile_lock(profile, choice->headless_shell, &holder);

	if (r == -EBUSY)
		str_appendf(error,
			    "Browser is already in use for %s, use %s to run multiple instances of the same browser. %s has this "
			    "profile: end it, or name another folder with %s",
			    profile, o->names.isolated, holder.data, o->names.user_data_dir);
	else if (r < 0)
		str_appendf(
			error,
			"Failed to launch the browser: cannot use the profile folder %s: %s. Keep no profile with %s, or name another "
			"folder with %s",
			profile, strerror(-r), o->names.isolated, o->names.user_data_dir);
	return r;
}

/* Starts the program that is found; the options have decided on the connection. */
static int start_found(struct loop *loop, struct launch *l, const struct engine_options *o, struct str *error)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	int r, lock;

	r = engine_find(o, &choice, error);
	if (r < 0)
		return r;
	str_append(&l->program, choice.program);
	if (choice.sandbox_warning)
		str_appendf(&l->warning, ". %s", choice.sandbox_warning);
	if (choice.no_sandbox && o->sandbox == SANDBOX_AUTO)
		log_notice("starting the browser without its sandbox: %s", choice.no_sandbox_reason);
	lock = o->user_data_dir ? lock_profile(o, &choice, error) : 0;
	if (lock < 0)
		return lock;
	r = launch_start_program(loop, l, o, &choice, lock, error);
	if (lock > 0)
		close(lock);
	return r;
}

/* ---- the connection ---- */

static void launch_on_open(void *data)
{
	struct launch *l = data;

	l->handler->connection.open(cdp_root(l->cdp), l->data);
}

static void launch_on_closed(const char *reason, void *data)
{
	struct launch *l = data;

	l->handler->connection.closed(reason, l->data);
}

static void on_port_failed(bool shared, const char *reason, void *data)
{
	struct launch *l = data;

	l->handler->unsafe(shared, reason, l->data);
}

static void on_connecting(struct cdp *c, void *data)
{
	((struct launch *)data)->cdp = c;
}

static const struct cdp_handler cdp_handler = { .open = launch_on_open, .closed = launch_on_closed };

static const struct debugging_port_handler port_handler = {
	.connecting = on_connecting,
	.failed = on_port_failed,
	.cdp = { .open = launch_on_open, .closed = launch_on_closed },
};

int launch_connect(struct launch *l)
{
	int channel = l->channel;

	if (l->port)
		return debugging_port_begin(l->port, scratch_path(l->scratch), l->process);
	l->channel = -1;
	return cdp_attach(l->loop, channel, &cdp_handler, l, &l->cdp);
}

int launch_start(struct loop *loop, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret)
{
	_cleanup_(launch_freep) struct launch *l = NEW(struct launch);
	struct engine_options options = *o;
	int r;

	*l = (struct launch){ .engine = &cdp_engine, .loop = loop, .handler = handler, .data = data, .channel = -1 };
	r = launch_choose_connection(history, loop, &options, &port_handler, l, error, &l->port);
	if (r == 0)
		r = start_found(loop, l, &options, error);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(l);
	return 0;
}

void launch_kill(struct launch *l)
{
	process_kill(l->process);
}

const char *launch_output(struct launch *l)
{
	return str_text(&l->output);
}

const char *launch_warning(const struct launch *l)
{
	return str_text(&l->warning);
}

const char *launch_program(const struct launch *l)
{
	return l->program.data;
}

bool launch_uses_port(const struct launch *l)
{
	return l->port;
}

const char *launch_connection(const struct launch *l)
{
	return l->port ? "debugging port (--remote-debugging-port)" : "debugging pipe (descriptors 3 and 4)";
}

static bool command_has_port(pid_t pid)
{
	static const char option[] = "--remote-debugging-port";
	_cleanup_(str_done) struct str command = {};
	char path[64];
	size_t at;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	if (file_read(path, LIMIT_PROCESS_TEXT, &command) < 0)
		return false;
	for (at = 0; at < command.len; at += strlen(command.data + at) + 1)
		if (strncmp(command.data + at, option, strlen(option)) == 0)
			return true;
	return false;
}

bool launch_has_open_port(const struct launch *l)
{
	pid_t members[MEMBERS_MAX];
	size_t count = l->port ? 0 : process_members(l->process, members, MEMBERS_MAX);

	for (size_t i = 0; i < count; i++)
		if (command_has_port(members[i]))
			return true;
	return false;
}

pid_t launch_pid(const struct launch *l)
{
	return process_keeper(l->process);
}

const char *launch_downloads(const struct launch *l)
{
	return l->downloads.data;
}

const char *launch_uploads(const struct launch *l)
{
	return l->uploads.data;
}

struct launch *launch_free(struct launch *l)
{
	if (!l)
		return NULL;
	cdp_free(l->cdp);
	debugging_port_free(l->port);
	if (l->channel >= 0)
		close(l->channel);
	process_free(l->process);
	if (l->exited) /* its keeper, too, which has removed it or was killed */
		scratch_remove(l->scratch);
	else
		scratch_free(l->scratch);
	str_done(&l->downloads);
	str_done(&l->uploads);
	str_done(&l->output);
	str_done(&l->program);
	str_done(&l->warning);
	free(l);
	return NULL;
}
