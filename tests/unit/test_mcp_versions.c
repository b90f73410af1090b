/* Which version a message is answered in, and what answers hold in each. */
#include "mcp_fixture.h"

#include <string.h>

#define INFO_PLAIN "{name: 'browserd', version: '1.0'}"
#define INFO_TITLED "{name: 'browserd', title: 'Browser', version: '1.0'}"
#define MODERN_RESULT "resultType: 'complete', _meta: {io.modelcontextprotocol/serverInfo: " INFO_TITLED "}"
#define MODERN_CACHED(msec, scope) \
	"resultType: 'complete', ttlMs: " msec ", cacheScope: '" scope \
	"', _meta: {io.modelcontextprotocol/serverInfo: " INFO_TITLED "}"
#define SUPPORTED "['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']"

static void initialize_with(struct fixture *f, const char *asked)
{
	say(f, "{jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: ?, capabilities: {}}}", asked);
}

#define INITIALIZED(version, capabilities, info) \
	"{jsonrpc: '2.0', id: 1, result: {protocolVersion: '" version "', capabilities: " capabilities ", serverInfo: " info \
	", instructions: 'Be kind'}}"

#define CAPABILITIES_IN(more) "{tools: {}, resources: {}, prompts: {}, logging: {}, completions: {}" more "}"
#define CAPABILITIES CAPABILITIES_IN("")
#define CAPABILITIES_2026 CAPABILITIES_IN(", extensions: {io.modelcontextprotocol/tasks: {}}")

static void initialize_2024_11_05(void **state)
{
	initialize_with(*state, "2024-11-05");
	expect(*state, INITIALIZED("2024-11-05", "{tools: {}, resources: {}, prompts: {}, logging: {}}", INFO_PLAIN));
}

static void initialize_2025_03_26(void **state)
{
	initialize_with(*state, "2025-03-26");
	expect(*state, INITIALIZED("2025-03-26", CAPABILITIES, INFO_PLAIN));
}

static void initialize_2025_06_18(void **state)
{
	initialize_with(*state, "2025-06-18");
	expect(*state, INITIALIZED("2025-06-18", CAPABILITIES, INFO_TITLED));
}

static void initialize_2025_11_25(void **state)
{
	initialize_with(*state, "2025-11-25");
	expect(*state, INITIALIZED("2025-11-25", CAPABILITIES, INFO_TITLED));
}

static void unknown_versions_get_the_newest_legacy_one(void **state)
{
	initialize_with(*state, "1999-01-01");
	expect(*state, INITIALIZED("2025-11-25", CAPABILITIES, INFO_TITLED));
}

static void a_handshake_never_gives_a_modern_version(void **state)
{
	initialize_with(*state, "2026-07-28");
	expect(*state, INITIALIZED("2025-11-25", CAPABILITIES, INFO_TITLED));
}

static void initialize_needs_a_version_and_comes_once(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'initialize'}");
	expect_error(f, "1", -32602, "protocolVersion");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: 7}}");
	expect_error(f, "1", -32602, "protocolVersion");
	handshake(f, "2025-06-18");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'initialize', params: {protocolVersion: '2025-06-18'}}");
	expect_error(f, "2", -32600, "already initialized");
}

static void before_the_handshake(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 'p', method: 'ping'}");
	expect(f, "{jsonrpc: '2.0', id: 'p', result: {}}");
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/list'}");
	expect_error(f, "1", -32602, "Not initialized");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'nonsense'}");
	expect_error(f, "2", -32602, "Not initialized");
	say(f, "{jsonrpc: '2.0', method: 'notifications/initialized'}");
	say(f, "{jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 1}}");
	expect_nothing(f);
	handshake(f, "2025-11-25"); /* still possible */
}

static void requests_may_follow_the_handshake_at_once(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18'}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'resources/list'}");
	free(next_message(f));
	expect(f, "{jsonrpc: '2.0', id: 2, result: {resources: []}}");
}

static void discovery(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 7, method: 'server/discover', params: {_meta: {" MODERN_META "}}}");
	expect(f, "{jsonrpc: '2.0', id: 7, result: {" MODERN_CACHED("300000", "public") ", supportedVersions: " SUPPORTED
											", capabilities: " CAPABILITIES_2026
											", instructions: 'Be kind'}}");
}

