#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "engine/cdp/normalise.h"
#include "observe/event.h"
#include "observe/har.h"
#include "observe/own_events.h"
#include "observe/redact.h"
#include "observe_fixture.h"

/* What the newest event is as JSON, without what all events have. */
static void assert_event_cut(const struct journal *j, size_t text_max, const char *expected)
{
	_cleanup_(str_done) struct str text = {};
	const struct observed *e = journal_at(j, journal_end(j) - 1);
	char head[128];

	snprintf(head, sizeof(head),
		 "{\"seq\":%llu,\"ts\":%lld,\"targetId\":\"T\",\"sessionId\":\"" SESSION "\",\"kind\":", (unsigned long long)e->seq,
		 (long long)e->received);
	event_json(&text, j, e, "T", text_max);
	assert_memory_equal(text.data, head, strlen(head));
	assert_string_equal(text.data + strlen(head), expected);
}

static void assert_event(const struct journal *j, const char *expected)
{
	assert_event_cut(j, LIMIT_OBSERVED_TEXT, expected);
}

static void messages(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Runtime.consoleAPICalled",
	     "{type: 'warning', args: [{type: 'string', value: 'a b'}, {type: 'number', value: 7}],"
	     "stackTrace: {callFrames: [{url: 'http://x/', lineNumber: 0, columnNumber: 4}]}}");
	assert_event(j, "\"console\",\"type\":\"warn\",\"text\":\"a b 7\",\"args\":[\"a b\",\"7\"],"
			"\"stack\":{\"url\":\"http://x/\",\"line\":1,\"column\":5}}");
	tell(j, "Runtime.consoleAPICalled", "{type: 'startGroup', args: []}");
	assert_event(j, "\"console\",\"type\":\"log\",\"text\":\"\",\"args\":[],\"stack\":null}");
	tell(j, "Log.entryAdded", "{entry: {level: 'verbose', text: 'said', url: 'http://y/'}}");
	assert_event(
		j,
		"\"log\",\"type\":\"debug\",\"text\":\"said\",\"args\":[],\"stack\":{\"url\":\"http://y/\",\"line\":1,\"column\":1}}");
	tell(j, "Runtime.exceptionThrown", "{exceptionDetails: {text: 'Uncaught', exception: {type: 'number', value: 7}}}");
	assert_event(j, "\"console\",\"type\":\"error\",\"text\":\"7\",\"args\":[],\"stack\":null,\"uncaught\":true}");
}

static void exchanges(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Network.requestWillBeSent",
	     "{requestId: '1', request: {url: 'http://x/', method: 'PUT', headers: {A: 'b'},"
	     "postData: 'body'}, initiator: {type: 'preload'}}");
	assert_event(j, "\"request\",\"requestId\":\"1\",\"url\":\"http://x/\",\"method\":\"PUT\",\"headers\":{\"a\":\"b\"},"
			"\"postDataPreview\":\"body\",\"initiator\":\"other\"}");
	assert_event_cut(j, 2,
			 "\"request\",\"requestId\":\"1\",\"url\":\"http://x/\",\"method\":\"PUT\",\"headers\":{\"a\":\"b\"},"
			 "\"postDataPreview\":\"bo... [2 bytes more]\",\"initiator\":\"other\"}");
	tell(j, "Network.responseReceived",
	     "{requestId: '1', response: {url: 'http://x/', status: 201, statusText: 'Made',"
	     "mimeType: 'text/css', remoteIPAddress: '[::1]', remotePort: 80, fromDiskCache: true,"
	     "timing: {requestTime: 5, receiveHeadersEnd: 1.2345}}}");
	assert_event(j, "\"response\",\"requestId\":\"1\",\"url\":\"http://x/\",\"status\":201,\"statusText\":\"Made\","
			"\"mimeType\":\"text/css\",\"fromDiskCache\":true,\"fromServiceWorker\":false,"
			"\"remoteAddress\":\"[::1]:80\",\"timing\":{\"receiveHeadersEnd\":1.235}}");
	tell(j, "Network.loadingFinished", "{requestId: '1', encodedDataLength: 12}");
	assert_event(j, "\"loadingFinished\",\"requestId\":\"1\",\"encodedDataLength\":12}");
	tell(j, "Network.requestWillBeSent", "{requestId: '2', request: {url: 'http://y/', method: 'POST', hasPostData: true}}");
	assert_event(j, "\"request\",\"requestId\":\"2\",\"url\":\"http://y/\",\"method\":\"POST\",\"headers\":{},"
			"\"postDataPreview\":null,\"hasPostData\":true,\"initiator\":\"other\"}");
	tell(j, "Network.loadingFailed", "{requestId: '2', errorText: 'net::ERR_ABORTED', canceled: true, blockedReason: 'csp'}");
	assert_event(
		j,
		"\"loadingFailed\",\"requestId\":\"2\",\"errorText\":\"net::ERR_ABORTED\",\"canceled\":true,\"blockedReason\":\"csp\"}");
}

