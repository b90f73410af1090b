/* What is made of Firefox's events, and of events that only a hostile browser would send. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/normalise.h"
#include "observe/lines.h"

#define SESSION "5ae2ecbd-3c3c-4ca2-b7f6-2b9b6d4ee9a0"

static const char requests[] =
	"{\"context\":\"c\",\"navigation\":null,\"redirectCount\":0,\"isBlocked\":false,\"timestamp\":1795863476123,"
	"\"request\":{\"request\":\"7-ab\",\"url\":\"http://x/a\",\"method\":\"POST\",\"bodySize\":3,\"destination\":\"\","
	"\"initiatorType\":\"fetch\",\"headers\":[{\"name\":\"X-A\",\"value\":{\"type\":\"string\",\"value\":\"1\"}},"
	"{\"name\":\"Cookie\",\"value\":{\"type\":\"string\",\"value\":\"s=t\"}}],"
	"\"timings\":{\"requestTime\":1795863476120,\"connectStart\":1795863476121,\"requestStart\":1795863476122}},"
	"\"initiator\":{\"type\":\"script\"},\"response\":{\"url\":\"http://x/a\",\"status\":201,\"statusText\":\"Created\","
	"\"mimeType\":\"text/html;charset=utf-8\",\"protocol\":\"http/1.1\",\"fromCache\":false,\"bytesReceived\":99,"
	"\"headers\":[{\"name\":\"Set-Cookie\",\"value\":{\"type\":\"string\",\"value\":\"a=b\"}},"
	"{\"name\":\"X-B\",\"value\":{\"type\":\"base64\",\"value\":\"AAE=\"}}]},\"errorText\":\"NS_ERROR_ABORT\"}";

static const char entries[] =
	"{\"type\":\"console\",\"method\":\"log\",\"level\":\"error\",\"text\":\"a Error: b\",\"timestamp\":1795863476123,"
	"\"source\":{\"realm\":\"r\",\"context\":\"c\"},\"args\":[{\"type\":\"string\",\"value\":\"a\"},{\"type\":\"error\",\"value\":{}},"
	"{\"type\":\"array\",\"value\":[{\"type\":\"number\",\"value\":\"-0\"},{\"type\":\"bigint\",\"value\":\"9\"}]},"
	"{\"type\":\"object\",\"value\":[[\"k\",{\"type\":\"undefined\"}],[{\"type\":\"string\",\"value\":\"q\"},{\"type\":\"null\"}]]},"
	"{\"type\":\"map\",\"value\":[[\"k\",{\"type\":\"boolean\",\"value\":true}]]},{\"type\":\"date\",\"value\":\"2026\"},"
	"{\"type\":\"regexp\",\"value\":{\"pattern\":\"a\",\"flags\":\"g\"}},{\"type\":\"node\",\"sharedId\":\"n\","
	"\"value\":{\"nodeType\":1,\"localName\":\"p\",\"attributes\":{\"id\":\"i\"},\"childNodeCount\":0}}],"
	"\"stackTrace\":{\"callFrames\":[{\"functionName\":\"f\",\"url\":\"http://x/a\",\"lineNumber\":3,\"columnNumber\":4}]}}";

static const char sent_bytes[] = "{\"type\":\"base64\",\"value\":\"AQID\"}";

static struct json *parse_text(const char *text)
{
	struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v), 0);
	return v;
}

/* All that can be made of an event, whatever it is of. */
static void feed_event(struct journal *j, const struct json *params)
{
	const struct bidi_kind kind = bidi_kind_of(json_get(params, "request"));

	bidi_normalise_request(j, SESSION, params, &kind, json_str(params, "navigation"));
	bidi_normalise_sent_body(j, json_text(params, "request.request"), params);
	bidi_normalise_sent_body(j, json_text(params, "request.request"), json_get(params, "response"));
	bidi_normalise_response(j, SESSION, params);
	bidi_normalise_finished(j, SESSION, params);
	bidi_normalise_failed(j, SESSION, params, true);
	for (int event = WEBSOCKET_CREATED; event <= WEBSOCKET_CLOSED; event++)
		bidi_normalise_socket(j, SESSION, params, (enum websocket_event)event);
	bidi_normalise_console(j, SESSION, params);
	bidi_normalise_script_entry(j, SESSION, params);
}

