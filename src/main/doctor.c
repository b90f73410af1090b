#include "main/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/host.h"
#include "base/log.h"
#include "browser/context.h"
#include "browser/debugging_port.h"
#include "browser/find.h"
#include "browser/pool.h"
#include "loop/priority.h"
#include "main/machine_memory.h"
#include "page/navigate.h"
#include "store/store.h"

#define COMMAND_TIMEOUT_MSEC 10000
#define COMMAND_OUTPUT_MAX (1u << 20)
#define START_TIMEOUT_SEC 30
#define OPEN_FILES_NEEDED 256 /* with 96, Chromium starts and opens no page; with 128, it opens one */
#define OPEN_FILES_COMFORTABLE 1024
#define SHM_COMFORTABLE_MIB 256
#define DISK_COMFORTABLE_MIB 256
#define PAGE "data:text/html,<title>browserd doctor</title><p>It works."
#define PAGE_TITLE "browserd doctor"

extern char **environ;

enum finding { FINDING_OK, FINDING_NOTE, FINDING_WRONG };

struct doctor {
	int out;
	int wrong;
	struct browser_options options;
	struct browser_choice choice;
};

/* ---- output ---- */

static void report(struct doctor *d, enum finding finding, const char *about, const char *fmt, ...) _printf_(4, 5);
static void report(struct doctor *d, enum finding finding, const char *about, const char *fmt, ...)
{
	static const char *const words[] = { "ok", "note", "WRONG" };
	_cleanup_(str_done) struct str text = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	dprintf(d->out, "%-6s %-17s %s\n", words[finding], about, text.data);
	d->wrong += finding == FINDING_WRONG;
}

/* Prints what to do about the finding above. */
static void print_advice(struct doctor *d, const char *text)
{
	dprintf(d->out, "%24s -> %s\n", "", text);
}

/* ---- commands ---- */

static void collect(int fd, pid_t pid, struct str *out)
{
	usec_t until = clock_now() + COMMAND_TIMEOUT_MSEC * USEC_PER_MSEC;
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	ssize_t n = 1;

	while (n > 0 && out->len < COMMAND_OUTPUT_MAX) {
		usec_t now = clock_now();

		if (now >= until || poll(&readable, 1, (int)((until - now) / USEC_PER_MSEC) + 1) <= 0) {
			kill(pid, SIGKILL);
			return;
		}
		str_reserve(out, 4096);
		n = read(fd, out->data + out->len, 4096);
		out->len += n > 0 ? (size_t)n : 0;
		out->data[out->len] = '\0';
	}
}

