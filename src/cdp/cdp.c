#include "cdp/cdp.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/share.h"
#include "loop/channel.h"
#include "loop/patience.h"
#include "loop/ws.h"

/*
 * Reading is throttled during bursts of events while no call awaits a reply, because a wake-up for each event costs more than
 * processing it. Each event adds EVENT_USEC to a budget of time. When the budget is ahead of the clock by more than a
 * threshold, the connection pauses briefly after each read (all in microseconds).
 */
#define EVENT_USEC USEC_PER_MSEC
#define BURST_USEC (32 * EVENT_USEC)
#define REST_USEC (4 * USEC_PER_MSEC)

struct cdp_session {
	TAILQ_ENTRY(cdp_session) link;
	struct cdp *connection;
	size_t id_len;
	char id[CDP_ID_SIZE]; /* "" for the browser target */
	const struct cdp_event *events;
	void *data;
	struct cdp_meter *meter;    /* NULL: none */
	struct cdp_backlog backlog; /* without a meter */
	bool lost;                  /* a message was not sent, and nothing is any more */
	int unanswered;             /* id of a call that the page had no reply to in time, until it or a later one has; 0: none */
	TAILQ_HEAD(, cdp_call) calls;
};

struct cdp {
	struct transport *transport;
	const struct cdp_handler *handler;
	void *data;
	int last_id;
	int first_call;   /* id of the first call, whose reply shows that the browser is ready; 0 when no such reply is awaited */
	unsigned waiting; /* calls that await a reply */
	usec_t budget_until; /* the time until which the events so far have used up their budget */
	TAILQ_HEAD(, cdp_session) sessions;
	unsigned session_count;
	void *by_id; /* the same sessions as a tree of tsearch(3) */
	struct cdp_session *root;
	struct cdp_meter *charged; /* on whose account messages are sent now; NULL: on none */
};

static void add_call(struct cdp_session *s, struct cdp_call *call)
{
	call->session = s;
	TAILQ_INSERT_TAIL(&s->calls, call, link);
	s->connection->waiting++;
}

static void remove_call(struct cdp_call *call)
{
	TAILQ_REMOVE(&call->session->calls, call, link);
	call->session->connection->waiting--;
	call->session = NULL;
}

/* Completes `call` and wakes its task; the owner frees it. */
static void complete(struct cdp_call *call, int result, struct json *reply)
{
	static uint64_t answers;

	remove_call(call);
	call->answered = ++answers;
	call->result = result;
	call->reply = reply;
	if (call->task)
		task_wake(call->task);
	else
		call->replied(call, call->data);
}

static void fail_calls(struct cdp_session *s, int result)
{
	struct cdp_call *call;

	while ((call = TAILQ_FIRST(&s->calls)))
		complete(call, result, NULL);
}

bool cdp_id_is_valid(const char *id)
{
	size_t len = id ? strnlen(id, CDP_ID_SIZE) : 0;

	for (size_t i = 0; i < len; i++)
		if (id[i] <= ' ' || id[i] > '~' || id[i] == '"' || id[i] == '\\')
			return false;
	return len > 0 && len < CDP_ID_SIZE;
}

static int compare_sessions(const void *a, const void *b)
{
	const struct cdp_session *s = a, *t = b;

	return s->id_len != t->id_len ? (s->id_len < t->id_len ? -1 : 1) : memcmp(s->id, t->id, s->id_len);
}

/* Each message of the browser looks one up, and pages can make as many as there may be by their workers and frames. */
static struct cdp_session *find_session(struct cdp *c, const char *id, size_t len)
{
	struct cdp_session wanted = { .id_len = len };
	struct cdp_session **found;

	if (len == 0)
		return c->root;
	if (len >= CDP_ID_SIZE)
		return NULL;
	memcpy(wanted.id, id, len);
	found = tfind(&wanted, &c->by_id, compare_sessions);
	return found ? *found : NULL;
}

static struct cdp_call *find_call(struct cdp_session *s, int id)
{
	struct cdp_call *call;

