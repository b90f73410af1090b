/*
 * Every tool, on a real browser, with its k-th wait failing, for every k and every way in which a wait can fail. After
 * each, the answer must have the form of an answer, nothing may be left running, and the session must either work or
 * be gone; the sanitizers watch the ways out.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/log.h"
#include "browser/launch.h"
#include "mcp/server.h"
#include "observe/journal.h"
#include "session/observation.h"
#include "support/page_server.h"
#include "tools/app.h"
#include "tools/artifacts.h"
#include "tools/table.h"

#define WAITS_MAX 200 /* far more than any tool has */

static struct loop *loop;
static struct browser *browser;
static struct registry *registry;
static struct observers *observers;
static struct artifacts *artifacts;
static const struct tool **tools;
static struct mcp_conn *conn;
static struct str answer;
static int last_id;
static char url[64];
static char session[64];
static char output[] = "/tmp/browserd-torture-XXXXXX";

/* The fault to inject into the wait number `fault_at` of the call under way; 0: none. */
static int fault;
static unsigned fault_at;
static bool fault_happened;

static int inject(struct task *t, unsigned nth, const char *where)
{
	if (nth != fault_at)
		return 0;
	fault_happened = true;
	if (fault == -ECANCELED)
		task_cancel(t, -ERR_BROWSER_ERROR, "cancelled by the test");
	else
		task_fail(t, fault, "fault injected into the wait for %s", where);
	return fault;
}

static void on_send(const struct mcp_outgoing *m, void *data)
{
	str_reset(&answer);
	str_append_len(&answer, m->text, m->len);
}

static void on_browser_died(void *data)
{
	registry_browser_died(registry);
}

/* Calls a tool and returns its result, owned by the caller. `arguments` in str_json() form. */
static _printf_(2, 3) struct json *call(const char *tool, const char *arguments, ...)
{
	_cleanup_(str_done) struct str request = {};
	struct json *reply;
	va_list ap;

	str_json(&request, "{jsonrpc: '2.0', id: %d, method: 'tools/call', params: {name: %s, ", ++last_id, tool);
	str_append(&request, "\"arguments\":");
	va_start(ap, arguments);
	str_vjson(&request, arguments, ap);
	va_end(ap);
	str_append(&request, "}}");
	str_reset(&answer);
	mcp_conn_receive(conn, request.data, request.len, NULL, MCP_MAY_ALL);
	while (answer.len == 0)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(json_parse(answer.data, answer.len, 64, JSON_REFUSE_UNREPRESENTABLE, &reply), 0);
	assert_int_equal(json_int(reply, "id", 0), last_id);
	return reply;
}

static bool succeeded(const struct json *reply)
{
	return json_get(reply, "result.structuredContent") && !json_bool(reply, "result.isError", false);
}

static void new_session(void)
{
	_cleanup_(json_freep) struct json *created = call("create_session", "{}"), *shown = NULL;

	assert_true(succeeded(created));
	snprintf(session, sizeof(session), "%s", json_str(created, "result.structuredContent.sessionId"));
	shown = call("navigate", "{sessionId: %s, url: %s}", session, url);
	assert_true(succeeded(shown));
}

/* A session that a fault has ended is replaced; one that lives must be in order. */
static void check_session(void)
{
	_cleanup_(json_freep) struct json *reply = call("navigate", "{sessionId: %s, url: %s}", session, url), *value = NULL;

	if (!succeeded(reply)) {
		assert_non_null(strstr(answer.data, "SESSION_NOT_FOUND"));
		new_session();
		return;
	}
	value = call("evaluate", "{sessionId: %s, expression: 'document.title'}", session);
	assert_string_equal(json_str(value, "result.structuredContent.value"), "Bench");
}

