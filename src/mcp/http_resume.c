/*
 * MCP sessions that another server has saved: a request for a session that is not here waits while a task looks for it, and is handled
 * when the session has been made again, or was not found. Of a session this keeps who owns it, the version and the client's
 * capabilities, and the log level; tools add what they know. Subscriptions, questions to the client and events for a replay are lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "loop/failure_words.h"
#include "mcp/http_parts.h"

#define SESSION_OWNER "session:"
#define SUBJECT_OWNER "subject:"

struct waiting {
	TAILQ_ENTRY(waiting) link;
	struct http_exchange *x;
	void (*handle)(struct mcp_http *h, struct http_exchange *x); /* if it is no POST */
	struct str body;                                             /* of a POST; empty: it has none */
};

static void waiting_free(struct waiting *w)
{
	str_done(&w->body);
	free(w);
}

struct resumption {
	TAILQ_ENTRY(resumption) link;
	struct mcp_http *http;
	char id[MCP_SESSION_ID_SIZE];
	struct json *saved;
	struct task *task;
	TAILQ_HEAD(, waiting) requests;
};

/* ---- owners ---- */

bool mcp_http_owner_key(const struct mcp_http *h, uint64_t number, struct str *out)
{
	const struct http_subject *subject = http_subject_of(h, number);
	const struct http_session *s;

	if (number == 0) { /* clients without a token and without a session */
		str_append(out, "all");
		return true;
	}
	if (subject) {
		str_appendf(out, SUBJECT_OWNER "%s", http_subject_name(subject));
		return true;
	}
	TAILQ_FOREACH(s, &h->sessions, link)
		if (mcp_conn_owner(s->conn) == number) {
			str_appendf(out, SESSION_OWNER "%s", s->id);
			return true;
		}
	return false;
}

/* Whether the sender of a request may go on with the session of that owner. Without tokens, the id alone decides, as ever. */
static bool owns(const struct mcp_http *h, const struct http_exchange *x, const char *key)
{
	const char *subject = http_subject_of_request(h, x);

	if (!subject)
		return starts_with(key, SESSION_OWNER);
	return starts_with(key, SUBJECT_OWNER) && !strcmp(key + strlen(SUBJECT_OWNER), subject);
}

/* ---- saving ---- */

void mcp_http_each_session(struct mcp_http *h, void (*fn)(const char *id, struct mcp_conn *c, const char *members, void *data),
			   void *data)
{
	const struct http_subject *subject;
	struct http_session *s, *next;

	for (s = TAILQ_FIRST(&h->sessions); s; s = next) {
		_cleanup_(str_done) struct str members = {}, owner = {};

		next = TAILQ_NEXT(s, link);
		if (s->ended || s->old || !s->conn->version)
			continue;
		subject = http_subject_of(h, mcp_conn_owner(s->conn));
		if (!subject && mcp_conn_owner_lasts(s->conn)) /* it has been forgotten */
			continue;
		str_append(&owner, subject ? SUBJECT_OWNER : SESSION_OWNER);
		str_append(&owner, subject ? http_subject_name(subject) : s->id);
		str_json(&members, "owner: ?, version: ?, features: ?, logLevel: ?, calls: ?", owner.data, s->conn->version->name,
			 s->conn->features, (int)s->conn->log_level, s->calls_tools);
		fn(s->id, s->conn, members.data, data);
	}
}

bool mcp_http_has_session(const struct mcp_http *h, const char *id)
{
	const struct http_session *s = session_by_id(h, id);

	return s && !s->ended;
}

bool mcp_http_end_moved(struct mcp_http *h, const char *id)
{
	struct http_session *s = session_by_id(h, id);

	if (!s || s->ended)
		return false;
	s->conn->moved = true;
	session_end(s, "it has moved to another server");
	return true;
}

/* ---- going on ---- */

static struct mcp_owner owner_of_key(struct mcp_http *h, const char *key)
{
	return starts_with(key, SUBJECT_OWNER) ? http_owner_of_subject(h, key + strlen(SUBJECT_OWNER)) : http_owner_alone(h);
}

static void http_resume_adopt(struct mcp_http *h, const char *id, const struct json *saved)
{
	const struct version *version = version_find(json_text(saved, "version"));
	struct http_session *s;

	if (!version || version->modern || session_by_id(h, id))
		return;
	s = session_add(h, id, owner_of_key(h, json_text(saved, "owner")), false);
	s->resumed = true;
	s->calls_tools = json_bool(saved, "calls", false);
	s->conn->version = version;
	s->conn->features = (unsigned)json_num(saved, "features", 0);
	s->conn->log_level = (enum log_level)json_num(saved, "logLevel", LOG_WARNING);
	logging_update(s->conn);
	h->services->archive->resumed(s->conn, saved, h->services->archive->data);
	session_update(s);
	log_event("client_came", NULL, "client: ?, session: ?", mcp_conn_owner(s->conn), id);
}