static void modern_requests_need_their_metadata(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'server/discover'}");
	expect_error(f, "1", -32602, "clientCapabilities");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'server/discover', params: {_meta: "
	       "{io.modelcontextprotocol/protocolVersion: '2026-07-28'}}}");
	expect_error(f, "2", -32602, "clientCapabilities");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'tools/list', params: {_meta: "
	       "{io.modelcontextprotocol/protocolVersion: 5, io.modelcontextprotocol/clientCapabilities: {}}}}");
	expect_error(f, "3", -32602, "protocolVersion");
	say(f, "{jsonrpc: '2.0', id: 4, method: 'subscriptions/listen', params: {_meta: []}}");
	expect_error(f, "4", -32602, "protocolVersion");
	say(f, "{jsonrpc: '2.0', id: 5, method: 'tools/list', params: {_meta: {" MODERN_META
	       ", io.modelcontextprotocol/logLevel: 'loud'}}}");
	expect_error(f, "5", -32602, "logLevel");
}

static void unsupported_modern_versions(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/list', params: {_meta: {io.modelcontextprotocol/protocolVersion: "
	       "'2030-01-01', io.modelcontextprotocol/clientCapabilities: {}}}}");
	expect(f, "{jsonrpc: '2.0', id: 1, error: {code: -32022, message: 'Unsupported protocol version: 2030-01-01', "
		  "data: {supported: " SUPPORTED ", requested: '2030-01-01'}}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'server/discover', params: {_meta: {io.modelcontextprotocol/protocolVersion: "
	       "'2025-11-25', io.modelcontextprotocol/clientCapabilities: {}}}}");
	expect_error(f, "2", -32602, "Not initialized");
}

static void modern_requests_stand_alone(void **state)
{
	struct fixture *f = *state;

	for (int round = 0; round < 2; round++) { /* without a handshake, and beside one */
		say(f, "{jsonrpc: '2.0', id: 1, method: 'prompts/list', params: {_meta: {" MODERN_META "}}}");
		expect(f, "{jsonrpc: '2.0', id: 1, result: {" MODERN_CACHED("300000", "public") ", prompts: []}}");
		say(f, "{jsonrpc: '2.0', id: 2, method: 'resources/list', params: {_meta: {" MODERN_META "}}}");
		expect(f, "{jsonrpc: '2.0', id: 2, result: {" MODERN_CACHED("0", "private") ", resources: []}}");
		say(f, "{jsonrpc: '2.0', id: 3, method: 'resources/templates/list', params: {_meta: {" MODERN_META "}}}");
		expect(f, "{jsonrpc: '2.0', id: 3, result: {" MODERN_CACHED("300000", "public") ", resourceTemplates: []}}");
		if (round == 0)
			handshake(f, "2025-06-18");
	}
	say(f, "{jsonrpc: '2.0', id: 4, method: 'prompts/list'}");
	expect(f, "{jsonrpc: '2.0', id: 4, result: {prompts: []}}");
}

static void methods_of_the_other_era_do_not_exist(void **state)
{
	static const char *const removed[] = { "initialize", "ping", "logging/setLevel", "resources/subscribe" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(removed); i++) {
		say(f, "{jsonrpc: '2.0', id: 1, method: ?, params: {protocolVersion: '2025-06-18', _meta: {" MODERN_META "}}}",
		    removed[i]);
		expect_error(f, "1", -32601, removed[i]);
	}
	f->server.tools_only = true; /* nothing changes in such a server */
	say(f, "{jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: {_meta: {" MODERN_META "}}}");
	expect_error(f, "2", -32601, "Method not found");
	f->server.tools_only = false;
	handshake(f, "2025-11-25");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: {uri: 'x:y'}}");
	expect_error(f, "3", -32601, "resources/subscribe");
}

/* The first tool's entry, and the answer of one call, in each version. */
static void ask_tools(struct fixture *f, const char *version)
{
	handshake(f, version);
	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/list', params: {}}");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'echo', arguments: {text: 'hi'}}}");
}

#define expect_tools(f, ...) expect_tools_values(f, JSON_VALUES(__VA_ARGS__))
static void expect_tools_values(struct fixture *f, uint64_t types, const char *template, ...)
{
	_cleanup_(freep) char *message = next_message(f);
	_cleanup_(str_done) struct str start = {};
	va_list ap;

	str_json(&start, "{jsonrpc: '2.0', id: 1, result: {tools: [{");
	va_start(ap, template);
	str_vjson(&start, types, template, ap);
	va_end(ap);
	str_json(&start, "}, {name: 'wait', ");
	message[start.len] = 0;
	assert_string_equal(message, start.data);
}

#define EXPECT_ECHO(f, members) expect(f, "{jsonrpc: '2.0', id: 2, result: {" members "}}")