static void check_answer(const struct json *reply, const char *tool, unsigned k)
{
	const char *text = json_str(json_first(json_get(reply, "result.content")), "text");

	print_message("%s, wait %u, %s: %s\n", tool, k, strerror(-fault), text ? text : "no text");
	assert_non_null(text);
	if (succeeded(reply))
		return;
	if (strncmp(tool, "browser_", 8) == 0) { /* these answer in words; what a fault hits may be no part of the action */
		assert_true(strncmp(text, "### ", 4) == 0 || strstr(text, "\"errorCode\":\""));
		return;
	}
	assert_true(json_bool(reply, "result.isError", false));
	assert_true(strstr(text, "{\"error\":{\"code\":\"") || strstr(text, "\"errorCode\":\""));
	assert_non_null(strstr(text, "\"message\":\""));
}

/* Reruns one call with each of its waits failing, until a run has fewer waits than the one that should fail. */
static void torture(const char *tool, const char *(*arguments)(struct str *))
{
	static const int faults[] = { -ECANCELED, -ETIMEDOUT, -ESTALE, -ENOTCONN };

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		fault_happened = true;
		for (unsigned k = 1; fault_happened && k < WAITS_MAX; k++) {
			_cleanup_(str_done) struct str text = {};
			_cleanup_(json_freep) struct json *reply = NULL;

			arguments(&text);
			fault = faults[i];
			fault_at = k;
			fault_happened = false;
			reply = call(tool, "%p", text.data);
			fault_at = 0;
			check_answer(reply, tool, k);
			assert_int_equal(task_count(), 0);
			check_session();
		}
		assert_false(fault_happened);
	}
}

static const char *no_arguments(struct str *s)
{
	str_append(s, "{}");
	return s->data;
}

static const char *session_only(struct str *s)
{
	str_json(s, "{sessionId: %s}", session);
	return s->data;
}

static const char *navigate_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, url: %s, waitUntil: 'networkidle'}", session, url);
	return s->data;
}

static const char *click_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, selector: '#b', clickCount: 2}", session);
	return s->data;
}

static const char *type_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, selector: '#i', text: 'ab', delay: 1, clear: true}", session);
	return s->data;
}

static const char *evaluate_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, expression: 'Promise.resolve(1)'}", session);
	return s->data;
}

static void test_navigate(void **state)
{
	torture("navigate", navigate_arguments);
}

static void test_click(void **state)
{
	torture("click", click_arguments);
}

static void test_type(void **state)
{
	torture("type", type_arguments);
}

static void test_evaluate(void **state)
{
	torture("evaluate", evaluate_arguments);
}

static void test_screenshot(void **state)
{
	torture("screenshot", session_only);
}

static const char *goto_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, url: %s}", session, url);
	return s->data;
}

static const char *browser_click_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, target: '#b', doubleClick: true}", session);
	return s->data;
}

static const char *browser_type_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, target: '#i', text: 'ab', submit: true}", session);
	return s->data;
}

static const char *browser_evaluate_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, target: '#b', function: 'e => e.id'}", session);
	return s->data;
}

static const char *browser_code_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, code: 'async page => { await page.locator(\"#b\").click({timeout: 500}).catch(() => 0); await "
		 "Promise.all([page.evaluate(e => e, [1]), page.waitForTimeout(1)]); return page.title() }'}", session);
	return s->data;
}

static const char *browser_target_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, target: '#b'}", session);
	return s->data;
}

static const char *browser_drag_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, startTarget: '#d', endTarget: '#i'}", session);
	return s->data;
}

static const char *browser_drop_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, target: '#d', data: {a: 'b'}}", session);
	return s->data;
}

static const char *list_tabs_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, action: 'list'}", session);
	return s->data;
}

static const char *close_tab_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, action: 'close'}", session);
	return s->data;
}

static const char *browser_find_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, text: 'b'}", session);
	return s->data;
}

static const char *browser_wait_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, time: 0.001, textGone: 'nowhere'}", session);
	return s->data;
}

static void test_browser_tools(void **state)
{
	torture("browser_navigate", goto_arguments);
	torture("browser_navigate_back", session_only);
	torture("browser_click", browser_click_arguments);
	torture("browser_hover", browser_target_arguments);
	torture("browser_type", browser_type_arguments);
	torture("browser_evaluate", browser_evaluate_arguments);
	torture("browser_run_code_unsafe", browser_code_arguments);
	torture("browser_snapshot", browser_target_arguments);
	torture("browser_find", browser_find_arguments);
	torture("browser_take_screenshot", browser_target_arguments);
	torture("browser_wait_for", browser_wait_arguments);
	torture("browser_close", session_only);
}

