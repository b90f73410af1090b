/* What a state store answers: replies are the same however their bytes are cut, and none is larger than its limits. */
#include "base/limits.h"
#include "fuzz.h"
#include "store/resp.h"

#define COMPARED 4000u /* bytes: longer lines are refused where they are not complete */

static size_t print(const struct resp *r, struct str *out)
{
	size_t len = r->text.len;

	CHECK(r->count <= LIMIT_STORE_REPLY_COUNT && (!r->count || r->kind == RESP_LIST));
	str_appendf(out, "%d %lld %zu:", r->kind, r->integer, r->text.len);
	str_append_len(out, str_text(&r->text), r->text.len);
	for (size_t i = 0; i < r->count; i++) {
		CHECK(r->items[i] && r->items[i]->kind != RESP_LIST);
		len += print(r->items[i], out);
	}
	return len;
}

static void read_all(const char *data, size_t size, size_t piece, struct str *out)
{
	_cleanup_(resp_reader_freep) struct resp_reader *reader = resp_reader_new();
	int r = 0;

	for (size_t at = 0; at < size && r == 0; at += piece) {
		char *part = fuzz_copy(data + at, MIN(piece, size - at));

		r = resp_reader_feed(reader, part, MIN(piece, size - at));
		free(part);
		while (r == 0) {
			_cleanup_(resp_freep) struct resp *reply = NULL;

			r = resp_reader_next(reader, &reply);
			if (r <= 0)
				break;
			CHECK(print(reply, out) <= LIMIT_STORE_REPLY);
			r = 0;
		}
	}
	str_appendf(out, "%s", r < 0 ? "wrong" : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(str_done) struct str whole = {}, cut = {};

	if (!resp_available)
		return 0;
	read_all((const char *)data, size, size, &whole);
	read_all((const char *)data, size, 7, &cut);
	CHECK(size > COMPARED || (whole.len == cut.len && !memcmp(str_text(&whole), str_text(&cut), whole.len)));
	return 0;
}
