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
#include "engine/find.h"
#include "loop/priority.h"
#include "main/doctor_internal.h"
#include "main/machine_memory.h"

#define COMMAND_TIMEOUT_MSEC 10000
#define COMMAND_OUTPUT_MAX (1u << 20)
#define OPEN_FILES_NEEDED 256 /* with 96, Chromium starts and opens no page; with 128, it opens one */
#define OPEN_FILES_COMFORTABLE 1024
#define SHM_COMFORTABLE_MIB 256
#define DISK_COMFORTABLE_MIB 256

extern char **environ;

/* ---- commands ---- */

static void doctor_collect(int fd, pid_t pid, struct str *out)
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
		doctor_collect(pipe_fds[0], pid, out);
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

static bool doctor_check_browser(struct doctor *d)
{
	_cleanup_(str_done) struct str error = {}, version = {};
	int r;

	r = engine_find(&d->options.start, &d->choice, &error);
	if (r < 0) {
		doctor_report(d, FINDING_WRONG, "browser", "%s", str_text(&error));
		return false;
	}
	doctor_report(d, FINDING_OK, "browser", "%s, %s: %s", d->choice.name, d->choice.program, d->choice.reason);
	if (d->choice.wrapper)
		doctor_report(d, FINDING_OK, "wrapper",
			      "%s is a script that runs that program; the server runs the program directly", d->choice.wrapper);
	if (!run_command((const char *const[]){ d->choice.program, "--version", NULL }, &version) || version.len == 0) {
		doctor_report(d, FINDING_WRONG, "version", "%s --version does not work", d->choice.program);
		doctor_advise(
			d,
			"run it by hand to see its output; is it a browser of the kind that --browser names, and is it installed completely?");
		return false;
	}
	doctor_report(d, FINDING_OK, "version", "%.*s", (int)strcspn(version.data, "\n"), version.data);
	return true;
}

static void check_sandbox(struct doctor *d)
{
	if (d->choice.sandbox_warning) {
		doctor_report(d, FINDING_WRONG, "sandbox", "%s", d->choice.sandbox_warning);
		return;
	}
	if (!d->choice.no_sandbox) {
		doctor_report(d, FINDING_OK, "sandbox", "on: %s", d->choice.no_sandbox_reason);
		return;
	}
	doctor_report(d, FINDING_NOTE, "sandbox", "off: %s", d->choice.no_sandbox_reason);
	doctor_advise(d, geteuid() == 0 ? "fine in a container of its own; elsewhere run the server as an ordinary user" :
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
		doctor_report(d, FINDING_NOTE, "priorities",
			      "all pages have the same: Linux 6.12 or newer lets those of sessions with a call run first");
		return;
	}
	doctor_report(d, FINDING_OK, "priorities", "%s", words[means]);
	if (means == PRIORITY_SLICES)
		doctor_advise(d, "CAP_SYS_NICE or ulimit -e 20 (LimitNICE=20 in a unit of systemd) lets them run still earlier");
}

static void check_shared_memory(struct doctor *d)
{
	struct statvfs v;

	if (statvfs("/dev/shm", &v) < 0) {
		doctor_report(d, FINDING_NOTE, "shared memory", "/dev/shm: %s; the temporary directory is used instead",
			      strerror(errno));
	} else if (free_mib(&v) < SHM_COMFORTABLE_MIB) {
		doctor_report(d, FINDING_NOTE, "shared memory", "%llu MiB in /dev/shm is little for large pages", free_mib(&v));
		doctor_advise(d, "give a container more: --shm-size=1g");
	} else {
		doctor_report(d, FINDING_OK, "shared memory", "%llu MiB in /dev/shm", free_mib(&v));
	}
}

