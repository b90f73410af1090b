/* Tasks on a real loop: when they run, what ends a wait, what they leave behind, and when they are freed. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "loop/task.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct waitq queue;
	struct str events; /* what tasks did, in order */
	struct str failure;
	struct task *task;
	unsigned ended;
	int result;
	bool sleeping; /* the task masked its cancellation */
};

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	assert_int_equal(loop_new(&f->loop), 0);
	waitq_init(&f->queue);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(task_count(), 0);
	loop_free(f->loop);
	str_done(&f->events);
	str_done(&f->failure);
	free(f);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void on_done(struct task *t, int result, void *data)
{
	struct fixture *f = data;

	f->ended++;
	f->result = result;
	str_append(&f->failure, failure_has_words(t, task_error(t)) ? failure_words(t, task_error(t)) : "none");
}

static struct task *start_named(struct fixture *f, const char *name, int (*fn)(struct task *t, void *data))
{
	assert_int_equal(task_start(f->loop, name, fn, on_done, f, &f->task), 0);
	return f->task;
}

static struct task *start(struct fixture *f, int (*fn)(struct task *t, void *data))
{
	return start_named(f, "task", fn);
}

static void run_to_end(struct fixture *f)
{
	while (task_count() > 0)
		assert_int_equal(loop_step(f->loop), 0);
}

static void assert_events(struct fixture *f, const char *expected)
{
	assert_string_equal(str_text(&f->events), expected);
	str_reset(&f->events);
}

/* ---- start and end ---- */

static int return_seven(struct task *t, void *data)
{
	struct fixture *f = data;

	assert_ptr_equal(task_current(), t);
	assert_ptr_equal(task_loop(t), f->loop);
	str_append(&f->events, "ran ");
	return 7;
}

static void it_runs_in_the_next_round(void **state)
{
	struct fixture *f = *state;

	start(f, return_seven);
	assert_events(f, "");
	assert_int_equal(task_count(), 1);
	run_queued(f->loop);
	assert_events(f, "ran ");
	assert_int_equal(f->ended, 1);
	assert_int_equal(f->result, 7);
	assert_int_equal(task_count(), 0);
	assert_null(task_current());
}

static int allocate(struct task *t, void *data)
{
	*(char **)data = arena_printf(task_arena(t), "%s", "made by the task");
	assert_int_equal(task_sleep(t, 1), 0);
	return task_fail(t, -ERR_NO_SERVER, "with %d words", 3);
}

static void check_what_is_left(struct task *t, int result, void *data)
{
	assert_string_equal(*(char **)data, "made by the task");
	assert_int_equal(result, -ERR_NO_SERVER);
	assert_int_equal(task_error(t), -ERR_NO_SERVER);
	assert_string_equal(failure_words(t, task_error(t)), "with 3 words");
	assert_int_equal(task_count(), 1);
	*(char **)data = NULL;
}

static void arena_and_failure_outlive_the_function(void **state)
{
	struct fixture *f = *state;
	char *text = NULL;

	assert_int_equal(task_start(f->loop, "task", allocate, check_what_is_left, &text, NULL), 0);
	while (task_count() > 0)
		assert_int_equal(loop_step(f->loop), 0);
	assert_null(text);
}

static void the_number_of_tasks_is_limited(void **state)
{
	struct fixture *f = *state;
	struct task *none = NULL;

	for (unsigned i = 0; i < LIMIT_TASKS_COUNT; i++)
		start(f, return_seven);
	assert_int_equal(task_start(f->loop, "more", return_seven, on_done, f, &none), -EAGAIN);
	assert_null(none);
	run_to_end(f);
	assert_int_equal(f->ended, LIMIT_TASKS_COUNT);
	start(f, return_seven);
	run_to_end(f);
}

/* ---- waits ---- */

static int wait_twice(struct task *t, void *data)
{
	struct fixture *f = data;

	for (int i = 1; i <= 2; i++) {
		assert_int_equal(task_wait(t, "a word"), 0);
		str_appendf(&f->events, "woken%d ", i);
	}
	return 0;
}

