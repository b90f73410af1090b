/* startSession, endSession, getSessionStatus, restartServer, readServerLogs. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/matcher.h"
#include "devserver/answer.h"
#include "loop/failure_words.h"
#include "observe/redact.h"
#include "reply/owner_dirs.h"
#include "tools/e2e/e2e.h"
#include "tools/e2e/settings.h"
#include "tools/e2e/tools.h"

#define SERVER_START_SEC 30

/* ---- startSession ---- */

struct startSession {
	const char *commandPath, *command, *cwd, *readyUrl, *readyLog;
	struct string_list args;
	const struct json *env;
	int port;
	double timeout;
};

static const struct param startSession_params[] = {
	PARAM(startSession, commandPath,
	      "Absolute path of a command that manages the server and takes --start, --status, --restart and --shutdown",
	      .max_length = LIMIT_URL, .empty_is_none = true),
	PARAM(startSession, command,
	      "Instead of commandPath: program that is the server and runs until it is ended, such as npm or python3",
	      .max_length = LIMIT_URL, .empty_is_none = true),
	PARAM(startSession, args, "Arguments of command or commandPath"),
	PARAM(startSession, cwd, "Directory to run it in; default: that of the server", .max_length = LIMIT_URL,
	      .empty_is_none = true),
	PARAM(startSession, env, "More environment variables",
	      .schema =
		      "{\"type\":\"object\",\"description\":\"Environment variables to add\",\"additionalProperties\":{\"type\":\"string\"}}"),
	PARAM(startSession, port, "Port that it listens on, passed on as PORT; default: detected", .min = 1, .max = 65535),
	PARAM(startSession, readyUrl, "It is ready when this URL answers 2xx or 3xx; default: when it listens",
	      .max_length = LIMIT_URL, .empty_is_none = true),
	PARAM(startSession, readyLog,
	      "It is ready when a line of its output matches this JavaScript regular expression, or /expression/flags",
	      .max_length = LIMIT_REGEX, .empty_is_none = true),
	PARAM(startSession, timeout, "Milliseconds until it must be ready; default 30000", .min = 0, .max = TIMEOUT_MAX_MSEC),
	{}
};

static int search_texts(struct task *t, struct matcher *m, const char *regex, const struct matcher_texts *texts, bool *ret)
{
	_cleanup_(json_freep) struct json *found = NULL;
	int r;

	r = matcher_search(t, m, &(const struct matcher_regex){ "readyLog", regex }, texts, &found);
	if (r == -ERR_INVALID_REGEX)
		return task_wrap(t, r, -ERR_INVALID_PARAMETERS, "", "");
	*ret = r == 0 && json_count(found) > 0;
	return r;
}

static int check_regex(struct task *t, struct matcher *m, const char *regex)
{
	bool found;

	return regex ? search_texts(t, m, regex, &(const struct matcher_texts){}, &found) : 0;
}

/* Adds lines from `*at` on, as many as are searched at a time. Terminals also go to the start of a line, with \r, to rewrite it. */
static void add_lines(struct matcher_texts *texts, const struct str *output, size_t *at)
{
	while (*at < output->len && !matcher_is_full(texts)) {
		size_t end = *at;

		while (end < output->len && output->data[end] != '\n' && output->data[end] != '\r')
			end++;
		matcher_add(texts, 0, output->data + *at, end - *at);
		*at = end + 1;
	}
}

/* For struct ready_search. */
static int find_ready_line(struct task *t, const struct str *lines, void *data, bool *ret)
{
	const struct e2e *e = data;
	_cleanup_(matcher_unrefp) struct matcher *m = matcher_ref(e->app->browser, e->owner);
	size_t at = 0;
	bool found = false;
	int r = 0;

	while (r == 0 && !found && at < lines->len) {
		_cleanup_(matcher_texts_done) struct matcher_texts texts = {};

		add_lines(&texts, lines, &at);
		r = search_texts(t, m, e->ready_log, &texts, &found);
	}
	if (r == 0)
		*ret = found;
	return r;
}

