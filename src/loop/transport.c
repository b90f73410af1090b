#include "loop/transport.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "loop/transport_kind.h"

/*
 * Reading is throttled during bursts of messages that nobody waits for, because a wake-up for each message costs more than processing it. Each
 * message adds MESSAGE_USEC to a budget of time. When the budget is ahead of the clock by more than a threshold, the connection pauses
 * briefly after each read (all in microseconds).
 */
#define MESSAGE_USEC USEC_PER_MSEC
#define BURST_USEC (32 * MESSAGE_USEC)
#define REST_USEC (4 * USEC_PER_MSEC)

#define OVERSIZE_HEAD 256u /* bytes of a skipped message that are passed to the handler */

static void run_close_notice(struct ready *r)
{
	struct transport *t = CONTAINER_OF(r, struct transport, close_notice);

	t->handler->closed(t->reason, t->data);
}

static void transport_close_socket(struct transport *t)
{
	t->watch = watch_free(t->watch);
	t->tls = tls_client_free(t->tls);
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	t->state = TRANSPORT_CLOSED;
	timer_set(t->pause, USEC_NEVER);
	loop_cancel_ready(t->loop, &t->flush);
}

void transport_disconnect(struct transport *t, const char *reason)
{
	snprintf(t->reason, sizeof(t->reason), "%s", reason); /* may belong to what is closed */
	transport_close_socket(t);
	loop_ready(t->loop, &t->close_notice);
}

/* Updates the watched events after a change of state. epoll reports hang-ups and errors in any case. */
static void transport_watch_again(struct transport *t)
{
	uint32_t events = (t->paused ? 0 : EPOLLIN) | (t->send_blocked ? EPOLLOUT : 0);

	watch_set_events(t->watch, t->state == TRANSPORT_SECURING ? tls_client_events(t->tls) : events);
}

const struct refusal *transport_refusal(const struct transport *t)
{
	return &t->refusal;
}

/* ---- sending ---- */

static void set_send_blocked(struct transport *t, bool send_blocked)
{
	if (t->send_blocked == send_blocked)
		return;
	t->send_blocked = send_blocked;
	transport_watch_again(t);
}

ssize_t transport_write(struct transport *t, const char *data, size_t len)
{
	return t->tls ? tls_client_send(t->tls, data, len) : send(t->fd, data, len, MSG_NOSIGNAL);
}

/* Whether there is something to send. What the framing answers by itself comes last, so that only one such answer is in the queue. */
static bool transport_has_output(struct transport *t)
{
	if (t->sent < t->out.len)
		return true;
	t->sent = 0;
	str_reset(&t->out);
	return t->kind->append_control && t->kind->append_control(t);
}

static void flush(struct transport *t)
{
	while (transport_has_output(t)) {
		ssize_t n = transport_write(t, t->out.data + t->sent, t->out.len - t->sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			set_send_blocked(t, true);
			return;
		}
		if (n <= 0) {
			transport_disconnect(t, n == 0 ? "the connection was closed" : strerror(errno));
			return;
		}
		t->sent += (size_t)n;
		t->taken += (size_t)n;
	}
	set_send_blocked(t, false);
	if (t->out.cap > TRANSPORT_KEEP)
		str_done(&t->out);
}

static void run_flush(struct ready *r)
{
	struct transport *t = CONTAINER_OF(r, struct transport, flush);

	if (t->state == TRANSPORT_OPEN && !t->send_blocked)
		flush(t);
}

void transport_flush_soon(struct transport *t)
{
	loop_ready(t->loop, &t->flush);
}

/* A peer that always reads a little less than is queued would otherwise keep everything that was ever sent to it in memory. */
static void drop_sent(struct transport *t)
{
	if (t->sent < TRANSPORT_KEEP || t->sent < t->out.len / 2)
		return;
	t->out.len -= t->sent;
	memmove(t->out.data, t->out.data + t->sent, t->out.len + 1);
	t->sent = 0;
}

size_t transport_pending(const struct transport *t)
{
	return t->out.len - t->sent;
}

uint64_t transport_sent(const struct transport *t)
{
	return t->taken;
}

int transport_send(struct transport *t, const char *text, size_t len)
{
	if (t->state == TRANSPORT_CLOSED)
		return -ENOTCONN;
	if (memchr(text, '\0', len)) /* a NUL would split the message in two */
		return -EINVAL;
	if (transport_pending(t) + len > LIMIT_CDP_PENDING + LIMIT_CDP_RESERVE) {
		transport_disconnect(t, "it does not read what is sent to it");
		return -ENOBUFS;
	}
	drop_sent(t);
	t->kind->append(t, text, len);
	transport_flush_soon(t);
	return 0;
}

/* ---- receiving ---- */

void transport_deliver(struct transport *t, char *text, size_t len)
{
	char behind = text[len];

	text[len] = '\0';
	t->handler->message(text, len, t->data);
	text[len] = behind;
}

void transport_end_message(struct transport *t)
{
	if (t->skipping)
		t->handler->oversize(str_text(&t->message), t->message.len, t->data);
	else
		transport_deliver(t, t->message.data, t->message.len);
	t->skipping = false;
	str_reset(&t->message);
	if (t->message.cap > TRANSPORT_KEEP)
		str_done(&t->message);
}

