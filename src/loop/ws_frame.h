/*
 * WebSocket as bytes, the client's side (RFC 6455): the handshake and frames. Nothing is sent or received here.
 *
 * libwebsockets' client looks at every byte of a frame in turn, which took more than half of the time that an event of
 * the browser cost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum ws_opcode {
	WS_CONTINUATION, WS_TEXT, WS_BINARY, WS_CLOSE = 8, WS_PING, WS_PONG,
};

struct ws_frame {
	enum ws_opcode opcode;
	bool final;
	size_t head; /* bytes before the payload */
	size_t len;  /* of the payload */
};

/* Random bytes as base64, for one handshake. */
#define WS_KEY_SIZE 25
void ws_key(char ret[WS_KEY_SIZE]);
void ws_request(struct str *out, const char *host, int port, const char *path, const char *key);
/*
 * Is what begins with the `len` bytes at `text` the right answer? Gives its length; 0: there is more of it to come;
 * -EPROTO: it is not.
 */
ptrdiff_t ws_answer(const char *text, size_t len, const char *key);

/*
 * The head of the server's frame that begins with the `len` bytes at `data`; the payload need not be there. 1, or 0:
 * there is more of the head to come. -EPROTO: it is none that a server may send.
 */
int ws_frame_read(const char *data, size_t len, struct ws_frame *ret);
/* Appends a whole frame of the client's, masked as these have to be. */
void ws_frame_append(struct str *out, enum ws_opcode opcode, const char *payload, size_t len);
