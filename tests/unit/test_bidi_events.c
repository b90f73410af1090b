/* A Firefox that says anything: what it reports of a page, with each member of each event replaced by something else. */
#include "test.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/bidi.h"
#include "engine/events.h"
#include "engine/navigation.h"
#include "loop/loop.h"
#include "loop/request.h"
#include "observe/journal.h"
#include "run_queued.h"

#define PAGE "5ae2ecbd-3c3c-4ca2-b7f6-2b9b6d4ee9a0"
#define EVENT(method, params) "{\"type\":\"event\",\"method\":\"" method "\",\"params\":{" params "}}"
#define CREATED \
	EVENT("browsingContext.contextCreated", \
	      "\"context\":\"" PAGE \
	      "\",\"url\":\"about:blank\",\"parent\":null,\"userContext\":\"u\",\"originalOpener\":null,\"children\":[]")
#define REQUEST(number, state) \
	"\"context\":\"" PAGE "\",\"isBlocked\":true,\"navigation\":\"n1\",\"redirectCount\":0,\"timestamp\":1795863476123," \
	"\"request\":{\"request\":\"" number "\",\"url\":\"http://x/\",\"method\":\"POST\",\"bodySize\":0,\"headersSize\":9," \
	"\"headers\":[{\"name\":\"A\",\"value\":{\"type\":\"string\",\"value\":\"b\"}}],\"destination\":\"document\"," \
	"\"initiatorType\":\"other\",\"timings\":{\"requestTime\":1795863476123}}" state
#define RESPONSE(status) \
	",\"response\":{\"url\":\"http://x/\",\"status\":" status ",\"statusText\":\"OK\",\"mimeType\":\"text/html\"," \
	"\"protocol\":\"http/1.1\",\"headers\":[{\"name\":\"Location\",\"value\":{\"type\":\"string\",\"value\":\"/y\"}}]," \
	"\"fromCache\":false,\"bytesReceived\":1}"
#define NAVIGATION "\"context\":\"" PAGE "\",\"navigation\":\"n1\",\"timestamp\":1795863476123,\"url\":\"http://x/#f\""

static const char *const said[] = {
	EVENT("browsingContext.contextCreated", "\"context\":\"17179869185\",\"url\":\"http://x/f\",\"parent\":\"" PAGE
						"\",\"userContext\":\"u\",\"originalOpener\":null,\"children\":[]"),
	EVENT("script.realmCreated", "\"realm\":\"r1\",\"origin\":\"http://x\",\"context\":\"" PAGE "\",\"type\":\"window\""),
	EVENT("script.realmCreated",
	      "\"realm\":\"r2\",\"origin\":\"http://x\",\"context\":\"17179869185\",\"type\":\"window\",\"sandbox\":\"s\""),
	EVENT("script.message", "\"channel\":\"c\",\"data\":{\"type\":\"string\",\"value\":\"{}\"},\"source\":{\"realm\":\"r1\","
				"\"context\":\"" PAGE "\"}"),
	EVENT("browsingContext.navigationStarted", NAVIGATION),
	EVENT("network.beforeRequestSent", REQUEST("1-a", ",\"initiator\":{\"type\":\"other\"}")),
	EVENT("network.responseStarted", REQUEST("1-a", RESPONSE("302"))),
	EVENT("network.authRequired", REQUEST("1-a", RESPONSE("401"))),
	EVENT("network.responseCompleted", REQUEST("1-a", RESPONSE("200"))),
	EVENT("browsingContext.navigationCommitted", NAVIGATION),
	EVENT("browsingContext.domContentLoaded", NAVIGATION),
	EVENT("browsingContext.load", NAVIGATION),
	EVENT("browsingContext.fragmentNavigated", NAVIGATION),
	EVENT("browsingContext.historyUpdated", NAVIGATION),
	EVENT("log.entryAdded",
	      "\"type\":\"console\",\"method\":\"log\",\"level\":\"info\",\"text\":\"a\",\"timestamp\":1,"
	      "\"source\":{\"realm\":\"r1\",\"context\":\"" PAGE "\"},\"args\":[{\"type\":\"string\",\"value\":\"a\"}]"),
	EVENT("network.beforeRequestSent", REQUEST("2-a", ",\"initiator\":{\"type\":\"other\"}")),
	EVENT("network.fetchError", REQUEST("2-a", ",\"errorText\":\"NS_ERROR_ABORT\"")),
	EVENT("browsingContext.userPromptOpened",
	      "\"context\":\"" PAGE "\",\"handler\":\"ignore\",\"message\":\"m\",\"type\":\"alert\""),
	EVENT("browsingContext.userPromptClosed",
	      "\"context\":\"" PAGE "\",\"accepted\":true,\"type\":\"alert\",\"userText\":\"t\""),
	EVENT("input.fileDialogOpened",
	      "\"context\":\"" PAGE "\",\"multiple\":false,\"element\":{\"type\":\"node\",\"sharedId\":\"n\","
	      "\"value\":{\"nodeType\":1,\"localName\":\"input\"}}"),
	EVENT("browsingContext.downloadWillBegin", NAVIGATION ",\"suggestedFilename\":\"a(1).txt\""),
	EVENT("browsingContext.downloadEnd", NAVIGATION ",\"status\":\"complete\",\"filepath\":\"/nowhere/a.txt\""),
	EVENT("browsingContext.navigationFailed", NAVIGATION),
	EVENT("script.realmDestroyed", "\"realm\":\"r2\""),
	EVENT("browsingContext.contextDestroyed",
	      "\"context\":\"17179869185\",\"url\":\"http://x/f\",\"parent\":\"" PAGE "\",\"userContext\":\"u\",\"children\":[]"),
	EVENT("browsingContext.contextDestroyed",
	      "\"context\":\"" PAGE "\",\"url\":\"http://x/\",\"parent\":null,\"userContext\":\"u\",\"children\":[]"),
};

