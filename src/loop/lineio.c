#include "loop/lineio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/str.h"

#define READ_SIZE (64u << 10) /* bytes read in one call */
#define KEEP_SIZE (1u << 20)  /* an empty buffer larger than this is freed */

struct lineio {
	struct loop *loop;
	const struct lineio_handler *handler;
	void *data;

	int in;
	struct watch *in_watch; /* NULL when epoll does not support the input, which `read_ready` then reads */
	struct ready read_ready;
	struct str line; /* input since the last newline */
	size_t scanned;  /* bytes of `line` that are known to contain no newline */
	bool skipping;   /* an oversized line is skipped until the next newline */

	int out, out_flags;      /* `out_flags`: file status flags to restore, -1 when they were not changed */
	struct watch *out_watch; /* NULL when epoll does not support the output, which then accepts everything immediately */
	bool out_waiting;        /* waiting until the output is writable */
	struct str pending;
	size_t sent; /* bytes of `pending` */
	bool out_gone;
	const char *gone_reason;
	struct ready gone_ready;
};

static void trim_buffer(struct str *s)
{
	if (s->len == 0 && s->cap > KEEP_SIZE)
		str_done(s);
}

/* ---- input ---- */

static void deliver(struct lineio *s, char *text, size_t len)
{
	if (len > 0 && text[len - 1] == '\r')
		len--;
	text[len] = '\0';
	if (strspn(text, " \t") < len)
		s->handler->line(text, len, s->data);
}

static void finish_line(struct lineio *s, char *text, size_t len)
{
	if (s->skipping)
		s->skipping = false;
	else if (len > LIMIT_LINE)
		s->handler->oversize(s->data);
	else
		deliver(s, text, len);
}

/* Delivers complete lines and keeps the rest, up to the limit. */
static void split_lines(struct lineio *s)
{
	char *start = s->line.data, *end = start + s->line.len, *newline;
	char *from = start + s->scanned;

	while ((newline = memchr(from, '\n', (size_t)(end - from)))) {
		finish_line(s, start, (size_t)(newline - start));
		start = from = newline + 1;
	}
	s->line.len = (size_t)(end - start);
	if (!s->skipping && s->line.len > LIMIT_LINE) {
		s->skipping = true;
		s->handler->oversize(s->data);
	}
	if (s->skipping)
		s->line.len = 0;
	if (start != s->line.data)
		memmove(s->line.data, start, s->line.len);
	s->scanned = s->line.len;
	trim_buffer(&s->line);
}

static void end_input(struct lineio *s, const char *reason)
{
	s->in_watch = watch_free(s->in_watch);
	if (!s->skipping && s->line.len > 0)
		deliver(s, s->line.data, s->line.len);
	str_done(&s->line);
	s->handler->ended(LINEIO_INPUT_ENDED, reason, s->data);
}

/* False at the end of input; `s` may have been freed then. */
static bool lineio_read_some(struct lineio *s)
{
	ssize_t n;

	str_reserve(&s->line, READ_SIZE);
	n = read(s->in, s->line.data + s->line.len, READ_SIZE);
	if (n > 0) {
		s->line.len += (size_t)n;
		split_lines(s);
	} else if (n == 0) {
		end_input(s, "end of input");
		return false;
	} else if (errno != EAGAIN && errno != EINTR) {
		end_input(s, strerror(errno));
		return false;
	}
	return true;
}

static void on_input(uint32_t events, void *data)
{
	lineio_read_some(data);
}

/* epoll refuses regular files, which are always readable: reads one part in each round of the loop. */
static void on_read_ready(struct ready *r)
{
	struct lineio *s = CONTAINER_OF(r, struct lineio, read_ready);

	if (lineio_read_some(s))
		loop_ready(s->loop, r);
}

static int open_input(struct lineio *s)
{
	int r = watch_new(s->loop, s->in, EPOLLIN, on_input, s, &s->in_watch);

	if (r != -EPERM)
		return r;
	s->read_ready.run = on_read_ready;
	loop_ready(s->loop, &s->read_ready);
	return 0;
}

/* ---- output ---- */

static void on_gone_ready(struct ready *r)
{
	struct lineio *s = CONTAINER_OF(r, struct lineio, gone_ready);

	s->handler->ended(LINEIO_OUTPUT_GONE, s->gone_reason, s->data);
}

