/* Commands, calls that wait for their replies, and the turns of pages. */
#include <errno.h>
#include <search.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/call.h"
#include "engine/connection.h"

/* ---- commands that wait for their replies ---- */

static int compare_pending(const void *a, const void *b)
{
	const struct bidi_pending *p = a, *q = b;

	return (p->id > q->id) - (p->id < q->id);
}

struct bidi_pending *bidi_find_pending(struct bidi *c, int id)
{
	const struct bidi_pending wanted = { .id = id };
	struct bidi_pending **found = tfind(&wanted, &c->pending_by_id, compare_pending);

	return found ? *found : NULL;
}

static void add_pending(struct engine_target *s, struct engine_call *call, int id, int world, bool holds_turn)
{
	struct bidi_pending *p = NEW(struct bidi_pending);

	*p = (struct bidi_pending){ .id = id, .world = world, .target = s, .call = call, .holds_turn = holds_turn };
	TAILQ_INSERT_TAIL(&s->pending, p, link);
	must(tsearch(p, &s->connection->pending_by_id, compare_pending));
	if (call)
		s->connection->waiting++;
}

/* Its call, if there is one, does not wait any more. */
static struct engine_call *remove_pending(struct bidi *c, struct bidi_pending *p)
{
	struct engine_call *call = p->call;

	TAILQ_REMOVE(&p->target->pending, p, link);
	tdelete(p, &c->pending_by_id, compare_pending);
	free(p);
	if (call) {
		c->waiting--;
		call->target = NULL;
	}
	return call;
}

void bidi_complete(struct bidi *c, struct bidi_pending *p, int result, struct json *reply)
{
	static uint64_t answers;
	struct engine_target *s = p->target;
	bool held_turn = p->holds_turn;
	struct engine_call *call;

	if (p->noticed)
		p->noticed(s, result, reply);
	call = remove_pending(c, p);

	if (held_turn)
		bidi_turn_end(s);
	if (!call) {
		if (result == -EREMOTE)
			log_debug("the browser refused a command: %s: %s", json_text(reply, "error"), json_text(reply, "message"));
		json_free(reply);
		return;
	}
	call->answered = ++answers;
	call->result = result;
	call->reply = reply;
	if (call->task)
		task_wake(call->task);
	else
		call->replied(call, call->data);
}

/* A callback may send, which adds to the list, or give up other calls, which removes from it. */
void bidi_fail_calls(struct engine_target *s, int world, int result)
{
	struct bidi_pending *p;
	struct bidi *c = s->connection;

	while (c) {
		TAILQ_FOREACH(p, &s->pending, link)
			if (!world || p->world == world)
				break;
		if (!p)
			return;
		bidi_complete(c, p, result, NULL);
	}
}

/* ---- turns ---- */

static void advance(struct engine_target *s)
{
	struct bidi_turn *turn;

	while (!s->turn_held && (turn = TAILQ_FIRST(&s->turns))) {
		TAILQ_REMOVE(&s->turns, turn, link);
		s->turn_held = true;
		turn->on_turn(turn, s);
	}
}

void bidi_turn_take(struct engine_target *s, struct bidi_turn *turn)
{
	TAILQ_INSERT_TAIL(&s->turns, turn, link);
	advance(s);
}

void bidi_turn_end(struct engine_target *s)
{
	s->turn_held = false;
	advance(s);
}

void bidi_drop_turns(struct engine_target *s)
{
	struct bidi_turn *turn;

	while ((turn = TAILQ_FIRST(&s->turns))) {
		TAILQ_REMOVE(&s->turns, turn, link);
		turn->on_dropped(turn);
	}
}

/* A command that waits for its turn. */
struct queued {
	struct bidi_turn turn;
	int id;
	struct str text;
	struct engine_target *target;
};

static void queued_free(struct queued *q)
{
	q->target->queued -= q->text.len;
	str_done(&q->text);
	free(q);
}

static void queued_dropped(struct bidi_turn *turn)
{
	queued_free((struct queued *)turn);
}

/* ---- sending ---- */

/* Commands that work on documents; the others do not wait for turns. */
static bool is_ordered(const char *method)
{
	return strncmp(method, "script.evaluate", strlen("script.evaluate")) == 0 || strcmp(method, "script.callFunction") == 0 ||
	       strncmp(method, "input.", strlen("input.")) == 0 || strcmp(method, "browsingContext.setViewport") == 0 ||
	       strncmp(method, "emulation.", strlen("emulation.")) == 0;
}

/* Of these, the ones that must have ended before the next: Firefox begins scripts in their order, and these beside them. */
static bool changes_documents(const char *method)
{
	return is_ordered(method) && strncmp(method, "script.", strlen("script.")) != 0;
}

