#include "mcp_fixture.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/task.h"

struct echo {
	const char *text;
	const char *sessionId;
};

static const struct param echo_params[] = {
	PARAM(echo, text, "What to say", .required = true),
	PARAM(echo, sessionId, "Whose call it is"),
	{},
};

static int echo_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct echo *a = args;

	result_json(res, "{said: ?}", a->text);
	return 0;
}

static const struct tool tool_echo = {
	.name = "echo",
	.title = "Echo",
	.about = "Say it again",
	.params = echo_params,
	.size = sizeof(struct echo),
	.output_schema = "{\"type\":\"object\"}",
	.read_only = true,
	.run = echo_run,
};

struct wait {
	const char *what;
};

static const struct param wait_params[] = { PARAM(wait, what, "For whom"), {} };

static int wait_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	struct fixture *f = mcp_call_data(call);
	const struct wait *a = args;
	int r;

	if (a->what)
		mcp_call_progress(call, a->what);
	f->waiting++;
	do
		r = task_wait(t, "the end");
	while (r == 0);
	f->waiting--;
	return r;
}

static const struct tool tool_wait = {
	.name = "wait",
	.about = "Wait to be cancelled",
	.params = wait_params,
	.size = sizeof(struct wait),
	.run = wait_run,
};

struct fail {
	const char *code, *text, *sessionId;
};

static const struct param fail_params[] = {
	PARAM(fail, code, "Name of the failure"), PARAM(fail, text, "What to say"), PARAM(fail, sessionId, "Whose call it is"), {}
};

static int fail_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct fail *a = args;
	int r = error_from_name(a->code);

	result_text(res, "must not be seen");
	if (!a->text)
		return r;
	task_fail(t, r, "%s", a->text);
	task_fail_details(t, "{tool: 'fail'}");
	return r;
}

static const struct tool tool_fail = {
	.name = "fail",
	.about = "Fail",
	.params = fail_params,
	.size = sizeof(struct fail),
	.run = fail_run,
};

static int picture_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	result_text(res, "a dot");
	result_image(res, "AAAA", "image/png");
	return 0;
}

static const struct tool tool_picture = { .name = "picture", .about = "Show a dot", .run = picture_run };

struct log {
	int level;
	const char *text;
};

static const struct param log_params[] = {
	PARAM(log, level, "How bad", .choices = log_level_table),
	PARAM(log, text, "What to log", .required = true),
	{},
};

static int log_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct log *a = args;

	log_write((enum log_level)a->level, "%s", a->text);
	return 0;
}

static const struct tool tool_log = {
	.name = "log",
	.about = "Log it",
	.params = log_params,
	.size = sizeof(struct log),
	.run = log_run,
};

static const struct tool *const tools[] = { &tool_echo, &tool_wait, &tool_fail, &tool_picture, &tool_log, NULL };

static void record(const struct mcp_outgoing *m, void *data)
{
	struct fixture *f = data;

	assert_null(memchr(m->text, '\n', m->len));
	str_append_len(&f->sent, m->text, m->len);
	str_append_char(&f->sent, '\n');
}

static const struct mcp_transport transport = { record };

static const char *missing(const char *name, const void *missing_data)
{
	return strcmp(name, "paint") == 0 ? "colours" : NULL;
}

int fixture_setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	assert_int_equal(loop_new(&f->loop), 0);
	f->server = (struct mcp_server){
		.style = { .session_argument = "sessionId" },
		.loop = f->loop,
		.name = "browserd",
		.title = "Browser",
		.version = "1.0",
		.instructions = "Be kind",
		.tools = tools,
		.missing = missing,
		.data = f,
	};
	f->conn = mcp_conn_new(&f->server, &transport, (struct mcp_owner){ .number = 1 }, f);
	log_set_level(LOG_EMERGENCY);
	*state = f;
	return 0;
}

static void drained(void *data)
{
	((struct fixture *)data)->drained = true;
}

int fixture_teardown(void **state)
{
	struct fixture *f = *state;

	if (!f->drained)
		mcp_conn_close(f->conn, drained, f);
	while (!f->drained)
		loop_step(f->loop);
	mcp_conn_free(f->conn);
	loop_free(f->loop);
	str_done(&f->sent);
	free(f);
	return 0;
}

struct mcp_conn *fixture_change_client(struct fixture *f, uint64_t owner)
{
	struct mcp_conn *before = f->conn;

	f->conn = mcp_conn_new(&f->server, &transport, (struct mcp_owner){ .number = owner }, f);
	return before;
}

void fixture_restore_client(struct fixture *f, struct mcp_conn *before)
{
	mcp_conn_close(f->conn, drained, f);
	while (!f->drained)
		loop_step(f->loop);
	mcp_conn_free(f->conn);
	f->drained = false;
	f->conn = before;
}

/* Without a NUL behind it, so that reading on is found by AddressSanitizer. */
void say_raw(struct fixture *f, const char *text, size_t len)
{
	char *copy = must(malloc(len ? len : 1));

	memcpy(copy, text, len);
	mcp_conn_receive(f->conn, copy, len, NULL, MCP_MAY_ALL);
	free(copy);
}

void say_values(struct fixture *f, uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str text = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&text, types, template, ap);
	va_end(ap);
	say_raw(f, text.data, text.len);
}

char *next_message(struct fixture *f)
{
	char *start, *end;

	while (f->read == f->sent.len)
		loop_step(f->loop);
	start = f->sent.data + f->read;
	end = strchr(start, '\n');
	f->read = (size_t)(end + 1 - f->sent.data);
	return must(strndup(start, (size_t)(end - start)));
}

struct json *next_json(struct fixture *f)
{
	_cleanup_(freep) char *text = next_message(f);
	struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), 64, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	return v;
}

void expect_values(struct fixture *f, uint64_t types, const char *template, ...)
{
	_cleanup_(freep) char *message = next_message(f);
	_cleanup_(str_done) struct str expected = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&expected, types, template, ap);
	va_end(ap);
	assert_string_equal(message, expected.data);
}

void expect_error(struct fixture *f, const char *id, int code, const char *part)
{
	_cleanup_(freep) char *message = next_message(f);
	_cleanup_(json_freep) struct json *v = NULL;
	size_t len = 0;
	const char *raw = json_raw(message, strlen(message), "id", &len);

	assert_int_equal(raw ? len : 0, id ? strlen(id) : 0);
	if (id)
		assert_memory_equal(raw, id, len);
	assert_int_equal(json_parse(message, strlen(message), 64, JSON_REPLACE_UNREPRESENTABLE, &v), 0);
	assert_int_equal(json_int(v, "error.code", 0), code);
	if (!strstr(json_str(v, "error.message"), part))
		fail_msg("\"%s\" does not say \"%s\"", json_str(v, "error.message"), part);
}

void expect_nothing(struct fixture *f)
{
	while (task_count())
		loop_step(f->loop);
	assert_string_equal(str_text(&f->sent) + f->read, "");
}

void await_waiting(struct fixture *f, unsigned count)
{
	while (f->waiting != count)
		loop_step(f->loop);
}

void handshake(struct fixture *f, const char *version)
{
	say(f,
	    "{jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {protocolVersion: ?, capabilities: {}, "
	    "clientInfo: {name: 'test', version: '1'}}}",
	    version);
	free(next_message(f));
	say(f, "{jsonrpc: '2.0', method: 'notifications/initialized'}");
}
