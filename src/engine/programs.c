#include "engine/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define SCRIPT_MAX 4096 /* longer wrappers are taken as they are */
#define OS_RELEASE_MAX 65536

char *programs_format(const char *fmt, ...)
{
	struct str s = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&s, fmt, ap);
	va_end(ap);
	return str_take(&s);
}

bool programs_can_run(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static char *program_in(const char *dir, size_t dir_len, const char *name)
{
	_cleanup_(freep) char *path = programs_format("%.*s/%s", (int)dir_len, dir, name);

	/* A relative PATH entry would name another file once the working folder changes. */
	return path[0] == '/' && programs_can_run(path) ? TAKE_PTR(path) : NULL;
}

char *programs_search(const char *name, const char *const *folders)
{
	const char *dir = getenv("PATH");
	char *path = NULL;

	while (dir && *dir && !path) {
		size_t len = strcspn(dir, ":");

		path = program_in(dir, len, name);
		dir += len + (dir[len] == ':');
	}
	for (int i = 0; folders[i] && !path; i++)
		path = program_in(folders[i], strlen(folders[i]), name);
	return path;
}

int programs_choose_named(const struct engine_options *options, const char *family, const char *const *folders,
			  struct engine_choice *choice, struct str *error)
{
	const char *name = options->executable;
	char absolute[PATH_MAX];

	if (!strchr(name, '/'))
		choice->program = programs_search(name, folders);
	else if (realpath(name, absolute))
		choice->program = must(strdup(name[0] == '/' ? name : absolute));
	if (!choice->program) {
		str_appendf(error, "Failed to launch %s because executable doesn't exist at %s (%s)", family, name,
			    options->names.executable);
		return -ENOENT;
	}
	if (!programs_can_run(choice->program)) {
		str_appendf(error, "Failed to launch %s (%s): it is not a program that this user may run", name,
			    options->names.executable);
		return -EACCES;
	}
	choice->name = "The named browser";
	choice->reason = programs_format("named by %s", options->names.executable);
	return 0;
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
		if (programs_can_run(line))
			return must(strdup(line));
	}
	return NULL;
}

void programs_skip_wrapper(struct engine_choice *choice)
{
	char *program = wrapped_program(choice->program);

	if (!program)
		return;
	choice->wrapper = choice->program;
	choice->program = program;
}

static bool programs_have_display(void)
{
	const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

	return (x11 && *x11) || (wayland && *wayland);
}

int programs_check_display(const struct engine_options *options, struct str *error)
{
	/* An executable that the user names may be a script that starts a display. */
	if (options->headless || options->executable || programs_have_display())
		return 0;
	str_appendf(error,
		    "Failed to launch a browser with a window: it needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set. "
		    "Start with %s, or under xvfb-run",
		    options->names.headless);
	return -ENODEV;
}

void programs_read_system(struct str *os_release)
{
	file_read("/etc/os-release", OS_RELEASE_MAX, os_release);
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

bool programs_is_system(const char *os_release, const char *system)
{
	for (const char *line = os_release; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if ((starts_with(line, "ID=") || starts_with(line, "ID_LIKE=")) && has_word(line, system))
			return true;
	}
	return false;
}
