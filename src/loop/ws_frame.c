#include "loop/ws_frame.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "base/base64.h"
#include "loop/request.h"

#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" /* section 1.3 */
#define HEAD_MAX 16384
#define SHA1_SIZE 20
#define KEY_BYTES 16
#define LENGTH_IN_2 126
#define LENGTH_IN_8 127

static void fill_random(void *to, size_t size)
{
	if (getrandom(to, size, 0) != (ssize_t)size) /* getrandom() returns up to 256 bytes in one call */
		abort();
}

/* ---- the handshake, section 4.1 ---- */

void ws_key(char ret[WS_KEY_SIZE])
{
	_cleanup_(str_done) struct str text = {};
	uint8_t bytes[KEY_BYTES];

	fill_random(bytes, sizeof(bytes));
	base64_encode(&text, bytes, sizeof(bytes));
	memcpy(ret, text.data, WS_KEY_SIZE);
}

void ws_request(struct str *out, const struct request *r, const char *key)
{
	request_append(out, r);
	str_appendf(out,
		    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
		    "Sec-WebSocket-Version: 13\r\n\r\n",
		    key);
}

bool ws_key_is_valid(const char *key)
{
	uint8_t bytes[BASE64_DECODED_SIZE(WS_KEY_SIZE)];

	return strlen(key) == WS_KEY_SIZE - 1 && base64_decode(key, WS_KEY_SIZE - 1, bytes) == KEY_BYTES;
}

void ws_append_accept(struct str *out, const char *key)
{
	_cleanup_(str_done) struct str text = {};
	uint8_t digest[SHA1_SIZE];

	str_appendf(&text, "%s" GUID, key);
	lws_SHA1((const unsigned char *)text.data, text.len, digest);
	base64_encode(out, digest, sizeof(digest));
}

ptrdiff_t ws_answer(const char *text, size_t len, const char *key)
{
	static const char status[] = "HTTP/1.1 101 ";
	_cleanup_(str_done) struct str accept = {};
	const char *end = memmem(text, MIN(len, (size_t)HEAD_MAX), "\r\n\r\n", 4), *value;
	size_t value_len = 0;

	if (!end)
		return len < HEAD_MAX ? 0 : -EPROTO;
	end += 2;
	value = response_field(text, end, "sec-websocket-accept", &value_len);
	ws_append_accept(&accept, key);
	if (strncmp(text, status, strlen(status)) != 0 || !value || value_len != accept.len ||
	    memcmp(value, accept.data, value_len) != 0)
		return -EPROTO;
	return end + 2 - text;
}

/* ---- frames, section 5.2 ---- */

static uint64_t ws_frame_read_number(const uint8_t *bytes, size_t count)
{
	uint64_t n = 0;

	for (size_t i = 0; i < count; i++)
		n = n << 8 | bytes[i];
	return n;
}

/* Control frames must be unfragmented and short. */
static bool is_allowed(const struct ws_frame *f, uint8_t first)
{
	if ((first & 0x70) || (f->opcode > WS_BINARY && f->opcode < WS_CLOSE) || f->opcode > WS_PONG)
		return false;
	return f->opcode < WS_CLOSE || (f->final && f->len <= WS_CONTROL_MAX);
}

/* `masked`: the frame is a client's. */
static int parse_frame(const char *data, size_t len, bool masked, struct ws_frame *ret)
{
	const uint8_t *p = (const uint8_t *)data;
	size_t extra, head;
	uint64_t size;

	if (len < 2)
		return 0;
	size = p[1] & 0x7f;
	if (masked != (p[1] > 0x7f))
		return -EPROTO;
	extra = size == LENGTH_IN_2 ? 2 : size == LENGTH_IN_8 ? 8 : 0;
	head = 2 + extra + (masked ? WS_MASK_SIZE : 0);
	if (len < head)
		return 0;
	if (extra)
		size = ws_frame_read_number(p + 2, extra);
	if (size > SIZE_MAX / 2)
		return -EPROTO;
	*ret = (struct ws_frame){ .opcode = p[0] & 0xf, .final = p[0] & 0x80, .head = head, .len = (size_t)size };
	if (masked)
		memcpy(ret->mask, data + head - WS_MASK_SIZE, WS_MASK_SIZE);
	return is_allowed(ret, p[0]) ? 1 : -EPROTO;
}

int ws_frame_read(const char *data, size_t len, struct ws_frame *ret)
{
	return parse_frame(data, len, false, ret);
}

int ws_client_frame_read(const char *data, size_t len, struct ws_frame *ret)
{
	return parse_frame(data, len, true, ret);
}

void ws_mask(char *bytes, size_t len, const char mask[WS_MASK_SIZE])
{
	for (size_t i = 0; i < len; i++)
		bytes[i] ^= mask[i % WS_MASK_SIZE];
}

static void ws_frame_append_number(struct str *out, uint64_t n, size_t count)
{
	while (count-- > 0)
		str_append_char(out, (char)(n >> 8 * count));
}

static void ws_frame_append_head(struct str *out, enum ws_opcode opcode, size_t len, unsigned mask_bit)
{
	size_t count = len < LENGTH_IN_2 ? 0 : len <= UINT16_MAX ? 2 : 8;

	str_append_char(out, (char)(0x80 | opcode));
	str_append_char(out, (char)(mask_bit | (count == 0 ? len : count == 2 ? LENGTH_IN_2 : LENGTH_IN_8)));
	ws_frame_append_number(out, len, count);
}

void ws_server_head_append(struct str *out, enum ws_opcode opcode, size_t len)
{
	ws_frame_append_head(out, opcode, len, 0);
}

/*
 * Masks are taken from the kernel 64 at a time: a system call for each message would cost as much as the message. Firefox closes the connection
 * at a mask of zeros.
 */
static void next_mask(char ret[WS_MASK_SIZE])
{
	static char pool[64 * WS_MASK_SIZE];
	static size_t used = sizeof(pool);

	if (used == sizeof(pool)) {
		fill_random(pool, sizeof(pool));
		used = 0;
	}
	memcpy(ret, pool + used, WS_MASK_SIZE);
	if (!memcmp(ret, (const char[WS_MASK_SIZE]){}, WS_MASK_SIZE))
		ret[0] = 1;
	used += WS_MASK_SIZE;
}

void ws_frame_append(struct str *out, enum ws_opcode opcode, const char *payload, size_t len)
{
	char mask[WS_MASK_SIZE];

	ws_frame_append_head(out, opcode, len, 0x80);
	next_mask(mask);
	str_append_len(out, mask, sizeof(mask));
	str_append_len(out, payload, len);
	ws_mask(out->data + out->len - len, len, mask);
}
