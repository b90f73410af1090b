/* Calls that ask their client: by requests to it in legacy versions, by questions in the response in modern ones. */
#include "mcp_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"

#define NAME_PARAMS "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"
#define MINUTE (60 * USEC_PER_SEC)

struct greet {
	const char *word;
	double timeout; /* milliseconds */
	bool proven, twice, model;
};

static const struct param greet_params[] = {
	PARAM(greet, word, "To begin with"),
	PARAM(greet, timeout, "Of the question"),
	PARAM(greet, proven, "Only an answer that was asked for"),
	PARAM(greet, twice, "Ask for a second name when there is a first"),
	PARAM(greet, model, "Ask the model, too"),
	{},
};

static int greet_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct greet *a = args;
	struct mcp_question questions[] = {
		{ .key = "name", .feature = MCP_ELICITATION, .params = NAME_PARAMS, .proven = a->proven },
		{ .key = "model", .feature = MCP_SAMPLING, .params = "{\"messages\":[],\"maxTokens\":1}" },
	};
	struct mcp_question second = { .key = "second", .feature = MCP_ELICITATION, .params = NAME_PARAMS };
	usec_t timeout = a->timeout > 0 ? (usec_t)a->timeout * USEC_PER_MSEC : MINUTE;
	int r = mcp_call_ask(t, call, questions, a->model ? 2 : 1, timeout);

	if (r == 0 && a->twice)
		r = mcp_call_ask(t, call, &second, 1, timeout);
	if (r < 0)
		return r;
	result_text(res, arena_printf(task_arena(t), "%s %s%s", a->word ? a->word : "Hello",
				      json_str(questions[0].answer, "content.name"),
				      a->twice ? json_str(second.answer, "content.name") : ""));
	return 0;
}

static const struct tool tool_greet = {
	.name = "greet",
	.about = "Say hello",
	.params = greet_params,
	.size = sizeof(struct greet),
	.run = greet_run,
};

/* Shows an address, and waits for the client's answer to that. */
static int visit_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	static const char *const words[] = { "none", "accepted", "declined", "cancelled", "failed" };
	const struct mcp_question question = { .key = "visit",
					       .feature = MCP_ELICITATION_URL,
					       .params = "{\"url\":\"http://x/\",\"message\":\"Look\"}" };
	struct ask *ask = mcp_call_begin_ask(call, &question);
	const struct json *content;
	int r = 0;

	while (ask && r == 0 && mcp_ask_reply(ask, &content) == MCP_REPLY_NONE)
		r = task_wait(t, "the client");
	result_text(res, ask ? words[mcp_ask_reply(ask, &content)] : "not asked");
	if (ask)
		mcp_call_end_ask(call, ask);
	return r;
}

static const struct tool tool_visit = { .name = "visit", .about = "Show an address", .run = visit_run };
static const struct tool *const tools[] = { &tool_greet, &tool_visit, NULL };

static int setup(void **state)
{
	fixture_setup(state);
	((struct fixture *)*state)->server.tools = tools;
	return 0;
}

static void shake_hands(struct fixture *f, const char *version, const char *capabilities)
{
	say(f,
	    "{jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {protocolVersion: ?, capabilities: ?, "
	    "clientInfo: {name: 'test', version: '1'}}}",
	    version, JSON_RAW(capabilities));
	free(next_message(f));
}

#define CALL(id, arguments) \
	"{jsonrpc: '2.0', id: " id ", method: 'tools/call', params: {name: 'greet', arguments: {" arguments "}}}"
#define ACCEPT(name) "{action: 'accept', content: {name: '" name "'}}"

static void expect_said(struct fixture *f, const char *id, const char *text)
{
	expect(f, "{jsonrpc: '2.0', id: ?, result: {content: [{type: 'text', text: ?}]}}", JSON_RAW(id), text);
}

static void expect_failed(struct fixture *f, const char *code, const char *part)
{
	_cleanup_(json_freep) struct json *v = next_json(f);
	const char *text = json_str(json_first(json_get(v, "result.content")), "text");

	assert_true(json_bool(v, "result.isError", false));
	if (!text || !strstr(text, code) || !strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\" and \"%s\"", text ? text : "nothing", code, part);
}

/* ---- with a handshake ---- */

