/* Calls, replies and events over a real socketpair. The test writes what a browser would send, byte by byte. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "engine/events.h"
#include "loop/failure_words.h"
#include "cdp_pair.h"
#include "run_queued.h"

#define CALLERS 4

/* A task that makes a call. */
struct caller {
	struct fixture *f;
	struct engine_target *session;
	const char *method;
	struct task *task; /* NULL when it has ended */

	int result;
	struct str text; /* `result.value` of the reply, or the failure */
	enum cdp_refusal refusal;
};

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	int peer;
	struct str sent; /* by cdp, a line each; the first `read` bytes were looked at */
	size_t read;
	struct str events; /* in the order in which callbacks ran */
	struct engine_target *one, *two;
	struct caller callers[CALLERS];
	unsigned opened, closed;
	struct engine_meter meter;
	size_t charged; /* bytes that it was told of */
};

static void on_open(void *data)
{
	((struct fixture *)data)->opened++;
}

static void on_closed(const char *reason, void *data)
{
	assert_true(reason[0]);
	((struct fixture *)data)->closed++;
}

static const struct cdp_handler handler = { .open = on_open, .closed = on_closed };

static void on_loaded(struct engine_target *s, const struct json *params, void *data)
{
	str_appendf(&((struct fixture *)data)->events, "%s:%s ", engine_target_id(s), json_text(params, "name"));
}

static void on_tick(struct engine_target *s, const struct json *params, void *data)
{
	assert_null(params);
	str_appendf(&((struct fixture *)data)->events, "%s:tick ", engine_target_id(s));
}

static void on_detached(struct engine_target *s, const struct json *params, void *data)
{
	struct fixture *f = data;

	assert_ptr_equal(s, f->one);
	f->one = engine_target_free(s);
}

static void on_asked(struct engine_target *s, const struct json *params, void *data)
{
	cdp_post(cdp_root(((struct fixture *)data)->cdp), "A.answer", "{}");
}

static void on_left(struct engine_target *s, const struct json *params, void *data)
{
	on_detached(s, params, data);
	on_asked(NULL, NULL, data);
}

static const struct cdp_event events[] = {
	{ "Page.asked", on_asked },
	{ "Page.left", on_left },
	{ "Page.loaded", on_loaded },
	{ "Page.tick", on_tick, .unread = true },
	{ "Page.short", on_loaded, .longest = 100 },
	{ "Page.long", on_loaded, .longest = LIMIT_CDP_MESSAGE },
	{ "Page.detached", on_detached },
	{},
};

static char *await_sent(struct fixture *f);

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &handler, f, &f->cdp);
	free(await_sent(f)); /* the call 1, whose reply shows that the browser is ready */
	cdp_session_listen(cdp_root(f->cdp), events, f);
	f->one = cdp_session_new(f->cdp, "S1", events, f);
	f->two = cdp_session_new(f->cdp, "S2", events, f);
	*state = f;
	return 0;
}

static void hang_up(struct fixture *f)
{
	if (f->peer >= 0)
		close(f->peer);
	f->peer = -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	f->cdp = cdp_free(f->cdp);
	run_queued(f->loop);
	engine_target_free(f->one);
	engine_target_free(f->two);
	assert_int_equal(task_count(), 0);
	hang_up(f);
	loop_free(f->loop);
	for (unsigned i = 0; i < CALLERS; i++)
		str_done(&f->callers[i].text);
	str_done(&f->sent);
	str_done(&f->events);
	free(f);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* ---- the browser's side ---- */

static void receive(struct fixture *f)
{
	char buf[4096];
	ssize_t n = recv(f->peer, buf, sizeof(buf), MSG_DONTWAIT);

	for (ssize_t i = 0; i < n; i++)
		str_append_char(&f->sent, buf[i] ? buf[i] : '\n');
}

/* The next message that cdp sends; the caller frees it. */
static char *await_sent(struct fixture *f)
{
	const char *line, *end;

	while (!(end = strchr(str_text(&f->sent) + f->read, '\n'))) {
		run_queued(f->loop);
		receive(f);
	}
	line = f->sent.data + f->read;
	f->read += (size_t)(end + 1 - line);
	return must(strndup(line, (size_t)(end - line)));
}

static void expect_sent(struct fixture *f, const char *expected)
{
	_cleanup_(freep) char *text = await_sent(f);

	assert_string_equal(text, expected);
}

static void expect_nothing_sent(struct fixture *f)
{
	run_queued(f->loop);
	run_queued(f->loop);
	receive(f);
	assert_string_equal(str_text(&f->sent) + f->read, "");
}

static void send_bytes(struct fixture *f, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = send(f->peer, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0)
			assert_int_equal(errno, EAGAIN);
		text += MAX(n, 0);
		len -= (size_t)MAX(n, 0);
		if (len > 0)
			assert_int_equal(loop_step(f->loop), 0);
	}
}

