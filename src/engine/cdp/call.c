/* Messages to the browser, and calls that wait for their replies. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/call.h"
#include "engine/cdp/internal.h"
#include "engine/connection.h"

/* ---- calls that wait ---- */

static void add_call(struct engine_target *s, struct engine_call *call)
{
	call->target = s;
	TAILQ_INSERT_TAIL(&s->calls, call, link);
	s->connection->waiting++;
}

static void remove_call(struct engine_call *call)
{
	TAILQ_REMOVE(&call->target->calls, call, link);
	call->target->connection->waiting--;
	call->target = NULL;
}

/* Completes `call` and wakes its task; the owner frees it. */
void cdp_call_complete(struct engine_call *call, int result, struct json *reply)
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

void cdp_session_fail_calls(struct engine_target *s, int result)
{
	struct engine_call *call;

	while ((call = TAILQ_FIRST(&s->calls)))
		cdp_call_complete(call, result, NULL);
}

struct engine_call *cdp_session_find_call(struct engine_target *s, int id)
{
	struct engine_call *call;

	TAILQ_FOREACH(call, &s->calls, link)
		if (call->id == id)
			return call;
	return NULL;
}

/* ---- sending ---- */

static struct engine_backlog *backlog_of(struct engine_target *s)
{
	return s->meter ? &s->meter->backlog : &s->backlog;
}

/* Writes and queues one message; returns its id or a negative code. `reserved`: it may take the reserve. */
static int send_message(struct engine_target *s, bool reserved, const char *method, uint64_t types, const char *template,
			va_list ap)
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
	if (!reserved && !engine_has_share(backlog_of(s), c->transport, message.len))
		return -ENOBUFS;
	engine_count_sent(message.len);
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

static void vsend(struct task *t, struct engine_target *s, struct engine_call *call, const char *method, uint64_t types,
		  const char *template, va_list ap)
{
	int r;

	if (s && s->unanswered && needs_thread(method)) /* its reply shows that the page replies, however long the call takes */
		cdp_post(s, "Runtime.evaluate", "{expression: '0', silent: true}");
	r = s ? send_message(s, false, method, types, template, ap) : -ESTALE;
	*call = (struct engine_call){ .task = t, .method = method, .sent = clock_now() };
	if (r < 0) {
		call->result = r;
		return;
	}
	call->id = r;
	call->charged = s->connection->charged && s->connection->charged == s->meter;
	add_call(s, call);
}

void cdp_send_values(struct task *t, struct engine_target *s, struct engine_call *call, const char *method, uint64_t types,
		     const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	vsend(t, s, call, method, types, template, ap);
	va_end(ap);
}

static int vrequest(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		    void *data, const char *method, uint64_t types, const char *template, va_list ap)
{
	vsend(NULL, s, call, method, types, template, ap);
	call->replied = replied;
	call->data = data;
	return call->target ? 0 : call->result;
}

int cdp_request_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data, const char *method, uint64_t types, const char *template, ...)
{
	va_list ap;
	int r;

	va_start(ap, template);
	r = vrequest(s, call, replied, data, method, types, template, ap);
	va_end(ap);
	return r;
}

void cdp_charge_again(struct engine_target *s, struct engine_meter *before)
{
	if (s->connection)
		s->connection->charged = before;
}

struct engine_meter *cdp_charge(struct engine_target *s)
{
	struct engine_meter *before = s->connection ? s->connection->charged : NULL;

	cdp_charge_again(s, s->meter);
	return before;
}

int cdp_answer_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		      void *data, const char *method, uint64_t types, const char *template, ...)
{
	struct engine_meter *before = cdp_charge(s);
	uint64_t sent = engine_traffic()->bytes_sent;
	va_list ap;
	int r;

	va_start(ap, template);
	r = vrequest(s, call, replied, data, method, types, template, ap);
	va_end(ap);
	cdp_charge_again(s, before);
	return r < 0 ? r : (int)(engine_traffic()->bytes_sent - sent);
}

void engine_doubt(struct engine_target *s)
{
	s->unanswered = s->connection->last_id;
}

void engine_call_done(struct engine_call *call)
{
	if (call->target)
		remove_call(call);
	call->reply = json_free(call->reply);
}

void engine_outlive(struct engine_call *call, struct engine_call *to, void (*replied)(struct engine_call *call, void *data),
		    void *data)
{
	struct engine_target *root = call->target->connection->root;

	*to = *call;
	to->task = NULL;
	to->replied = replied;
	to->data = data;
	remove_call(call);
	add_call(root, to);
}

static const char *refusal_text(const struct engine_call *call)
{
	return json_text(call->reply, "error.message");
}

int engine_await(struct task *t, struct engine_call *call)
{
	int r = 0;

	if (call->target)
		r = engine_wait(t, call, &call->target->unanswered, needs_thread(call->method), !call->target->id[0]);
	if (r < 0)
		return r;
	return call->result < 0 ? engine_explain(t, call, refusal_text(call)) : 0;
}

const struct json *cdp_call_result(const struct engine_call *call)
{
	return json_get(call->reply, "result");
}

enum cdp_refusal cdp_call_refusal(const struct engine_call *call)
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

int cdp_call_values(struct task *t, struct engine_target *s, struct json **ret, const char *method, uint64_t types,
		    const char *template, ...)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	va_list ap;
	int r;

	va_start(ap, template);
	vsend(t, s, &call, method, types, template, ap);
	va_end(ap);
	r = engine_await(t, &call);
	if (r < 0)
		return r;
	if (ret)
		*ret = TAKE_PTR(call.reply);
	return 0;
}

static void lose(struct engine_target *s, const char *method)
{
	log_warning("%s cannot be sent, because the browser does not read what is sent to a page: the page is closed", method);
	s->lost = true;
	if (s->meter)
		s->meter->lost(s->meter);
}

void cdp_post_values(struct engine_target *s, const char *method, uint64_t types, const char *template, ...)
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
