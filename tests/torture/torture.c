/*
 * Every tool, on a real browser, again and again, once for each of its waits. `faults`: that wait fails, in every way in which
 * a wait can. `losses`: it does not, but when it begins something that the call works with goes away: the page's frames, the
 * page, its context, the session, the client's connection, what is observed, the browser. Wait 0 is the time between the start
 * of a task and its first run.
 *
 * After each, the answer must have the form of an answer, nothing may be left running, and the session must either work or
 * be gone; the sanitizers watch the ways out.
 *
 * Each run takes TORTURE_ROWS rows of rows.c, which TEST_SEED draws: all of them take too long for every run. The seed is printed.
 * `torture faults 2/3` is the second of three programs that share the rows and their number and run beside each other;
 * `torture faults browser_click` has the rows of one tool.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "browser/downloads.h"
#include "browser/internal.h"
#include "engine/cdp/cdp.h"
#include "loop/task.h"
#include "page/internal.h"
#include "support/page_server.h"
#include "tools/browser/browse.h"
#include "torture/harness.h"

#define WAITS_MAX 200 /* far more than any tool has */
#define ROWS 8        /* of a run */
#define NO_WAIT UINT_MAX

/* What happens at the wait number `at` of the tasks of the call under way; 0: before their first run. */
struct blow {
	const char *name;
	int fault;                    /* that the wait fails with; 0: none */
	void (*lose)(struct task *t); /* what goes away; NULL: nothing */
	unsigned only;                /* with rows that have one of these, enum row_kind; 0: with all */
	bool spares_call;             /* it happens to the tasks that the call starts, not to that of the call */
};
static const struct blow *blow;
static unsigned at = NO_WAIT, combinations;
static unsigned waits; /* the largest number of a wait in the call under way */
static bool happened;
static struct task *call_task; /* not to be used but to compare */

static int strike(struct task *t, unsigned nth, const char *where)
{
	if (at != NO_WAIT && !call_task)
		call_task = t;
	waits = MAX(waits, nth);
	if (nth != at || (blow->lose && happened) || (blow->spares_call && t == call_task))
		return 0;
	happened = true;
	if (blow->lose)
		blow->lose(t);
	else if (blow->fault == -ECANCELED)
		task_cancel(t, -ERR_BROWSER_ERROR, "cancelled by the test");
	else
		task_fail(t, blow->fault, "fault injected into the wait for %s", where);
	return blow->fault;
}

static const struct blow faults[] = {
	{ "cancelled", .fault = -ECANCELED },
	{ "operations cancelled", .fault = -ECANCELED, .only = ROW_CODE, .spares_call = true },
	{ "times out", .fault = -ETIMEDOUT },
	{ "stale", .fault = -ESTALE },
	{ "not connected", .fault = -ENOTCONN },
	{},
};

/* ---- what goes away ---- */

/* Delivers an event to the page as if the browser had sent it. */
static void tell(struct page *p, const char *method, const char *params)
{
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{method: ?, params: ?, sessionId: ?}", method, JSON_RAW(params), engine_target_id(page_target(p)));
	cdp_receive(cdp_session_connection(page_target(p)), text.data, text.len);
}

static struct frame *first_child(struct page *p)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f != p->main)
			return f;
	return NULL;
}

static void remove_frames(struct page *p)
{
	struct frame *f;

	while (page_alive(p) && (f = first_child(p))) {
		_cleanup_(str_done) struct str params = {};

		str_json(&params, "{frameId: ?, reason: 'remove'}", f->at.id);
		tell(p, "Page.frameDetached", params.data);
	}
}

static void crash(struct page *p)
{
	tell(p, "Inspector.targetCrashed", "{}");
}

static void lose_context(struct page *p)
{
	struct context *c = page_context(p);

	cdp_post(browser_root(browser), "Target.disposeBrowserContext", "{browserContextId: ?}", context_id(c));
	page_group_gone(context_pages(c));
}

/* Of all sessions. */
static void with_pages(void (*fn)(struct page *p))
{
	const struct session *s = NULL;
	struct page *p;

	while ((s = registry_next(registry, OWNER, s))) {
		p = session_current_page(s);
		if (!p)
			continue;
		page_ref(p);
		fn(p);
		page_unref(p);
	}
}

static void lose_frames(struct task *t)
{
	with_pages(remove_frames);
}

