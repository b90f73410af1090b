#include "engine/find.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define CHROME_SITE "https://www.google.com/chrome/"
#define EDGE_SITE "https://www.microsoft.com/edge/"
#define SCRIPT_MAX 4096 /* longer wrappers are taken as they are */
#define OS_RELEASE_MAX 65536

/* Looked through after PATH: an MCP client may hand down a short one. */
static const char *const folder_table[] = {
	"/usr/bin", "/usr/local/bin", "/usr/lib/chromium", "/opt/google/chrome", "/opt/microsoft/msedge", "/snap/bin", NULL,
};

struct candidate {
	enum browser_product product;
	bool headless_shell;
	const char *name;
	const char *const *programs; /* names for PATH, most wanted first */
	const char *pattern;         /* below the folder where Playwright keeps its browsers */
};

#define PROGRAMS(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

/* In the order of preference. A headless shell starts four times faster than the whole browser. */
static const struct candidate candidate_table[] = {
	{ BROWSER_CHROMIUM, true, "Chromium headless shell",
	  PROGRAMS("chromium-headless-shell", "chrome-headless-shell", "headless_shell"), NULL },
	{ BROWSER_CHROMIUM, false, "Chromium", PROGRAMS("chromium", "chromium-browser"), NULL },
	{ BROWSER_CHROME, false, "Google Chrome", PROGRAMS("google-chrome-stable", "google-chrome", "chrome"), NULL },
	{ BROWSER_MSEDGE, false, "Microsoft Edge", PROGRAMS("microsoft-edge-stable", "microsoft-edge"), NULL },
	{ BROWSER_CHROMIUM, true, "Chromium headless shell of Playwright", NULL,
	  "chromium_headless_shell-*/*/{headless_shell,chrome-headless-shell}" },
	{ BROWSER_CHROMIUM, false, "Chromium of Playwright", NULL, "chromium-*/*/chrome" },
	{ BROWSER_CHROME_BETA, false, "Google Chrome Beta", PROGRAMS("google-chrome-beta"), NULL },
	{ BROWSER_CHROME_DEV, false, "Google Chrome Dev", PROGRAMS("google-chrome-unstable"), NULL },
	{ BROWSER_CHROME_CANARY, false, "Google Chrome Canary", PROGRAMS("google-chrome-canary"), NULL },
	{ BROWSER_MSEDGE_BETA, false, "Microsoft Edge Beta", PROGRAMS("microsoft-edge-beta"), NULL },
	{ BROWSER_MSEDGE_DEV, false, "Microsoft Edge Dev", PROGRAMS("microsoft-edge-dev"), NULL },
	{ BROWSER_MSEDGE_CANARY, false, "Microsoft Edge Canary", PROGRAMS("microsoft-edge-canary"), NULL },
};

/* What installs a headless shell, or a browser that shows windows, by the name of the system in /etc/os-release. The last row: others. */
static const struct {
	const char *system, *headless, *windows;
} installer_table[] = {
	{ "ubuntu", "npx playwright install --with-deps chromium-headless-shell", "npx playwright install --with-deps chromium" },
	{ "debian", "apt-get install chromium-headless-shell", "apt-get install chromium" },
	{ "fedora", "dnf install chromium-headless", "dnf install chromium" },
	{ "alpine", "apk add chromium", "apk add chromium" },
	{ "arch", "pacman -S chromium", "pacman -S chromium" },
	{ "suse", "zypper install chromium", "zypper install chromium" },
	{ NULL, "npx playwright install chromium-headless-shell", "npx playwright install chromium" },
};

/* What to install, by product; of Chromium, by system. */
static const char *const install_table[] = {
	[BROWSER_CHROME] = "the package google-chrome-stable from " CHROME_SITE,
	[BROWSER_CHROME_BETA] = "the package google-chrome-beta from " CHROME_SITE,
	[BROWSER_CHROME_DEV] = "the package google-chrome-unstable from " CHROME_SITE,
	[BROWSER_CHROME_CANARY] = "the package google-chrome-canary from " CHROME_SITE,
	[BROWSER_MSEDGE] = "the package microsoft-edge-stable from " EDGE_SITE,
	[BROWSER_MSEDGE_BETA] = "the package microsoft-edge-beta from " EDGE_SITE,
	[BROWSER_MSEDGE_DEV] = "the package microsoft-edge-dev from " EDGE_SITE,
	[BROWSER_MSEDGE_CANARY] = "the package microsoft-edge-canary from " EDGE_SITE,
};

static char *format(const char *fmt, ...) _printf_(1, 2);
static char *format(const char *fmt, ...)
{
	struct str s = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&s, fmt, ap);
	va_end(ap);
	return str_take(&s);
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static char *program_in(const char *dir, size_t dir_len, const char *name)
{
	_cleanup_(freep) char *path = format("%.*s/%s", (int)dir_len, dir, name);

	/* A relative PATH entry would name another file once the working folder changes. */
	return path[0] == '/' && is_program(path) ? TAKE_PTR(path) : NULL;
}

