/* Control of a session by a person: which calls wait for it, what they are told, and how it ends. */
#include "session_fixture.h"

#include <errno.h>
#include <string.h>

#include "loop/gate.h"
#include "session/control.h"
#include "session/record.h"
#include "session/user_request.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
#define ALICE 7u
#define BOB 8u
#define MOMENT (20 * USEC_PER_MSEC)

static int take(struct fixture *f, const char *id, uint64_t viewer, const char *name)
{
	return session_take_over(f->registry, 1, id, &(const struct control_claim){ .viewer = viewer, .name = name });
}

static struct control_state control_of(struct fixture *f, const char *id)
{
	struct control_state state;

	assert_true(session_control(f->registry, 1, id, &state));
	return state;
}

/* Calls wait for an hour, and control does not end by itself, unless a test says otherwise. */
static void begin(struct fixture *f, char id[SESSION_ID_SIZE])
{
	assert_int_equal(create(f, 1, id), 0);
	assert_false(control_of(f, id).taken);
}

/* ---- who has it ---- */

static void a_person_takes_over_and_hands_back(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	assert_true(control_of(f, id).taken);
	assert_int_equal(control_of(f, id).viewer, ALICE);
	assert_string_equal(control_of(f, id).name, "Alice");
	assert_true(control_of(f, id).since > 0);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	assert_true(session_control_use(f->registry, 1, id, ALICE));
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_false(control_of(f, id).taken);
	assert_string_equal(control_of(f, id).name, "");
	assert_int_equal(control_of(f, id).since, 0);
	assert_false(session_control_use(f->registry, 1, id, ALICE));
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), -EPERM);
}

static int run_new_tab(struct task *t, void *data)
{
	struct call *c = data;
	_cleanup_(page_unrefp) struct page *p = NULL;

	return context_open_page(t, page_context(registry_page(c->f->registry, 1, c->id)), &p);
}

static void nothing_is_recorded_while_a_person_has_control(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct page *p = NULL;
	unsigned pages = 0;

	begin(f, id);
	assert_false(page_is_private(registry_page(f->registry, 1, id)));
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	expect(f, 1, id, run_new_tab, 0, ""); /* as a page does */
	while ((p = registry_next_page(f->registry, 1, id, p))) {
		assert_true(page_is_private(p));
		pages++;
	}
	assert_int_equal(pages, 2);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	while ((p = registry_next_page(f->registry, 1, id, p)))
		assert_false(page_is_private(p));
}

/* A recorder whose record is only that there is one. */
struct scribe {
	struct session_recorder recorder;
	unsigned finished, ended;
	bool done;
};

static int scribe_begin(struct task *t, struct session *s, struct context *c, void *data)
{
	session_set_record(s, data);
	return 0;
}

static void scribe_finish(struct task *t, struct session *s, void *record)
{
	((struct scribe *)record)->finished++;
}

static void scribe_end(void *record, const char *why)
{
	struct scribe *x = record;

	assert_int_equal(x->finished, 1);
	x->ended++;
}

static void scribe_done(void *data)
{
	((struct scribe *)data)->done = true;
}

static void a_record_is_finished_while_a_person_has_control(void **state)
{
	struct fixture *f = *state;
	static struct scribe x = { .recorder = { scribe_begin, scribe_finish, scribe_end, &x } };
	char id[SESSION_ID_SIZE];

	registry_set_recorder(f->registry, &x.recorder);
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	visit(f, 1, id);
	registry_finish_records(f->registry, scribe_done, &x);
	run_queued(loop);
	assert_int_equal(x.finished, 1);
	assert_int_equal(x.ended, 1);
	assert_true(x.done);
	assert_true(control_of(f, id).taken);
}