static void websockets(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

#define SOCKET "\"websocket\",\"requestId\":\"1\",\"url\":\"ws://x/\",\"event\":"
	tell(j, "Network.webSocketCreated", "{requestId: '1', url: 'ws://x/'}");
	assert_event(j, SOCKET "\"created\"}");
	tell(j, "Network.webSocketHandshakeResponseReceived", "{requestId: '1', response: {status: 101}}");
	assert_event(j, SOCKET "\"opened\",\"status\":101}");
	tell(j, "Network.webSocketFrameSent", "{requestId: '1', response: {opcode: 1, payloadData: 'up'}}");
	assert_event(j, SOCKET "\"sent\",\"direction\":\"sent\",\"opcode\":1,\"payloadPreview\":\"up\"}");
	tell(j, "Network.webSocketFrameReceived", "{requestId: '1', response: {opcode: 2, payloadData: 'AAE='}}");
	assert_event(j, SOCKET "\"received\",\"direction\":\"recv\",\"opcode\":2,\"payloadPreview\":\"AAE=\"}");
	tell(j, "Network.webSocketFrameError", "{requestId: '1', errorMessage: 'bad'}");
	assert_event(j, SOCKET "\"error\",\"errorText\":\"bad\"}");
	tell(j, "Network.webSocketClosed", "{requestId: '1'}");
	assert_event(j, SOCKET "\"closed\"}");
}

/* Whatever the browser's clock says, an archive has a date. */
static void times_in_archives(void **state)
{
	static const struct {
		const char *wall_time, *date;
	} times[] = {
		{ "0.25", "1970-01-01T00:00:00.250Z" },   { "1763744000.5", "2025-11-21T16:53:20.500Z" },
		{ "-1e300", "1970-01-01T00:00:00.000Z" }, { "1e300", "9999-12-31T23:59:59.000Z" },
		{ "1e999", "9999-12-31T23:59:59.000Z" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
		_cleanup_(json_freep) struct json *archive = NULL;
		_cleanup_(str_done) struct str text = {};

		tell(j, "Network.requestWillBeSent", "{requestId: '1', wallTime: ?, request: {url: 'http://x/'}}",
		     JSON_RAW(times[i].wall_time));
		har_write(&text, j, &(const struct journal_excerpt){ .end = journal_end(j) }, "title", NULL, 0);
		assert_int_equal(json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &archive), 0);
		assert_string_equal(json_str(json_first(json_get(archive, "log.entries")), "startedDateTime"), times[i].date);
	}
}

static void dialogs(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	journal_add_dialog(j, SESSION, "http://x/",
			   &(const struct observed_dialog){ .opened = true, .type = "confirm", .message = "Sure?" });
	assert_event(j, "\"dialog\",\"event\":\"opened\",\"url\":\"http://x/\",\"type\":\"confirm\",\"message\":\"Sure?\"}");
	journal_add_dialog(j, SESSION, NULL, &(const struct observed_dialog){ .accepted = true, .message = "put in" });
	assert_event(j, "\"dialog\",\"event\":\"closed\",\"accepted\":true,\"input\":\"put in\"}");
	assert_true(journal_filter_passes(&(const struct journal_filter){ .allow = (const char *const[]){ "/only", NULL } }, j,
					  journal_at(j, 1)));
	assert_false(journal_filter_passes(&(const struct journal_filter){ .kinds = OBSERVED_NETWORK }, j, journal_at(j, 1)));
}

