#include "engine/find.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/programs.h"

#define CHROME_SITE "https://www.google.com/chrome/"
#define EDGE_SITE "https://www.microsoft.com/edge/"

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

/* Playwright's own browsers: many machines have no other. The last match is the newest build. */
static char *search_playwright(const char *pattern)
{
	const char *root = getenv("PLAYWRIGHT_BROWSERS_PATH"), *home = getenv("HOME");
	_cleanup_(freep) char *full = root && *root == '/' ?
					      programs_format("%s/%s", root, pattern) :
					      programs_format("%s/.cache/ms-playwright/%s", home ? home : "", pattern);
	char *path = NULL;
	glob_t found;

	if (glob(full, GLOB_BRACE, NULL, &found) == 0)
		for (size_t i = found.gl_pathc; i > 0 && !path; i--)
			if (programs_can_run(found.gl_pathv[i - 1]))
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
		path = programs_search(c->programs[i], folder_table);
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
	_cleanup_(freep) char *path = programs_format("%s/chrome-sandbox", dir);
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
		choice->sandbox_warning = programs_format(
			"The browser's sandbox, which %s requires, cannot work: %s. Start the server as an ordinary user that may "
			"create user namespaces, or leave %s out",
			options->names.sandbox, obstacle, options->names.sandbox);
	choice->no_sandbox = options->sandbox == SANDBOX_OFF || (obstacle && !choice->sandbox_warning);
	choice->no_sandbox_reason = programs_format("%s", options->sandbox == SANDBOX_OFF ? "the operator has turned it off" :
							  obstacle                        ? obstacle :
											    "it works for this user");
}

const char *engine_installer(const char *os_release, const struct engine_options *options)
{
	size_t row = 0;

	while (installer_table[row].system && !programs_is_system(os_release, installer_table[row].system))
		row++;
	return options->headless ? installer_table[row].headless : installer_table[row].windows;
}

static const char *installer(const struct engine_options *options)
{
	_cleanup_(str_done) struct str os_release = {};

	if (install_table[options->product])
		return install_table[options->product];
	programs_read_system(&os_release);
	return engine_installer(str_text(&os_release), options);
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
	choice->reason = programs_format("the first that is installed of those that suit %s and can run %s a window",
					 browser_product_table[options->product], options->headless ? "without" : "with");
	return 0;
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

	r = programs_check_display(options, error);
	if (r < 0)
		return r;
	r = options->executable ? programs_choose_named(options, "chromium", folder_table, &choice, error) :
				  choose_installed(options, &choice, error);
	if (r < 0)
		return r;
	programs_skip_wrapper(&choice);
	if (options->executable)
		choice.headless_shell = looks_like_headless_shell(choice.program);
	decide_sandbox(options, &choice);
	*ret = choice;
	choice = (struct engine_choice){};
	return 0;
}