static void lose_pages(struct task *t)
{
	with_pages(page_close);
}

static void lose_crashed_pages(struct task *t)
{
	with_pages(crash);
}

static void lose_contexts(struct task *t)
{
	with_pages(lose_context);
}

static void lose_sessions(struct task *t)
{
	registry_end_all_of(registry, OWNER);
}

static void lose_client(struct task *t)
{
	client_leave();
}

static void lose_observations(struct task *t)
{
	struct observation *ob;

	while ((ob = observers_next(observers, OWNER, NULL)) &&
	       observers_stop(t, observers, OWNER, observation_target_id(ob), true) == 0)
		;
}

/* Takes the reports of ended downloads, which frees them. */
static void forget_downloads(struct page *p)
{
	struct download_news news;

	while (page_context(p) && downloads_next_news(page_context(p), &news))
		;
}

static void lose_downloads(struct task *t)
{
	with_pages(forget_downloads);
}

static void lose_browser(struct task *t)
{
	browser_kill(browser);
}

static const struct blow losses[] = {
	{ "page", .lose = lose_pages },
	{ "session", .lose = lose_sessions },
	{ "client", .lose = lose_client },
	{ "frames", .lose = lose_frames, .only = ROW_FRAMES },
	{ "crashed page", .lose = lose_crashed_pages, .only = ROW_FRAMES | ROW_TABS | ROW_ALL_LOSSES },
	{ "context", .lose = lose_contexts, .only = ROW_ALL_LOSSES },
	{ "browser", .lose = lose_browser, .only = ROW_ALL_LOSSES },
	{ "observations", .lose = lose_observations, .only = ROW_OBSERVES },
	{ "downloads", .lose = lose_downloads, .only = ROW_DOWNLOADS },
	{},
};

/* ---- one tool ---- */

static const struct tool *find_tool(const char *name)
{
	const struct tool **tool = tools;

	while (*tool && strcmp(name, (*tool)->name) != 0)
		tool++;
	return *tool;
}

static bool answers_in_words(const char *name)
{
	return find_tool(name)->failure == browse_failure;
}

static void check_answer(const struct json *reply, const char *tool)
{
	const char *text = json_str(json_first(json_get(reply, "result.content")), "text");

	print_message("%s, wait %u, %s: %s\n", tool, at, blow->name, text ? text : "no text");
	assert_non_null(text);
	if (succeeded(reply))
		return;
	if (answers_in_words(tool)) { /* what a fault hits may be no part of the action */
		assert_true(strncmp(text, "### ", 4) == 0 || strstr(text, "\"errorCode\":\""));
		return;
	}
	assert_true(json_bool(reply, "result.isError", false));
	assert_true(strstr(text, "{\"error\":{\"code\":\"") || strstr(text, "\"errorCode\":\""));
	assert_non_null(strstr(text, "\"message\":\""));
}

/* Recreates the sessions and targets that the last fault has destroyed. */
static void mend(void)
{
	if (client_return())
		return;
	if (blow->lose == lose_contexts) {
		renew_sessions();
		return;
	}
	if (blow->lose == lose_browser && happened)
		while (browser_running(browser))
			settle_loop();
	if (count_pages() > 1) /* tabs and sessions that the call has left make later ones longer, and may still navigate */
		renew_sessions();
	check_session();
}

/* False: the call has fewer waits. */
static bool call_once(const struct row *row)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str text = {};
	unsigned wait = at;

	at = NO_WAIT;
	row->arguments(&text);
	at = wait;
	call_task = NULL;
	happened = false;
	waits = 0;
	reply = call(row->tool, "?", JSON_RAW(text.data));
	check_answer(reply, row->tool);
	at = NO_WAIT;
	assert_int_equal(task_count(), 0);
	mend();
	return happened;
}

/* A task can be cancelled before its first run, or what it is about can go away; its first wait is the first that can fail. */
static unsigned first_wait(const struct blow *b)
{
	return b->lose || b->fault == -ECANCELED ? 0 : 1;
}

