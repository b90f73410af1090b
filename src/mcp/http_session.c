#include <assert.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "mcp/http_parts.h"

#define PING_PERIOD (3 * USEC_PER_SEC) /* from an answer to the next ping */

static int http_session_compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void session_free(struct ready *r)
{
	struct http_session *s = CONTAINER_OF(r, struct http_session, free_ready);
	struct mcp_http *h = s->http;

	assert(s->posts == 0);
	mcp_conn_free(s->conn);
	stream_done(&s->stream);
	timer_free(s->idle);
	timer_free(s->ping);
	while (!TAILQ_EMPTY(&s->events))
		stream_forget_oldest(s);
	http_owner_leave(h, s->owner);
	tdelete(s->id, &h->sessions_by_id, http_session_compare_ids);
	TAILQ_REMOVE(&h->sessions, s, link);
	h->session_count--;
	free(s);
	http_drained(h);
}

/*
 * Frees the session after its last call has returned. POSTs that waited for that call are queued before this and have
 * been freed.
 */
static void http_session_on_drained(void *data)
{
	struct http_session *s = data;

	loop_ready(s->http->server->loop, &s->free_ready);
}

/* Ends a session whose client was lost without DELETE. */
static void end_abandoned(struct http_session *s, const char *why)
{
	mcp_conn_leave_behind(s->conn);
	session_end(s, why);
}

static void http_session_on_idle(void *data)
{
	end_abandoned(data, "it was idle");
}

/* ---- pings ---- */

/* They begin when the client has called a tool and has opened its stream, in which they can reach it. */
static void begin_pings(struct http_session *s)
{
	if (s->http->options->ping_timeout > 0 && s->calls_tools && s->stream.open && s->pings == 0 && !s->ended && !s->old)
		timer_set(s->ping, clock_now());
}

static void send_ping(struct http_session *s)
{
	_cleanup_(str_done) struct str text = {}, id = {};

	str_appendf(&id, PING_ID "%u", ++s->pings);
	str_json(&text, "{jsonrpc: '2.0', id: ?, method: 'ping'}", id.data);
	stream_send(&s->stream, text.data, text.len);
}

static void on_ping(void *data)
{
	struct http_session *s = data;

	if (s->awaits_answer) {
		end_abandoned(s, "it did not answer a ping");
		return;
	}
	s->awaits_answer = true;
	timer_set(s->ping, clock_now() + s->http->options->ping_timeout);
	send_ping(s);
}

void session_heard(struct http_session *s, bool calls, bool answers_ping)
{
	s->calls_tools |= calls;
	begin_pings(s);
	if (!answers_ping || !s->awaits_answer || s->ended)
		return;
	s->awaits_answer = false;
	timer_set(s->ping, clock_now() + PING_PERIOD);
}

/* What has been sent while there was no reader may be lost. */
static void stream_opened(struct http_session *s)
{
	if (s->awaits_answer)
		send_ping(s);
	begin_pings(s);
}

/* ---- */

static void reader_gone(struct http_stream *stream)
{
	struct http_session *s = CONTAINER_OF(stream, struct http_session, stream);

	if (s->old)
		end_abandoned(s, "its stream was closed");
	session_update(s);
}

static void make_id(const struct mcp_http *h, char id[MCP_SESSION_ID_SIZE])
{
	char random[RANDOM_NAME_SIZE];

	random_name(random);
	node_make_id(h->options->node, random, id, MCP_SESSION_ID_SIZE);
}

struct http_session *session_add(struct mcp_http *h, const char *id, struct mcp_owner owner, bool old)
{
	struct http_session *s = NEW(struct http_session);

	s->http = h;
	s->old = old;
	if (id)
		snprintf(s->id, sizeof(s->id), "%s", id);
	else
		make_id(h, s->id);
	s->conn = mcp_conn_new(h->server, h->session_transport, owner, s);
	s->owner = http_owner_enter(h, mcp_conn_owner(s->conn));
	s->idle = timer_new(h->server->loop, http_session_on_idle, s);
	s->ping = timer_new(h->server->loop, on_ping, s);
	s->free_ready.run = session_free;
	log_lifecycle("create %s session", old ? "SSE" : "http");
	TAILQ_INIT(&s->events);
	stream_init(&s->stream, h->server->loop, s, s->last_stream++);
	s->stream.gone = reader_gone;
	TAILQ_INSERT_TAIL(&h->sessions, s, link);
	must(tsearch(s->id, &h->sessions_by_id, http_session_compare_ids));
	h->session_count++;
	return s;
}

