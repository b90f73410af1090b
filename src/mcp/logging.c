/*
 * notifications/message: the server's log, for clients that ask for it. In legacy versions the level is the
 * session's; a modern request gets only the entries of its own task, at the level that it named.
 */
#include "base/limits.h"
#include "mcp/call.h"

static struct mcp_call *current_call(struct mcp_conn *c)
{
	struct task *t = task_current();
	struct mcp_call *call;

	if (!t)
		return NULL;
	TAILQ_FOREACH(call, &c->calls, link)
		if (call->task == t)
			return call;
	return NULL;
}

static bool wants(struct mcp_conn *c, enum log_level level)
{
	struct mcp_call *call = current_call(c);

	if (c->server->tools_only)
		return false;
	if (call && call->request.version->modern)
		return !call->cancelled && call->request.log_level >= 0 && (int)level >= call->request.log_level;
	if (!call && c->transport->hold) /* the server has other clients, whose calls this client may not see */
		return false;
	return c->version && level >= c->log_level;
}

/* Sends an entry on the stream of the call that logged it, or related to no request. */
static void logging_send_message(struct mcp_conn *c, enum log_level level, const char *text)
{
	_cleanup_(str_done) struct str out = {};
	struct mcp_call *call = current_call(c);

	str_json(&out, "{jsonrpc: '2.0', method: 'notifications/message', params: {level: ?, logger: ?, data: ?}}",
		 log_level_table[level], c->server->name, text);
	if (call)
		request_notify(&call->request, &out);
	else
		conn_notify(c, &out);
}

/* Limits the rate, because a page can log in a loop; one message says that entries were left out. */
static bool logging_within_rate(struct mcp_conn *c)
{
	usec_t now = clock_now();

	if (now - c->log_second >= USEC_PER_SEC) {
		c->log_second = now;
		c->log_count = 0;
	}
	if (++c->log_count == LIMIT_LOGS_PER_SECOND)
		logging_send_message(c, LOG_WARNING, "Too many log messages: the rest of this second is omitted");
	return c->log_count < LIMIT_LOGS_PER_SECOND;
}

static void write_sink(struct log_sink *sink, enum log_level level, const char *text)
{
	struct mcp_conn *c = CONTAINER_OF(sink, struct mcp_conn, sink);

	if (wants(c, level) && logging_within_rate(c))
		logging_send_message(c, level, text);
}

void logging_tell(struct mcp_conn *c, enum log_level level, const char *text)
{
	if (!c->server->tools_only && c->version && level >= c->log_level)
		logging_send_message(c, level, text);
}

void logging_init(struct mcp_conn *c)
{
	c->log_level = LOG_WARNING;
	c->sink.write = write_sink;
	log_add_sink(&c->sink);
	logging_update(c);
}

void logging_done(struct mcp_conn *c)
{
	log_remove_sink(&c->sink);
}

void logging_update(struct mcp_conn *c)
{
	int lowest = c->version ? (int)c->log_level : LOG_EMERGENCY;
	struct mcp_call *call;

	TAILQ_FOREACH(call, &c->calls, link)
		if (call->request.log_level >= 0)
			lowest = MIN(lowest, call->request.log_level);
	c->sink.lowest = (enum log_level)lowest;
}
