#include "mcp/ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mcp/call.h"
#include "mcp/feature.h"

bool mcp_call_can_ask(const struct mcp_call *call, enum mcp_feature feature)
{
	return call->request.features & 1u << feature;
}

static int fail_missing_capability(struct task *t, struct mcp_call *call, enum mcp_feature feature)
{
	call->asking.missing = feature_table[feature].capability;
	return task_fail(t, -ERR_CLIENT_CANNOT,
			 "This call has to ask the client (%s), which has not declared the capability "
			 "\"%s\": use a client that has it",
			 feature_table[feature].method, feature_table[feature].capability);
}

/* ---- legacy versions: requests to the client ---- */

#define ASK_ID_SIZE 16

/* The id of the request to the client. */
static const char *print_id(char id[static ASK_ID_SIZE], const struct ask *ask)
{
	snprintf(id, ASK_ID_SIZE, "s-%u", ask->id);
	return id;
}

static void send_ask(struct mcp_call *call, const struct mcp_question *question, struct ask *ask)
{
	_cleanup_(str_done) struct str out = {};
	char id[ASK_ID_SIZE];

	str_json(&out, "{jsonrpc: '2.0', id: ?, method: ?, params:", print_id(id, ask), feature_table[question->feature].method);
	feature_write_params(question, call->request.version, ask->elicitation, &out);
	str_append_char(&out, '}');
	request_notify(&call->request, &out);
}

static struct ask *ask_new(struct mcp_call *call, enum mcp_feature feature)
{
	struct ask *ask = NEW(struct ask);

	ask->id = ++call->request.conn->last_ask;
	ask->feature = feature;
	random_name(ask->elicitation);
	LIST_INSERT_HEAD(&call->asking.asks, ask, link);
	return ask;
}

static void withdraw(struct mcp_call *call, struct ask **asks, size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_(str_done) struct str out = {};
		char id[ASK_ID_SIZE];

		if (asks[i]->reply)
			continue;
		str_json(&out, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: ?, reason: ?}}",
			 print_id(id, asks[i]), why);
		request_notify(&call->request, &out);
	}
}

static bool all_replied(struct ask **asks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!asks[i]->reply)
			return false;
	return true;
}

static int take_replies(struct task *t, struct ask **asks, struct mcp_question *questions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct feature *feature = &feature_table[questions[i].feature];
		const char *error = json_str(asks[i]->reply, "error.message");

		questions[i].answer = json_member(asks[i]->reply, "result");
		if (!questions[i].answer || !feature->takes(questions[i].answer))
			return task_fail(t, -ERR_CLIENT_CANNOT, "The client has not answered %s: %s", feature->method,
					 error ? error : "its result does not have the structure that the protocol prescribes");
	}
	return 0;
}

static int ask_now(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout)
{
	struct ask **asks = arena_alloc(task_arena(t), count * sizeof(struct ask *));
	usec_t deadline = task_set_deadline(t, clock_now() + timeout);
	int r = 0;

	for (size_t i = 0; i < count; i++) {
		asks[i] = ask_new(call, questions[i].feature);
		send_ask(call, &questions[i], asks[i]);
	}
	while (r == 0 && !all_replied(asks, count))
		r = task_wait(t, "the client's answer to a question");
	task_set_deadline(t, deadline);
	if (r < 0)
		withdraw(call, asks, count, r == -ETIMEDOUT ? "there was no answer for too long" : "the call has ended");
	if (r == -ETIMEDOUT)
		return task_fail(t, r, "The client has not answered %s within %llu s", feature_table[questions->feature].method,
				 timeout / USEC_PER_SEC);
	return r < 0 ? r : take_replies(t, asks, questions, count);
}

_nullable_ struct ask *mcp_call_begin_ask(struct mcp_call *call, const struct mcp_question *question)
{
	struct ask *ask;

	if (!mcp_call_can_ask(call, question->feature))
		return NULL;
	if (call->as_task)
		return ask_task_begin(call, question);
	if (call->request.version->modern)
		return NULL;
	ask = ask_new(call, question->feature);
	send_ask(call, question, ask);
	return ask;
}

static enum mcp_reply reply_of(enum mcp_feature feature, const struct json *answer, const struct json **ret)
{
	const char *action = json_str(answer, "action");

	*ret = NULL;
	if (!answer || !feature_table[feature].takes(answer))
		return MCP_REPLY_FAILED;
	if (strcmp(action, "accept") != 0)
		return strcmp(action, "decline") == 0 ? MCP_REPLY_DECLINED : MCP_REPLY_CANCELLED;
	*ret = json_member(answer, "content");
	return MCP_REPLY_ACCEPTED;
}

enum mcp_reply mcp_ask_reply(const struct ask *ask, const struct json **ret)
{
	*ret = NULL;
	if (!ask->reply)
		return MCP_REPLY_NONE;
	return reply_of(ask->feature, ask->key ? ask->reply : json_member(ask->reply, "result"), ret);
}

enum mcp_reply mcp_question_reply(const struct mcp_question *question, const struct json **ret)
{
	return reply_of(question->feature, question->answer, ret);
}