static void the_answer_ends_the_wait(void **state)
{
	struct fixture *f = *state;

	shake_hands(f, "2025-11-25", "{\"elicitation\":{}}");
	say(f, CALL("1", ""));
	expect(f, "{jsonrpc: '2.0', id: 's-1', method: 'elicitation/create', params: {mode: 'form', message: 'Who?', "
		  "requestedSchema: {type: 'object', properties: {}}}}");
	say(f, "{jsonrpc: '2.0', id: 's-2', result: " ACCEPT("unrequested") "}");
	say(f, "{jsonrpc: '2.0', id: 1, result: " ACCEPT("unrequested") "}");
	say(f, "{jsonrpc: '2.0', id: 's-1', result: " ACCEPT("Ada") "}");
	say(f, "{jsonrpc: '2.0', id: 's-1', result: " ACCEPT("too late") "}");
	expect_said(f, "1", "Hello Ada");
	expect_nothing(f);
}

static void each_call_gets_its_own_answers(void **state)
{
	struct fixture *f = *state;

	shake_hands(f, "2025-06-18", "{\"elicitation\":{},\"sampling\":{}}");
	say(f, CALL("1", "model: true"));
	say(f, CALL("2", ""));
	expect(f, "{jsonrpc: '2.0', id: 's-1', method: 'elicitation/create', params: " NAME_PARAMS "}");
	expect(f, "{jsonrpc: '2.0', id: 's-2', method: 'sampling/createMessage', params: {messages: [], maxTokens: 1}}");
	expect(f, "{jsonrpc: '2.0', id: 's-3', method: 'elicitation/create', params: " NAME_PARAMS "}");
	say(f, "{jsonrpc: '2.0', id: 's-1', result: " ACCEPT("Ada") "}");
	say(f, "{jsonrpc: '2.0', id: 's-3', result: " ACCEPT("Bob") "}");
	expect_said(f, "2", "Hello Bob");
	say(f, "{jsonrpc: '2.0', id: 's-2', result: {role: 'assistant', model: 'm', content: {type: 'text', text: 'x'}}}");
	expect_said(f, "1", "Hello Ada");
}

static void what_the_client_cannot_answer_fails_the_call(void **state)
{
	struct fixture *f = *state;

	shake_hands(f, "2025-11-25", "{\"elicitation\":{\"form\":{}}}");
	say(f, CALL("1", "model: true"));
	expect_failed(f, "CLIENT_CANNOT_BE_ASKED", "sampling/createMessage");
	say(f, CALL("2", ""));
	free(next_message(f));
	say(f, "{jsonrpc: '2.0', id: 's-1', error: {code: -1, message: 'the user is asleep'}}");
	expect_failed(f, "CLIENT_CANNOT_BE_ASKED", "the user is asleep");
	say(f, CALL("3", ""));
	free(next_message(f));
	say(f, "{jsonrpc: '2.0', id: 's-2', result: {action: 'accept'}}");
	expect_failed(f, "CLIENT_CANNOT_BE_ASKED", "structure that the protocol prescribes");
}

static void some_clients_have_no_forms(void **state)
{
	static const struct {
		const char *version, *capabilities;
	} rows[] = {
		{ "2025-11-25", "{}" },
		{ "2025-11-25", "{\"elicitation\":{\"url\":{}}}" },
		{ "2025-11-25", "{\"elicitation\":true}" },
		{ "2025-03-26", "{\"elicitation\":{}}" },
		{ "2024-11-05", "{\"elicitation\":{}}" },
	};
	void *other;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		setup(&other);
		shake_hands(other, rows[i].version, rows[i].capabilities);
		say(other, CALL("1", ""));
		expect_failed(other, "CLIENT_CANNOT_BE_ASKED", "elicitation");
		fixture_teardown(&other);
	}
}

#define VISIT "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'visit'}}"

/* Returns the id of the elicitation; to be freed. */
static struct json *expect_address(struct fixture *f)
{
	struct json *asked = next_json(f);

	assert_string_equal(json_str(asked, "method"), "elicitation/create");
	assert_string_equal(json_str(asked, "params.mode"), "url");
	assert_string_equal(json_str(asked, "params.url"), "http://x/");
	assert_string_equal(json_str(asked, "params.message"), "Look");
	return asked;
}

static void expect_complete(struct fixture *f, const struct json *asked)
{
	expect(f, "{jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: {elicitationId: ?}}",
	       json_str(asked, "params.elicitationId"));
}

