#include "engine/launch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "engine/bidi/port.h"
#include "engine/bidi/preferences.h"
#include "engine/operations.h"
#include "engine/profile_lock.h"
#include "engine/started.h"
#include "loop/private_port.h"
#include "loop/process.h"
#include "loop/scratch.h"

#define SHARED_MAX 3 /* browsers in a row that are ended because another process has connected to their ports */

struct launch {
	struct started started; /* the first member, src/engine/started.h */
	struct loop *loop;
	const struct launch_handler *handler;
	void *data;
	struct str profile;
	struct bidi_port *port;
	struct bidi *bidi; /* NULL: there is no connection yet */
	bool ignores_certificates;
};

/* ---- the port ---- */

const char *launch_port_obstacle(struct loop *l, const struct engine_options *o)
{
	return private_port_bar_obstacle(l);
}

/* Why the port stays open until the browser has a session, NULL when it does not; launch_history.pipe_reason keeps it. */
static int choose_port(struct launch_history *h, struct loop *l, const struct engine_options *o, const char **ret_open,
		       struct str *error)
{
	const char *obstacle = h->pipe_only ? str_text(&h->pipe_reason) : private_port_bar_obstacle(l);

	*ret_open = obstacle;
	if (o->connection == CONNECTION_PIPE) {
		str_appendf(
			error,
			"Failed to launch Firefox: it has no pipe to be controlled through (%s pipe), only a port: leave it out",
			o->names.connection);
		return -ENOTSUP;
	}
	if (!obstacle)
		return 0;
	if (o->connection == CONNECTION_PORT) {
		str_appendf(error, "Failed to launch Firefox: its debugging port cannot be made private (%s port): %s",
			    o->names.connection, obstacle);
		return -ENOTSUP;
	}
	if (h->pipe_reason.len)
		return 0;
	log_notice("other users of this machine can reach Firefox's debugging port until it has a session: %s", obstacle);
	str_set(&h->pipe_reason, obstacle);
	return 0;
}

bool launch_may_retry(struct launch_history *h, const struct engine_options *o, bool shared, const char *reason, struct str *error)
{
	bool last = shared ? ++h->shared >= SHARED_MAX : h->pipe_only || o->connection == CONNECTION_PORT;

	if (last) {
		str_appendf(error, "Failed to launch Firefox: its debugging port is not private: %s", reason);
		return false;
	}
	log_warning("ended a browser that was starting, because its debugging port is not private: %s; starting another one",
		    reason);
	if (!shared) {
		str_set(&h->pipe_reason, reason);
		h->pipe_only = true;
	}
	return true;
}

/* ---- the profile ---- */

/* Where connections are limited, none is loaded: an extension may change the browser's proxy. */
static int refuse_extensions(const struct engine_options *o, struct str *error)
{
	_cleanup_(str_done) struct str path = {};
	struct dirent *e;
	bool found = false;
	DIR *dir;

	str_appendf(&path, "%s/extensions", o->user_data_dir);
	dir = o->proxied_webrtc ? opendir(path.data) : NULL;
	while (dir && !found && (e = readdir(dir)))
		found = e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	if (!found)
		return 0;
	str_appendf(
		error,
		"Failed to launch Firefox: the profile folder %s has extensions, which could connect where the rules of this server do not "
		"allow it. Remove the folder %s, or name another profile with %s",
		o->user_data_dir, path.data, o->names.user_data_dir);
	return -EPERM;
}

/* Firefox itself would show a question and wait. */
static int lock_kept(const struct engine_options *o, struct str *error)
{
	_cleanup_(str_done) struct str holder = {};
	const char *profile = o->user_data_dir;
	int lock = profile_lock_folder(profile, &holder);

	if (lock >= 0 && profile_lock_has_record(profile, ".parentlock", &holder)) {
		close(lock);
		lock = -EBUSY;
	}
	if (lock == -EBUSY)
		str_appendf(
			error,
			"Browser is already in use for %s, use %s to run multiple instances of the same browser. %s has this profile: end "
			"it, or name another folder with %s",
			profile, o->names.isolated, holder.data, o->names.user_data_dir);
	else if (lock < 0)
		str_appendf(
			error,
			"Failed to launch Firefox: cannot use the profile folder %s: %s. Keep no profile with %s, or name another folder "
			"with %s",
			profile, strerror(-lock), o->names.isolated, o->names.user_data_dir);
	return lock;
}

/* ---- the process ---- */

/* Firefox refuses to start for root with the home folder of another user, as sudo leaves it. */
static bool has_foreign_home(const struct arguments *env)
{
	const char *home = arguments_variable(env, "HOME");
	struct stat st;

	return geteuid() == 0 && home && stat(home, &st) == 0 && st.st_uid != 0;
}

