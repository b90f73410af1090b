/*
 * Events of a real browser about a page, its frames and its workers, in the page's journal and in the lines that agents
 * read. The browser is driven by the loop of this process; the tests wait for events of the page and never sleep.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "act/evaluate.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/context.h"
#include "loop/failure_words.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "page/navigate.h"
#include "support/page_server.h"

static struct loop *loop;
static struct browser *browser;
static struct context *context;
static struct page *page;
static char base[64];

/* A step of a test, run as a task. */
struct step {
	const char *url, *script;
	int result;
	bool done;
};

static int open_page(struct task *t, void *data)
{
	int r = context_new(t, browser, NULL, &context);

	return r < 0 ? r : context_open_page(t, context, &page);
}

static int run_step(struct task *t, void *data)
{
	const struct step *s = data;
	struct navigation nav;
	const char *json;

	task_set_deadline(t, clock_now() + 60 * USEC_PER_SEC);
	if (s->url)
		return page_navigate(t, page, s->url, WAIT_LOAD, 60 * USEC_PER_SEC, &nav);
	return page_evaluate(t, page, s->script, &json);
}

static void on_done(struct task *t, int result, void *data)
{
	struct step *s = data;

	if (result < 0)
		print_message("%s\n", failure_words(t, task_error(t)));
	s->result = result;
	s->done = true;
}

static int run(int (*fn)(struct task *t, void *data), struct step *s)
{
	assert_int_equal(task_start(loop, "step", fn, on_done, s, NULL), 0);
	while (!s->done)
		assert_int_equal(loop_step(loop), 0);
	return s->result;
}

static uint64_t opened; /* number of the first event since open_url() */

/* A fresh document; what was before is not in lines(). */
static void open_url(const char *url)
{
	opened = journal_end(page_journal(page));
	journal_restart(page_journal(page), false);
	assert_int_equal(run(run_step, &(struct step){ .url = url }), 0);
}

static void evaluate(const char *script)
{
	assert_int_equal(run(run_step, &(struct step){ .script = script }), 0);
}

/* All messages, or all requests that are listed, a line each. */
static const char *lines(unsigned kinds)
{
	static struct str text;
	struct journal *j = page_journal(page);
	const struct journal_query q = { .kinds = kinds };
	const struct observed *e;
	uint64_t offset = opened;

	str_reset(&text);
	while ((e = journal_next(j, &q, &offset))) {
		if (kinds & OBSERVED_MESSAGES)
			message_line(&text, e, &(const struct message_form){});
		else if (e->sent.number)
			request_line(&text, j, e);
		str_append_char(&text, '\n');
	}
	return str_text(&text);
}

static void await_line(unsigned kinds, const char *part)
{
	while (!strstr(lines(kinds), part))
		assert_int_equal(loop_step(loop), 0);
}

/* No request is open. */
static void await_ends(void)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	struct journal *j = page_journal(page);
	const struct observed *e;
	uint64_t offset = opened;

	while ((e = journal_next(j, &requests, &offset)))
		while (journal_at(j, e->seq)->sent.end == OBSERVED_NONE)
			assert_int_equal(loop_step(loop), 0);
}

static _printf_(2, 3) void assert_line(unsigned kinds, const char *fmt, ...)
{
	_cleanup_(str_done) struct str line = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&line, fmt, ap);
	va_end(ap);
	str_append_char(&line, '\n');
	if (strstr(lines(kinds), line.data))
		return;
	print_message("missing: %sfound:\n%s", line.data, lines(kinds));
	fail();
}

