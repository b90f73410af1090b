/* Sessions: whose they are, how many, in what order calls use them, and when and why they end. */
#include "session_fixture.h"

#include "browser/pool.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "loop/failure_words.h"
#include "session/ended.h"
#include "session/views.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

/* ---- owners ---- */

static const char *base_url(void *data)
{
	return "http://base/";
}

static void sessions_exist_for_their_owner_only(void **state)
{
	struct fixture *f = *state;
	struct registry *r = f->registry;
	char id[SESSION_ID_SIZE];
	const struct session *s;
	const char *target;

	assert_int_equal(create_planned(f, 1, (struct session_plan){ .ended = on_ended, .base_url = base_url, .data = f }, id), 0);
	expect(f, 2, id, run_knows, -ERR_SESSION_NOT_FOUND, id);
	expect(f, 2, id, run_close, -ERR_SESSION_NOT_FOUND, id);
	expect(f, 2, id, run_visit, -ERR_SESSION_NOT_FOUND, id);
	registry_end(r, 2, id);
	registry_end_all_of(r, 2);
	registry_release(r, 2, id);
	expect(f, 1, id, run_knows, 0, "");
	s = registry_next(r, 1, NULL);
	assert_string_equal(session_id(s), id);
	assert_null(registry_next(r, 1, s));
	assert_null(registry_next(r, 2, NULL));
	assert_ptr_equal(registry_data(r, 1, id), f);
	assert_null(registry_data(r, 2, id));
	assert_string_equal(registry_base_url(r, 1, id), "http://base/");
	assert_null(registry_base_url(r, 2, id));
	assert_null(registry_page(r, 1, id)); /* no call has entered it */
	expect(f, 1, id, run_open_pages, 0, "");
	target = page_target_id(registry_page(r, 1, id));
	assert_null(registry_page(r, 2, id));
	assert_ptr_equal(registry_find_page(r, 1, target, NULL), registry_page(r, 1, id));
	assert_null(registry_find_page(r, 2, target, NULL));
	assert_null(registry_find_page(r, 2, NULL, ""));
	assert_ptr_equal(registry_find_holder(r, target), s);
	assert_int_equal(f->ended, 0);
	registry_end_all_of(r, 1);
	assert_int_equal(f->ended, 1);
	assert_int_equal(registry_count(r), 0);
}

/* ---- turns ---- */

static void calls_take_turns_in_the_order_of_their_arrival(void **state)
{
	struct fixture *f = *state;
	char one[SESSION_ID_SIZE], two[SESSION_ID_SIZE];
	struct call *a, *b, *c, *d;

	assert_int_equal(create(f, 1, one), 0);
	assert_int_equal(create(f, 1, two), 0);
	assert_false(session_busy(registry_next(f->registry, 1, NULL)));
	a = visit(f, 1, one);
	b = visit(f, 1, one);
	c = visit(f, 1, one);
	d = visit(f, 1, two);
	assert_string_equal(f->events.data, "ad"); /* the other session is free */
	assert_true(session_busy(registry_next(f->registry, 1, NULL)));
	let_leave(a);
	await_inside(b);
	assert_false(c->inside);
	let_leave(b);
	await_inside(c);
	let_leave(c);
	let_leave(d);
	assert_string_equal(f->events.data, "adabbccd");
	assert_string_equal(a->page, c->page);
	assert_string_not_equal(a->page, d->page);
}

static void a_call_that_gives_up_leaves_the_queue(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b, *c;

	assert_int_equal(create(f, 1, id), 0);
	a = visit(f, 1, id);
	b = visit(f, 1, id);
	c = visit(f, 1, id);
	task_cancel(b->task, -ERR_NO_SERVER, "given up");
	assert_failure(b, -ERR_NO_SERVER, "given up");
	assert_false(c->inside);
	let_leave(a);
	await_inside(c);
	let_leave(c);
	assert_string_equal(f->events.data, "aacc");
}

/* Enters twice and leaves once before it does what run_visit() does. */
static int run_visit_within(struct task *t, void *data)
{
	struct call *c = data;
	struct session *s, *again;
	int r;

	r = session_enter(t, c->f->registry, c->owner, c->id, &s);
	if (r < 0)
		return r;
	r = session_enter(t, c->f->registry, c->owner, c->id, &again);
	if (r == 0) {
		session_leave(again);
		r = run_visit(t, data);
	}
	session_leave(s);
	return r;
}