static int check_arguments(struct task *t, struct mcp_call *call, const struct startSession *a)
{
	const struct e2e_settings *settings = call_app(call)->e2e;

	if (!a->commandPath == !a->command)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "give commandPath (a command that keeps the contract) or command (a server "
				 "that just runs), and one of them");
	if (a->commandPath && (a->port || a->readyUrl || a->readyLog))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "port, readyUrl and readyLog belong to command; by contract the command "
				 "itself says when and where its server is ready");
	if (a->readyUrl && !answer_can_ask(a->readyUrl))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "readyUrl must be of this machine: http:// or https://, then localhost, 127.0.0.1 "
				 "or [::1], and a port");
	if (settings->listed_only && !settings->permit.commands)
		return task_fail(t, -ERR_SECURITY_BLOCKED, "no server may be started over HTTP until the operator says which: %s",
				 settings->permit.names.commands);
	return 0;
}

static const char *const *session_list_of(struct task *t, const struct string_list *list)
{
	const char **items = arena_alloc(task_arena(t), (list->count + 1) * sizeof(*items));

	for (size_t i = 0; i < list->count; i++)
		items[i] = list->items[i];
	items[list->count] = NULL;
	return items;
}

static int env_of(struct task *t, const struct json *env, const struct permit_lists *lists, const char *const **ret)
{
	const char **items = arena_alloc(task_arena(t), (json_count(env) + 1) * sizeof(*items));
	size_t n = 0;
	int r;

	if (env && json_type(env) != JSON_OBJECT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "env must be an object of texts");
	json_foreach(v, env) {
		if (!json_str(v, NULL) || !*json_name(v) || strchr(json_name(v), '='))
			return task_fail(t, -ERR_INVALID_PARAMETERS, "env: \"%s\" must be a name, and its value a text",
					 json_name(v));
		r = permit_variable(t, json_name(v), json_str(v, NULL), lists);
		if (r < 0)
			return r;
		items[n++] = arena_printf(task_arena(t), "%s=%s", json_name(v), json_str(v, NULL));
	}
	items[n] = NULL;
	*ret = items;
	return 0;
}

static int session_launch(struct task *t, struct mcp_call *call, const struct startSession *a, struct e2e *e)
{
	const struct e2e_settings *settings = call_app(call)->e2e;
	const struct owner_dirs *files = call_app(call)->output.owner_dirs;
	const char *const *env = NULL;
	const char *cwd = NULL;
	int r;

	r = env_of(t, a->env, &settings->permit, &env);
	if (r == 0 && a->cwd)
		r = permit_directory(t, a->cwd, a->commandPath ? a->commandPath : a->command, &settings->permit,
				     files ? owner_dirs_parent(files) : NULL, &cwd);
	if (r < 0)
		return r;
	return devserver_launch(t,
				&(const struct devserver_plan){
					.command_path = a->commandPath,
					.command = a->command,
					.args = session_list_of(t, &a->args),
					.env = env,
					.cwd = cwd,
					.port = a->port,
					.ready_url = a->readyUrl,
					.ready_log = { a->readyLog ? find_ready_line : NULL, e },
					.timeout = timeout_or(a->timeout, SERVER_START_SEC * USEC_PER_SEC),
					.permit = &settings->permit,
					.log_folders = settings->log_folders,
				},
				&e->server);
}

static bool is_own_port(int port, void *data)
{
	const struct e2e *e = data;

	return e->server && devserver_listens_on(e->server, port);
}

static bool was_own_port(int port, void *data)
{
	const struct e2e *e = data;

	return e->server && devserver_info(e->server)->port == port;
}

static int make_e2e(struct task *t, struct mcp_call *call, const struct startSession *a, struct e2e **ret)
{
	_cleanup_(e2e_unrefp) struct e2e *e = NEW(struct e2e);
	int r;

	e->refs = 1;
	e->app = call_app(call);
	e->owner = call_owner(call);
	e->ready_log = a->readyLog ? must(strdup(a->readyLog)) : NULL;
	waitq_init(&e->changed);
	r = egress_new(task_loop(t), e->app->egress,
		       &(const struct egress_plan){
			       .is_own = is_own_port,
			       .was_own = was_own_port,
			       .data = e,
			       .server_rules = e->app->e2e->egress,
			       .server_rules_why = e->app->e2e->egress_why,
		       },
		       &e->egress);
	if (r < 0)
		return task_fail(t, -ERR_SERVER_START_FAILED, "cannot make the proxy of the session: %s", strerror(-r));
	r = session_launch(t, call, a, e);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(e);
	return 0;
}

static void on_session_ended(void *data)
{
	struct e2e *e = data;

	e->ended = true;
	e2e_unref(e);
}

