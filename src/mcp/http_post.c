#include <assert.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/http_parts.h"
#include "mcp/tasks.h"

/* A response that takes longer becomes a stream, whose comments prevent time-outs in proxies. */
#define JSON_WAIT USEC_PER_SEC

/* ---- inspecting the message to choose its handler ---- */

enum era { ERA_LEGACY, ERA_MODERN };

struct request_summary {
	enum era era;
	bool request, response, batch, initialize, answers_ping;
	unsigned calls;
	/* The browser session that a call of a tool names, and the task that a request is about, borrowed from the message; NULL: none. */
	const char *session, *task;
};

static bool is_modern_name(const char *name)
{
	const struct version *v = version_find(name);

	return name && (!v || v->modern);
}

/* The messages of a batch are not inspected: a batch belongs to a legacy session, and may hold no `initialize`. */
static bool answers_ping(const struct rpc_message *m)
{
	return m->kind == RPC_RESPONSE && m->id.key && starts_with(m->id.key, "\"" PING_ID);
}

static struct request_summary inspect(const struct mcp_http *h, const struct incoming *in, const char *header_version)
{
	const char *session_argument = h->server->style.session_argument;
	const struct rpc_message *m = in->batch ? &(const struct rpc_message){} : &in->messages[0].parsed;
	struct request_summary summary = { .batch = in->batch, .calls = in->batch ? (unsigned)in->count : 0 };
	const char *version = json_str(json_member(json_member(m->params, "_meta"), META_VERSION), NULL);

	summary.initialize = m->method && !strcmp(m->method, "initialize");
	summary.request = m->id.raw && m->kind != RPC_RESPONSE;
	summary.response = m->kind == RPC_RESPONSE;
	if (m->method && !strcmp(m->method, "tools/call")) {
		summary.calls = 1;
		if (session_argument)
			summary.session = json_str(json_member(json_member(m->params, "arguments"), session_argument), NULL);
	}
	if (m->method && task_is_method(m->method))
		summary.task = json_str(json_member(m->params, "taskId"), NULL);
	for (size_t i = 0; i < in->count; i++)
		summary.answers_ping |= answers_ping(&in->messages[i].parsed);
	if (is_modern_name(version) || (!summary.initialize && is_modern_name(header_version)))
		summary.era = ERA_MODERN;
	return summary;
}

/* ---- one POST ---- */

static void on_json_timeout(void *data)
{
	struct http_post *p = data;

	stream_begin(&p->stream);
}

/* Sends the complete response. A cancelled request has none: its stream just ends. */
static void answer_as_json(struct http_post *p)
{
	if (p->answer.len > 0)
		http_answer(stream_detach(&p->stream), p->status, TYPE_JSON, p->answer.data, p->answer.len);
	else if (!p->request)
		http_answer(stream_detach(&p->stream), 202, NULL, "", 0);
}

/* Runs when nothing more will be sent about the POST. */
static void post_done(struct ready *r)
{
	struct http_post *p = CONTAINER_OF(r, struct http_post, done_ready);
	struct mcp_http *h = p->http;

	if (stream_expecting(&p->stream))
		answer_as_json(p);
	stream_done(&p->stream);
	if (p->session) {
		p->session->posts--;
		session_update(p->session);
	} else {
		mcp_conn_free(p->conn);
	}
	TAILQ_REMOVE(&h->posts, p, link);
	h->post_count--;
	h->answered_count -= p->answered;
	timer_free(p->json_timer);
	str_done(&p->answer);
	free(p);
	http_drained(h);
}

static void hold(void *stream)
{
	((struct http_post *)stream)->refs++;
}

static void http_post_release(void *stream)
{
	struct http_post *p = stream;

	if (--p->refs == 0)
		loop_ready(p->http->server->loop, &p->done_ready);
}