static void a_wake_up_ends_one_wait(void **state)
{
	struct fixture *f = *state;
	struct task *t = start(f, wait_twice);

	run_queued(f->loop);
	task_wake(t);
	task_wake(t);
	assert_events(f, ""); /* not before the loop runs it */
	run_queued(f->loop);
	assert_events(f, "woken1 ");
	run_queued(f->loop);
	assert_events(f, "");
	task_wake(t);
	run_queued(f->loop);
	assert_events(f, "woken2 ");
	assert_int_equal(f->result, 0);
	assert_int_equal(f->ended, 1);
}

static void a_wake_up_before_the_wait_counts(void **state)
{
	struct fixture *f = *state;

	task_wake(start(f, wait_twice));
	run_queued(f->loop);
	assert_events(f, "woken1 ");
	task_wake(f->task);
	run_queued(f->loop);
	assert_int_equal(f->ended, 1);
}

/* Two tasks take turns; each has locals and 100 KiB of stack of its own. */
static int count_letters(struct task *t, void *data)
{
	struct fixture *f = data;
	char own[100 << 10];
	char letter = (char)('a' + f->ended++);

	memset(own, letter, sizeof(own));
	for (unsigned i = 0; i < 3; i++) {
		task_wake(t);
		assert_int_equal(task_wait(t, "the other one"), 0);
		assert_int_equal(waitq_wait(t, &f->queue, "the other one"), 0);
		str_appendf(&f->events, "%c%u ", own[i * 1000], i);
	}
	assert_null(memchr(own, letter == 'a' ? 'b' : 'a', sizeof(own)));
	return 0;
}

static void each_task_has_its_own_stack(void **state)
{
	struct fixture *f = *state;

	start(f, count_letters);
	start(f, count_letters);
	for (unsigned i = 0; i < 4; i++) {
		run_queued(f->loop);
		waitq_wake(&f->queue);
	}
	run_to_end(f);
	assert_events(f, "a0 b0 a1 b1 a2 b2 ");
}

static unsigned faulty_wait;

static int fail_one_wait(struct task *t, unsigned nth, const char *where)
{
	assert_string_equal(where, nth ? "a word" : "its first run");
	return nth == faulty_wait ? -EIO : 0;
}

static int wait_until_error(struct task *t, void *data)
{
	struct fixture *f = data;
	int r;

	do {
		task_wake(t);
		str_append(&f->events, "wait ");
		r = task_wait(t, "a word");
	} while (r == 0);
	return r;
}

static void tests_can_make_a_wait_fail(void **state)
{
	struct fixture *f = *state;

	task_wait_fault = fail_one_wait;
	faulty_wait = 3;
	start(f, wait_until_error);
	run_to_end(f);
	task_wait_fault = NULL;
	assert_events(f, "wait wait wait ");
	assert_int_equal(f->result, -EIO);
}

/* ---- deadlines ---- */

static int wait_for_nothing(struct task *t, void *data)
{
	return task_wait(t, "nothing");
}

static int pass_deadlines(struct task *t, void *data)
{
	usec_t soon = clock_now() + 1000;

	assert_int_equal(task_deadline(t), USEC_NEVER);
	assert_int_equal(task_set_deadline(t, soon), USEC_NEVER);
	assert_int_equal(task_deadline(t), soon);
	assert_int_equal(task_wait(t, "nothing"), -ETIMEDOUT);
	assert_true(clock_now() >= soon);
	assert_int_equal(task_wait(t, "nothing"), -ETIMEDOUT);
	task_wake(t); /* what came in time is worth more than the time that has passed */
	assert_int_equal(task_wait(t, "nothing"), 0);
	assert_int_equal(task_set_deadline(t, clock_now() + 1000), soon);
	return task_wait(t, "nothing");
}

static void a_deadline_ends_waits(void **state)
{
	struct fixture *f = *state;

	start(f, pass_deadlines);
	run_to_end(f);
	assert_int_equal(f->result, -ETIMEDOUT);
}

static int outlive_the_deadline(struct task *t, void *data)
{
	task_set_deadline(t, clock_now() + 1000);
	task_wake(t);
	assert_int_equal(task_wait(t, "a wake-up"), 0);
	assert_int_equal(waitq_wait(t, &((struct fixture *)data)->queue, "a wake-up"), 0);
	task_set_deadline(t, USEC_NEVER);
	return task_wait(t, "a wake-up");
}