static const char *base_url(void *data)
{
	const struct e2e *e = data;

	return e->server ? devserver_info(e->server)->url : NULL;
}

/* Ends the dev server and waits until its port is free. The caller holds the turn (e2e_enter()). */
static int end_server(struct task *t, struct e2e *e, struct devserver_end *ret)
{
	int r;

	if (!e->server)
		return 0;
	egress_forget_server(e->egress);
	r = devserver_end(t, e->server, ret);
	if (r == 0 || r == -ERR_SHUTDOWN_FAILED)
		e->server = devserver_free(e->server);
	return r;
}

/* Creates the session while the dev server starts concurrently. `id` is empty until the session exists. */
static int session_start(struct task *t, struct mcp_call *call, struct e2e *e, char id[SESSION_ID_SIZE])
{
	const struct session *s;
	int r;

	r = registry_create(t, e->app->registry, call_owner(call),
			    &(const struct session_plan){
				    .egress = e->egress,
				    .timeout = e->app->e2e->idle,
				    .lifetime = e->app->e2e->lifetime,
				    .ended = on_session_ended,
				    .base_url = base_url,
				    .data = e,
			    },
			    &s);
	if (r < 0)
		return r;
	e2e_ref(e); /* the session's */
	strcpy(id, session_id(s));
	e->working = true;
	r = devserver_await(t, e->server);
	e2e_leave(e);
	if (r == 0 && e->ended)
		return task_fail(t, -ERR_SERVER_START_FAILED,
				 "the browser session ended while the server started; call startSession again");
	return r;
}

static void append_log_paths(const struct devserver_info *info, struct str *out)
{
	str_json(out, "{stdout: ?, stderr: ?, combined: ?}", info->logs->of[LOG_STDOUT], info->logs->of[LOG_STDERR],
		 info->logs->of[LOG_COMBINED]);
}

static int session_start_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct startSession *a = args;
	_cleanup_(matcher_unrefp) struct matcher *m =
		matcher_ref(call_app(call)->browser, call_owner(call)); /* all searches use one page */
	_cleanup_(e2e_unrefp) struct e2e *e = NULL;
	_cleanup_(str_done) struct str logs = {};
	const struct devserver_info *info;
	char id[SESSION_ID_SIZE] = "";
	int r;

	r = check_arguments(t, call, a);
	if (r == 0)
		r = check_regex(t, m, a->readyLog);
	if (r == 0)
		r = make_e2e(t, call, a, &e);
	if (r < 0)
		return r;
	r = session_start(t, call, e, id);
	if (r < 0) {
		_cleanup_(failure_done) struct failure failure = {};
		_cleanup_(devserver_end_done) struct devserver_end end = {};

		task_keep_failure(t, r, &failure);
		registry_end(e->app->registry, call_owner(call), id);
		if (e2e_enter(t, e) == 0) { /* list_sessions already shows the session, so other calls may work on its server */
			end_server(t, e, &end);
			e2e_leave(e);
		}
		return task_fail_of(t, &failure);
	}
	info = devserver_info(e->server);
	append_log_paths(info, &logs);
	log_event("session_started", id, "port: ?", info->port);
	result_json(res, "{sessionId: ?, status: ?, url: ?, port: ?, pid: ?, startedAt: ?, logs: ?, message: ?}", id, info->status,
		    info->url, info->port, info->pid, info->started_at, JSON_RAW(logs.data), info->message);
	return 0;
}

#define TEXT_OUT(name) "\"" name "\":{\"type\":\"string\"}"
#define INT_OUT(name) "\"" name "\":{\"type\":\"integer\"}"
#define LOGS_OUT \
	"\"logs\":{\"type\":\"object\",\"properties\":{" TEXT_OUT("stdout") "," TEXT_OUT("stderr") "," TEXT_OUT("combined") "}}"
#define OUTPUT(members) "{\"type\":\"object\",\"properties\":{" members "}}"

const struct tool tool_startSession = {
	.name = "startSession",
	.about =
		"Start the web server of an application together with an isolated browser session; both end together. Pass the sessionId to the "
		"other tools; navigate then takes URLs relative to the server.",
	.params = startSession_params,
	.size = sizeof(struct startSession),
	.output_schema = OUTPUT(TEXT_OUT("sessionId") "," TEXT_OUT("status") "," TEXT_OUT("url") "," INT_OUT("port") "," INT_OUT(
		"pid") "," TEXT_OUT("startedAt") "," LOGS_OUT "," TEXT_OUT("message")),
	.run = session_start_run,
	.task_after = TOOL_TASK_AFTER,
};

