#include "engine/cdp/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/connection.h"
#include "engine/events.h"
#include "loop/channel.h"
#include "loop/ws.h"

static const struct cdp_event *find_event(const struct cdp_event *table, const char *method, size_t len)
{
	const struct cdp_event *found = NULL;

	for (const struct cdp_event *e = table; !found && e && (e->method || e->rows); e++)
		if (e->rows)
			found = find_event(e->rows, method, len);
		else if (strncmp(e->method, method, len) == 0 && strlen(e->method) == len)
			found = e;
	return found;
}

/* `s`: the session that the reply is of; NULL: it has been freed. */
static void cdp_on_reply(struct cdp *c, struct engine_target *s, int id, const char *text, size_t len)
{
	struct engine_call *call = s ? cdp_session_find_call(s, id) : NULL;
	struct json *reply;
	int r;

	if (c->first_call && id == c->first_call) {
		c->first_call = 0;
		c->handler->open(c->data);
	}
	if (s && id >= s->unanswered)
		s->unanswered = 0;
	if (!call)
		call = cdp_session_find_call(c->root, id); /* of engine_outlive() */
	if (!call)
		return;
	call->length = len;
	if (call->charged && call->target->meter)
		call->target->meter->moved(call->target->meter, len);
	r = call->max_reply && len > call->max_reply ? -EMSGSIZE :
						       json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &reply);
	if (r < 0)
		cdp_call_complete(call, r == -EMSGSIZE ? r : -EPROTO, NULL);
	else
		cdp_call_complete(call, json_get(reply, "error") ? -EREMOTE : 0, reply);
}

/* How much an event costs depends on the time that it takes the browser's process. */
static double cost_of(const char *method, size_t method_len, size_t bytes)
{
	static const struct {
		const char *method;
		double cost;
	} rows[] = {
		{ "Page.frameAttached", 40 },
		{ "Page.navigatedWithinDocument", 40 },
		{ "Page.screencastFrame", 0 }, /* a picture that was asked for; the next one comes when it was acknowledged */
		{ "Network.dataReceived", 0.25 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strlen(rows[i].method) == method_len && memcmp(rows[i].method, method, method_len) == 0)
			return rows[i].cost;
	return 1 + (double)bytes / LIMIT_PAGE_EVENT_BYTES;
}

/* The handler may free `s`, but not the connection. */
static void cdp_on_event(struct engine_target *s, const char *method, size_t method_len, const char *text, size_t len)
{
	const struct cdp_event *e = find_event(s->events, method, method_len);
	_cleanup_(json_freep) struct json *message = NULL;
	struct cdp *c = s->connection;
	int r = 0;

	if (s->meter)
		s->meter->event(s->meter, s, cost_of(method, method_len, len));
	if (!e)
		return;
	if (len > (e->longest ? e->longest : LIMIT_CDP_EVENT))
		r = -EMSGSIZE;
	else if (!e->unread && !e->raw)
		r = json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message);
	if (r < 0) {
		log_warning("dropped a %s event that cannot be parsed: %s", e->method, strerror(-r));
		return;
	}
	c->charged = s->meter;
	if (e->raw)
		e->raw(s, text, len, s->data);
	else
		e->fn(s, json_get(message, "params"), s->data);
	c->charged = NULL;
}

const char *cdp_raw_string(const char *text, size_t len, const char *path, size_t *ret_len)
{
	const char *raw = json_raw(text, len, path, ret_len);

	if (!raw || *ret_len < 2 || *raw != '"')
		return NULL;
	*ret_len -= 2;
	return raw + 1;
}

/*
 * The session id of a message. Chromium writes it as the last member, so it is read from the end: a message may have
 * megabytes. A string without quotes and backslashes at the end, preceded by a comma and that name, must be the last member.
 */
static const char *session_of(const char *text, size_t len, size_t *ret_len)
{
	static const char name[] = ",\"sessionId\":\"", end[] = "\"}";
	size_t tail = MIN(len, sizeof(name) + ENGINE_ID_SIZE + sizeof(end));
	const char *at = memmem(text + len - tail, tail, name, strlen(name)), *id = at ? at + strlen(name) : NULL;

	if (!id || id + strlen(end) > text + len || memcmp(text + len - strlen(end), end, strlen(end)) != 0)
		return cdp_raw_string(text, len, "sessionId", ret_len);
	*ret_len = (size_t)(text + len - strlen(end) - id);
	return memchr(id, '"', *ret_len) || memchr(id, '\\', *ret_len) ? cdp_raw_string(text, len, "sessionId", ret_len) : id;
}

/* The method of an event when it is the first member, where Chromium writes it; else NULL. */
static const char *method_of(const char *text, size_t len, size_t *ret_len)
{
	static const char start[] = "{\"method\":\"";
	const char *method = text + strlen(start), *end;

	if (len < strlen(start) || memcmp(text, start, strlen(start)) != 0)
		return NULL;
	end = memchr(method, '"', len - strlen(start));
	*ret_len = end ? (size_t)(end - method) : 0;
	return end ? method : NULL;
}

