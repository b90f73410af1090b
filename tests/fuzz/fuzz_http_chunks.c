/*
 * Bodies in chunks, held against a decoder that has the whole text and no state: they mean the same however they come, also
 * when the body is discarded, have a bound, and what comes behind them is left alone.
 */
#include "fuzz.h"
#include "loop/http_chunks.h"
#include "loop/http_head.h"

#define MAX_BODY 200

struct outcome {
	int status;
	bool done;
	size_t length;
	struct str rest; /* the body, if it was kept, and what is behind it */
};

/* As it is received: in pieces of `step` bytes. */
static struct outcome receive(const char *text, size_t size, size_t step, bool discard)
{
	struct http_chunks c = { .discard = discard };
	struct outcome o = {};
	const char *why = NULL;

	for (size_t at = 0; at < size && o.status == 0; at += step) {
		str_append_len(&o.rest, text + at, MIN(step, size - at));
		if (c.state != CHUNK_DONE)
			o.status = http_chunks_read(&c, &o.rest, MAX_BODY, &why);
		CHECK(o.status == 0 || (o.status >= 400 && why));
		CHECK(c.length <= MAX_BODY && (discard || c.length <= o.rest.len));
	}
	o.done = o.status == 0 && c.state == CHUNK_DONE;
	o.length = c.length;
	return o;
}

/* The digits at `text`, without a limit that matters here. */
static size_t read_digits(const char *text, size_t size, size_t *ret_size)
{
	size_t n = 0;

	*ret_size = 0;
	while (n < size &&
	       ((text[n] >= '0' && text[n] <= '9') || (text[n] >= 'a' && text[n] <= 'f') || (text[n] >= 'A' && text[n] <= 'F'))) {
		*ret_size =
			MIN(*ret_size * 16 + (size_t)(text[n] <= '9' ? text[n] - '0' : (text[n] | 32) - 'a' + 10), (size_t)1 << 40);
		n++;
	}
	return n;
}

/* Walks over what was accepted as a body, and holds each chunk against the bytes that came of it. */
static void check_accepted(const char *text, size_t size, const struct outcome *o)
{
	size_t at = 0, body = 0;

	for (;;) {
		size_t length, digits = read_digits(text + at, size - at, &length);
		const char *end = memmem(text + at, size - at, "\r\n", 2);

		CHECK(digits > 0 && end && !memchr(text + at, '\n', (size_t)(end - text) - at));
		CHECK(text[at + digits] == '\r' || memchr(text + at, ';', (size_t)(end - text) - at));
		at = (size_t)(end - text) + 2;
		if (length == 0)
			break;
		CHECK(size - at >= length + 2 && body + length <= o->length);
		CHECK(!memcmp(o->rest.data + body, text + at, length) && !memcmp(text + at + length, "\r\n", 2));
		body += length;
		at += length + 2;
	}
	CHECK(body == o->length);
	while (memcmp(text + at, "\r\n", 2)) {
		const char *end = memmem(text + at, size - at, "\r\n", 2);

		CHECK(end && http_is_token_char(text[at]) && memchr(text + at, ':', (size_t)(end - text) - at));
		at = (size_t)(end - text) + 2;
	}
	at += 2;
	CHECK(o->rest.len == body + size - at && !memcmp(str_text(&o->rest) + body, text + at, size - at));
}

static void check_same(const struct outcome *a, const struct outcome *b, bool discarded)
{
	size_t body = discarded ? a->length : 0;

	CHECK(a->status == b->status && a->done == b->done);
	if (!a->done)
		return;
	CHECK(a->length == b->length && a->rest.len - body == b->rest.len);
	CHECK(!b->rest.len || !memcmp(a->rest.data + body, b->rest.data, b->rest.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct outcome whole = receive(text, size, size ? size : 1, false);

	for (size_t step = 1; step <= 5; step += 2) {
		struct outcome pieces = receive(text, size, step, false), gone = receive(text, size, step, true);

		check_same(&whole, &pieces, false);
		check_same(&whole, &gone, true);
		str_done(&pieces.rest);
		str_done(&gone.rest);
	}
	if (whole.done)
		check_accepted(text, size, &whole);
	str_done(&whole.rest);
	free(text);
	return 0;
}