static void drop_output(struct lineio *s, const char *reason)
{
	if (s->out_gone)
		return;
	s->out_gone = true;
	s->gone_reason = reason;
	s->out_watch = watch_free(s->out_watch);
	str_done(&s->pending);
	s->sent = 0;
	loop_ready(s->loop, &s->gone_ready);
}

static void watch_writable(struct lineio *s, bool wanted)
{
	if (s->out_waiting == wanted || !s->out_watch)
		return;
	s->out_waiting = wanted;
	watch_set_events(s->out_watch, wanted ? EPOLLOUT : 0);
}

static void write_pending(struct lineio *s)
{
	while (s->sent < s->pending.len) {
		ssize_t n = write(s->out, s->pending.data + s->sent, s->pending.len - s->sent);

		if (n >= 0) {
			s->sent += (size_t)n;
		} else if (errno == EAGAIN) {
			watch_writable(s, true);
			return;
		} else if (errno != EINTR) {
			drop_output(s, strerror(errno));
			return;
		}
	}
	str_reset(&s->pending);
	s->sent = 0;
	trim_buffer(&s->pending);
	watch_writable(s, false);
}

static void lineio_on_output(uint32_t events, void *data)
{
	struct lineio *s = data;

	if (events & (EPOLLERR | EPOLLHUP))
		drop_output(s, "the reader has closed the output");
	else
		write_pending(s);
}

/* Removes written bytes from the buffer, moving the rest only when it is the smaller part. */
static void compact_pending(struct lineio *s)
{
	if (s->sent < s->pending.len / 2 || s->sent == 0)
		return;
	memmove(s->pending.data, s->pending.data + s->sent, s->pending.len - s->sent);
	s->pending.len -= s->sent;
	s->sent = 0;
}

void lineio_send(struct lineio *s, const char *text, size_t len)
{
	if (s->out_gone)
		return;
	if (s->pending.len - s->sent + len >= LIMIT_STDOUT_PENDING) {
		drop_output(s, "the client does not read its output");
		return;
	}
	compact_pending(s);
	str_append_len(&s->pending, text, len);
	str_append_char(&s->pending, '\n');
	if (!s->out_waiting)
		write_pending(s);
}

bool lineio_flush(struct lineio *s, int timeout_msec)
{
	usec_t until = clock_now() + (usec_t)timeout_msec * USEC_PER_MSEC;
	struct pollfd room = { .fd = s->out, .events = POLLOUT };

	while (!s->out_gone && s->pending.len > 0) {
		usec_t now = clock_now();

		if (now >= until || poll(&room, 1, (int)((until - now) / USEC_PER_MSEC) + 1) == 0)
			return false;
		write_pending(s);
	}
	return !s->out_gone;
}

static int open_output(struct lineio *s)
{
	int flags = fcntl(s->out, F_GETFL), r;

	if (flags < 0)
		return -errno;
	r = watch_new(s->loop, s->out, 0, lineio_on_output, s, &s->out_watch);
	if (r == -EPERM)
		return 0;
	if (r < 0)
		return r;
	if (!(flags & O_NONBLOCK) && fcntl(s->out, F_SETFL, flags | O_NONBLOCK) == 0)
		s->out_flags = flags;
	return 0;
}

int lineio_new(struct loop *l, int in, int out, const struct lineio_handler *handler, void *data, struct lineio **ret)
{
	_cleanup_(lineio_freep) struct lineio *s = NEW(struct lineio);
	int r;

	*s = (struct lineio){
		.loop = l,
		.handler = handler,
		.data = data,
		.in = in,
		.out = out,
		.out_flags = -1,
		.gone_ready.run = on_gone_ready,
	};
	r = open_output(s);
	if (r < 0)
		return r;
	r = open_input(s);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

struct lineio *lineio_free(struct lineio *s)
{
	if (!s)
		return NULL;
	watch_free(s->in_watch);
	watch_free(s->out_watch);
	loop_cancel_ready(s->loop, &s->read_ready);
	loop_cancel_ready(s->loop, &s->gone_ready);
	if (s->out_flags >= 0)
		fcntl(s->out, F_SETFL, s->out_flags);
	str_done(&s->line);
	str_done(&s->pending);
	free(s);
	return NULL;
}
