#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "observe/clip.h"
#include "observe/event.h"
#include "observe/lines.h"
#include "observe/own_events.h"
#include "observe/redact.h"
#include "observe_fixture.h"

static const struct observed *last(const struct journal *j)
{
	return journal_at(j, journal_end(j) - 1);
}

static void assert_message(const struct journal *j, const char *line)
{
	_cleanup_(str_done) struct str text = {};

	message_line(&text, last(j), &(const struct message_form){});
	assert_string_equal(text.data, line);
}

static void assert_request(const struct journal *j, unsigned number, const char *line)
{
	_cleanup_(str_done) struct str text = {};

	assert_non_null(journal_numbered(j, number));
	request_line(&text, j, journal_numbered(j, number));
	assert_string_equal(text.data, line);
}

static void test_clip(void **state)
{
	_cleanup_(clip_done) struct clip c = { .limit = 5 };

	clip_append(&c, "ab");
	clip_append(&c, "c\xc3\xa9\xc3\xa9"); /* the second of the two does not fit */
	clip_append(&c, "x");
	assert_string_equal(clip_text(&c), "abc\xc3\xa9... [3 bytes more]");
	assert_int_equal(clip_fit("\xe2\x82\xac", 3, 2), 0);
	assert_int_equal(clip_fit("abc", 3, 3), 3);
}

#define ASSERT_VALUE(object, text) \
	do { \
		tell(j, "Runtime.consoleAPICalled", "{type: 'log', args: [" object "]}"); \
		assert_message(j, "[LOG] " text " @ :0"); \
	} while (0)

static void test_values(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	ASSERT_VALUE("{type: 'string', value: 'a b'}", "a b");
	ASSERT_VALUE("{type: 'number', value: 1.5, description: '1.5'}", "1.5");
	ASSERT_VALUE("{type: 'number', value: 7}", "7");
	ASSERT_VALUE("{type: 'number', unserializableValue: 'NaN', description: 'NaN'}", "NaN");
	ASSERT_VALUE("{type: 'object', subtype: 'null', value: null}", "null");
	ASSERT_VALUE("{type: 'boolean', value: true}", "true");
	ASSERT_VALUE("{type: 'undefined'}", "undefined");
	ASSERT_VALUE("{type: 'symbol', description: 'Symbol(s)'}", "Symbol(s)");
	ASSERT_VALUE("{type: 'object', subtype: 'node', description: 'p'}", "JSHandle@node");
	ASSERT_VALUE("{type: 'object', description: 'Foo', preview: {properties: [{name: 'a', value: '1'}]}}", "Foo");
	ASSERT_VALUE("{}", "");
}

static void test_previews(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	ASSERT_VALUE("{type: 'object', description: 'Object', preview: {properties: [{name: 'a', value: '1'},"
		     "{name: 'g', type: 'accessor'}, {name: 'f', type: 'function', value: ''}]}}",
		     "{a: 1, g: undefined, f: }");
	ASSERT_VALUE("{type: 'object', description: 'Object', preview: {properties: []}}", "{}");
	ASSERT_VALUE("{type: 'object', subtype: 'array', description: 'Array(6)', preview: {properties: ["
		     "{name: '0', value: 'x'}, {name: '2', value: 'y'}, {name: '5', value: 'z'}, {name: 'n', value: ''}]}}",
		     "[x, empty, y, empty x 2, z]");
	ASSERT_VALUE("{type: 'object', subtype: 'array', preview: {properties: [{name: '3', value: 'x'}]}}", "[empty x 3, x]");
	ASSERT_VALUE("{type: 'object', subtype: 'array', preview: {properties: []}}", "[]");
	ASSERT_VALUE("{type: 'object', subtype: 'array', description: 'Array(2)'}", "Array(2)");
}

