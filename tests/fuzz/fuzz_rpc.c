/*
 * A client that sends any lines to a connection. Whatever comes: every answer is JSON in one line, an answer for
 * each request at most, and when the connection closes nothing is left behind.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "fuzz.h"
#include "mcp/server.h"

struct say {
	const char *text;
	int64_t times;
	bool wait, task, ask;
	const char *sessionId;
};

static const struct param say_params[] = {
	PARAM(say, text, "What to say"),
	PARAM(say, times, "How often", .min = 0, .max = 3),
	PARAM(say, wait, "Go on until cancelled"),
	PARAM(say, task, "As a task, if the client takes one"),
	PARAM(say, ask, "Ask the user"),
	PARAM(say, sessionId, "Whose call it is"),
	{},
};

static int say_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct say *a = args;
	struct mcp_question question = { .key = "user", .feature = MCP_ELICITATION, .params = "{\"message\":\"Who?\"}" };
	int r = a->task ? mcp_call_become_task(t, call) : 0;

	if (r == 0 && a->ask)
		r = mcp_call_ask(t, call, &question, 1, USEC_PER_SEC);
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

/* Id of the last task; requests name it LAST, because inputs cannot know it. */
#define LAST "TASK"
static char last_task[128];

static void take_task(const char *text, size_t size)
{
	size_t len;
	const char *id = json_raw(text, size, "result.taskId", &len);

	if (id && len >= 2 && len - 2 < sizeof(last_task))
		snprintf(last_task, sizeof(last_task), "%.*s", (int)len - 2, id + 1);
}

static void append_line(struct str *out, const char *line, size_t len)
{
	const char *at;

	while ((at = memmem(line, len, LAST, strlen(LAST)))) {
		str_append_len(out, line, (size_t)(at - line));
		str_append(out, last_task);
		len -= (size_t)(at - line) + strlen(LAST);
		line = at + strlen(LAST);
	}
	str_append_len(out, line, len);
}

static void check_answer(const struct mcp_outgoing *m, void *data)
{
	char *copy = fuzz_copy(m->text, m->len);

	CHECK(!memchr(m->text, '\n', m->len));
	CHECK(json_check(copy, m->len, LIMIT_JSON_DEPTH + 8, JSON_REPLACE_UNREPRESENTABLE) == 0);
	take_task(copy, m->len);
	free(copy);
}

static void drained(void *data)
{
	*(bool *)data = true;
}

static void on_stop(void *data)
{
	*(bool *)data = true;
}

/* Calls run between two lines, as they do between the messages of a client. */
static void loop_step_at_once(void)
{
	bool stopped = false;
	struct timer *timer = timer_new(server.loop, on_stop, &stopped);

	timer_set(timer, clock_now());
	while (!stopped)
		loop_step(server.loop);
	timer_free(timer);
}

static void send_lines(struct mcp_conn *c, const char *data, size_t size)
{
	while (size) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		_cleanup_(str_done) struct str text = {};
		char *line;

		append_line(&text, data, len);
		line = fuzz_copy(str_text(&text), text.len);
		mcp_conn_receive(c, line, text.len, NULL, MCP_MAY_ALL);
		free(line);
		loop_step_at_once();
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
	last_task[0] = '\0';
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
