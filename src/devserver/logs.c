#include "devserver/logs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "devserver/output.h"

const char *const log_kind_names[] = { "stdout", "stderr", "combined", NULL };

void log_paths_done(struct log_paths *p)
{
	for (int i = 0; i < LOG_KINDS; i++) {
		free(p->of[i]);
		p->of[i] = NULL;
	}
}

/* ---- writing ---- */

#define NEW_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)

struct log_writer {
	int fd;
	struct str path;
	size_t size, size_before; /* sizes of the current and the previous file */
	uint64_t dropped;
};

int log_writer_new(const char *folder, const char *name, struct log_writer **ret)
{
	_cleanup_(log_writer_freep) struct log_writer *w = NEW(struct log_writer);

	str_appendf(&w->path, "%s/%s.log", folder, name);
	w->fd = open(w->path.data, NEW_FLAGS, 0600);
	if (w->fd < 0)
		return -errno;
	*ret = TAKE_PTR(w);
	return 0;
}

struct log_writer *log_writer_free(struct log_writer *w)
{
	if (!w)
		return NULL;
	if (w->fd >= 0)
		close(w->fd);
	str_done(&w->path);
	free(w);
	return NULL;
}

static void logs_rotate(struct log_writer *w)
{
	w->dropped += w->size_before;
	w->size_before = w->size;
	w->size = 0;
	file_rotate(w->path.data, NEW_FLAGS, &w->fd);
}

void log_writer_add(struct log_writer *w, const char *text, size_t len)
{
	while (len > 0) {
		size_t room = LIMIT_SERVER_LOG_FILE - w->size;
		ssize_t n = w->fd < 0 ? -1 : write(w->fd, text, MIN(len, room));

		if (n <= 0) /* a full disk must not affect the server, so write errors are ignored */
			return;
		text += n;
		len -= (size_t)n;
		w->size += (size_t)n;
		if (w->size >= LIMIT_SERVER_LOG_FILE)
			logs_rotate(w);
	}
}

const char *log_writer_path(const struct log_writer *w)
{
	return w->path.data;
}

uint64_t log_writer_dropped(const struct log_writer *w)
{
	return w->dropped;
}

/* ---- reading ---- */

static int logs_refuse(const char **ret_why, const char *why)
{
	*ret_why = why;
	return -EACCES;
}

static bool logs_has_parent_component(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")); p += 2)
		if ((p == path || p[-1] == '/') && (p[2] == '/' || !p[2]))
			return true;
	return false;
}

static bool logs_is_below(const char *path, const char *folder)
{
	char real[PATH_MAX];
	size_t len;

	if (!realpath(folder, real))
		return false;
	len = strlen(real);
	return strncmp(path, real, len) == 0 && (path[len] == '/' || len == 1);
}

static bool is_in_one(const char *path, const char *const *folders)
{
	for (; *folders; folders++)
		if (logs_is_below(path, *folders))
			return true;
	return false;
}

static int logs_check_text(const char *path, const char **ret_why)
{
	if (path[0] != '/')
		return logs_refuse(ret_why, "it is not an absolute path");
	return logs_has_parent_component(path) ? logs_refuse(ret_why, "it contains a \"..\" component") : 0;
}

#define OUTSIDE "it is outside the directories that the operator allows for logs"

/* Checks the real path and type behind an O_PATH descriptor, before the file itself is opened. */
static int logs_check_file(int fd, const char *const *folders, const char **ret_why)
{
	char link[64], real[PATH_MAX];
	struct stat st;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, real, sizeof(real) - 1);
	if (n < 0 || fstat(fd, &st) < 0)
		return -errno;
	real[n] = '\0';
	if (!S_ISREG(st.st_mode))
		return logs_refuse(ret_why, "it is not a regular file");
	if (!is_in_one(real, folders))
		return logs_refuse(ret_why, OUTSIDE);
	if (st.st_nlink > 1)
		return logs_refuse(ret_why, "it has a second name (a hard link)");
	return 0;
}

/* Checks the directory of a file that does not exist yet. */
static int check_parent(const char *path, const char *const *folders, const char **ret_why)
{
	char parent[PATH_MAX], real[PATH_MAX];
	char *slash;

	if ((size_t)snprintf(parent, sizeof(parent), "%s", path) >= sizeof(parent))
		return -ENAMETOOLONG;
	slash = strrchr(parent, '/');
	*(slash == parent ? slash + 1 : slash) = '\0';
	if (!realpath(parent, real))
		return -errno;
	strcat(real, real[1] && strlen(real) + 1 < sizeof(real) ? "/" : "");
	return is_in_one(real, folders) ? 0 : logs_refuse(ret_why, OUTSIDE);
}

static int logs_open_log(const char *path, const char *const *folders, const char **ret_why)
{
	int handle, fd, r;
	char link[64];

	r = logs_check_text(path, ret_why);
	if (r < 0)
		return r;
	handle = open(path, O_PATH | O_CLOEXEC);
	if (handle < 0) {
		r = -errno; /* do not reveal which files exist outside the allowed directories */
		return r == -ENOENT && check_parent(path, folders, ret_why) == -EACCES ? -EACCES : r;
	}
	r = logs_check_file(handle, folders, ret_why);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", handle);
	fd = r < 0 ? r : open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (r == 0 && fd < 0)
		fd = -errno;
	close(handle);
	return fd;
}