/* Runs a short command and collects its output; false if it cannot run, fails or takes too long. */
static bool run_command(const char *const argv[], struct str *out)
{
	posix_spawn_file_actions_t actions;
	int pipe_fds[2], status = -1;
	pid_t pid = 0;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ) != 0)
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	close(pipe_fds[1]);
	if (pid > 0)
		collect(pipe_fds[0], pid, out);
	close(pipe_fds[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && status == 0;
}

static unsigned count_lines(const char *text)
{
	unsigned n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* ---- the machine ---- */

static bool check_browser(struct doctor *d)
{
	_cleanup_(str_done) struct str error = {}, version = {};
	int r;

	r = browser_find(&d->options, &d->choice, &error);
	if (r < 0) {
		report(d, FINDING_WRONG, "browser", "%s", str_text(&error));
		return false;
	}
	report(d, FINDING_OK, "browser", "%s, %s: %s", d->choice.name, d->choice.program, d->choice.reason);
	if (d->choice.wrapper)
		report(d, FINDING_OK, "wrapper", "%s is a script that runs that program; the server runs the program directly",
		       d->choice.wrapper);
	if (!run_command((const char *const[]){ d->choice.program, "--version", NULL }, &version) || version.len == 0) {
		report(d, FINDING_WRONG, "version", "%s --version does not work", d->choice.program);
		print_advice(d, "run it by hand to see its output; is it a Chromium, and is it installed completely?");
		return false;
	}
	report(d, FINDING_OK, "version", "%.*s", (int)strcspn(version.data, "\n"), version.data);
	return true;
}

static void check_sandbox(struct doctor *d)
{
	if (d->choice.sandbox_warning) {
		report(d, FINDING_WRONG, "sandbox", "%s", d->choice.sandbox_warning);
		return;
	}
	if (!d->choice.no_sandbox) {
		report(d, FINDING_OK, "sandbox", "on: %s", d->choice.no_sandbox_reason);
		return;
	}
	report(d, FINDING_NOTE, "sandbox", "off: %s", d->choice.no_sandbox_reason);
	print_advice(d, geteuid() == 0 ? "fine in a container of its own; elsewhere run the server as an ordinary user" :
					 "open pages that you trust, or run the server where user namespaces are allowed");
}

static unsigned long long free_mib(const struct statvfs *v)
{
	return (unsigned long long)v->f_bavail * v->f_frsize >> 20;
}

static void check_priorities(struct doctor *d)
{
	static const char *const words[] = {
		[PRIORITY_SLICES] = "pages of sessions with a call run before others, by their slices",
		[PRIORITY_SLICES_AND_NICE] = "pages of sessions with a call run before others, by their slices and nice values",
	};
	enum priority_means means = priority_means();

	if (means == PRIORITY_NONE) {
		report(d, FINDING_NOTE, "priorities",
		       "all pages have the same: Linux 6.12 or newer lets those of sessions with a call run first");
		return;
	}
	report(d, FINDING_OK, "priorities", "%s", words[means]);
	if (means == PRIORITY_SLICES)
		print_advice(d, "CAP_SYS_NICE or ulimit -e 20 (LimitNICE=20 in a unit of systemd) lets them run still earlier");
}

static void check_shared_memory(struct doctor *d)
{
	struct statvfs v;

	if (statvfs("/dev/shm", &v) < 0) {
		report(d, FINDING_NOTE, "shared memory", "/dev/shm: %s; the temporary directory is used instead", strerror(errno));
	} else if (free_mib(&v) < SHM_COMFORTABLE_MIB) {
		report(d, FINDING_NOTE, "shared memory", "%llu MiB in /dev/shm is little for large pages", free_mib(&v));
		print_advice(d, "give a container more: --shm-size=1g");
	} else {
		report(d, FINDING_OK, "shared memory", "%llu MiB in /dev/shm", free_mib(&v));
	}
}

static void check_temporary_folder(struct doctor *d)
{
	const char *dir = file_temporary_directory();
	_cleanup_(str_done) struct str path = {};
	struct statvfs v;

	str_appendf(&path, "%s/browserd-doctor-XXXXXX", dir);
	if (!mkdtemp(path.data)) {
		report(d, FINDING_WRONG, "temporary folder", "%s is not writable: %s", dir, strerror(errno));
		print_advice(d, "set TMPDIR to a writable directory");
		return;
	}
	rmdir(path.data);
	if (statvfs(dir, &v) == 0 && free_mib(&v) < DISK_COMFORTABLE_MIB)
		report(d, FINDING_NOTE, "temporary folder", "only %llu MiB are free in %s", free_mib(&v), dir);
	else
		report(d, FINDING_OK, "temporary folder", "%s is writable", dir);
}

/* False: too few for a browser, which then neither fails nor opens a page. */
static bool check_open_files(struct doctor *d)
{
	static const char advice[] = "ulimit -n 4096; LimitNOFILE=4096 in a unit of systemd, --ulimit nofile=4096 for a container";
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return true;
	if (limit.rlim_cur >= OPEN_FILES_COMFORTABLE) {
		report(d, FINDING_OK, "open files", "up to %llu", (unsigned long long)limit.rlim_cur);
		return true;
	}
	if (limit.rlim_cur < OPEN_FILES_NEEDED)
		report(d, FINDING_WRONG, "open files", "at most %llu, and the browser needs %d; it was not started",
		       (unsigned long long)limit.rlim_cur, OPEN_FILES_NEEDED);
	else
		report(d, FINDING_NOTE, "open files", "at most %llu, which is little for several sessions",
		       (unsigned long long)limit.rlim_cur);
	print_advice(d, advice);
	return limit.rlim_cur >= OPEN_FILES_NEEDED;
}

static void check_memory(struct doctor *d, const struct options *o)
{
	struct machine_memory machine = machine_memory("");
	unsigned long long mib = machine.bytes >> 20, limit = (unsigned long long)o->sessions.max_memory;
	const char *whose = machine.is_of_cgroup ? "the control group (of a container or unit)" : "this machine";

	if (!mib)
		return;
	if (limit > mib || !limit) {
		_cleanup_(str_done) struct str advice = {};

		str_appendf(&advice, "leave --max-memory out: its default, %llu, is four fifths of that",
			    (unsigned long long)memory_share(machine.bytes) >> 20);
		report(d, FINDING_NOTE, "memory", "%llu MiB, all of %s; --max-memory %llu limits nothing", mib, whose, limit);
		print_advice(d, advice.data);
		return;
	}
	report(d, FINDING_OK, "memory", "%llu MiB, all of %s; sessions sleep where more than %llu would be needed", mib, whose,
	       limit);
}

static void check_folder(struct doctor *d, enum finding finding, const char *about, const char *path, const char *advice)
{
	int r = file_check_directory(path);

	if (r == 0) {
		report(d, FINDING_OK, about, "%s is writable", path);
		return;
	}
	report(d, finding, about, "%s cannot be written: %s", path, strerror(-r));
	print_advice(d, advice);
}

/* Without files most tools work, without a profile none does. Over HTTP, files are in the temporary folder by default. */
static void check_folders(struct doctor *d, const struct options *o)
{
	check_temporary_folder(d);
	if (o->output.dir || o->http.port < 0)
		check_folder(d, FINDING_NOTE, "output folder", o->output.dir ? o->output.dir : OUTPUT_DIRECTORY,
			     "--output-dir names another one for screenshots and other files");
	if (o->browser.user_data_dir)
		check_folder(d, FINDING_WRONG, "profile folder", o->browser.user_data_dir,
			     "--isolated keeps no profile; --user-data-dir names another folder for it");
}

static unsigned count_fonts(const char *pattern)
{
	_cleanup_(str_done) struct str files = {};

	return run_command((const char *const[]){ "fc-list", pattern, "file", NULL }, &files) ? count_lines(str_text(&files)) : 0;
}

static void check_fonts(struct doctor *d)
{
	_cleanup_(str_done) struct str version = {};
	unsigned all, cjk, emoji;

	if (!run_command((const char *const[]){ "fc-list", "file", NULL }, &version)) {
		report(d, FINDING_NOTE, "fonts", "cannot count fonts: fc-list is not installed");
		print_advice(d, "apt-get install fontconfig");
		return;
	}
	all = count_fonts(":");
	cjk = count_fonts(":lang=ja");
	emoji = count_fonts(":charset=1f600");
	report(d, all && cjk && emoji ? FINDING_OK : FINDING_NOTE, "fonts",
	       "%u files, %u with Chinese or Japanese characters, %u with emoji", all, cjk, emoji);
	if (!all)
		print_advice(d, "screenshots show boxes for text: apt-get install fonts-liberation");
	if (!cjk)
		print_advice(d, "screenshots show boxes for such text: apt-get install fonts-noto-cjk");
	if (!emoji)
		print_advice(d, "screenshots show boxes for emoji: apt-get install fonts-noto-color-emoji");
}

/* ---- trial start of the browser ---- */

struct trial {
	struct loop *loop;
	struct browser *browser;
	usec_t began, started, shown;
	bool has_port, uses_port;
	struct str title, failure;
	struct str pipe_reason; /* why the connection of the server's browser is a pipe; empty: it is not, or is meant to be */
};

static int open_first_page(struct task *t, struct trial *trial, struct context *c)
{
	_cleanup_(page_unrefp) struct page *page = NULL;
	struct navigation shown;
	int r;

	r = context_open_page(t, c, &page);
	if (r < 0)
		return r;
	r = page_navigate(t, page, PAGE, WAIT_LOAD, START_TIMEOUT_SEC * USEC_PER_SEC, &shown);
	if (r < 0)
		return r;
	trial->shown = clock_now();
	str_append(&trial->title, shown.title);
	return 0;
}

static int trial_run(struct task *t, void *data)
{
	_cleanup_(context_freep) struct context *c = NULL;
	struct trial *trial = data;
	int r;

	task_set_deadline(t, clock_now() + START_TIMEOUT_SEC * USEC_PER_SEC);
	trial->began = clock_now();
	r = browser_ensure(t, trial->browser);
	if (r < 0)
		return r;
	trial->started = clock_now();
	trial->has_port = browser_has_port(trial->browser);
	trial->uses_port = browser_uses_port(trial->browser);
	r = context_new(t, trial->browser, NULL, &c);
	if (r < 0)
		return r;
	return open_first_page(t, trial, c);
}

static void trial_done(struct task *t, int r, void *data)
{
	struct trial *trial = data;

	if (r < 0)
		str_append(&trial->failure, task_error_message(t) ? task_error_message(t) : strerror(-r));
	loop_stop(trial->loop);
}

static unsigned long long msec(usec_t from, usec_t to)
{
	return (to - from) / USEC_PER_MSEC;
}

/* How the server would be connected to its browser; the trial itself uses no profile on disk. */
static void report_connection(struct doctor *d, const struct trial *trial)
{
	bool required = d->options.connection == CONNECTION_PORT;

	if (trial->pipe_reason.len == 0) {
		if (trial->started && !d->options.endpoints)
			report(d, FINDING_OK, "connection", trial->uses_port ? "the browser's debugging port" : "a pipe");
		return;
	}
	if (!required) {
		report(d, FINDING_NOTE, "connection", "a pipe instead of the browser's debugging port: %s",
		       trial->pipe_reason.data);
		return;
	}
	report(d, FINDING_WRONG, "connection", "the browser's debugging port cannot be made private: %s", trial->pipe_reason.data);
	print_advice(d, "leave --browser-connection port out, so that a pipe is used");
}

static void report_trial(struct doctor *d, const struct trial *trial)
{
	if (trial->started)
		report(d, FINDING_OK, "start", "the browser answered after %llu ms", msec(trial->began, trial->started));
	if (trial->failure.len > 0)
		report(d, FINDING_WRONG, trial->started ? "first page" : "start", "%s", trial->failure.data);
	else if (strcmp(str_text(&trial->title), PAGE_TITLE) != 0)
		report(d, FINDING_WRONG, "first page", "the page has the wrong title \"%s\"", str_text(&trial->title));
	else
		report(d, FINDING_OK, "first page", "loaded after another %llu ms", msec(trial->started, trial->shown));
	report_connection(d, trial);
	if (d->options.endpoints) {
		report(d, FINDING_NOTE, "debugging port",
		       "the browser of --cdp-endpoint can be controlled by everyone who can connect to its port");
	} else if (trial->has_port) {
		report(d, FINDING_WRONG, "debugging port",
		       "the browser listens on a debugging port that the server did not request: every user and "
		       "page on this machine can control it");
		print_advice(d, "remove --remote-debugging-port from the script that starts the browser, or from its settings");
	} else if (trial->started) {
		report(d, FINDING_OK, "debugging port", "%s: only the server can control the browser",
		       trial->uses_port ? "closed to everyone else" : "none");
	}
	if (!trial->started)
		print_advice(
			d,
			"the browser's messages are above; try --log-level debug for more, --executable-path for another browser");
}

static void note_pipe_reason(const struct options *o, struct trial *trial)
{
	const char *reason = browser_pipe_reason(trial->browser);

	if (!*reason && o->browser.connection != CONNECTION_PIPE && !o->browser.endpoints)
		reason = debugging_port_obstacle(trial->loop, &o->browser);
	str_append(&trial->pipe_reason, reason ? reason : "");
}

static void check_start(struct doctor *d, const struct options *o)
{
	_cleanup_(str_done) struct str address = {};
	struct trial trial = {};
	int r;

	r = loop_new(&trial.loop);
	if (r < 0) {
		report(d, FINDING_WRONG, "start", "cannot create an event loop: %s", strerror(-r));
		return;
	}
	dprintf(d->out, "%6s %-17s opening a page, which may take up to %d s\n", "", "start", START_TIMEOUT_SEC);
	trial.browser = browser_new(trial.loop, &d->options, NULL, NULL);
	browser_describe(trial.browser, &address);
	if (address.len && o->browser.endpoints[1])
		report(d, FINDING_NOTE, "browser", "the next is at %s", address.data);
	r = task_start(trial.loop, "doctor", trial_run, trial_done, &trial, NULL);
	if (r == 0)
		r = loop_run(trial.loop);
	if (r < 0)
		str_appendf(&trial.failure, "%s", strerror(-r));
	note_pipe_reason(o, &trial);
	browser_free(trial.browser);
	loop_free(trial.loop);
	report_trial(d, &trial);
	str_done(&trial.title);
	str_done(&trial.failure);
	str_done(&trial.pipe_reason);
}

/* ---- the state store ---- */

struct store_trial {
	struct loop *loop;
	struct store *store;
	struct str failure;
};

static int store_trial_run(struct task *t, void *data)
{
	return store_ping(t, ((struct store_trial *)data)->store);
}

static void store_trial_done(struct task *t, int r, void *data)
{
	struct store_trial *trial = data;

	if (r < 0)
		str_append(&trial->failure, task_error_message(t) ? task_error_message(t) : strerror(-r));
	loop_stop(trial->loop);
}

static void check_store(struct doctor *d, const struct options *o)
{
	struct store_trial trial = {};
	int r;

	if (!o->store.url)
		return;
	r = loop_new(&trial.loop);
	if (r < 0) {
		report(d, FINDING_WRONG, "state store", "cannot create an event loop: %s", strerror(-r));
		return;
	}
	trial.store = store_new(trial.loop, &o->store);
	r = task_start(trial.loop, "doctor", store_trial_run, store_trial_done, &trial, NULL);
	if (r == 0)
		r = loop_run(trial.loop);
	if (r < 0)
		str_append(&trial.failure, strerror(-r));
	if (trial.failure.len > 0)
		report(d, FINDING_WRONG, "state store", "%s", trial.failure.data);
	else
		report(d, FINDING_OK, "state store", "%s answers", store_address(trial.store));
	store_free(trial.store);
	loop_free(trial.loop);
	str_done(&trial.failure);
}

static void check_secret_files(struct doctor *d, const struct options *o)
{
	const char *path;

	for (unsigned at = 0; (path = options_exposed_file(o, &at));) {
		report(d, FINDING_NOTE, "secrets", "%s can be read by every user of this machine", path);
		print_advice(d, "chmod 600 it");
	}
}

/* ---- settings: docs/security.md ---- */

static void check_access(struct doctor *d, const struct options *o)
{
	bool here = host_is_loopback(o->http.host, strlen(o->http.host));

	if (!o->http.token && !o->auth_token_file && !o->keys.issuer) {
		report(d, FINDING_NOTE, "access", "no token: every program and user on this machine can use the server");
		print_advice(d, "--auth-token-file, or --oauth-issuer for several tenants");
	} else {
		report(d, FINDING_OK, "access", "with a token");
	}
	if (!here && !o->tls.cert) {
		report(d, FINDING_NOTE, "transport", "%s is reached over the network without TLS, so tokens can be intercepted",
		       o->http.host);
		print_advice(d, "--tls-cert and --tls-key, or a proxy in front that has TLS");
	}
}

static void check_egress(struct doctor *d, const struct options *o)
{
	if (o->egress_rules || o->egress.allowed_origins) {
		report(d, FINDING_OK, "egress", "limited");
		return;
	}
	report(d, FINDING_NOTE, "egress", "pages can reach this machine and private networks");
	print_advice(d, "--egress public, unless tenants test servers there");
}

/* Checks for servers whose clients are not the user who started them. */
static void check_settings(struct doctor *d, const struct options *o)
{
	if (o->http.port < 0)
		return;
	check_access(d, o);
	check_egress(d, o);
	if (o->output.unrestricted) {
		report(d, FINDING_NOTE, "files",
		       "clients can read and write every file that this user can (--allow-unrestricted-file-access)");
		print_advice(d, "leave the option out, so that each owner has a directory of its own");
	}
}

/* With an address for each session, that of a session "doctor". */
static void check_endpoints(struct doctor *d, const struct options *o)
{
	d->options.per_session = false;
	for (const char *const *address = o->browser.endpoints; *address; address++) {
		_cleanup_(str_done) struct str expanded = {};

		pool_expand(*address, "doctor", &expanded);
		d->options.endpoints = (const char *const[]){ expanded.data, NULL };
		check_start(d, o);
	}
}

int doctor(const struct options *o, const char *program, int out)
{
	struct doctor d = { .out = out, .options = o->browser };
	bool ready;

	if (o->browser.user_data_dir && o->browser.connection == CONNECTION_AUTO)
		d.options.connection = CONNECTION_PIPE; /* as the server would */
	d.options.user_data_dir = NULL;                 /* the profile may be in use, and the trial does not need it */
	dprintf(out, "%s %s\n\n", program, BROWSERD_VERSION);
	if (o->log_level > LOG_INFO)
		log_set_level(LOG_CRITICAL); /* the findings replace the log */
	ready = o->browser.endpoints || check_browser(&d);
	if (ready && !o->browser.endpoints)
		check_sandbox(&d);
	ready &= check_open_files(&d);
	check_memory(&d, o);
	check_priorities(&d);
	check_shared_memory(&d);
	check_folders(&d, o);
	check_fonts(&d);
	check_secret_files(&d, o);
	check_settings(&d, o);
	check_store(&d, o);
	if (ready && o->browser.endpoints)
		check_endpoints(&d, o);
	else if (ready)
		check_start(&d, o);
	if (d.wrong)
		dprintf(out, "\n%s cannot work here yet: see WRONG above.\n", program);
	else
		dprintf(out, "\n%s works here.\n", program);
	browser_choice_done(&d.choice);
	return d.wrong;
}
