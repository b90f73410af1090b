#include "devserver/permit.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"

static int deny(struct task *t, const char *path, const char *why)
{
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "%s may not be run: %s", path, why);
	task_fail_details(t, "{reason: 'permission_denied', path: ?}", path);
	return r;
}

static int permit_fail_not_found(struct task *t, const char *path, const char *why)
{
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "%s cannot be run: %s", path, why);
	task_fail_details(t, "{reason: 'command_not_found', path: ?}", path);
	return r;
}

static bool permit_is_listed(const char *real, const char *const *allowed)
{
	char entry[PATH_MAX];

	for (; *allowed; allowed++) {
		size_t len;

		if (!realpath(*allowed, entry))
			continue;
		len = strlen(entry);
		if (strncmp(real, entry, len) == 0 && (!real[len] || real[len] == '/'))
			return true;
	}
	return false;
}

static bool has_trusted_owner(const struct stat *st)
{
	return st->st_uid == geteuid() || st->st_uid == 0;
}

/* A parent directory in which other users could replace the file, or NULL. */
static const char *weak_folder(struct task *t, const char *real)
{
	char *folder = arena_strdup(task_arena(t), real), *slash;
	struct stat st;

	while ((slash = strrchr(folder, '/'))) {
		slash[slash == folder] = '\0';
		if (stat(folder, &st) < 0 || (st.st_mode & S_IWOTH && !(st.st_mode & S_ISVTX)))
			return folder;
		if (slash == folder)
			return NULL;
	}
	return NULL;
}

static int permit_check_file(struct task *t, const char *path, const char *real)
{
	const char *folder;
	struct stat st;

	if (stat(real, &st) < 0)
		return permit_fail_not_found(t, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return deny(t, path, "it is not a regular file");
	if (access(real, X_OK) < 0)
		return deny(t, path, "it is not executable; run chmod +x on it");
	if (!has_trusted_owner(&st))
		return deny(t, path, "it belongs to another user");
	if (st.st_mode & S_IWOTH)
		return deny(t, path, "it is world-writable; run chmod o-w on it");
	folder = weak_folder(t, real);
	if (folder)
		return deny(t, path, arena_printf(task_arena(t), "its directory %s is world-writable", folder));
	return 0;
}

static int permit_check_listed(struct task *t, const char *path, const char *real, const struct permit_lists *lists)
{
	const char *list = lists->names.commands;

	if (lists->commands && !permit_is_listed(real, lists->commands))
		return deny(t, path, arena_printf(task_arena(t), "it is not in the operator's list of commands (%s)", list));
	return 0;
}

int permit_command_path(struct task *t, const char *path, const struct permit_lists *lists, const char **ret)
{
	char real[PATH_MAX];
	int r;

	if (path[0] != '/')
		return deny(t, path, "commandPath must be an absolute path");
	if (!realpath(path, real))
		return permit_fail_not_found(t, path, strerror(errno));
	*ret = arena_strdup(task_arena(t), real);
	r = permit_check_listed(t, path, real, lists);
	return r < 0 ? r : permit_check_file(t, path, real);
}

/* Finds the file that execvp() would run. */
static bool permit_look_up(struct task *t, const char *name, const char *cwd, char real[PATH_MAX])
{
	const char *path = getenv("PATH");

	if (name[0] == '/')
		return realpath(name, real);
	if (strchr(name, '/'))
		return realpath(arena_printf(task_arena(t), "%s/%s", cwd ? cwd : ".", name), real);
	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t len = strcspn(p, ":");

		if (realpath(arena_printf(task_arena(t), "%.*s/%s", (int)len, p, name), real) && access(real, X_OK) == 0)
			return true;
		p += len + (p[len] == ':');
	}
	return false;
}

int permit_program(struct task *t, const char *name, const char *cwd, const struct permit_lists *lists, const char **ret)
{
	char real[PATH_MAX];

	if (!permit_look_up(t, name, cwd, real))
		return permit_fail_not_found(t, name, "program not found; check that it is installed and on PATH");
	*ret = lists->commands ? arena_strdup(task_arena(t), real) : NULL;
	return permit_check_listed(t, name, real, lists);
}

/* ---- variables ---- */

/* Common settings of web servers, none of which can contain code. */
static const char *const usual_variables[] = {
	"CI", "FORCE_COLOR", "HOST", "LANG", "LC_ALL", "NODE_ENV", "NO_COLOR", "PORT", "TZ", NULL,
};

