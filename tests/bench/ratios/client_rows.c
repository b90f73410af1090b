/* What clients send: messages, and the arguments of tools. */
#include "base/error.h"
#include "base/limits.h"
#include "mcp/ask.h"
#include "mcp/server.h"
#include "people/arguments.h"
#include "ratios/ratios.h"
#include "tools/browser/header_lines.h"
#include "tools/lines.h"

struct call {
	const char *text;
	struct string_list list;
	const struct json *any;
};

static const struct param params[] = {
	PARAM(call, text, "A text"),
	PARAM(call, list, "A list"),
	PARAM(call, any, "Anything"),
	{},
};

static int run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct call *a = args;

	result_json(res, "{text: ?}", a->text);
	return 0;
}

static const struct tool tool = {
	.name = "call",
	.title = "Call",
	.about = "Call",
	.params = params,
	.size = sizeof(struct call),
	.run = run,
};
static void list_nothing(struct str *out, uint64_t owner, void *data)
{
}

static const struct tool *const tools[] = { &tool, NULL };
static const struct mcp_resources resources = { .list = list_nothing, .templates = "" };
static struct mcp_server server = { .name = "ratios", .title = "Ratios", .version = "1", .tools = tools, .resources = &resources };

static void ignore_message(const struct mcp_outgoing *m, void *data)
{
}

static void drained(void *data)
{
	*(bool *)data = true;
}

static struct mcp_conn *connect_client(void)
{
	static const struct mcp_transport transport = { ignore_message };

	if (!server.loop)
		NEEDED(loop_new(&server.loop) == 0);
	return mcp_conn_new(&server, &transport, (struct mcp_owner){ .number = 1 }, NULL);
}

static void disconnect_client(struct mcp_conn *c)
{
	bool empty = false;

	mcp_conn_close(c, drained, &empty);
	while (!empty)
		loop_step(server.loop);
	mcp_conn_free(c);
}

static void receive_lines(struct mcp_conn *c, const char *text)
{
	for (const char *at = text, *end; *at; at = end + (*end == '\n')) {
		end = at + strcspn(at, "\n");
		mcp_conn_receive(c, at, (size_t)(end - at), NULL, MCP_MAY_ALL);
	}
}

/* Lines of the input are messages of a connection. */
static void received(const struct str *in)
{
	struct mcp_conn *c = connect_client();

	receive_lines(c, in->data);
	while (task_count())
		loop_step(server.loop);
	disconnect_client(c);
}

#define INITIALIZE \
	"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}," \
	"\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
/* Valid until the next call. */
static const char *uri_of(size_t i)
{
	static char uri[64];

	snprintf(uri, sizeof(uri), "cdp://events/%zu", i);
	return uri;
}

/* Each byte is a resource, which a connection subscribes to that has room for it, and which changes. */
static void followed(const struct str *in)
{
	size_t count = (in->len + LIMIT_SUBSCRIPTIONS_COUNT - 1) / LIMIT_SUBSCRIPTIONS_COUNT;
	_cleanup_(freep) struct mcp_conn **clients = must(calloc(count, sizeof(*clients)));
	_cleanup_(str_done) struct str text = {};

	for (size_t i = 0; i < in->len; i++) {
		struct mcp_conn **c = &clients[i / LIMIT_SUBSCRIPTIONS_COUNT];

		if (!*c) {
			*c = connect_client();
			receive_lines(*c, INITIALIZE);
		}
		str_reset(&text);
		str_json(&text, "{jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: {uri: ?}}", uri_of(i));
		receive_lines(*c, text.data);
	}
	for (size_t i = 0; i < in->len; i++)
		mcp_resource_updated(&server, uri_of(i));
	for (size_t i = 0; i < count; i++)
		disconnect_client(clients[i]);
}

/* Lines of the input are header fields. */
static void header_lines(const struct str *in)
{
	_cleanup_(arena_done) struct arena a = {};
	_cleanup_(str_done) struct str out = {};
	struct string_list list = { .items = must(calloc(in->len, sizeof(char *))) };
	char *text = arena_strdup(&a, in->data), *at = text;
	const char *wrong;

	while (*at)
		list.items[list.count++] = strsep(&at, "\n");
	NEEDED(header_lines_parse(&a, &list, &out, &wrong));
	free(list.items);
}