/* Absolute path of `name` on PATH or in folder_table, owned; NULL when there is none. */
static char *find_search(const char *name)
{
	const char *dir = getenv("PATH");
	char *path = NULL;

	while (dir && *dir && !path) {
		size_t len = strcspn(dir, ":");

		path = program_in(dir, len, name);
		dir += len + (dir[len] == ':');
	}
	for (int i = 0; folder_table[i] && !path; i++)
		path = program_in(folder_table[i], strlen(folder_table[i]), name);
	return path;
}

/* Playwright's own browsers: many machines have no other. The last match is the newest build. */
static char *search_playwright(const char *pattern)
{
	const char *root = getenv("PLAYWRIGHT_BROWSERS_PATH"), *home = getenv("HOME");
	_cleanup_(freep) char *full = root && *root == '/' ? format("%s/%s", root, pattern) :
							     format("%s/.cache/ms-playwright/%s", home ? home : "", pattern);
	char *path = NULL;
	glob_t found;

	if (glob(full, GLOB_BRACE, NULL, &found) == 0)
		for (size_t i = found.gl_pathc; i > 0 && !path; i--)
			if (is_program(found.gl_pathv[i - 1]))
				path = must(strdup(found.gl_pathv[i - 1]));
	globfree(&found);
	return path;
}

static char *search_candidate(const struct candidate *c)
{
	char *path = NULL;

	if (c->pattern)
		return search_playwright(c->pattern);
	for (int i = 0; c->programs[i] && !path; i++)
		path = find_search(c->programs[i]);
	return path;
}

static bool matches_options(const struct candidate *c, const struct engine_options *options)
{
	if (c->headless_shell && !options->headless)
		return false;
	if (options->product == BROWSER_AUTO)
		return c->product == BROWSER_CHROMIUM || c->product == BROWSER_CHROME || c->product == BROWSER_MSEDGE;
	return options->product == c->product;
}

/*
 * The program behind a wrapper script that runs it without `exec`, so that signals for the browser reach the browser
 * and no shell waits beside it: a line `/absolute/path "$@"`. NULL: no such script.
 */
static char *wrapped_program(const char *path)
{
	char text[SCRIPT_MAX + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text));
	char *line, *rest;

	if (fd >= 0)
		close(fd);
	if (len < 2 || len > SCRIPT_MAX || memcmp(text, "#!", 2) != 0)
		return NULL;
	text[len] = '\0';
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *end = strstr(line, " \"$@\"");

		if (line[0] != '/' || !end || strcspn(line, " \t$`'\"\\") != (size_t)(end - line))
			continue;
		*end = '\0';
		if (is_program(line))
			return must(strdup(line));
	}
	return NULL;
}

/* User namespaces with the rights the sandbox needs inside: settings and filters are many, so it is tried. */
static bool user_namespaces_work(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER) < 0 || unshare(CLONE_NEWPID | CLONE_NEWNET) < 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0;
}

static bool setuid_helper_works(const char *dir)
{
	_cleanup_(freep) char *path = format("%s/chrome-sandbox", dir);
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == 0 && (st.st_mode & S_ISUID) && access(path, X_OK) == 0 &&
	       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
}

/* The reason why the sandbox of the browser in directory `dir` cannot work for this process; NULL: it can. */
static const char *sandbox_obstacle(const char *dir)
{
	if (geteuid() == 0)
		return "this server runs as root, and Chromium refuses to start its sandbox for root";
	if (!setuid_helper_works(dir) && !user_namespaces_work())
		return "user namespaces are not allowed here and no setuid sandbox helper is installed";
	return NULL;
}

/* One that is required is tried wherever it seems impossible: a script that stands for the browser may bring arguments of its own. */
static void decide_sandbox(const struct engine_options *options, struct engine_choice *choice)
{
	_cleanup_(freep) char *dir = must(strdup(choice->program));
	const char *obstacle = options->sandbox == SANDBOX_OFF ? NULL : sandbox_obstacle(dirname(dir));

	if (obstacle && options->sandbox == SANDBOX_ON)
		choice->sandbox_warning = format(
			"The browser's sandbox, which %s requires, cannot work: %s. Start the server as an ordinary user that may "
			"create user namespaces, or leave %s out",
			options->names.sandbox, obstacle, options->names.sandbox);
	choice->no_sandbox = options->sandbox == SANDBOX_OFF || (obstacle && !choice->sandbox_warning);
	choice->no_sandbox_reason = format("%s", options->sandbox == SANDBOX_OFF ? "the operator has turned it off" :
						 obstacle                        ? obstacle :
										   "it works for this user");
}

static void skip_wrapper(struct engine_choice *choice)
{
	char *program = wrapped_program(choice->program);

	if (!program)
		return;
	choice->wrapper = choice->program;
	choice->program = program;
}