void mcp_call_end_ask(struct mcp_call *call, struct ask *ask)
{
	_cleanup_(str_done) struct str out = {};

	if (ask->key) {
		ask_task_end(call, ask);
		return;
	}
	withdraw(call, &ask, 1, "it needs no answer any more");
	if (ask->feature == MCP_ELICITATION_URL) {
		str_json(&out, "{jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: {elicitationId: ?}}",
			 ask->elicitation);
		request_notify(&call->request, &out);
	}
	ask_free(ask);
}

static struct ask *find_ask(struct mcp_conn *c, const char *id, struct mcp_call **ret)
{
	unsigned number;
	struct ask *ask;
	char rest;

	if (!id || sscanf(id, "s-%9u%c", &number, &rest) != 1)
		return NULL;
	TAILQ_FOREACH(*ret, &c->calls, link)
		LIST_FOREACH(ask, &(*ret)->asking.asks, link)
			if (ask->id == number && !ask->key && !ask->reply)
				return ask;
	return NULL;
}

/* An answer decides what the call does, so its sender needs the right that the call needed. */
void asking_answered(struct request *q)
{
	struct mcp_call *call;
	struct ask *ask = find_ask(q->conn, json_str(q->message.root, "id"), &call);

	if (!ask || !(q->rights & call->request.needed))
		return;
	ask->reply = TAKE_PTR(q->message.root);
	task_wake(call->task);
}

/* ---- modern versions: questions in the response ---- */

static const struct json *find_answer(struct mcp_call *call, const struct mcp_question *question)
{
	struct asking *a = &call->asking;
	const struct json *answer = json_member(a->earlier, question->key);
	bool unasked = !json_member(a->asked, question->key);

	if (!answer && !(question->proven && unasked))
		answer = json_member(json_member(call->request.message.params, "inputResponses"), question->key);
	if (!answer || !feature_table[question->feature].takes(answer))
		return NULL;
	str_json(&a->answers, "? ?:", JSON_COMMA(a->answers.len), question->key);
	json_print(&a->answers, answer);
	return answer;
}

static int ask_in_answer(struct mcp_call *call, struct mcp_question *questions, size_t count)
{
	struct str *out = &call->asking.requests;

	for (size_t i = 0; i < count; i++) {
		questions[i].answer = find_answer(call, &questions[i]);
		if (questions[i].answer)
			continue;
		str_json(out, "? ?: {method: ?, params:", JSON_COMMA(out->len), questions[i].key,
			 feature_table[questions[i].feature].method);
		feature_write_params(&questions[i], call->request.version, NULL, out);
		str_append_char(out, '}');
	}
	return out->len ? -EINPROGRESS : 0;
}

bool asking_begin(struct request *q, struct asking *a)
{
	const struct json *responses = json_member(q->message.params, "inputResponses");
	const struct json *state = json_member(q->message.params, "requestState");
	bool objects = !responses || json_type(responses) == JSON_OBJECT;

	if (!q->version->modern)
		return true;
	json_foreach(response, responses)
		objects &= json_type(response) == JSON_OBJECT;
	if (!objects)
		request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"inputResponses\" must be an object of objects");
	else if (state && (!json_str(state, NULL) || !ask_state_take(q, json_str(state, NULL), a)))
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: this \"requestState\" was not given for this request, "
			      "was used, or has expired: send the request without it");
	else
		return true;
	return false;
}

/* ---- all versions ---- */

int mcp_call_ask(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout)
{
	for (size_t i = 0; i < count; i++)
		if (!mcp_call_can_ask(call, questions[i].feature))
			return fail_missing_capability(t, call, questions[i].feature);
	if (!call->request.version->modern)
		return ask_now(t, call, questions, count, timeout);
	if (!call->as_task)
		return ask_in_answer(call, questions, count);
	for (size_t i = 0; i < count; i++)
		questions[i].answer = find_answer(call, &questions[i]);
	return ask_in_task(t, call, questions, count, timeout);
}

static void answer_with_questions(struct mcp_call *call)
{
	_cleanup_(str_done) struct str members = {}, name = {};

	if (!ask_state_give(&call->request, &call->asking, &name)) {
		request_error(&call->request, RPC_INVALID_PARAMS, NULL, "Invalid params: the answers are too long");
		return;
	}
	str_json(&members, "inputRequests: {?}, requestState: ?", JSON_RAW(call->asking.requests.data), name.data);
	request_reply_asking(&call->request, &members);
}

bool asking_answer(struct mcp_call *call, int r)
{
	if (r == -EINPROGRESS && call->asking.requests.len) {
		answer_with_questions(call);
		return true;
	}
	if (r != -ERR_CLIENT_CANNOT || !call->asking.missing || !call->request.version->modern)
		return false;
	request_error_capability(&call->request, call->asking.missing, call->name);
	return true;
}

void asking_done(struct asking *a)
{
	while (!LIST_EMPTY(&a->asks))
		ask_free(LIST_FIRST(&a->asks));
	json_free(a->asked);
	json_free(a->earlier);
	str_done(&a->requests);
	str_done(&a->answers);
}