static void raise_flag(void *data)
{
	*(bool *)data = true;
}

static void a_deadline_that_was_lifted_ends_nothing(void **state)
{
	struct fixture *f = *state;
	struct task *t = start(f, outlive_the_deadline);
	bool later = false;
	struct timer *timer = timer_new(f->loop, raise_flag, &later);

	run_queued(f->loop);
	waitq_wake(&f->queue);
	run_queued(f->loop);
	timer_set(timer, clock_now() + 2000); /* behind the deadline that is no longer there */
	while (!later)
		assert_int_equal(loop_step(f->loop), 0);
	timer_free(timer);
	run_queued(f->loop);
	assert_int_equal(f->ended, 0);
	task_wake(t);
	run_to_end(f);
	assert_int_equal(f->result, 0);
}

static int bring_the_deadline_forward(struct task *t, void *data)
{
	task_set_deadline(t, clock_now() + 3600 * USEC_PER_SEC);
	assert_int_equal(waitq_wait(t, &((struct fixture *)data)->queue, "a wake-up"), 0);
	task_set_deadline(t, clock_now() + 1000);
	return task_wait(t, "nothing");
}

static void a_deadline_can_be_brought_forward(void **state)
{
	struct fixture *f = *state;

	start(f, bring_the_deadline_forward);
	run_queued(f->loop);
	waitq_wake(&f->queue);
	run_to_end(f);
	assert_int_equal(f->result, -ETIMEDOUT);
}

static int sleep_within_a_deadline(struct task *t, void *data)
{
	usec_t late = clock_now() + 3600 * USEC_PER_SEC, begun = clock_now();

	task_set_deadline(t, late);
	task_wake(t); /* not what it sleeps for */
	assert_int_equal(task_sleep(t, 1000), 0);
	assert_true(clock_now() >= begun + 1000);
	assert_int_equal(task_deadline(t), late);
	task_set_deadline(t, clock_now());
	return task_sleep(t, 3600 * USEC_PER_SEC);
}

static void a_sleep_ends_with_the_deadline(void **state)
{
	struct fixture *f = *state;

	start(f, sleep_within_a_deadline);
	run_to_end(f);
	assert_int_equal(f->result, -ETIMEDOUT);
}

static int let_the_loop_run(struct task *t, void *data)
{
	return task_sleep(t, 0);
}

static void a_sleep_without_time_suspends(void **state)
{
	struct fixture *f = *state;

	start(f, let_the_loop_run);
	run_queued(f->loop);
	assert_int_equal(f->ended, 0);
	run_to_end(f);
	assert_int_equal(f->result, 0);
}

/* ---- cancellation and interruption ---- */

static int clean_up_after_cancellation(struct task *t, void *data)
{
	struct fixture *f = data;

	assert_int_equal(task_wait(t, "a word"), -ECANCELED);
	assert_true(task_cancelled(t));
	assert_int_equal(task_wait(t, "another word"), -ECANCELED);
	assert_int_equal(task_sleep(t, 3600 * USEC_PER_SEC), -ECANCELED);
	assert_false(task_mask_cancel(t, true));
	f->sleeping = true;
	assert_int_equal(task_wait(t, "clean-up"), 0);
	assert_true(task_mask_cancel(t, false));
	assert_int_equal(task_wait(t, "more"), -ECANCELED);
	task_fail_details(t, "{}");
	return task_fail(t, -EIO, "a consequence");
}

static void cancellation_is_sticky_and_names_its_reason(void **state)
{
	struct fixture *f = *state;
	struct task *t = start(f, clean_up_after_cancellation);

	run_queued(f->loop);
	assert_false(task_cancelled(t));
	task_cancel(t, -ERR_SESSION_EXPIRED, "session %s expired", "one");
	task_cancel(t, -EIO, "too late");
	run_queued(f->loop);
	assert_true(f->sleeping);
	assert_int_equal(f->ended, 0); /* it is freed only after it has returned */
	assert_int_equal(task_count(), 1);
	assert_null(failure_details(t, task_error(t)));
	task_wake(t);
	run_to_end(f);
	assert_int_equal(f->result, -ERR_SESSION_EXPIRED);
	assert_string_equal(f->failure.data, "session one expired");
}

