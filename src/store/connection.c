/*
 * The connection of a store. A command waits in `waiting` until the connection is ready, then in `sent` until its reply arrives: replies
 * come in the order of commands, so a command whose task has given up stays there, without its task.
 *
 * Each command has its own deadline. One that passes without a reply ends the connection, because all later replies are behind it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "base/display.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/dial.h"
#include "loop/transport_kind.h"
#include "store/address.h"
#include "store/internal.h"

#define PAUSE_FIRST (100 * USEC_PER_MSEC) /* after the first failed attempt; doubled after each */
#define REFUSAL_SHOWN 300                 /* bytes of the text of a refusal */
#define NOT_REDIS "what listens there does not speak the protocol of Redis"

enum state { STATE_OFF, STATE_DIALLING, STATE_OPENING, STATE_GREETING, STATE_READY };

struct command {
	TAILQ_ENTRY(command) link;
	struct task *task; /* NULL: it has given up, or the command is a greeting */
	struct str text;
	bool repeatable, repeated, sent, ended;
	struct resp *reply; /* NULL when it has ended: there is none */
};
TAILQ_HEAD(commands, command);

struct store {
	struct loop *loop;
	const struct store_options *options;
	struct store_address address;
	struct str described;

	enum state state;
	struct dial *dial;           /* of STATE_DIALLING */
	struct transport *transport; /* of the states behind it */
	struct resp_reader *reader;  /* likewise */
	unsigned greetings;          /* that are not answered */
	bool answered;               /* a command, on this connection */
	struct timer *timer;         /* ends an attempt that takes too long, or begins the next one */
	usec_t pause, not_before;    /* before the next attempt */

	struct commands waiting, sent;
	size_t pending; /* bytes of all commands */
	unsigned count; /* of them */
	struct waitq room;
	struct failure failure; /* of the last connection or attempt */
};

/* A transport with the framing of the store's protocol. */
struct store_transport {
	struct transport transport;
	struct store *store;
};

static void connection_advance(struct store *s);

/* ---- commands ---- */

static bool connection_has_room(const struct store *s)
{
	return s->pending <= LIMIT_STORE_PENDING && s->count < LIMIT_STORE_COMMANDS_COUNT;
}

static void command_free(struct store *s, struct command *c)
{
	s->pending -= c->text.len;
	s->count--;
	if (connection_has_room(s))
		waitq_wake(&s->room);
	resp_free(c->reply);
	str_done(&c->text);
	free(c);
}

/* Its task frees it; without one, nobody else would. */
static void end_command(struct store *s, struct command *c, struct resp *reply)
{
	c->ended = true;
	c->reply = reply;
	if (c->task)
		task_wake(c->task);
	else
		command_free(s, c);
}

static void end_all(struct store *s, struct commands *list)
{
	struct command *c;

	while ((c = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, c, link);
		end_command(s, c, NULL);
	}
}

/* Commands that may be sent again go back to where they waited, before those that were not sent. */
static void end_sent(struct store *s)
{
	struct commands again = TAILQ_HEAD_INITIALIZER(again);
	struct command *c;

	while ((c = TAILQ_FIRST(&s->sent))) {
		TAILQ_REMOVE(&s->sent, c, link);
		if (!c->task || !c->repeatable || c->repeated) {
			end_command(s, c, NULL);
			continue;
		}
		c->repeated = true;
		c->sent = false;
		TAILQ_INSERT_TAIL(&again, c, link);
	}
	TAILQ_CONCAT(&again, &s->waiting, link);
	TAILQ_CONCAT(&s->waiting, &again, link);
}

/* ---- the connection ---- */

/* Before the next attempt. A connection that has answered was a good one. */
static usec_t next_pause(const struct store *s)
{
	usec_t doubled = s->pause ? 2 * s->pause : PAUSE_FIRST;

	return s->answered ? 0 : MIN(doubled, (usec_t)LIMIT_STORE_PAUSE);
}

