/*
 * A client that sends any lines to a connection. Whatever comes: every answer is JSON in one line, an answer for
 * each request at most, and when the connection closes nothing is left behind.
 */
#include <errno.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "fuzz.h"
#include "mcp/server.h"

struct say {
	const char *text;
	int64_t times;
	bool wait;
	const char *sessionId;
};

static const struct param say_params[] = {
	PARAM(say, text, "What to say"),
	PARAM(say, times, "How often", .min = 0, .max = 3),
	PARAM(say, wait, "Go on until cancelled"),
	PARAM(say, sessionId, "Whose call it is"),
	{},
};

static int say_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct say *a = args;
	int r = 0;

	log_notice("%s", a->text ? a->text : "nothing");
	while (a->wait && r == 0)
		r = task_wait(t, "cancellation");
	for (int64_t i = 0; i < a->times; i++)
		result_json(res, "{said: ?}", a->text);
	return a->text ? r : task_fail(t, -EINVAL, "nothing to say");
}

static const struct tool tool_say = {
	.name = "say",
	.title = "Say",
	.about = "Say it",
	.params = say_params,
	.size = sizeof(struct say),
	.output_schema = "{\"type\":\"object\"}",
	.run = say_run,
};

static const struct tool *const tools[] = { &tool_say, NULL };
static struct mcp_server server = {
	.name = "fuzz", .title = "Fuzz", .version = "1", .tools = tools, .style = { .session_argument = "sessionId" }
};

static void check_answer(const struct mcp_outgoing *m, void *data)
{
	char *copy = fuzz_copy(m->text, m->len);

	CHECK(!memchr(m->text, '\n', m->len));
	CHECK(json_check(copy, m->len, LIMIT_JSON_DEPTH + 8, JSON_REPLACE_UNREPRESENTABLE) == 0);
	free(copy);
}

static void drained(void *data)
{
	*(bool *)data = true;
}

static void send_lines(struct mcp_conn *c, const char *data, size_t size)
{
	while (size) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char *line = fuzz_copy(data, len);

		mcp_conn_receive(c, line, len, NULL, MCP_MAY_ALL);
		free(line);
		len += end ? 1 : 0;
		data += len;
		size -= len;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct mcp_transport transport = { check_answer };
	struct mcp_conn *c;
	bool empty = false;

	if (!server.loop) {
		CHECK(loop_new(&server.loop) == 0);
		log_set_level(LOG_EMERGENCY);
	}
	c = mcp_conn_new(&server, &transport, (struct mcp_owner){ .number = 1 }, NULL);
	send_lines(c, (const char *)data, size);
	mcp_conn_close(c, drained, &empty);
	while (!empty)
		loop_step(server.loop);
	mcp_conn_free(c);
	while (task_count()) /* the stacks go last */
		loop_step(server.loop);
	return 0;
}