static void test_messages(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Runtime.consoleAPICalled",
	     "{type: 'startGroup', args: [{type: 'string', value: 'a'}, {type: 'string',"
	     "value: 'bc'}], timestamp: 1083.4, stackTrace: {callFrames: [{url: 'http://x/', lineNumber: 7, columnNumber: 2}]}}");
	assert_message(j, "[STARTGROUP] a bc @ http://x/:7");
	assert_int_equal(last(j)->message.level, MESSAGE_DEBUG);
	assert_int_equal(last(j)->message.column, 2);
	assert_int_equal(last(j)->message.arguments, 2);
	assert_int_equal(last(j)->message.argument_ends[0], 1);
	assert_int_equal(last(j)->message.argument_ends[1], 4);
	assert_string_equal(last(j)->session, SESSION);
	tell(j, "Runtime.consoleAPICalled", "{type: 'warning', args: []}");
	tell(j, "Runtime.consoleAPICalled", "{type: 'assert', args: []}");
	assert_int_equal(last(j)->message.level, MESSAGE_ERROR);
	tell(j, "Log.entryAdded", "{entry: {source: 'network', level: 'error', text: 'Failed to load', url: 'http://x/a'}}");
	assert_message(j, "[ERROR] Failed to load @ http://x/a:0");
	tell(j, "Log.entryAdded", "{entry: {source: 'worker', level: 'error', text: 'reported twice'}}");
	assert_message(j, "[ERROR] Failed to load @ http://x/a:0");
	assert_int_equal(journal_counts(j)->total, 4);
	assert_int_equal(journal_counts(j)->errors, 1);
	assert_int_equal(journal_counts(j)->warnings, 1);
}

static void test_message_time(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(str_done) struct str text = {};

	tell(j, "Runtime.consoleAPICalled", "{type: 'log', args: [], timestamp: 1795198474083.4}");
	message_time(&text, last(j), 1795198474000);
	message_time(&text, last(j), 1795198475000);
	assert_string_equal(text.data, "[      83ms] [       0ms] ");
}

#define ASSERT_ERROR(exception, text) \
	do { \
		tell(j, "Runtime.exceptionThrown", "{exceptionDetails: {text: 'Uncaught', " exception "}}"); \
		assert_message(j, text); \
	} while (0)

static void test_errors(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	ASSERT_ERROR("exception: {subtype: 'error', description: 'Error: a: b\\n    at http://x/:1:2'}",
		     "Error: a: b\n    at http://x/:1:2");
	ASSERT_ERROR("exception: {subtype: 'error', description: 'SyntaxError: a: b'}", "a: b");
	ASSERT_ERROR("exception: {subtype: 'error', description: 'odd:'}", "odd:");
	ASSERT_ERROR("exception: {subtype: 'error', description: 'no colon'}", "no colon");
	ASSERT_ERROR("exception: {type: 'string', value: 'a: b'}", "a: b");
	ASSERT_ERROR("exception: {type: 'object', subtype: 'null', value: null}", "null");
	ASSERT_ERROR("exception: {type: 'undefined'}", "undefined");
	ASSERT_ERROR("exception: {type: 'object', description: 'Object', preview: {properties: []}}", "Object");
	ASSERT_ERROR("stackTrace: {callFrames: [{functionName: 'f', url: 'http://x/', lineNumber: 0, columnNumber: 4}]}",
		     "Uncaught\n    at f (http://x/:1:5)");
	assert_int_equal(journal_counts(j)->errors, 9);
}

static void test_long_message(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(str_done) struct str text = {};

	for (unsigned i = 0; i < LIMIT_OBSERVED_TEXT / 2 + 10; i++)
		str_append(&text, "\xc3\xa9");
	tell(j, "Runtime.consoleAPICalled", "{args: [{value: ?}, {value: 'b'}]}", text.data);
	assert_non_null(strstr(last(j)->message.text, "\xc3\xa9... [22 bytes more]"));
	assert_int_equal(last(j)->message.arguments, 1);
	assert_int_equal(last(j)->message.argument_ends[0], LIMIT_OBSERVED_TEXT);
}

static void tell_request(struct journal *j, const char *id, const char *url)
{
	tell(j, "Network.requestWillBeSent",
	     "{requestId: ?, timestamp: 10, wallTime: 1795198474, type: 'Fetch',"
	     "request: {url: ?, method: 'POST', headers: {Referer: 'http://x/', 'X-A': '1'}, hasPostData: true,"
	     "postData: 'A\xc3\xbf', postDataEntries: [{bytes: 'Qf8='}]}, initiator: {type: 'script'}}",
	     id, url);
}