static void check_temporary_folder(struct doctor *d)
{
	const char *dir = file_temporary_directory();
	_cleanup_(str_done) struct str path = {};
	struct statvfs v;

	str_appendf(&path, "%s/browserd-doctor-XXXXXX", dir);
	if (!mkdtemp(path.data)) {
		doctor_report(d, FINDING_WRONG, "temporary folder", "%s is not writable: %s", dir, strerror(errno));
		doctor_advise(d, "set TMPDIR to a writable directory");
		return;
	}
	rmdir(path.data);
	if (statvfs(dir, &v) == 0 && free_mib(&v) < DISK_COMFORTABLE_MIB)
		doctor_report(d, FINDING_NOTE, "temporary folder", "only %llu MiB are free in %s", free_mib(&v), dir);
	else
		doctor_report(d, FINDING_OK, "temporary folder", "%s is writable", dir);
}

/* False: too few for a browser, which then neither fails nor opens a page. */
static bool check_open_files(struct doctor *d)
{
	static const char advice[] = "ulimit -n 4096; LimitNOFILE=4096 in a unit of systemd, --ulimit nofile=4096 for a container";
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return true;
	if (limit.rlim_cur >= OPEN_FILES_COMFORTABLE) {
		doctor_report(d, FINDING_OK, "open files", "up to %llu", (unsigned long long)limit.rlim_cur);
		return true;
	}
	if (limit.rlim_cur < OPEN_FILES_NEEDED)
		doctor_report(d, FINDING_WRONG, "open files", "at most %llu, and the browser needs %d; it was not started",
			      (unsigned long long)limit.rlim_cur, OPEN_FILES_NEEDED);
	else
		doctor_report(d, FINDING_NOTE, "open files", "at most %llu, which is little for several sessions",
			      (unsigned long long)limit.rlim_cur);
	doctor_advise(d, advice);
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
		doctor_report(d, FINDING_NOTE, "memory", "%llu MiB, all of %s; --max-memory %llu limits nothing", mib, whose,
			      limit);
		doctor_advise(d, advice.data);
		return;
	}
	doctor_report(d, FINDING_OK, "memory", "%llu MiB, all of %s; sessions sleep where more than %llu would be needed", mib,
		      whose, limit);
}

static void check_folder(struct doctor *d, enum finding finding, const char *about, const char *path, const char *advice)
{
	int r = file_check_directory(path);

	if (r == 0) {
		doctor_report(d, FINDING_OK, about, "%s is writable", path);
		return;
	}
	doctor_report(d, finding, about, "%s cannot be written: %s", path, strerror(-r));
	doctor_advise(d, advice);
}

/* Without files most tools work, without a profile none does. Over HTTP, files are in the temporary folder by default. */
static void check_folders(struct doctor *d, const struct options *o)
{
	check_temporary_folder(d);
	if (o->output.dir || o->http.port < 0)
		check_folder(d, FINDING_NOTE, "output folder", o->output.dir ? o->output.dir : OUTPUT_DIRECTORY,
			     "--output-dir names another one for screenshots and other files");
	if (o->browser.start.user_data_dir)
		check_folder(d, FINDING_WRONG, "profile folder", o->browser.start.user_data_dir,
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
		doctor_report(d, FINDING_NOTE, "fonts", "cannot count fonts: fc-list is not installed");
		doctor_advise(d, "apt-get install fontconfig");
		return;
	}
	all = count_fonts(":");
	cjk = count_fonts(":lang=ja");
	emoji = count_fonts(":charset=1f600");
	doctor_report(d, all && cjk && emoji ? FINDING_OK : FINDING_NOTE, "fonts",
		      "%u files, %u with Chinese or Japanese characters, %u with emoji", all, cjk, emoji);
	if (!all)
		doctor_advise(d, "screenshots show boxes for text: apt-get install fonts-liberation");
	if (!cjk)
		doctor_advise(d, "screenshots show boxes for such text: apt-get install fonts-noto-cjk");
	if (!emoji)
		doctor_advise(d, "screenshots show boxes for emoji: apt-get install fonts-noto-color-emoji");
}

static void check_secret_files(struct doctor *d, const struct options *o)
{
	const char *path;

	for (unsigned at = 0; (path = options_exposed_file(o, &at));) {
		doctor_report(d, FINDING_NOTE, "secrets", "%s can be read by every user of this machine", path);
		doctor_advise(d, "chmod 600 it");
	}
}

