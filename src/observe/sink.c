#include "observe/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/mask.h"
#include "observe/event.h"

#define OPEN_FLAGS (O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

struct sink {
	struct journal_listener listener;
	const struct sink_settings *settings;
	size_t bytes;
	int fd;
	bool failure_logged;
	struct str line; /* reused for each event */
};

static void log_failure(struct sink *s, int r)
{
	if (!s->failure_logged)
		log_warning("cannot write events to %s: %s", s->settings->path, strerror(-r));
	s->failure_logged = true;
}

static void rotate(struct sink *s)
{
	int r = file_rotate(s->settings->path, OPEN_FLAGS, &s->fd);

	s->bytes = 0;
	if (r < 0)
		log_failure(s, r);
}

/* One write() per line, so that only a full disk can leave an incomplete line. */
static void append(struct sink *s)
{
	ssize_t n = write(s->fd, s->line.data, s->line.len);

	s->bytes += n > 0 ? (size_t)n : 0;
	if (n != (ssize_t)s->line.len)
		log_failure(s, n < 0 ? -errno : -ENOSPC);
}

static void sink_on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct sink *s = CONTAINER_OF(l, struct sink, listener);

	str_reset(&s->line);
	event_json(&s->line, j, e, journal_target(j), LIMIT_OBSERVED_TEXT);
	mask_json(&s->line, NULL, NULL);
	str_append_char(&s->line, '\n');
	if (s->bytes > 0 && s->bytes + s->line.len > s->settings->max_bytes)
		rotate(s);
	if (s->fd >= 0)
		append(s);
}

int sink_new(const struct sink_settings *settings, struct sink **ret)
{
	int fd = open(settings->path, OPEN_FLAGS, 0600);
	struct stat st;
	struct sink *s;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) { /* the reader of a pipe could stop the server */
		close(fd);
		return -ENXIO;
	}
	s = NEW(struct sink);
	*s = (struct sink){ .listener.observed = sink_on_observed, .settings = settings, .fd = fd };
	s->bytes = (size_t)st.st_size; /* existing content is kept */
	journal_listen(NULL, &s->listener);
	*ret = s;
	return 0;
}

struct sink *sink_free(struct sink *s)
{
	if (!s)
		return NULL;
	journal_unlisten(&s->listener);
	if (s->fd >= 0)
		close(s->fd);
	str_done(&s->line);
	free(s);
	return NULL;
}