/* One message, followed by an event: when that has come, the message has been handled. */
static void say(struct fixture *f, const char *text)
{
	static const char mark[] = "{\"method\":\"Page.tick\",\"params\":{}}";
	_cleanup_(freep) char *before = str_take(&f->events);

	send_bytes(f, text, strlen(text) + 1);
	send_bytes(f, mark, sizeof(mark));
	while (!strstr(str_text(&f->events), ":tick "))
		assert_int_equal(loop_step(f->loop), 0);
	f->events.len -= strlen(":tick ");
	f->events.data[f->events.len] = '\0';
	str_prepend(&f->events, before, strlen(before));
	run_queued(f->loop);
}

static void assert_events(struct fixture *f, const char *expected)
{
	assert_string_equal(str_text(&f->events), expected);
	str_reset(&f->events);
}

/* ---- callers ---- */

static int run_call(struct task *t, void *data)
{
	struct caller *c = data;
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	r = cdp_call(t, c->session, &reply, c->method, "{}");
	if (r == 0)
		str_append(&c->text, json_text(reply, "result.value"));
	return r;
}

static void on_returned(struct task *t, int result, void *data)
{
	struct caller *c = data;

	c->task = NULL;
	c->result = result;
	if (result < 0)
		str_append(&c->text, failure_has_words(t, task_error(t)) ? failure_words(t, task_error(t)) : "");
}

static struct caller *start(struct fixture *f, struct engine_target *s, const char *method, int (*fn)(struct task *t, void *data))
{
	struct caller *c = f->callers;

	while (c->f)
		c++;
	*c = (struct caller){ .f = f, .session = s, .method = method };
	assert_int_equal(task_start(f->loop, method, fn, on_returned, c, &c->task), 0);
	run_queued(f->loop);
	return c;
}

/* Calls are numbered from 2. */
static struct caller *call(struct fixture *f, struct engine_target *s, const char *method)
{
	return start(f, s, method, run_call);
}

static void assert_ended(struct caller *c, int result, const char *text)
{
	assert_null(c->task);
	assert_int_equal(c->result, result);
	if (!strstr(str_text(&c->text), text))
		fail_msg("\"%s\" does not contain \"%s\"", str_text(&c->text), text);
}

static void await_end(struct caller *c)
{
	while (c->task)
		assert_int_equal(loop_step(c->f->loop), 0);
}

/* ---- the start ---- */

static void it_is_open_with_the_first_reply(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(f->sent.data, "{\"id\":1,\"method\":\"Browser.getVersion\",\"params\":{}}\n");
	say(f, "{\"id\":2,\"result\":{}}");
	assert_int_equal(f->opened, 0);
	say(f, "{\"id\":1,\"result\":{\"product\":\"x\"}}");
	say(f, "{\"id\":1,\"result\":{}}");
	assert_int_equal(f->opened, 1);
}

/* ---- calls and replies ---- */

static void messages_are_numbered_and_addressed(void **state)
{
	struct fixture *f = *state;

	call(f, cdp_root(f->cdp), "Target.get");
	cdp_post(f->one, "Page.enable", "{}");
	call(f, f->two, "Page.get");
	expect_sent(f, "{\"id\":2,\"method\":\"Target.get\",\"params\":{}}");
	expect_sent(f, "{\"id\":3,\"method\":\"Page.enable\",\"sessionId\":\"S1\",\"params\":{}}");
	expect_sent(f, "{\"id\":4,\"method\":\"Page.get\",\"sessionId\":\"S2\",\"params\":{}}");
	expect_nothing_sent(f);
}