#define NAME_FIRST "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME_REST NAME_FIRST "0123456789"

static size_t permit_name_length(const char *text)
{
	return strchr(NAME_FIRST, *text) && *text ? strspn(text, NAME_REST) : 0;
}

bool permit_is_variable(const char *entry)
{
	size_t len = permit_name_length(entry);

	return len > 0 && (!entry[len] || (strcmp(entry + len, "*") == 0 && entry[len - 1] == '_'));
}

static bool matches_entry(const char *const *entries, const char *name)
{
	for (; entries && *entries; entries++) {
		size_t len = strlen(*entries);

		if (strcmp(*entries, name) == 0 || (len > 0 && (*entries)[len - 1] == '*' && strncmp(*entries, name, len - 1) == 0))
			return true;
	}
	return false;
}

static bool has_control_characters(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value < ' ' || *value == 0x7f)
			return true;
	return false;
}

/* Shells evaluate arithmetic expressions such as a[$(command)] where they expect a number, so only digits are allowed. */
static bool permit_is_port(const char *value)
{
	return *value && strlen(value) <= 5 && value[strspn(value, "0123456789")] == '\0';
}

static int deny_variable(struct task *t, const char *name, const char *why)
{
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "env: the variable \"%.100s\" may not be set: %s", name, why);
	task_fail_details(t, "{reason: 'permission_denied', variable: ?}", name);
	return r;
}

int permit_variable(struct task *t, const char *name, const char *value, const struct permit_lists *lists)
{
	if (!lists->commands)
		return 0;
	if (permit_name_length(name) != strlen(name) || !*name)
		return deny_variable(t, name, "a name consists of letters, digits and underscores and does not begin with a digit");
	if (!matches_entry(usual_variables, name) && !matches_entry(lists->variables, name))
		return deny_variable(t, name,
				     arena_printf(task_arena(t), "it is not in the operator's list of variables (%s)",
						  lists->names.variables));
	if (has_control_characters(value))
		return deny_variable(t, name, "its value contains line breaks or other control characters");
	if (strcmp(name, "PORT") == 0 && !permit_is_port(value))
		return deny_variable(t, name, "its value must be a port number");
	return 0;
}

/* ---- directories ---- */

static bool is_at_or_below(const char *real, const char *folder)
{
	char entry[PATH_MAX];
	size_t len;

	if (!realpath(folder, entry))
		return false;
	len = strcmp(entry, "/") == 0 ? 0 : strlen(entry);
	return strncmp(real, entry, len) == 0 && (!real[len] || real[len] == '/');
}

static bool is_below_one(const char *real, const char *const *folders)
{
	for (; folders && *folders; folders++)
		if (is_at_or_below(real, *folders))
			return true;
	return false;
}

/* Whether it is the directory of the program, which is known only for an absolute path. */
static bool is_directory_of(const char *real, const char *command)
{
	char program[PATH_MAX], *slash;

	if (command[0] != '/' || !realpath(command, program))
		return false;
	slash = strrchr(program, '/');
	slash[slash == program] = '\0';
	return strcmp(real, program) == 0;
}

static int deny_directory(struct task *t, const char *directory, const char *why)
{
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "cwd may not be %s: %s", directory, why);
	task_fail_details(t, "{reason: 'permission_denied', path: ?}", directory);
	return r;
}

int permit_directory(struct task *t, const char *directory, const char *command, const struct permit_lists *lists,
		     const char *clients, const char **ret)
{
	char real[PATH_MAX];
	struct stat st;

	if (!realpath(directory, real) || stat(real, &st) < 0 || !S_ISDIR(st.st_mode))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "cwd is not a directory: %s", directory);
	if (lists->commands && clients && is_at_or_below(real, clients))
		return deny_directory(t, directory, "it contains files of clients");
	if (lists->commands && !is_directory_of(real, command) && !is_below_one(real, lists->commands) &&
	    !is_below_one(real, lists->directories))
		return deny_directory(t, directory,
				      arena_printf(task_arena(t),
						   "it is neither the directory of the command nor in the operator's list "
						   "of directories (%s)",
						   lists->names.directories));
	*ret = arena_strdup(task_arena(t), real);
	return 0;
}
