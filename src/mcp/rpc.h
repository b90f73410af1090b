/*
 * JSON-RPC 2.0 envelopes: distinguishes requests, notifications and responses, and writes errors.
 *
 * Ids and progress tokens are kept as the bytes received, because they must be returned byte for byte, and also as a
 * key for comparison: equal values have equal keys in whatever spelling, and 1 differs from "1".
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
	RPC_FORBIDDEN = -32003,          /* the sender lacks the right that the message needs */
	RPC_OTHER_NODE = -32004,         /* the session is another node's of the fleet */
	RPC_HEADER_MISMATCH = -32020,    /* modern versions only */
	RPC_MISSING_CAPABILITY = -32021, /* modern versions only */
	RPC_UNSUPPORTED_VERSION = -32022,
};

/* A string or integer chosen by the peer. Both members NULL: absent. */
struct rpc_token {
	char *raw;
	char *key;
};

void rpc_token_done(struct rpc_token *t);
/*
 * Reads the token `v` of the message `text`, which the tree of `v` was parsed from. 0: read, or absent (`v` is NULL) · -EINVAL:
 * neither string nor integer, or longer than LIMIT_ID.
 */
int rpc_token_read(const struct json *v, const char *text, size_t len, struct rpc_token *ret);

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE };

struct rpc_message {
	enum rpc_kind kind;
	struct json *root;
	struct rpc_token id;
	const char *method;        /* borrowed from `root`, as is params */
	const struct json *params; /* NULL when absent */
};

void rpc_message_done(struct rpc_message *m);
/*
 * Parses a message that is not a batch. Returns 0, or an rpc_code with the reason in `ret_error` (static text); then
 * `ret` holds the id if it could be read.
 */
int rpc_parse(const char *text, size_t len, struct rpc_message *ret, const char **ret_error);
/* Converts a failure of json_parse() to an rpc_code and a text. */
int rpc_parse_failure(int r, const char **ret_error);

/* Appends a complete error response; `raw_id` and `data` (JSON text) are omitted if NULL. */
void rpc_write_error(struct str *out, const char *raw_id, int code, const char *data, const char *message);
