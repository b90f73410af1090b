/* WebSocket as bytes: the handshake, the heads of frames, what a client writes. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "loop/ws_frame.h"

/* RFC 6455, section 1.3 */
#define KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

static ptrdiff_t answer(const char *text)
{
	return ws_answer(text, strlen(text), KEY);
}

static void test_handshake(void **state)
{
	static const char good[] =
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nsec-websocket-ACCEPT: \t" ACCEPT " \r\n\r\n";

	assert_int_equal(ws_answer(good, strlen(good), KEY), strlen(good));
	for (size_t len = 0; len < strlen(good); len++)
		assert_int_equal(ws_answer(good, len, KEY), 0);
	assert_int_equal(answer("HTTP/1.1 101 x\r\nSec-WebSocket-Accept: " ACCEPT "\r\n\r\n\x81\x01x"), 42 + strlen(ACCEPT));
	assert_int_equal(answer("HTTP/1.1 200 OK\r\nSec-WebSocket-Accept: " ACCEPT "\r\n\r\n"), -EPROTO);
	assert_int_equal(answer("HTTP/1.1 101 x\r\nSec-WebSocket-Accept: x" ACCEPT "\r\n\r\n"), -EPROTO);
	assert_int_equal(answer("HTTP/1.1 101 x\r\nSec-WebSocket-Accept:\r\n\r\n"), -EPROTO);
	assert_int_equal(answer("HTTP/1.1 101 x\r\n\r\n"), -EPROTO);
}

static void test_request(void **state)
{
	_cleanup_(str_done) struct str v4 = {}, v6 = {};
	char key[WS_KEY_SIZE], other[WS_KEY_SIZE];

	ws_key(key);
	ws_key(other);
	assert_int_equal(strlen(key), WS_KEY_SIZE - 1);
	assert_string_not_equal(key, other);
	ws_request(&v4, &(const struct request){ .host = "127.0.0.1", .port = 9222, .path = "/devtools/browser/x" }, key);
	assert_memory_equal(v4.data, "GET /devtools/browser/x HTTP/1.1\r\nHost: 127.0.0.1:9222\r\n", 56);
	assert_string_equal(v4.data + v4.len - 4, "\r\n\r\n");
	ws_request(&v6, &(const struct request){ .host = "::1", .port = 1, .path = "/", .fields = "A: b\r\n" }, key);
	assert_non_null(strstr(v6.data, "\r\nHost: [::1]:1\r\n"));
	assert_non_null(strstr(v6.data, "\r\nA: b\r\n"));
	assert_string_equal(v6.data + v6.len - 4, "\r\n\r\n");
}

static void check_head(const char *bytes, size_t size, enum ws_opcode opcode, bool final, size_t len)
{
	struct ws_frame f;

	for (size_t part = 0; part < size; part++)
		assert_int_equal(ws_frame_read(bytes, part, &f), 0);
	assert_int_equal(ws_frame_read(bytes, size, &f), 1);
	assert_int_equal(f.opcode, opcode);
	assert_int_equal(f.final, final);
	assert_int_equal(f.head, size);
	assert_int_equal(f.len, len);
}

static void test_heads(void **state)
{
	check_head("\x81\x00", 2, WS_TEXT, true, 0);
	check_head("\x01\x7d", 2, WS_TEXT, false, 125);
	check_head("\x80\x7e\x00\x7e", 4, WS_CONTINUATION, true, 126);
	check_head("\x82\x7e\xff\xff", 4, WS_BINARY, true, 65535);
	check_head("\x81\x7f\x00\x00\x00\x01\x00\x00\x00\x02", 10, WS_TEXT, true, 0x100000002);
	check_head("\x88\x02", 2, WS_CLOSE, true, 2);
	check_head("\x89\x7d", 2, WS_PING, true, 125);
}

/* Reserved bits and codes, masks, control frames in pieces or too long, a length that no memory has. */
static void test_refusals(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} table[] = {
		{ "\xc1\x00", 2 }, { "\x91\x00", 2 }, { "\xa1\x00", 2 },         { "\x83\x00", 2 },
		{ "\x87\x00", 2 }, { "\x8b\x00", 2 }, { "\x8f\x00", 2 },         { "\x81\x80", 2 },
		{ "\x81\xff", 2 }, { "\x08\x00", 2 }, { "\x89\x7e\x00\x7e", 4 }, { "\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10 },
	};
	struct ws_frame f;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(ws_frame_read(table[i].bytes, table[i].size, &f), -EPROTO);
}

static void check_written(size_t len, size_t head)
{
	_cleanup_(str_done) struct str out = {};
	char *payload = must(calloc(1, len + 1));

	memset(payload, 'x', len);
	ws_frame_append(&out, WS_TEXT, payload, len);
	assert_int_equal(out.len, head + 4 + len);
	assert_int_equal((unsigned char)out.data[0], 0x81);
	assert_true(out.data[1] & 0x80);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(out.data[head + 4 + i] ^ out.data[head + i % 4], 'x');
	out.data[1] &= 0x7f; /* as the server would write it */
	check_head(out.data, head, WS_TEXT, true, len);
	free(payload);
}

static void test_writing(void **state)
{
	check_written(0, 2);
	check_written(125, 2);
	check_written(126, 4);
	check_written(65535, 4);
	check_written(65536, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handshake), cmocka_unit_test(test_request), cmocka_unit_test(test_heads),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_writing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