static int choose_named(const struct engine_options *options, struct engine_choice *choice, struct str *error)
{
	const char *name = options->executable;
	char absolute[PATH_MAX];

	if (!strchr(name, '/'))
		choice->program = find_search(name);
	else if (realpath(name, absolute))
		choice->program = must(strdup(name[0] == '/' ? name : absolute));
	if (!choice->program) {
		str_appendf(error, "Failed to launch chromium because executable doesn't exist at %s (%s)", name,
			    options->names.executable);
		return -ENOENT;
	}
	if (!is_program(choice->program)) {
		str_appendf(error, "Failed to launch %s (%s): it is not a program that this user may run", name,
			    options->names.executable);
		return -EACCES;
	}
	choice->name = "The named browser";
	choice->reason = format("named by %s", options->names.executable);
	return 0;
}

/* Whether the line's value, one word or several in quotes, has this one. */
static bool has_word(const char *line, const char *word)
{
	static const char separators[] = "=\"' \n";
	size_t len = strlen(word);

	for (const char *at = strchr(line, '='); at && *at != '\n' && *at; at += strcspn(at, separators)) {
		at++;
		if (strncmp(at, word, len) == 0 && (!at[len] || strchr(separators, at[len])))
			return true;
	}
	return false;
}

static bool is_system(const char *os_release, const char *system)
{
	for (const char *line = os_release; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if ((starts_with(line, "ID=") || starts_with(line, "ID_LIKE=")) && has_word(line, system))
			return true;
	}
	return false;
}

const char *engine_installer(const char *os_release, bool headless)
{
	size_t row = 0;

	while (installer_table[row].system && !is_system(os_release, installer_table[row].system))
		row++;
	return headless ? installer_table[row].headless : installer_table[row].windows;
}

static const char *installer(const struct engine_options *options)
{
	_cleanup_(str_done) struct str os_release = {};

	if (install_table[options->product])
		return install_table[options->product];
	file_read("/etc/os-release", OS_RELEASE_MAX, &os_release);
	return engine_installer(str_text(&os_release), options->headless);
}

static void report_missing(const struct engine_options *options, struct str *error)
{
	const char *separator = "";
	bool playwright = false;

	if (options->product == BROWSER_AUTO)
		str_append(error, "Failed to launch a browser: none was found. Looked for ");
	else
		str_appendf(error, "Chromium distribution '%s' is not found. Looked for ", browser_product_table[options->product]);
	for (size_t i = 0; i < ARRAY_SIZE(candidate_table); i++) {
		const struct candidate *c = &candidate_table[i];

		if (!matches_options(c, options))
			continue;
		playwright |= c->pattern != NULL;
		for (int k = 0; c->programs && c->programs[k]; k++) {
			str_appendf(error, "%s%s", separator, c->programs[k]);
			separator = ", ";
		}
	}
	str_append(error, " on PATH, in");
	for (int i = 0; folder_table[i]; i++)
		str_appendf(error, " %s", folder_table[i]);
	str_appendf(error, "%s. Install one: %s; or name one with %s", playwright ? " and among Playwright's browsers" : "",
		    installer(options), options->names.executable);
}

static int choose_installed(const struct engine_options *options, struct engine_choice *choice, struct str *error)
{
	for (size_t i = 0; i < ARRAY_SIZE(candidate_table) && !choice->program; i++) {
		const struct candidate *c = &candidate_table[i];

		if (!matches_options(c, options))
			continue;
		choice->program = search_candidate(c);
		choice->name = c->name;
		choice->headless_shell = c->headless_shell;
	}
	if (!choice->program) {
		report_missing(options, error);
		return -ENOENT;
	}
	choice->reason = format("the first that is installed of those that suit %s and can run %s a window",
				browser_product_table[options->product], options->headless ? "without" : "with");
	return 0;
}

static bool has_display(void)
{
	const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

	return (x11 && *x11) || (wayland && *wayland);
}

/* The name of the file is the only way to know a headless shell without running it. */
static bool looks_like_headless_shell(const char *path)
{
	return strstr(path, "headless-shell") || strstr(path, "headless_shell");
}

int engine_find(const struct engine_options *options, struct engine_choice *ret, struct str *error)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	int r;

	/* An executable that the user names may be a script that starts a display. */
	if (!options->headless && !options->executable && !has_display()) {
		str_appendf(
			error,
			"Failed to launch a browser with a window: it needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set. "
			"Start with %s, or under xvfb-run",
			options->names.headless);
		return -ENODEV;
	}
	r = options->executable ? choose_named(options, &choice, error) : choose_installed(options, &choice, error);
	if (r < 0)
		return r;
	skip_wrapper(&choice);
	if (options->executable)
		choice.headless_shell = looks_like_headless_shell(choice.program);
	decide_sandbox(options, &choice);
	*ret = choice;
	choice = (struct engine_choice){};
	return 0;
}