/* What the function would work with may have gone. */
static void a_task_that_is_cancelled_before_its_first_run_does_not_run(void **state)
{
	struct fixture *f = *state;

	task_cancel(start(f, return_seven), -ERR_NO_SERVER, "no");
	run_to_end(f);
	assert_events(f, "");
	assert_int_equal(f->ended, 1);
	assert_int_equal(f->result, -ECANCELED);
	assert_string_equal(f->failure.data, "no");
}

static int react_to_interruptions(struct task *t, void *data)
{
	struct fixture *f = data;

	assert_int_equal(task_wait(t, "a word"), -EINTR);
	assert_int_equal(task_wait(t, "a word"), -EINTR);
	task_mask_cancel(t, true);
	task_wake(t);
	assert_int_equal(task_wait(t, "a word"), 0);
	task_mask_cancel(t, false);
	assert_int_equal(task_wait(t, "a word"), -EINTR);
	task_interrupt(t, 0);
	str_append(&f->events, "clear ");
	assert_int_equal(task_wait(t, "a word"), 0);
	str_append(&f->events, "woken ");
	return task_wait(t, "the end");
}

static void an_interruption_lasts_until_it_is_cleared(void **state)
{
	struct fixture *f = *state;
	struct task *t = start(f, react_to_interruptions);

	run_queued(f->loop);
	task_interrupt(t, -EINTR);
	run_queued(f->loop);
	assert_events(f, "clear ");
	task_wake(t);
	run_queued(f->loop);
	assert_events(f, "woken ");
	task_interrupt(t, -EINTR);
	task_cancel(t, -EIO, "no"); /* takes precedence */
	run_to_end(f);
	assert_int_equal(f->result, -ECANCELED);
}

/* ---- queues ---- */

static int wait_in_the_queue(struct task *t, void *data)
{
	struct fixture *f = data;
	int r;

	for (;;) {
		r = waitq_wait(t, &f->queue, "a change");
		if (r < 0)
			return r;
		str_append(&f->events, arena_printf(task_arena(t), "%d ", r));
	}
}

static void a_change_wakes_all_that_wait_for_it(void **state)
{
	struct fixture *f = *state;
	struct task *tasks[3];

	waitq_wake(&f->queue);
	for (unsigned i = 0; i < 3; i++)
		tasks[i] = start(f, wait_in_the_queue);
	run_queued(f->loop);
	assert_events(f, "");
	waitq_wake(&f->queue);
	run_queued(f->loop);
	assert_events(f, "0 0 0 ");
	task_cancel(tasks[1], -EIO, "no");
	run_queued(f->loop);
	assert_int_equal(f->ended, 1); /* it has left the queue */
	waitq_wake(&f->queue);
	run_queued(f->loop);
	assert_events(f, "0 0 ");
	task_cancel(tasks[0], -EIO, "no");
	task_cancel(tasks[2], -EIO, "no");
	run_to_end(f);
	assert_true(TAILQ_EMPTY(&f->queue.entries));
}

/* ---- failures and the list ---- */

static int fail_several_times(struct task *t, void *data)
{
	assert_int_equal(task_error(t), 0);
	assert_false(failure_has_words(t, task_error(t)));
	assert_null(failure_details(t, task_error(t)));
	assert_int_equal(task_fail(t, -ERR_TARGET_NOT_FOUND, "no %s", "target"), -ERR_TARGET_NOT_FOUND);
	task_fail_details(t, "{port: 1}");
	task_fail_details(t, "{port: 2}");
	assert_string_equal(failure_details(t, task_error(t)), "{\"port\":2}");
	assert_string_equal(failure_words(t, task_error(t)), "no target");
	task_fail(t, -EIO, "worse");
	task_fail(t, -EIO, "%s than before", failure_words(t, task_error(t)));
	assert_null(failure_details(t, task_error(t))); /* they were about the failure before */
	assert_int_equal(task_error(t), -EIO);
	return -EIO;
}

