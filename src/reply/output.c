#include "reply/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/beneath.h"
#include "base/error.h"
#include "base/file.h"
#include "base/limits.h"
#include "browser/uploads.h"
#include "observe/clip.h"
#include "reply/artifacts.h"
#include "reply/evict.h"
#include "reply/owner_dirs.h"

#define PATH_SHOWN 60        /* bytes of a path that is too long in the message about it */
#define AUTOMATIC_NAMES 1000 /* that are tried, one for each millisecond from now on */

static const char *working_directory(struct task *t)
{
	char buf[PATH_MAX];

	return arena_strdup(task_arena(t), getcwd(buf, sizeof(buf)) ? buf : "/");
}

static const char *workspace(struct task *t, const struct file_access *files)
{
	return files->workspace ? files->workspace : working_directory(t);
}

static const char *below(struct task *t, const char *folder, const char *path)
{
	if (*path == '/')
		return path;
	while (path[0] == '.' && path[1] == '/')
		path += 2 + strspn(path + 2, "/");
	return *path && strcmp(path, ".") != 0 ? arena_printf(task_arena(t), "%s/%s", folder, path) : folder;
}

static const char *absolute(struct task *t, const struct file_access *files, const char *path)
{
	return below(t, workspace(t, files), path);
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

static size_t count_names(const char *path)
{
	size_t count = 0;

	while (*(path += strspn(path, "/"))) {
		path += strcspn(path, "/");
		count++;
	}
	return count;
}

static bool is_within_limits(const char *path)
{
	return strlen(path) <= LIMIT_PATH && count_names(path) <= LIMIT_PATH_NAMES_COUNT;
}

const char *output_workspace(struct task *t, const char *uri)
{
	const char *path = starts_with(uri, "file://") ? strchr(uri + 7, '/') : NULL;
	char *decoded;
	size_t len;

	if (!path)
		return NULL;
	decoded = arena_strdup(task_arena(t), path);
	decode_percent(decoded);
	if (!is_within_limits(decoded))
		return NULL;
	len = strlen(decoded);
	if (len > 1 && decoded[len - 1] == '/')
		decoded[len - 1] = '\0';
	return decoded;
}

/* Over HTTP the directories of the owners are below the output directory, and automatic files below the owner's. */
static bool has_own_directory(const struct file_access *files)
{
	return files->output->settings->dir && !files->output->owner_dirs;
}

static const char *output_directory(struct task *t, const struct file_access *files)
{
	return has_own_directory(files) ? below(t, working_directory(t), files->output->settings->dir) :
					  absolute(t, files, OUTPUT_DIRECTORY);
}

/* Opens the first name of `path` in the directory. With the slash after it, only a directory is opened. */
static int output_enter(int directory, const char *path)
{
	size_t len = strcspn(path, "/");
	char name[NAME_MAX + 2];

	if (len > NAME_MAX)
		return -1;
	snprintf(name, sizeof(name), "%.*s", (int)(len + (path[len] == '/')), path);
	return openat(directory, name, O_PATH | O_CLOEXEC);
}

/* The absolute path of an open file or directory, without links; NULL if it has none. Closes the descriptor. */
static const char *output_path_of(struct task *t, int fd)
{
	char link[64], real[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, real, sizeof(real));
	close(fd);
	return len > 0 && (size_t)len < sizeof(real) ? arena_printf(task_arena(t), "%.*s", (int)len, real) : NULL;
}

/*
 * The absolute path with symbolic links resolved as far as it exists; the rest must not contain "..". Each name is looked up once, in the
 * directory before it, so that a path of many names that do not exist costs no more than one of names that do.
 */
static const char *real_path(struct task *t, const char *path)
{
	const char *rest = path + strspn(path, "/"), *real;
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;

	while (fd >= 0 && *rest && (next = output_enter(fd, rest)) >= 0) {
		close(fd);
		fd = next;
		rest += strcspn(rest, "/");
		rest += strspn(rest, "/");
	}
	real = fd < 0 ? NULL : output_path_of(t, fd);
	if (!real)
		return path;
	return *rest ? arena_printf(task_arena(t), "%s/%s", real[1] ? real : "", rest) : real;
}

/* The absolute `path` without "." and "..", which are removed lexically. */
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

static bool output_has_parent_component(const char *path)
{
	size_t len = strlen(path);

	return strstr(path, "/../") || (len >= 3 && strcmp(path + len - 3, "/..") == 0);
}

static bool is_inside(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && (path[len] == '/' || !path[len]) && !output_has_parent_component(path);
}

/* ---- which file a name means, and whether it may be reached ---- */

/* Whether `real` lies in the directory `root`, after resolving the links of `root`. */
static bool find_below(struct task *t, const char *root, const char *real, struct output_file *f)
{
	const char *folder = real_path(t, root);

	if (strcmp(folder, "/") == 0)
		folder = "";
	if (!is_inside(real, folder))
		return false;
	f->root = *folder ? folder : "/";
	f->rest = real + strlen(folder) + strspn(real + strlen(folder), "/");
	return true;
}

/* The operator may allow clients any file of the machine, but never the files of other clients. */
static bool is_open_to_all(struct task *t, const struct file_access *files, const char *real, struct output_file *f)
{
	return files->output->settings->unrestricted &&
	       !(files->output->owner_dirs && is_inside(real, owner_dirs_parent(files->output->owner_dirs))) &&
	       find_below(t, "/", real, f);
}

static int refuse_long(struct task *t, const char *path)
{
	size_t len = strlen(path);

	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "the path %.*s... has %zu bytes and %zu names: a file is named by at most %u bytes and %u names, its "
			 "directories included; give a shorter name",
			 (int)clip_fit(path, len, PATH_SHOWN), path, len, count_names(path), LIMIT_PATH, LIMIT_PATH_NAMES_COUNT);
}