static void torture(const struct row *row, const struct blow *blows)
{
	unsigned last = 0; /* wait of a call in which nothing happened; later blows need no such call to find their end */

	at = NO_WAIT; /* the row before may have failed */
	for (blow = blows; blow->name; blow++) {
		unsigned wait = first_wait(blow);

		if (blow->only && !(blow->only & row->kinds))
			continue;
		do {
			at = wait++;
			combinations += call_once(row);
		} while (happened && wait < WAITS_MAX && (!last || wait <= last));
		assert_true(wait < WAITS_MAX);
		if (!happened)
			last = MAX(last, waits);
	}
	arena_done(&scratch);
	scratch = (struct arena){};
	if (registry_count(registry) > 1)
		renew_sessions();
}

static void test_faults(void **state)
{
	torture(*state, faults);
}

static void test_losses(void **state)
{
	torture(*state, losses);
}

/* A tool that is missing here is not tested at all, and a row without a tool can only fail. */
static void test_all_tools(void **state)
{
	for (const struct tool **tool = tools; *tool; tool++) {
		const struct row *row = rows;

		while (row->tool && strcmp(row->tool, (*tool)->name) != 0)
			row++;
		if (!row->tool)
			fail_msg("rows.c does not call %s", (*tool)->name);
	}
	for (const struct row *row = rows; row->tool; row++)
		if (!find_tool(row->tool))
			fail_msg("rows.c calls %s, which the server of this test does not have", row->tool);
}

static int setup(void **state)
{
	int r = harness_setup(state);

	if (r == 0) {
		task_wait_fault = strike;
		new_session();
	}
	return r;
}

static int teardown(void **state)
{
	task_wait_fault = NULL;
	print_message("%u combinations of a tool, a wait and what happens there\n", combinations);
	return harness_teardown(state);
}

/* What sessions with a server of their own start. */
static _noreturn_ void serve(void)
{
	printf("http://127.0.0.1:%d/\n", page_server_start());
	fflush(stdout);
	for (;;)
		pause();
}

static unsigned number_of(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);

	return value && *value ? (unsigned)strtoul(value, NULL, 10) : otherwise;
}

/* One of several programs that share the rows: it takes every row whose number is `number` modulo `of`. */
struct part {
	unsigned number, of;
};

/* "2/3", of which the first number counts from 1. False for a text that is not one. */
static bool parse_part(const char *text, struct part *ret)
{
	struct part p;

	if (sscanf(text, "%u/%u", &p.number, &p.of) != 2 || p.number < 1 || p.number > p.of)
		return false;
	p.number--;
	*ret = p;
	return true;
}

/* The rows of a part, or those of one tool. Returns how many. */
static size_t add_rows(struct CMUnitTest *tests, size_t max, CMUnitTestFunction test, struct part part, const char *tool)
{
	size_t n = 0;

	for (const struct row *row = rows; row->tool && n < max; row++)
		if (tool ? strcmp(tool, row->tool) == 0 : (size_t)(row - rows) % part.of == part.number)
			tests[n++] = (struct CMUnitTest){ row->tool, test, NULL, NULL, (void *)row };
	return n;
}

/* Leaves `count` of the `n` tests, in random order. */
static size_t draw(struct CMUnitTest *tests, size_t n, size_t count)
{
	unsigned seed = number_of("TEST_SEED", (unsigned)(clock_now() % 1000000));

	printf("TORTURE_ROWS=%zu TEST_SEED=%u\n", count, seed);
	srand(seed);
	for (size_t i = 0; i < n; i++) {
		size_t other = i + (size_t)rand() % (n - i);
		struct CMUnitTest test = tests[i];

		tests[i] = tests[other];
		tests[other] = test;
	}
	return MIN(n, count);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *tool = argc > 2 ? argv[2] : NULL;
	CMUnitTestFunction test = strcmp(what, "losses") == 0 ? test_losses : test_faults;
	struct part part = { 0, 1 };
	struct CMUnitTest tests[256] = { cmocka_unit_test(test_all_tools) };
	size_t n;

	program = realpath("/proc/self/exe", NULL);
	if (strcmp(what, "--serve") == 0)
		serve();
	if (tool && parse_part(tool, &part))
		tool = NULL;
	n = add_rows(tests + 1, ARRAY_SIZE(tests) - 1, test, part, tool);
	if (!tool)
		n = draw(tests + 1, n, MAX(number_of("TORTURE_ROWS", ROWS) / part.of, 1U));
	return _cmocka_run_group_tests("torture", tests, 1 + n, setup, teardown);
}