static void each_reply_ends_its_own_call(void **state)
{
	struct fixture *f = *state;
	struct caller *two = call(f, f->one, "A.a"), *three = call(f, f->one, "A.b"), *four = call(f, f->two, "A.c");

	say(f, "{\"id\":4,\"result\":{\"value\":\"four\"},\"sessionId\":\"S2\"}");
	assert_ended(four, 0, "four");
	assert_non_null(two->task);
	say(f, "{\"id\":2,\"result\":{\"value\":\"two\"},\"sessionId\":\"S1\"}");
	assert_ended(two, 0, "two");
	assert_non_null(three->task);
	say(f, "{\"id\":3,\"result\":{\"value\":\"three\"},\"sessionId\":\"S1\"}");
	assert_ended(three, 0, "three");
	say(f, "{\"id\":3,\"result\":{\"value\":\"again\"},\"sessionId\":\"S1\"}");
}

static void a_reply_may_come_in_pieces(void **state)
{
	static const char reply[] = "{\"id\":2,\"result\":{\"value\":\"whole\"}}";
	struct fixture *f = *state;
	struct caller *c = call(f, cdp_root(f->cdp), "A.a");

	for (size_t i = 0; i < sizeof(reply); i++) {
		assert_non_null(c->task);
		send_bytes(f, reply + i, 1);
		run_queued(f->loop);
	}
	await_end(c);
	assert_ended(c, 0, "whole");
}

static int send_two(struct task *t, void *data)
{
	struct caller *c = data;
	_cleanup_(engine_call_done) struct engine_call first = {}, second = {};

	cdp_send(t, c->session, &first, "A.first", "{}");
	cdp_send(t, c->session, &second, "A.second", "{}");
	assert_null(cdp_call_result(&second));
	assert_int_equal(engine_await(t, &second), 0);
	assert_int_equal(second.answered, first.answered + 1); /* both have come, the first one before */
	assert_string_equal(json_text(cdp_call_result(&first), "value"), "1");
	assert_string_equal(json_text(cdp_call_result(&second), "value"), "2");
	return engine_await(t, &first);
}

static void several_calls_can_be_sent_before_the_first_is_awaited(void **state)
{
	struct fixture *f = *state;
	struct caller *c = start(f, f->one, "two", send_two);

	say(f, "{\"id\":2,\"result\":{\"value\":\"1\"},\"sessionId\":\"S1\"}");
	assert_non_null(c->task);
	say(f, "{\"id\":3,\"result\":{\"value\":\"2\"},\"sessionId\":\"S1\"}");
	assert_ended(c, 0, "");
}

static int be_refused(struct task *t, void *data)
{
	struct caller *c = data;
	_cleanup_(engine_call_done) struct engine_call refused = {};
	int r;

	cdp_send(t, c->session, &refused, "DOM.get", "{}");
	r = engine_await(t, &refused);
	assert_null(cdp_call_result(&refused));
	c->refusal = cdp_call_refusal(&refused);
	return r;
}

static void a_refusal_is_reported_with_its_text(void **state)
{
	struct fixture *f = *state;
	struct caller *c = start(f, f->one, "refused", be_refused);

	say(f, "{\"id\":2,\"error\":{\"code\":-32000,\"message\":\"No node\"},\"sessionId\":\"S1\"}");
	assert_ended(c, -EREMOTE, "DOM.get: No node");
	assert_int_equal(c->refusal, CDP_REFUSED);
}

static void a_refusal_because_the_document_was_replaced_is_recognized(void **state)
{
	struct fixture *f = *state;
	struct caller *c = start(f, f->one, "refused", be_refused);

	say(f, "{\"id\":2,\"error\":{\"code\":-32000,\"message\":\"Cannot find context with specified id\"},\"sessionId\":\"S1\"}");
	assert_ended(c, -EREMOTE, "DOM.get: Cannot find context with specified id");
	assert_int_equal(c->refusal, CDP_REFUSED_CONTEXT_GONE);
}