static void the_last_failure_counts(void **state)
{
	struct fixture *f = *state;

	start(f, fail_several_times);
	run_to_end(f);
	assert_string_equal(f->failure.data, "worse than before");
}

static int wrap_failures(struct task *t, void *data)
{
	_cleanup_(failure_done) struct failure kept = {};

	task_fail_because(t, -ERR_NAVIGATION_FAILED, REASON_NETWORK_ERROR, "{url: 'a', reason: 'b'}");
	assert_int_equal(task_wrap(t, -ERR_NAVIGATION_FAILED, -ERR_SECURITY_BLOCKED, "no: ", ""), -ERR_SECURITY_BLOCKED);
	assert_int_equal(task_error_reason(t), REASON_NETWORK_ERROR);
	task_keep_failure(t, -ERR_SECURITY_BLOCKED, &kept);
	task_fail(t, -EIO, "of the clean-up");
	assert_int_equal(task_fail_of(t, &kept), -ERR_SECURITY_BLOCKED);
	assert_string_equal(failure_words(t, task_error(t)), "no: b at a");
	assert_non_null(failure_details(t, task_error(t)));
	/* The failure that is wrapped was not recorded, and the last one says nothing about it. */
	assert_int_equal(task_wrap(t, -ETIMEDOUT, -EIO, "not read: ", ""), -EIO);
	assert_string_equal(failure_words(t, task_error(t)), "not read: Connection timed out");
	assert_null(failure_details(t, task_error(t)));
	task_keep_failure(t, -ETIMEDOUT, &kept);
	assert_int_equal(task_fail_of(t, &kept), -ETIMEDOUT);
	assert_false(failure_has_words(t, task_error(t)));
	task_cancel(t, -ERR_SESSION_EXPIRED, "it expired");
	assert_int_equal(task_wrap(t, -ECANCELED, -EIO, "not read: ", ""), -ERR_SESSION_EXPIRED);
	assert_int_equal(task_fail_of(t, &kept), -ERR_SESSION_EXPIRED);
	return -ECANCELED;
}

static void a_wrapped_failure_keeps_what_was_recorded(void **state)
{
	struct fixture *f = *state;

	start(f, wrap_failures);
	run_to_end(f);
	assert_string_equal(f->failure.data, "it expired");
}

static int list_tasks(struct task *t, void *data)
{
	task_dump(&((struct fixture *)data)->events);
	return 0;
}

static void the_list_shows_what_each_task_waits_for(void **state)
{
	struct fixture *f = *state;
	struct task *first = start_named(f, "click", wait_for_nothing);
	const char *at;
	unsigned age;
	char where[2][20];

	run_queued(f->loop);
	start_named(f, "list", list_tasks);
	run_queued(f->loop);
	assert_int_equal(sscanf(f->events.data, "click: %u ms old, %19[^\n]\nlist: %u ms old, %19[^\n]\n", &age, where[0], &age,
				where[1]),
			 4);
	assert_string_equal(where[0], "nothing");
	assert_string_equal(where[1], "running");
	at = strchr(f->events.data, '\n') + 1;
	assert_string_equal(strchr(at, '\n'), "\n");
	task_wake(first);
	run_to_end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_runs_in_the_next_round),
		TEST(arena_and_failure_outlive_the_function),
		TEST(the_number_of_tasks_is_limited),
		TEST(a_wake_up_ends_one_wait),
		TEST(a_wake_up_before_the_wait_counts),
		TEST(each_task_has_its_own_stack),
		TEST(tests_can_make_a_wait_fail),
		TEST(a_deadline_ends_waits),
		TEST(a_deadline_that_was_lifted_ends_nothing),
		TEST(a_deadline_can_be_brought_forward),
		TEST(a_sleep_ends_with_the_deadline),
		TEST(a_sleep_without_time_suspends),
		TEST(cancellation_is_sticky_and_names_its_reason),
		TEST(a_task_that_is_cancelled_before_its_first_run_does_not_run),
		TEST(an_interruption_lasts_until_it_is_cleared),
		TEST(a_change_wakes_all_that_wait_for_it),
		TEST(the_last_failure_counts),
		TEST(a_wrapped_failure_keeps_what_was_recorded),
		TEST(the_list_shows_what_each_task_waits_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
