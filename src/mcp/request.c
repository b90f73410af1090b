#include "mcp/request.h"

#include <string.h>

#include "base/mask.h"
#include "mcp/connection.h"

/* How long clients may cache lists and the discovery, which do not change while the server runs. */
#define CACHE_MSEC 300000

/*
 * Members that the protocol prescribes; no text of a page, file or argument can get into them, so they are not
 * masked.
 */
static const struct mask_exemption envelope[] = {
	{ 1, "jsonrpc" },
	{ 1, "id" },
	{ 1, "method" },
	{ 2, "_meta" },
	{ 2, "progressToken" },
	{ 2, "requestId" },
	{ 2, "resultType" },
	{ 2, "taskId" },
	{ 2, "status" },
	{ 2, "createdAt" },
	{ 2, "lastUpdatedAt" },
	{ 3, "taskIds" },
	{ 2, "requestState" },
	{ 2, "cacheScope" },
	{ 2, "level" },
	{ 2, "logger" },
	{ 0, "type" },
	{ 0, "mimeType" },
	{ 0, "method" },
	{ 4, "data" },
	{ 4, "blob" }, /* base64: images and binary files */
	{},
};

void request_mask_message(struct str *message)
{
	mask_json(message, envelope, "structuredContent");
}

/* All responses begin with these members; a large one need not be searched for its result. */
static void keep_response(const struct request *q, struct str *message, int code)
{
	static const char before_id[] = "{\"jsonrpc\":\"2.0\",\"id\":", result[] = ",\"result\":", error[] = ",\"error\":";

	q->kept->failed = code;
	q->kept->at = strlen(before_id) + strlen(q->message.id.raw) + strlen(code ? error : result);
	str_move(&q->kept->text, message);
}

/* Takes over the text of a response that is kept. */
static void send(const struct request *q, struct str *message, bool answer, int code)
{
	if (q->kept && answer)
		keep_response(q, message, code);
	if (q->kept)
		return;
	q->conn->transport->send(
		&(struct mcp_outgoing){
			.text = message->data,
			.len = message->len,
			.stream = q->stream,
			.answer = answer,
			.code = code,
			.version = q->version,
		},
		q->conn->data);
}

void request_notify(const struct request *q, struct str *message)
{
	request_mask_message(message);
	send(q, message, false, 0);
}

void request_done(struct request *q)
{
	if (q->stream)
		q->conn->transport->release(TAKE_PTR(q->stream));
	rpc_message_done(&q->message);
	rpc_token_done(&q->progress);
}

void request_server_info(const struct request *q, struct str *out)
{
	const struct mcp_server *server = q->conn->server;

	str_json(out, "{name: ?,", server->name);
	if (q->version->titles && server->title)
		str_json(out, "title: ?,", server->title);
	str_json(out, "version: ?}", server->version);
}

static void append_modern_members(const struct request *q, const char *type, enum cache cache, struct str *out)
{
	str_json(out, "resultType: ?,", type);
	if (cache != CACHE_NONE)
		str_json(out, "ttlMs: ?, cacheScope: ?,", cache == CACHE_PUBLIC ? CACHE_MSEC : 0,
			 cache == CACHE_PUBLIC ? "public" : "private");
	str_json(out, "_meta: {io.modelcontextprotocol/serverInfo:");
	request_server_info(q, out);
	str_append_char(out, '}');
}

/* Text that was masked already, to be added to a result as the member `name`. */
struct masked {
	const char *name, *text;
	size_t len;
};

/* Adds it before the end of the message. */
static void request_append_masked(struct str *message, const struct masked *m)
{
	str_truncate(message, message->len - 2);
	str_json(message, ", ?:", m->name);
	str_append_len(message, m->text, m->len);
	str_append(message, "}}");
}

static void reply(struct request *q, const char *type, enum cache cache, struct str *members, const struct masked *last)
{
	_cleanup_(str_done) struct str head = {};

	str_json(&head, "{jsonrpc: '2.0', id: ?, result: {", JSON_RAW(q->message.id.raw));
	if (q->version->modern) {
		append_modern_members(q, type, cache, &head);
		if (members->len)
			str_append_char(&head, ',');
	}
	str_prepend(members, head.data, head.len);
	str_append(members, "}}");
	if (cache != CACHE_PUBLIC) /* public results are the same for all clients */
		request_mask_message(members);
	if (last)
		request_append_masked(members, last);
	send(q, members, true, 0);
	str_done(members);
}

void request_reply_members(struct request *q, enum cache cache, struct str *members)
{
	reply(q, "complete", cache, members, NULL);
}

void request_reply_asking(struct request *q, struct str *members)
{
	reply(q, "input_required", CACHE_NONE, members, NULL);
}

void request_reply_task(struct request *q, struct str *members)
{
	reply(q, "task", CACHE_NONE, members, NULL);
}

void request_reply_around(struct request *q, struct str *members, const char *name, const char *masked, size_t len)
{
	reply(q, "complete", CACHE_NONE, members, name ? &(const struct masked){ name, masked, len } : NULL);
}

void request_reply_values(struct request *q, enum cache cache, uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str members = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&members, types, template, ap);
	va_end(ap);
	request_reply_members(q, cache, &members);
}

/* With a single stream for all messages, the end of the subscription must also be sent as a cancellation. */
void request_end_subscription(struct request *q)
{
	_cleanup_(str_done) struct str cancelled = {}, result = {};
	const char *id = q->message.id.raw;

	str_json(&cancelled,
		 "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: ?, _meta: "
		 "{io.modelcontextprotocol/subscriptionId: ?}}}",
		 JSON_RAW(id), JSON_RAW(id));
	if (!q->stream)
		request_notify(q, &cancelled);
	str_json(&result,
		 "{jsonrpc: '2.0', id: ?, result: {resultType: 'complete', _meta: "
		 "{io.modelcontextprotocol/subscriptionId: ?, io.modelcontextprotocol/serverInfo:",
		 JSON_RAW(id), JSON_RAW(id));
	request_server_info(q, &result);
	str_append(&result, "}}}");
	send(q, &result, true, 0);
}

void request_error(struct request *q, int code, const char *data, const char *fmt, ...)
{
	_cleanup_(str_done) struct str message = {}, out = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&message, fmt, ap);
	va_end(ap);
	rpc_write_error(&out, q->message.id.raw, code, data, str_text(&message));
	request_mask_message(&out);
	send(q, &out, true, code);
}

/* The name of an extension has a prefix. */
void request_error_capability(struct request *q, const char *capability, const char *what)
{
	_cleanup_(str_done) struct str data = {};

	if (strchr(capability, '/'))
		str_json(&data, "{requiredCapabilities: {extensions: {?: {}}}}", capability);
	else
		str_json(&data, "{requiredCapabilities: {?: {}}}", capability);
	request_error(q, RPC_MISSING_CAPABILITY, data.data, "%s needs a client with the capability \"%s\"", what, capability);
}