/* Such calls wait for the thread of the page's scripts. */
static bool bidi_needs_thread(const char *method)
{
	return strncmp(method, "script.", strlen("script.")) == 0 || strncmp(method, "input.", strlen("input.")) == 0;
}

static struct engine_backlog *bidi_backlog_of(struct engine_target *s)
{
	return s->meter ? &s->meter->backlog : &s->backlog;
}

static int transmit(struct engine_target *s, const struct str *message)
{
	struct bidi *c = s->connection;
	int r;

	transport_resume(c->transport);
	r = transport_send(c->transport, message->data, message->len);
	if (r == 0)
		bidi_backlog_of(s)->after += message->len;
	return r;
}

static void queued_begin(struct bidi_turn *turn, struct engine_target *s)
{
	struct queued *q = (struct queued *)turn;
	struct bidi_pending *p = bidi_find_pending(s->connection, q->id);
	int r = transmit(s, &q->text);
	bool holds = r == 0 && p && p->holds_turn;

	queued_free(q);
	if (r < 0 && p)
		bidi_complete(s->connection, p, r, NULL); /* ends the turn as well, if it holds it */
	else if (!holds)
		bidi_turn_end(s);
}

static void enqueue(struct engine_target *s, int id, struct str *message)
{
	struct queued *q = NEW(struct queued);

	*q = (struct queued){ .turn = { .on_turn = queued_begin, .on_dropped = queued_dropped }, .id = id, .target = s };
	str_move(&q->text, message);
	s->queued += q->text.len;
	bidi_turn_take(s, &q->turn);
}

static void bidi_account(struct engine_meter *charged, size_t len)
{
	engine_count_sent(len);
	if (charged)
		charged->moved(charged, len);
}

static int bidi_new_id(struct bidi *c)
{
	return c->last_id = c->last_id == INT32_MAX ? 1 : c->last_id + 1;
}

/* Writes and sends or queues one command; returns its id or a negative code. `call` (NULL: none) gets the reply. */
static int bidi_send_command(struct engine_target *s, struct engine_call *call, int world, const char *method, uint64_t types,
			     const char *template, va_list ap)
{
	_cleanup_(str_done) struct str message = {};
	struct bidi *c = s->connection;
	bool holds = changes_documents(method) && s->id[0] && !s->turn, waits;
	int id, r = 0;

	if (!c)
		return -ENOTCONN;
	if (s->lost)
		return -ENOBUFS;
	id = bidi_new_id(c);
	str_json(&message, "{id: ?, method: ?, ", id, method);
	str_append(&message, "\"params\":");
	str_vjson(&message, types, template, ap);
	str_append_char(&message, '}');
	if ((call || s != c->root) && !engine_has_share(bidi_backlog_of(s), c->transport, s->queued + message.len))
		return -ENOBUFS;
	bidi_account(c->charged, message.len);
	waits = is_ordered(method) && s->id[0] && !s->turn && (s->turn_held || !TAILQ_EMPTY(&s->turns));
	if (call || holds)
		add_pending(s, call, id, world, holds);
	if (waits) {
		enqueue(s, id, &message);
		return id;
	}
	r = transmit(s, &message);
	if (r < 0 && (call || holds))
		remove_pending(c, bidi_find_pending(c, id));
	else if (holds)
		s->turn_held = true;
	return r < 0 ? r : id;
}

static void bidi_vsend(struct task *t, struct engine_target *s, struct engine_call *call, int world, const char *method,
		       uint64_t types, const char *template, va_list ap)
{
	int r;

	*call = (struct engine_call){ .engine = &bidi_engine, .task = t, .method = method, .sent = clock_now(), .target = s };
	r = s ? bidi_send_command(s, call, world, method, types, template, ap) : -ESTALE;
	call->target = r < 0 ? NULL : call->target;
	call->result = MIN(r, 0);
	if (r < 0)
		return;
	call->id = r;
	call->charged = s->connection->charged && s->connection->charged == s->meter;
}

void bidi_send_values(struct task *t, struct engine_target *s, struct engine_call *call, int world, const char *method,
		      uint64_t types, const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	bidi_vsend(t, s, call, world, method, types, template, ap);
	va_end(ap);
}

int bidi_promise(struct task *t, struct engine_target *s, struct engine_call *call, const char *method)
{
	*call = (struct engine_call){ .engine = &bidi_engine, .task = t, .method = method, .sent = clock_now() };
	call->result = !s->connection ? -ENOTCONN : s->lost ? -ENOBUFS : 0;
	if (call->result < 0)
		return call->result;
	call->target = s;
	call->id = bidi_new_id(s->connection);
	add_pending(s, call, call->id, 0, false);
	return call->id;
}

