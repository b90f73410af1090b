#include "torture/harness.h"

#include <arpa/inet.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "base/log.h"
#include "base/mask.h"
#include "engine/launch.h"
#include "browser/pool.h"
#include "loop/loop.h"
#include "mcp/server.h"
#include "reply/artifacts.h"
#include "reply/code.h"
#include "reply/writer.h"
#include "store/states.h"
#include "support/page_server.h"
#include "tools/browser/tools.h"
#include "tools/e2e/e2e.h"
#include "tools/e2e/settings.h"
#include "tools/cdp/tools.h"
#include "tools/e2e/tools.h"
#include "tools/session/tools.h"
#include "tools/table.h"
#include "vault/logins.h"

#define LATE (60 * USEC_PER_SEC) /* for any call: more than all of its time-outs */

struct browser *browser;
static struct pool *pool;
struct registry *registry;
struct observers *observers;
static struct logins *vault;
const struct tool **tools;
struct arena scratch;
char url[64], session[64], output[] = "/tmp/browserd-torture-XXXXXX";
const char *program;

static struct loop *loop;
static struct artifacts *artifacts;
static struct states *states;
static struct mcp_server server;
static struct mcp_conn *conn;
static struct str answer;
static struct json *question; /* a request of the server that the client has not answered */
static int last_id, other_port;
static struct launch *other;
static bool leaving, drained;

static void take_question(const struct mcp_outgoing *m)
{
	struct json *request;

	assert_int_equal(json_parse(m->text, m->len, 64, JSON_REFUSE_UNREPRESENTABLE, &request), 0);
	if (json_get(request, "id")) {
		json_free(question);
		question = request;
	} else {
		json_free(request);
	}
}

static void on_send(const struct mcp_outgoing *m, void *data)
{
	if (!m->answer) {
		take_question(m);
		return;
	}
	str_reset(&answer);
	str_append_len(&answer, m->text, m->len);
}

/* Accepts what the server asks the user. */
static void answer_question(void)
{
	_cleanup_(str_done) struct str reply = {};

	if (!question)
		return;
	str_json(&reply, "{jsonrpc: '2.0', id: ?, result: {action: 'accept', content: {answer: 'yes'}}}", json_get(question, "id"));
	json_free(question);
	question = NULL;
	mcp_conn_receive(conn, reply.data, reply.len, NULL, MCP_MAY_ALL);
}

static void on_browser_died(struct browser *b, void *data)
{
	registry_browser_died(registry, b);
}

static void await_answer(const char *tool)
{
	usec_t late = clock_now() + LATE;
	_cleanup_(str_done) struct str tasks = {};

	while (answer.len == 0 && clock_now() < late) {
		assert_int_equal(loop_step(loop), 0);
		answer_question();
	}
	task_dump(&tasks);
	if (answer.len == 0)
		fail_msg("%s does not end:\n%s", tool, str_text(&tasks));
}

struct json *call_values(const char *tool, uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str request = {};
	struct json *reply;
	va_list ap;

	str_json(&request, "{jsonrpc: '2.0', id: ?, method: 'tools/call', params: {name: ?, ", ++last_id, tool);
	str_append(&request, "\"arguments\":");
	va_start(ap, template);
	str_vjson(&request, types, template, ap);
	va_end(ap);
	str_append(&request, "}}");
	str_reset(&answer);
	mcp_conn_receive(conn, request.data, request.len, NULL, MCP_MAY_ALL);
	await_answer(tool);
	assert_int_equal(json_parse(answer.data, answer.len, 64, JSON_REFUSE_UNREPRESENTABLE, &reply), 0);
	assert_int_equal(json_int(reply, "id", 0), last_id);
	return reply;
}

bool succeeded(const struct json *reply)
{
	return json_get(reply, "result.structuredContent") && !json_bool(reply, "result.isError", false);
}

