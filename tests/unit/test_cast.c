/* Live pictures of a page in memory: who gets which, when the browser is asked for them, and when it is not. */
#include "memory_fixture.h"

#include <string.h>

#include "page/cast.h"
#include "page/navigate.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, memory_setup, memory_teardown)

struct watcher {
	struct cast_viewer viewer;
	struct str seen; /* the pictures that it was shown, each with a blank behind it */
	struct cast_picture *last;
};

static void show(struct cast_viewer *v, struct cast_picture *picture)
{
	struct watcher *w = (struct watcher *)v;

	str_appendf(&w->seen, "%.*s ", (int)picture->size, (const char *)picture->jpeg);
	cast_picture_unref(w->last);
	w->last = cast_picture_ref(picture);
}

static struct watcher watch(unsigned credit)
{
	return (struct watcher){ .viewer = { .size = { 800, 600 }, .credit = credit, .show = show } };
}

static void watcher_done(struct watcher *w)
{
	cast_leave(&w->viewer);
	str_done(&w->seen);
	cast_picture_unref(w->last);
}

/* Until it has seen these pictures, and no others. */
static void await(struct fixture *f, struct watcher *w, const char *seen)
{
	while (strcmp(str_text(&w->seen), seen) != 0) {
		assert_true(starts_with(seen, str_text(&w->seen)));
		assert_int_equal(loop_step(f->loop), 0);
	}
}

/* Until the browser waits for a change of the page. */
static void await_still(struct fixture *f, unsigned starts)
{
	while (memory_cast_starts() < starts || !memory_cast_runs())
		assert_int_equal(loop_step(f->loop), 0);
}

static void a_change_is_shown_once_and_a_page_without_changes_is_not_asked_again(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(10);
	unsigned before = memory_cast_starts();

	memory_change_looks("first");
	cast_join(&w.viewer, f->page);
	await(f, &w, "first ");
	assert_int_equal((int)w.last->width, 800);
	assert_false(memory_cast_runs()); /* for its pause */
	await_still(f, before + 2);
	memory_change_looks("first"); /* the browser sends the same picture again */
	memory_change_looks("second");
	await(f, &w, "first second ");
	assert_int_equal(memory_cast_starts(), before + 2);
	watcher_done(&w);
}

static void of_many_changes_the_last_one_is_shown_after_the_pause(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(10);
	unsigned before = memory_cast_starts();

	memory_change_looks("0");
	cast_join(&w.viewer, f->page);
	await(f, &w, "0 ");
	for (const char *const *looks = (const char *const[]){ "1", "2", "3", "4", NULL }; *looks; looks++)
		memory_change_looks(*looks);
	await(f, &w, "0 4 ");
	assert_int_equal(memory_cast_starts(), before + 2);
	watcher_done(&w);
}

static void a_slow_viewer_misses_pictures_and_delays_nobody(void **state)
{
	struct fixture *f = *state;
	struct watcher slow = watch(1), quick = watch(10);

	memory_change_looks("a");
	cast_join(&slow.viewer, f->page);
	cast_join(&quick.viewer, f->page);
	await(f, &slow, "a ");
	await(f, &quick, "a ");
	memory_change_looks("b");
	await(f, &quick, "a b ");
	memory_change_looks("c");
	await(f, &quick, "a b c ");
	assert_string_equal(slow.seen.data, "a ");
	cast_add_credit(&slow.viewer);
	await(f, &slow, "a c ");
	assert_ptr_equal(slow.last, quick.last);
	watcher_done(&slow);
	watcher_done(&quick);
}

static void nothing_is_asked_for_when_nobody_can_take_a_picture(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(1);
	unsigned before = memory_cast_starts();

	memory_change_looks("a");
	cast_join(&w.viewer, f->page);
	await(f, &w, "a ");
	assert_int_equal(cast_count(), 1);
	assert_false(memory_cast_runs());
	assert_int_equal(memory_cast_starts(), before + 1);
	cast_leave(&w.viewer);
	while (cast_count())
		assert_int_equal(loop_step(f->loop), 0);
	watcher_done(&w);
}

static void viewers_that_come_and_go_do_not_make_the_browser_begin_anew(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(1000);
	unsigned before = memory_cast_starts(), casts;

	memory_change_looks("a");
	cast_join(&w.viewer, f->page);
	await_still(f, before + 2);
	casts = memory_casts();
	for (int i = 1; i <= 100; i++) {
		cast_leave(&w.viewer);
		assert_false(memory_cast_runs());
		cast_join(&w.viewer, f->page);
		cast_set_size(&w.viewer, &(const struct cast_size){ 800 + i, 600 }, 0);
	}
	assert_int_equal(memory_casts(), casts);
	assert_in_range(memory_cast_starts(), before + 2, before + 3);
	watcher_done(&w);
}

static int go_elsewhere(struct task *t, void *data)
{
	struct fixture *f = data;

	return page_navigate(t, f->page, ELSEWHERE, WAIT_LOAD, 60 * USEC_PER_SEC, NULL);
}

static void a_new_document_is_shown_though_it_looks_the_same(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(10);
	unsigned document;

	memory_change_looks("same");
	cast_join(&w.viewer, f->page);
	await(f, &w, "same ");
	document = w.last->document;
	assert_int_equal(document, page_commits(f->page));
	assert_int_equal(run_task(f, go_elsewhere), 0);
	assert_int_not_equal(document, page_commits(f->page));
	await(f, &w, "same same ");
	assert_int_equal(w.last->document, page_commits(f->page));
	watcher_done(&w);
}

static void a_page_that_ends_is_no_longer_looked_at(void **state)
{
	struct fixture *f = *state;
	struct watcher w = watch(10), other = watch(10);

	cast_join(&w.viewer, f->page);
	cast_join(&other.viewer, f->page);
	page_close(f->page);
	assert_null(w.viewer.page);
	assert_null(other.viewer.page);
	assert_int_equal(cast_count(), 0);
	cast_join(&w.viewer, f->page);
	assert_null(w.viewer.page);
	watcher_done(&other);
	watcher_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_change_is_shown_once_and_a_page_without_changes_is_not_asked_again),
		TEST(of_many_changes_the_last_one_is_shown_after_the_pause),
		TEST(a_slow_viewer_misses_pictures_and_delays_nobody),
		TEST(nothing_is_asked_for_when_nobody_can_take_a_picture),
		TEST(viewers_that_come_and_go_do_not_make_the_browser_begin_anew),
		TEST(a_new_document_is_shown_though_it_looks_the_same),
		TEST(a_page_that_ends_is_no_longer_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