static void close_connection(struct store *s)
{
	s->dial = dial_free(s->dial);
	s->transport = transport_free(s->transport);
	s->reader = resp_reader_free(s->reader);
	s->greetings = 0;
	timer_set(s->timer, USEC_NEVER);
	s->state = STATE_OFF;
}

static void lost(struct store *s, const char *why)
{
	bool ready = s->state == STATE_READY;

	failure_set(&s->failure, -ERR_STORE_UNAVAILABLE, "%s", why);
	log_info("state store %s: %s", s->described.data, s->failure.text.data);
	close_connection(s);
	s->pause = next_pause(s);
	s->not_before = clock_now() + s->pause;
	s->answered = false;
	end_sent(s);
	if (!ready)
		end_all(s, &s->waiting);
	connection_advance(s);
}

static void connection_on_timer(void *data)
{
	struct store *s = data;

	if (s->state == STATE_OFF)
		connection_advance(s);
	else
		lost(s, "there is no answer");
}

static void send_command(struct store *s, struct command *c)
{
	c->sent = true;
	TAILQ_INSERT_TAIL(&s->sent, c, link);
	transport_send(s->transport, c->text.data, c->text.len); /* a failure ends the connection, from the loop */
}

static void send_waiting(struct store *s)
{
	struct command *c;

	while ((c = TAILQ_FIRST(&s->waiting))) {
		TAILQ_REMOVE(&s->waiting, c, link);
		send_command(s, c);
	}
}

static struct command *command_new(struct store *s, const struct resp_word *words, size_t count)
{
	struct command *c = NEW(struct command);

	resp_format(&c->text, words, count);
	s->pending += c->text.len;
	s->count++;
	return c;
}

static struct resp_word connection_word(const char *text)
{
	return (struct resp_word){ text, strlen(text) };
}

static void greet_with(struct store *s, const struct resp_word *words, size_t count)
{
	s->greetings++;
	send_command(s, command_new(s, words, count));
}

static void become_ready(struct store *s)
{
	s->state = STATE_READY;
	timer_set(s->timer, USEC_NEVER);
	send_waiting(s);
}

/* AUTH with a user is of Redis 6; older ones know the password alone. */
static void greet(struct store *s)
{
	const struct store_address *a = &s->address;
	const char *password = s->options->password ? s->options->password : str_text(&a->password);
	char database[16];

	s->state = STATE_GREETING;
	if (a->user.len > 0)
		greet_with(s,
			   (const struct resp_word[]){ connection_word("AUTH"), connection_word(a->user.data),
						       connection_word(password) },
			   3);
	else if (*password)
		greet_with(s, (const struct resp_word[]){ connection_word("AUTH"), connection_word(password) }, 2);
	snprintf(database, sizeof(database), "%u", a->database);
	if (a->database)
		greet_with(s, (const struct resp_word[]){ connection_word("SELECT"), connection_word(database) }, 2);
	if (!s->greetings)
		become_ready(s);
}

/* ---- what is received ---- */

static void append_refusal(struct str *out, const struct resp *reply)
{
	_cleanup_(str_done) struct str shown = {};

	str_append_len(&shown, str_text(&reply->text), MIN(reply->text.len, (size_t)REFUSAL_SHOWN));
	display_line(out, str_text(&shown));
}

/* False: the connection ends. */
static bool connection_take_greeting(struct store *s, const struct resp *reply)
{
	_cleanup_(str_done) struct str why = {};

	if (reply->kind == RESP_ERROR) {
		str_append(&why, "it refuses the connection: ");
		append_refusal(&why, reply);
		transport_disconnect(s->transport, why.data);
		return false;
	}
	if (reply->kind != RESP_STATUS) {
		transport_disconnect(s->transport, NOT_REDIS);
		return false;
	}
	if (--s->greetings == 0)
		become_ready(s);
	return true;
}

/* False: the connection ends. */
static bool take_reply(struct store *s, struct resp *reply)
{
	struct command *c = TAILQ_FIRST(&s->sent);
	bool ok = true;

	if (!c) {
		transport_disconnect(s->transport, "it answers what it was not asked");
		resp_free(reply);
		return false;
	}
	TAILQ_REMOVE(&s->sent, c, link);
	if (s->state == STATE_GREETING)
		ok = connection_take_greeting(s, reply);
	else
		s->answered = true;
	end_command(s, c, reply);
	return ok;
}