static void another_person_is_refused_or_takes_it_from_the_first(void **state)
{
	struct fixture *f = *state;
	const struct control_claim claim = { .viewer = BOB, .takes_from = true };
	char id[SESSION_ID_SIZE];

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	assert_int_equal(take(f, id, BOB, "Bob"), -EBUSY);
	assert_string_equal(control_of(f, id).name, "Alice");
	assert_int_equal(session_hand_back(f->registry, 1, id, BOB), -EPERM);
	assert_false(session_control_use(f->registry, 1, id, BOB));
	assert_int_equal(session_take_over(f->registry, 1, id, &claim), 0);
	assert_int_equal(control_of(f, id).viewer, BOB);
	assert_string_equal(control_of(f, id).name, "");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), -EPERM);
	assert_true(control_of(f, id).taken);
}

static void sessions_of_other_owners_do_not_exist(void **state)
{
	struct fixture *f = *state;
	struct control_state none;
	char id[SESSION_ID_SIZE];

	begin(f, id);
	assert_int_equal(session_take_over(f->registry, 2, id, &(const struct control_claim){ .viewer = BOB }),
			 -ERR_SESSION_NOT_FOUND);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	assert_int_equal(session_hand_back(f->registry, 2, id, ALICE), -ERR_SESSION_NOT_FOUND);
	assert_false(session_control(f->registry, 2, id, &none));
	assert_false(session_control_use(f->registry, 2, id, ALICE));
}

static void a_long_name_is_cut_between_characters(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE], name[2 * LIMIT_VIEWER_NAME] = "x";
	size_t length;

	for (size_t i = 1; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "\xc3\xa9", 2);
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, name), 0);
	length = strlen(control_of(f, id).name);
	assert_int_equal(length, LIMIT_VIEWER_NAME - 1);
	assert_memory_equal(control_of(f, id).name, name, length);
}

/* ---- calls ---- */

static void calls_wait_in_their_order_until_the_person_hands_back(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b, *c;

	begin(f, id);
	a = visit(f, 1, id);
	b = visit(f, 1, id);
	assert_true(a->inside);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	c = visit(f, 1, id);
	assert_true(control_of(f, id).agent_acts); /* the first is in its step */
	assert_string_equal(gate_words(c->task), "waiting for a person, who has control of the session (Alice)");
	let_leave(a);
	run_queued(loop);
	assert_false(b->inside);
	assert_false(control_of(f, id).agent_acts);
	assert_int_equal(control_of(f, id).waiting, 2);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	await_inside(b);
	assert_null(gate_words(b->task));
	assert_false(c->inside);
	let_leave(b);
	await_inside(c);
	let_leave(c);
	assert_string_equal(f->events.data, "aabbcc");
}

static void calls_fail_when_their_patience_is_over(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b;

	f->options.control.patience = MOMENT;
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	a = visit(f, 1, id);
	b = visit(f, 1, id);
	assert_failure(a, -ERR_USER_HAS_CONTROL, "a person (Alice) has had control of session ");
	assert_failure(b, -ERR_USER_HAS_CONTROL, "this call has done nothing. Call again: it waits until");
	assert_string_equal(str_text(&f->events), "");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	expect(f, 1, id, run_visit, 0, "");
}

/* A call that passes a gate in the session, as tools do before they act. */
static int run_step(struct task *t, void *data)
{
	struct call *c = data;
	struct session *s;
	int r;

	r = session_enter(t, c->f->registry, c->owner, c->id, &s);
	if (r < 0)
		return r;
	c->inside = true;
	while (r == 0 && !c->may_leave)
		r = task_wait(t, "the test");
	if (r == 0)
		r = gate_pass(t);
	session_leave(s);
	return r;
}

static void a_call_finishes_its_step_and_then_waits(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	begin(f, id);
	a = start(call_new(f, 1, id), run_step);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a->may_leave = true;
	task_wake(a->task);
	run_queued(loop);
	assert_non_null(a->task);
	assert_false(control_of(f, id).agent_acts);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_int_equal(await_end(a), 1);
	assert_int_equal(start(call_new(f, 1, id), run_step)->result, 0);
	f->calls[1].may_leave = true;
	task_wake(f->calls[1].task);
	assert_int_equal(await_end(&f->calls[1]), 0);
}

