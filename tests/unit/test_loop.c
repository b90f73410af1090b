/* The event loop: the order of timers and of queued work, descriptors, and what happens when there is too much to do. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/str.h"
#include "loop/loop.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct str events; /* in the order in which callbacks ran */
	int pipe[2];
};

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	assert_int_equal(loop_new(&f->loop), 0);
	assert_int_equal(pipe2(f->pipe, O_CLOEXEC | O_NONBLOCK), 0);
	*state = f;
	return 0;
}

static void close_end(struct fixture *f, int end)
{
	if (f->pipe[end] >= 0)
		close(f->pipe[end]);
	f->pipe[end] = -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	loop_free(f->loop);
	close_end(f, 0);
	close_end(f, 1);
	str_done(&f->events);
	free(f);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void assert_events(struct fixture *f, const char *expected)
{
	assert_string_equal(str_text(&f->events), expected);
	str_reset(&f->events);
}

/* ---- timers ---- */

/* A timer that notes its name. */
struct alarm {
	struct fixture *f;
	struct timer *timer, *victim; /* it frees the victim */
	usec_t at;
	char name;
	bool last; /* ends loop_run() */
};

static void on_alarm(void *data)
{
	struct alarm *a = data;

	assert_true(clock_now() >= a->at);
	str_append_char(&a->f->events, a->name);
	a->victim = timer_free(a->victim);
	if (a->last)
		loop_stop(a->f->loop);
}

static void alarm_set(struct alarm *a, usec_t at)
{
	a->at = at;
	timer_set(a->timer, at);
}

static void alarms_new(struct fixture *f, struct alarm *alarms, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		alarms[i] = (struct alarm){ .f = f, .name = (char)('a' + i), .last = i + 1 == count };
		alarms[i].timer = timer_new(f->loop, on_alarm, &alarms[i]);
	}
}

static void alarms_free(struct alarm *alarms, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		timer_free(alarms[i].timer);
}

static void timers_run_in_the_order_of_their_times(void **state)
{
	struct fixture *f = *state;
	struct alarm alarms[6];
	usec_t base = clock_now() + 1000;

	alarms_new(f, alarms, 6);
	alarm_set(&alarms[5], base + 900);
	alarm_set(&alarms[3], base + 600);
	alarm_set(&alarms[0], base);
	alarm_set(&alarms[1], base + 300);
	alarm_set(&alarms[2], base + 300); /* behind the one with the same time that was set before */
	alarm_set(&alarms[4], base + 600);
	assert_int_equal(loop_run(f->loop), 0);
	assert_events(f, "abcdef");
	run_queued(f->loop);
	assert_events(f, ""); /* each once */
	alarms_free(alarms, 6);
}

static void a_timer_can_be_moved_and_stopped(void **state)
{
	struct fixture *f = *state;
	struct alarm alarms[4];
	usec_t base = clock_now() + 1000;

	alarms_new(f, alarms, 4);
	for (unsigned i = 0; i < 4; i++)
		alarm_set(&alarms[i], base + i);
	alarm_set(&alarms[0], base + 20); /* later than the last but one */
	alarm_set(&alarms[2], base);
	alarm_set(&alarms[1], USEC_NEVER);
	alarm_set(&alarms[3], base + 40);
	assert_int_equal(loop_run(f->loop), 0);
	assert_events(f, "cad");
	alarms_free(alarms, 4);
}

/* The timerfd is armed for the later time first. */
static void a_timer_for_an_earlier_time_is_not_missed(void **state)
{
	struct fixture *f = *state;
	struct alarm late = { .f = f, .name = 'l' }, early = { .f = f, .name = 'e', .last = true };

	late.timer = timer_new(f->loop, on_alarm, &late);
	early.timer = timer_new(f->loop, on_alarm, &early);
	alarm_set(&late, clock_now() + 3600 * USEC_PER_SEC);
	run_queued(f->loop);
	alarm_set(&early, clock_now() + 1000);
	assert_int_equal(loop_run(f->loop), 0);
	assert_events(f, "e");
	timer_free(late.timer);
	timer_free(early.timer);
}

