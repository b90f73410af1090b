/*
 * The evidence of a failure: the error in machine-readable form, a screenshot, the end of the dev server's stderr, the console
 * errors, refused connections, and suggestions. Parts that are unavailable are listed as missing; the failure itself is
 * always reported.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/screenshot.h"
#include "base/clock.h"
#include "base/error.h"
#include "loop/failure_words.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "observe/redact.h"
#include "reply/picture.h"
#include "tools/e2e/e2e.h"

#define LOG_LINES 100
#define EXIT_CHECKS 4
#define EXIT_CHECK_PAUSE (5 * USEC_PER_MSEC)

struct evidence {
	struct task *t;
	const struct failed_call *failed;
	_kept_ struct page *page; /* the page of the call; NULL: none */
	int failure;
	const char *message, *details; /* the task's error at the end of the call */
	bool is_proxy_failure;         /* the session's proxy did not connect the navigation */
	char time[CLOCK_TEXT_SIZE];
	struct picture picture; /* without `base64`: none */
	struct str missing;     /* JSON objects with commas between */
};

static void add_missing(struct evidence *v, const char *part, const char *reason)
{
	str_json(&v->missing, "?{part: ?, reason: ?}", JSON_COMMA(v->missing.len), part, reason);
}

/* ---- in words ---- */

static const struct {
	int failure;
	const char *suggestion;
} suggestion_table[] = {
	{ ERR_INVALID_PARAMETERS, "Correct the arguments that the message names and call again" },
	{ ERR_SESSION_NOT_FOUND,
	  "Call startSession (create_session, where no server is needed) and use the sessionId that it answers" },
	{ ERR_SESSION_EXPIRED, "Call startSession again; each call moves the end of a session by its idle time" },
	{ ERR_MAX_SESSIONS_REACHED, "End a session that is not needed any more with endSession" },
	{ ERR_NO_SERVER, "Use a session that startSession has made" },
	{ ERR_ELEMENT_NOT_FOUND,
	  "Look at the screenshot and at getContent; correct the selector, or use waitForSelector if it comes later" },
	{ ERR_ELEMENT_AMBIGUOUS, "Give a selector that matches one element" },
	{ ERR_ELEMENT_NOT_CLICKABLE,
	  "Look at the screenshot for what is in the way, for example a dialog or a form that is not filled" },
	{ ERR_ELEMENT_NOT_EDITABLE,
	  "Look at the screenshot; aim at an input, textarea or contenteditable element that is enabled" },
	{ ERR_INVALID_SELECTOR, "Correct the selector; it is CSS, or XPath when it begins with //" },
	{ ERR_NAVIGATION_FAILED, "Check with getSessionStatus whether the server runs, and read its log with readServerLogs" },
	{ ERR_SECURITY_BLOCKED,
	  "Test with addresses of the session's own server; what else may be reached is the operator's choice" },
	{ ERR_SERVER_START_FAILED,
	  "Read the server's last words in the message, correct command, port or readiness, and call startSession again" },
	{ ERR_SHUTDOWN_FAILED, "The session has ended; see which process holds the port" },
	{ ERR_SERVER_COMMAND_FAILED, "Correct the server command: docs/dev-servers.md has the contract that it must keep" },
	{ ERR_LOG_NOT_FOUND, "The server has not written this log yet, or names another path than it writes" },
	{ ERR_LOG_READ_FAILED, "Let the server write its logs below its own or a temporary folder" },
	{ ERR_BROWSER_ERROR, "Look at the screenshot and the console errors; navigate opens the page anew" },
};

static bool server_is_dead(const struct evidence *v, char *how, size_t size)
{
	const struct e2e *e = v->failed->e2e;

	return e && e->server && devserver_is_dead(e->server, how, size);
}

static const char *evidence_suggest(const struct evidence *v)
{
	char how[80];

	if (server_is_dead(v, how, sizeof(how)) && v->failure != -ERR_SESSION_NOT_FOUND && v->failure != -ERR_SESSION_EXPIRED)
		return "The server has ended: see serverLogs for the reason and call restartServer";
	for (size_t i = 0; i < ARRAY_SIZE(suggestion_table); i++)
		if (suggestion_table[i].failure == -v->failure)
			return suggestion_table[i].suggestion;
	return "Look at the screenshot, the console errors and the server's log";
}

