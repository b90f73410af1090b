/*
 * request_user: asks a person who can look at the session, by the live view, in a window, or by the client's user. The call waits outside of
 * its turn on the session, so that the person finds it free, and answers with the page as it is afterwards.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "mcp/steps.h"
#include "session/control.h"
#include "session/user_request.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define TIMEOUT_DEFAULT 600000

struct request_user {
	const char *sessionId, *message;
	int reason, timeout;
	struct string_list choices;
};

static const struct param request_user_params[] = {
	PARAM(request_user, message, "What the person should do or decide", .required = true, .max_length = LIMIT_USER_MESSAGE),
	PARAM(request_user, reason, "Default: other", .choices = user_reason_names),
	PARAM(request_user, choices, "Answers to choose from; default: any text", .max_length = LIMIT_USER_TEXT),
	PARAM(request_user, timeout, "Milliseconds", .min = 1, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	PARAM(request_user, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

struct inquiry {
	struct task *t;
	struct mcp_call *call;
	const struct request_user *args;
	struct user_question question;
	char id[SESSION_ID_SIZE];
	usec_t until;
	_kept_ struct user_request *request; /* a reference; NULL: not yet, or given up */
	_nullable_ struct ask *ask;          /* that the client has not been told the end of */
	struct str url;                      /* of the live view; empty: there is none */
	enum user_outcome outcome;
	const char *text;   /* of the answer; NULL: none */
	const char *person; /* NULL: unknown */
};

static void inquiry_done(struct inquiry *x)
{
	if (x->ask)
		mcp_call_end_ask(x->call, x->ask);
	if (x->request)
		user_request_withdraw(x->request);
	user_request_unref(x->request);
	str_done(&x->url);
}

/* ---- the session ---- */

static struct registry *registry_of(const struct inquiry *x)
{
	return call_app(x->call)->registry;
}

static bool person_has_control(const struct inquiry *x)
{
	struct control_state state;

	return session_control(registry_of(x), call_owner(x->call), x->id, &state) && state.taken;
}

/* Behind earlier calls on the session, which exists and is awake then. One that a person has in control already is not waited for. */
static int inquiry_find_session(struct inquiry *x)
{
	_cleanup_(browse_end) struct browse b = {};
	int r;

	snprintf(x->id, sizeof(x->id), "%s", call_session(x->call));
	if (person_has_control(x))
		return 0;
	r = browse_begin(&b, x->t, x->call);
	if (r == 0)
		snprintf(x->id, sizeof(x->id), "%s", session_id(b.session));
	return r;
}

/* ---- who can be asked ---- */

static int find_view_link(struct inquiry *x)
{
	const struct view_link_wish wish = { .valid = x->until - clock_now(), .act = true };
	struct app *app = call_app(x->call);
	int64_t expires_at;

	return app->site ? app_view_link(x->t, app, call_owner(x->call), x->id, &wish, &x->url, &expires_at) : 0;
}

static bool can_ask(const struct inquiry *x, enum mcp_feature feature)
{
	return mcp_call_can_ask(x->call, feature);
}

static int check_reachable(const struct inquiry *x)
{
	if (x->url.len || can_ask(x, MCP_ELICITATION))
		return 0;
	return task_fail(
		x->t, -ERR_CLIENT_CANNOT,
		"nobody can be asked: this server shows no live view, and the client has not declared the capability \"elicitation\". Ask the user in your answer instead");
}

static void answer_schema(const struct inquiry *x, struct str *out)
{
	if (x->question.reason != USER_DECISION && !x->question.count) {
		str_json(out, "{type: 'object', properties: {}}");
		return;
	}
	str_json(out, "{type: 'object', properties: {answer: {type: 'string', title: 'Answer'");
	for (size_t i = 0; i < x->question.count; i++)
		str_json(out, "? ?", JSON_RAW(i ? "," : ", \"enum\": ["), x->question.choices[i]);
	str_append(out, x->question.count ? "]" : "");
	str_append(out, "}}, \"required\": [\"answer\"]}");
}