static void a_reply_counts_only_in_the_session_of_its_call(void **state)
{
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.a");

	say(f, "{\"id\":2,\"result\":{\"value\":\"root\"}}");
	say(f, "{\"id\":2,\"result\":{\"value\":\"two\"},\"sessionId\":\"S2\"}");
	say(f, "{\"id\":2,\"result\":{\"value\":\"unknown\"},\"sessionId\":\"S3\"}");
	say(f, "{\"id\":2,\"result\":{\"value\":\"prefix\"},\"sessionId\":\"S\"}");
	say(f, "{\"id\":2,\"result\":{\"value\":\"longer\"},\"sessionId\":\"S11\"}");
	assert_non_null(c->task);
	say(f, "{\"id\":2,\"result\":{\"value\":\"one\"},\"sessionId\":\"S1\"}");
	assert_ended(c, 0, "one");
}

static void a_call_that_was_given_up_gets_no_reply(void **state)
{
	struct fixture *f = *state;
	struct caller *late = call(f, f->one, "A.late"), *left = call(f, f->one, "A.left"), *next;

	task_cancel(left->task, -EIO, "given up");
	task_set_deadline(late->task, clock_now());
	task_wake(late->task);
	await_end(left);
	await_end(late);
	assert_ended(left, -ECANCELED, "given up");
	assert_ended(late, -ETIMEDOUT, "A.late");
	say(f, "{\"id\":2,\"result\":{},\"sessionId\":\"S1\"}");
	say(f, "{\"id\":3,\"result\":{},\"sessionId\":\"S1\"}");
	next = call(f, f->one, "A.next");
	say(f, "{\"id\":4,\"result\":{\"value\":\"next\"},\"sessionId\":\"S1\"}");
	assert_ended(next, 0, "next");
}

/* ---- events ---- */

static void events_reach_the_session_that_they_name(void **state)
{
	struct fixture *f = *state;

	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"a\"},\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"b\"},\"sessionId\":\"S2\"}");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"c\"}}");
	assert_events(f, "S1:a S2:b :c ");
	say(f, "{\"method\":\"Page.tick\",\"params\":{\"name\":\"d\"},\"sessionId\":\"S2\"}");
	assert_events(f, "S2:tick ");
	say(f, "{\"method\":\"Page.other\",\"params\":{\"name\":\"e\"},\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.load\",\"params\":{\"name\":\"f\"},\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.loaded2\",\"params\":{\"name\":\"g\"},\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"h\"},\"sessionId\":\"S3\"}");
	say(f,
	    "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"i\"},\"sessionId\":\"0123456789012345678901234567890123456789012\"}");
	assert_events(f, "");
}

/* What takes long to parse is dropped, and what follows it is not. */
static void events_that_are_too_long_are_dropped(void **state)
{
	struct fixture *f = *state;

	say(f, "{\"method\":\"Page.short\",\"params\":{\"name\":\"a\",\"text\":\"0123456789012345678901234567890123456789\"},"
	       "\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.short\",\"params\":{\"name\":\"b\"},\"sessionId\":\"S1\"}");
	assert_events(f, "S1:b ");
}

static void send_event(struct fixture *f, const char *method, size_t len)
{
	_cleanup_(str_done) struct str text = {};
	char *padding = must(malloc(len));

	memset(padding, 'x', len);
	str_appendf(&text, "{\"method\":\"%s\",\"params\":{\"name\":\"a\",\"text\":\"", method);
	str_append_len(&text, padding, len);
	str_append(&text, "\"},\"sessionId\":\"S1\"}");
	cdp_receive(f->cdp, text.data, text.len);
	free(padding);
}

static void events_have_a_limit_unless_they_say_otherwise(void **state)
{
	struct fixture *f = *state;

	send_event(f, "Page.loaded", LIMIT_CDP_EVENT);
	assert_events(f, "");
	send_event(f, "Page.long", LIMIT_CDP_EVENT);
	assert_events(f, "S1:a ");
}

