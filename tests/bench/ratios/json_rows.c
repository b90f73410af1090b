/* JSON of clients, browsers and pages, and what is made of it. */
#include "base/failure.h"
#include "base/json.h"
#include "base/limits.h"
#include "ratios/ratios.h"
#include "reply/call_log.h"

static struct json *parse(const struct str *in, unsigned depth)
{
	struct json *v = NULL;

	NEEDED(json_parse(in->data, in->len, depth, JSON_REPLACE_UNREPRESENTABLE, &v) == 0);
	return v;
}

static void parsed(const struct str *in)
{
	json_free(parse(in, JSON_DEPTH_MAX));
}

static void checked(const struct str *in)
{
	json_check(in->data, in->len, JSON_DEPTH_MAX, JSON_REFUSE_UNREPRESENTABLE);
}

static void refused_at(const struct str *in)
{
	json_refused_at(in->data, in->len, JSON_DEPTH_MAX, JSON_REFUSE_UNREPRESENTABLE);
}

static void copied(const struct str *in)
{
	struct json *v = parse(in, JSON_DEPTH_MAX);

	json_free(json_copy(v));
	json_free(v);
}

/* Several times, because the nesting that is allowed is soon done with. */
static void print_indented(const struct str *in)
{
	struct json *v = parse(in, JSON_DEPTH_MAX);

	for (unsigned i = 0; i < 50; i++) {
		_cleanup_(str_done) struct str out = {};

		json_print_indented(&out, v);
	}
	json_free(v);
}

static void make_deep(struct str *out, unsigned n)
{
	ratio_repeat(out, "[", n);
	ratio_repeat(out, "#,", n);
	str_append(out, "0");
	ratio_repeat(out, "]", n);
}

static void absent(const struct str *in)
{
	struct json *v = parse(in, JSON_DEPTH_MAX);

	for (unsigned i = 0; i < 20; i++)
		NEEDED(!json_get(v, "absent.too"));
	json_free(v);
}

static void raw(const struct str *in)
{
	size_t len;

	json_raw(in->data, in->len, "absent", &len);
}

static void raw_elements(const struct str *in)
{
	size_t at = 0, len, unused;
	const char *element;

	while ((element = json_raw_next(in->data, in->len, &at, &len)))
		json_raw(element, len, "type", &unused);
	json_raw_ended(in->data, in->len, at);
}

static void failure(const struct str *in)
{
	struct json *v = parse(in, JSON_DEPTH_MAX);
	_cleanup_(str_done) struct str out = {};

	for (enum reason r = REASON_NONE; r <= REASON_NO_SUCH_OPTION; r++)
		reason_print(&out, r, v, NULL);
	obstacle_print(&out, v);
	json_free(v);
}

static void attempts(const struct str *in)
{
	struct json *v = parse(in, JSON_DEPTH_MAX);
	_cleanup_(str_done) struct str out = {};

	call_log_attempts(&out, "click", v, 600000);
	json_free(v);
}

const struct ratio_row ratio_json_rows[] = {
	{ "json_parse: elements", 40000, parsed, .head = "[", .unit = "1,", .tail = "1]" },
	{ "json_parse: members of one name", 40000, parsed, .head = "{", .unit = "\"a\":{},", .tail = "\"a\":1}" },
	{ "json_parse: containers in one", 15000, parsed, .head = "[", .unit = "[{\"a\":[]}],", .tail = "1]" },
	{ "json_parse: escapes", 100000, parsed, .head = "\"", .unit = "\\ud83d\\ude00\\u0000", .tail = "\"" },
	{ "json_parse: digits", 400000, parsed, .head = "1", .unit = "1", .tail = "e-9" },
	{ "json_parse: blanks", 1000000, parsed, .unit = " ", .tail = "1" },
	{ "json_check: elements", 200000, checked, .head = "[", .unit = "\"\\\"\",", .tail = "1]" },
	{ "json_refused_at: lines", 200000, refused_at, .head = "[", .unit = "\n \r", .tail = "x" },
	{ "json_copy: members", 15000, copied, .head = "{", .unit = "\"a#\":\"\\u0001\",", .tail = "\"b\":1}" },
	{ "json_print_indented: depth and elements", 230, print_indented, .make = make_deep },
	{ "json_get: members, none of which is meant", 40000, absent, .head = "{", .unit = "\"absent#\":1,", .tail = "\"a\":1}" },
	{ "json_raw: names with escapes", 20000, raw, .head = "{", .unit = "\"absen\\u0074#\":1,", .tail = "\"a\":1}" },
	{ "json_raw: backslashes", 200000, raw, .head = "{\"a\":\"", .unit = "\\\\", .tail = "\"}" },
	{ "json_raw: escaped quotes", 200000, raw, .head = "{\"a\":\"", .unit = "\\\"", .tail = "\"}" },
	{ "json_raw: depth", 200000, raw, .head = "{\"a\":", .unit = "[\"", .close = "\"]", .tail = "}" },
	{ "json_raw_next: elements", 100000, raw_elements, .head = "[", .unit = "{\"a\":\"]\\\"\"},", .tail = "1]" },
	{ "reason_print: a list of facts", 20000, failure, .head = "{\"options\":[", .unit = "\"a\",", .tail = "\"b\"]}" },
	{ "obstacle_print: facts", 600, failure, .head = "{", .unit = "\"a#\":[[[[[[[[[[[\"a\"]]]]]]]]]]],",
	  .tail = "\"reason\":\"hidden\"}" },
	{ "call_log_attempts: obstacles in turn", 1000, attempts, .head = "[",
	  .unit = "{\"reason\":\"covered\",\"hit\":\"<a>\",\"at\":#},", .tail = "{\"reason\":\"hidden\",\"at\":1}]" },
	{},
};
