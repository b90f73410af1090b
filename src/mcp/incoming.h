/*
 * What a client sends at once: one JSON-RPC message, or a batch of them (protocol version 2025-03-26). Each message is parsed
 * once, into a tree that passes to the request made from it; transports that have to inspect messages read these trees.
 */
#pragma once

#include "mcp/rpc.h"

struct incoming_message {
	const char *text; /* borrowed from the text that was parsed */
	size_t len;
	struct rpc_message parsed;
	int code; /* the result of rpc_parse() */
	const char *why;
};

struct incoming {
	struct incoming_message *messages;
	size_t count; /* at most LIMIT_BATCH_COUNT + 1: longer batches are refused, so the rest is not read */
	bool batch;
	int code; /* of a batch: the rpc_code of a text that is not a JSON array; 0: it is one */
	const char *why;
};

/* `text` must remain until the messages have been handled. */
void incoming_parse(struct incoming *in, const char *text, size_t len);
void incoming_done(struct incoming *in);
