/* Events of pages: what a journal makes of them, and what answers, archives and traces have of it. Lines of the input are events. */
#include "base/limits.h"
#include "observe/event.h"
#include "observe/har.h"
#include "observe/lines.h"
#include "observe/own_events.h"
#include "ratios/ratios.h"
#include "support/normalisers.h"

/* Each line is a digit or letter, which chooses the event ('a' is the first of normaliser_table), and its parameters. */
static struct journal *feed(const struct str *in)
{
	struct journal *j = journal_new(LIMIT_OBSERVED_BUFFER, LIMIT_OBSERVED_BUFFER * (size_t)LIMIT_OBSERVED_EVENT);

	for (const char *at = in->data, *end; *at; at = end + (*end == '\n')) {
		struct json *params = NULL;

		end = at + strcspn(at, "\n");
		NEEDED(json_parse(at + 1, (size_t)(end - at - 1), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params) == 0);
		normaliser_table[*at - 'a'].fn(j, "S", params);
		json_free(params);
	}
	return j;
}

static void write_lines(const struct journal *j, const struct observed *e, struct str *out)
{
	if (e->kind & OBSERVED_MESSAGES)
		message_line(out, e, &(const struct message_form){ .exact = true });
	if (e->kind == OBSERVED_REQUEST) {
		request_line(out, j, e);
		request_details(out, j, e);
	}
}

/* All that is made of each event, one after the other. */
static void observed(const struct str *in)
{
	struct journal *j = feed(in);
	_cleanup_(str_done) struct str out = {};
	const struct observed *e;
	uint64_t offset = 0;

	while ((e = journal_next(j, NULL, &offset))) {
		str_reset(&out);
		event_json(&out, j, e, "T", LIMIT_OBSERVED_TEXT);
		write_lines(j, e, &out);
	}
	journal_free(j);
}

static void archived(const struct str *in)
{
	static const char *const parts[] = { "aaaaaaab", "/x?", NULL };
	const struct journal_filter filter = { .block = parts };
	struct journal *j = feed(in);
	_cleanup_(str_done) struct str out = {};

	har_write(&out, j, &(const struct journal_excerpt){ .end = journal_end(j), .filter = &filter }, "title", NULL, 0);
	journal_free(j);
}

/* A request for each event, whose number is looked up. */
static void filtered(const struct str *in)
{
	const struct journal_query q = { .url_includes = "aaaaaaab", .method = "GET" };
	struct journal *j = feed(in);
	uint64_t offset = 0;

	while (journal_next(j, &q, &offset))
		;
	journal_numbered(j, 1u << 30);
	journal_free(j);
}

static void write_events(const struct journal *j)
{
	_cleanup_(str_done) struct str out = {};
	const struct observed *e;
	uint64_t offset = 0;

	while ((e = journal_next(j, NULL, &offset)))
		event_json(&out, j, e, "T", LIMIT_OBSERVED_TEXT);
}

/* Of a file with this name. */
static void downloaded(const struct str *in)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);

	journal_add_download(j, "S", in->data,
			     &(const struct observed_download){ .event = DOWNLOAD_BEGAN, .guid = "g", .name = in->data });
	write_events(j);
}

/* With this message. */
static void opened_dialog(const struct str *in)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);

	journal_add_dialog(j, "S", "http://h/",
			   &(const struct observed_dialog){ .opened = true, .type = "alert", .message = in->data });
	write_events(j);
}

/* A journal for each byte, all of one owner, which hold more than they may together. */
static void shared(const struct str *in)
{
	struct journal **all = must(calloc(in->len, sizeof(*all)));
	_cleanup_(str_done) struct str text = {}, message = {};
	struct json *params = NULL;

	ratio_repeat(&text, "0123456789", LIMIT_OBSERVED_TEXT / 10);
	str_json(&message, "{type: 'log', args: [{type: 'string', value: ?}]}", text.data);
	NEEDED(json_parse(message.data, message.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params) == 0);
	for (size_t i = 0; i < in->len; i++) {
		all[i] = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
		journal_set_owner(all[i], 1);
	}
	for (unsigned n = 0; n < 50; n++)
		for (size_t i = 0; i < in->len; i++)
			normalise_console(all[i], "S", params);
	for (size_t i = 0; i < in->len; i++)
		journal_free(all[i]);
	json_free(params);
	free(all);
}