struct http_session *session_new(struct mcp_http *h, struct http_exchange *x, bool old)
{
	struct http_session *s;

	if (!guard_new_session(h, x))
		return NULL;
	s = session_add(h, NULL, http_owner_of_session(h, x), old);
	log_event("client_came", NULL, "client: ?, address: ?", mcp_conn_owner(s->conn), http_peer(x));
	return s;
}

struct http_session *session_by_id(const struct mcp_http *h, const char *id)
{
	char *const *found = tfind(id, &h->sessions_by_id, http_session_compare_ids);

	return found ? CONTAINER_OF(*found, struct http_session, id) : NULL;
}

struct http_session *session_find(struct mcp_http *h, const struct http_exchange *x, const char *id)
{
	struct http_session *s = id ? session_by_id(h, id) : NULL;

	return s && !s->ended && http_owns(h, x, s) ? s : NULL;
}

void session_refuse_unknown(struct mcp_http *h, struct http_exchange *x, const char *id, const char *advice)
{
	const char *own = h->options->node;
	char node[NODE_NAME_SIZE];

	if (node_is_other(own, id, node))
		http_refuse(x, 404, RPC_INVALID_REQUEST,
			    SESSION_NOT_FOUND ": it is on the node \"%s\", which is gone or out of reach, and this is \"%s\", %s",
			    node, own, advice);
	else
		http_refuse(x, 404, RPC_INVALID_REQUEST, SESSION_NOT_FOUND ": it does not exist or has ended%s%s",
			    *advice ? ", " : "", advice);
}

void session_end(struct http_session *s, const char *why)
{
	if (s->ended)
		return;
	log_event("client_gone", NULL, "client: ?, reason: ?", mcp_conn_owner(s->conn), why);
	if (!s->http->closing)
		log_lifecycle("delete %s session", s->old ? "SSE" : "http");
	s->ended = true;
	timer_set(s->idle, USEC_NEVER);
	timer_set(s->ping, USEC_NEVER);
	stream_close(&s->stream);
	mcp_conn_close(s->conn, http_session_on_drained, s);
}

void session_update(struct http_session *s)
{
	bool idle = !s->ended && s->posts == 0 && !s->stream.x;

	timer_set(s->idle, idle ? clock_now() + s->http->options->session_timeout : USEC_NEVER);
}

void session_open_old(struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(str_done) struct str address = {};
	struct http_session *s;

	if (!guard_accepts_events(x))
		return;
	s = session_new(h, x, true);
	if (!s)
		return;
	stream_open(&s->stream, x);
	str_appendf(&address, "%s?sessionId=%s", h->options->any_path ? "/sse" : "/message", s->id);
	stream_send_plain(&s->stream, "endpoint", address.data, address.len);
}

/* Replays the rest of a stream whose POST has been answered completely. */
static void replay_finished(struct http_session *s, struct http_exchange *x, unsigned id, unsigned after)
{
	struct http_stream stream;

	stream_init(&stream, s->http->server->loop, s, id);
	stream_resume(&stream, x, after);
	stream_done(&stream);
}

static void refuse_event(struct http_exchange *x)
{
	http_refuse(x, 400, RPC_INVALID_REQUEST,
		    "Last-Event-ID is not an event of this session: leave it out to listen from now on");
}

static void http_session_resume(struct http_session *s, struct http_exchange *x, const char *last_event)
{
	unsigned id, event;
	struct http_post *p;
	char rest;

	if (s->resumed && !s->stream.x) { /* its earlier events were sent by another server */
		stream_open(&s->stream, x);
		return;
	}
	if (sscanf(last_event, "%9u-%9u%c", &id, &event, &rest) != 2 || id >= s->last_stream) {
		refuse_event(x);
		return;
	}
	p = post_find(s, id);
	if (id == s->stream.id)
		stream_resume(&s->stream, x, event);
	else if (p && !p->stream.open)
		refuse_event(x); /* no event of that stream was ever sent */
	else if (p)
		stream_resume(&p->stream, x, event);
	else
		replay_finished(s, x, id, event);
}

void session_get(struct http_session *s, struct http_exchange *x)
{
	const char *last_event = http_field(x, "last-event-id");

	if (last_event && *last_event)
		http_session_resume(s, x, last_event);
	else if (s->stream.x)
		http_refuse(x, 409, RPC_INVALID_REQUEST, "This session's stream is open already: close that one first");
	else
		stream_open(&s->stream, x);
	if (s->stream.x == x)
		stream_opened(s);
	session_update(s);
}