static void a_time_that_has_passed_is_the_next_round(void **state)
{
	struct fixture *f = *state;
	struct alarm alarms[1];

	alarms_new(f, alarms, 1);
	alarm_set(&alarms[0], 0);
	assert_events(f, "");
	assert_int_equal(loop_run(f->loop), 0);
	assert_events(f, "a");
	alarms_free(alarms, 1);
}

static void a_callback_may_free_timers(void **state)
{
	struct fixture *f = *state;
	struct alarm alarms[4];
	usec_t base = clock_now();

	alarms_new(f, alarms, 4);
	for (unsigned i = 0; i < 4; i++)
		alarm_set(&alarms[i], base + 100 * i);
	alarms[0].victim = TAKE_PTR(alarms[0].timer); /* itself */
	alarms[1].victim = TAKE_PTR(alarms[2].timer); /* another one, which is due as well */
	while (clock_now() < base + 400)
		;
	assert_int_equal(loop_run(f->loop), 0);
	assert_events(f, "abd");
	alarms_free(alarms, 4);
}

static void on_repeat(void *data)
{
	struct alarm *a = data;

	str_append_char(&a->f->events, a->name);
	if (a->f->events.len < 1000)
		timer_set(a->timer, 0);
}

static void a_timer_that_repeats_leaves_room_for_others(void **state)
{
	struct fixture *f = *state;
	struct alarm a = { .f = f, .name = 'r' };

	a.timer = timer_new(f->loop, on_repeat, &a);
	timer_set(a.timer, 0);
	while (f->events.len == 0)
		assert_int_equal(loop_step(f->loop), 0);
	assert_events(f, "r");
	timer_free(a.timer);
}

/* ---- queued work ---- */

/* Work that notes its name, and queues or cancels other work. */
struct work {
	struct ready ready;
	struct fixture *f;
	struct work *queues, *cancels;
	usec_t busy; /* for so long it keeps the processor */
	unsigned times, most;
	char name;
};

static void on_work(struct ready *r)
{
	struct work *w = CONTAINER_OF(r, struct work, ready);
	usec_t until = clock_now() + w->busy;

	str_append_char(&w->f->events, w->name);
	w->times++;
	while (clock_now() < until)
		;
	if (w->cancels)
		loop_cancel_ready(w->f->loop, &w->cancels->ready);
	if (w->queues && w->times < w->most)
		loop_ready(w->f->loop, &w->queues->ready);
}

#define WORK(name_) \
	{ \
		.ready.run = on_work, .f = f, .name = name_, .most = 1000000, \
	}

static void work_runs_in_the_order_in_which_it_was_queued(void **state)
{
	struct fixture *f = *state;
	struct work a = WORK('a'), b = WORK('b'), c = WORK('c'), d = WORK('d'), e = WORK('e');

	a.queues = &d; /* behind what is queued already */
	b.cancels = &c;
	loop_ready(f->loop, &a.ready);
	loop_ready(f->loop, &b.ready);
	loop_ready(f->loop, &c.ready);
	loop_ready(f->loop, &a.ready); /* it is queued */
	loop_ready(f->loop, &e.ready);
	loop_cancel_ready(f->loop, &d.ready); /* it is not */
	assert_events(f, "");
	while (!d.times)
		run_queued(f->loop);
	assert_events(f, "abed");
	assert_false(c.ready.queued);
	loop_ready(f->loop, &c.ready);
	run_queued(f->loop);
	assert_events(f, "c");
}

static void on_free(struct ready *r)
{
	struct work *w = CONTAINER_OF(r, struct work, ready);

	str_append_char(&w->f->events, w->name);
	free(w);
}

static void work_may_free_itself(void **state)
{
	struct fixture *f = *state;
	struct work *w = NEW(struct work);

	*w = (struct work){ .ready.run = on_free, .f = f, .name = 'f' };
	loop_ready(f->loop, &w->ready);
	run_queued(f->loop);
	assert_events(f, "f");
}

/* ---- descriptors ---- */