static void a_call_enters_again_before_those_that_wait(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b, *c;

	assert_int_equal(create(f, 1, id), 0);
	a = visit(f, 1, id);
	b = start(call_new(f, 1, id), run_visit_within);
	c = visit(f, 1, id);
	let_leave(a);
	await_inside(b);
	assert_false(c->inside);
	let_leave(b);
	await_inside(c);
	let_leave(c);
	assert_string_equal(f->events.data, "aabbcc");
	assert_false(session_busy(registry_next(f->registry, 1, NULL)));
}

/* ---- the end ---- */

static void closing_cancels_calls_and_does_not_wait(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b;

	assert_int_equal(create(f, 1, id), 0);
	a = visit(f, 1, id);
	b = visit(f, 1, id);
	expect(f, 1, id, run_close, 0, "");
	assert_int_equal(f->ended, 1);
	assert_int_equal(registry_count(f->registry), 0);
	assert_failure(a, -ERR_SESSION_NOT_FOUND, "was closed while this call ran");
	assert_failure(b, -ERR_SESSION_NOT_FOUND, "was closed while this call ran");
	assert_true(a->page[0]); /* it could use the context to the end */
	assert_false(b->inside);
	expect(f, 1, id, run_close, -ERR_SESSION_NOT_FOUND, "there is no session");
	assert_int_equal(f->ended, 1);
}

static void a_session_can_be_closed_while_it_is_created(void **state)
{
	struct fixture *f = *state;
	struct call *a;

	f->options.lazy = true;
	a = visit(f, 1, "mine");
	assert_int_equal(registry_count(f->registry), 1);
	assert_null(registry_next(f->registry, 1, NULL)); /* there is nothing to show yet */
	registry_end(f->registry, 1, "mine");
	assert_failure(a, -ERR_SESSION_NOT_FOUND, "its client has left");
	assert_false(a->inside);
}

static void a_session_that_is_not_used_expires(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	f->options.timeout = 1000;
	assert_int_equal(create(f, 1, id), 0);
	while (!f->ended)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(registry_count(f->registry), 0);
	expect(f, 1, id, run_visit, -ERR_SESSION_EXPIRED, "after 1 ms without use");
	expect(f, 2, id, run_visit, -ERR_SESSION_NOT_FOUND, "there is no session");
}

static void a_session_in_use_does_not_expire(void **state)
{
	struct fixture *f = *state;
	struct call *a;

	f->options.timeout = 1000;
	f->options.lazy = true;
	a = visit(f, 1, "mine");
	await_inside(a);
	run_until(clock_now() + 3000);
	assert_non_null(a->task);
	expect(f, 1, "mine", run_knows, 0, "");
	let_leave(a);
	assert_int_equal(a->result, 0);
	while (registry_count(f->registry) > 0)
		assert_int_equal(loop_step(loop), 0);
}

static void a_use_postpones_the_expiry(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	const struct session *s;
	int64_t before, now;

	assert_int_equal(create_planned(f, 1, (struct session_plan){}, id), 0);
	s = registry_next(f->registry, 1, NULL);
	before = session_expires_at(s);
	assert_int_equal(before, session_created_at(s) + 3600 * 1000);
	now = clock_unix_msec();
	while (clock_unix_msec() <= now)
		;
	registry_touch(f->registry, 2, id);
	assert_int_equal(session_expires_at(s), before);
	registry_touch(f->registry, 1, id);
	assert_true(session_expires_at(s) > before);
}

static void a_lifetime_ends_calls_as_well(void **state)
{
	struct fixture *f = *state;
	struct session_plan plan = { .lifetime = 100 * USEC_PER_MSEC, .ended = on_ended, .data = f };
	char id[SESSION_ID_SIZE];
	struct call *a;

	assert_int_equal(create_planned(f, 1, plan, id), 0);
	a = visit(f, 1, id);
	assert_failure(a, -ERR_SESSION_EXPIRED, "reached the end of its lifetime");
	assert_int_equal(f->ended, 1);
	expect(f, 1, id, run_knows, -ERR_SESSION_EXPIRED, "reached the end of its lifetime");
}

static void sessions_end_with_the_browser(void **state)
{
	struct fixture *f = *state;
	unsigned starts;
	char id[SESSION_ID_SIZE];
	struct call *a;

	assert_int_equal(create(f, 1, id), 0);
	starts = browser_starts(browser);
	a = visit(f, 1, id);
	await_inside(a);
	browser_kill(browser);
	while (!f->ended)
		assert_int_equal(loop_step(loop), 0);
	assert_failure(a, -ERR_BROWSER_ERROR, "the browser died");
	expect(f, 1, id, run_visit, -ERR_SESSION_NOT_FOUND, "the browser died");
	assert_int_equal(create(f, 1, id), 0);
	assert_int_equal(browser_starts(browser), starts + 1);
}

