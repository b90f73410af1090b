#include "engine/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "engine/operations.h"
#include "engine/cdp/arguments.h"
#include "engine/cdp/launch_history.h"
#include "engine/cdp/profile.h"
#include "engine/started.h"
#include "loop/process.h"
#include "loop/scratch.h"

#define MEMBERS_MAX 64 /* processes of a browser that are looked at */

struct launch {
	struct started started; /* the first member, src/engine/started.h */
	struct loop *loop;
	const struct launch_handler *handler;
	void *data;
	struct debugging_port *port; /* NULL: the pipe */
	int channel;                 /* this program's end of the pipe, until launch_connect(); -1: none */
	struct cdp *cdp;             /* NULL: there is no connection yet */
};

/* A socketpair rather than two pipes: another process cannot open its ends through /proc. */
static int open_channel(int fds[2], struct str *error)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0)
		return 0;
	str_appendf(error, "Failed to launch the browser: cannot create a socket: %s", strerror(errno));
	return -errno;
}

static void launch_on_exited(const char *how, void *data)
{
	struct launch *l = data;

	l->handler->exited(how, l->data);
}

static int start_in(struct loop *loop, struct launch *l, const struct engine_options *o, const struct engine_choice *choice,
		    int lock, int channel, struct str *error)
{
	const char *scratch = scratch_path(l->started.scratch), *kept = o->user_data_dir;
	_cleanup_(arguments_done) struct arguments args = {}, env = {};

	arguments_build(&args, o, choice, kept ? kept : scratch);
	arguments_build_environment(&env, o->env, scratch);
	return started_run(&l->started, loop, &args, &env, lock, channel, kept, launch_on_exited, l, error);
}

static int launch_start_program(struct loop *loop, struct launch *l, const struct engine_options *o,
				const struct engine_choice *choice, int lock, struct str *error)
{
	int fds[2] = { -1, 0 }, r;

	r = started_prepare(&l->started, choice, error);
	if (r == 0 && o->connection != CONNECTION_PORT)
		r = open_channel(fds, error);
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
		return debugging_port_begin(l->port, scratch_path(l->started.scratch), l->started.process);
	l->channel = -1;
	return cdp_attach(l->loop, channel, &cdp_handler, l, &l->cdp);
}

int launch_start(struct loop *loop, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret)
{
	_cleanup_(launch_freep) struct launch *l = NEW(struct launch);
	struct engine_options options = *o;
	int r;

	*l = (struct launch){ .started = { .engine = &cdp_engine }, .loop = loop, .handler = handler, .data = data, .channel = -1 };
	r = launch_choose_connection(history, loop, &options, &port_handler, l, error, &l->port);
	if (r == 0)
		r = start_found(loop, l, &options, error);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(l);
	return 0;
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
	size_t count = l->port ? 0 : process_members(l->started.process, members, MEMBERS_MAX);

	for (size_t i = 0; i < count; i++)
		if (command_has_port(members[i]))
			return true;
	return false;
}

struct launch *launch_free(struct launch *l)
{
	if (!l)
		return NULL;
	cdp_free(l->cdp);
	debugging_port_free(l->port);
	if (l->channel >= 0)
		close(l->channel);
	started_done(&l->started);
	free(l);
	return NULL;
}