static void build_environment(struct arguments *env, const struct engine_options *o, const struct engine_choice *choice,
			      const char *scratch)
{
	arguments_build_environment(env, o->env, scratch);
	arguments_set_variable(env, "MOZ_CRASHREPORTER_DISABLE", "1");
	arguments_set_variable(env, "MOZ_CRASHREPORTER_NO_REPORT", "1");
	arguments_set_variable(env, "MOZ_DISABLE_SAFE_MODE_KEY", "1");
	/* Without it, releases ignore services.settings.server (preferences.c) and look a name of Mozilla up at each start. */
	arguments_set_variable(env, "MOZ_REMOTE_SETTINGS_DEVTOOLS", "1");
	if (choice->no_sandbox)
		arguments_set_variable(env, "MOZ_DISABLE_CONTENT_SANDBOX", "1");
	if (has_foreign_home(env))
		arguments_set_variable(env, "HOME", scratch);
}

static void build_command(struct arguments *args, const struct engine_options *o, const struct engine_choice *choice,
			  const char *profile)
{
	arguments_add(args, choice->program);
	arguments_add(args, "--remote-debugging-port=0");
	arguments_add(args, "--profile");
	arguments_add(args, profile);
	arguments_add(args, "--no-remote");
	if (o->headless)
		arguments_add(args, "--headless");
	if (o->width > 0) {
		arguments_add(args, "--width");
		arguments_add(args, arena_printf(&args->arena, "%d", o->width));
		arguments_add(args, "--height");
		arguments_add(args, arena_printf(&args->arena, "%d", o->height));
	}
	for (const char *const *arg = o->args; arg && *arg; arg++)
		arguments_add(args, *arg);
	arguments_add(args, NULL);
}

static void firefox_on_exited(const char *how, void *data)
{
	struct launch *l = data;

	l->handler->exited(how, l->data);
}

static int start_firefox(struct launch *l, const struct engine_options *o, const struct engine_choice *choice, int lock,
			 struct str *error)
{
	_cleanup_(arguments_done) struct arguments args = {}, env = {};
	int r = started_prepare(&l->started, choice, error);

	if (r < 0)
		return r;
	str_append(&l->profile, o->user_data_dir ? o->user_data_dir : scratch_path(l->started.scratch));
	bidi_port_forget(l->profile.data);
	r = preferences_write(l->profile.data, o, error);
	if (r < 0) {
		l->started.exited = true;
		return r;
	}
	build_command(&args, o, choice, l->profile.data);
	build_environment(&env, o, choice, scratch_path(l->started.scratch));
	return started_run(&l->started, l->loop, &args, &env, lock, 0, o->user_data_dir, firefox_on_exited, l, error);
}

static int find_and_start(struct launch *l, const struct engine_options *o, struct str *error)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	int lock = 0, r = engine_find(o, &choice, error);

	if (r == 0 && o->user_data_dir)
		r = refuse_extensions(o, error);
	if (r == 0 && o->user_data_dir)
		r = lock = lock_kept(o, error);
	if (r >= 0)
		r = start_firefox(l, o, &choice, lock, error);
	if (lock > 0)
		close(lock);
	return r;
}

/* ---- the connection ---- */

static void firefox_on_connecting(struct bidi *c, void *data)
{
	struct launch *l = data;

	l->bidi = c;
	if (l->ignores_certificates)
		bidi_ignore_certificates(c);
}

static void firefox_on_unsafe(bool shared, const char *reason, void *data)
{
	struct launch *l = data;

	l->handler->unsafe(shared, reason, l->data);
}

static void firefox_on_open(void *data)
{
	struct launch *l = data;

	l->handler->connection.open(bidi_root(l->bidi), l->data);
}

static void firefox_on_closed(const char *reason, void *data)
{
	struct launch *l = data;

	l->handler->connection.closed(reason, l->data);
}

static const struct bidi_port_handler port_handler = {
	.connecting = firefox_on_connecting,
	.failed = firefox_on_unsafe,
	.bidi = { .open = firefox_on_open, .closed = firefox_on_closed },
};

int launch_connect(struct launch *l)
{
	return bidi_port_begin(l->port, l->profile.data, l->started.process);
}

int launch_start(struct loop *loop, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret)
{
	_cleanup_(launch_freep) struct launch *l = NEW(struct launch);
	const char *obstacle;
	int r;

	*l = (struct launch){ .started = { .engine = &bidi_engine },
			      .loop = loop,
			      .handler = handler,
			      .data = data,
			      .ignores_certificates = o->ignores_certificates };
	r = choose_port(history, loop, o, &obstacle, error);
	if (r < 0)
		return r;
	r = bidi_port_new(loop, obstacle, &port_handler, l, &l->port);
	if (r < 0) {
		str_appendf(error, "Failed to launch Firefox: cannot watch for its address: %s", strerror(-r));
		return r;
	}
	r = find_and_start(l, o, error);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(l);
	return 0;
}

/* ---- what is known of it ---- */

bool launch_uses_port(const struct launch *l)
{
	return true;
}

const char *launch_connection(const struct launch *l)
{
	return "debugging port (--remote-debugging-port)";
}

/* It has no other port than its own. */
bool launch_has_open_port(const struct launch *l)
{
	return false;
}

struct launch *launch_free(struct launch *l)
{
	if (!l)
		return NULL;
	bidi_free(l->bidi);
	bidi_port_free(l->port);
	started_done(&l->started);
	str_done(&l->profile);
	free(l);
	return NULL;
}