static void an_address_is_shown_beside_another_wait(void **state)
{
	static const char *const actions[][2] = {
		{ "accept", "accepted" }, { "decline", "declined" }, { "cancel", "cancelled" }, { "nonsense", "failed" }
	};
	void *other;

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		_cleanup_(json_freep) struct json *asked = NULL;

		setup(&other);
		shake_hands(other, "2025-11-25", "{\"elicitation\":{\"url\":{}}}");
		say(other, VISIT);
		asked = expect_address(other);
		say(other, "{jsonrpc: '2.0', id: ?, result: {action: ?}}", json_str(asked, "id"), actions[i][0]);
		expect_complete(other, asked);
		expect_said(other, "1", actions[i][1]);
		fixture_teardown(&other);
	}
}

static void an_address_that_nobody_needs_is_withdrawn(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *asked = NULL;

	shake_hands(f, "2025-11-25", "{\"elicitation\":{\"url\":{}}}");
	say(f, VISIT);
	asked = expect_address(f);
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	expect(f,
	       "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: ?, reason: 'it needs no answer any more'}}",
	       json_str(asked, "id"));
	expect_complete(f, asked);
	expect_nothing(f);
}

static void some_clients_show_no_addresses(void **state)
{
	static const char *const rows[][2] = { { "2025-11-25", "{\"elicitation\":{}}" },
					       { "2025-11-25", "{\"elicitation\":{\"form\":{}}}" },
					       { "2025-11-25", "{\"elicitation\":{\"url\":true}}" },
					       { "2025-06-18", "{\"elicitation\":{\"url\":{}}}" } };
	void *other;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		setup(&other);
		shake_hands(other, rows[i][0], rows[i][1]);
		say(other, VISIT);
		expect_said(other, "1", "not asked");
		fixture_teardown(&other);
	}
}

static void questions_are_withdrawn(void **state)
{
	struct fixture *f = *state;

	shake_hands(f, "2025-11-25", "{\"elicitation\":{}}");
	say(f, CALL("1", "timeout: 1"));
	free(next_message(f));
	expect(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 's-1', reason: "
		  "'there was no answer for too long'}}");
	expect_failed(f, "BROWSER_ERROR", "has not answered elicitation/create");
	say(f, CALL("2", ""));
	free(next_message(f));
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 2}}");
	expect(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 's-2', reason: 'the call has ended'}}");
	say(f, "{jsonrpc: '2.0', id: 's-2', result: " ACCEPT("too late") "}");
	expect_nothing(f);
}

/* ---- without ---- */

#define ASK_META \
	"_meta: {io.modelcontextprotocol/protocolVersion: '2026-07-28', io.modelcontextprotocol/clientCapabilities: " \
	"{elicitation: {}, sampling: {}}}"

/* Calls with more members of params, and gives what was answered. */
static struct json *call(struct fixture *f, const char *arguments, const char *more)
{
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'greet', arguments: {?}, ? " ASK_META "}}",
	    JSON_RAW(arguments), JSON_RAW(more));
	return next_json(f);
}

/* The state of an answer that must be questions for `keys`, comma-separated. */
static const char *asked(const struct json *answer, const char *keys)
{
	_cleanup_(str_done) struct str names = {};

	assert_string_equal(json_str(answer, "result.resultType"), "input_required");
	json_foreach(request, json_get(answer, "result.inputRequests"))
		str_appendf(&names, "%s%s", names.len ? "," : "", json_name(request));
	assert_string_equal(str_text(&names), keys);
	return json_str(answer, "result.requestState");
}

static void assert_said(const struct json *answer, const char *text)
{
	assert_string_equal(json_str(answer, "result.resultType"), "complete");
	assert_string_equal(json_str(json_first(json_get(answer, "result.content")), "text"), text);
}

static void assert_refused(const struct json *answer, const char *part)
{
	assert_int_equal(json_int(answer, "error.code", 0), -32602);
	assert_non_null(strstr(json_str(answer, "error.message"), part));
}

/* Members that send the state of `answer` back. */
static const char *again(struct str *out, const struct json *answer, const char *responses)
{
	str_reset(out);
	str_json(out, "requestState: ?, inputResponses: {?},", json_str(answer, "result.requestState"), JSON_RAW(responses));
	return out->data;
}

#define NAMED(name) "\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"" name "\"}}"
#define SECOND(name) "\"second\":{\"action\":\"accept\",\"content\":{\"name\":\"" name "\"}}"