/* The HTTP status of a JSON response. */
static int http_post_status_of(const struct mcp_outgoing *m)
{
	switch (m->code) {
	case RPC_PARSE_ERROR:
	case RPC_INVALID_REQUEST:
	case RPC_HEADER_MISMATCH:
	case RPC_MISSING_CAPABILITY:
	case RPC_UNSUPPORTED_VERSION:
		return 400;
	case RPC_OTHER_NODE:
		return 421;
	case RPC_FORBIDDEN:
		return 403;
	case RPC_INVALID_PARAMS:
		return m->version ? 200 : 400;
	case RPC_METHOD_NOT_FOUND:
		return m->version && m->version->modern ? 404 : 200;
	default:
		return 200;
	}
}

/* Ends the response, and with it the part of the client: the POST is what is left of the request until the call has ended. */
static void http_post_answered(void *stream)
{
	struct http_post *p = stream;

	p->answered = true;
	p->http->answered_count++;
	timer_set(p->json_timer, USEC_NEVER);
	if (stream_expecting(&p->stream))
		answer_as_json(p);
	else
		stream_close(&p->stream);
}

static void post_send(struct http_post *p, const struct mcp_outgoing *m)
{
	bool whole = !p->batch || p->refs == 1; /* for a batch: only if it was refused as a whole */
	struct http_exchange *x = stream_expecting(&p->stream);

	if (p->answered)
		return;
	if (x && m->answer && whole) {
		str_append_len(&p->answer, m->text, m->len);
		p->status = http_post_status_of(m);
		if (m->code == RPC_FORBIDDEN)
			auth_challenge_right(p->http, x);
		timer_set(p->json_timer, USEC_NEVER);
		return;
	}
	stream_begin(&p->stream);
	stream_send(&p->stream, m->text, m->len);
}

static void send_for_session(const struct mcp_outgoing *m, void *data)
{
	struct http_session *s = data;

	if (m->stream)
		post_send(m->stream, m);
	else
		stream_send(&s->stream, m->text, m->len);
}

static void send_for_post(const struct mcp_outgoing *m, void *data)
{
	post_send(data, m);
}

const struct mcp_transport http_session_transport = {
	.send = send_for_session,
	.hold = hold,
	.release = http_post_release,
	.admit = modern_admit,
};
const struct mcp_transport http_post_transport = {
	.send = send_for_post,
	.hold = hold,
	.release = http_post_release,
	.answered = http_post_answered,
	.admit = modern_admit,
	.modern = true,
};

static void http_post_ignore(void *data)
{
}

void post_cancel(struct http_post *p)
{
	mcp_conn_close(p->conn, http_post_ignore, NULL);
}

/* Cancels the POST unless it has a session, through which the client can fetch the response later. */
static void client_gone(struct http_stream *s)
{
	struct http_post *p = CONTAINER_OF(s, struct http_post, stream);

	if (!p->session)
		post_cancel(p);
}

static struct http_post *post_new(struct mcp_http *h, struct http_exchange *x, struct http_session *s,
				  const struct request_summary *summary)
{
	struct http_post *p = NEW(struct http_post);

	p->http = h;
	p->session = s;
	p->conn = s ? s->conn : mcp_conn_new(h->server, &http_post_transport, http_owner_of_request(h, x), p);
	p->request = summary->request;
	p->batch = summary->batch;
	p->refs = 1;
	p->done_ready.run = post_done;
	p->json_timer = timer_new(h->server->loop, on_json_timeout, p);
	timer_set(p->json_timer, clock_now() + JSON_WAIT);
	stream_init(&p->stream, h->server->loop, s, s ? s->last_stream++ : 0);
	p->stream.gone = client_gone;
	stream_expect(&p->stream, x);
	TAILQ_INSERT_TAIL(&h->posts, p, link);
	h->post_count++;
	if (s) {
		s->posts++;
		session_update(s);
	}
	return p;
}

static void http_post_receive(struct mcp_http *h, struct http_exchange *x, struct http_session *s,
			      const struct request_summary *summary, struct incoming *in)
{
	struct http_post *p = post_new(h, x, s, summary);

	conn_receive(p->conn, in, p, auth_rights(x));
	http_post_release(p);
}