	TAILQ_FOREACH(call, &s->calls, link)
		if (call->id == id)
			return call;
	return NULL;
}

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
static void on_reply(struct cdp *c, struct cdp_session *s, int id, const char *text, size_t len)
{
	struct cdp_call *call = s ? find_call(s, id) : NULL;
	struct json *reply;
	int r;

	if (c->first_call && id == c->first_call) {
		c->first_call = 0;
		c->handler->open(c->data);
	}
	if (s && id >= s->unanswered)
		s->unanswered = 0;
	if (!call)
		call = find_call(c->root, id); /* of cdp_request_outlive() */
	if (!call)
		return;
	call->length = len;
	if (call->charged && call->session->meter)
		call->session->meter->moved(call->session->meter, len);
	r = call->max_reply && len > call->max_reply ? -EMSGSIZE :
						       json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &reply);
	if (r < 0)
		complete(call, r == -EMSGSIZE ? r : -EPROTO, NULL);
	else
		complete(call, json_get(reply, "error") ? -EREMOTE : 0, reply);
}

/* The handler may free `s`, but not the connection. */
static void on_event(struct cdp_session *s, const char *method, size_t method_len, const char *text, size_t len)
{
	const struct cdp_event *e = find_event(s->events, method, method_len);
	_cleanup_(json_freep) struct json *message = NULL;
	struct cdp *c = s->connection;
	int r = 0;

	if (s->meter)
		s->meter->event(s->meter, s, method, method_len, len);
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

/* The bytes of a JSON string without the quotes; ids and method names contain no escapes. */
static const char *raw_string(const char *text, size_t len, const char *path, size_t *ret_len)
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
	size_t tail = MIN(len, sizeof(name) + CDP_ID_SIZE + sizeof(end));
	const char *at = memmem(text + len - tail, tail, name, strlen(name)), *id = at ? at + strlen(name) : NULL;

	if (!id || id + strlen(end) > text + len || memcmp(text + len - strlen(end), end, strlen(end)) != 0)
		return raw_string(text, len, "sessionId", ret_len);
	*ret_len = (size_t)(text + len - strlen(end) - id);
	return memchr(id, '"', *ret_len) || memchr(id, '\\', *ret_len) ? raw_string(text, len, "sessionId", ret_len) : id;
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
static int id_of(const char *raw, size_t len)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%.*s", (int)MIN(len, sizeof(digits) - 1), raw);
	return (int)strtol(digits, NULL, 10);
}

void cdp_receive(struct cdp *c, const char *text, size_t len)
{
	size_t id_len = 0, session_len = 0, method_len = 0;
	const char *session_id = session_of(text, len, &session_len);
	struct cdp_session *s = find_session(c, session_id ? session_id : "", session_id ? session_len : 0);
	const char *method, *id;

	method = method_of(text, len, &method_len);
	id = method ? NULL : json_raw(text, len, "id", &id_len); /* comes first in a reply */
	if (id) {
		on_reply(c, s, id_of(id, id_len), text, len);
		return;
	}
	if (!s)
		return;
	if (!method)
		method = raw_string(text, len, "method", &method_len);
	if (method)
		on_event(s, method, method_len, text, len);
}

static struct cdp_traffic traffic;

const struct cdp_traffic *cdp_traffic(void)
{
	return &traffic;
}

static void rest_in_bursts(struct cdp *c)
{
	usec_t now = clock_now(), ahead = c->budget_until > now ? c->budget_until - now : 0;

	ahead = MIN(ahead + EVENT_USEC, BURST_USEC);
	c->budget_until = now + ahead;
	if (ahead == BURST_USEC && c->waiting == 0)
		transport_pause(c->transport, REST_USEC);
}

static void on_message(char *text, size_t len, void *data)
{
	traffic.received++;
	traffic.bytes_received += len;
	rest_in_bursts(data);
	cdp_receive(data, text, len);
}