static void a_call_that_stops_midway_says_so(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	f->options.control.patience = MOMENT;
	begin(f, id);
	a = start(call_new(f, 1, id), run_step);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a->may_leave = true;
	task_wake(a->task);
	assert_failure(a, -ERR_USER_HAS_CONTROL, "a person has had control of session ");
	assert_non_null(strstr(a->failure.data, "this call stopped midway: look at the page"));
}

static void a_call_that_waits_is_cancelled_at_once(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b;

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a = visit(f, 1, id);
	b = visit(f, 1, id);
	task_cancel(a->task, -ERR_NO_SERVER, "given up");
	assert_failure(a, -ERR_NO_SERVER, "given up");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	await_inside(b);
	let_leave(b);
}

static int run_look(struct task *t, void *data)
{
	struct call *c = data;
	struct session *s;
	int r = session_enter_as_is(t, c->f->registry, c->owner, c->id, &s);

	if (r == 0)
		session_leave_as_is(s);
	return r;
}

static void what_only_looks_passes_the_calls_that_wait(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a = visit(f, 1, id);
	expect(f, 1, id, run_look, 0, "");
	assert_false(a->inside);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	await_inside(a);
	let_leave(a);
}

/* ---- the session ---- */

static void closing_ends_control_and_the_calls_that_wait(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a = visit(f, 1, id);
	expect(f, 1, id, run_close, 0, "");
	assert_failure(a, -ERR_SESSION_NOT_FOUND, "was closed");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), -ERR_SESSION_NOT_FOUND);
}

static void control_ends_with_the_browser(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a = visit(f, 1, id);
	registry_browser_died(f->registry, browser);
	assert_failure(a, -ERR_BROWSER_ERROR, "the browser died");
	assert_int_equal(take(f, id, BOB, NULL), -ERR_SESSION_NOT_FOUND);
}

static void a_session_under_control_does_not_expire(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	f->options.timeout = MOMENT;
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	run_until(clock_now() + 3 * MOMENT);
	assert_true(control_of(f, id).taken);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	run_until(clock_now() + 3 * MOMENT);
	expect(f, 1, id, run_knows, -ERR_SESSION_EXPIRED, "without use");
}

static void control_that_nobody_uses_is_handed_back(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	f->options.control.unused = MOMENT;
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	a = visit(f, 1, id);
	await_inside(a);
	assert_false(control_of(f, id).taken);
	let_leave(a);
}

static void a_viewer_that_stays_away_hands_back(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a;

	f->options.control.absent = MOMENT;
	begin(f, id);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	session_control_presence(f->registry, 1, id, BOB, false);
	session_control_presence(f->registry, 1, id, ALICE, false);
	session_control_presence(f->registry, 1, id, ALICE, true);
	run_until(clock_now() + 3 * MOMENT);
	assert_true(control_of(f, id).taken);
	session_control_presence(f->registry, 1, id, ALICE, false);
	a = visit(f, 1, id);
	await_inside(a);
	assert_false(control_of(f, id).taken);
	let_leave(a);
}

struct witness {
	struct control_watcher watcher;
	struct fixture *f;
	unsigned changes;
	bool taken;
};

static void on_control(struct control_watcher *w, uint64_t owner, const char *id)
{
	struct witness *x = CONTAINER_OF(w, struct witness, watcher);
	struct control_state state = {};

	assert_int_equal(owner, 1);
	x->changes++;
	session_control(x->f->registry, owner, id, &state);
	x->taken = state.taken;
}

static void watchers_are_told_of_changes(void **state)
{
	struct fixture *f = *state;
	struct witness x = { .watcher.changed = on_control, .f = f };
	char id[SESSION_ID_SIZE];

	begin(f, id);
	registry_watch_control(f->registry, &x.watcher);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	assert_int_equal(x.changes, 1);
	assert_true(x.taken);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	assert_int_equal(take(f, id, BOB, NULL), -EBUSY);
	assert_int_equal(x.changes, 1);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_int_equal(x.changes, 2);
	assert_false(x.taken);
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	registry_end(f->registry, 1, id);
	assert_int_equal(x.changes, 4);
	registry_unwatch_control(&x.watcher);
}