static bool http_resume_is_awaited(const struct resumption *r)
{
	const struct waiting *w;

	TAILQ_FOREACH(w, &r->requests, link)
		if (owns(r->http, w->x, json_text(r->saved, "owner")))
			return true;
	return false;
}

/* 1: the session is this server's from now on. */
static int http_resume_find(struct task *t, void *data)
{
	struct resumption *r = data;
	const struct mcp_session_archive *archive = r->http->services->archive;
	int result;

	result = archive->find(t, r->id, &r->saved, archive->data);
	if (result <= 0 || !http_resume_is_awaited(r))
		return MIN(result, 0);
	if (r->http->session_count >= r->http->options->sessions)
		return task_fail(t, -ERR_MAX_SESSIONS_REACHED, "%u sessions are open, the limit of %s", r->http->session_count,
				 r->http->options->names.sessions);
	r->saved = json_free(r->saved);
	return archive->claim(t, r->id, &r->saved, archive->data);
}

static void http_resume_refuse(struct http_exchange *x, const char *why)
{
	http_add_fields(x, "Retry-After: 1\r\n");
	http_refuse(x, 503, RPC_INTERNAL_ERROR, "The session cannot go on here now: %s", why ? why : "the server is shutting down");
}

static void found(struct task *t, int result, void *data)
{
	struct resumption *r = data;
	struct mcp_http *h = r->http;
	struct waiting *w;

	if (result == 1)
		http_resume_adopt(h, r->id, r->saved);
	TAILQ_REMOVE(&h->resumptions, r, link);
	while ((w = TAILQ_FIRST(&r->requests))) {
		TAILQ_REMOVE(&r->requests, w, link);
		h->resuming--;
		if (result < 0 || h->closing)
			http_resume_refuse(w->x, failure_has_words(t, result) ? failure_words(t, result) : NULL);
		else if (!strcmp(http_method(w->x), "POST"))
			post_take_text(h, w->x, str_text(&w->body), w->body.len);
		else
			w->handle(h, w->x);
		waiting_free(w);
	}
	json_free(r->saved);
	free(r);
	http_drained(h);
}

static struct resumption *http_resume_begin(struct mcp_http *h, const char *id)
{
	struct resumption *r;

	TAILQ_FOREACH(r, &h->resumptions, link)
		if (!strcmp(r->id, id))
			return r;
	r = NEW(struct resumption);
	r->http = h;
	snprintf(r->id, sizeof(r->id), "%s", id);
	TAILQ_INIT(&r->requests);
	if (task_start(h->server->loop, "resume", http_resume_find, found, r, &r->task) < 0) {
		free(r);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&h->resumptions, r, link);
	return r;
}

bool resume_awaits(struct mcp_http *h, struct http_exchange *x, void (*handle)(struct mcp_http *h, struct http_exchange *x))
{
	const char *id = http_field(x, "mcp-session-id");
	char node[NODE_NAME_SIZE];
	struct resumption *r;
	struct waiting *w;
	const char *body;
	size_t len;

	if (!h->services->archive || h->closing || !id || strlen(id) >= MCP_SESSION_ID_SIZE || !node_of_id(id, node) ||
	    session_by_id(h, id))
		return false;
	r = http_resume_begin(h, id);
	if (!r)
		return false;
	w = NEW(struct waiting);
	w->x = x;
	w->handle = handle;
	body = http_body(x, &len);
	str_append_len(&w->body, body, len);
	TAILQ_INSERT_TAIL(&r->requests, w, link);
	h->resuming++;
	return true;
}

void resume_forget(struct mcp_http *h, const struct http_exchange *x)
{
	struct resumption *r;
	struct waiting *w;

	TAILQ_FOREACH(r, &h->resumptions, link)
		TAILQ_FOREACH(w, &r->requests, link)
			if (w->x == x) {
				TAILQ_REMOVE(&r->requests, w, link);
				h->resuming--;
				waiting_free(w);
				return;
			}
}

unsigned resume_waiting(const struct mcp_http *h, const char *user)
{
	const struct resumption *r;
	const struct waiting *w;
	unsigned count = 0;

	if (!user)
		return 0;
	TAILQ_FOREACH(r, &h->resumptions, link)
		TAILQ_FOREACH(w, &r->requests, link)
			count += http_user(w->x) && !strcmp(http_user(w->x), user);
	return count;
}

void resume_cancel_all(struct mcp_http *h)
{
	struct resumption *r;

	TAILQ_FOREACH(r, &h->resumptions, link)
		task_cancel(r->task, -ERR_SESSION_NOT_FOUND, "the server is shutting down");
}