/* An address where the client can show one, else a form, whose message has the address. NULL: the client cannot be asked. */
static const char *write_elicitation(const struct inquiry *x, enum mcp_feature *ret_feature)
{
	_cleanup_(str_done) struct str out = {}, schema = {}, message = {};

	*ret_feature = x->url.len && can_ask(x, MCP_ELICITATION_URL) ? MCP_ELICITATION_URL : MCP_ELICITATION;
	if (!can_ask(x, *ret_feature))
		return NULL;
	str_append(&message, x->question.message);
	if (*ret_feature == MCP_ELICITATION_URL) {
		str_json(&out, "{url: ?, message: ?}", x->url.data, message.data);
	} else {
		if (x->url.len)
			str_appendf(&message, "\n\nThe browser: %s", x->url.data);
		answer_schema(x, &schema);
		str_json(&out, "{message: ?, requestedSchema: ?}", message.data, JSON_RAW(schema.data));
	}
	return arena_strdup(task_arena(x->t), out.data);
}

/* ---- what it answers ---- */

static void take_client_reply(struct inquiry *x, enum mcp_feature feature, enum mcp_reply reply, const struct json *content)
{
	bool asked_beside = x->url.len; /* a person may still come to the live view */

	if (reply == MCP_REPLY_DECLINED || (reply == MCP_REPLY_CANCELLED && !asked_beside))
		x->outcome = USER_DECLINED;
	if (reply != MCP_REPLY_ACCEPTED || feature == MCP_ELICITATION_URL)
		return;
	x->text = json_str(content, "answer");
	x->outcome = x->text ? USER_ANSWERED : USER_DONE;
}

static void look_at_reply(struct inquiry *x, enum mcp_feature feature)
{
	const struct json *content;
	enum mcp_reply reply = x->ask ? mcp_ask_reply(x->ask, &content) : MCP_REPLY_NONE;

	if (reply != MCP_REPLY_NONE)
		take_client_reply(x, feature, reply, content);
}

static void look_at_request(struct inquiry *x)
{
	if (x->outcome != USER_PENDING || x->request->outcome == USER_PENDING)
		return;
	x->outcome = x->request->outcome;
	x->text = x->request->text;
	x->person = x->request->name;
}

/* In modern versions the client's user is asked before the call waits, and the request stays for the call that comes back. */
static int inquiry_ask_client(struct inquiry *x, const char *params, enum mcp_feature feature)
{
	struct mcp_question question = { .key = "user", .feature = feature, .params = params, .proven = true };
	const struct json *content;
	enum mcp_reply reply;
	int r = mcp_call_ask(x->t, x->call, &question, 1, x->until - clock_now());

	if (r == -EINPROGRESS) {
		user_request_leave(x->request, x->until);
		x->request = user_request_unref(x->request);
	}
	if (r < 0)
		return r;
	reply = mcp_question_reply(&question, &content);
	take_client_reply(x, feature, reply, content);
	return 0;
}

static int await_person(struct inquiry *x, enum mcp_feature feature)
{
	usec_t outer = task_set_deadline(x->t, x->until);
	int r = 0;

	while (r == 0) {
		look_at_reply(x, feature);
		look_at_request(x);
		if (x->outcome != USER_PENDING)
			break;
		r = user_request_wait(x->t, x->request);
	}
	task_set_deadline(x->t, outer);
	return r == -ETIMEDOUT ? 0 : r;
}

static int ask_person(struct inquiry *x)
{
	enum mcp_feature feature;
	const char *params = write_elicitation(x, &feature);
	int r = 0;

	if (params)
		x->ask = mcp_call_begin_ask(x->call,
					    &(const struct mcp_question){ .key = "user", .feature = feature, .params = params });
	if (params && !x->ask)
		r = inquiry_ask_client(x, params, feature);
	return r < 0 ? r : await_person(x, feature);
}

static int inquiry_begin(struct inquiry *x)
{
	int r = user_request_begin(registry_of(x), call_owner(x->call), x->id, &x->question, &x->request);

	if (r == -ERR_SESSION_NOT_FOUND)
		return registry_knows(x->t, registry_of(x), call_owner(x->call), x->id);
	if (r < 0)
		return task_fail(x->t, -ERR_INVALID_PARAMETERS,
				 "%u requests to a person are pending in session %s: wait for the answer to one of them",
				 LIMIT_USER_REQUESTS_COUNT, x->id);
	return 0;
}

/* ---- the answer ---- */

