#include "mcp/connection.h"

#include <assert.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/call.h"
#include "mcp/feature.h"
#include "mcp/resources.h"
#include "mcp/tasks.h"

#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"

struct mcp_conn *mcp_conn_new(const struct mcp_server *server, const struct mcp_transport *transport, struct mcp_owner owner,
			      void *data)
{
	struct mcp_conn *c = NEW(struct mcp_conn);

	c->server = server;
	c->transport = transport;
	c->data = data;
	c->owner = owner;
	c->owner.name = owner.name ? must(strdup(owner.name)) : NULL;
	LIST_INSERT_HEAD(&mcp_conns, c, link);
	TAILQ_INIT(&c->calls);
	roots_init(&c->roots);
	logging_init(c);
	return c;
}

void mcp_conn_finish(struct mcp_conn *c, void (*drained)(void *data), void *data)
{
	c->closing = true;
	c->drained = drained;
	c->drained_data = data;
	subscriptions_end(c);
	call_task_cancel_all(c);
	if (TAILQ_EMPTY(&c->calls))
		drained(data);
}

void mcp_conn_close(struct mcp_conn *c, void (*drained)(void *data), void *data)
{
	call_cancel_all(c);
	mcp_conn_finish(c, drained, data);
}

struct mcp_conn *mcp_conn_free(struct mcp_conn *c)
{
	if (!c)
		return NULL;
	assert(TAILQ_EMPTY(&c->calls));
	subscriptions_drop(c); /* left only if the connection was never closed */
	if (c->state_done)
		c->state_done(c->state);
	LIST_REMOVE(c, link);
	logging_done(c);
	roots_done(&c->roots);
	if (!c->owner.lasts)
		mcp_tasks_forget(c->server, &c->owner.number);
	free((char *)c->owner.name);
	free(c);
	return NULL;
}

/* Sends an error about a message whose request could not be read. */
static void send_error(struct mcp_conn *c, void *stream, int code, const char *message)
{
	struct request q = { .conn = c, .stream = stream };

	request_error(&q, code, NULL, "%s", message);
}

static const struct json *meta(const struct request *q, const char *name)
{
	return json_member(json_get(q->message.params, "_meta"), name);
}

/* A request is of a modern version if it names one, or if its method exists in modern versions only. */
static bool is_modern(const struct request *q)
{
	const struct json *named = meta(q, META_VERSION);
	const struct version *v = version_find(json_str(named, NULL));

	if (q->conn->transport->modern)
		return true;
	if (named)
		return !v || v->modern;
	return !strcmp(q->message.method, "server/discover") || !strcmp(q->message.method, "subscriptions/listen");
}

void conn_refuse_version(struct request *q, const char *requested)
{
	_cleanup_(str_done) struct str data = {};

	str_append(&data, "{\"supported\":[");
	version_names(&data);
	str_json(&data, "], requested: ?}", requested);
	request_error(q, RPC_UNSUPPORTED_VERSION, data.data, "Unsupported protocol version: %.64s", requested);
}

/* Reads the log level of a modern request, -1 if it has none. False: it is invalid and has been answered. */
static bool read_log_level(struct request *q)
{
	const struct json *level = meta(q, META_LOG_LEVEL);

	q->log_level = log_level_parse(json_str(level, NULL));
	if (q->log_level < 0)
		q->log_level = -1;
	if (!level || q->log_level >= 0)
		return true;
	request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: _meta[\"%s\"] must be one of " LOG_LEVEL_NAMES, META_LOG_LEVEL);
	return false;
}

static bool declares_extension(const struct json *capabilities, const char *name)
{
	return json_type(json_member(json_member(capabilities, "extensions"), name)) == JSON_OBJECT;
}

static bool determine_modern_version(struct request *q)
{
	const char *requested = json_str(meta(q, META_VERSION), NULL);

	if (q->conn->transport->admit && !q->conn->transport->admit(q))
		return false;
	if (!requested || json_type(meta(q, META_CAPABILITIES)) != JSON_OBJECT) {
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: _meta must hold \"%s\" (string) and \"%s\" "
			      "(object)",
			      META_VERSION, META_CAPABILITIES);
		return false;
	}
	q->version = version_find(requested);
	if (!q->version || !q->version->modern) {
		conn_refuse_version(q, requested);
		return false;
	}
	q->features = features_declared(meta(q, META_CAPABILITIES), q->version);
	q->takes_tasks = !q->conn->server->tools_only && declares_extension(meta(q, META_CAPABILITIES), TASKS_EXTENSION);
	return read_log_level(q);
}

