/*
 * JSON-RPC 2.0 envelopes: telling requests, notifications and responses apart, and writing answers.
 *
 * Ids and progress tokens are kept as the bytes that were sent, because they must come back byte for byte, and
 * beside that as a key: equal values have equal keys however they were spelled, and 1 differs from "1".
 */
#pragma once

#include <stddef.h>

#include "base/json.h"
#include "base/str.h"

enum rpc_code {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_INTERNAL_ERROR = -32603,
	RPC_RESOURCE_NOT_FOUND = -32002, /* legacy versions only */
	RPC_FORBIDDEN = -32003, /* the client has not the right that the message needs */
	RPC_HEADER_MISMATCH = -32020, /* modern */
	RPC_MISSING_CAPABILITY = -32021, /* the same */
	RPC_UNSUPPORTED_VERSION = -32022,
};

/* A string or an integer that the peer chose. Both NULL: there is none. */
struct rpc_token {
	char *raw;
	char *key;
};

void rpc_token_done(struct rpc_token *t);
/*
 * Reads the token at `path` of the message `text`, which `root` was parsed from. 0: read, or absent · -EINVAL:
 * neither string nor integer, or longer than LIMIT_ID.
 */
int rpc_token_read(const char *text, size_t len, const struct json *root, const char *path, struct rpc_token *ret);

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE };

struct rpc_message {
	enum rpc_kind kind;
	struct json *root;
	struct rpc_token id;
	const char *method;        /* borrowed from `root`, like the next */
	const struct json *params; /* NULL when absent */
};

void rpc_message_done(struct rpc_message *m);
/*
 * Parses one message that is no batch. 0, or an rpc_code with `ret_error` saying why
 * (static text); `ret` then holds the id when it could be read.
 */
int rpc_parse(const char *text, size_t len, struct rpc_message *ret, const char **ret_error);
/* What json_parse() refused, as an rpc_code and text. */
int rpc_parse_failure(int r, const char **ret_error);

/* Appends a whole error response; `raw_id` and `data` (JSON text) may be NULL: left out. */
void rpc_write_error(struct str *out, const char *raw_id, int code, const char *data, const char *message);