int output_find(struct task *t, const struct file_access *files, const char *name, struct output_file *ret)
{
	const char *here = workspace(t, files), *out = output_directory(t, files), *path = absolute(t, files, name), *real;
	struct output_file f = { .path = path };

	if (!is_within_limits(path))
		return refuse_long(t, path);
	real = real_path(t, path);
	if (find_below(t, here, real, &f) || (has_own_directory(files) && find_below(t, out, real, &f)) ||
	    is_open_to_all(t, files, real, &f)) {
		*ret = f;
		return 0;
	}
	return task_fail(t, -ERR_INVALID_PARAMETERS, "File access denied: %s is outside allowed roots. Allowed roots: %s, %s",
			 plain_path(t, path), real_path(t, out), real_path(t, here));
}

int output_downloads(struct task *t, const struct file_access *files, struct output_file *ret)
{
	uint64_t max = files->output->settings->max;
	int r = output_find(t, files, output_directory(t, files), ret);

	if (r == 0 && max)
		evict_old_files(files->output->browser, ret, max);
	return r;
}

uint64_t output_downloads_max(const struct file_access *files)
{
	return MIN(owner_dirs_room(files->output->owner_dirs, files->owner), (uint64_t)LIMIT_DOWNLOAD_BYTES);
}

int output_at(struct task *t, const struct file_access *files, const char *prefix, int64_t at, const char *extension,
	      struct output_file *ret)
{
	time_t seconds = (time_t)(at / 1000);
	struct output_file folder;
	struct tm tm;
	char stamp[32];
	int r;

	r = output_downloads(t, files, &folder);
	if (r < 0)
		return r;
	gmtime_r(&seconds, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H-%M-%S", &tm);
	return output_find(t, files,
			   arena_printf(task_arena(t), "%s/%s-%s-%03dZ.%s", folder.path, prefix, stamp, (int)(at % 1000),
					extension),
			   ret);
}

/* ---- reading ---- */

static int fail_to_open(struct task *t, const struct output_file *f, int r)
{
	if (r == -ENOENT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "ENOENT: no such file or directory, open '%s'", f->path);
	if (r == -ELOOP)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "ELOOP: '%s' is a symbolic link that cannot be followed; name the file itself", f->path);
	if (r == -EINVAL || r == -EISDIR)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "'%s' is not a regular file", f->path);
	return task_fail(t, -ERR_INVALID_PARAMETERS, "cannot open '%s': %s", f->path, strerror(-r));
}