void new_session(void)
{
	_cleanup_(json_freep) struct json *created = call("create_session", "{}"), *shown = NULL;

	if (!succeeded(created))
		print_error("%s\n", answer.data);
	assert_true(succeeded(created));
	snprintf(session, sizeof(session), "%s", json_str(created, "result.structuredContent.sessionId"));
	shown = call("navigate", "{sessionId: ?, url: ?}", session, url);
	assert_true(succeeded(shown));
}

void check_session(void)
{
	_cleanup_(json_freep) struct json *reply = call("navigate", "{sessionId: ?, url: ?}", session, url), *value = NULL;

	if (!succeeded(reply)) {
		assert_non_null(strstr(answer.data, "SESSION_NOT_FOUND"));
		new_session();
		return;
	}
	value = call("evaluate", "{sessionId: ?, expression: 'document.title'}", session);
	assert_string_equal(json_str(value, "result.structuredContent.value"), "Bench");
}

void settle_loop(void)
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(loop_step(loop), 0);
}

unsigned count_pages(void)
{
	const struct session *s = NULL;
	unsigned n = 0;

	while ((s = registry_next(registry, OWNER, s)))
		for (struct page *p = session_find_page(s, NULL, ""); p;
		     p = context_next_page(session_context((struct session *)s), p))
			n++;
	return n;
}

void renew_sessions(void)
{
	const struct session *s;

	while ((s = registry_next(registry, OWNER, NULL)))
		json_free(call("close_session", "{sessionId: ?}", session_id(s)));
	assert_int_equal(registry_count(registry), 0);
	new_session();
}

/* ---- the client ---- */

static void on_drained(void *data)
{
	drained = true;
}

static void connect_client(void)
{
	static const struct mcp_transport transport = { .send = on_send };
	_cleanup_(str_done) struct str hello = {};

	conn = mcp_conn_new(&server, &transport, (struct mcp_owner){ .number = OWNER }, NULL);
	str_json(&hello, "{jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: '2025-11-25', "
			 "capabilities: {elicitation: {}}, clientInfo: {name: 'torture', version: '1'}}}");
	mcp_conn_receive(conn, hello.data, hello.len, NULL, MCP_MAY_ALL);
}

static void disconnect_client(void)
{
	while (!drained)
		loop_step(loop);
	mcp_conn_free(conn);
	drained = leaving = false;
}

void client_leave(void)
{
	leaving = true;
	mcp_conn_close(conn, on_drained, NULL);
}

bool client_return(void)
{
	if (!leaving)
		return false;
	disconnect_client();
	connect_client();
	new_session();
	return true;
}

/* ---- another browser ---- */

static void on_exited(const char *reason, void *data)
{
}

/* It has no page of its own; its port opens one. */
static void open_page_there(void)
{
	static const char request[] = "PUT /json/new?about:blank HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)other_port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;

	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(write(fd, request, sizeof(request) - 1), sizeof(request) - 1);
	assert_int_equal(read(fd, &byte, 1), 1); /* the answer begins: it is open */
	close(fd);
}

int other_browser(void)
{
	static const struct launch_handler handler = { .exited = on_exited };
	static const char *const args[] = { "--remote-debugging-port=0", NULL };
	static const char mark[] = "DevTools listening on ws://127.0.0.1:";
	static struct launch_history launches;
	struct engine_options options = browser_options(browser)->start;
	_cleanup_(str_done) struct str error = {};
	const char *found;

	if (other)
		return other_port;
	options.args = args;
	options.connection = CONNECTION_PIPE; /* which is not connected to */
	assert_int_equal(launch_start(loop, &options, &launches, &handler, NULL, &error, &other), 0);
	while (!(found = strstr(launch_output(other), mark)))
		assert_int_equal(loop_step(loop), 0);
	other_port = atoi(found + strlen(mark));
	open_page_there();
	return other_port;
}

/* ---- beginning and end ---- */