int log_check(const char *path, const char *const *folders, const char **ret_why)
{
	int fd = logs_open_log(path, folders, ret_why);

	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* The two files of a log, the older one first. */
struct pieces {
	int fds[2]; /* -1: none */
	uint64_t sizes[2];
};

static void pieces_done(struct pieces *p)
{
	for (int i = 0; i < 2; i++)
		if (p->fds[i] >= 0)
			close(p->fds[i]);
}

static int open_pieces(const struct log_query *q, struct pieces *p, const char **ret_why)
{
	const char *unused;
	struct stat st;

	p->fds[1] = logs_open_log(q->path, q->folders, ret_why);
	if (p->fds[1] < 0)
		return p->fds[1];
	p->fds[0] = q->before ? logs_open_log(q->before, q->folders, &unused) : -1;
	for (int i = 0; i < 2; i++)
		p->sizes[i] = p->fds[i] >= 0 && fstat(p->fds[i], &st) == 0 ? (uint64_t)st.st_size : 0;
	return 0;
}

static int append_piece(int fd, uint64_t from, uint64_t count, struct str *out)
{
	while (count > 0) {
		char buf[16384];
		ssize_t n = pread(fd, buf, MIN(sizeof(buf), count), (off_t)from);

		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		str_append_len(out, buf, (size_t)n);
		from += (uint64_t)n;
		count -= (uint64_t)n;
	}
	return 0;
}

/* Appends the bytes from `from` to `to` of the concatenated files. */
static int append_range(const struct pieces *p, uint64_t from, uint64_t to, struct str *out)
{
	uint64_t edge = p->sizes[0];
	int r = 0;

	if (from < edge)
		r = append_piece(p->fds[0], from, MIN(to, edge) - from, out);
	if (r == 0 && to > edge)
		r = append_piece(p->fds[1], MAX(from, edge) - edge, to - MAX(from, edge), out);
	return r;
}

static void cut_front(struct log_part *part, size_t count)
{
	if (!count)
		return;
	memmove(part->text.data, part->text.data + count, part->text.len - count + 1);
	part->text.len -= count;
	part->offset += count;
	part->earlier = true;
}

static void cut_back(struct log_part *part, size_t keep)
{
	part->text.data[keep] = '\0';
	part->next -= part->text.len - keep;
	part->text.len = keep;
	part->later = true;
}

/* Offset of the last `lines` lines; a newline at the end of the text does not start another line. */
static size_t start_of_last(const struct str *text, unsigned lines)
{
	size_t at = text->len;

	if (at > 0 && text->data[at - 1] == '\n')
		at--;
	for (; at > 0; at--)
		if (text->data[at - 1] == '\n' && --lines == 0)
			return at;
	return 0;
}

static size_t end_of_first(const struct str *text, unsigned lines)
{
	for (size_t at = 0; at < text->len; at++)
		if (text->data[at] == '\n' && --lines == 0)
			return at + 1;
	return text->len;
}

/* Removes incomplete lines at the beginning and end, unless nothing would be left. */
static void keep_whole_lines(struct log_part *part)
{
	const char *newline;

	if (!part->text.len)
		return;
	newline = part->earlier ? memchr(part->text.data, '\n', part->text.len) : NULL;
	if (newline && newline + 1 < part->text.data + part->text.len)
		cut_front(part, (size_t)(newline + 1 - part->text.data));
	newline = part->later ? memrchr(part->text.data, '\n', part->text.len) : NULL;
	if (newline)
		cut_back(part, (size_t)(newline + 1 - part->text.data));
}

/* Runs last, because offsets count the bytes of the file. */
static void leave_out_colours(struct log_part *part)
{
	struct str plain = {};

	output_plain(&plain, str_text(&part->text), part->text.len);
	str_done(&part->text);
	part->text = plain;
}

int log_read(const struct log_query *q, struct log_part *ret, const char **ret_why)
{
	_cleanup_(pieces_done) struct pieces p = { { -1, -1 }, {} };
	uint64_t from, to, total, wanted = q->offset > 0 ? (uint64_t)q->offset : 0;
	int r;

	r = open_pieces(q, &p, ret_why);
	if (r < 0)
		return r;
	total = p.sizes[0] + p.sizes[1];
	ret->restarted = q->offset >= 0 && wanted > q->dropped + total;
	from = q->offset < 0                         ? (total > LIMIT_SERVER_LOG ? total - LIMIT_SERVER_LOG : 0) :
	       ret->restarted || wanted < q->dropped ? 0 :
						       wanted - q->dropped;
	to = MIN(total, from + LIMIT_SERVER_LOG);
	r = append_range(&p, from, to, &ret->text);
	ret->offset = q->dropped + from;
	ret->next = ret->offset + ret->text.len;
	ret->earlier = q->offset < 0 && from > 0;
	ret->later = to < total;
	keep_whole_lines(ret);
	if (q->lines && ret->text.len && q->offset < 0)
		cut_front(ret, start_of_last(&ret->text, q->lines));
	else if (q->lines && ret->text.len && end_of_first(&ret->text, q->lines) < ret->text.len)
		cut_back(ret, end_of_first(&ret->text, q->lines));
	leave_out_colours(ret);
	return r;
}