int output_look(struct task *t, const struct output_file *f, struct stat *ret)
{
	int fd = beneath_look(f->root, f->rest, ret);

	if (fd < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%s: %s, stat '%s'", fd == -ENOENT ? "ENOENT" : "EACCES",
				 fd == -ENOENT ? "no such file or directory" : strerror(-fd), f->path);
	return fd;
}

/* The last component of the path that the call gave. */
static const char *name_of(struct task *t, const struct output_file *f)
{
	const char *path = plain_path(t, f->path), *slash = strrchr(path, '/');

	return slash[1] ? slash + 1 : "root";
}

int output_give_to_pages(struct task *t, struct context *c, const struct output_file *f, int fd, const char **ret_path)
{
	int r = context_stage_upload(t, c, fd, name_of(t, f), ret_path);

	close(fd);
	return r;
}

int output_open(struct task *t, const struct output_file *f)
{
	int fd = beneath_open(f->root, f->rest, O_RDONLY);

	return fd < 0 ? fail_to_open(t, f, fd) : fd;
}

int output_read(struct task *t, const struct output_file *f, size_t limit, struct str *out)
{
	int fd = output_open(t, f), r;

	if (fd < 0)
		return fd;
	r = file_read_from(fd, limit, out);
	close(fd);
	if (r == -EFBIG)
		return task_fail(t, r, "%s has more than %zu bytes", f->path, limit);
	return r < 0 ? fail_to_open(t, f, r) : 0;
}

/* ---- writing ---- */

static int output_create(const struct file_access *files, const struct output_file *f)
{
	unsigned made = 0;
	int fd = beneath_create(f->root, f->rest, &made);

	owner_dirs_add(files->output->owner_dirs, files->owner, 0, (int64_t)made + (fd >= 0));
	return fd;
}

/* Opens a file that this server wrote for this owner and that has not been changed since. */
static int open_own(const struct file_access *files, const struct output_file *f, bool append)
{
	int fd = beneath_open(f->root, f->rest, append ? O_WRONLY | O_APPEND : O_WRONLY);
	struct stat st;

	if (fd < 0)
		return fd == -ELOOP ? fd : -EEXIST;
	if (fstat(fd, &st) < 0 || !artifacts_is_unchanged(files->output->artifacts, files->owner, f, &st)) {
		close(fd);
		return -EEXIST;
	}
	if (!append && ftruncate(fd, 0) < 0) {
		close(fd);
		return -EIO;
	}
	owner_dirs_add(files->output->owner_dirs, files->owner, -(int64_t)st.st_size, 0); /* output_close() adds the new size */
	return fd;
}

static int fail_to_write(struct task *t, const struct file_access *files, const struct output_file *f, int r)
{
	bool forbidden = r == -EROFS || r == -EACCES || r == -EPERM;

	if (r == -EEXIST)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "EEXIST: '%s' is there already, and it is not a file that this server has "
				 "written for this client: give another name",
				 f->path);
	if (r == -ELOOP)
		return fail_to_open(t, f, r);
	if (r == -EDQUOT)
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"cannot write \"%s\": the files of this client have reached the limit of %llu bytes or %u files; the "
			"server removes the oldest ones within a minute, unless its operator keeps them",
			f->path, LIMIT_OWNER_FILES_BYTES, LIMIT_OWNER_FILES_COUNT);
	return task_fail(t, -ERR_INVALID_PARAMETERS, "cannot write \"%s\": %s%s%s", f->path, strerror(-r),
			 forbidden ? "; the operator can name a directory for files with " : "",
			 forbidden ? files->output->settings->names.dir : "");
}

int output_try_open(const struct file_access *files, const struct output_file *f, bool append)
{
	int fd;

	if (!files->may_write)
		return -EACCES;
	if (owner_dirs_room(files->output->owner_dirs, files->owner) == 0)
		return -EDQUOT;
	fd = output_create(files, f);
	return fd == -EEXIST ? open_own(files, f, append) : fd;
}

int output_open_new(struct task *t, const struct file_access *files, const struct output_file *f, bool append)
{
	int fd;

	if (!files->may_write)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "cannot write \"%s\": the access token does not have the scope browser:act, "
				 "which files need; leave the name out to have the content in the answer",
				 f->path);
	fd = output_try_open(files, f, append);
	return fd < 0 ? fail_to_write(t, files, f, fd) : fd;
}