static size_t connection_take(struct transport *t)
{
	struct store *s = CONTAINER_OF(t, struct store_transport, transport)->store;
	struct resp *reply;
	int r;

	r = resp_reader_feed(s->reader, t->in.data, t->in.len);
	while (r == 0) {
		r = resp_reader_next(s->reader, &reply);
		if (r <= 0)
			break;
		r = take_reply(s, reply) ? 0 : -ENOTCONN;
	}
	if (r == -EPROTO)
		transport_disconnect(t, NOT_REDIS);
	return t->in.len;
}

static void connection_append(struct transport *t, const char *text, size_t len)
{
	str_append_len(&t->out, text, len);
}

static const struct transport_kind resp_transport = { .append = connection_append,
						      .ready = transport_opened,
						      .take = connection_take };

static void connection_on_open(void *data)
{
	greet(data);
}

static void connection_on_closed(const char *reason, void *data)
{
	lost(data, reason);
}

static const struct transport_handler handler = { .open = connection_on_open, .closed = connection_on_closed };

static void connection_on_dialled(const struct dial_result *result, void *data)
{
	struct store *s = data;
	struct store_transport *link;

	if (result->fd < 0) {
		lost(s, result->failure);
		return;
	}
	link = NEW(struct store_transport);
	link->store = s;
	s->reader = resp_reader_new();
	s->transport = &link->transport;
	s->state = STATE_OPENING;
	transport_init(s->transport, &resp_transport, s->loop, 0, &handler, s);
	transport_begin(s->transport, result->fd,
			&(const struct request){
				.host = s->address.host, .tls = s->address.tls, .authorities = s->options->authorities });
}

/* Sends what waits, or brings the connection nearer to that. */
static void connection_advance(struct store *s)
{
	if (TAILQ_EMPTY(&s->waiting))
		return;
	if (s->state == STATE_READY) {
		send_waiting(s);
	} else if (s->state == STATE_OFF && clock_now() < s->not_before) {
		timer_set(s->timer, s->not_before);
	} else if (s->state == STATE_OFF) {
		s->state = STATE_DIALLING;
		timer_set(s->timer, clock_now() + LIMIT_STORE_TIME);
		s->dial = dial_new(s->loop, s->address.host, s->address.port, connection_on_dialled, s);
	}
}

/* ---- calls ---- */

static int connection_fail_missing(struct task *t, const struct store *s, const struct command *c)
{
	const char *address = s->described.data;
	int r = task_fail_of(t, &s->failure);

	if (!c->sent && !c->repeated)
		return task_wrap(t, r, -ERR_STORE_UNAVAILABLE,
				 arena_printf(task_arena(t), "the state store %s cannot be used (", address),
				 "). Nothing was changed");
	return task_wrap(t, r, -ERR_STORE_UNAVAILABLE,
			 arena_printf(task_arena(t), "the connection to the state store %s was lost before it answered (", address),
			 c->repeatable ? ")" : "), so whether this was done is not known");
}

/* The command's own time is over, not only that of the call that it is for. */
static int fail_late(struct task *t, struct store *s, bool sent)
{
	task_fail(t, -ERR_STORE_UNAVAILABLE, "the state store %s has not answered within %llu seconds%s", s->described.data,
		  LIMIT_STORE_TIME / USEC_PER_SEC, sent ? "" : ". Nothing was changed");
	if (s->state != STATE_OFF)
		lost(s, "there is no answer");
	return -ERR_STORE_UNAVAILABLE;
}

static int wait_for_room(struct task *t, struct store *s)
{
	int r = 0;

	while (r == 0 && !connection_has_room(s))
		r = waitq_wait(t, &s->room, "the state store's queue");
	return r;
}