static void downloads(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	struct observed_download d = { .guid = "g", .name = "a.txt" };

#define DOWNLOAD(event) "\"download\",\"event\":\"" event "\",\"guid\":\"g\",\"url\":\"http://x/a\",\"fileName\":\"a.txt\","
	journal_add_download(j, SESSION, "http://x/a", &d);
	assert_event(j, DOWNLOAD("began") "\"bytes\":0}");
	d = (struct observed_download){
		.event = DOWNLOAD_SAVED_AS, .guid = "g", .name = "a.txt", .detail = "/out/a.txt", .bytes = 5
	};
	journal_add_download(j, SESSION, "http://x/a", &d);
	assert_event(j, DOWNLOAD("saved") "\"bytes\":5,\"path\":\"/out/a.txt\"}");
	d.event = DOWNLOAD_BROKE;
	d.detail = "canceled";
	journal_add_download(j, SESSION, "http://x/a", &d);
	assert_event(j, DOWNLOAD("failed") "\"bytes\":5,\"errorText\":\"canceled\"}");
}

static void names_of_kinds(void **state)
{
	unsigned all = 0;

	for (size_t i = 0; event_kind_table[i]; i++) {
		unsigned kinds = event_kinds(event_kind_table[i]);

		assert_int_not_equal(kinds, 0);
		assert_int_equal(all & kinds, 0);
		all |= kinds;
	}
	assert_int_equal(all & OBSERVED_ALL, OBSERVED_ALL);
	assert_int_equal(event_kinds("network"), 0);
}

/*
 * Filters against a plain reading of their rule. CASES filters from one seed, which is printed and can be given in
 * OBSERVE_SEED; each sees every kind of event of URLs that hold some of a few parts.
 */
#define CASES 2000
#define PARTS 4

static const char *const part_table[PARTS] = { "/ads", "api", "q=1", ".js" };

/* NULL-terminated; which of part_table they are as bits. */
static unsigned choose_parts(const char *parts[PARTS + 1])
{
	unsigned bits = random_below(3) ? random_below(1u << PARTS) : 0, count = 0;

	for (unsigned i = 0; i < PARTS; i++)
		if (bits & 1u << i)
			parts[count++] = part_table[i];
	parts[count] = NULL;
	return bits;
}

static unsigned make_url(struct str *url)
{
	unsigned bits = random_below(1u << PARTS);

	str_append(url, "http://x");
	for (unsigned i = 0; i < PARTS; i++)
		if (bits & 1u << i)
			str_append(url, part_table[i]);
	return bits;
}

/* How many events of these kinds pass the filter. */
static uint64_t count_of(const struct journal *j, const struct journal_filter *f, unsigned kinds)
{
	const struct journal_excerpt v = { .end = journal_end(j), .filter = f };
	const struct journal_query q = { .kinds = kinds };
	uint64_t offset = 0, count = 0;

	while (journal_excerpt_next(j, &v, &q, &offset))
		count++;
	return count;
}

static void check_exchange(const struct journal_filter *f, unsigned block, unsigned allow)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(str_done) struct str url = {};
	unsigned has = make_url(&url);
	bool passes = !(has & block) && (!allow || has & allow);
	const unsigned steps[] = { OBSERVED_REQUEST, OBSERVED_RESPONSE, OBSERVED_FINISHED };

	tell(j, "Network.requestWillBeSent", "{requestId: '1', request: {url: ?, method: 'GET'}}", url.data);
	tell(j, "Network.responseReceived", "{requestId: '1', response: {url: ?, status: 200}}", url.data);
	tell(j, "Network.loadingFinished", "{requestId: '1'}");
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		assert_int_equal(count_of(j, f, steps[i]), passes && (!f->kinds || f->kinds & steps[i]));
	tell(j, "Network.webSocketCreated", "{requestId: 'w', url: ?}", url.data);
	tell(j, "Network.webSocketFrameSent", "{requestId: 'w', response: {opcode: 1, payloadData: 'x'}}");
	assert_int_equal(count_of(j, f, OBSERVED_WEBSOCKET), passes && (!f->kinds || f->kinds & OBSERVED_WEBSOCKET) ? 2 : 0);
}

