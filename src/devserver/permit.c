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
	task_fail_details(t, "{reason: 'permission_denied', path: %s}", path);
	return r;
}

static int miss(struct task *t, const char *path, const char *why)
{
	int r;

	r = task_fail(t, -ERR_SERVER_START_FAILED, "%s cannot be run: %s", path, why);
	task_fail_details(t, "{reason: 'command_not_found', path: %s}", path);
	return r;
}

static bool is_listed(const char *real, const char *const *allowed)
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

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() || st->st_uid == 0;
}

/* Could somebody else put another file in its place? */
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

static int check_file(struct task *t, const char *path, const char *real)
{
	const char *folder;
	struct stat st;

	if (stat(real, &st) < 0)
		return miss(t, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return deny(t, path, "it is no regular file");
	if (access(real, X_OK) < 0)
		return deny(t, path, "it is not executable; chmod +x makes it so");
	if (!is_ours(&st))
		return deny(t, path, "it belongs to another user");
	if (st.st_mode & S_IWOTH)
		return deny(t, path, "everybody can write it; chmod o-w changes that");
	folder = weak_folder(t, real);
	if (folder)
		return deny(t, path, arena_printf(task_arena(t), "everybody can write its folder %s", folder));
	return 0;
}

static int check_listed(struct task *t, const char *path, const char *real, const char *const *allowed)
{
	if (allowed && !is_listed(real, allowed))
		return deny(t, path, "it is not among those that the operator allows (--server-commands, SERVER_COMMAND_PATH)");
	return 0;
}

int permit_command_path(struct task *t, const char *path, const char *const *allowed)
{
	char real[PATH_MAX];
	int r;

	if (path[0] != '/')
		return deny(t, path, "commandPath must be an absolute path");
	if (!realpath(path, real))
		return miss(t, path, strerror(errno));
	r = check_listed(t, path, real, allowed);
	return r < 0 ? r : check_file(t, path, real);
}

/* What execvp() would run. */
static bool look_up(struct task *t, const char *name, const char *cwd, char real[PATH_MAX])
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

int permit_program(struct task *t, const char *name, const char *cwd, const char *const *allowed)
{
	char real[PATH_MAX];

	if (!look_up(t, name, cwd, real))
		return miss(t, name, "there is no such program; is it installed and on PATH?");
	return check_listed(t, name, real, allowed);
}