/* The id of a reply. A value that is not an id of a pending call matches no call and is ignored. */
static int cdp_id_of(const char *raw, size_t len)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%.*s", (int)MIN(len, sizeof(digits) - 1), raw);
	return (int)strtol(digits, NULL, 10);
}

void cdp_receive(struct cdp *c, const char *text, size_t len)
{
	size_t id_len = 0, session_len = 0, method_len = 0;
	const char *session_id = session_of(text, len, &session_len);
	struct engine_target *s = cdp_find_session(c, session_id ? session_id : "", session_id ? session_len : 0);
	const char *method, *id;

	method = method_of(text, len, &method_len);
	id = method ? NULL : json_raw(text, len, "id", &id_len); /* comes first in a reply */
	if (id) {
		cdp_on_reply(c, s, cdp_id_of(id, id_len), text, len);
		return;
	}
	if (!s)
		return;
	if (!method)
		method = cdp_raw_string(text, len, "method", &method_len);
	if (method)
		cdp_on_event(s, method, method_len, text, len);
}

static void cdp_on_message(char *text, size_t len, void *data)
{
	struct cdp *c = data;

	engine_count_received(len);
	transport_throttle(c->transport, c->waiting == 0);
	cdp_receive(data, text, len);
}

static void on_oversize(const char *head, size_t head_len, void *data)
{
	struct cdp *c = data;
	struct engine_target *s;
	struct engine_call *call;
	int id;

	log_warning("skipped a message of the browser that exceeds %u bytes: %.100s...", LIMIT_CDP_MESSAGE, head);
	if (sscanf(head, "{\"id\":%d,", &id) != 1)
		return;
	TAILQ_FOREACH(s, &c->sessions, link) {
		call = cdp_session_find_call(s, id);
		if (call) {
			call->length = (size_t)LIMIT_CDP_MESSAGE + 1;
			cdp_call_complete(call, -EMSGSIZE, NULL);
			return;
		}
	}
}

/* A browser is what answers; a WebSocket alone may be anything. */
static void ask_first(struct cdp *c)
{
	cdp_post(c->root, "Browser.getVersion", "{}");
	c->first_call = c->last_id;
}

static void cdp_on_open(void *data)
{
	struct cdp *c = data;

	if (c->handler->connected)
		c->handler->connected(c->data);
	ask_first(c);
}

static void cdp_on_closed(const char *reason, void *data)
{
	struct cdp *c = data;
	struct engine_target *s;

	TAILQ_FOREACH(s, &c->sessions, link)
		cdp_session_fail_calls(s, -ENOTCONN);
	c->handler->closed(reason, c->data);
}

static const struct transport_handler transport_handler = {
	.open = cdp_on_open,
	.message = cdp_on_message,
	.oversize = on_oversize,
	.closed = cdp_on_closed,
};

static struct cdp *cdp_new(const struct cdp_handler *handler, void *data)
{
	struct cdp *c = NEW(struct cdp);

	*c = (struct cdp){ .handler = handler, .data = data };
	TAILQ_INIT(&c->sessions);
	c->root = cdp_session_add(c, "", NULL, NULL);
	return c;
}

int cdp_connect(struct loop *l, int fd, const struct request *request, const struct cdp_handler *handler, void *data,
		struct cdp **ret)
{
	_cleanup_(cdp_freep) struct cdp *c = cdp_new(handler, data);
	int r;

	r = ws_open(l, fd, request, LIMIT_CDP_MESSAGE, &transport_handler, c, &c->transport);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(c);
	return 0;
}

int cdp_attach(struct loop *l, int fd, const struct cdp_handler *handler, void *data, struct cdp **ret)
{
	_cleanup_(cdp_freep) struct cdp *c = cdp_new(handler, data);
	int r;

	r = channel_open(l, fd, LIMIT_CDP_MESSAGE, &transport_handler, c, &c->transport);
	if (r < 0)
		return r;
	ask_first(c);
	*ret = TAKE_PTR(c);
	return 0;
}

const struct refusal *cdp_refusal(const struct cdp *c)
{
	return transport_refusal(c->transport);
}

struct cdp *cdp_free(struct cdp *c)
{
	struct engine_target *s;

	if (!c)
		return NULL;
	transport_free(c->transport);
	TAILQ_FOREACH(s, &c->sessions, link)
		cdp_session_fail_calls(s, -ENOTCONN);
	engine_target_free(c->root);
	while ((s = TAILQ_FIRST(&c->sessions))) /* the remaining sessions are owned by pages */
		cdp_session_remove(s);
	free(c);
	return NULL;
}

struct engine_target *cdp_root(struct cdp *c)
{
	return c->root;
}