/* ---- settings: docs/security.md ---- */

static void check_access(struct doctor *d, const struct options *o)
{
	bool here = host_is_loopback(o->http.host, strlen(o->http.host));

	if (!o->http.token && !o->auth_token_file && !o->keys.issuer) {
		doctor_report(d, FINDING_NOTE, "access", "no token: every program and user on this machine can use the server");
		doctor_advise(d, "--auth-token-file, or --oauth-issuer for several tenants");
	} else {
		doctor_report(d, FINDING_OK, "access", "with a token");
	}
	if (!here && !o->tls.cert) {
		doctor_report(d, FINDING_NOTE, "transport",
			      "%s is reached over the network without TLS, so tokens can be intercepted", o->http.host);
		doctor_advise(d, "--tls-cert and --tls-key, or a proxy in front that has TLS");
	}
}

static void check_egress(struct doctor *d, const struct options *o)
{
	if (o->egress_rules || o->egress.allowed_origins) {
		doctor_report(d, FINDING_OK, "egress", "limited");
		return;
	}
	doctor_report(d, FINDING_NOTE, "egress", "pages can reach this machine and private networks");
	doctor_advise(d, "--egress public, unless tenants test servers there");
}

/* The file of --vault, with its permissions and key. */
static void check_vault(struct doctor *d, const struct options *o)
{
	_cleanup_(vault_key_freep) struct vault_key *key = NULL;
	_cleanup_(logins_freep) struct logins *logins = NULL;
	_cleanup_(str_done) struct str why = {};

	if (!o->vault_path)
		return;
	if (vault_key_load(&o->states.key, false, &key, &why) < 0 || logins_read(key, o->vault_path, &logins, &why) < 0) {
		doctor_report(d, FINDING_WRONG, "vault", "%s", why.data);
		doctor_advise(d, "browserd vault add NAME --vault FILE makes the file, and the key if there is none");
		return;
	}
	doctor_report(d, FINDING_OK, "vault", "%zu logins in %s", logins->count, o->vault_path);
	if (o->http.port >= 0 && !o->http.token && !o->auth_token_file && !o->keys.issuer) {
		doctor_report(d, FINDING_NOTE, "vault", "no client may use a login over HTTP without a token");
		doctor_advise(d, "--auth-token-file, or --oauth-issuer and logins with owners");
	}
}

/* Checks for servers whose clients are not the user who started them. */
static void check_settings(struct doctor *d, const struct options *o)
{
	if (o->http.port < 0)
		return;
	check_access(d, o);
	check_egress(d, o);
	if (o->output.unrestricted) {
		doctor_report(d, FINDING_NOTE, "files",
			      "clients can read and write every file that this user can (--allow-unrestricted-file-access)");
		doctor_advise(d, "leave the option out, so that each owner has a directory of its own");
	}
}

int doctor(const struct options *o, const char *program, int out)
{
	struct doctor d = { .out = out, .options = o->browser };
	bool ready;

	if (o->browser.start.user_data_dir && o->browser.start.connection == CONNECTION_AUTO &&
	    o->browser.start.product != BROWSER_FIREFOX)
		d.options.start.connection = CONNECTION_PIPE; /* as the server would */
	d.options.start.user_data_dir = NULL;                 /* the profile may be in use, and the trial does not need it */
	dprintf(out, "%s %s\n\n", program, BROWSERD_VERSION);
	if (o->log_level > LOG_INFO)
		log_set_level(LOG_CRITICAL); /* the findings replace the log */
	ready = o->browser.endpoints || doctor_check_browser(&d);
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
	check_vault(&d, o);
	doctor_try_store(&d, o);
	if (ready && o->browser.endpoints)
		doctor_try_endpoints(&d, o);
	else if (ready)
		doctor_try_start(&d, o);
	if (d.wrong)
		dprintf(out, "\n%s cannot work here yet: see WRONG above.\n", program);
	else
		dprintf(out, "\n%s works here.\n", program);
	engine_choice_done(&d.choice);
	return d.wrong;
}
