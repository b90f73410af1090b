/*
 * Encoding and decoding of WebSocket (RFC 6455), the sides of clients and of servers: handshake and frames, without input or output.
 *
 * libwebsockets has a WebSocket client as well, but its parser (4.1.6) examines every byte of a payload. A reply of 10 MB, such
 * as a screenshot, took 44 ms of processor time to receive with it and 2 ms with this code; a small call took 0.024 ms and
 * 0.014 ms (both from Chromium over loopback, optimised builds, buffers of 128 KiB). The loop has one thread, so every session
 * would wait for these 44 ms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "loop/request.h"

enum ws_opcode {
	WS_CONTINUATION,
	WS_TEXT,
	WS_BINARY,
	WS_CLOSE = 8,
	WS_PING,
	WS_PONG,
};

#define WS_CONTROL_MAX 125 /* bytes of the payload of a control frame (section 5.5) */
#define WS_MASK_SIZE 4

struct ws_frame {
	enum ws_opcode opcode;
	bool final;
	size_t head;             /* bytes before the payload */
	size_t len;              /* of the payload */
	char mask[WS_MASK_SIZE]; /* of a client's frame */
};

/* Generates the Sec-WebSocket-Key of a handshake. */
#define WS_KEY_SIZE 25
void ws_key(char ret[WS_KEY_SIZE]);
void ws_request(struct str *out, const struct request *r, const char *key);
/*
 * Checks the handshake response that begins with the `len` bytes at `text`. Returns its length, 0 while it is incomplete, or
 * -EPROTO when it is not valid.
 */
ptrdiff_t ws_answer(const char *text, size_t len, const char *key);
/* Whether a client may send this as its Sec-WebSocket-Key: 16 bytes in base64 (section 4.2.1). */
bool ws_key_is_valid(const char *key);
/* Appends the Sec-WebSocket-Accept value for the key. */
void ws_append_accept(struct str *out, const char *key);

/*
 * Parses the header of a server's frame at `data`; the payload need not be complete. Returns 1, 0 while the header is
 * incomplete, or -EPROTO for a frame that a server must not send.
 */
int ws_frame_read(const char *data, size_t len, struct ws_frame *ret);
/* The same for a client's frame, which must be masked (section 5.1). */
int ws_client_frame_read(const char *data, size_t len, struct ws_frame *ret);
/* Masks or unmasks `len` bytes in place. */
void ws_mask(char *bytes, size_t len, const char mask[WS_MASK_SIZE]);
/* Appends a complete client frame, masked as the RFC requires. */
void ws_frame_append(struct str *out, enum ws_opcode opcode, const char *payload, size_t len);
/* The same for a server's frame, which is not masked: what comes before the `len` bytes of its payload. */
void ws_server_head_append(struct str *out, enum ws_opcode opcode, size_t len);