/* With a login for the pages here. */
static struct logins *make_vault(void)
{
	_cleanup_(str_done) struct str text = {}, error = {};
	struct logins *made = NULL;

	str_json(&text, "{version: 1, logins: [{name: 'shop', origins: [?], user: 'ann.lee', password: 'correct horse'}]}", url);
	assert_int_equal(logins_parse(text.data, text.len, &made, &error), 0);
	return made;
}

int harness_setup(void **state)
{
	static const struct browser_options browser_options = {
		.start.headless = true,
		.page.viewport = { 1280, 720 },
		.timeout_launch = 30 * USEC_PER_SEC,
		.linger = 10 * USEC_PER_SEC, /* losses that leave no session would make every call start a browser */
	};
	static const struct observers_options observers_options = { .buffer_size = 100, .ttl = 60 * USEC_PER_SEC };
	static const struct egress_settings egress_settings;
	static const struct registry_options registry_options = {
		.timeout = 300 * USEC_PER_SEC,
		.max = 100,
	};
	static const struct output_settings output_settings = { .dir = output };
	static const struct response_settings answers = {
		.writer = &markdown_writer, .code = CODE_PYTHON, .console_level = MESSAGE_INFO, .trace_archives = true
	};
	static const struct timeouts timeouts = { .action = 5 * USEC_PER_SEC,
						  .navigation = 30 * USEC_PER_SEC,
						  .settle = 20 * USEC_PER_MSEC };
	static const struct e2e_settings e2e_settings = { .idle = 300 * USEC_PER_SEC, .lifetime = 600 * USEC_PER_SEC };
	static const struct record_settings record_settings;
	static char key[sizeof(output) + sizeof("/key")];
	static struct state_folder folder = { .path = output, .key.path = key, .unnamed = "user" };
	static struct app app;
	_cleanup_(freep) const struct tool **with_vault = NULL, **with_people = NULL;
	_cleanup_(freep) const struct tool **without_servers = NULL, **without_states = NULL;

	log_set_level(LOG_ERROR);
	if (!mkdtemp(output))
		return -1;
	snprintf(key, sizeof(key), "%s/key", output);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", page_server_start());
	if (loop_new(&loop) < 0)
		return -1;
	browser = browser_new(loop, &browser_options, on_browser_died, NULL);
	pool = pool_new(loop, browser, NULL);
	registry = registry_new(loop, pool, &registry_options, &egress_settings, NULL);
	observers = observers_new(loop, registry, &observers_options);
	app = (struct app){
		.registry = registry,
		.browser = browser,
		.pool = pool,
		.observers = observers,
		.egress = &egress_settings,
		.output = { .browser = browser, .artifacts = artifacts = artifacts_new(), .settings = &output_settings },
		.answers = &answers,
		.timeouts = &timeouts,
		.e2e = &e2e_settings,
		.records = &record_settings,
		.states = states = states_in_folder(&folder),
	};
	app.vault = vault = make_vault();
	app.vault_admits = true;
	with_vault = tool_join(tool_table, vault_tools);
	with_people = tool_join(with_vault, people_tools);
	without_servers = tool_join(with_people, cdp_tools);
	without_states = tool_join(without_servers, e2e_tools);
	server = (struct mcp_server){ .loop = loop,
				      .style = { .session_argument = "sessionId" },
				      .name = "torture",
				      .title = "torture",
				      .version = "1",
				      .instructions = "",
				      .tools = tools = tool_join(without_states, state_tools),
				      .around = e2e_around,
				      .data = &app };
	connect_client();
	new_session();
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

int harness_teardown(void **state)
{
	client_leave();
	disconnect_client();
	free(tools);
	launch_free(other);
	observers_free(observers);
	artifacts_free(artifacts);
	registry_free(registry);
	states_free(states);
	logins_free(vault);
	mask_done();
	pool_free(pool);
	browser_free(browser);
	loop_free(loop);
	str_done(&answer);
	arena_done(&scratch);
	return nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