#define SENT "\"requestId\":\"R#\",\"type\":\"Fetch\",\"timestamp\":1,\"request\":{\"method\":\"GET\",\"url\":\"http://h/#?a=b\"}"

const struct ratio_row ratio_observe_rows[] = {
	{ "normalise_console: arguments", 12000, observed, .head = "a{\"type\":\"log\",\"args\":[",
	  .unit = "{\"type\":\"number\",\"value\":#},", .tail = "{}]}" },
	{ "normalise_console: one argument", 400000, observed,
	  .head = "a{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"", .unit = "\\u2028 e1", .tail = "\"}]}" },
	{ "normalise_console: elements of an array", 10000, observed,
	  .head = "a{\"args\":[{\"type\":\"object\",\"subtype\":\"array\",\"preview\":{\"properties\":[",
	  .unit = "{\"name\":\"#\",\"type\":\"number\",\"value\":\"1\"},", .tail = "{}]}}]}" },
	{ "normalise_console: frames of a stack", 10000, observed,
	  .head = "a{\"type\":\"error\",\"args\":[],\"stackTrace\":{\"callFrames\":[", .unit = "{\"url\":\"http://h/#\"},",
	  .tail = "{}]}}" },
	{ "normalise_exception: frames of a stack", 10000, observed,
	  .head = "b{\"exceptionDetails\":{\"text\":\"x\",\"stackTrace\":{\"callFrames\":[",
	  .unit = "{\"functionName\":\"f\",\"url\":\"http://h/#\"},", .tail = "{}]}}}" },
	{ "normalise_exception: lines of a description", 200000, observed,
	  .head = "b{\"exceptionDetails\":{\"exception\":{\"subtype\":\"error\",\"description\":\"", .unit = "\\n    a",
	  .tail = "\"}}}" },
	{ "normalise_log: a text", 400000, observed, .head = "c{\"entry\":{\"level\":\"error\",\"text\":\"", .unit = "\\u0001- e1",
	  .tail = "\"}}" },
	{ "normalise_request: headers", 20000, observed,
	  .head = "d{\"requestId\":\"R\",\"request\":{\"method\":\"GET\",\"url\":\"http://h/\",\"headers\":{",
	  .unit = "\"Name#\":\"a\\nb\",", .tail = "\"z\":\"1\"}}}" },
	{ "normalise_request: pieces of a body", 20000, observed,
	  .head = "d{\"requestId\":\"R\",\"request\":{\"method\":\"POST\",\"url\":\"http://h/\",\"postDataEntries\":[",
	  .unit = "{\"bytes\":\"YQ==\"},", .tail = "{}]}}" },
	{ "normalise_request: an address of parameters", 100000, archived,
	  .head = "d{\"requestId\":\"R\",\"request\":{\"method\":\"GET\",\"url\":\"http://h/?", .unit = "a=b&", .tail = "\"}}" },
	{ "normalise_request: requests", 5000, observed, .unit = "d{" SENT "}\n" },
	{ "normalise_request: redirects of one request", 5000, observed,
	  .unit = "d{\"requestId\":\"R\",\"type\":\"Fetch\",\"redirectResponse\":{\"status\":302},\"request\":{\"method\":\"GET\",\"url\":\"http://h/#\"}}\n" },
	{ "normalise_finished: requests that end in order", 4000, observed, .unit = "d{" SENT "}\n",
	  .close = "f{\"requestId\":\"R#\",\"timestamp\":2}\n" },
	{ "normalise_websocket_received: frames", 5000, observed, .head = "i{\"requestId\":\"W\",\"url\":\"ws://h/\"}\n",
	  .unit = "l{\"requestId\":\"W\",\"response\":{\"opcode\":1,\"payloadData\":\"a\"}}\n" },
	{ "journal_add_dialog: a message", 400000, opened_dialog, .unit = "\u2029" },
	{ "har_write: requests", 4000, archived, .unit = "d{" SENT "}\n" },
	{ "journal_next: addresses that nearly match", 4000, filtered,
	  .unit = "d{\"requestId\":\"R#\",\"request\":{\"method\":\"GET\",\"url\":\"http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}}\n" },
	{ "journal_set_owner: journals of one owner", 50, shared, .unit = "x" },
	{ "journal_add_download: a name and an address", 400000, downloaded, .unit = "../\u2028" },
	{},
};
