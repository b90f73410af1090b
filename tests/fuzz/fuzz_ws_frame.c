/*
 * WebSocket: an answer to the handshake and frames mean the same however much of them has come, nothing is read behind it,
 * and frames that a client writes are read back. The bytes are taken for each of the three.
 */
#include "fuzz.h"
#include "loop/ws_frame.h"

/* RFC 6455, section 1.3; the corpus has the answer to it. */
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="

/* What a function says of the first `len` bytes alone, where a byte too many is an error that AddressSanitizer sees. */
static ptrdiff_t answer_of(const uint8_t *data, size_t len)
{
	char *part = fuzz_copy(data, len);
	ptrdiff_t r = ws_answer(part, len, KEY);

	free(part);
	return r;
}

/* Frames of servers, and of clients, which are masked. */
typedef int frame_reader(const char *data, size_t len, struct ws_frame *ret);

static int frame_of(frame_reader *read, const uint8_t *data, size_t len, struct ws_frame *ret)
{
	char *part = fuzz_copy(data, len);
	int r = read(part, len, ret);

	free(part);
	return r;
}

static void check_answer(const uint8_t *data, size_t size)
{
	ptrdiff_t whole = answer_of(data, size);

	CHECK(whole <= (ptrdiff_t)size);
	if (whole <= 0)
		return;
	CHECK(answer_of(data, (size_t)whole) == whole);
	CHECK(answer_of(data, (size_t)whole - 1) == 0);
}

static bool same(const struct ws_frame *a, const struct ws_frame *b)
{
	return a->opcode == b->opcode && a->final == b->final && a->head == b->head && a->len == b->len;
}

/* Gives the bytes that it takes, 0 where no frame is to be had. */
static size_t check_frame(frame_reader *read, const uint8_t *data, size_t size)
{
	struct ws_frame f, alone;
	int r = frame_of(read, data, size, &f);

	if (r <= 0)
		return 0;
	CHECK(f.head >= 2 && f.head <= 14 && f.head <= size && f.len <= SIZE_MAX - f.head);
	CHECK(f.opcode <= WS_BINARY || (f.opcode >= WS_CLOSE && f.opcode <= WS_PONG && f.final && f.len <= 125));
	CHECK(frame_of(read, data, f.head, &alone) == 1 && same(&f, &alone));
	for (size_t part = 0; part < f.head; part++)
		CHECK(frame_of(read, data, part, &alone) == 0);
	return f.head + f.len;
}

static void check_frames(frame_reader *read, const uint8_t *data, size_t size)
{
	for (size_t at = 0, taken; at < size && (taken = check_frame(read, data + at, size - at)) && taken <= size - at;
	     at += taken)
		;
}

/* A client's frame is a server's but for the mask. */
static void check_written(const uint8_t *data, size_t size)
{
	_cleanup_(str_done) struct str out = {};
	struct ws_frame f;
	const char *mask;

	ws_frame_append(&out, WS_TEXT, (const char *)data, size);
	CHECK(ws_frame_read(out.data, out.len, &f) < 0); /* servers mask nothing */
	CHECK(ws_client_frame_read(out.data, out.len, &f) == 1 && f.len == size && out.len == f.head + size);
	out.data[1] &= 0x7f;
	CHECK(ws_frame_read(out.data, out.len, &f) == 1);
	CHECK(f.opcode == WS_TEXT && f.final && f.len == size && out.len == f.head + 4 + size);
	mask = out.data + f.head;
	for (size_t i = 0; i < size; i++)
		CHECK((uint8_t)(mask[4 + i] ^ mask[i % 4]) == data[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_answer(data, size);
	check_frames(ws_frame_read, data, size);
	check_frames(ws_client_frame_read, data, size);
	check_written(data, size);
	return 0;
}
