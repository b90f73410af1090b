#include "server_fixture.h"

#include "app/notes.h"
#include "base/log.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "loop/failure_words.h"
#include "reply/artifacts.h"
#include "reply/writer.h"
#include "tools/hints.h"

#define LONG (60 * USEC_PER_SEC)

static const struct browser_options browser_settings = {
	.start.headless = true,
	.timeout_launch = LONG,
	.endpoint_timeout = LONG,
};
static const struct output_settings output_settings = { .ignore_roots = true };
static const struct timeouts timeouts = { .action = USEC_PER_SEC, .navigation = LONG, .settle = 50 * USEC_PER_MSEC };
static const struct egress_settings no_limits;
static const struct record_settings no_records;

static void on_message(const struct mcp_outgoing *m, void *data)
{
	struct server *s = data;
	struct json *reply = NULL;
	int64_t number;

	assert_int_equal(json_parse(m->text, m->len, 64, JSON_REFUSE_UNREPRESENTABLE, &reply), 0);
	number = json_int(reply, "id", -1);
	if (number < 0) { /* a notification */
		json_free(reply);
		return;
	}
	assert_in_range(number, 0, CALLS - 1);
	assert_null(s->replies[number]);
	s->replies[number] = reply;
}

static void on_died(struct browser *b, void *data)
{
	registry_browser_died(((struct server *)data)->app.registry, b);
}

static void start_services(struct server *s)
{
	s->app = (struct app){
		.output.settings = &output_settings,
		.output.artifacts = artifacts_new(),
		.answers = &s->answers,
		.timeouts = &timeouts,
		.egress = &no_limits,
		.records = &no_records,
		.browser = browser_new(s->loop, &browser_settings, on_died, s),
	};
	s->app.pool = pool_new(s->loop, s->app.browser, NULL);
	s->app.registry = registry_new(s->loop, s->app.pool, &s->sessions, &no_limits, NULL);
	s->app.output.browser = s->app.browser;
}

static void say(struct server *s, const struct str *message)
{
	mcp_conn_receive(s->conn, message->data, message->len, NULL, MCP_MAY_ALL);
}

static void connect_client(struct server *s)
{
	static const struct mcp_transport transport = { on_message };
	_cleanup_(str_done) struct str hello = {}, ready = {};

	s->conn = mcp_conn_new(&s->mcp, &transport, (struct mcp_owner){ .number = 1 }, s);
	str_json(&hello, "{jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, "
			 "clientInfo: {name: 'test', version: '1'}}}");
	say(s, &hello);
	json_free(server_await(s, 0));
	str_json(&ready, "{jsonrpc: '2.0', method: 'notifications/initialized'}");
	say(s, &ready);
}

struct server *server_new(const struct tool *const *tools, const struct response_settings *answers,
			  const struct registry_options *sessions)
{
	struct server *s = NEW(struct server);

	log_set_level(LOG_EMERGENCY);
	use_shop();
	failure_words_use(tool_hints);
	assert_int_equal(loop_new(&s->loop), 0);
	s->answers = *answers;
	s->sessions = *sessions;
	start_services(s);
	s->mcp = (struct mcp_server){
		.loop = s->loop,
		.name = "test",
		.version = "1",
		.tools = tools,
		.style = { .session_argument = "sessionId", .terse = answers->form == ANSWERS_COMPACT },
		.data = &s->app,
		.around = notes_around,
		.finish = answers->form == ANSWERS_COMPACT ? call_shorten : NULL,
	};
	connect_client(s);
	return s;
}

static void on_drained(void *data)
{
	((struct server *)data)->drained = true;
}

int server_tear_down(void **state)
{
	struct server *s = *state;

	mcp_conn_close(s->conn, on_drained, s);
	while (!s->drained)
		loop_step(s->loop);
	mcp_conn_free(s->conn);
	registry_free(s->app.registry);
	pool_free(s->app.pool);
	browser_free(s->app.browser);
	while (task_count())
		loop_step(s->loop);
	artifacts_free(s->app.output.artifacts);
	loop_free(s->loop);
	for (size_t i = 0; i < CALLS; i++)
		json_free(s->replies[i]);
	free(s);
	return 0;
}

void server_send(struct server *s, unsigned number, const char *tool, const char *arguments)
{
	_cleanup_(str_done) struct str message = {};

	str_json(&message, "{jsonrpc: '2.0', id: ?, method: 'tools/call', params: {name: ?, arguments: ?}}", number, tool,
		 JSON_RAW(arguments));
	say(s, &message);
}

void server_cancel(struct server *s, unsigned number)
{
	_cleanup_(str_done) struct str message = {};

	str_json(&message, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: ?}}", number);
	say(s, &message);
}

struct json *server_await(struct server *s, unsigned number)
{
	while (!s->replies[number])
		assert_int_equal(loop_step(s->loop), 0);
	return TAKE_PTR(s->replies[number]);
}

struct json *server_call(struct server *s, const char *tool, const char *arguments)
{
	server_send(s, 1, tool, arguments);
	return server_await(s, 1);
}

const char *reply_text(const struct json *reply)
{
	return json_text(json_first(json_get(reply, "result.content")), "text");
}
