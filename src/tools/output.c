#include "tools/output.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/error.h"
#include "base/file.h"
#include "tools/evict.h"

static const char *working_folder(struct task *t)
{
	char buf[PATH_MAX];

	return arena_strdup(task_arena(t), getcwd(buf, sizeof(buf)) ? buf : "/");
}

static const char *workspace(struct task *t, const struct app *app)
{
	return app->workspace ? app->workspace : working_folder(t);
}

static const char *below(struct task *t, const char *folder, const char *path)
{
	if (*path == '/')
		return path;
	while (path[0] == '.' && path[1] == '/')
		path += 2 + strspn(path + 2, "/");
	return *path && strcmp(path, ".") != 0 ? arena_printf(task_arena(t), "%s/%s", folder, path) : folder;
}

static const char *absolute(struct task *t, const struct app *app, const char *path)
{
	return below(t, workspace(t, app), path);
}

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* RFC 3986, 2.1. In place. */
static void decode_percent(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int high = *text == '%' ? hex_digit(text[1]) : -1, low = high >= 0 ? hex_digit(text[2]) : -1;

		*to++ = low >= 0 ? (char)(high << 4 | low) : *text;
		text += low >= 0 ? 2 : 0;
	}
	*to = '\0';
}

const char *output_workspace(struct task *t, const char *uri)
{
	const char *path = uri && strncmp(uri, "file://", 7) == 0 ? strchr(uri + 7, '/') : NULL;
	char *decoded;
	size_t len;

	if (!path)
		return NULL;
	decoded = arena_strdup(task_arena(t), path);
	decode_percent(decoded);
	len = strlen(decoded);
	if (len > 1 && decoded[len - 1] == '/')
		decoded[len - 1] = '\0';
	return decoded;
}

const char *output_folder(struct task *t, const struct app *app)
{
	return app->output_dir ? below(t, working_folder(t), app->output_dir) : absolute(t, app, ".playwright-mcp");
}

static int make_folders(struct task *t, const char *folder)
{
	int r = file_make_folders(folder, 0777);

	if (r < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "cannot make the output folder %s: %s", folder, strerror(-r));
	return 0;
}

int output_at(struct task *t, const struct app *app, const char *prefix, int64_t at, const char *extension, const char **ret)
{
	const char *folder = output_folder(t, app);
	time_t seconds = (time_t)(at / 1000);
	struct tm tm;
	char stamp[32];
	int r;

	r = make_folders(t, folder);
	if (r < 0)
		return r;
	if (app->output_max)
		evict_old_files(app->browser, folder, app->output_max);
	gmtime_r(&seconds, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H-%M-%S", &tm);
	*ret = arena_printf(task_arena(t), "%s/%s-%s-%03dZ.%s", folder, prefix, stamp, (int)(at % 1000), extension);
	return 0;
}

int output_automatic(struct task *t, const struct app *app, const char *prefix, const char *extension, const char **ret)
{
	return output_at(t, app, prefix, clock_unix_msec(), extension, ret);
}

/* The path with links followed, as far as it exists; the rest must not lead up again. */
static const char *real_path(struct task *t, const char *path)
{
	char *head = arena_strdup(task_arena(t), path), *slash;
	char real[PATH_MAX];

	while (!realpath(head, real)) {
		slash = strrchr(head, '/');
		if (!slash || slash == head)
			return path;
		*slash = '\0';
	}
	return arena_printf(task_arena(t), "%s%s", real, path + strlen(head));
}

/* `path`, which is absolute, with "." and ".." taken out by the words alone. */
static const char *plain_path(struct task *t, const char *path)
{
	char *to = arena_alloc(task_arena(t), strlen(path) + 2), *end = to;

	while (*(path += strspn(path, "/"))) {
		size_t len = strcspn(path, "/");

		if (len == 2 && path[0] == '.' && path[1] == '.') {
			while (end > to && *--end != '/')
				;
		} else if (len != 1 || path[0] != '.') {
			*end++ = '/';
			memcpy(end, path, len);
			end += len;
		}
		path += len;
	}
	if (end == to)
		*end++ = '/';
	*end = '\0';
	return to;
}

static bool leads_up(const char *path)
{
	size_t len = strlen(path);

	return strstr(path, "/../") || (len >= 3 && strcmp(path + len - 3, "/..") == 0);
}

static bool is_inside(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && (path[len] == '/' || !path[len]) && !leads_up(path);
}

int output_check(struct task *t, const struct app *app, const char *path)
{
	const char *here = real_path(t, workspace(t, app)), *out = real_path(t, output_folder(t, app));
	const char *real = real_path(t, absolute(t, app, path));

	if (app->unrestricted_files || is_inside(real, here) || is_inside(real, out))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "File access denied: %s is outside allowed roots. Allowed roots: %s, %s",
			 plain_path(t, absolute(t, app, path)), out, here);
}

int output_named(struct task *t, const struct app *app, const char *name, const char **ret)
{
	int r;

	r = output_check(t, app, name);
	if (r == 0)
		*ret = absolute(t, app, name);
	return r;
}

int output_stat(struct task *t, const char *path, struct stat *ret)
{
	if (stat(path, ret) < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%s: %s, stat '%s'", errno == ENOENT ? "ENOENT" : "EACCES",
				 errno == ENOENT ? "no such file or directory" : strerror(errno), path);
	return 0;
}

static void fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

int output_read(struct task *t, const char *path, size_t limit, struct str *out)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	struct stat st;
	size_t n;

	if (!f || fstat(fileno(f), &st) < 0)
		return task_fail(t, -errno, "ENOENT: no such file or directory, open '%s'", path);
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > limit)
		return task_fail(t, -EFBIG, "%s is no file of at most %zu bytes", path, limit);
	str_reserve(out, (size_t)st.st_size);
	n = fread(out->data, 1, (size_t)st.st_size, f);
	out->data[n] = '\0';
	out->len = n;
	return 0;
}

int output_write(struct task *t, const char *path, const void *data, size_t len, bool append)
{
	char *folder = arena_strdup(task_arena(t), path), *slash = strrchr(folder, '/');
	int r;

	if (slash && slash != folder) {
		*slash = '\0';
		r = make_folders(t, folder);
		if (r < 0)
			return r;
	}
	r = file_write(path, data, len, append);
	return r < 0 ? task_fail(t, -ERR_INVALID_PARAMETERS, "cannot write \"%s\": %s", path, strerror(-r)) : 0;
}

int output_write_base64(struct task *t, const char *path, const char *base64)
{
	size_t len = strlen(base64);
	_cleanup_(freep) uint8_t *bytes = must(malloc(BASE64_DECODED_SIZE(len)));
	ptrdiff_t count = base64_decode(base64, len, bytes);

	return count < 0 ? task_fail(t, -EPROTO, "the browser sent data that is no base64") :
			   output_write(t, path, bytes, (size_t)count, false);
}

const char *output_shown(struct task *t, const struct app *app, const char *path)
{
	const char *here = workspace(t, app);
	size_t len = strlen(here);

	if (app->absolute_paths || strncmp(path, here, len) != 0 || path[len] != '/')
		return path;
	path += len + 1;
	return strchr(path, '/') ? path : arena_printf(task_arena(t), "./%s", path);
}