/* Reads all that the journal holds. */
static void read_events(const struct journal *j)
{
	uint64_t offset = 0;
	const struct observed *e;

	while ((e = journal_next(j, NULL, &offset))) {
		_cleanup_(str_done) struct str text = {};

		if (e->kind & OBSERVED_MESSAGES)
			message_line(&text, e, &(const struct message_form){});
		else if (e->kind == OBSERVED_REQUEST)
			request_details(&text, j, e);
	}
}

static void a_request_becomes_events(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(json_freep) struct json *params = parse_text(requests);
	const struct bidi_kind kind = bidi_kind_of(json_get(params, "request"));
	_cleanup_(str_done) struct str text = {};
	const struct observed *e;

	bidi_normalise_request(j, SESSION, params, &kind, NULL);
	bidi_normalise_response(j, SESSION, params);
	bidi_normalise_finished(j, SESSION, params);
	bidi_normalise_failed(j, SESSION, params, false); /* has ended */
	assert_int_equal(journal_end(j), 3);
	e = journal_numbered(j, 1);
	request_line(&text, j, e);
	assert_string_equal(text.data, "1. [POST] http://x/a => [201] Created");
	assert_true(e->sent.has_body);
	assert_string_equal(e->sent.headers.rows[0].name, "x-a");
	assert_string_equal(request_response(j, e)->response.mime_type, "text/html");
	assert_true(request_response(j, e)->response.timing.send_start == 2);
	assert_true(journal_at(j, 2)->encoded_bytes == 99);
}

static void a_body_comes_after_its_request(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(100, 1 << 20);
	_cleanup_(json_freep) struct json *params = parse_text(requests), *bytes = parse_text(sent_bytes),
					  *text = parse_text("{\"type\":\"string\",\"value\":\"other\"}"),
					  *bad = parse_text("{\"type\":\"base64\",\"value\":\"%\"}");
	const struct bidi_kind kind = bidi_kind_of(json_get(params, "request"));
	const struct observed *e;

	bidi_normalise_sent_body(j, "7-ab", bytes); /* of no request */
	bidi_normalise_request(j, SESSION, params, &kind, NULL);
	bidi_normalise_response(j, SESSION, params);
	bidi_normalise_sent_body(j, "7-ab", NULL);
	bidi_normalise_sent_body(j, "7-ab", bad);
	bidi_normalise_sent_body(j, "7-ab", bytes);
	bidi_normalise_sent_body(j, "7-ab", text); /* has one */
	e = journal_numbered(j, 1);
	assert_int_equal(e->sent.body_size, 3);
	assert_memory_equal(e->sent.body, "\1\2\3", 4);
}

/* Bodies that come while no other event does are within the limits of the journal all the same. */
static void bodies_are_limited(void **state)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(1000, 1 << 20);
	_cleanup_(str_done) struct str body = {};
	_cleanup_(json_freep) struct json *bytes = NULL;

	str_append(&body, "{\"type\":\"string\",\"value\":\"");
	for (unsigned i = 0; i < LIMIT_OBSERVED_POST; i++)
		str_append_char(&body, 'b');
	str_append(&body, "\"}");
	bytes = parse_text(body.data);
	for (unsigned i = 0; i < 200; i++) {
		_cleanup_(str_done) struct str text = {};
		_cleanup_(json_freep) struct json *params = NULL;

		str_json(&text, "{request: {request: ?, url: 'http://x/', bodySize: 64000}}", i);
		params = parse_text(text.data);
		bidi_normalise_request(j, SESSION, params, &(const struct bidi_kind){ .word = "fetch" }, NULL);
	}
	for (unsigned i = 0; i < 200; i++) {
		char id[16];

		snprintf(id, sizeof(id), "%u", i);
		bidi_normalise_sent_body(j, id, bytes);
		assert_true(journal_bytes(j) <= (1 << 20) + (128 << 10));
	}
	read_events(j);
}