static void questions_are_the_answer(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *first = call(f, "", ""), *wrong = NULL, *last = NULL;
	_cleanup_(str_done) struct str more = {};

	asked(first, "name");
	assert_string_equal(json_str(first, "result.inputRequests.name.method"), "elicitation/create");
	assert_string_equal(json_str(first, "result.inputRequests.name.params.mode"), "form");
	wrong = call(f, "", again(&more, first, "\"name\":{\"action\":\"accept\"},\"other\":{}"));
	asked(wrong, "name");
	last = call(f, "", again(&more, wrong, NAMED("Ada") ",\"more\":{}"));
	assert_said(last, "Hello Ada");
}

static void earlier_answers_are_remembered(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *first = call(f, "\"twice\":true,\"model\":true", ""), *second = NULL, *third = NULL,
					  *last = NULL;
	_cleanup_(str_done) struct str more = {};

	asked(first, "name,model");
	second = call(f, "\"twice\":true,\"model\":true", again(&more, first, NAMED("Ada ")));
	asked(second, "model");
	third = call(f, "\"twice\":true,\"model\":true", again(&more, second, "\"model\":{\"content\":[]}"));
	asked(third, "second");
	last = call(f, "\"twice\":true,\"model\":true", again(&more, third, SECOND("Lovelace")));
	assert_said(last, "Hello Ada Lovelace");
}

static void a_state_is_good_for_one_retry_of_its_request(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *first = call(f, "", ""), *other = NULL, *forged = NULL, *last = NULL, *replay = NULL;
	_cleanup_(str_done) struct str more = {};

	other = call(f, "\"word\":\"Bye\"", again(&more, first, NAMED("Ada")));
	assert_refused(other, "was not given for this request");
	forged = call(f, "", "\"requestState\":\"0123456789abcdef0123456789abcdef\",");
	assert_refused(forged, "send the request without it");
	last = call(f, "", again(&more, first, NAMED("Ada")));
	assert_said(last, "Hello Ada");
	replay = call(f, "", again(&more, first, NAMED("Ada")));
	assert_refused(replay, "was used");
}

static void answers_that_were_not_asked_for(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *taken = NULL, *not_taken = NULL, *last = NULL;
	_cleanup_(str_done) struct str more = {};

	taken = call(f, "", "\"inputResponses\":{" NAMED("Ada") "},");
	assert_said(taken, "Hello Ada");
	not_taken = call(f, "\"proven\":true", "\"inputResponses\":{" NAMED("Eve") "},");
	asked(not_taken, "name");
	last = call(f, "\"proven\":true", again(&more, not_taken, NAMED("Ada")));
	assert_said(last, "Hello Ada");
}

static void malformed_retries_are_refused(void **state)
{
	static const char *const malformed[] = {
		"\"inputResponses\":null,", "\"inputResponses\":[],", "\"inputResponses\":{\"name\":5},",
		"\"requestState\":5,",      "\"requestState\":{},",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
		_cleanup_(json_freep) struct json *answer = call(f, "", malformed[i]);

		assert_refused(answer, "Invalid params");
	}
}

static void a_missing_capability_is_named(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *answer = NULL;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'greet', _meta: {" MODERN_META "}}}");
	answer = next_json(f);
	assert_int_equal(json_int(answer, "error.code", 0), -32021);
	assert_int_equal(json_type(json_get(answer, "error.data.requiredCapabilities.elicitation")), JSON_OBJECT);
}