static const char *const others[] = { "null",
				      "true",
				      "-1",
				      "1e308",
				      "\"\"",
				      "\"2-a\"",
				      "\"r1\"",
				      "\"" PAGE "\"",
				      "\"" PAGE "\\u0000\"",
				      "[]",
				      "{}",
				      "[{}]",
				      "{\"type\":\"base64\",\"value\":\"%\"}" };

/* ---- the page ---- */

struct listener {
	struct journal *journal;
	unsigned asked;
};

static struct journal *journal_of_page(void *data)
{
	return ((struct listener *)data)->journal;
}

/* Each third request is continued, failed or fulfilled. */
static void answer(struct engine_target *s, struct intercepted_request *q, void *data)
{
	struct listener *l = data;

	if (l->asked++ % 3 == 0)
		engine_continue(s, q->id, NULL);
	else if (l->asked % 3 == 0)
		engine_fail(s, q->id, ABORT_BLOCKED_BY_CLIENT);
	else
		engine_continue(s, q->id, &(const struct sent_request){ .url = "http://y/", .headers = &q->headers });
}

static const struct engine_traffic_events traffic = { .intercepted = answer };
static const struct engine_events events = { .traffic = &traffic, .journal = journal_of_page };

static void ignore_open(void *data)
{
}

static void ignore_closed(const char *reason, void *data)
{
}

static const struct bidi_handler handler = { .open = ignore_open, .closed = ignore_closed };

/* What all commands are answered with. */
static const char result[] =
	"{\"intercept\":\"i\",\"script\":\"p\",\"collector\":\"k\",\"bytes\":{\"type\":\"string\",\"value\":\"b\"},"
	"\"type\":\"success\",\"realm\":\"r1\",\"result\":{\"type\":\"string\",\"value\":\"complete\"}}";
#define COMMANDS 40

static void reply_to_all(struct bidi *c, const char *with)
{
	for (int id = 1; id <= COMMANDS; id++) {
		_cleanup_(str_done) struct str text = {};

		str_json(&text, "{type: 'success', id: ?, result: ?}", id, JSON_RAW(with));
		bidi_receive(c, text.data, text.len);
	}
}

/* Tells a page all of `said`, with the text `changed` in the place of one of them, and answers its commands. */
static void tell_all(struct loop *l, size_t place, const char *changed)
{
	static const struct request request = { .host = "127.0.0.1", .port = 1, .path = "/session" };
	_cleanup_(journal_freep) struct journal *j = journal_new(1000, 1 << 20);
	struct listener listener = { .journal = j };
	struct engine_target *page;
	struct bidi *c;
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(bidi_connect(l, fds[0], &request, &handler, NULL, &c), 0);
	bidi_receive(c, CREATED, strlen(CREATED));
	page = engine_target_new(bidi_root(c), PAGE, &events, &listener);
	assert_non_null(page);
	engine_record(page);
	engine_intercept(NULL, page, NULL, NULL, INTERCEPT_REQUESTS | INTERCEPT_RESPONSES);
	engine_report_documents(page);
	for (size_t i = 0; i < ARRAY_SIZE(said); i++) {
		const char *text = i == place ? changed : said[i];

		if (i == ARRAY_SIZE(said) / 2)
			reply_to_all(c, place == ARRAY_SIZE(said) ? changed : result);
		bidi_receive(c, text, strlen(text));
	}
	if (!changed)
		assert_true(listener.asked == 3 && journal_end(j) == 5);
	engine_target_free(page);
	bidi_free(c);
	close(fds[1]);
}

/* ---- what is replaced ---- */

/* Prints `v` with the node number `*at` replaced by `other`. */
static void print_with(struct str *out, const struct json *v, int *at, const char *other)
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
		if (is_object)
			str_json(out, "?", json_name(e));
		str_append(out, is_object ? ":" : "");
		print_with(out, e, at, other);
		gap = ",";
	}
	str_append_char(out, is_object ? '}' : ']');
}

/* Node 0 of an event is all of it, 1 its type and 2 its method. */
static void replace_in(struct loop *l, size_t place, const char *text, int first)
{
	_cleanup_(json_freep) struct json *whole = NULL;

	assert_int_equal(json_parse(text, strlen(text), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &whole), 0);
	for (int node = first, left = -1; left < 0; node++)
		for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
			_cleanup_(str_done) struct str changed = {};

			left = node;
			print_with(&changed, whole, &left, others[i]);
			tell_all(l, place, changed.data);
		}
}

static void no_event_has_to_be_what_it_should(void **state)
{
	struct loop *l;

	log_set_level(LOG_EMERGENCY);
	assert_int_equal(loop_new(&l), 0);
	tell_all(l, SIZE_MAX, NULL);
	for (size_t place = 0; place < ARRAY_SIZE(said); place++) {
		replace_in(l, place, said[place], 3);
		run_queued(l);
	}
	replace_in(l, ARRAY_SIZE(said), result, 0);
	run_queued(l);
	loop_free(l);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_event_has_to_be_what_it_should),
	};

	return cmocka_run_group_tests_name("bidi_events", tests, NULL, NULL);
}