/* ---- members that are something else ---- */

/* Prints `v` with the node number `*at` replaced by `other`; an object or array whose turn it is not yet is gone through. */
static void print_replaced(struct str *out, const struct json *v, int *at, const char *other)
{
	bool is_object = json_type(v) == JSON_OBJECT;
	const char *gap = "";

	if ((*at)-- == 0) {
		str_append(out, other);
		return;
	}
	if (!is_object && json_type(v) != JSON_ARRAY) {
		json_print(out, v);
		return;
	}
	str_append_char(out, is_object ? '{' : '[');
	json_foreach(e, v) {
		str_append(out, gap);
		if (is_object) {
			str_append_quoted(out, json_name(e), strlen(json_name(e)));
			str_append_char(out, ':');
		}
		print_replaced(out, e, at, other);
		gap = ",";
	}
	str_append_char(out, is_object ? '}' : ']');
}

static void feed_replaced(const char *text, const char *other)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(1000, 1 << 20);
	_cleanup_(json_freep) struct json *whole = parse_text(text);

	for (int node = 0, left = -1; left < 0; node++) {
		_cleanup_(str_done) struct str changed = {};
		_cleanup_(json_freep) struct json *params = NULL;

		left = node;
		print_replaced(&changed, whole, &left, other);
		params = parse_text(changed.data);
		feed_event(j, params);
	}
	assert_true(journal_bytes(j) <= 2 << 20);
	read_events(j);
}

static void no_member_has_to_be_what_it_should(void **state)
{
	_cleanup_(str_done) struct str deep = {}, wide = {}, text = {}, fields = {};
	const char *others[] = { "null",   "true",
				 "-1",     "1e308",
				 "\"\"",   "\"\\ufffd\\u0001\"",
				 "[]",     "{}",
				 "[[[]]]", "{\"type\":\"object\",\"value\":7}",
				 NULL,     NULL,
				 NULL,     NULL };

	for (int i = 0; i < 100; i++)
		str_append(&deep, "{\"type\":\"array\",\"value\":[");
	str_append(&deep, "1");
	for (int i = 0; i < 100; i++)
		str_append(&deep, "]}");
	str_append(&wide, "[0");
	for (int i = 0; i < 3000; i++)
		str_append(&wide, ",{\"type\":\"string\",\"value\":\"w\"}");
	str_append_char(&wide, ']');
	str_append_char(&text, '"');
	for (int i = 0; i < 200000; i++)
		str_append_char(&text, 't');
	str_append_char(&text, '"');
	str_append(&fields, "[{}");
	for (int i = 0; i < 1000; i++)
		str_append(&fields, ",{\"name\":\"Set-Cookie\",\"value\":{\"type\":\"string\",\"value\":\"a long one\"}}");
	str_append_char(&fields, ']');
	others[ARRAY_SIZE(others) - 4] = deep.data;
	others[ARRAY_SIZE(others) - 3] = wide.data;
	others[ARRAY_SIZE(others) - 2] = text.data;
	others[ARRAY_SIZE(others) - 1] = fields.data;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		feed_replaced(requests, others[i]);
		feed_replaced(entries, others[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_becomes_events),
		cmocka_unit_test(a_body_comes_after_its_request),
		cmocka_unit_test(bodies_are_limited),
		cmocka_unit_test(no_member_has_to_be_what_it_should),
	};

	return cmocka_run_group_tests_name("bidi_normalise", tests, NULL, NULL);
}
