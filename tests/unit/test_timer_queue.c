/* Timers leave the queue in the order in which they are due, however they were added, moved and removed. */
#include "test.h"

#include <stdlib.h>

#include "base/macros.h"
#include "loop/timer_queue.h"

#define TIMERS 200

static void check(const struct timer_queue *q, const struct queued_timer *timers, size_t count)
{
	size_t queued = 0;

	for (size_t i = 0; i < count; i++)
		queued += timers[i].place != 0;
	assert_int_equal(q->count, queued);
	for (size_t i = 0; i < q->count; i++)
		assert_int_equal(q->items[i]->place, i + 1);
}

static void drain(struct timer_queue *q, size_t count)
{
	struct queued_timer *t, before = {};

	for (; (t = timer_queue_first(q)); count--) {
		assert_true(before.at < t->at || (before.at == t->at && before.order <= t->order));
		before = *t;
		timer_queue_remove(q, t);
		assert_int_equal(t->place, 0);
	}
	assert_int_equal(count, 0);
}

static void test_order(void **state)
{
	struct queued_timer timers[TIMERS] = {};
	struct timer_queue q = {};
	size_t count = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < 50 * TIMERS; i++) {
		struct queued_timer *t = &timers[rand() % TIMERS];

		count -= t->place != 0;
		timer_queue_remove(&q, t);
		if (rand() % 4) {
			timer_queue_add(&q, t, (usec_t)(rand() % 50));
			count++;
		}
		if (i % TIMERS == 0)
			check(&q, timers, TIMERS);
	}
	drain(&q, count);
	timer_queue_done(&q);
}

static void test_due_at_the_same_time(void **state)
{
	struct queued_timer timers[TIMERS] = {};
	struct timer_queue q = {};

	(void)state;
	for (int i = 0; i < TIMERS; i++)
		timer_queue_add(&q, &timers[i], 7);
	for (int i = 0; i < TIMERS; i++) {
		assert_ptr_equal(timer_queue_first(&q), &timers[i]);
		timer_queue_remove(&q, &timers[i]);
	}
	assert_null(timer_queue_first(&q));
	timer_queue_remove(&q, &timers[0]);
	timer_queue_done(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_due_at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