/* Determines the protocol version of a request. False: it has none that is valid, which has been answered. */
static bool determine_version(struct request *q)
{
	if (is_modern(q))
		return determine_modern_version(q);
	q->version = q->conn->version;
	q->features = q->conn->features;
	if (!strcmp(q->message.method, "initialize")) {
		if (!q->version) {
			q->version = version_negotiate(json_str(q->message.params, "protocolVersion"));
			return true;
		}
		request_error(q, RPC_INVALID_REQUEST, NULL, "Invalid request: already initialized");
		return false;
	}
	if (!q->version && !strcmp(q->message.method, "ping"))
		q->version = version_negotiate(NULL);
	if (!q->version)
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Not initialized: send \"initialize\" first, or name the "
			      "protocol version in params._meta[\"%s\"]",
			      META_VERSION);
	return q->version;
}

static void handle_request(struct request *q)
{
	if (call_find(q->conn, &q->message.id) || subscription_exists(q->conn, &q->message.id))
		request_error(q, RPC_INVALID_REQUEST, NULL, "Invalid request: a request with this id is still running");
	else if (rpc_token_read(meta(q, "progressToken"), q->text, q->len, &q->progress) < 0)
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: progressToken must be an integer or a string "
			      "of at most %u bytes",
			      LIMIT_ID);
	else if (determine_version(q))
		method_dispatch(q);
}

/* Notifications are never answered, not even if they are malformed or unknown. */
static void handle_notification(struct request *q)
{
	struct rpc_token id = {};

	if (strcmp(q->message.method, "notifications/roots/list_changed") == 0)
		roots_forget(q->conn);
	if (strcmp(q->message.method, "notifications/cancelled") != 0)
		return;
	if (rpc_token_read(json_member(q->message.params, "requestId"), q->text, q->len, &id) == 0) {
		call_cancel(q->conn, &id, q->rights);
		subscription_cancel(q->conn, &id);
	}
	rpc_token_done(&id);
}

/* The tree of the message becomes that of the request. */
static void receive_one(struct mcp_conn *c, struct incoming_message *m, void *stream, unsigned rights)
{
	_cleanup_(request_done) struct request q = {
		.conn = c,
		.stream = stream,
		.message = m->parsed,
		.rights = rights,
		.text = m->text,
		.len = m->len,
		.log_level = -1,
	};

	m->parsed = (struct rpc_message){};
	if (stream)
		c->transport->hold(stream);
	if (c->closing || (m->code == RPC_INVALID_PARAMS && !q.message.id.raw))
		return;
	if (m->code < 0)
		request_error(&q, m->code, NULL, "%s", m->why);
	else if (q.message.kind == RPC_REQUEST)
		handle_request(&q);
	else if (q.message.kind == RPC_NOTIFICATION)
		handle_notification(&q);
	else
		asking_answered(&q);
}

/* The rpc_code with which a batch is refused, or 0; `ret_why` is static text. */
static int refuse_batch(const struct mcp_conn *c, const struct incoming *in, const char **ret_why)
{
	*ret_why = in->why;
	if (in->code < 0)
		return in->code;
	*ret_why = !c->version || !c->version->batches ? "Invalid request: batches exist in protocol version 2025-03-26 only" :
		   !in->count                          ? "Invalid request: the batch is empty" :
		   in->count > LIMIT_BATCH_COUNT       ? "Invalid request: the batch has more than 100 messages" :
							 NULL;
	return *ret_why ? RPC_INVALID_REQUEST : 0;
}

/* Responses to a batch are sent one by one, as they become ready. */
void conn_receive(struct mcp_conn *c, struct incoming *in, void *stream, unsigned rights)
{
	const char *why;
	int code = in->batch ? refuse_batch(c, in, &why) : 0;

	if (c->closing)
		return;
	if (code < 0) {
		send_error(c, stream, code, why);
		return;
	}
	for (size_t i = 0; i < in->count; i++)
		receive_one(c, &in->messages[i], stream, rights);
}

static bool connection_is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!text[i] || !strchr(" \t\r\n", text[i]))
			return false;
	return true;
}

void mcp_conn_receive(struct mcp_conn *c, const char *text, size_t len, void *stream, unsigned rights)
{
	_cleanup_(incoming_done) struct incoming in = {};

	if (c->closing || connection_is_blank(text, len))
		return;
	incoming_parse(&in, text, len);
	conn_receive(c, &in, stream, rights);
}

void mcp_conn_refuse_oversize(struct mcp_conn *c)
{
	_cleanup_(str_done) struct str why = {};

	str_appendf(&why, "Invalid request: the message is longer than %u bytes", LIMIT_LINE);
	send_error(c, NULL, RPC_INVALID_REQUEST, why.data);
}