static void test_console(void **state)
{
	open_url(base);
	evaluate("console.log('hello', 1, {a: 1, b: {c: 2}}, [1, , , 'x'], null, undefined, -0, 10n);"
		 "console.warn('careful'); console.error(new TypeError('bad')); console.assert(false, 'not so');"
		 "console.log(document.body, new Map([[1, 2]]), new Date(0) > 1); console.debug('end')");
	await_line(OBSERVED_CONSOLE, "end");
	assert_line(OBSERVED_CONSOLE, "[LOG] hello 1 {a: 1, b: Object} [1, empty x 2, x] null undefined -0 10n @ :0");
	assert_line(OBSERVED_CONSOLE, "[WARNING] careful @ :0");
	assert_line(OBSERVED_CONSOLE, "[ERROR] TypeError: bad\n    at <anonymous>:1:123 @ :0");
	assert_line(OBSERVED_CONSOLE, "[ASSERT] not so @ :0");
	assert_line(OBSERVED_CONSOLE, "[LOG] JSHandle@node Map(1) false @ :0");
	assert_int_equal(journal_counts(page_journal(page))->errors, 1);
	assert_int_equal(journal_counts(page_journal(page))->warnings, 1);
	assert_int_equal(journal_counts(page_journal(page))->total, 6);
}

static void test_errors(void **state)
{
	open_url("data:text/html,<script>throw new RangeError('top')</script><script>throw 'a: b'</script>"
		 "<script>Promise.reject({code: 1})</script><script>syntax error(</script>");
	await_line(OBSERVED_MESSAGES, "Object");
	assert_non_null(strstr(lines(OBSERVED_EXCEPTION), "RangeError: top\n    at data:text/html,<script>throw"));
	assert_line(OBSERVED_EXCEPTION, "a: b");
	assert_line(OBSERVED_EXCEPTION, "Unexpected identifier 'error'");
	assert_int_equal(journal_counts(page_journal(page))->errors, 4);
}

static void test_requests(void **state)
{
	const struct observed *request;
	_cleanup_(str_done) struct str details = {};

	open_url(base);
	evaluate("get = (...a) => fetch(...a).then(r => r.text());" /* the request of an unread body does not finish */
		 "Promise.allSettled([get('/a?x=1'), get('/b', {method: 'POST', body: 'text'}), get('data:,x'),"
		 "get('http://127.0.0.1:1/'), new Promise(r => { i = new Image; i.onerror = r; i.src = '/i.png' })])");
	await_ends();
	assert_line(OBSERVED_REQUEST, "1. [GET] %s => [200] OK", base);
	assert_line(OBSERVED_REQUEST, "2. [GET] %sa?x=1 => [200] OK", base);
	assert_line(OBSERVED_REQUEST, "3. [POST] %sb => [200] OK", base);
	assert_line(OBSERVED_REQUEST, "4. [GET] http://127.0.0.1:1/ => [FAILED] net::ERR_UNSAFE_PORT");
	assert_line(OBSERVED_REQUEST, "5. [GET] %si.png => [200] OK", base);
	request = journal_numbered(page_journal(page), 3);
	assert_string_equal(request->sent.body, "text");
	assert_string_equal(request->sent.type, "fetch");
	assert_false(request_is_static(page_journal(page), request));
	assert_true(request_is_static(page_journal(page), journal_numbered(page_journal(page), 1)));
	request_details(&details, page_journal(page), request);
	assert_non_null(strstr(details.data, "\n  General\n    status:    [200] OK\n    duration:  "));
	assert_non_null(strstr(details.data, "ms\n    type:      fetch\n    mimeType:  text/html\n\n  Request headers\n"));
	assert_non_null(strstr(details.data, "\n    content-type: text/plain;charset=UTF-8\n"));
	assert_non_null(strstr(details.data, "\n\n  Response headers\n    "));
	assert_non_null(strstr(details.data, "\n    cache-control: no-store\n"));
	assert_null(journal_numbered(page_journal(page), 6));
}

/* A worker, and a frame of another site, which has a process of its own. */
static void test_children(void **state)
{
	open_url(base);
	evaluate("w = new Worker(URL.createObjectURL(new Blob(['console.log(\"from worker\", {a: 1}); fetch(\"'"
		 " + location + 'of-worker\"); setTimeout(() => { throw new Error(\"in worker\") })'])))");
	evaluate("document.body.innerHTML = '<iframe src=\"' + String(location).replace('127.0.0.1', 'localhost')"
		 " + 'frame\"></iframe><iframe srcdoc=\"<script>console.log(`from frame`)</script>\"></iframe>'");
	await_line(OBSERVED_MESSAGES, "from worker {a: 1} @ blob:");
	await_line(OBSERVED_MESSAGES, "Error: in worker");
	await_line(OBSERVED_MESSAGES, "[LOG] from frame @ about:srcdoc:0");
	await_line(OBSERVED_REQUEST, "of-worker => [200] OK");
	await_line(OBSERVED_REQUEST, "/frame => [200] OK");
	assert_int_equal(journal_counts(page_journal(page))->errors, 1);
}