void bidi_refuse(struct task *t, struct engine_call *call, const char *method, const char *message)
{
	_cleanup_(str_done) struct str reply = {};

	if (!call)
		return;
	*call = (struct engine_call){
		.engine = &bidi_engine, .task = t, .method = method, .sent = clock_now(), .result = -EREMOTE
	};
	str_json(&reply, "{error: 'unsupported operation', message: ?}", message);
	json_parse(reply.data, reply.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &call->reply);
}

static int bidi_vrequest(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
			 void *data, int world, const char *method, uint64_t types, const char *template, va_list ap)
{
	bidi_vsend(NULL, s, call, world, method, types, template, ap);
	call->replied = replied;
	call->data = data;
	return call->target ? 0 : call->result;
}

int bidi_request_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
			void *data, int world, const char *method, uint64_t types, const char *template, ...)
{
	va_list ap;
	int r;

	va_start(ap, template);
	r = bidi_vrequest(s, call, replied, data, world, method, types, template, ap);
	va_end(ap);
	return r;
}

int bidi_answer_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data, int world, const char *method, uint64_t types, const char *template, ...)
{
	struct bidi *c = s->connection;
	struct engine_meter *before = c ? c->charged : NULL;
	uint64_t sent = engine_traffic()->bytes_sent;
	va_list ap;
	int r;

	if (c)
		c->charged = s->meter;
	va_start(ap, template);
	r = bidi_vrequest(s, call, replied, data, world, method, types, template, ap);
	va_end(ap);
	if (c)
		c->charged = before;
	return r < 0 ? r : (int)(engine_traffic()->bytes_sent - sent);
}

static void bidi_lose(struct engine_target *s, const char *method)
{
	log_warning("%s cannot be sent, because the browser does not read what is sent to a page: the page is closed", method);
	s->lost = true;
	if (s->meter)
		s->meter->lost(s->meter);
}

void bidi_post_values(struct engine_target *s, const char *method, uint64_t types, const char *template, ...)
{
	va_list ap;
	int r;

	if (!s)
		return;
	va_start(ap, template);
	r = bidi_send_command(s, NULL, 0, method, types, template, ap);
	va_end(ap);
	if (r == -ENOBUFS && !s->lost)
		bidi_lose(s, method);
}

/* ---- calls ---- */

void engine_doubt(struct engine_target *s)
{
	s->unanswered = s->connection ? s->connection->last_id : 0;
}

static struct bidi_pending *pending_of(const struct engine_call *call)
{
	return bidi_find_pending(call->target->connection, call->id);
}

void bidi_notice(struct engine_call *call, void (*noticed)(struct engine_target *s, int result, const struct json *reply))
{
	if (call->target)
		pending_of(call)->noticed = noticed;
}

/* A command that holds a turn is still waited for. */
void engine_call_done(struct engine_call *call)
{
	struct bidi_pending *p = call->target ? pending_of(call) : NULL;

	if (p && p->holds_turn) {
		p->call = NULL;
		call->target->connection->waiting--;
		call->target = NULL;
	} else if (p) {
		remove_pending(call->target->connection, p);
	}
	call->reply = json_free(call->reply);
}

void engine_outlive(struct engine_call *call, struct engine_call *to, void (*replied)(struct engine_call *call, void *data),
		    void *data)
{
	struct engine_target *root = call->target->connection->root;
	struct bidi_pending *p = pending_of(call);

	*to = *call;
	to->task = NULL;
	to->replied = replied;
	to->data = data;
	to->target = root;
	call->target = NULL;
	TAILQ_REMOVE(&p->target->pending, p, link);
	TAILQ_INSERT_TAIL(&root->pending, p, link);
	p->target = root;
	p->call = to;
	p->world = 0;
}

int engine_await(struct task *t, struct engine_call *call)
{
	int r = 0;

	if (call->target)
		r = engine_wait(t, call, &call->target->unanswered, bidi_needs_thread(call->method), !call->target->id[0]);
	if (r < 0)
		return r;
	return call->result < 0 ? engine_explain(t, call, bidi_error_message(call)) : 0;
}

const struct json *bidi_result(const struct engine_call *call)
{
	return json_get(call->reply, "result");
}

const char *bidi_error(const struct engine_call *call)
{
	return json_text(call->reply, "error");
}

const char *bidi_error_message(const struct engine_call *call)
{
	return call->result == -EREMOTE && !call->reply ? "its document has gone" : json_text(call->reply, "message");
}

int bidi_call_values(struct task *t, struct engine_target *s, struct json **ret, int world, const char *method, uint64_t types,
		     const char *template, ...)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	va_list ap;
	int r;

	va_start(ap, template);
	bidi_vsend(t, s, &call, world, method, types, template, ap);
	va_end(ap);
	r = engine_await(t, &call);
	if (r < 0)
		return r;
	if (ret)
		*ret = TAKE_PTR(call.reply);
	return 0;
}