#define ENTRY_SCHEMA \
	"inputSchema: {type: 'object', properties: {text: {type: 'string', description: 'What to say'}, " \
	"sessionId: {type: 'string', description: 'Whose call it is'}}, required: ['text']}"
#define ENTRY_HINTS "annotations: {readOnlyHint: true}"
#define CONTENT "content: [{type: 'text', text: '{\"said\":\"hi\"}'}]"

static void tools_2024_11_05(void **state)
{
	ask_tools(*state, "2024-11-05");
	expect_tools(*state, "name: 'echo', description: 'Say it again', " ENTRY_SCHEMA);
	EXPECT_ECHO(*state, CONTENT);
}

static void tools_2025_03_26(void **state)
{
	ask_tools(*state, "2025-03-26");
	expect_tools(*state, "name: 'echo', description: 'Say it again', " ENTRY_SCHEMA ", " ENTRY_HINTS);
	EXPECT_ECHO(*state, CONTENT);
}

#define ENTRY_FULL "name: 'echo', description: 'Say it again', " ENTRY_SCHEMA ", outputSchema: {type: 'object'}, " ENTRY_HINTS

static void tools_2025_06_18(void **state)
{
	ask_tools(*state, "2025-06-18");
	expect_tools(*state, ENTRY_FULL);
	EXPECT_ECHO(*state, CONTENT ", structuredContent: {said: 'hi'}");
}

static void tools_2025_11_25(void **state)
{
	ask_tools(*state, "2025-11-25");
	expect_tools(*state, ENTRY_FULL);
	EXPECT_ECHO(*state, CONTENT ", structuredContent: {said: 'hi'}");
}

static void tools_2026_07_28(void **state)
{
	struct fixture *f = *state;
	_cleanup_(json_freep) struct json *list = NULL;
	const struct json *echo;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'tools/list', params: {_meta: {" MODERN_META "}}}");
	list = next_json(f);
	echo = json_first(json_get(list, "result.tools"));
	assert_string_equal(json_str(list, "result.resultType"), "complete");
	assert_int_equal(json_int(list, "result.ttlMs", -1), 300000);
	assert_string_equal(json_str(list, "result.cacheScope"), "public");
	assert_null(json_get(echo, "annotations.title"));
	assert_string_equal(json_str(echo, "outputSchema.type"), "object");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'echo', arguments: {text: 'hi'}, "
	       "_meta: {" MODERN_META "}}}");
	expect(f, "{jsonrpc: '2.0', id: 2, result: {" MODERN_RESULT ", " CONTENT ", structuredContent: {said: 'hi'}}}");
}

static void resource_not_found(void **state)
{
	struct fixture *f = *state;

	say(f, "{jsonrpc: '2.0', id: 1, method: 'resources/read', params: {uri: 'x:\"y', _meta: {" MODERN_META "}}}");
	expect(f, "{jsonrpc: '2.0', id: 1, error: {code: -32602, message: 'Resource not found', data: {uri: 'x:\"y'}}}");
	handshake(f, "2025-11-25");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'resources/read', params: {uri: 'x:y'}}");
	expect(f, "{jsonrpc: '2.0', id: 2, error: {code: -32002, message: 'Resource not found', data: {uri: 'x:y'}}}");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'resources/read'}");
	expect_error(f, "3", -32602, "uri");
}

static void empty_lists_and_completion(void **state)
{
	static const char *const lists[] = { "tools/list", "prompts/list", "resources/list", "resources/templates/list" };
	struct fixture *f = *state;

	handshake(f, "2025-11-25");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		say(f, "{jsonrpc: '2.0', id: 1, method: ?, params: {cursor: ''}}", lists[i]);
		expect_error(f, "1", -32602, "cursor");
		say(f, "{jsonrpc: '2.0', id: 1, method: ?, params: {cursor: 5}}", lists[i]);
		expect_error(f, "1", -32602, "cursor");
	}
	say(f, "{jsonrpc: '2.0', id: 2, method: 'prompts/get', params: {name: 'p'}}");
	expect_error(f, "2", -32602, "Unknown prompt: p");
	say(f, "{jsonrpc: '2.0', id: 2, method: 'prompts/get'}");
	expect_error(f, "2", -32602, "name");
	say(f, "{jsonrpc: '2.0', id: 3, method: 'completion/complete', params: {ref: {type: 'ref/prompt', name: 'x'}, "
	       "argument: {name: 'a', value: ''}}}");
	expect(f, "{jsonrpc: '2.0', id: 3, result: {completion: {values: [], total: 0, hasMore: false}}}");
	say(f, "{jsonrpc: '2.0', id: 4, method: 'completion/complete', params: {ref: {}}}");
	expect_error(f, "4", -32602, "argument");
}

