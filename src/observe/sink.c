#include "observe/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "observe/event.h"

struct sink {
	const char *path;
	size_t max_bytes, bytes;
	int fd;
	bool complained;
	struct str line; /* its memory is used again */
};

/* 0, or a negative errno; what was there is kept. */
static int open_file(struct sink *s)
{
	struct stat st;

	s->fd = open(s->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);
	if (s->fd < 0)
		return -errno;
	s->bytes = fstat(s->fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
	return 0;
}

static void complain(struct sink *s, int r)
{
	if (!s->complained)
		log_warning("events cannot be written to %s: %s", s->path, strerror(-r));
	s->complained = true;
}

static void rotate(struct sink *s)
{
	_cleanup_(str_done) struct str older = {};
	int r = 0;

	str_appendf(&older, "%s.1", s->path);
	if (rename(s->path, older.data) < 0)
		r = -errno;
	close(s->fd);
	s->fd = -1;
	if (r == 0)
		r = open_file(s);
	if (r < 0)
		complain(s, r);
}

int sink_new(const char *path, size_t max_bytes, struct sink **ret)
{
	_cleanup_(sink_freep) struct sink *s = NEW(struct sink);
	int r;

	s->path = path;
	s->max_bytes = max_bytes;
	r = open_file(s);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

struct sink *sink_free(struct sink *s)
{
	if (!s)
		return NULL;
	if (s->fd >= 0)
		close(s->fd);
	str_done(&s->line);
	free(s);
	return NULL;
}

/* One call of the kernel for each line: half a line is what a full disk leaves, nothing else. */
static void append(struct sink *s)
{
	ssize_t n = write(s->fd, s->line.data, s->line.len);

	s->bytes += n > 0 ? (size_t)n : 0;
	if (n != (ssize_t)s->line.len)
		complain(s, n < 0 ? -errno : -ENOSPC);
}

void sink_take(const struct journal *j, const struct observed *e, void *data)
{
	struct sink *s = data;

	str_reset(&s->line);
	event_json(&s->line, j, e, journal_target(j));
	str_append_char(&s->line, '\n');
	if (s->bytes > 0 && s->bytes + s->line.len > s->max_bytes)
		rotate(s);
	if (s->fd >= 0)
		append(s);
}