/* Members may come in any order, and pages write texts that look like them. */
static void only_members_of_the_message_itself_count(void **state)
{
	struct fixture *f = *state;

	say(f, "{\"sessionId\":\"S1\",\"params\":{\"name\":\"a\"},\"method\":\"Page.loaded\"}");
	assert_events(f, "S1:a ");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"x\":1,\"sessionId\":\"S2\"}}");
	assert_events(f, ": ");
	say(f,
	    "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"b\",\"x\":\",\\\"sessionId\\\":\\\"S2\\\"}\"},\"sessionId\":\"S1\"}");
	assert_events(f, "S1:b ");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"c\"},\"x\":\",\\\"sessionId\\\":\\\"S2\"}");
	assert_events(f, ":c ");
	say(f, "{\"params\":{\"method\":\"Page.tick\",\"name\":\"d\"},\"method\":\"Page.loaded\",\"sessionId\":\"S2\"}");
	assert_events(f, "S2:d ");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"e\"},\"sessionId\":\"S1\",\"more\":\"x\"}");
	assert_events(f, "S1:e ");
}

static void ignore_event(struct engine_meter *m, struct engine_target *s, double cost)
{
}

static void on_charged(struct engine_meter *m, size_t bytes)
{
	CONTAINER_OF(m, struct fixture, meter)->charged += bytes;
}

static void assert_charged(struct fixture *f, const char *sent)
{
	expect_sent(f, sent);
	assert_int_equal(f->charged, strlen(sent));
	f->charged = 0;
}

static void what_an_event_makes_us_send_is_charged(void **state)
{
	struct fixture *f = *state;
	struct engine_meter *before;

	f->meter = (struct engine_meter){ .event = ignore_event, .moved = on_charged };
	engine_count(f->one, &f->meter);
	say(f, "{\"method\":\"Page.asked\",\"params\":{},\"sessionId\":\"S1\"}");
	assert_charged(f, "{\"id\":2,\"method\":\"A.answer\",\"params\":{}}");
	say(f, "{\"method\":\"Page.asked\",\"params\":{},\"sessionId\":\"S2\"}");
	cdp_post(f->one, "A.own", "{}");
	free(await_sent(f));
	free(await_sent(f));
	assert_int_equal(f->charged, 0);
	before = cdp_charge(f->one);
	cdp_post(f->two, "A.late", "{}");
	cdp_charge_again(f->one, before);
	assert_charged(f, "{\"id\":5,\"method\":\"A.late\",\"sessionId\":\"S2\",\"params\":{}}");
	say(f, "{\"method\":\"Page.left\",\"params\":{},\"sessionId\":\"S1\"}");
	free(await_sent(f));
	assert_int_equal(f->charged, 0); /* the session has gone, and its meter may have */
}

static void on_lost(struct engine_meter *m)
{
	str_append(&CONTAINER_OF(m, struct fixture, meter)->events, "lost ");
}

/* The browser reads nothing. */
static void a_session_has_a_share_of_what_waits(void **state)
{
	struct fixture *f = *state;
	struct caller *c;
	char *text = must(calloc(1, (1 << 20) + 1));
	unsigned sent = 0;

	memset(text, 'x', 1 << 20);
	f->meter = (struct engine_meter){ .event = ignore_event, .moved = on_charged, .lost = on_lost };
	engine_count(f->one, &f->meter);
	while (!f->events.len && sent++ < 64)
		cdp_post(f->one, "A.flood", "{text: ?}", text);
	assert_in_range(sent, 31, 34);
	assert_events(f, "lost ");
	assert_ended(call(f, f->one, "A.more"), -ENOBUFS, "too much waits to be sent to the browser");
	c = call(f, f->two, "A.other");
	assert_non_null(c->task);
	task_cancel(c->task, -ECANCELED, "the test is over");
	run_queued(f->loop);
	free(text);
}

static void an_event_may_free_its_session(void **state)
{
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.a");

	say(f, "{\"method\":\"Page.detached\",\"params\":{},\"sessionId\":\"S1\"}");
	assert_null(f->one);
	assert_ended(c, -ESTALE, "closed");
	say(f, "{\"id\":2,\"result\":{},\"sessionId\":\"S1\"}");
	say(f, "{\"method\":\"Page.loaded\",\"params\":{\"name\":\"late\"},\"sessionId\":\"S1\"}");
	assert_events(f, "");
	free(await_sent(f));
	cdp_post(f->one, "A.post", "{}");
	assert_ended(call(f, f->one, "A.late"), -ESTALE, "closed");
	expect_nothing_sent(f);
}

