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
#define MASK_SIZE 4
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
	uint8_t bytes[16];

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

/* Appends the Sec-WebSocket-Accept value for the key. */
static void append_accept(struct str *out, const char *key)
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
	append_accept(&accept, key);
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

int ws_frame_read(const char *data, size_t len, struct ws_frame *ret)
{
	const uint8_t *p = (const uint8_t *)data;
	size_t extra;
	uint64_t size;

	if (len < 2)
		return 0;
	extra = p[1] == LENGTH_IN_2 ? 2 : p[1] == LENGTH_IN_8 ? 8 : 0;
	if (p[1] > LENGTH_IN_8) /* the mask bit is set, which a server must not do */
		return -EPROTO;
	if (len < 2 + extra)
		return 0;
	size = extra ? ws_frame_read_number(p + 2, extra) : p[1];
	if (size > SIZE_MAX / 2)
		return -EPROTO;
	*ret = (struct ws_frame){ .opcode = p[0] & 0xf, .final = p[0] & 0x80, .head = 2 + extra, .len = (size_t)size };
	return is_allowed(ret, p[0]) ? 1 : -EPROTO;
}

static void ws_frame_append_number(struct str *out, uint64_t n, size_t count)
{
	while (count-- > 0)
		str_append_char(out, (char)(n >> 8 * count));
}

static void append_length(struct str *out, size_t len)
{
	size_t count = len < LENGTH_IN_2 ? 0 : len <= UINT16_MAX ? 2 : 8;

	str_append_char(out, (char)(0x80 | (count == 0 ? len : count == 2 ? LENGTH_IN_2 : LENGTH_IN_8)));
	ws_frame_append_number(out, len, count);
}

/*
 * Masks are taken from the kernel 64 at a time: a system call for each message would cost as much as the message. Firefox closes the connection
 * at a mask of zeros.
 */
static void next_mask(char ret[MASK_SIZE])
{
	static char pool[64 * MASK_SIZE];
	static size_t used = sizeof(pool);

	if (used == sizeof(pool)) {
		fill_random(pool, sizeof(pool));
		used = 0;
	}
	memcpy(ret, pool + used, MASK_SIZE);
	if (!memcmp(ret, (const char[MASK_SIZE]){}, MASK_SIZE))
		ret[0] = 1;
	used += MASK_SIZE;
}

void ws_frame_append(struct str *out, enum ws_opcode opcode, const char *payload, size_t len)
{
	char mask[MASK_SIZE], *at;

	str_append_char(out, (char)(0x80 | opcode));
	append_length(out, len);
	next_mask(mask);
	str_append_len(out, mask, sizeof(mask));
	str_append_len(out, payload, len);
	at = out->data + out->len - len;
	for (size_t i = 0; i < len; i++)
		at[i] ^= mask[i % sizeof(mask)];
}