struct reader {
	struct fixture *f;
	struct watch *watch;
	uint32_t seen;
	unsigned times;
	char mark; /* is noted; 0: the byte that was read */
	bool keeps, frees;
	struct reader *victim;
};

static void on_readable(uint32_t events, void *data)
{
	struct reader *r = data;
	char byte;

	r->seen |= events;
	r->times++;
	if (r->mark)
		str_append_char(&r->f->events, r->mark);
	else if (!r->keeps && read(r->f->pipe[0], &byte, 1) == 1)
		str_append_char(&r->f->events, byte);
	if (r->frees)
		r->watch = watch_free(r->watch);
	if (r->victim)
		r->victim->watch = watch_free(r->victim->watch);
}

static void watch(struct fixture *f, struct reader *r, int fd, uint32_t events)
{
	r->f = f;
	assert_int_equal(watch_new(f->loop, fd, events, on_readable, r, &r->watch), 0);
}

static void say(struct fixture *f, const char *text)
{
	assert_int_equal(write(f->pipe[1], text, strlen(text)), (ssize_t)strlen(text));
}

static void what_comes_is_reported_until_it_is_read(void **state)
{
	struct fixture *f = *state;
	struct reader r = {};

	watch(f, &r, f->pipe[0], EPOLLIN);
	run_queued(f->loop);
	assert_int_equal(r.times, 0);
	say(f, "xyz");
	while (r.times < 3)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(r.seen, EPOLLIN);
	run_queued(f->loop);
	assert_int_equal(r.times, 3);
	assert_events(f, "xyz");
	watch_free(r.watch);
}

static void a_hang_up_leaves_what_was_sent_before(void **state)
{
	struct fixture *f = *state;
	struct reader r = {};

	watch(f, &r, f->pipe[0], EPOLLIN);
	say(f, "end");
	close_end(f, 1);
	while (f->events.len < 3)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(r.seen, EPOLLIN | EPOLLHUP);
	assert_events(f, "end");
	r.seen = 0;
	while (!r.seen)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(r.seen, EPOLLHUP);
	watch_free(r.watch);
}

static void a_reader_that_has_gone_is_reported_to_the_writer(void **state)
{
	struct fixture *f = *state;
	struct reader r = { .keeps = true };

	watch(f, &r, f->pipe[1], 0); /* no event is asked for */
	close_end(f, 0);
	while (!r.seen)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(r.seen, EPOLLERR);
	watch_free(r.watch);
}

static void watched_events_can_change(void **state)
{
	struct fixture *f = *state;
	struct reader r = {};

	watch(f, &r, f->pipe[0], 0);
	say(f, "x");
	run_queued(f->loop);
	run_queued(f->loop);
	assert_int_equal(r.times, 0);
	watch_set_events(r.watch, EPOLLIN);
	while (!r.times)
		assert_int_equal(loop_step(f->loop), 0);
	assert_events(f, "x");
	watch_free(r.watch);
}

static void a_callback_may_free_its_watch(void **state)
{
	struct fixture *f = *state;
	struct reader r = { .keeps = true, .frees = true };

	watch(f, &r, f->pipe[0], EPOLLIN);
	say(f, "x");
	while (!r.times)
		assert_int_equal(loop_step(f->loop), 0);
	run_queued(f->loop);
	run_queued(f->loop);
	assert_int_equal(r.times, 1);
	assert_null(r.watch);
}

/* Both are readable, so that both events are taken at once. */
static void a_watch_that_another_one_frees_is_not_called(void **state)
{
	struct fixture *f = *state;
	struct reader one = { .mark = '1' }, two = { .mark = '2' };
	int copy = fcntl(f->pipe[0], F_DUPFD_CLOEXEC, 3);

	one.victim = &two;
	two.victim = &one;
	watch(f, &one, f->pipe[0], EPOLLIN);
	watch(f, &two, copy, EPOLLIN);
	say(f, "x");
	while (one.times + two.times == 0)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(one.times + two.times, 1);
	watch_free(one.watch);
	watch_free(two.watch);
	close(copy);
}

