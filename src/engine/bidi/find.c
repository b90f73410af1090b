#include "engine/find.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/programs.h"

#define OLDEST 140 /* the first with the commands and events that this engine needs */
#define DESCRIPTION_MAX 65536

/* Most wanted first. On Debian, `firefox` is a script that runs firefox-esr. */
static const char *const name_table[] = { "firefox-esr", "firefox", NULL };

/* Looked through after PATH: an MCP client may hand down a short one. */
static const char *const firefox_folder_table[] = {
	"/usr/bin", "/usr/local/bin", "/usr/lib/firefox-esr", "/usr/lib/firefox", "/opt/firefox", "/snap/bin", NULL,
};

/* By the name of the system in /etc/os-release; a program of a snap cannot read the folder of the profile. The last row: others. */
static const struct {
	const char *system, *command;
} firefox_installer_table[] = {
	{ "ubuntu", "the package firefox of https://packages.mozilla.org/apt (not the snap)" },
	{ "debian", "apt-get install firefox-esr" },
	{ "fedora", "dnf install firefox" },
	{ "alpine", "apk add firefox-esr" },
	{ "arch", "pacman -S firefox" },
	{ "suse", "zypper install MozillaFirefox" },
	{ NULL, "Firefox from https://www.mozilla.org/firefox/" },
};

const char *engine_installer(const char *os_release, const struct engine_options *options)
{
	size_t row = 0;

	while (firefox_installer_table[row].system && !programs_is_system(os_release, firefox_installer_table[row].system))
		row++;
	return firefox_installer_table[row].command;
}

static void report_no_firefox(const struct engine_options *options, struct str *error)
{
	_cleanup_(str_done) struct str os_release = {};

	programs_read_system(&os_release);
	str_append(error, "Failed to launch Firefox: it is not found. Looked for");
	for (int i = 0; name_table[i]; i++)
		str_appendf(error, "%s %s", i ? "," : "", name_table[i]);
	str_append(error, " on PATH, in");
	for (int i = 0; firefox_folder_table[i]; i++)
		str_appendf(error, " %s", firefox_folder_table[i]);
	str_appendf(error, ". Install one: %s; or name one with %s", engine_installer(str_text(&os_release), options),
		    options->names.executable);
}

static int choose_stock(const struct engine_options *options, struct engine_choice *choice, struct str *error)
{
	for (int i = 0; name_table[i] && !choice->program; i++)
		choice->program = programs_search(name_table[i], firefox_folder_table);
	if (!choice->program) {
		report_no_firefox(options, error);
		return -ENOENT;
	}
	choice->name = "Firefox";
	choice->reason =
		programs_format("the first that is installed of those that suit %s", browser_product_table[options->product]);
	return 0;
}

/* The major version from application.ini beside the program. 0: there is no such file, as beside a script that starts Firefox. */
static int major_version(const char *program)
{
	_cleanup_(str_done) struct str path = {}, text = {};
	char absolute[PATH_MAX];
	const char *line;
	int version;

	if (!realpath(program, absolute))
		return 0;
	str_appendf(&path, "%s/application.ini", dirname(absolute));
	if (file_read(path.data, DESCRIPTION_MAX, &text) < 0)
		return 0;
	line = strstr(str_text(&text), "\nVersion=");
	return line && sscanf(line, "\nVersion=%d", &version) == 1 ? version : 0;
}

static int refuse_old(const struct engine_choice *choice, struct str *error)
{
	int version = major_version(choice->program);

	if (!version || version >= OLDEST)
		return 0;
	str_appendf(error, "Failed to launch Firefox: %s is version %d, and at least %d is needed. Install a newer one",
		    choice->program, version, OLDEST);
	return -ENOENT;
}

/* Its sandbox needs neither an ordinary user nor user namespaces: where they are missing, it filters system calls alone. */
static void state_sandbox(const struct engine_options *options, struct engine_choice *choice)
{
	choice->no_sandbox = options->sandbox == SANDBOX_OFF;
	choice->no_sandbox_reason =
		programs_format("%s", choice->no_sandbox ? "the operator has turned it off" : "Firefox has it for every user");
}

int engine_find(const struct engine_options *options, struct engine_choice *ret, struct str *error)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	int r = programs_check_display(options, error);

	if (r == 0)
		r = options->executable ? programs_choose_named(options, "firefox", firefox_folder_table, &choice, error) :
					  choose_stock(options, &choice, error);
	if (r < 0)
		return r;
	programs_skip_wrapper(&choice);
	r = refuse_old(&choice, error);
	if (r < 0)
		return r;
	state_sandbox(options, &choice);
	*ret = choice;
	choice = (struct engine_choice){};
	return 0;
}