static void the_next_answer_says_what_has_changed(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str notice = {};
	char id[SESSION_ID_SIZE];

	begin(f, id);
	assert_int_equal(take(f, id, ALICE, "Alice\n"), 0);
	expect(f, 1, id, run_new_tab, 0, "");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_true(registry_next_notice(f->registry, 1, id, &notice));
	assert_string_equal(notice.data,
			    "A person (Alice\\n) had control of this session for 0 s, 1 tab was opened. What you have seen of "
			    "the page may have changed.");
	str_reset(&notice);
	assert_false(registry_next_notice(f->registry, 1, id, &notice));
	assert_int_equal(take(f, id, ALICE, NULL), 0);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_true(registry_next_notice(f->registry, 1, id, &notice));
	assert_string_equal(notice.data,
			    "A person had control of this session for 0 s. What you have seen of the page may have changed.");
}

/* ---- what agents ask ---- */

static const char *const colours[] = { "red", "green" };

static usec_t left_until; /* how long a request waits for its call */

static int run_request(struct task *t, void *data)
{
	struct call *c = data;
	const struct user_question question = {
		.message = "Which?", .reason = USER_DECISION, .choices = colours, .count = c->resets ? 0 : 2
	};
	_cleanup_(user_request_unrefp) struct user_request *q = NULL;
	int r = user_request_begin(c->f->registry, c->owner, c->id, &question, &q);

	while (r == 0 && q->outcome == USER_PENDING && !c->may_leave)
		r = user_request_wait(t, q);
	if (r == 0)
		str_appendf(&c->f->events, "%d:%s:%s ", (int)q->outcome, q->text ? q->text : "", q->name ? q->name : "");
	if (q && c->may_leave)
		user_request_leave(q, left_until);
	else if (q)
		user_request_withdraw(q);
	return r;
}

static struct call *request(struct fixture *f, const char *id, bool any_text)
{
	struct call *c = call_new(f, 1, id);

	c->resets = any_text;
	return start(c, run_request);
}

static const struct user_request *pending(struct fixture *f, const char *id)
{
	return session_next_user_request(f->registry, 1, id, NULL);
}

static int answer(struct fixture *f, const char *id, enum user_outcome outcome, const char *text)
{
	return session_answer_user(f->registry, 1, id, pending(f, id)->number,
				   &(const struct user_answer){ .outcome = outcome, .text = text, .name = "Alice" });
}

static void a_person_answers_what_an_agent_asks(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE], long_text[LIMIT_USER_TEXT + 2] = "";
	struct call *a, *b;

	begin(f, id);
	assert_null(pending(f, id));
	assert_int_equal(session_answer_user(f->registry, 1, id, 1, &(const struct user_answer){ .outcome = USER_DONE }), -ENOENT);
	a = request(f, id, false);
	assert_string_equal(pending(f, id)->message, "Which?");
	assert_string_equal(pending(f, id)->choices[1], "green");
	assert_null(session_next_user_request(f->registry, 2, id, NULL));
	assert_int_equal(answer(f, id, USER_ANSWERED, "blue"), -EINVAL);
	assert_int_equal(answer(f, id, USER_ANSWERED, NULL), -EINVAL);
	assert_int_equal(answer(f, id, USER_PENDING, "red"), -EINVAL);
	memset(long_text, 'x', LIMIT_USER_TEXT + 1);
	assert_int_equal(answer(f, id, USER_DECLINED, long_text), -EINVAL);
	assert_int_equal(answer(f, id, USER_ANSWERED, "green"), 0);
	assert_int_equal(await_end(a), 0);
	b = request(f, id, true);
	assert_int_equal(answer(f, id, USER_DECLINED, "not now"), 0);
	assert_int_equal(await_end(b), 0);
	assert_string_equal(f->events.data, "3:green:Alice 4:not now:Alice ");
	assert_null(pending(f, id));
}