static void test_requests(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	const struct observed *e;

	tell_request(j, "1.1", "http://x/a");
	assert_request(j, 1, "1. [POST] http://x/a");
	tell_request(j, "1.1", "http://x/a"); /* reported by another CDP session, too */
	tell_request(j, "1.2", "data:text/html,x");
	assert_int_equal(journal_end(j), 1);
	tell(j, "Network.responseReceived",
	     "{requestId: '1.1', timestamp: 10.02, response: {url: 'http://x/a', status: 404,"
	     "statusText: 'Not Found', mimeType: 'text/plain', headers: {'Content-Type': 'text/plain; charset=utf-8',"
	     "'X-B': '1\\n2'}, remoteIPAddress: '[::1]', remotePort: 80, timing: {requestTime: 10.001, sendEnd: 2.5}}}");
	tell(j, "Network.loadingFinished", "{requestId: '1.1', timestamp: 10.0256, encodedDataLength: 99}");
	tell(j, "Network.loadingFailed", "{requestId: '1.1', errorText: 'too late'}");
	assert_int_equal(journal_end(j), 3);
	assert_request(j, 1, "1. [POST] http://x/a => [404] Not Found");
	e = journal_numbered(j, 1);
	assert_int_equal(e->sent.body_size, 2);
	assert_memory_equal(e->sent.body, "A\xff", 3);
	e = request_response(j, e);
	assert_string_equal(e->response.remote_address, "[::1]:80");
	assert_true(e->response.timing.send_end == 2.5f && e->response.timing.dns_end == -1);
	assert_string_equal(journal_url(j, last(j)), "http://x/a");
	assert_true(last(j)->encoded_bytes == 99);
}

static void test_request_details(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(str_done) struct str text = {};

	tell_request(j, "1.1", "http://x/a");
	tell(j, "Network.responseReceived",
	     "{requestId: '1.1', response: {status: 200, statusText: '', headers: {"
	     "'Content-Type': 'text/plain; charset=utf-8', 'X-B': '1\\n2'}}}");
	tell(j, "Network.loadingFinished", "{requestId: '1.1', timestamp: 10.0256}");
	request_details(&text, j, journal_numbered(j, 1));
	assert_string_equal(
		text.data,
		"#1 [POST] http://x/a\n\n  General\n    status:    [200] \n    duration:  26ms\n    type:      fetch\n"
		"    mimeType:  text/plain\n\n  Request headers\n    referer: http://x/\n    x-a: 1\n\n  Response headers\n"
		"    content-type: text/plain; charset=utf-8\n    x-b: 1, 2");
	assert_true(request_may_have_response_body(j, journal_numbered(j, 1)));
}

static void test_details_without_body(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(str_done) struct str text = {};

	tell(j, "Network.requestWillBeSent", "{requestId: '1', type: 'XHR', request: {url: 'http://x/', method: 'GET'}}");
	request_details(&text, j, last(j));
	str_append(&text, "\n--\n");
	tell(j, "Network.responseReceived", "{requestId: '1', response: {status: 204, statusText: 'No Content'}}");
	request_details(&text, j, journal_numbered(j, 1));
	assert_string_equal(text.data, "#1 [GET] http://x/\n\n  General\n    type:      xhr\n--\n#1 [GET] http://x/\n\n"
				       "  General\n    status:    [204] No Content\n    type:      xhr");
}

static void test_redirects(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell_request(j, "1.1", "http://x/a");
	tell(j, "Network.requestWillBeSent",
	     "{requestId: '1.1', timestamp: 11, type: 'Fetch', request: {url: 'http://x/b',"
	     "method: 'GET'}, redirectResponse: {url: 'http://x/a', status: 302, statusText: 'Found'}}");
	assert_request(j, 1, "1. [POST] http://x/a => [302] Found");
	assert_request(j, 2, "2. [GET] http://x/b");
	tell(j, "Network.loadingFailed", "{requestId: '1.1', errorText: 'net::ERR_ABORTED', canceled: true}");
	assert_request(j, 2, "2. [GET] http://x/b => [FAILED] net::ERR_ABORTED");
	assert_true(last(j)->failure.canceled);
	assert_true(request_is_static(j, journal_numbered(j, 1)) == false);
}