/* ---- limits ---- */

static void the_number_of_sessions_is_limited(void **state)
{
	struct fixture *f = *state;
	char one[SESSION_ID_SIZE], two[SESSION_ID_SIZE];
	struct call *a;

	f->options.max = 2;
	f->options.max_per_owner = 2;
	a = start(call_new(f, 1, ""), run_create); /* counts from the start */
	assert_int_equal(create(f, 2, two), 0);
	assert_int_equal(await_end(a), 0);
	assert_int_equal(create(f, 3, one), -ERR_MAX_SESSIONS_REACHED);
	expect(f, 2, two, run_close, 0, "");
	assert_int_equal(create(f, 1, one), 0);
	expect(f, 1, one, run_close, 0, "");
	f->options.max_per_owner = 1;
	assert_int_equal(create(f, 1, one), -ERR_MAX_SESSIONS_REACHED);
	assert_int_equal(create(f, 2, two), 0);
}

static void owners_share_places(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	f->options.max = 4;
	f->options.shared = true;
	assert_int_equal(create(f, 1, id), 0);
	assert_int_equal(create(f, 1, id), 0);
	assert_int_equal(create(f, 1, id), -ERR_MAX_SESSIONS_REACHED); /* half of them */
	assert_int_equal(create(f, 2, id), 0);
	assert_int_equal(create(f, 2, id), -ERR_MAX_SESSIONS_REACHED);
	assert_int_equal(create(f, 3, id), 0);
	assert_int_equal(registry_count(f->registry), 4);
}

static void a_session_that_cannot_be_made_leaves_nothing(void **state)
{
	static const struct browser_options options = { .start = { .executable = "/nowhere/chromium", .headless = true } };
	struct browser *missing = browser_new(loop, &options, NULL, NULL);
	struct pool *alone = pool_new(loop, missing, NULL);
	struct fixture *f = *state;
	struct registry *before = f->registry;
	char id[SESSION_ID_SIZE];

	f->registry = registry_new(loop, alone, &f->options, &no_limits, NULL);
	assert_int_equal(create(f, 1, id), -ERR_BROWSER_ERROR);
	assert_int_equal(registry_count(f->registry), 0);
	assert_int_equal(f->ended, 0);
	f->options.lazy = true;
	expect(f, 1, "mine", run_visit, -ERR_BROWSER_ERROR, "/nowhere/chromium");
	assert_int_equal(registry_count(f->registry), 0);
	registry_free(f->registry);
	f->registry = before;
	pool_free(alone);
	browser_free(missing);
}

/* ---- other ways in ---- */

static void an_unknown_id_can_create_its_session(void **state)
{
	struct fixture *f = *state;
	struct call *a, *b;

	expect(f, 1, "mine", run_visit, -ERR_SESSION_NOT_FOUND, "mine");
	f->options.lazy = true;
	a = visit(f, 1, "mine");
	b = visit(f, 1, "mine");
	assert_int_equal(registry_count(f->registry), 1); /* both calls get the same */
	await_inside(a);
	let_leave(a);
	await_inside(b);
	let_leave(b);
	assert_string_equal(a->page, b->page);
	expect(f, 1, "", run_visit, -ERR_INVALID_PARAMETERS, "bytes");
	expect(f, 2, "mine", run_visit, 0, "");
	assert_int_equal(registry_count(f->registry), 2); /* the same name, another owner */
}

static void a_connection_keeps_its_own_session(void **state)
{
	struct fixture *f = *state;
	struct call *a = call_new(f, 1, ""), *b, *c;

	start(a, run_visit_own);
	await_inside(a);
	let_leave(a);
	assert_int_equal(session_expires_at(registry_next(f->registry, 1, NULL)), 0);
	b = call_new(f, 1, a->id);
	start(b, run_visit_own);
	await_inside(b);
	let_leave(b);
	assert_string_equal(b->id, a->id);
	assert_string_equal(b->page, a->page);
	registry_release(f->registry, 1, a->id);
	assert_true(session_expires_at(registry_next(f->registry, 1, NULL)) > 0);
	expect(f, 1, a->id, run_visit, 0, "");
	expect(f, 1, a->id, run_close, 0, "");
	c = call_new(f, 1, a->id);
	start(c, run_visit_own);
	await_inside(c);
	let_leave(c);
	assert_string_not_equal(c->id, a->id);
}