/* ---- endSession ---- */

struct endSession {
	const char *sessionId;
};

static const struct param endSession_params[] = { PARAM(endSession, sessionId, "From startSession", .required = true), {} };

static const char *end_message(struct task *t, const struct devserver_end *end)
{
	if (!end->shutdown.code)
		return end->message;
	return arena_printf(task_arena(t), "The command's processes were ended, because its --shutdown failed: %s",
			    failure_words_of(t, &end->shutdown));
}

/* Ending the session cancels its running calls; once the last one has left, this call has the turn and ends the server. */
static int session_end_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct endSession *a = args;
	_cleanup_(e2e_unrefp) struct e2e *e = NULL;
	_cleanup_(devserver_end_done) struct devserver_end end = { "already_stopped", "The server had ended before" };
	int r;

	r = e2e_find(t, call, a->sessionId, &e);
	if (r < 0)
		return r;
	registry_end(e->app->registry, call_owner(call), a->sessionId);
	r = e2e_enter(t, e);
	if (r < 0)
		return r;
	r = end_server(t, e, &end);
	e2e_leave(e);
	if (r < 0)
		return r;
	log_event("session_ended", a->sessionId, "status: ?", end.status);
	result_json(res, "{success: true, sessionId: ?, status: ?, message: ?}", a->sessionId, end.status, end_message(t, &end));
	return 0;
}

const struct tool tool_endSession = {
	.name = "endSession",
	.about = "Close the session and stop its server. Answers when the port is free.",
	.params = endSession_params,
	.size = sizeof(struct endSession),
	.output_schema =
		OUTPUT("\"success\":{\"type\":\"boolean\"}," TEXT_OUT("sessionId") "," TEXT_OUT("status") "," TEXT_OUT("message")),
	.run = session_end_run,
	.ends_session = true,
};

/* ---- getSessionStatus ---- */

static int session_fail_ended(struct task *t, const char *session_id)
{
	return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s ended while this call waited for its turn", session_id);
}

static const char *const remedies[] = {
	[REMEDY_NONE] = "",
	[REMEDY_RESTART] = "; restartServer starts it again",
	[REMEDY_LOGS] = "; readServerLogs says more",
};

static int status_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct endSession *a = args;
	_cleanup_(e2e_unrefp) struct e2e *e = NULL;
	_cleanup_(str_done) struct str logs = {};
	const struct devserver_info *info;
	struct devserver_state state;
	int r;

	r = e2e_find(t, call, a->sessionId, &e);
	if (r == 0)
		r = e2e_enter(t, e);
	if (r < 0)
		return r;
	r = e->server ? devserver_state(t, e->server, &state) : session_fail_ended(t, a->sessionId);
	e2e_leave(e);
	if (r < 0)
		return r;
	info = devserver_info(e->server);
	append_log_paths(info, &logs);
	result_json(res,
		    "{sessionId: ?, status: ?, healthy: ?, url: ?, port: ?, pid: ?, startedAt: ?, uptime: ?, logs: ?, "
		    "message: ?}",
		    a->sessionId, state.status, state.healthy, info->url, info->port, info->pid, info->started_at, state.uptime,
		    JSON_RAW(logs.data), arena_printf(task_arena(t), "%s%s", state.message, remedies[state.remedy]));
	return 0;
}

const struct tool tool_getSessionStatus = {
	.name = "getSessionStatus",
	.about = "Check whether the session's server is running, stopped or unhealthy.",
	.params = endSession_params,
	.size = sizeof(struct endSession),
	.output_schema = OUTPUT(
		TEXT_OUT("sessionId") "," TEXT_OUT("status") ",\"healthy\":{\"type\":\"boolean\"}," TEXT_OUT("url") "," INT_OUT(
			"port") "," INT_OUT("pid") "," TEXT_OUT("startedAt") ",\"uptime\":{\"type\":\"number\"}," LOGS_OUT
									     "," TEXT_OUT("message")),
	.read_only = true,
	.idempotent = true,
	.run = status_run,
};

