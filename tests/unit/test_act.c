/* Clicks on a page in memory: what they wait for, what is in the way, and what happens to the page meanwhile. */
#include "memory_fixture.h"

#include <errno.h>
#include <string.h>

#include "act/action.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, memory_setup, memory_teardown)
#define BUY shop.nodes[SHOP_BUY]

/* A click of "Buy" that waits this long, in ms. */
static int click_buy(struct task *t, struct fixture *f, unsigned timeout)
{
	_cleanup_(frame_unrefp) struct frame *main = frame_ref(page_main_frame(f->page));
	const char *element;

	return action_click(t, main,
			    &(const struct click_action){
				    .target = "{\"ref\": \"e2\"}", .timeout = timeout * USEC_PER_MSEC, .count = 1 },
			    &element);
}

static int click_briefly(struct task *t, void *data)
{
	return click_buy(t, data, 30);
}

static int click_patiently(struct task *t, void *data)
{
	return click_buy(t, data, 10000);
}

static void a_click_reaches_the_element(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_task(f, click_patiently), 0);
	assert_int_equal(BUY.presses, 1);
	assert_string_equal(page_url(f->page), cart.url);
	assert_int_equal(cart.nodes[CART_PAY].presses, 0);
}

/* ---- what is in the way ---- */

static void uncover_at_third_look(struct memory_page *p, const char *what, void *data)
{
	unsigned *looks = data;

	if (strcmp(what, "prepareClick") == 0 && ++*looks == 3)
		BUY.covered_by = NULL;
}

static void a_click_waits_until_nothing_covers_the_element(void **state)
{
	struct fixture *f = *state;
	unsigned looks = 0;

	BUY.covered_by = "<div id=\"veil\">";
	memory.before = uncover_at_third_look;
	memory.data = &looks;
	assert_int_equal(run_task(f, click_patiently), 0);
	assert_int_equal(BUY.presses, 1);
}

static void a_click_says_what_covers_the_element_when_time_is_over(void **state)
{
	struct fixture *f = *state;

	BUY.covered_by = "<div id=\"veil\">";
	assert_int_equal(run_task(f, click_briefly), -ERR_ELEMENT_NOT_CLICKABLE);
	assert_string_equal(f->failure.data,
			    "Timeout 30 ms exceeded, <button>Buy</button> could not be clicked: covered by <div id=\"veil\">");
	assert_int_equal(BUY.presses, 0);
}

/* The page is covered after the look, so that the press arrives at something else. */
static void cover_before_first_press(struct memory_page *p, const char *what, void *data)
{
	unsigned *events = data;

	if (strcmp(what, "mouse") == 0)
		BUY.covered_by = ++*events < 4 ? "<div id=\"veil\">" : NULL;
	else if (strcmp(what, "prepareClick") == 0 && *events)
		BUY.covered_by = NULL;
}

static void a_press_that_something_else_got_is_repeated(void **state)
{
	struct fixture *f = *state;
	unsigned events = 0;

	memory.before = cover_before_first_press;
	memory.data = &events;
	assert_int_equal(run_task(f, click_patiently), 0);
	assert_int_equal(BUY.presses, 1);
	assert_true(events > 3); /* the first click had three events */
}

/* ---- pages that navigate and end ---- */

static void navigate_before_first_press(struct memory_page *p, const char *what, void *data)
{
	bool *navigated = data;

	if (strcmp(what, "mouse") == 0 && !*navigated) {
		*navigated = true;
		memory_navigate(p, ELSEWHERE);
	}
}

static void a_click_goes_on_in_the_document_that_came_between_look_and_press(void **state)
{
	struct fixture *f = *state;
	bool navigated = false;

	memory.before = navigate_before_first_press;
	memory.data = &navigated;
	assert_int_equal(run_task(f, click_patiently), 0);
	assert_int_equal(BUY.presses, 0);
	assert_int_equal(elsewhere.nodes[0].presses, 1);
}

struct ending {
	unsigned at, count;
};

static void end_page(struct memory_page *p, const char *what, void *data)
{
	struct ending *e = data;

	if (p && ++e->count == e->at)
		memory_close(p);
}

/* A click after which the page has gone has done what it could. */
static void a_click_ends_when_its_page_does_wherever_that_is(void **state)
{
	struct fixture *f = *state;
	struct ending e = {};
	unsigned failures = 0;

	do {
		renew_page(f);
		e = (struct ending){ .at = e.at + 1 };
		memory.before = end_page;
		memory.data = &e;
		assert_true(run_task(f, click_patiently) == 0 || f->result == -ESTALE);
		failures += f->result < 0;
		if (f->result < 0)
			assert_string_equal(f->failure.data, ENGINE_PAGE_GONE);
		if (e.count >= e.at)
			assert_false(page_alive(f->page));
	} while (e.count >= e.at);
	assert_true(failures > 0 && e.at > 4);
	assert_int_equal(f->result, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_click_reaches_the_element),
		TEST(a_click_waits_until_nothing_covers_the_element),
		TEST(a_click_says_what_covers_the_element_when_time_is_over),
		TEST(a_press_that_something_else_got_is_repeated),
		TEST(a_click_goes_on_in_the_document_that_came_between_look_and_press),
		TEST(a_click_ends_when_its_page_does_wherever_that_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