static void test_unlisted_requests(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Network.requestWillBeSent",
	     "{requestId: '1', request: {url: 'http://x/', method: 'OPTIONS'},"
	     "initiator: {type: 'preflight'}}");
	tell(j, "Network.requestWillBeSent", "{requestId: '2', request: {url: 'http://x/favicon.ico', method: 'GET'}}");
	tell(j, "Network.requestWillBeSent", "{requestId: '3', type: 'Image', request: {url: 'http://x/i', method: 'GET'}}");
	tell(j, "Network.responseReceived", "{requestId: '3', response: {status: 304}}");
	assert_request(j, 1, "1. [GET] http://x/i => [304] ");
	assert_true(request_is_static(j, journal_numbered(j, 1)));
	assert_null(journal_numbered(j, 2));
	assert_null(journal_numbered(j, 0));
	journal_restart(j, false);
	assert_null(journal_numbered(j, 1));
	tell_request(j, "4", "http://x/a");
	assert_request(j, 1, "1. [POST] http://x/a");
}

static void test_websockets(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Network.webSocketCreated", "{requestId: '1.7', url: 'ws://x/s'}");
	tell(j, "Network.webSocketHandshakeResponseReceived", "{requestId: '1.7', response: {status: 101}}");
	assert_int_equal(last(j)->websocket.status, 101);
	tell(j, "Network.webSocketFrameSent", "{requestId: '1.7', timestamp: 3, response: {opcode: 1, payloadData: 'hi'}}");
	assert_string_equal(last(j)->websocket.payload, "hi");
	assert_string_equal(journal_url(j, last(j)), "ws://x/s");
	assert_int_equal(last(j)->websocket.event, WEBSOCKET_SENT);
	tell(j, "Network.webSocketClosed", "{requestId: '1.7'}");
	assert_int_equal(last(j)->request, 0);
	tell(j, "Network.loadingFinished", "{requestId: '1.7'}"); /* not a request */
	assert_int_equal(last(j)->websocket.event, WEBSOCKET_CLOSED);
}

static void test_queries(void **state)
{
	static const struct journal_query posts = { .kinds = OBSERVED_REQUEST | OBSERVED_RESPONSE, .method = "post" };
	static const struct journal_query named = { .url_includes = "/b" };
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	uint64_t offset = 0;

	tell_request(j, "1", "http://x/a");
	tell_request(j, "2", "http://x/b");
	tell(j, "Network.responseReceived", "{requestId: '2', response: {status: 200}}");
	tell(j, "Network.loadingFinished", "{requestId: '2'}");
	assert_int_equal(journal_next(j, &posts, &offset)->seq, 0);
	assert_int_equal(journal_next(j, &posts, &offset)->seq, 1);
	assert_int_equal(journal_next(j, &posts, &offset)->seq, 2);
	assert_null(journal_next(j, &posts, &offset));
	assert_int_equal(offset, 4);
	offset = 0;
	assert_int_equal(journal_next(j, &named, &offset)->seq, 1);
	assert_int_equal(journal_next(j, &named, &offset)->seq, 2);
	assert_int_equal(journal_next(j, &named, &offset)->seq, 3); /* by the URL of its request */
}

struct counter {
	struct journal_listener listener;
	unsigned events;
};

static void on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct counter *c = CONTAINER_OF(l, struct counter, listener);

	assert_string_equal(e->message.text, "x");
	c->events++;
}

static void test_listeners(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(journal_freep) struct journal *other = journal_new(100, 1 << 20);
	struct counter one = { .listener.observed = on_observed }, all = { .listener.observed = on_observed };

	journal_listen(j, &one.listener);
	journal_listen(NULL, &all.listener);
	tell(j, "Runtime.consoleAPICalled", "{args: [{value: 'x'}]}");
	tell(other, "Runtime.consoleAPICalled", "{args: [{value: 'x'}]}");
	journal_unlisten(&one.listener);
	journal_unlisten(&all.listener);
	tell(j, "Runtime.consoleAPICalled", "{args: [{value: 'y'}]}");
	assert_int_equal(one.events, 1);
	assert_int_equal(all.events, 2);
}