/* ---- what is no message ---- */

static void malformed_messages_change_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"{\"id\":\"2\",\"result\":{},\"sessionId\":\"S1\"}",
		"{\"id\":22222222222222222222222222222,\"result\":{},\"sessionId\":\"S1\"}",
		"{\"id\":{\"id\":2},\"result\":{},\"sessionId\":\"S1\"}",
		"{\"method\":\"Page.loaded",
		"{\"method\":7,\"sessionId\":\"S1\"}",
		"{\"method\":\"Page.loaded\",\"params\":{\"name\":\"a\"",
		"{\"method\":\"Page.loaded\",\"params\":{\"name\":\"a\"},\"sessionId\":\"S1",
		"{\"method\":\"Page.loaded\",\"params\":{\"name\":\"a\xff\"},\"sessionId\":\"S1\"}",
		"{\"method\":\"Page.loaded\",\"params\":{\"name\":a},\"sessionId\":\"S1\"}",
		",\"sessionId\":\"S1\"}",
		"{\"sessionId\":\"S1\"}",
	};
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.a");

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		say(f, texts[i]);
	assert_events(f, "");
	assert_int_equal(f->closed, 0);
	assert_non_null(c->task);
	say(f, "{\"id\":2,\"result\":{\"value\":\"whole\"},\"sessionId\":\"S1\"}");
	assert_ended(c, 0, "whole");
}

static void a_malformed_reply_fails_its_call(void **state)
{
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.a"), *next;

	say(f, "{\"id\":2,\"result\":{\"value\":wrong},\"sessionId\":\"S1\"}");
	assert_ended(c, -EPROTO, "A.a failed");
	next = call(f, f->one, "A.next");
	say(f, "{\"id\":3,\"result\":{\"value\":\"next\"},\"sessionId\":\"S1\"}");
	assert_ended(next, 0, "next");
}

static void send_oversized(struct fixture *f, const char *head)
{
	size_t piece = 1u << 20;
	char *text = must(malloc(piece));

	memset(text, 'x', piece);
	send_bytes(f, head, strlen(head));
	for (size_t len = 0; len <= LIMIT_CDP_MESSAGE; len += piece)
		send_bytes(f, text, piece);
	send_bytes(f, "\"}", 3);
	free(text);
}

static void an_oversized_reply_fails_its_call(void **state)
{
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.large"), *other = call(f, f->two, "A.other");

	send_oversized(f, "{\"id\":2,\"result\":\"");
	await_end(c);
	assert_ended(c, -EMSGSIZE, "A.large");
	assert_non_null(other->task);
	say(f, "{\"id\":3,\"result\":{\"value\":\"other\"},\"sessionId\":\"S2\"}");
	assert_ended(other, 0, "other");
	assert_events(f, "");
}

/* ---- the end ---- */

static void the_end_fails_all_calls(void **state)
{
	struct fixture *f = *state;
	struct caller *callers[] = { call(f, cdp_root(f->cdp), "A.a"), call(f, f->one, "A.b"), call(f, f->two, "A.c") };

	hang_up(f);
	for (unsigned i = 0; i < 3; i++) {
		await_end(callers[i]);
		assert_ended(callers[i], -ENOTCONN, "browser has ended");
	}
	assert_int_equal(f->closed, 1);
	assert_ended(call(f, f->one, "A.late"), -ENOTCONN, "browser has ended");
	cdp_post(f->two, "A.post", "{}");
	run_queued(f->loop);
	assert_int_equal(f->closed, 1);
}

static void what_was_said_before_the_end_counts(void **state)
{
	static const char last[] = "{\"id\":2,\"result\":{\"value\":\"last\"}}";
	struct fixture *f = *state;
	struct caller *c = call(f, cdp_root(f->cdp), "A.a"), *other = call(f, cdp_root(f->cdp), "A.b");

	send_bytes(f, last, sizeof(last));
	send_bytes(f, "{\"id\":3", 7); /* half a message */
	hang_up(f);
	await_end(other);
	assert_ended(c, 0, "last");
	assert_ended(other, -ENOTCONN, "browser has ended");
}