/* A client for each byte, with an owner of its own, which is asked a question. The oldest questions make room for the last. */
static void asked(const struct str *in)
{
	struct asking a = {};

	str_append(&a.requests, "\"q\":{}");
	for (size_t i = 0; i < in->len; i++) {
		struct request q = { .conn = connect_client(), .message.method = "tools/call" };
		_cleanup_(str_done) struct str name = {};

		q.conn->owner.number = i + 1;
		NEEDED(ask_state_give(&q, &a, &name));
		disconnect_client(q.conn);
	}
	str_done(&a.requests);
}

/* Arguments, with `element`, `url`, `text`, `fields`: what people read of a call of each kind of tool with them. */
static void described(const struct str *in)
{
	static const char *const names[] = { "browser_click", "browser_navigate", "browser_type", "browser_fill_form", "other" };
	_cleanup_(json_freep) struct json *arguments = NULL;

	NEEDED(json_parse(in->data, in->len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &arguments) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct tool each = { .name = names[i] };
		_cleanup_(str_done) struct str line = {};

		arguments_use(tool_lines);
		arguments_describe(&line, &each, arguments);
	}
}

#define CALL INITIALIZE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"call\",\"arguments\":{"

const struct ratio_row ratio_client_rows[] = {
	{ "mcp_conn_receive: a text", 400000, received, .head = CALL "\"text\":\"", .unit = "\\\"\\\\", .tail = "\"}}}\n" },
	{ "mcp_conn_receive: a list", 20000, received, .head = CALL "\"list\":[", .unit = "\"a#\",", .tail = "\"b\"]}}}\n" },
	{ "mcp_conn_receive: arguments that the tool has not", 20000, received, .head = CALL, .unit = "\"x#\":1,",
	  .tail = "\"y\":2}}}\n" },
	{ "mcp_conn_receive: arguments of one name", 20000, received, .head = CALL, .unit = "\"text\":\"a\",",
	  .tail = "\"y\":2}}}\n" },
	{ "mcp_conn_receive: depth", 200000, received, .head = CALL "\"any\":", .unit = "[", .close = "]", .tail = "}}}\n" },
	{ "mcp_conn_receive: members of the message", 20000, received, .head = INITIALIZE "{\"jsonrpc\":\"2.0\",",
	  .unit = "\"m#\":[],", .tail = "\"id\":1,\"method\":\"ping\"}\n" },
	{ "mcp_conn_receive: _meta", 20000, received,
	  .head = INITIALIZE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":{", .unit = "\"a.b/#\":1,",
	  .tail = "\"progressToken\":1}}}\n" },
	{ "mcp_conn_receive: pings", 4000, received, .head = INITIALIZE,
	  .unit = "{\"jsonrpc\":\"2.0\",\"id\":#,\"method\":\"ping\"}\n" },
	{ "mcp_conn_receive: cancellations of unknown calls", 4000, received, .head = INITIALIZE,
	  .unit = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":#}}\n" },
	{ "mcp_conn_receive: lines that are no JSON", 4000, received, .head = INITIALIZE, .unit = "{\"jsonrpc\":#\n" },
	{ "mcp_resource_updated: subscriptions of many clients", 2000, followed, .unit = "x" },
	{ "header_lines_parse: names", 2000, header_lines, .unit = "name-#: value\n" },
	{ "header_lines_parse: one name", 2000, header_lines, .unit = "name: #\n" },
	{ "arguments_describe: an element", 400000, described, .head = "{\"element\":\"", .unit = "\\u202e", .tail = "\"}" },
	{ "arguments_describe: an address", 400000, described, .head = "{\"url\":\"http://", .unit = "a@", .tail = "\"}" },
	{ "arguments_describe: a text", 400000, described, .head = "{\"text\":\"", .unit = "x", .tail = "\"}" },
	{ "arguments_describe: fields", 20000, described, .head = "{\"fields\":[{}", .unit = ",{\"name\":\"n#\"}", .tail = "]}" },
	{ "arguments_describe: names", 20000, described, .head = "{\"x\":1", .unit = ",\"n#\":\"v\"", .tail = "}" },
	{ "ask_state_give: questions to many owners", 8 * LIMIT_ASKED_COUNT, asked, .unit = "x" },
	{},
};
