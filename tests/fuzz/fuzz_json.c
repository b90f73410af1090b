/*
 * base/json and base/str: what is accepted prints and reads back the same, spans stay inside, and any bytes can be
 * quoted. The first byte chooses how escapes are treated and how deep values may nest.
 */
#include "base/json.h"
#include "fuzz.h"

static void check_round_trip(const struct json *v)
{
	_cleanup_(str_done) struct str once = {}, twice = {};
	_cleanup_(json_freep) struct json *again = NULL;
	char *copy;

	json_print(&once, v);
	copy = fuzz_copy(once.data, once.len);
	CHECK(json_parse(copy, once.len, 64, JSON_REFUSE_UNREPRESENTABLE, &again) == 0);
	free(copy);
	json_print(&twice, again);
	CHECK(once.len == twice.len && !memcmp(once.data, twice.data, once.len));
}

static void check_spans(const char *text, size_t len)
{
	static const char *const paths[] = { "id", "a", "params._meta.progressToken", "a.b" };
	size_t at = 0, span_len;
	const char *span;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		span = json_raw(text, len, paths[i], &span_len);
		CHECK(!span || (span >= text && span + span_len <= text + len));
	}
	while ((span = json_raw_next(text, len, &at, &span_len)))
		CHECK(span >= text && span + span_len <= text + len);
}

static bool is_array(const char *text, size_t len)
{
	_cleanup_(json_freep) struct json *v = NULL;

	return json_parse(text, len, 64, JSON_REPLACE_UNREPRESENTABLE, &v) == 0 && json_type(v) == JSON_ARRAY;
}

/* Elements that are valid, in an array that ended, are the same as an array that is valid. */
static void check_elements(const char *text, size_t len)
{
	size_t at = 0, element_len;
	const char *element;
	bool valid = true;

	while ((element = json_raw_next(text, len, &at, &element_len)))
		valid &= json_check(element, element_len, 63, JSON_REPLACE_UNREPRESENTABLE) == 0;
	valid &= json_raw_ended(text, len, at);
	CHECK(valid == is_array(text, len));
}

/* The source of a value, parsed by itself, is that value. */
static void check_sources(const struct json *v, const char *text, size_t len)
{
	_cleanup_(str_done) struct str expected = {}, found = {};
	_cleanup_(json_freep) struct json *again = NULL;
	size_t source_len;
	const char *source;
	char *copy;

	json_foreach(child, v)
		check_sources(child, text, len);
	if (json_type(v) >= JSON_ARRAY)
		return;
	source = json_source(v, text, len, &source_len);
	copy = fuzz_copy(source, source_len);
	CHECK(json_parse(copy, source_len, 0, JSON_REPLACE_UNREPRESENTABLE, &again) == 0);
	free(copy);
	json_print(&expected, v);
	json_print(&found, again);
	CHECK(expected.len == found.len && !memcmp(expected.data, found.data, found.len));
}

static void check_quoting(const char *bytes, size_t len)
{
	_cleanup_(str_done) struct str quoted = {}, written = {};

	str_append_quoted(&quoted, bytes, len);
	str_json(&written, "{a: ?, 'b': [?]}", JSON_TEXT(bytes, len), JSON_RAW(quoted.data));
	CHECK(json_check(quoted.data, quoted.len, 0, JSON_REPLACE_UNREPRESENTABLE) == 0);
	CHECK(json_check(written.data, written.len, 2, JSON_REPLACE_UNREPRESENTABLE) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum json_escapes escapes = size && data[0] & 1 ? JSON_REFUSE_UNREPRESENTABLE : JSON_REPLACE_UNREPRESENTABLE;
	_cleanup_(json_freep) struct json *v = NULL;
	char *text;

	if (!size)
		return 0;
	check_quoting((const char *)data, size);
	text = fuzz_copy(data + 1, size - 1);
	check_spans(text, size - 1);
	if (json_parse(text, size - 1, data[0] & 2 ? 4 : 64, escapes, &v) == 0) {
		check_round_trip(v);
		check_sources(v, text, size - 1);
	}
	check_elements(text, size - 1);
	check_spans(text, size - 1);
	free(text);
	return 0;
}