static void on_oversize(const char *head, size_t head_len, void *data)
{
	struct cdp *c = data;
	struct cdp_session *s;
	struct cdp_call *call;
	int id;

	log_warning("skipped a message of the browser that exceeds %u bytes: %.100s...", LIMIT_CDP_MESSAGE, head);
	if (sscanf(head, "{\"id\":%d,", &id) != 1)
		return;
	TAILQ_FOREACH(s, &c->sessions, link) {
		call = find_call(s, id);
		if (call) {
			call->length = (size_t)LIMIT_CDP_MESSAGE + 1;
			complete(call, -EMSGSIZE, NULL);
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

static void on_open(void *data)
{
	struct cdp *c = data;

	if (c->handler->connected)
		c->handler->connected(c->data);
	ask_first(c);
}

static void on_closed(const char *reason, void *data)
{
	struct cdp *c = data;
	struct cdp_session *s;

	TAILQ_FOREACH(s, &c->sessions, link)
		fail_calls(s, -ENOTCONN);
	c->handler->closed(reason, c->data);
}

static const struct transport_handler transport_handler = {
	.open = on_open,
	.message = on_message,
	.oversize = on_oversize,
	.closed = on_closed,
};

static struct cdp_session *add_session(struct cdp *c, const char *id, const struct cdp_event *events, void *data)
{
	struct cdp_session *s = NEW(struct cdp_session);

	*s = (struct cdp_session){ .connection = c, .events = events, .data = data, .id_len = strlen(id) };
	memcpy(s->id, id, s->id_len + 1);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&c->sessions, s, link);
	must(tsearch(s, &c->by_id, compare_sessions));
	c->session_count++;
	return s;
}

static void remove_session(struct cdp_session *s)
{
	struct cdp *c = s->connection;

	if (c->charged == s->meter) /* which may end with the session */
		c->charged = NULL;
	TAILQ_REMOVE(&c->sessions, s, link);
	tdelete(s, &c->by_id, compare_sessions);
	c->session_count--;
	s->connection = NULL;
}

static struct cdp *cdp_new(const struct cdp_handler *handler, void *data)
{
	struct cdp *c = NEW(struct cdp);

	*c = (struct cdp){ .handler = handler, .data = data };
	TAILQ_INIT(&c->sessions);
	c->root = add_session(c, "", NULL, NULL);
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
	struct cdp_session *s;

	if (!c)
		return NULL;
	transport_free(c->transport);
	TAILQ_FOREACH(s, &c->sessions, link)
		fail_calls(s, -ENOTCONN);
	cdp_session_free(c->root);
	while ((s = TAILQ_FIRST(&c->sessions))) /* the remaining sessions are owned by pages */
		remove_session(s);
	free(c);
	return NULL;
}

struct cdp_session *cdp_root(struct cdp *c)
{
	return c->root;
}

void cdp_session_listen(struct cdp_session *s, const struct cdp_event *events, void *data)
{
	s->events = events;
	s->data = data;
}

void cdp_session_count(struct cdp_session *s, struct cdp_meter *m)
{
	s->meter = m;
}

struct cdp_meter *cdp_charge(struct cdp_session *s)
{
	struct cdp_meter *before = s->connection ? s->connection->charged : NULL;

	cdp_charge_again(s, s->meter);
	return before;
}

void cdp_charge_again(struct cdp_session *s, struct cdp_meter *before)
{
	if (s->connection)
		s->connection->charged = before;
}

struct cdp_session *cdp_session_new(struct cdp *c, const char *session_id, const struct cdp_event *events, void *data)
{
	if (!cdp_id_is_valid(session_id) || find_session(c, session_id, strlen(session_id)))
		return NULL;
	if (c->session_count >= LIMIT_CDP_SESSIONS_COUNT) {
		log_warning("there are %u attachments to targets of the browser: no further one is used", c->session_count);
		return NULL;
	}
	return add_session(c, session_id, events, data);
}

struct cdp_session *cdp_session_free(struct cdp_session *s)
{
	if (!s)
		return NULL;
	fail_calls(s, -ESTALE);
	if (s->connection)
		remove_session(s);
	free(s);
	return NULL;
}

const char *cdp_session_id(const struct cdp_session *s)
{
	return s->id;
}

struct cdp *cdp_session_connection(struct cdp_session *s)
{
	return s->connection;
}

static struct cdp_backlog *backlog_of(struct cdp_session *s)
{
	return s->meter ? &s->meter->backlog : &s->backlog;
}

/* The bytes of it that wait to be sent, or somewhat more: what was queued before the mark counts until all of it has been sent. */
static size_t backlog_size(struct cdp_backlog *b, const struct transport *t)
{
	uint64_t sent = transport_sent(t);

	if (sent >= b->mark) {
		b->mark = sent + transport_pending(t);
		b->before = b->mark == sent ? 0 : b->after;
		b->after = 0;
	}
	return b->before + b->after;
}

static bool has_share(struct cdp_session *s, size_t len)
{
	const struct transport *t = s->connection->transport;
	size_t own = backlog_size(backlog_of(s), t) + len;

	return share_allows((unsigned)own, (unsigned)transport_pending(t), LIMIT_CDP_PENDING, 0);
}

/* Writes and queues one message; returns its id or a negative code. `reserved`: it may take the reserve. */
static int send_message(struct cdp_session *s, bool reserved, const char *method, uint64_t types, const char *template, va_list ap)
{
	_cleanup_(str_done) struct str message = {};
	struct cdp *c = s->connection;
	int r;

	if (!c)
		return -ENOTCONN;
	if (s->lost)
		return -ENOBUFS;
	c->last_id = c->last_id == INT32_MAX ? 1 : c->last_id + 1;
	str_json(&message, "{id: ?, method: ?, ", c->last_id, method);
	if (s->id[0])
		str_json(&message, "sessionId: ?, ", s->id);
	str_append(&message, "\"params\":");
	str_vjson(&message, types, template, ap);
	str_append_char(&message, '}');
	if (!reserved && !has_share(s, message.len))
		return -ENOBUFS;
	traffic.sent++;
	traffic.bytes_sent += message.len;
	if (c->charged)
		c->charged->moved(c->charged, message.len);
	transport_resume(c->transport);
	r = transport_send(c->transport, message.data, message.len);
	if (r == 0)
		backlog_of(s)->after += message.len;
	return r < 0 ? r : c->last_id;
}

/* Such calls wait for the thread of the page's scripts. */
static bool needs_thread(const char *method)
{
	return strncmp(method, "Runtime.", strlen("Runtime.")) == 0 || strncmp(method, "Input.", strlen("Input.")) == 0;
}

static void vsend(struct task *t, struct cdp_session *s, struct cdp_call *call, const char *method, uint64_t types,
		  const char *template, va_list ap)
{
	int r;

	if (s && s->unanswered && needs_thread(method)) /* its reply shows that the page replies, however long the call takes */
		cdp_post(s, "Runtime.evaluate", "{expression: '0', silent: true}");
	r = s ? send_message(s, false, method, types, template, ap) : -ESTALE;
	*call = (struct cdp_call){ .task = t, .method = method, .sent = clock_now() };
	if (r < 0) {
		call->result = r;
		return;
	}
	call->id = r;
	call->charged = s->connection->charged && s->connection->charged == s->meter;
	add_call(s, call);
}

void cdp_send_values(struct task *t, struct cdp_session *s, struct cdp_call *call, const char *method, uint64_t types,
		     const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	vsend(t, s, call, method, types, template, ap);
	va_end(ap);
}

int cdp_request_values(struct cdp_session *s, struct cdp_call *call, void (*replied)(struct cdp_call *call, void *data), void *data,
		       const char *method, uint64_t types, const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	vsend(NULL, s, call, method, types, template, ap);
	va_end(ap);
	call->replied = replied;
	call->data = data;
	return call->session ? 0 : call->result;
}

void cdp_doubt(struct cdp_session *s)
{
	s->unanswered = s->connection->last_id;
}

void cdp_call_done(struct cdp_call *call)
{
	if (call->session)
		remove_call(call);
	call->reply = json_free(call->reply);
}

void cdp_request_outlive(struct cdp_call *call, struct cdp_call *to, void (*replied)(struct cdp_call *call, void *data), void *data)
{
	struct cdp_session *root = call->session->connection->root;

	*to = *call;
	to->task = NULL;
	to->replied = replied;
	to->data = data;
	remove_call(call);
	add_call(root, to);
}

static const char *refusal_text(const struct cdp_call *call)
{
	return json_text(call->reply, "error.message");
}

static int explain(struct task *t, const struct cdp_call *call)
{
	switch (call->result) {
	case -EREMOTE:
		return task_fail(t, -EREMOTE, "the browser refused %s: %s", call->method, refusal_text(call));
	case -ESTALE:
		return task_fail(t, -ESTALE, CDP_PAGE_GONE);
	case -ENOTCONN:
		return task_fail(t, -ENOTCONN, CDP_BROWSER_ENDED);
	case -EMSGSIZE:
		return task_fail(t, -EMSGSIZE,
				 "the browser's reply to %s is larger than %zu MiB, or has more than %u values; request less data",
				 call->method, (call->max_reply ? call->max_reply : LIMIT_CDP_MESSAGE) >> 20, JSON_VALUES_MAX);
	case -ENOBUFS:
		return task_fail(
			t, -ENOBUFS,
			"too much waits to be sent to the browser, most of it for this page; try again later, with less data");
	default:
		return task_fail(t, call->result, "%s failed: %s", call->method, strerror(-call->result));
	}
}

static int explain_timeout(struct task *t, const struct cdp_call *call)
{
	unsigned long long waited = (clock_now() - call->sent) / USEC_PER_MSEC;

	if (!call->session->id[0])
		return task_fail(t, -ETIMEDOUT,
				 "the browser has not replied to %s for %llu ms; try again when the machine is less busy",
				 call->method, waited);
	return task_fail(t, -ETIMEDOUT,
			 "the page has not replied to %s for %llu ms: a script keeps it busy, or the machine is overloaded; try "
			 "again later, or navigate to its address anew",
			 call->method, waited);
}

/* Whether the call waits for a page that has not replied to an earlier one. */
static bool is_doubtful(const struct cdp_call *call)
{
	return call->session && call->session->unanswered && needs_thread(call->method);
}

static int wait_for_reply(struct task *t, struct cdp_call *call)
{
	usec_t outer = task_deadline(t);
	int r;

	if (!is_doubtful(call))
		return task_wait(t, call->method);
	task_set_deadline(t, MIN(outer, call->sent + patience(LIMIT_UNANSWERED)));
	r = task_wait(t, call->method);
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT && call->session && !is_doubtful(call) && clock_now() < outer ? 0 : r;
}

int cdp_await(struct task *t, struct cdp_call *call)
{
	int r;

	while (call->session) {
		r = wait_for_reply(t, call);
		if (r == -ETIMEDOUT && call->session && needs_thread(call->method))
			call->session->unanswered = call->id;
		if (r == -ETIMEDOUT)
			return explain_timeout(t, call);
		if (r < 0)
			return r;
	}
	return call->result < 0 ? explain(t, call) : 0;
}

const struct json *cdp_call_result(const struct cdp_call *call)
{
	return json_get(call->reply, "result");
}

enum cdp_refusal cdp_call_refusal(const struct cdp_call *call)
{
	static const struct {
		const char *part;
		enum cdp_refusal refusal;
	} text_table[] = {
		{ "reference chain is too long", CDP_REFUSED_TOO_DEEP },
		{ "terminated", CDP_REFUSED_TERMINATED },
		{ "context", CDP_REFUSED_CONTEXT_GONE },
		{ "navigated or closed", CDP_REFUSED_CONTEXT_GONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(text_table); i++)
		if (strstr(refusal_text(call), text_table[i].part))
			return text_table[i].refusal;
	return CDP_REFUSED;
}

int cdp_call_values(struct task *t, struct cdp_session *s, struct json **ret, const char *method, uint64_t types,
		    const char *template, ...)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};
	va_list ap;
	int r;

	va_start(ap, template);
	vsend(t, s, &call, method, types, template, ap);
	va_end(ap);
	r = cdp_await(t, &call);
	if (r < 0)
		return r;
	if (ret)
		*ret = TAKE_PTR(call.reply);
	return 0;
}

void cdp_session_refuse(struct cdp_session *parent, const char *session_id)
{
	struct cdp_session refused = { .connection = parent->connection };

	if (!cdp_id_is_valid(session_id) || find_session(parent->connection, session_id, strlen(session_id)))
		return;
	memcpy(refused.id, session_id, strlen(session_id) + 1);
	cdp_post(&refused, "Runtime.runIfWaitingForDebugger", "{}");
	cdp_post(parent, "Target.detachFromTarget", "{sessionId: ?}", session_id);
}

static void lose(struct cdp_session *s, const char *method)
{
	log_warning("%s cannot be sent, because the browser does not read what is sent to a page: the page is closed", method);
	s->lost = true;
	if (s->meter)
		s->meter->lost(s->meter);
}

void cdp_post_values(struct cdp_session *s, const char *method, uint64_t types, const char *template, ...)
{
	va_list ap;
	int r;

	if (!s)
		return;
	va_start(ap, template);
	r = send_message(s, s->connection && s == s->connection->root, method, types, template, ap);
	va_end(ap);
	if (r == -ENOBUFS && !s->lost)
		lose(s, method);
}