/*
 * The ring against a model that keeps everything: any sequence of events, reads, clears, expiries and changes of size. CASES sequences from one
 * seed, which is printed and can be given in OBSERVE_SEED.
 */
#define CASES 1500
#define STEPS 120
#define MODEL_MAX (STEPS + 1)

struct model {
	uint64_t lengths[MODEL_MAX]; /* of the text of event n, which is made of the letter n modulo 26 */
	bool error[MODEL_MAX];
	uint64_t first, end, dropped, max_count;
};

static void add_random(struct journal *j, struct model *m, size_t max_bytes)
{
	static const unsigned sizes[] = { 10, 300, 6000 };
	unsigned len = random_below(sizes[random_below(3)]);
	_cleanup_(freep) char *text = must(malloc(len + 1));
	bool error = random_below(3) == 0;

	memset(text, 'a' + (int)(m->end % 26), len);
	text[len] = 0;
	tell(j, "Runtime.consoleAPICalled", "{type: ?, args: [{value: ?}], stackTrace: {callFrames: [{url: ?}]}}",
	     error ? "error" : "log", text, error ? "http://bad/" : "http://good/");
	m->lengths[m->end] = len;
	m->error[m->end++] = error;
	/* How many bytes an event takes is the journal's affair: it may drop more than the count asks for, if it was full. */
	assert_true(journal_first(j) >= m->first && journal_first(j) < m->end);
	assert_true(m->end - journal_first(j) <= m->max_count);
	assert_true(journal_bytes(j) <= max_bytes || journal_first(j) == m->end - 1);
	m->dropped += journal_first(j) - m->first;
	m->first = journal_first(j);
}

static void check_event(const struct model *m, const struct observed *e)
{
	assert_int_equal(strlen(e->message.text), m->lengths[e->seq]);
	for (const char *c = e->message.text; *c; c++)
		assert_int_equal(*c, 'a' + (int)(e->seq % 26));
	assert_int_equal(e->message.kind, m->error[e->seq] ? CONSOLE_ERROR : CONSOLE_LOG);
}

static void read_random(const struct journal *j, const struct model *m)
{
	uint64_t offset = random_below((unsigned)m->end + 3), expected = MAX(offset, m->first);
	bool only_errors = random_below(2);
	const struct journal_query q = { .kinds = OBSERVED_CONSOLE, .url_includes = only_errors ? "bad" : "http" };
	const struct observed *e;

	assert_int_equal(journal_missed(j, offset), offset < m->first ? m->first - offset : 0);
	while ((e = journal_next(j, &q, &offset))) {
		while (only_errors && !m->error[expected])
			expected++;
		assert_int_equal(e->seq, expected++);
		check_event(m, e);
	}
	assert_int_equal(offset, m->end);
	while (only_errors && expected < m->end && !m->error[expected])
		expected++;
	assert_true(expected >= m->end);
}

static void resize_random(struct journal *j, struct model *m, size_t max_bytes)
{
	m->max_count = 1 + random_below(100);
	journal_resize(j, m->max_count, max_bytes);
	assert_true(journal_first(j) == m->first || m->end - journal_first(j) == MAX(m->max_count, 1u));
	m->dropped += journal_first(j) - m->first;
	m->first = journal_first(j);
}

static void run_case(void)
{
	size_t max_bytes = random_below(2) ? 1 << 20 : 96 << 10;
	struct model m = { .max_count = 1 + random_below(100) };
	_cleanup_(journal_freep) struct journal *j = journal_new(m.max_count, max_bytes);

	for (unsigned steps = random_below(STEPS); steps > 0; steps--) {
		unsigned what = random_below(20);

		if (what == 0) {
			resize_random(j, &m, max_bytes);
		} else if (what < 3) {
			read_random(j, &m);
		} else {
			add_random(j, &m, max_bytes);
		}
		assert_int_equal(journal_dropped(j), m.dropped);
		assert_int_equal(journal_end(j), m.end);
	}
	read_random(j, &m);
}