void transport_skip(struct transport *t, const char *data, size_t len)
{
	size_t kept = MIN(t->message.len, (size_t)OVERSIZE_HEAD);

	t->skipping = true;
	t->message.len = kept;
	str_append_len(&t->message, data, MIN(len, OVERSIZE_HEAD - kept));
}

static void drop_taken(struct transport *t, size_t taken)
{
	t->in.len -= taken;
	if (t->in.len == 0 && t->in.cap > TRANSPORT_KEEP)
		str_done(&t->in);
	else if (taken > 0)
		memmove(t->in.data, t->in.data + taken, t->in.len + 1);
}

static ssize_t transport_read_some(struct transport *t)
{
	char *at = t->in.data + t->in.len;
	size_t room = MIN(t->in.cap - t->in.len - 1, TRANSPORT_READ_SIZE);

	return t->tls ? tls_client_receive(t->tls, at, room) : recv(t->fd, at, room, 0);
}

/* The kernel forgets the setting with what it has acknowledged. */
static void transport_acknowledge_now(struct transport *t)
{
	int on = 1;

	setsockopt(t->fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on));
}

void transport_acknowledge(struct transport *t)
{
	t->acknowledges = true;
	transport_acknowledge_now(t);
}

/* A TLS record has 16 KiB at most, so that nothing remains in the buffers of TLS, which epoll does not know. */
static void transport_receive(struct transport *t)
{
	ssize_t n;

	str_reserve(&t->in, TRANSPORT_READ_SIZE);
	n = transport_read_some(t);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		transport_disconnect(t, n == 0 ? "the connection was closed" : strerror(errno));
		return;
	}
	if (t->acknowledges)
		transport_acknowledge_now(t);
	t->in.len += (size_t)n;
	t->in.data[t->in.len] = '\0';
	drop_taken(t, t->kind->take(t));
}

/* ---- pauses ---- */

static void transport_on_pause_over(void *data)
{
	struct transport *t = data;

	t->paused = false;
	transport_watch_again(t);
}

void transport_pause(struct transport *t, usec_t duration)
{
	if (t->paused || t->state != TRANSPORT_OPEN)
		return;
	t->paused = true;
	transport_watch_again(t);
	timer_set(t->pause, clock_now() + duration);
}

void transport_throttle(struct transport *t, bool is_idle)
{
	usec_t now = clock_now(), ahead = t->budget_until > now ? t->budget_until - now : 0;

	ahead = MIN(ahead + MESSAGE_USEC, BURST_USEC);
	t->budget_until = now + ahead;
	if (ahead == BURST_USEC && is_idle)
		transport_pause(t, REST_USEC);
}

void transport_resume(struct transport *t)
{
	if (!t->paused || t->state != TRANSPORT_OPEN)
		return;
	timer_set(t->pause, USEC_NEVER);
	transport_on_pause_over(t);
}

/* ---- the connection ---- */

static void secure(struct transport *t)
{
	int r = tls_client_handshake(t->tls);

	if (r == -EAGAIN) {
		transport_watch_again(t);
	} else if (r < 0) {
		t->refusal.untrusted = true;
		transport_disconnect(t, tls_client_failure(t->tls));
	} else {
		t->state = TRANSPORT_HANDSHAKE;
		transport_watch_again(t);
		t->kind->ready(t);
	}
}

static void transport_on_event(uint32_t events, void *data)
{
	struct transport *t = data;

	if (t->state == TRANSPORT_SECURING) {
		secure(t);
		return;
	}
	if (events & EPOLLOUT)
		flush(t);
	if (t->state != TRANSPORT_CLOSED && (events & ~(uint32_t)EPOLLOUT))
		transport_receive(t);
}

void transport_opened(struct transport *t)
{
	t->state = TRANSPORT_OPEN;
	transport_flush_soon(t);
	t->handler->open(t->data);
}

int transport_watch(struct transport *t, enum transport_state state)
{
	t->state = state;
	return watch_new(t->loop, t->fd, state == TRANSPORT_SECURING ? EPOLLOUT : EPOLLIN, transport_on_event, t, &t->watch);
}

void transport_begin(struct transport *t, int fd, const struct request *request)
{
	int r;

	t->fd = fd;
	if (request->tls)
		t->tls = tls_client_new(fd, request);
	r = transport_watch(t, request->tls ? TRANSPORT_SECURING : TRANSPORT_HANDSHAKE);
	if (r < 0)
		transport_disconnect(t, strerror(-r));
	else if (!request->tls)
		t->kind->ready(t);
}

void transport_init(struct transport *t, const struct transport_kind *kind, struct loop *l, size_t limit,
		    const struct transport_handler *handler, void *data)
{
	*t = (struct transport){ .kind = kind, .loop = l, .fd = -1, .handler = handler, .data = data, .limit = limit };
	t->close_notice.run = run_close_notice;
	t->flush.run = run_flush;
	t->pause = timer_new(l, transport_on_pause_over, t);
}

struct transport *transport_free(struct transport *t)
{
	if (!t)
		return NULL;
	if (t->state == TRANSPORT_OPEN && !t->send_blocked)
		flush(t); /* last messages, such as the end of what was opened */
	transport_close_socket(t);
	loop_cancel_ready(t->loop, &t->close_notice);
	timer_free(t->pause);
	str_done(&t->out);
	str_done(&t->in);
	str_done(&t->message);
	free(t);
	return NULL;
}
