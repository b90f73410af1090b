#include "mcp/rpc.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/limits.h"

void rpc_token_done(struct rpc_token *t)
{
	free(t->raw);
	free(t->key);
	*t = (struct rpc_token){};
}

/*
 * Whether the JSON number `raw` is written as an integer. Its text decides, because doubles cannot distinguish large
 * ids.
 */
static bool spells_integer(const char *raw, size_t len)
{
	size_t sign = raw[0] == '-';

	return len > sign && strspn(raw + sign, "0123456789") >= len - sign;
}

static void set_token(struct rpc_token *t, const char *raw, size_t len, const struct json *v)
{
	struct str key = {};

	t->raw = must(strndup(raw, len));
	if (json_type(v) == JSON_STRING)
		json_print(&key, v);
	else
		str_append(&key, t->raw);
	t->key = str_take(&key);
}

int rpc_token_read(const struct json *v, const char *text, size_t len, struct rpc_token *ret)
{
	size_t raw_len;
	const char *raw;

	if (!v)
		return 0;
	if (json_type(v) != JSON_STRING && json_type(v) != JSON_NUMBER)
		return -EINVAL;
	raw = json_source(v, text, len, &raw_len);
	if (raw_len > LIMIT_ID || (json_type(v) == JSON_NUMBER && !spells_integer(raw, raw_len)))
		return -EINVAL;
	set_token(ret, raw, raw_len, v);
	return 0;
}

void rpc_message_done(struct rpc_message *m)
{
	rpc_token_done(&m->id);
	json_free(m->root);
	*m = (struct rpc_message){};
}

/* The texts below contain the limits. */
static_assert(LIMIT_JSON_DEPTH == 64 && LIMIT_ID == 256 && JSON_VALUES_MAX == 200000, "change the texts with the limits");

int rpc_parse_failure(int r, const char **ret_error)
{
	switch (r) {
	case -E2BIG:
		*ret_error = "Invalid request: values are nested deeper than 64 levels";
		return RPC_INVALID_REQUEST;
	case -EMSGSIZE:
		*ret_error = "Invalid request: the message has more than 200000 values";
		return RPC_INVALID_REQUEST;
	case -EBADMSG:
		*ret_error = "Invalid params: \\u0000 and unpaired surrogates are not supported in strings";
		return RPC_INVALID_PARAMS;
	case -EILSEQ:
		*ret_error = "Parse error: the message is not UTF-8";
		return RPC_PARSE_ERROR;
	default:
		*ret_error = "Parse error: the message is not JSON; send one message a line";
		return RPC_PARSE_ERROR;
	}
}

/* Finds the id of a message that was refused as a whole, so that the client's request gets a response. */
static void recover_id(const char *text, size_t len, struct rpc_token *ret)
{
	_cleanup_(json_freep) struct json *v = NULL;
	size_t raw_len = 0;
	const char *raw = json_raw(text, len, "id", &raw_len);

	if (!raw || raw_len > LIMIT_ID || json_parse(raw, raw_len, 0, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
		return;
	if (json_type(v) == JSON_STRING || (json_type(v) == JSON_NUMBER && spells_integer(raw, raw_len)))
		set_token(ret, raw, raw_len, v);
}

/* A response is never answered, not even if it is invalid: two peers could exchange errors forever. */
static bool is_response(const struct json *root)
{
	return !json_member(root, "method") && (json_member(root, "result") || json_member(root, "error"));
}

static int rpc_classify(struct rpc_message *m, const char **ret_error)
{
	const char *jsonrpc = json_str(m->root, "jsonrpc");

	m->method = json_str(m->root, "method");
	m->params = json_member(m->root, "params");
	m->kind = m->id.raw ? RPC_REQUEST : RPC_NOTIFICATION;
	if (is_response(m->root)) {
		m->kind = RPC_RESPONSE;
		return 0;
	}
	if (!jsonrpc || strcmp(jsonrpc, "2.0") != 0) {
		*ret_error = "Invalid request: \"jsonrpc\" must be \"2.0\"";
		return RPC_INVALID_REQUEST;
	}
	if (!m->method) {
		*ret_error = "Invalid request: \"method\" must be a string";
		return RPC_INVALID_REQUEST;
	}
	if (m->params && json_type(m->params) != JSON_OBJECT) {
		*ret_error = "Invalid params: \"params\" must be an object";
		return RPC_INVALID_PARAMS;
	}
	return 0;
}

int rpc_parse(const char *text, size_t len, struct rpc_message *ret, const char **ret_error)
{
	int r = json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &ret->root);

	if (r == -E2BIG || r == -EMSGSIZE || r == -EBADMSG)
		recover_id(text, len, &ret->id);
	if (r < 0)
		return rpc_parse_failure(r, ret_error);
	if (json_type(ret->root) != JSON_OBJECT) {
		*ret_error = "Invalid request: a message must be an object";
		return RPC_INVALID_REQUEST;
	}
	if (rpc_token_read(json_member(ret->root, "id"), text, len, &ret->id) < 0 && !is_response(ret->root)) {
		*ret_error = "Invalid request: \"id\" must be an integer or a string of at most 256 bytes";
		return RPC_INVALID_REQUEST;
	}
	return rpc_classify(ret, ret_error);
}

void rpc_write_error(struct str *out, const char *raw_id, int code, const char *data, const char *message)
{
	str_json(out, "{jsonrpc: '2.0'");
	if (raw_id)
		str_json(out, ", id: ?", JSON_RAW(raw_id));
	str_json(out, ", error: {code: ?, message: ?", code, message);
	if (data)
		str_json(out, ", data: ?", JSON_RAW(data));
	str_append(out, "}}");
}