static void handing_back_answers_all_requests(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b;

	f->options.control.unused = MOMENT;
	begin(f, id);
	a = request(f, id, false);
	b = request(f, id, true);
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	run_until(clock_now() + 3 * MOMENT); /* it is handed back by itself, which is no answer */
	assert_false(control_of(f, id).taken);
	assert_non_null(pending(f, id));
	assert_int_equal(take(f, id, ALICE, "Alice"), 0);
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	assert_int_equal(await_end(a), 0);
	assert_int_equal(await_end(b), 0);
	assert_string_equal(f->events.data, "1::Alice 1::Alice ");
}

static void a_call_that_comes_back_finds_its_request(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	unsigned number;
	struct call *a, *b;

	begin(f, id);
	left_until = USEC_NEVER;
	a = request(f, id, false);
	number = pending(f, id)->number;
	let_leave(a);
	assert_int_equal(pending(f, id)->number, number);
	a = request(f, id, true);
	assert_int_equal(session_next_user_request(f->registry, 1, id, pending(f, id))->number, number + 1);
	b = request(f, id, false);
	assert_null(session_next_user_request(f->registry, 1, id, session_next_user_request(f->registry, 1, id, pending(f, id))));
	task_cancel(a->task, -ERR_NO_SERVER, "given up");
	assert_failure(a, -ERR_NO_SERVER, "given up");
	assert_int_equal(pending(f, id)->number, number);
	assert_null(session_next_user_request(f->registry, 1, id, pending(f, id)));
	left_until = clock_now() + MOMENT;
	let_leave(b);
	assert_int_equal(pending(f, id)->number, number);
	run_until(clock_now() + 3 * MOMENT);
	assert_null(pending(f, id));
}

static void an_answer_waits_for_the_call_that_comes_back(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	begin(f, id);
	left_until = clock_now() + HOUR;
	let_leave(request(f, id, false));
	assert_int_equal(answer(f, id, USER_ANSWERED, "red"), 0);
	assert_null(pending(f, id));
	assert_int_equal(await_end(request(f, id, false)), 0);
	assert_string_equal(f->events.data, "0:: 3:red:Alice ");
}

static void requests_have_a_limit_and_end_with_the_session(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *c[LIMIT_USER_REQUESTS_COUNT];

	f->options.timeout = MOMENT;
	begin(f, id);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		c[i] = request(f, id, false);
	assert_int_equal(await_end(request(f, id, true)), -EAGAIN);
	run_until(clock_now() + 3 * MOMENT);
	expect(f, 1, id, run_close, 0, "");
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		assert_int_equal(await_end(c[i]), 0);
	assert_string_equal(f->events.data, "5:: 5:: 5:: 5:: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_person_takes_over_and_hands_back),
		TEST(nothing_is_recorded_while_a_person_has_control),
		TEST(a_record_is_finished_while_a_person_has_control),
		TEST(another_person_is_refused_or_takes_it_from_the_first),
		TEST(sessions_of_other_owners_do_not_exist),
		TEST(a_long_name_is_cut_between_characters),
		TEST(calls_wait_in_their_order_until_the_person_hands_back),
		TEST(calls_fail_when_their_patience_is_over),
		TEST(a_call_finishes_its_step_and_then_waits),
		TEST(a_call_that_stops_midway_says_so),
		TEST(a_call_that_waits_is_cancelled_at_once),
		TEST(what_only_looks_passes_the_calls_that_wait),
		TEST(closing_ends_control_and_the_calls_that_wait),
		TEST(control_ends_with_the_browser),
		TEST(a_session_under_control_does_not_expire),
		TEST(control_that_nobody_uses_is_handed_back),
		TEST(a_viewer_that_stays_away_hands_back),
		TEST(watchers_are_told_of_changes),
		TEST(the_next_answer_says_what_has_changed),
		TEST(a_person_answers_what_an_agent_asks),
		TEST(handing_back_answers_all_requests),
		TEST(a_call_that_comes_back_finds_its_request),
		TEST(an_answer_waits_for_the_call_that_comes_back),
		TEST(requests_have_a_limit_and_end_with_the_session),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