static void a_session_that_is_reset_gets_a_new_context(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];
	struct call *a, *b;

	assert_int_equal(create(f, 1, id), 0);
	a = visit(f, 1, id);
	a->resets = true;
	let_leave(a);
	b = visit(f, 1, id);
	await_inside(b);
	let_leave(b);
	assert_string_not_equal(a->page, b->page);
	assert_int_equal(f->ended, 0);
}

/* ---- ids of sessions that have ended ---- */

static int ask_for_ended(struct task *t, void *data)
{
	const struct ended_sessions *e = data;

	assert_int_equal(ended_fail(t, e, 1, "first"), -ERR_SESSION_NOT_FOUND);
	assert_int_equal(ended_fail(t, e, 1, "second"), -ERR_SESSION_EXPIRED);
	assert_int_equal(ended_fail(t, e, 2, "second"), -ERR_SESSION_NOT_FOUND);
	assert_non_null(strstr(failure_words(t, task_error(t)), "there is no session"));
	assert_int_equal(ended_fail(t, e, 1, "last"), -ERR_SESSION_EXPIRED);
	assert_non_null(strstr(failure_words(t, task_error(t)), "after 7 ms"));
	return 0;
}

static void the_oldest_ids_are_forgotten(void **state)
{
	struct ended_sessions *e = NEW(struct ended_sessions);
	char id[20];

	ended_add(e, 1, "first", ENDED_LIFETIME, 0);
	ended_add(e, 1, "second", ENDED_LIFETIME, 0);
	for (unsigned i = 0; i < LIMIT_EXPIRED_COUNT - 2; i++) {
		snprintf(id, sizeof(id), "other %u", i);
		ended_add(e, 1, id, ENDED_WITH_BROWSER, 0);
	}
	ended_add(e, 1, "last", ENDED_UNUSED, 7 * USEC_PER_MSEC);
	assert_int_equal(task_start(loop, "ended", ask_for_ended, NULL, e, NULL), 0);
	while (task_count() > 0)
		assert_int_equal(loop_step(loop), 0);
	ended_done(e);
	free(e);
}

/* ---- memory of views ---- */

#define TEXT (4u << 20)

/* A session with a cursor to a text of that many bytes. */
static struct session *make_viewing(struct fixture *f, uint64_t owner, size_t bytes)
{
	_cleanup_(freep) char *text = must(calloc(1, bytes));
	char id[SESSION_ID_SIZE];
	const struct session *s = NULL, *last = NULL;

	assert_int_equal(create(f, owner, id), 0);
	while ((s = registry_next(f->registry, owner, s)))
		last = s;
	cursors_add_text(&session_tabs((struct session *)last)->cursors, text, bytes);
	return (struct session *)last;
}

static unsigned count_cursors(struct session *s)
{
	return session_tabs(s)->cursors.count;
}

static void views_of_an_owner_are_limited(void **state)
{
	struct fixture *f = *state;
	struct session *other = make_viewing(f, 2, 2 * LIMIT_OWNER_VIEWS), *large, *small, *own;

	large = make_viewing(f, 1, LIMIT_OWNER_VIEWS - 2 * TEXT);
	small = make_viewing(f, 1, TEXT / 2);
	own = make_viewing(f, 1, TEXT);
	session_limit_views(own);
	assert_int_equal(count_cursors(large), 1);
	own = make_viewing(f, 1, TEXT);
	session_limit_views(own);
	assert_int_equal(count_cursors(large), 0);
	assert_int_equal(count_cursors(small), 1);
	assert_int_equal(count_cursors(own), 1);
	assert_int_equal(count_cursors(other), 1);
	session_limit_views(other); /* what was shown last is kept, however large it is */
	assert_int_equal(count_cursors(other), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sessions_exist_for_their_owner_only),
		TEST(calls_take_turns_in_the_order_of_their_arrival),
		TEST(a_call_that_gives_up_leaves_the_queue),
		TEST(a_call_enters_again_before_those_that_wait),
		TEST(closing_cancels_calls_and_does_not_wait),
		TEST(a_session_can_be_closed_while_it_is_created),
		TEST(a_session_that_is_not_used_expires),
		TEST(a_session_in_use_does_not_expire),
		TEST(a_use_postpones_the_expiry),
		TEST(a_lifetime_ends_calls_as_well),
		TEST(sessions_end_with_the_browser),
		TEST(the_number_of_sessions_is_limited),
		TEST(owners_share_places),
		TEST(a_session_that_cannot_be_made_leaves_nothing),
		TEST(an_unknown_id_can_create_its_session),
		TEST(a_connection_keeps_its_own_session),
		TEST(a_session_that_is_reset_gets_a_new_context),
		TEST(the_oldest_ids_are_forgotten),
		TEST(views_of_an_owner_are_limited),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