static void a_file_cannot_be_watched(void **state)
{
	struct fixture *f = *state;
	struct watch *none = NULL;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(watch_new(f->loop, fd, EPOLLIN, on_readable, NULL, &none), -EPERM);
	assert_null(none);
	close(fd);
}

/* ---- too much to do ---- */

static void work_that_repeats_does_not_starve_descriptors(void **state)
{
	struct fixture *f = *state;
	struct work w = WORK('w');
	struct reader r = { .keeps = true, .frees = true };

	w.queues = &w;
	watch(f, &r, f->pipe[0], EPOLLIN);
	loop_ready(f->loop, &w.ready);
	assert_int_equal(loop_step(f->loop), 0);
	say(f, "x");
	while (!r.times && w.times < w.most)
		assert_int_equal(loop_step(f->loop), 0);
	assert_int_equal(r.times, 1);
	assert_true(w.times <= 100);
	loop_cancel_ready(f->loop, &w.ready);
}

static void long_work_is_cut_into_slices(void **state)
{
	struct fixture *f = *state;
	struct work works[20];
	struct reader r = { .mark = '!', .frees = true };

	for (unsigned i = 0; i < 20; i++) {
		works[i] = (struct work)WORK((char)('a' + i));
		works[i].busy = 500;
		loop_ready(f->loop, &works[i].ready);
	}
	assert_int_equal(loop_step(f->loop), 0);
	assert_true(works[19].ready.queued);
	watch(f, &r, f->pipe[0], EPOLLIN);
	say(f, "x");
	while (works[19].ready.queued)
		assert_int_equal(loop_step(f->loop), 0);
	assert_non_null(strchr(f->events.data, '!')); /* it was read before the last work */
	memmove(strchr(f->events.data, '!'), strchr(f->events.data, '!') + 1, 21 - strcspn(f->events.data, "!"));
	assert_string_equal(f->events.data, "abcdefghijklmnopqrst");
}

/* ---- the end ---- */

static void on_stop(struct ready *r)
{
	struct work *w = CONTAINER_OF(r, struct work, ready);

	str_append_char(&w->f->events, w->name);
	loop_stop(w->f->loop);
}

static void a_loop_can_be_stopped_and_run_again(void **state)
{
	struct fixture *f = *state;
	struct work a = WORK('a'), b = WORK('b');

	a.ready.run = b.ready.run = on_stop;
	for (int i = 0; i < 2; i++) {
		loop_ready(f->loop, &a.ready);
		loop_ready(f->loop, &b.ready); /* is done in the same round */
		assert_int_equal(loop_run(f->loop), 0);
		assert_events(f, "ab");
	}
}

static unsigned count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void a_loop_leaves_no_descriptors(void **state)
{
	unsigned before = count_descriptors();
	struct loop *l = NULL;

	assert_int_equal(loop_new(&l), 0);
	assert_true(count_descriptors() > before);
	loop_free(l);
	assert_int_equal(count_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(timers_run_in_the_order_of_their_times),
		TEST(a_timer_can_be_moved_and_stopped),
		TEST(a_timer_for_an_earlier_time_is_not_missed),
		TEST(a_time_that_has_passed_is_the_next_round),
		TEST(a_callback_may_free_timers),
		TEST(a_timer_that_repeats_leaves_room_for_others),
		TEST(work_runs_in_the_order_in_which_it_was_queued),
		TEST(work_may_free_itself),
		TEST(what_comes_is_reported_until_it_is_read),
		TEST(a_hang_up_leaves_what_was_sent_before),
		TEST(a_reader_that_has_gone_is_reported_to_the_writer),
		TEST(watched_events_can_change),
		TEST(a_callback_may_free_its_watch),
		TEST(a_watch_that_another_one_frees_is_not_called),
		TEST(a_file_cannot_be_watched),
		TEST(work_that_repeats_does_not_starve_descriptors),
		TEST(long_work_is_cut_into_slices),
		TEST(a_loop_can_be_stopped_and_run_again),
		TEST(a_loop_leaves_no_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