static void test_browser_drag(void **state)
{
	torture("browser_drag", browser_drag_arguments);
	torture("browser_drop", browser_drop_arguments);
}

static void test_browser_tabs(void **state)
{
	torture("browser_tabs", list_tabs_arguments);
	torture("browser_tabs", close_tab_arguments);
}

/* ---- tools that need a page of their own; what it takes to get there is not tortured ---- */

/* The function gets the body of the page. */
static void do_in_page(const char *function)
{
	json_free(call("browser_evaluate", "{sessionId: %s, target: 'body', function: %s}", session, function));
}

static void show_form(void)
{
	_cleanup_(str_done) struct str form = {};

	str_appendf(&form, "%sform", url);
	json_free(call("browser_navigate", "{sessionId: %s, url: %s}", session, form.data));
}

static const char *press_key_arguments(struct str *s)
{
	json_free(call("browser_click", "{sessionId: %s, target: '#i'}", session));
	str_json(s, "{sessionId: %s, key: 'Control+a'}", session);
	return s->data;
}

static const char *select_option_arguments(struct str *s)
{
	show_form();
	str_json(s, "{sessionId: %s, target: '#s', values: ['large']}", session);
	return s->data;
}

static const char *fill_form_arguments(struct str *s)
{
	show_form();
	str_json(s, "{sessionId: %s, fields: [{name: 'a', type: 'textbox', target: '#f0', value: 'x'}, "
		    "{name: 'b', type: 'checkbox', target: '#c', value: 'true'}, {name: 'c', type: 'combobox', target: '#s', value: 'large'}]}",
		 session);
	return s->data;
}

static const char *resize_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, width: 800, height: 600}", session);
	return s->data;
}

static const char *emulate_media_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, colorScheme: 'dark', media: 'print'}", session);
	return s->data;
}

static const char *handle_dialog_arguments(struct str *s)
{
	do_in_page("() => prompt('why')");
	str_json(s, "{sessionId: %s, accept: true, promptText: 'because'}", session);
	return s->data;
}

/* Of a popup that the page waits for; the same one each time. */
static const char *handle_popup_arguments(struct str *s)
{
	do_in_page("() => open('', 'popup').confirm('why')");
	str_json(s, "{sessionId: %s, accept: true}", session);
	return s->data;
}

static const char *upload_arguments(struct str *s)
{
	_cleanup_(str_done) struct str path = {};
	FILE *f;

	str_appendf(&path, "%s/upload.txt", output);
	f = fopen(path.data, "we");
	assert_non_null(f);
	fclose(f);
	do_in_page("body => { body.innerHTML = '<input id=f type=file>'; }");
	json_free(call("browser_click", "{sessionId: %s, target: '#f'}", session));
	str_json(s, "{sessionId: %s, paths: [%s]}", session, path.data);
	return s->data;
}

static const char *console_arguments(struct str *s)
{
	do_in_page("() => console.log({ a: 1 })");
	str_json(s, "{sessionId: %s, level: 'debug', all: true}", session);
	return s->data;
}

static const char *network_requests_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, static: true}", session);
	return s->data;
}

static const char *network_request_arguments(struct str *s)
{
	show_form();
	str_json(s, "{sessionId: %s, index: 1, part: 'response-body'}", session);
	return s->data;
}

static void test_forms(void **state)
{
	torture("browser_press_key", press_key_arguments);
	torture("browser_select_option", select_option_arguments);
	torture("browser_fill_form", fill_form_arguments);
}

static void test_screen(void **state)
{
	torture("browser_resize", resize_arguments);
	torture("browser_emulate_media", emulate_media_arguments);
}

static void test_modals(void **state)
{
	torture("browser_handle_dialog", handle_dialog_arguments);
	torture("browser_handle_dialog", handle_popup_arguments);
	torture("browser_file_upload", upload_arguments);
}