/* With what the person has written, if that is anything. */
static void append_said(struct str *out, const char *what, const char *text)
{
	str_appendf(out, " %s%s", what, text ? ": " : ".");
	if (text)
		str_append_quoted(out, text, strlen(text));
}

static const char *request_user_words(const struct inquiry *x)
{
	_cleanup_(str_done) struct str out = {};

	if (x->outcome == USER_PENDING) {
		str_appendf(&out, "Nobody answered within %d s.", x->args->timeout / 1000);
		return arena_strdup(task_arena(x->t), out.data);
	}
	str_append(&out, "The person");
	if (x->person)
		str_appendf(&out, " (%s)", response_line(x->t, x->person));
	if (x->outcome == USER_HANDED_BACK)
		str_append(&out, " has had control and handed the session back.");
	else if (x->outcome == USER_DONE)
		append_said(&out, "says that it is done", x->text);
	else
		append_said(&out, x->outcome == USER_ANSWERED ? "answered" : "declined", x->text);
	return arena_strdup(task_arena(x->t), out.data);
}

/* With the page, unless the person goes on. */
static int request_user_answer(struct inquiry *x, struct result *res)
{
	_cleanup_(browse_end) struct browse b = {};
	int r;

	if (x->outcome == USER_GONE)
		return registry_knows(x->t, registry_of(x), call_owner(x->call), x->id);
	if (person_has_control(x)) {
		result_text(res, request_user_words(x));
		return 0;
	}
	r = browse_begin(&b, x->t, x->call);
	if (r < 0)
		return r;
	session_update_tabs(b.session);
	response_add(&b.response.result, "%s", request_user_words(x));
	response_look_again(&b.response);
	return browse_answer(&b, res);
}

static int check_question(const struct inquiry *x)
{
	if (mcp_call_step_data(x->call))
		return task_fail(x->t, -ERR_INVALID_PARAMETERS,
				 "request_user waits for a person and cannot be a step: call it alone");
	if (x->question.count > LIMIT_USER_CHOICES_COUNT)
		return task_fail(x->t, -ERR_INVALID_PARAMETERS, "choices must be at most %u, not %zu", LIMIT_USER_CHOICES_COUNT,
				 x->question.count);
	return 0;
}

/* It waits for as long as people take: clients that take tasks poll it from the beginning. Where there are too many, it waits as a call. */
static void inquiry_become_task(struct inquiry *x)
{
	if (mcp_call_takes_task(x->call) && mcp_call_become_task(x->t, x->call) < 0)
		task_forget_failure(x->t);
}

static int request_user_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct request_user *a = args;
	_cleanup_(inquiry_done) struct inquiry x = {
		.t = t,
		.call = call,
		.args = a,
		.question = { a->message, (enum user_reason)a->reason, a->choices.items, a->choices.count },
		.until = clock_now() + (usec_t)a->timeout * USEC_PER_MSEC,
	};
	int r = check_question(&x);

	if (r == 0)
		r = inquiry_find_session(&x);
	if (r == 0)
		r = find_view_link(&x);
	if (r == 0)
		r = check_reachable(&x);
	if (r == 0)
		r = inquiry_begin(&x);
	if (r < 0)
		return r;
	inquiry_become_task(&x);
	mcp_call_progress(call,
			  x.url.len ? arena_printf(task_arena(t), "waiting for a person: %s", x.url.data) : "waiting for a person");
	r = ask_person(&x);
	return r < 0 ? r : request_user_answer(&x, res);
}

const struct tool tool_request_user = {
	.name = "request_user",
	.title = "Ask a person",
	.about =
		"Ask the person who can see the browser to log in, to solve a captcha, to decide or to do something else there. Answers "
		"when the person hands the session back, answers or declines, or after timeout.",
	.terse = "Ask the person who can see the browser: a login, a captcha, a decision. Waits",
	.params = request_user_params,
	.size = sizeof(struct request_user),
	.defaults = &(const struct request_user){ .reason = USER_OTHER, .timeout = TIMEOUT_DEFAULT },
	.run = request_user_run,
	.failure = browse_failure,
	.complaints = COMPLAINTS_LISTED,
	.not_destructive = true,
};

const struct tool *const people_tools[] = { PEOPLE_TOOLS(TOOL_ROW) NULL };