static void check_messages(const struct journal_filter *f)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	tell(j, "Runtime.consoleAPICalled", "{type: 'log', args: [], stackTrace: {callFrames: [{url: 'http://x/ads'}]}}");
	tell(j, "Log.entryAdded", "{entry: {level: 'info', text: 'x', url: 'http://x/ads'}}");
	tell(j, "Runtime.exceptionThrown", "{exceptionDetails: {text: 'x', url: 'http://x/ads'}}");
	for (unsigned kind = OBSERVED_CONSOLE; kind <= OBSERVED_EXCEPTION; kind *= 2)
		assert_int_equal(count_of(j, f, kind), !f->kinds || f->kinds & kind);
}

static void filters_against_their_rule(void **state)
{
	random_begin();
	for (unsigned i = 0; i < CASES; i++) {
		const char *blocked[PARTS + 1], *allowed[PARTS + 1];
		unsigned kinds = random_below(2) ? 0 : random_below(OBSERVED_ALL + 1);
		unsigned block = choose_parts(blocked), allow = choose_parts(allowed);

		const struct journal_filter f = { .kinds = kinds,
						  .block = block ? blocked : NULL,
						  .allow = allow ? allowed : NULL };

		check_exchange(&f, block, allow);
		check_messages(&f);
	}
}

/* A filter may be made of itself, and outlives the texts that it was made of. */
static void filters_are_copies(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	struct arena first = {}, second = {};
	struct journal_filter f;
	char part[] = "/ads";

	f = journal_filter_copy(&first, &(const struct journal_filter){ .block = (const char *const[]){ part, NULL } });
	part[1] = 'x';
	f = journal_filter_copy(&second, &f);
	arena_done(&first);
	tell(j, "Network.requestWillBeSent", "{requestId: '1', request: {url: 'http://x/ads', method: 'GET'}}");
	tell(j, "Network.requestWillBeSent", "{requestId: '2', request: {url: 'http://x/xds', method: 'GET'}}");
	tell(j, "Network.webSocketFrameSent", "{requestId: 'gone', response: {opcode: 1, payloadData: 'x'}}");
	assert_false(journal_filter_passes(&f, j, journal_at(j, 0)));
	assert_true(journal_filter_passes(&f, j, journal_at(j, 1)));
	assert_false(journal_filter_passes(&f, j, journal_at(j, 2))); /* its URL is not known */
	arena_done(&second);
}

/* A view has its part of the events, whatever else the journal has. */
static void views(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(10, 1 << 20);
	const struct journal_filter logs = { .kinds = OBSERVED_LOG };
	struct journal_excerpt v = { .begin = 2, .end = 8 };
	uint64_t offset = 0;

	for (int i = 0; i < 10; i++)
		tell(j, i % 3 ? "Runtime.consoleAPICalled" : "Log.entryAdded", "{type: 'log', args: [], entry: {text: 'x'}}");
	for (uint64_t seq = 2; seq < 8; seq++)
		assert_int_equal(journal_excerpt_next(j, &v, NULL, &offset)->seq, seq);
	assert_null(journal_excerpt_next(j, &v, NULL, &offset));
	assert_int_equal(offset, 8);
	offset = 100;
	assert_null(journal_excerpt_next(j, &v, NULL, &offset));
	assert_int_equal(offset, 8);
	v.filter = &logs;
	offset = 0;
	assert_int_equal(journal_excerpt_next(j, &v, NULL, &offset)->seq, 3);
	assert_int_equal(journal_excerpt_next(j, &v, NULL, &offset)->seq, 6);
	assert_null(journal_excerpt_next(j, &v, NULL, &offset));
	assert_int_equal(journal_end(j) - journal_first(j), 10);
}