/* Handles `initialize`: creates a session, and ends it again if the handshake fails. */
static void initialize_session(struct mcp_http *h, struct http_exchange *x, const struct request_summary *summary,
			       struct incoming *in)
{
	_cleanup_(str_done) struct str field = {};
	struct http_session *s;

	s = session_new(h, x, false);
	if (!s)
		return;
	str_appendf(&field, "Mcp-Session-Id: %s\r\n", s->id);
	http_post_receive(h, x, s, summary, in);
	if (s->conn->version)
		http_add_fields(x, field.data);
	else
		session_end(s, "the handshake failed");
}

/* The session of a request of a legacy version. NULL: there is none, which has been answered. */
static struct http_session *http_post_find_session(struct mcp_http *h, struct http_exchange *x)
{
	const char *id = http_field(x, "mcp-session-id");
	struct http_session *s = session_find(h, x, id);

	if (!id)
		http_refuse(x, 400, RPC_INVALID_REQUEST,
			    "Mcp-Session-Id is missing: send \"initialize\" first, or name the "
			    "protocol version in params._meta[\"%s\"]",
			    META_VERSION);
	else if (!s || s->old)
		session_refuse_unknown(h, x, id, "send \"initialize\" again");
	else
		return s;
	return NULL;
}

/* Whether a request without an MCP session is served while the server drains, or it does not. */
static bool admit_draining(struct mcp_http *h, struct http_exchange *x, const struct request_summary *summary)
{
	if (h->drains_until && mcp_task_find(h->server, http_owner_of_request(h, x).number, summary->task))
		return true;
	return guard_drain(h, x, summary->session);
}

static void route(struct mcp_http *h, struct http_exchange *x, const struct request_summary *summary, struct incoming *in)
{
	struct http_session *s = NULL;

	if (summary->era == ERA_LEGACY && summary->initialize) {
		initialize_session(h, x, summary, in);
		return;
	}
	if (summary->era == ERA_LEGACY) {
		s = http_post_find_session(h, x);
		if (!s)
			return;
		session_heard(s, summary->calls > 0, summary->answers_ping);
	}
	if (summary->era == ERA_MODERN && !admit_draining(h, x, summary))
		return;
	if (summary->era == ERA_MODERN && summary->response)
		http_refuse(x, 400, RPC_INVALID_REQUEST,
			    "Nothing waits for a response: send the request again with \"inputResponses\"");
	else if (guard_calls(h, s, x, summary->calls))
		http_post_receive(h, x, s, summary, in);
}

/* The only place that parses a body. */
static bool parse_body(struct http_exchange *x, const char *text, size_t len, struct incoming *ret)
{
	if (len == 0) {
		http_refuse(x, 400, RPC_PARSE_ERROR, "Parse error: the body is empty");
		return false;
	}
	incoming_parse(ret, text, len);
	return true;
}

void post_take(struct mcp_http *h, struct http_exchange *x)
{
	size_t len;
	const char *text = http_body(x, &len);

	post_take_text(h, x, text, len);
}

void post_take_text(struct mcp_http *h, struct http_exchange *x, const char *text, size_t len)
{
	_cleanup_(incoming_done) struct incoming in = {};
	struct request_summary summary;

	if (!parse_body(x, text, len, &in))
		return;
	summary = inspect(h, &in, http_field(x, "mcp-protocol-version"));
	route(h, x, &summary, &in);
}

void post_take_old(struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(incoming_done) struct incoming in = {};
	char id[MCP_SESSION_ID_SIZE] = "";
	struct http_session *s = http_query(x, "sessionId", id, sizeof(id)) ? session_find(h, x, id) : NULL;
	size_t len;
	const char *text = http_body(x, &len);

	if (!s || !s->old) {
		session_refuse_unknown(h, x, id, "GET /sse starts a new one");
		return;
	}
	if (!parse_body(x, text, len, &in) || !guard_calls(h, s, x, inspect(h, &in, NULL).calls))
		return;
	conn_receive(s->conn, &in, NULL, auth_rights(x)); /* before the response, with which the text is freed */
	http_answer(x, 202, NULL, "", 0);
}