/* Another document counts anew; numbers and events go on unless the navigation was asked for. */
static void test_documents(void **state)
{
	struct journal *j = page_journal(page);
	uint64_t before;

	open_url(base);
	evaluate("console.error('one')");
	await_line(OBSERVED_MESSAGES, "one");
	before = journal_document(j);
	evaluate("setTimeout(() => { location = '/second' })");
	await_line(OBSERVED_REQUEST, "2. ");
	while (journal_document(j) == before)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(journal_counts(j)->errors, 0);
	assert_line(OBSERVED_MESSAGES, "[ERROR] one @ :0");
	await_line(OBSERVED_REQUEST, "second => [200] OK");
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Writes a great many messages and says what they cost; only the bounds are asserted. */
static void flood(const char *name, unsigned count, const char *script)
{
	struct journal *j = page_journal(page);
	uint64_t first, dropped = journal_dropped(j);
	double before;
	const struct observed *e;

	open_url(base);
	first = journal_end(j);
	before = cpu_seconds();
	evaluate(script);
	while (!(e = journal_at(j, journal_end(j) - 1)) || !(e->kind & OBSERVED_MESSAGES) || strcmp(e->message.text, "done"))
		assert_int_equal(loop_step(loop), 0);
	print_message("%s: %.1f us of CPU each, %zu bytes held, %llu events dropped\n", name,
		      (cpu_seconds() - before) * 1e6 / count, journal_bytes(j), (unsigned long long)(journal_dropped(j) - dropped));
	assert_true(journal_end(j) - first > count);
	assert_true(journal_end(j) - journal_first(j) <= LIMIT_OBSERVED_COUNT);
	assert_int_equal(journal_missed(j, first), journal_first(j) > first ? journal_first(j) - first : 0);
	assert_true(journal_bytes(j) <= LIMIT_OBSERVED_BYTES);
	/* Two more when the page was slowed down because of so many messages (page/throttle.h). */
	assert_in_range(journal_counts(j)->total, count + 1, count + 3);
}

static void test_many_messages(void **state)
{
	flood("small messages", 20000, "for (let i = 0; i < 20000; i++) console.log('message', i); console.log('done')");
	flood("objects", 20000, "for (let i = 0; i < 20000; i++) console.log({i, a: [i]}); console.log('done')");
}

static void test_long_messages(void **state)
{
	const struct observed *e;
	uint64_t offset = opened;

	flood("messages of 1 MB", 40, "for (let i = 0; i < 40; i++) console.log('x'.repeat(1e6)); console.log('done')");
	do
		e = journal_next(page_journal(page), &(struct journal_query){ .kinds = OBSERVED_CONSOLE }, &offset);
	while (e && e->message.text[0] != 'x'); /* that the page is slowed down */
	assert_non_null(e);
	assert_non_null(strstr(e->message.text, "x... [936000 bytes more]"));
}

static void on_died(struct browser *b, void *data)
{
	fail_msg("the browser died");
}

static int setup(void **state)
{
	static const struct browser_options options = {
		.start.headless = true,
		.page.viewport = { 1280, 720 },
		.timeout_launch = 60 * USEC_PER_SEC,
	};

	log_set_level(LOG_ERROR);
	snprintf(base, sizeof(base), "http://127.0.0.1:%d/", page_server_start());
	if (loop_new(&loop) < 0)
		return -1;
	browser = browser_new(loop, &options, on_died, NULL);
	return run(open_page, &(struct step){});
}

static int teardown(void **state)
{
	page_unref(page);
	context_free(context);
	browser_free(browser);
	loop_free(loop);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_console),       cmocka_unit_test(test_errors),    cmocka_unit_test(test_requests),
		cmocka_unit_test(test_children),      cmocka_unit_test(test_documents), cmocka_unit_test(test_many_messages),
		cmocka_unit_test(test_long_messages),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