static void test_model(void **state)
{

	random_begin();
	for (unsigned i = 0; i < CASES; i++)
		run_case();
}

static void fill(struct journal *j, size_t bytes)
{
	for (size_t n = 0; n < bytes; n += 4000) {
		struct observed *e = journal_add(j, OBSERVED_CONSOLE, "S");

		e->message.kind = CONSOLE_LOG;
		e->message.text = journal_alloc(j, 4000);
		journal_done(j, e);
	}
}

/* The windows of one owner: those that say the most lose their oldest events, and other owners lose nothing. */
static void test_owners(void **state)
{
	_cleanup_(journal_freep) struct journal *quiet = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES),
						*other = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
	struct journal *windows[12];
	size_t sum = 0;

	journal_set_owner(quiet, 1);
	journal_set_owner(other, 2);
	fill(quiet, 1 << 20);
	fill(other, 7 << 20);
	for (unsigned i = 0; i < ARRAY_SIZE(windows); i++) {
		windows[i] = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
		journal_set_owner(windows[i], 1);
		fill(windows[i], 9 << 20);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(windows); i++) {
		assert_in_range(journal_bytes(windows[i]), 4 << 20, LIMIT_OBSERVED_BYTES);
		sum += journal_bytes(windows[i]);
	}
	assert_in_range(sum + journal_bytes(quiet), LIMIT_OWNER_JOURNALS - (1 << 20), LIMIT_OWNER_JOURNALS);
	assert_int_equal(journal_dropped(quiet) + journal_dropped(other), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(windows); i++)
		journal_free(windows[i]);
	assert_int_equal(journal_totals()->bytes, journal_bytes(quiet) + journal_bytes(other));
}

/* The memory of a page with many requests: 10,000 events as a browser reports them. */
static void test_size(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);

	for (unsigned i = 0; i < 4000; i++) {
		char id[20];

		snprintf(id, sizeof(id), "15251.%u", i);
		tell_request(j, id, "http://127.0.0.1:8977/some/path/of/a/resource?with=parameters");
		tell(j, "Network.responseReceived",
		     "{requestId: ?, timestamp: 1, response: {url: 'http://127.0.0.1/', status: 200,"
		     "statusText: 'OK', mimeType: 'text/html', protocol: 'h2', headers: {'Content-Type': 'text/html',"
		     "'Content-Length': '2331', Date: 'Sat, 21 Nov 2026 00:31:59 GMT', Server: 'test/1.0'}}}",
		     id);
		tell(j, "Network.loadingFinished", "{requestId: ?, timestamp: 2, encodedDataLength: 1}", id);
	}
	assert_int_equal(journal_end(j) - journal_first(j), LIMIT_OBSERVED_COUNT);
	assert_int_equal(journal_dropped(j), 2000);
	print_message("10000 network events: %zu bytes\n", journal_bytes(j));
	assert_non_null(journal_find(j, "15251.3999"));
	assert_null(journal_find(j, "15251.1"));
}

/* ---- while a person works in the page ---- */

struct private_sink {
	struct journal_listener listener;
	struct str lines; /* of all events, as files get them */
};

static void on_private_event(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct private_sink *sink = CONTAINER_OF(l, struct private_sink, listener);

	event_json(&sink->lines, j, e, "T", SIZE_MAX);
	str_append_char(&sink->lines, '\n');
}

#define TYPED "hunter2"