static void sessions_outlive_the_connection(void **state)
{
	struct fixture *f = *state;
	struct caller *c = call(f, f->one, "A.a");

	f->cdp = cdp_free(f->cdp);
	await_end(c);
	assert_ended(c, -ENOTCONN, "browser has ended");
	assert_ended(call(f, f->one, "A.late"), -ENOTCONN, "browser has ended");
	cdp_post(f->one, "A.post", "{}");
	assert_int_equal(f->closed, 0); /* it was no event */
}

static void on_outlived(struct engine_call *call, void *replies)
{
	++*(unsigned *)replies;
}

static void a_request_can_outlive_its_session(void **state)
{
	struct fixture *f = *state;
	struct engine_call first = {}, moved = {};
	unsigned replies = 0;

	assert_int_equal(cdp_request(f->one, &first, on_outlived, &replies, "Page.first", "{}"), 0);
	free(await_sent(f));
	engine_outlive(&first, &moved, on_outlived, &replies);
	assert_null(first.target);
	f->one = engine_target_free(f->one);
	assert_int_equal(replies, 0);
	say(f, "{\"id\":2,\"result\":{},\"sessionId\":\"S1\"}");
	assert_int_equal(replies, 1);
	assert_int_equal(moved.result, 0);
	engine_call_done(&moved);
}

static void a_target_without_a_session_is_not_left_paused(void **state)
{
	struct fixture *f = *state;
	struct engine_target **more = calloc(LIMIT_CDP_SESSIONS_COUNT, sizeof(*more));
	unsigned count = 0;
	char id[16];

	do
		snprintf(id, sizeof(id), "T%u", count);
	while ((more[count] = cdp_session_new(f->cdp, id, NULL, NULL)) && ++count < LIMIT_CDP_SESSIONS_COUNT);
	assert_in_range(count, LIMIT_CDP_SESSIONS_COUNT - 5, LIMIT_CDP_SESSIONS_COUNT - 1);
	cdp_session_refuse(cdp_root(f->cdp), id);
	expect_sent(f, "{\"id\":2,\"method\":\"Runtime.runIfWaitingForDebugger\",\"sessionId\":\"T9997\",\"params\":{}}");
	expect_sent(f, "{\"id\":3,\"method\":\"Target.detachFromTarget\",\"params\":{\"sessionId\":\"T9997\"}}");
	cdp_session_refuse(cdp_root(f->cdp), "S1"); /* which is attached to */
	cdp_session_refuse(cdp_root(f->cdp), "");
	expect_nothing_sent(f);
	for (unsigned i = 0; i < count; i++)
		engine_target_free(more[i]);
	free(more);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_request_can_outlive_its_session),
		TEST(a_target_without_a_session_is_not_left_paused),
		TEST(it_is_open_with_the_first_reply),
		TEST(messages_are_numbered_and_addressed),
		TEST(each_reply_ends_its_own_call),
		TEST(a_reply_may_come_in_pieces),
		TEST(several_calls_can_be_sent_before_the_first_is_awaited),
		TEST(a_refusal_is_reported_with_its_text),
		TEST(a_refusal_because_the_document_was_replaced_is_recognized),
		TEST(a_reply_counts_only_in_the_session_of_its_call),
		TEST(a_call_that_was_given_up_gets_no_reply),
		TEST(events_reach_the_session_that_they_name),
		TEST(events_that_are_too_long_are_dropped),
		TEST(events_have_a_limit_unless_they_say_otherwise),
		TEST(only_members_of_the_message_itself_count),
		TEST(what_an_event_makes_us_send_is_charged),
		TEST(a_session_has_a_share_of_what_waits),
		TEST(a_session_has_a_share_of_what_waits),
		TEST(an_event_may_free_its_session),
		TEST(malformed_messages_change_nothing),
		TEST(a_malformed_reply_fails_its_call),
		TEST(an_oversized_reply_fails_its_call),
		TEST(the_end_fails_all_calls),
		TEST(what_was_said_before_the_end_counts),
		TEST(sessions_outlive_the_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