/* The task waits no longer. A command that was sent keeps its place, for the replies behind it. */
static void connection_give_up(struct store *s, struct command *c)
{
	c->task = NULL;
	if (c->sent)
		return;
	TAILQ_REMOVE(&s->waiting, c, link);
	command_free(s, c);
}

static int connection_fail_refused(struct task *t, const struct store *s, const struct resp_word *command, const struct resp *reply)
{
	_cleanup_(str_done) struct str why = {};

	append_refusal(&why, reply);
	return task_fail(t, -ERR_STORE_UNAVAILABLE, "the state store %s refuses %s: %s", s->described.data, command->text,
			 why.data);
}

/* The end of a command whose reply is there, or will never be. */
static int connection_finish(struct task *t, struct store *s, struct command *c, const struct resp_word *name, struct resp **ret)
{
	int r = 0;

	if (!c->reply)
		r = connection_fail_missing(t, s, c);
	else if (c->reply->kind == RESP_ERROR)
		r = connection_fail_refused(t, s, name, c->reply);
	else
		*ret = TAKE_PTR(c->reply);
	command_free(s, c);
	return r;
}

/* Sends the command and waits. `ret_sent`: whether the store has it, when there is no reply. */
static int connection_run(struct task *t, struct store *s, struct command *c, const struct resp_word *name, struct resp **ret,
			  bool *ret_sent)
{
	int r = 0;

	c->task = t;
	TAILQ_INSERT_TAIL(&s->waiting, c, link);
	connection_advance(s);
	while (r == 0 && !c->ended)
		r = task_wait(t, "the state store");
	if (c->ended)
		return connection_finish(t, s, c, name, ret);
	*ret_sent = c->sent || c->repeated;
	connection_give_up(s, c);
	return r;
}

int store_call(struct task *t, struct store *s, const struct resp_word *words, size_t count, bool repeatable, struct resp **ret)
{
	usec_t deadline = task_deadline(t), own = clock_now() + LIMIT_STORE_TIME;
	struct command *c;
	bool sent = false;
	int r;

	for (size_t i = 0; i < count; i++)
		if (words[i].len > LIMIT_STORE_VALUE || memchr(words[i].text, '\0', words[i].len))
			return task_fail(t, -ERR_INVALID_PARAMETERS,
					 "%zu bytes are too much for the state store, which takes %u, without NUL", words[i].len,
					 LIMIT_STORE_VALUE);
	task_set_deadline(t, MIN(deadline, own));
	r = wait_for_room(t, s);
	if (r == 0) {
		c = command_new(s, words, count);
		c->repeatable = repeatable;
		r = connection_run(t, s, c, words, ret, &sent);
	}
	task_set_deadline(t, deadline);
	return r == -ETIMEDOUT && own <= deadline ? fail_late(t, s, sent) : r;
}

int store_wrong_reply(struct task *t, struct store *s, const char *command)
{
	if (s->state != STATE_OFF)
		lost(s, NOT_REDIS);
	return task_fail(t, -ERR_STORE_UNAVAILABLE, "the state store %s has no usable answer to %s", s->described.data, command);
}

/* ---- construction ---- */

bool store_is_built(void)
{
	return resp_available;
}

bool store_address_is_valid(const char *url)
{
	struct store_address a;
	bool ok = store_address_parse(url, &a);

	store_address_done(&a);
	return ok;
}

const char *store_address(const struct store *s)
{
	return s->described.data;
}

struct store *store_new(struct loop *l, const struct store_options *o)
{
	struct store *s = NEW(struct store);

	s->loop = l;
	s->options = o;
	store_address_parse(o->url, &s->address);
	store_address_describe(&s->address, &s->described);
	s->timer = timer_new(l, connection_on_timer, s);
	TAILQ_INIT(&s->waiting);
	TAILQ_INIT(&s->sent);
	waitq_init(&s->room);
	return s;
}

struct store *store_free(struct store *s)
{
	if (!s)
		return NULL;
	close_connection(s);
	end_all(s, &s->sent);
	timer_free(s->timer);
	store_address_done(&s->address);
	str_done(&s->described);
	failure_done(&s->failure);
	free(s);
	return NULL;
}