static void masking(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);

	redact_configure(&(const struct redact_settings){ (const char *const[]){ "key=[a-z]+", "s3cr.t", "x*", NULL }, true });
	tell(j, "Runtime.consoleAPICalled",
	     "{type: 'log', args: [{type: 'string', value: 'a s3cret s3cr3t'}, {type: 'string',"
	     "value: 'key=abc1'}], stackTrace: {callFrames: [{url: 'http://h/?key=abc', lineNumber: 0, columnNumber: 0}]}}");
	assert_event(j, "\"console\",\"type\":\"log\",\"text\":\"a [redacted] [redacted] [redacted]1\","
			"\"args\":[\"a [redacted] [redacted]\",\"[redacted]1\"],"
			"\"stack\":{\"url\":\"http://h/?[redacted]\",\"line\":1,\"column\":1}}");
	tell(j, "Network.requestWillBeSent",
	     "{requestId: '1', request: {url: 'http://h/', method: 'PUT', postData: 'key=abc',"
	     "headers: {Authorization: 'Basic', Cookie: 'a=b', Other: 'key=abc;'}}}");
	assert_event(j, "\"request\",\"requestId\":\"1\",\"url\":\"http://h/\",\"method\":\"PUT\",\"headers\":{"
			"\"authorization\":\"[redacted]\",\"cookie\":\"[redacted]\",\"other\":\"[redacted];\"},"
			"\"postDataPreview\":\"[redacted]\",\"initiator\":\"other\"}");
	tell(j, "Runtime.exceptionThrown", "{exceptionDetails: {exception: {subtype: 'error', description: 'Error: key=abc'}}}");
	assert_string_equal(journal_at(j, 2)->message.text, "[redacted]");
	redact_configure(&(const struct redact_settings){});
	tell(j, "Network.requestWillBeSent",
	     "{requestId: '2', request: {url: 'http://h/key=abc', method: 'PUT', headers: {Cookie: 'a'}}}");
	assert_event(j, "\"request\",\"requestId\":\"2\",\"url\":\"http://h/key=abc\",\"method\":\"PUT\",\"headers\":{"
			"\"cookie\":\"a\"},\"postDataPreview\":null,\"initiator\":\"other\"}");
	redact_done();
}

static char *letters(size_t count, const char *before, const char *after)
{
	_cleanup_(str_done) struct str text = {};

	str_append(&text, before);
	for (size_t i = 0; i < count; i++)
		str_append_char(&text, 'a');
	str_append(&text, after);
	return str_take(&text);
}

static void redact_to(char *text, const char *expected)
{
	_cleanup_(str_done) struct str redacted = {};

	str_append(&redacted, text);
	free(text);
	redact(&redacted);
	assert_string_equal(redacted.data, expected);
}

/* Matches that are longer than what is searched at a time, and anchors; `^` and `$` are the ends of the text. */
static void masking_of_long_texts(void **state)
{
	redact_configure(&(const struct redact_settings){ (const char *const[]){ "key=[^&]*", "^b+", "c$", NULL }, false });
	redact_to(letters(300000, "b key=", "&x b c"), "[redacted] [redacted]&x b [redacted]");
	redact_to(letters(300000, "key=", ""), "[redacted]");
	redact_done();
}

/* Each letter may begin a match, which is looked for up to the end of the run: what there is no time for is left out. */
static void masking_that_takes_too_long(void **state)
{
	char *text = letters(400000, "", " tell@home");
	_cleanup_(str_done) struct str redacted = {};
	const char *cut;

	redact_configure(&(const struct redact_settings){ (const char *const[]){ "[a-z]+@[a-z]+", NULL }, false });
	str_append(&redacted, text);
	free(text);
	redact(&redacted);
	assert_null(strstr(redacted.data, "home"));
	cut = strstr(redacted.data, "[redacted] (the rest takes too long to search)");
	assert_non_null(cut);
	assert_true(cut > redacted.data && cut[-1] == 'a');
	redact_done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masking_of_long_texts),
		cmocka_unit_test(masking_that_takes_too_long),
		cmocka_unit_test(messages),
		cmocka_unit_test(exchanges),
		cmocka_unit_test(times_in_archives),
		cmocka_unit_test(websockets),
		cmocka_unit_test(dialogs),
		cmocka_unit_test(downloads),
		cmocka_unit_test(names_of_kinds),
		cmocka_unit_test(masking),
		cmocka_unit_test(filters_against_their_rule),
		cmocka_unit_test(filters_are_copies),
		cmocka_unit_test(views),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
