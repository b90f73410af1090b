#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/http_parts.h"

#define KEEP_ALIVE (15 * USEC_PER_SEC)
#define RETRY_MSEC 1000 /* delay after which a client should reconnect */

static void on_keep_alive(void *data)
{
	static const char comment[] = ": still here\n\n";
	struct http_stream *s = data;

	if (!s->x)
		return;
	http_stream_send(s->x, comment, sizeof(comment) - 1);
	timer_set(s->keep_alive, clock_now() + KEEP_ALIVE);
}

void stream_init(struct http_stream *s, struct loop *l, struct http_session *session, unsigned id)
{
	*s = (struct http_stream){ .session = session, .id = id };
	s->keep_alive = timer_new(l, on_keep_alive, s);
}

void stream_done(struct http_stream *s)
{
	stream_close(s);
	s->keep_alive = timer_free(s->keep_alive);
}

/* ---- events stored for replay ---- */

void stream_forget_oldest(struct http_session *s)
{
	struct http_event *e = TAILQ_FIRST(&s->events);

	TAILQ_REMOVE(&s->events, e, link);
	s->event_bytes -= e->len;
	s->owner->event_bytes -= e->len;
	s->http->event_bytes -= e->len;
	free(e);
}

static void forget_half(struct http_session *s)
{
	size_t half = s->event_bytes / 2;

	while (s->event_bytes > half)
		stream_forget_oldest(s);
}

/*
 * Forgets the older half of what is stored for each session of an owner, or for NULL of all, that has at least half of the average.
 * Together these have at least half of it all, so a quarter has to come before the sessions are gone through again.
 */
static void forget_older(struct mcp_http *h, const struct http_owner *owner, size_t average)
{
	struct http_session *s;

	TAILQ_FOREACH(s, &h->sessions, link)
		if ((!owner || s->owner == owner) && s->event_bytes >= average / 2)
			forget_half(s);
}

static void enforce_limits(struct mcp_http *h, const struct http_owner *owner)
{
	if (owner->event_bytes > LIMIT_HTTP_REPLAY_OWNER)
		forget_older(h, owner, owner->event_bytes / owner->sessions);
	if (h->event_bytes > LIMIT_HTTP_REPLAY_ALL)
		forget_older(h, NULL, h->event_bytes / h->session_count);
}

static void store_for_replay(struct http_stream *s, const struct str *text)
{
	struct http_session *session = s->session;
	struct http_event *e;

	if (!session || session->old || text->len > LIMIT_HTTP_REPLAY)
		return;
	while (session->event_bytes + text->len > LIMIT_HTTP_REPLAY)
		stream_forget_oldest(session);
	e = must(malloc(sizeof(*e) + text->len));
	e->stream = s->id;
	e->number = s->last_event;
	e->len = text->len;
	memcpy(e->text, text->data, text->len);
	TAILQ_INSERT_TAIL(&session->events, e, link);
	session->event_bytes += text->len;
	session->owner->event_bytes += text->len;
	session->http->event_bytes += text->len;
	enforce_limits(session->http, session->owner);
}

static void replay(struct http_stream *s, unsigned after)
{
	struct http_event *e;

	TAILQ_FOREACH(e, &s->session->events, link)
		if (e->stream == s->id && e->number > after)
			http_stream_send(s->x, e->text, e->len);
}

/* ---- the text of events ---- */

static void append_event(struct http_stream *s, const char *event, const char *data, size_t len, struct str *out)
{
	str_reserve(out, len + 96);
	str_appendf(out, "event: %s\n", event);
	if (s->session && !s->session->old && s->last_event > 0)
		str_appendf(out, "id: %u-%u\n", s->id, s->last_event);
	str_append(out, "data: ");
	str_append_len(out, data, len);
	str_append(out, "\n\n");
}

/*
 * Sends an event id before the first message, so that the client can resume. Older clients reject an event without
 * data.
 */
static void send_priming_event(struct http_stream *s)
{
	_cleanup_(str_done) struct str out = {};

	if (!s->session || s->session->old || !s->session->conn->version || !s->session->conn->version->priming)
		return;
	s->last_event++;
	str_appendf(&out, "id: %u-%u\nretry: %d\ndata: \n\n", s->id, s->last_event, RETRY_MSEC);
	http_stream_send(s->x, out.data, out.len);
}

/* ---- the exchange that carries the stream ---- */

static void http_stream_attach(struct http_stream *s, struct http_exchange *x)
{
	assert(!s->x && !http_data(x));
	s->x = x;
	http_set_data(x, s);
}

struct http_exchange *stream_detach(struct http_stream *s)
{
	struct http_exchange *x = TAKE_PTR(s->x);

	timer_set(s->keep_alive, USEC_NEVER);
	if (x)
		http_set_data(x, NULL);
	return x;
}

void stream_reader_gone(struct http_exchange *x)
{
	struct http_stream *s = http_data(x);

	if (!s)
		return;
	stream_detach(s);
	s->gone(s);
}

void stream_expect(struct http_stream *s, struct http_exchange *x)
{
	assert(!s->open);
	http_stream_attach(s, x);
}

struct http_exchange *stream_expecting(const struct http_stream *s)
{
	return s->open ? NULL : s->x;
}

/* Starts the response. */
static void http_stream_begin_events(struct http_stream *s)
{
	s->open = true;
	http_add_fields(s->x, "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n");
	http_stream_begin(s->x, TYPE_EVENTS);
	timer_set(s->keep_alive, clock_now() + KEEP_ALIVE);
}

void stream_begin(struct http_stream *s)
{
	if (!stream_expecting(s))
		return;
	http_stream_begin_events(s);
	send_priming_event(s);
}

void stream_open(struct http_stream *s, struct http_exchange *x)
{
	stream_close(s);
	http_stream_attach(s, x);
	http_stream_begin_events(s);
	send_priming_event(s);
}

void stream_resume(struct http_stream *s, struct http_exchange *x, unsigned after)
{
	stream_close(s);
	http_stream_attach(s, x);
	http_stream_begin_events(s);
	replay(s, after);
}

void stream_close(struct http_stream *s)
{
	struct http_exchange *x;

	stream_begin(s); /* an exchange that still waits gets an empty stream */
	x = stream_detach(s);
	if (x)
		http_stream_end(x);
}

/* ---- events ---- */

void stream_send(struct http_stream *s, const char *text, size_t len)
{
	_cleanup_(str_done) struct str out = {};

	if (!s->open) /* the stream was never opened */
		return;
	s->last_event++;
	append_event(s, "message", text, len, &out);
	store_for_replay(s, &out);
	if (s->x)
		http_stream_send(s->x, out.data, out.len);
}

void stream_send_plain(struct http_stream *s, const char *event, const char *data, size_t len)
{
	_cleanup_(str_done) struct str out = {};

	append_event(s, event, data, len, &out);
	http_stream_send(s->x, out.data, out.len);
}