void output_close(const struct file_access *files, const struct output_file *f, int fd)
{
	struct stat st = {};

	fstat(fd, &st);
	close(fd);
	owner_dirs_add(files->output->owner_dirs, files->owner, st.st_size, 0);
	artifacts_add(files->output->artifacts, files->owner, f, &st);
}

/*
 * Creating the file reserves its name: two servers that share the directory may choose the same name in the same
 * millisecond.
 */
int output_automatic(struct task *t, const struct file_access *files, const char *prefix, const char *extension,
		     struct output_file *ret)
{
	int64_t at = clock_unix_msec();
	int fd = -EEXIST, r;

	for (unsigned i = 0; fd == -EEXIST && i < AUTOMATIC_NAMES; i++) {
		r = output_at(t, files, prefix, at + i, extension, ret);
		if (r < 0 || !files->may_write) /* the later write reports the error */
			return r;
		fd = output_create(files, ret);
	}
	if (fd < 0)
		return fail_to_write(t, files, ret, fd);
	output_close(files, ret, fd);
	return 0;
}

int output_choose(struct task *t, const struct file_access *files, const char *name, const char *prefix, const char *extension,
		  struct output_file *ret)
{
	return name ? output_find(t, files, name, ret) : output_automatic(t, files, prefix, extension, ret);
}

void output_remove(const struct output_file *f)
{
	const char *name;
	int parent = beneath_parent(f->root, f->rest, &name);

	if (parent < 0)
		return;
	unlinkat(parent, name, 0);
	close(parent);
}

int output_write(struct task *t, const struct file_access *files, const struct output_file *f, const void *data, size_t len,
		 bool append)
{
	int fd = output_open_new(t, files, f, append), r;

	if (fd < 0)
		return fd;
	r = file_write_all(fd, data, len);
	output_close(files, f, fd);
	if (r < 0 && !append)
		output_remove(f);
	return r < 0 ? fail_to_write(t, files, f, r) : 0;
}

int output_write_part(const struct output_file *f, const void *data, size_t len)
{
	unsigned made = 0;
	int fd = beneath_create(f->root, f->rest, &made), r;

	if (fd == -EEXIST)
		return 0;
	r = fd < 0 ? fd : file_write_all(fd, data, len);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && r < 0)
		output_remove(f);
	return r;
}

int output_write_base64(struct task *t, const struct file_access *files, const struct output_file *f, const char *base64)
{
	size_t len = strlen(base64);
	_cleanup_(freep) uint8_t *bytes = must(malloc(BASE64_DECODED_SIZE(len)));
	ptrdiff_t count = base64_decode(base64, len, bytes);

	return count < 0 ? task_fail(t, -EPROTO, "the browser sent data that is no base64") :
			   output_write(t, files, f, bytes, (size_t)count, false);
}

/* How far `path` and `other` have their first directories in common. */
static size_t common_directories(const char *path, const char *other)
{
	size_t len = 0;

	for (size_t i = 0; path[i] && path[i] == other[i]; i++)
		if (path[i + 1] == '/' && (other[i + 1] == '/' || !other[i + 1]))
			len = i + 1;
	return len;
}

/* The absolute `path`, relative to the directory `from`: "../other/file". */
static const char *relative_path(struct task *t, const char *path, const char *from)
{
	size_t common = common_directories(path, from);
	_cleanup_(str_done) struct str out = {};

	for (const char *p = from + common; *p; p++)
		if (*p == '/' && p[1])
			str_append(&out, "../");
	str_append(&out, path + common + (path[common] == '/'));
	return arena_strdup(task_arena(t), str_text(&out));
}

const char *output_shown(struct task *t, const struct file_access *files, const char *path)
{
	const char *shown = path;

	if (!files->output->settings->absolute_paths && *path == '/')
		shown = relative_path(t, plain_path(t, path), plain_path(t, workspace(t, files)));
	return strchr(shown, '/') ? shown : arena_printf(task_arena(t), "./%s", shown);
}