/* ---- restartServer ---- */

/* Runs in the session's turn, so that closing the session cancels the restart. */
static int restart_in(struct task *t, struct mcp_call *call, const char *session_id, struct e2e *e)
{
	_cleanup_(visit_done) struct visited v = {};
	/* Keeps the matcher, so that all searches of the restart use one page. */
	_cleanup_(matcher_unrefp) _unused_ struct matcher *m = matcher_ref(e->app->browser, e->owner);
	int r;

	r = session_enter(t, e->app->registry, call_owner(call), session_id, &v.session);
	if (r == 0)
		r = e2e_enter(t, e);
	if (r < 0)
		return r;
	r = e->server ? devserver_restart(t, e->server) : session_fail_ended(t, session_id);
	e2e_leave(e);
	return r;
}

static int restart_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct endSession *a = args;
	_cleanup_(e2e_unrefp) struct e2e *e = NULL;
	const struct devserver_info *info;
	int r;

	r = e2e_find(t, call, a->sessionId, &e);
	if (r == 0)
		r = restart_in(t, call, a->sessionId, e);
	if (r < 0)
		return r;
	info = devserver_info(e->server);
	result_json(res,
		    "{sessionId: ?, status: ?, url: ?, port: ?, pid: ?, previousPid: ?, previousPort: ?, startedAt: ?, "
		    "message: ?}",
		    a->sessionId, info->status, info->url, info->port, info->pid, info->previous_pid, info->previous_port,
		    info->started_at, info->message);
	return 0;
}

const struct tool tool_restartServer = {
	.name = "restartServer",
	.about = "Restart the session's server, also one that has ended. Open pages are not reloaded.",
	.params = endSession_params,
	.size = sizeof(struct endSession),
	.output_schema = OUTPUT(TEXT_OUT("sessionId") "," TEXT_OUT("status") "," TEXT_OUT("url") "," INT_OUT("port") "," INT_OUT(
		"pid") "," INT_OUT("previousPid") "," INT_OUT("previousPort") "," TEXT_OUT("startedAt") "," TEXT_OUT("message")),
	.run = restart_run,
	.task_after = TOOL_TASK_AFTER,
};

/* ---- readServerLogs ---- */

struct readServerLogs {
	const char *sessionId;
	int logType, lines;
	int64_t offset;
};

static const struct param readServerLogs_params[] = {
	PARAM(readServerLogs, sessionId, "From startSession", .required = true),
	PARAM(readServerLogs, logType, "Which output", .choices = log_kind_names),
	PARAM(readServerLogs, lines, "The last lines, at most this many", .min = 1, .max = 100000),
	PARAM(readServerLogs, offset, "Byte to start at: nextOffset of an earlier answer; -1: the last lines", .min = -1,
	      .max = JSON_INTEGER_MAX),
	{}
};

static int logs_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct readServerLogs *a = args;
	_cleanup_(e2e_unrefp) struct e2e *e = NULL;
	_cleanup_(log_part_done) struct log_part part = {};
	enum log_kind kind = (enum log_kind)a->logType;
	int r;

	r = e2e_find(t, call, a->sessionId, &e);
	if (r == 0)
		r = devserver_read_log(t, e->server, kind, a->offset, (unsigned)a->lines, &part);
	if (r < 0)
		return r;
	redact(&part.text);
	result_json(res, "{logType: ?, content: ?, offset: ?, nextOffset: ?, earlier: ?, later: ?, restarted: ?}",
		    log_kind_names[kind], str_text(&part.text), part.offset, part.next, part.earlier, part.later, part.restarted);
	return 0;
}

const struct tool tool_readServerLogs = {
	.name = "readServerLogs",
	.about = "Read the output of the session's server: the last lines, or what is new since an earlier call.",
	.params = readServerLogs_params,
	.size = sizeof(struct readServerLogs),
	.defaults = &(const struct readServerLogs){ .logType = LOG_COMBINED, .lines = 100, .offset = -1 },
	.output_schema = OUTPUT(TEXT_OUT("logType") "," TEXT_OUT("content") "," INT_OUT("offset") "," INT_OUT(
		"nextOffset") ",\"earlier\":{\"type\":\"boolean\"},\"later\":{\"type\":\"boolean\"},\"restarted\":{\"type\":\"boolean\"}"),
	.read_only = true,
	.run = logs_run,
};