static void test_console_and_network(void **state)
{
	torture("browser_console_messages", console_arguments);
	torture("browser_network_requests", network_requests_arguments);
	torture("browser_network_request", network_request_arguments);
}

/* ---- downloads ---- */

static const char *download_arguments(struct str *s)
{
	do_in_page("body => { body.innerHTML = '<a id=x download=x.txt href=\"data:text/plain,x\">x</a>'; }");
	str_json(s, "{sessionId: %s, target: '#x'}", session);
	return s->data;
}

static const char *navigate_to_download_arguments(struct str *s)
{
	str_json(s, "{sessionId: %s, url: 'data:application/zip,x'}", session);
	return s->data;
}

static const char *save_download_arguments(struct str *s)
{
	_cleanup_(str_done) struct str path = {}, code = {};

	download_arguments(&path);
	str_appendf(&code, "async page => { const [d] = await Promise.all([page.waitForEvent('download', { timeout: 500 }), page.click('#x')]); "
		    "await d.saveAs('%s/copy.txt'); return d.path(); }", output);
	str_json(s, "{sessionId: %s, code: %s}", session, code.data);
	return s->data;
}

static void test_downloads(void **state)
{
	torture("browser_click", download_arguments);
	torture("browser_navigate", navigate_to_download_arguments);
	torture("browser_run_code_unsafe", save_download_arguments);
}

static const char *list_targets_arguments(struct str *s)
{
	str_json(s, "{types: ['page']}");
	return s->data;
}

static const char *observe_arguments(struct str *s)
{
	str_json(s, "{urlIncludes: %s}", url);
	return s->data;
}

/* An event that comes only once the call waits for it does not come here: it ends by its time-out. */
static const char *wait_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *observed = call("cdp_observe", "{urlIncludes: %s}", url);

	str_json(s, "{targetId: %s, text: 'no such text', timeout: 5}", json_str(observed, "result.structuredContent.targetId"));
	return s->data;
}

/* A browser that is none of ours, as far as the tools know. */
static int other_port;

static void on_exited(const char *reason, void *data)
{
}

/* It has no page of its own; its port opens one. */
static void open_page_there(void)
{
	static const char request[] = "PUT /json/new?about:blank HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)other_port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;

	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(write(fd, request, sizeof(request) - 1), sizeof(request) - 1);
	assert_int_equal(read(fd, &byte, 1), 1); /* the answer begins: it is open */
	close(fd);
}

static const char *other_list_arguments(struct str *s)
{
	str_json(s, "{port: %d}", other_port);
	return s->data;
}

/* What the call before has begun is ended, so that each attaches anew. */
static const char *other_observe_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *listed = call("cdp_list_targets", "{port: %d, types: ['page']}", other_port);
	const char *id = json_str(json_first(json_get(listed, "result.structuredContent.targets")), "id");

	assert_non_null(id);
	json_free(call("cdp_stop_observe", "{targetId: %s, dropBuffer: true}", id));
	str_json(s, "{port: %d, targetId: %s}", other_port, id);
	return s->data;
}

static void test_other_browser(void **state)
{
	static const struct launch_handler handler = { on_exited };
	static const char *const args[] = { "--remote-debugging-port=0", NULL };
	static const char mark[] = "DevTools listening on ws://127.0.0.1:";
	struct browser_options options = *browser_options(browser);
	_cleanup_(launch_freep) struct launch *other = NULL;
	_cleanup_(str_done) struct str error = {};
	const char *found;
	int fd = -1;

	options.args = args;
	assert_int_equal(launch_start(loop, &options, &handler, NULL, &error, &other, &fd), 0);
	while (!(found = strstr(launch_output(other), mark)))
		assert_int_equal(loop_step(loop), 0);
	other_port = atoi(found + strlen(mark));
	open_page_there();
	torture("cdp_list_targets", other_list_arguments);
	torture("cdp_observe", other_observe_arguments);
	close(fd);
}