/* The error name in lower case, such as "element_not_found"; three errors have different names here. */
static const char *evidence_type_of(const struct evidence *v, char *buf, size_t size)
{
	const char *name = error_name(v->failure);

	if (v->failure == -ERR_INVALID_PARAMETERS || v->failure == -EINVAL)
		return "invalid_input";
	if (v->failure == -ERR_BROWSER_ERROR && strcmp(mcp_call_tool(v->failed->call)->name, "evaluate") == 0)
		return "script_error";
	if (v->failure == -ETIMEDOUT)
		return "timeout";
	snprintf(buf, size, "%s", name);
	for (char *p = buf; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return buf;
}

/* ---- the parts ---- */

static void append_error(struct evidence *v, struct str *out)
{
	const struct json *arguments = mcp_call_arguments(v->failed->call);
	_cleanup_(str_done) struct str args = {};
	char type[64];

	json_print(&args, arguments);
	if (args.len > LIMIT_EVIDENCE_ARGUMENTS) {
		str_reset(&args);
		str_json(&args, "'more than fits here'");
	}
	str_json(out, ", error: {type: ?, message: ?, timestamp: ?, context: {sessionId: ?, tool: ?, args: ?, timestamp: ?}}",
		 evidence_type_of(v, type, sizeof(type)), v->message, v->time, mcp_call_session_id(v->failed->call),
		 mcp_call_tool(v->failed->call)->name, JSON_RAW(arguments ? args.data : "{}"), v->time);
}

static void take_picture(struct evidence *v)
{
	struct capture how = { .format = "png" };
	usec_t before;
	int r;

	if (!v->page || !page_alive(v->page)) {
		add_missing(v, "screenshot", v->page && page_crashed(v->page) ? "the page has crashed" : "there is no page");
		return;
	}
	picture_plan(call_app(v->failed->call)->answers, &(const struct picture_wish){}, &how);
	before = task_set_deadline(v->t, clock_now() + LIMIT_EVIDENCE);
	r = page_capture(v->t, v->page, &how, &v->picture);
	task_set_deadline(v->t, before);
	if (r < 0)
		add_missing(v, "screenshot", r == -ETIMEDOUT ? "the page did not draw itself in time" : "the page has gone");
}

/* The exit of a server and the end of its output become known shortly after its connections close, so this waits briefly. */
static void await_server_exit(struct evidence *v)
{
	char how[80];

	for (int i = 0; i < EXIT_CHECKS && !server_is_dead(v, how, sizeof(how)); i++)
		if (task_sleep(v->t, EXIT_CHECK_PAUSE) < 0)
			return;
}

static void append_logs(struct evidence *v, struct str *out)
{
	struct e2e *e = v->failed->e2e;
	_cleanup_(log_part_done) struct log_part part = {};
	char how[80];

	if (v->failure == -ERR_NAVIGATION_FAILED)
		await_server_exit(v);
	if (!e->server) {
		add_missing(v, "serverLogs", "the server has been ended");
		return;
	}
	if (devserver_read_log(NULL, e->server, LOG_STDERR, -1, LOG_LINES, &part) < 0)
		add_missing(v, "serverLogs", "the server's stderr cannot be read");
	else
		str_json(out, ", serverLogs: {stderr: ?, capturedAt: ?}", str_text(&part.text), v->time);
	if (devserver_is_dead(e->server, how, sizeof(how)))
		str_json(out, ", server: {status: 'stopped', message: ?}", arena_printf(task_arena(v->t), "The server %s", how));
}

static void evidence_append_console(struct evidence *v, struct str *out)
{
	const struct journal_query q = { .kinds = OBSERVED_MESSAGES };
	const struct journal *j = v->page ? page_journal(v->page) : NULL;
	uint64_t offset = j && j == v->failed->e2e->journal ? v->failed->e2e->console_mark : 0;
	const struct message_form form = response_message_form(v->failed->e2e->app->answers);
	const struct observed *e;
	unsigned count = 0;

	if (!j) {
		add_missing(v, "consoleErrors", "there is no page");
		return;
	}
	str_json(out, ", consoleErrors: [");
	while ((e = journal_next(j, &q, &offset))) {
		_cleanup_(str_done) struct str line = {};

		if (e->message.level != MESSAGE_ERROR || count == LIMIT_EVIDENCE_CONSOLE_COUNT)
			continue;
		message_line(&line, e, &form);
		str_json(out, "? ?", JSON_COMMA(count++), line.data);
	}
	str_append_char(out, ']');
}

static void evidence_append_refusals(struct evidence *v, struct str *out)
{
	const struct e2e *e = v->failed->e2e;

	if (egress_refusals(e->egress) == e->refusals_mark)
		return;
	str_json(out, ", refusedRequests: [");
	egress_print_refusals(e->egress, e->refusals_mark, out);
	str_append_char(out, ']');
}

/* ---- the whole ---- */

static void evidence_append_parts(struct evidence *v, struct str *out)
{
	append_error(v, out);
	if (v->failed->e2e) {
		take_picture(v);
		if (v->picture.base64)
			str_json(out, ", screenshot: {mimeType: ?, capturedAt: ?}", picture_type(&v->picture), v->time);
		append_logs(v, out);
		evidence_append_console(v, out);
		evidence_append_refusals(v, out);
	}
	str_json(out, ", suggestion: ?", evidence_suggest(v));
	if (v->missing.len)
		str_json(out, ", missing: [?]", JSON_RAW(v->missing.data));
}

/* The browser reports only a generic error for refused and failed connections, so the cause is taken from the session's proxy. */
static void name_connection(struct evidence *v)
{
	const struct e2e *e = v->failed->e2e;
	_cleanup_(str_done) struct str list = {};

	if (!e || v->failure != -ERR_NAVIGATION_FAILED)
		return;
	if (egress_refusals(e->egress) == v->failed->refusals) {
		if (egress_failures(e->egress) > v->failed->failures && v->is_proxy_failure)
			v->message = arena_printf(task_arena(v->t), "%s (%s)", v->message, egress_failure(e->egress));
		return;
	}
	egress_print_refusals(e->egress, egress_refusals(e->egress) - 1, &list);
	v->failure = -ERR_SECURITY_BLOCKED;
	v->message = arena_printf(task_arena(v->t), "The page may not be opened, a connection was refused: %s", list.data);
}

static void remember_failure(struct evidence *v)
{
	int r = v->failed->failure;

	/* The code that cancelled the task recorded the reason as the task's error. */
	v->failure = r == -ECANCELED && task_error(v->t) < 0 ? task_error(v->t) : r;
	v->message = failure_words(v->t, v->failure);
	if (!failure_has_words(v->t, v->failure))
		v->message = arena_printf(task_arena(v->t), "%s failed: %s", mcp_call_tool(v->failed->call)->name, v->message);
	v->details = failure_details(v->t, v->failure);
	v->is_proxy_failure = task_error_reason(v->t) == REASON_PROXY_UNCONNECTED;
}

/* Appends the evidence to the answer of tools whose failures are plain text. */
static void append_as_text(struct evidence *v, struct result *res)
{
	const struct tool *tool = mcp_call_tool(v->failed->call);

	if (v->failed->failure < 0) {
		result_reset(res);
		tool->failure(v->t, v->failed->failure, v->failed->call, tool, res);
	} else {
		v->message = "see the text before this";
		v->failure = -ERR_BROWSER_ERROR;
		v->details = NULL;
	}
}

static void begin_object(struct evidence *v, struct str *out)
{
	str_json(out, "{errorCode: ?, message: ?", error_name(v->failure), v->message);
	if (mcp_call_session_id(v->failed->call))
		str_json(out, ", sessionId: ?", mcp_call_session_id(v->failed->call));
	if (v->details)
		str_json(out, ", details: ?", JSON_RAW(v->details));
}

void e2e_explain(struct task *t, const struct failed_call *f, struct result *res)
{
	struct app *app = call_app(f->call);
	struct page *p = f->e2e ? registry_page(app->registry, call_owner(f->call), mcp_call_session_id(f->call)) : NULL;
	_cleanup_(page_unrefp) struct page *page = p ? page_ref(p) : NULL;
	_cleanup_(str_done) struct str out = {};
	struct evidence v = { .t = t, .failed = f, .page = page };

	clock_print(clock_unix_msec(), v.time);
	remember_failure(&v);
	name_connection(&v);
	if (mcp_call_tool(f->call)->failure || f->failure == 0)
		append_as_text(&v, res);
	else
		result_reset(res);
	begin_object(&v, &out);
	evidence_append_parts(&v, &out);
	str_append_char(&out, '}');
	redact(&out);
	result_text(res, out.data);
	if (v.picture.base64)
		result_image(res, v.picture.base64, picture_type(&v.picture));
	res->is_error = true;
	str_done(&v.missing);
}