static void what_is_kept_is_bounded(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *oldest = call(f, "", ""), *gone = NULL, *second = NULL, *too_long = NULL;
	_cleanup_(str_done) struct str more = {}, name = {};

	for (unsigned i = 0; i < LIMIT_ASKED_COUNT; i++) {
		_cleanup_(json_freep) struct json *other = call(f, "", "");

		asked(other, "name");
	}
	gone = call(f, "", again(&more, oldest, NAMED("Ada")));
	assert_refused(gone, "has expired");
	second = call(f, "\"twice\":true", "");
	str_append(&name, "\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"");
	for (unsigned i = 0; i < LIMIT_ASKED_BYTES / 16; i++)
		str_append_char(&name, 'a');
	str_append(&name, "\"}}");
	too_long = call(f, "\"twice\":true", again(&more, second, name.data));
	assert_refused(too_long, "too long");
}

/* Neither with many questions nor with large ones. */
static void no_owner_makes_the_questions_of_others_expire(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *kept = call(f, "", ""), *said = NULL;
	_cleanup_(str_done) struct str more = {}, name = {};
	struct mcp_conn *before = fixture_change_client(f, 2);

	str_append(&name, "\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"");
	for (unsigned i = 0; i < LIMIT_ASKED_BYTES / 20; i++)
		str_append_char(&name, 'a');
	str_append(&name, "\"}}");
	for (unsigned i = 0; i < LIMIT_ASKED_COUNT; i++) {
		_cleanup_(json_freep) struct json *first = call(f, "\"twice\":true", ""), *second = NULL;

		if (i < 40)
			second = call(f, "\"twice\":true", again(&more, first, name.data));
		asked(second ? second : first, second ? "second" : "name");
	}
	fixture_restore_client(f, before);
	said = call(f, "", again(&more, kept, NAMED("Ada")));
	assert_said(said, "Hello Ada");
}

/* ---- prompts and completion ---- */

static void list_prompts(struct str *out, void *data)
{
	str_json(out, "{name: 'p'}");
}

static int get_prompt(struct task *t, struct mcp_call *mcp_call, const char *name, const struct json *arguments, struct str *out)
{
	if (strcmp(name, "p") != 0)
		return -ENOENT;
	if (!json_str(arguments, "a"))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "a is missing");
	str_json(out, "{role: 'user', content: {type: 'text', text: ?}}", json_str(arguments, "a"));
	return 0;
}

static void complete_prompt(struct mcp_completion *c, void *data)
{
	char value[16];

	for (unsigned i = 0; !strcmp(c->ref, "p") && !strcmp(c->argument, "a") && i < 200; i++) {
		snprintf(value, sizeof(value), "%u", i);
		mcp_completion_offer(c, value);
	}
}

static const struct mcp_prompts prompts = { list_prompts, get_prompt, complete_prompt };

static void prompts_are_got(void **state)
{
	struct fixture *f = *state;

	f->server.prompts = &prompts;
	shake_hands(f, "2025-11-25", "{}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'prompts/list'}");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {prompts: [{name: 'p'}]}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'prompts/get', params: {name: 'p', arguments: {a: 'x'}}}");
	expect(f, "{jsonrpc: '2.0', id: 2, result: {messages: [{role: 'user', content: {type: 'text', text: 'x'}}]}}");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'prompts/get', params: {name: 'p'}}");
	expect_error(f, "3", -32602, "a is missing");
	say(f, "{jsonrpc: '2.0', id: 4, method: 'prompts/get', params: {name: 'q'}}");
	expect_error(f, "4", -32602, "Unknown prompt: q");
	say(f, "{jsonrpc: '2.0', id: 5, method: 'prompts/get', params: {name: 'p', arguments: []}}");
	expect_error(f, "5", -32602, "Invalid params");
}

static void arguments_are_completed(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *many = NULL;

	f->server.prompts = &prompts;
	shake_hands(f, "2025-11-25", "{}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'completion/complete', params: {ref: {type: 'ref/prompt', name: 'p'}, "
	       "argument: {name: 'a', value: '19'}}}");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {completion: {values: ['19', '190', '191', '192', '193', '194', '195', '196', "
		  "'197', '198', '199'], total: 11, hasMore: false}}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'completion/complete', params: {ref: {type: 'ref/prompt', name: 'p'}, "
	       "argument: {name: 'a', value: ''}}}");
	many = next_json(f);
	assert_int_equal(json_count(json_get(many, "result.completion.values")), 100);
	assert_int_equal(json_int(many, "result.completion.total", 0), 200);
	assert_true(json_bool(many, "result.completion.hasMore", false));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_answer_ends_the_wait),
		TEST(each_call_gets_its_own_answers),
		TEST(what_the_client_cannot_answer_fails_the_call),
		TEST(some_clients_have_no_forms),
		TEST(an_address_is_shown_beside_another_wait),
		TEST(an_address_that_nobody_needs_is_withdrawn),
		TEST(some_clients_show_no_addresses),
		TEST(questions_are_withdrawn),
		TEST(questions_are_the_answer),
		TEST(earlier_answers_are_remembered),
		TEST(a_state_is_good_for_one_retry_of_its_request),
		TEST(answers_that_were_not_asked_for),
		TEST(malformed_retries_are_refused),
		TEST(a_missing_capability_is_named),
		TEST(what_is_kept_is_bounded),
		TEST(no_owner_makes_the_questions_of_others_expire),
		TEST(prompts_are_got),
		TEST(arguments_are_completed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