static void test_cdp_tools(void **state)
{
	torture("cdp_list_targets", list_targets_arguments);
	torture("cdp_observe", observe_arguments);
	torture("wait_for_event", wait_arguments);
}

static void test_own_session(void **state)
{
	torture("browser_snapshot", no_arguments);
}

static void test_list_sessions(void **state)
{
	torture("list_sessions", no_arguments);
}

/* Every run may leave a session behind that nobody knows the id of: the list does. */
static void test_create_session(void **state)
{
	const struct session *s;

	torture("create_session", no_arguments);
	while ((s = registry_next(registry, 1, NULL)))
		json_free(call("close_session", "{sessionId: %s}", session_id(s)));
	assert_int_equal(registry_count(registry), 0);
	new_session();
}

static void test_close_session(void **state)
{
	torture("close_session", session_only);
}

static int setup(void **state)
{
	static const struct browser_options browser_options = {
		.headless = true, .viewport_width = 1280, .viewport_height = 720, .timeout_launch = 30 * USEC_PER_SEC,
	};
	static const struct observers_options observers_options = { .buffer_size = 100, .ttl = 60 * USEC_PER_SEC };
	static const struct registry_options registry_options = { .timeout = 300 * USEC_PER_SEC, .own_timeout = USEC_NEVER, .max = 100 };
	static const struct mcp_transport transport = { .send = on_send };
	static struct app app;
	static struct mcp_server server;
	_cleanup_(str_done) struct str hello = {};

	log_set_level(LOG_ERROR);
	if (!mkdtemp(output))
		return -1;
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/", page_server_start());
	if (loop_new(&loop) < 0)
		return -1;
	browser = browser_new(loop, &browser_options, on_browser_died, NULL);
	registry = registry_new(loop, browser, &registry_options);
	observers = observers_new(loop, registry, &observers_options);
	app = (struct app){ .registry = registry, .browser = browser, .observers = observers, .artifacts = artifacts = artifacts_new(),
			    .timeout_action = 5 * USEC_PER_SEC, .timeout_navigation = 30 * USEC_PER_SEC,
			    .timeout_settle = 20 * USEC_PER_MSEC, .code = true, .snapshots = true, .console_level = MESSAGE_INFO, .output_dir = output };
	server = (struct mcp_server){ .loop = loop, .name = "torture", .title = "torture", .version = "1",
				      .instructions = "", .tools = tools = tool_join(tool_table, tool_table_observe), .data = &app };
	conn = mcp_conn_new(&server, &transport, (struct mcp_owner){ 1, false }, NULL);
	str_json(&hello, "{jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: '2025-11-25', "
			 "capabilities: {}, clientInfo: {name: 'torture', version: '1'}}}");
	mcp_conn_receive(conn, hello.data, hello.len, NULL, MCP_MAY_ALL);
	task_wait_fault = inject;
	new_session();
	return 0;
}

static void on_drained(void *data)
{
	*(bool *)data = true;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int teardown(void **state)
{
	bool drained = false;

	mcp_conn_close(conn, on_drained, &drained);
	while (!drained)
		loop_step(loop);
	mcp_conn_free(conn);
	free(tools);
	observers_free(observers);
	artifacts_free(artifacts);
	registry_free(registry);
	browser_free(browser);
	loop_free(loop);
	str_done(&answer);
	return nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_navigate),      cmocka_unit_test(test_click),
		cmocka_unit_test(test_type),          cmocka_unit_test(test_evaluate),
		cmocka_unit_test(test_screenshot),    cmocka_unit_test(test_list_sessions),
		cmocka_unit_test(test_browser_tools),  cmocka_unit_test(test_browser_tabs),
		cmocka_unit_test(test_browser_drag),  cmocka_unit_test(test_own_session),
		cmocka_unit_test(test_forms),         cmocka_unit_test(test_screen),
		cmocka_unit_test(test_modals),        cmocka_unit_test(test_console_and_network),
		cmocka_unit_test(test_downloads),     cmocka_unit_test(test_cdp_tools),
		cmocka_unit_test(test_other_browser),
		cmocka_unit_test(test_create_session), cmocka_unit_test(test_close_session),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
