/*
 * HTTP requests: what is accepted of heads has one meaning; bodies in chunks are the same however they are cut, and never
 * longer than allowed; nothing is read or written outside of them.
 */
#include "fuzz.h"
#include "loop/http_chunks.h"
#include "loop/http_head.h"

static void check_text(const char *text)
{
	for (; *text; text++)
		CHECK(*text != '\r' && *text != '\n');
}

static void check_head(const struct http_head *h)
{
	unsigned lengths = 0;

	check_text(h->method);
	check_text(h->path);
	CHECK(h->path[0] == '/' && !strpbrk(h->path, " ?") && !strchr(h->query, ' '));
	for (unsigned i = 0; i < h->count; i++) {
		check_text(h->fields[i].name);
		check_text(h->fields[i].value);
		CHECK(h->fields[i].name[0] && !strpbrk(h->fields[i].name, " \t:ABCXYZ"));
		lengths += strcmp(h->fields[i].name, "content-length") == 0;
	}
	CHECK(lengths <= 1 && !(lengths && h->chunked));
	CHECK(h->http_1_0 || http_head_field(h, "host"));
}

/* Decodes the body that comes in steps of so many bytes. */
static int decode(const char *text, size_t size, size_t step, size_t max, struct http_chunks *c, struct str *out)
{
	const char *why;
	int status = 0;

	for (size_t at = 0; at < size && status == 0; at += step) {
		str_append_len(out, text + at, MIN(step, size - at));
		if (c->state != CHUNK_DONE)
			status = http_chunks_read(c, out, max, &why);
		CHECK(c->length <= max && c->length <= out->len);
	}
	return status;
}

static void check_chunks(const char *text, size_t size)
{
	_cleanup_(str_done) struct str whole = {}, pieces = {};
	struct http_chunks a = {}, b = {};
	size_t max = 64;
	int status = decode(text, size, size, max, &a, &whole);

	CHECK(decode(text, size, 1, max, &b, &pieces) == status);
	if (status == 0) {
		CHECK(a.length == b.length && a.state == b.state && whole.len == pieces.len);
		CHECK(!whole.len || !memcmp(whole.data, pieces.data, whole.len));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	size_t len = http_head_length(text, size);
	struct http_head head;
	const char *why = NULL;
	int status;

	CHECK(len <= size);
	if (size > len)
		check_chunks(text + len, size - len);
	text = must(realloc(text, len ? len : 1));
	status = http_head_parse(text, len, &head, &why);
	if (status == 0)
		check_head(&head);
	else
		CHECK(status >= 400 && why);
	free(text);
	return 0;
}