static void tell_all_that_can_have_typed_text(struct journal *j)
{
	tell(j, "Runtime.consoleAPICalled",
	     "{type: 'log', args: [{type: 'string', value: '" TYPED "'}], stackTrace: {callFrames: [{url: 'http://x/?q=" TYPED
	     "'}]}}");
	tell(j, "Log.entryAdded", "{entry: {source: 'network', level: 'error', text: '" TYPED "', url: 'http://x/" TYPED "'}}");
	tell(j, "Runtime.exceptionThrown",
	     "{exceptionDetails: {text: 'Uncaught', exception: {description: 'Error: " TYPED "', subtype: 'error'}}}");
	tell(j, "Network.requestWillBeSent",
	     "{requestId: 'p1', type: 'Document', request: {url: 'https://me:" TYPED "@x.example:8/login?q=" TYPED
	     "', method: 'POST', "
	     "postData: '" TYPED "', hasPostData: true, headers: {Referer: 'https://x.example/" TYPED "', 'X-Typed': '" TYPED
	     "'}}}");
	tell(j, "Network.requestWillBeSent",
	     "{requestId: 'p2', type: 'XHR', request: {url: 'https://x.example/" TYPED "', method: 'POST', hasPostData: true, "
	     "postDataEntries: [{bytes: 'aHVudGVyMg=='}]}}");
	tell(j, "Network.webSocketCreated", "{requestId: 'w', url: 'ws://x/" TYPED "'}");
	tell(j, "Network.webSocketFrameSent", "{requestId: 'w', response: {opcode: 1, payloadData: '" TYPED "'}}");
	journal_add_dialog(j, SESSION, "https://x/" TYPED, &(const struct observed_dialog){ .type = "prompt", .message = TYPED });
	journal_add_note(j, SESSION, MESSAGE_INFO, TYPED);
}

/* What belongs to requests that the person has caused comes later, also from where they are redirected to. */
static void tell_the_rest(struct journal *j)
{
	tell(j, "Network.requestWillBeSent",
	     "{requestId: 'p1', type: 'Document', request: {url: 'https://x.example/in?q=" TYPED
	     "', method: 'GET'}, redirectResponse: "
	     "{url: 'https://x.example/login?q=" TYPED "', status: 302, statusText: 'Found', headers: {Location: '/in?q=" TYPED
	     "'}}}");
	tell(j, "Network.responseReceived",
	     "{requestId: 'p1', response: {url: 'https://x.example/in?q=" TYPED "', status: 200, headers: {'X-Typed': '" TYPED
	     "'}}}");
	tell(j, "Network.webSocketFrameReceived", "{requestId: 'w', response: {opcode: 1, payloadData: '" TYPED "'}}");
}

static void test_private(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	struct private_sink sink = { .listener.observed = on_private_event };
	const struct observed *e;

	journal_listen(NULL, &sink.listener);
	journal_set_private(j, true);
	tell_all_that_can_have_typed_text(j);
	e = journal_find(j, "p1");
	assert_true(e->is_private && e->sent.has_body);
	assert_null(e->sent.body);
	assert_string_equal(e->url, "https://x.example:8/");
	journal_add_body(j, journal_find(j, "p2"), TYPED, strlen(TYPED));
	assert_null(journal_find(j, "p2")->sent.body);
	journal_set_private(j, false);
	tell_the_rest(j);
	assert_null(strstr(sink.lines.data, TYPED));
	assert_non_null(strstr(sink.lines.data, "\"private\":true"));
	str_reset(&sink.lines);
	tell(j, "Runtime.consoleAPICalled", "{type: 'log', args: [{type: 'string', value: 'of the agent'}]}");
	assert_non_null(strstr(sink.lines.data, "of the agent"));
	assert_null(strstr(sink.lines.data, "private"));
	journal_unlisten(&sink.listener);
	str_done(&sink.lines);
}

static void test_private_texts(void **state)
{
	static const char *const texts[][2] = { { "https://a@b@x:1/p?q#f", "https://x:1/" },
						{ "ws://x", "ws://x/" },
						{ "chrome-extension://id/p", "chrome-extension://id/" },
						{ "data:text/html,a", REDACTED_PRIVATELY },
						{ "://x/", REDACTED_PRIVATELY },
						{ "see http://x/", REDACTED_PRIVATELY },
						{ "", REDACTED_PRIVATELY },
						{ "http://x\\y@z/", "http://x/" } };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(str_done) struct str out = {};

		redact_privately(&out, texts[i][0]);
		assert_string_equal(out.data, texts[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clip),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_previews),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_message_time),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_long_message),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_request_details),
		cmocka_unit_test(test_details_without_body),
		cmocka_unit_test(test_redirects),
		cmocka_unit_test(test_unlisted_requests),
		cmocka_unit_test(test_websockets),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_listeners),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_private),
		cmocka_unit_test(test_private_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
