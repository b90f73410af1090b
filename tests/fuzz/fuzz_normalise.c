/*
 * observe/: events of any shape, in any order, never break the journal, its bounds or its lines. Each input line is
 * one event: a letter chooses which ('a' is the first of normaliser_table), the rest is its parameters as JSON.
 */
#include "base/limits.h"
#include "fuzz.h"
#include "observe/event.h"
#include "observe/har.h"
#include "observe/lines.h"
#include "../support/normalisers.h"

#define COUNT_MAX 16
#define BYTES_MAX (256u << 10)

static void feed(struct journal *j, const char *line, size_t len)
{
	_cleanup_(json_freep) struct json *params = NULL;
	char *text;

	if (len == 0)
		return;
	text = fuzz_copy(line + 1, len - 1);
	if (json_parse(text, len - 1, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params) == 0)
		normaliser_table[(unsigned char)(line[0] - 'a') % ARRAY_SIZE(normaliser_table)].fn(j, "S", params);
	free(text);
}

/* Whatever events hold, they are JSON that a client's parser takes. */
static void check_json(const struct str *text)
{
	CHECK(json_check(text->data, text->len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE) >= 0);
}

static void check_event(const struct journal *j, const struct observed *e)
{
	_cleanup_(str_done) struct str text = {};

	CHECK(journal_at(j, e->seq) == e);
	event_json(&text, j, e, "T", 100);
	check_json(&text);
	if (e->kind & OBSERVED_MESSAGES) {
		CHECK(strlen(e->message.text) <= LIMIT_OBSERVED_TEXT + 100);
		for (unsigned i = 0; i < e->message.arguments; i++)
			CHECK(e->message.argument_ends[i] <= strlen(e->message.text));
		message_time(&text, e, 0);
		message_line(&text, e, &(const struct message_form){});
	} else if (e->kind == OBSERVED_REQUEST) {
		request_line(&text, j, e);
		request_details(&text, j, e);
		CHECK(!e->sent.body || e->sent.body[e->sent.body_size] == 0);
	}
}

static void check_archive(const struct journal *j)
{
	const struct journal_filter filter = { .block = (const char *const[]){ "b", NULL },
					       .allow = (const char *const[]){ "a", NULL } };
	_cleanup_(str_done) struct str text = {};

	har_write(&text, j, &(const struct journal_excerpt){ .end = journal_end(j), .filter = &filter }, "title", NULL, 0);
	check_json(&text);
}

static void check_journal(const struct journal *j)
{
	static const struct journal_query query = { .url_includes = "a", .method = "get" };
	const struct observed *e;
	uint64_t offset = 0, seq = journal_first(j);

	CHECK(journal_end(j) - journal_first(j) <= COUNT_MAX);
	CHECK(journal_bytes(j) <= BYTES_MAX || journal_end(j) - journal_first(j) == 1);
	while ((e = journal_next(j, NULL, &offset))) {
		CHECK(e->seq == seq++);
		check_event(j, e);
	}
	CHECK(seq == journal_end(j));
	offset = 0;
	while ((e = journal_next(j, &query, &offset)))
		CHECK(strstr(journal_url(j, e), "a"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(journal_freep) struct journal *j = journal_new(COUNT_MAX, BYTES_MAX);
	const char *at = (const char *)data, *end = at + size;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);

		feed(j, at, len);
		check_journal(j);
		at += len + 1;
	}
	check_archive(j);
	return 0;
}