static void batches(void **state)
{
	struct fixture *f = *state;

	handshake(f, "2025-03-26");
	say(f, "[{jsonrpc: '2.0', id: 1, method: 'ping'}, {jsonrpc: '2.0', method: 'notifications/x'}, 5, "
	       "{jsonrpc: '2.0', id: 2, result: {}}, {jsonrpc: '2.0', id: 'b', method: 'tools/call', params: {name: 'echo', "
	       "arguments: {text: 'a'}}}, {jsonrpc: '2.0', id: 3, method: 'none', params: {x: '\\u0000'}}]");
	expect(f, "{jsonrpc: '2.0', id: 1, result: {}}");
	expect_error(f, NULL, -32600, "must be an object");
	expect_error(f, "3", -32602, "\\u0000");
	expect(f, "{jsonrpc: '2.0', id: 'b', result: {content: [{type: 'text', text: '{\"said\":\"a\"}'}]}}");
	say(f, "[{jsonrpc: '2.0', method: 'notifications/x'}]");
	expect_nothing(f);
	say(f, "[]");
	expect_error(f, NULL, -32600, "empty");
	say(f, "[{jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: '2025-03-26'}}]");
	expect_error(f, "1", -32600, "already");
	say_raw(f, "[{},", 4);
	expect_error(f, NULL, -32700, "not JSON");
}

/* A text that is no JSON is refused as a whole: the messages before the mistake are not handled. */
static void broken_batches_do_nothing(void **state)
{
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
	static const char *const rest[] = { "", ",", ",]", ",{]", " 1]", "}", "]]", ",\"\xff\"]", ",{\"id\":2,\"x\":tru}]" };
	struct fixture *f = *state;

	handshake(f, "2025-03-26");
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		_cleanup_(str_done) struct str text = {};

		str_appendf(&text, "[%s%s", ping, rest[i]);
		say_raw(f, text.data, text.len);
		expect_error(f, NULL, -32700, "Parse error");
		expect_nothing(f);
	}
}

/* Ids and progress tokens in a batch are echoed byte for byte, each from its own message. */
static void batches_echo_ids(void **state)
{
	struct fixture *f = *state;

	handshake(f, "2025-03-26");
	say(f, " [ {jsonrpc: '2.0', id: 12345678901234567890, method: 'ping'} , {method: 'ping', jsonrpc: '2.0', id: 'two'} ] ");
	expect(f, "{jsonrpc: '2.0', id: 12345678901234567890, result: {}}");
	expect(f, "{jsonrpc: '2.0', id: 'two', result: {}}");
}

static void batches_are_bounded(void **state)
{
	struct fixture *f = *state;
	_cleanup_(str_done) struct str many = {};

	handshake(f, "2025-03-26");
	for (int i = 0; i < 101; i++)
		str_append(&many, i ? ",1" : "[1");
	str_append(&many, "]");
	say_raw(f, many.data, many.len);
	expect_error(f, NULL, -32600, "more than 100");
}

static void batches_elsewhere(void **state)
{
	struct fixture *f = *state;

	say(f, "[{jsonrpc: '2.0', id: 1, method: 'ping'}]");
	expect_error(f, NULL, -32600, "2025-03-26 only");
	handshake(f, "2025-06-18");
	say(f, "[{jsonrpc: '2.0', id: 1, method: 'ping'}]");
	expect_error(f, NULL, -32600, "2025-03-26 only");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(initialize_2024_11_05),
		TEST(initialize_2025_03_26),
		TEST(initialize_2025_06_18),
		TEST(initialize_2025_11_25),
		TEST(unknown_versions_get_the_newest_legacy_one),
		TEST(a_handshake_never_gives_a_modern_version),
		TEST(initialize_needs_a_version_and_comes_once),
		TEST(before_the_handshake),
		TEST(requests_may_follow_the_handshake_at_once),
		TEST(discovery),
		TEST(modern_requests_need_their_metadata),
		TEST(unsupported_modern_versions),
		TEST(modern_requests_stand_alone),
		TEST(methods_of_the_other_era_do_not_exist),
		TEST(tools_2024_11_05),
		TEST(tools_2025_03_26),
		TEST(tools_2025_06_18),
		TEST(tools_2025_11_25),
		TEST(tools_2026_07_28),
		TEST(resource_not_found),
		TEST(empty_lists_and_completion),
		TEST(batches),
		TEST(broken_batches_do_nothing),
		TEST(batches_echo_ids),
		TEST(batches_are_bounded),
		TEST(batches_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
