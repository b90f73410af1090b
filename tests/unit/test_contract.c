/* The command contract: finding the answer among other lines, and holding it against the rules. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "devserver/contract.h"

static char *find(const char *text, bool final)
{
	struct contract_scan scan = {};
	_cleanup_(str_done) struct str all = {}, out = {};
	_cleanup_(json_freep) struct json *v = NULL;

	/* byte by byte, as pipes may give it */
	for (const char *p = text; *p && !v; p++) {
		str_append_len(&all, p, 1);
		v = contract_find(&scan, &all, false);
	}
	if (!v)
		v = contract_find(&scan, &all, final);
	if (!v)
		return NULL;
	json_print(&out, v);
	return str_take(&out);
}

static void expect_found(const char *text, const char *answer)
{
	_cleanup_(freep) char *found = find(text, true);

	assert_non_null(found);
	assert_string_equal(found, answer);
}

static void answers_are_found(void **state)
{
	expect_found("{\"status\":\"a\"}\n", "{\"status\":\"a\"}");
	expect_found("{\"status\":\"a\"}", "{\"status\":\"a\"}");
	expect_found("> start\n  {\"status\":\"a\"}  \r\nbye\n", "{\"status\":\"a\"}");
	expect_found("{oops\n}\n{\"level\":1}\n{\n  \"status\": \"a\",\n  \"x\": {\n    \"y\": \"}\"\n  }\n}\n",
		     "{\"status\":\"a\",\"x\":{\"y\":\"}\"}}");
	expect_found("{\"status\":\"first\"}\n{\"status\":\"second\"}\n", "{\"status\":\"first\"}");
	expect_found("{ never closed\nlog {\"status\":1}\n{\"status\":\"a\"}\n", "{\"status\":\"a\"}");
}

static void nothing_is_found(void **state)
{
	static const char *const texts[] = { "",
					     "\n\n",
					     "{",
					     "}\n",
					     "{}\n",
					     "{\"level\":1}\n",
					     "[{\"status\":1}]\n",
					     "{\"status\":\"a\"\n",
					     "say {\"status\":\"a\"}\n",
					     "{\"status\":\"\xff\"}\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_null(find(texts[i], true));
	assert_null(find("{\"status\":\"a\"}", false)); /* the line has not ended */
}

static void many_braces_take_no_time(void **state)
{
	_cleanup_(str_done) struct str text = {};
	struct contract_scan scan = {};

	for (int i = 0; i < 100000; i++)
		str_append(&text, "{\n");
	assert_null(contract_find(&scan, &text, true));
}

static void expect_wrong(enum contract_verb verb, const char *answer, const char *wrong)
{
	_cleanup_(str_done) struct str copy = {}, why = {};
	_cleanup_(json_freep) struct json *v = NULL;

	str_append(&copy, answer);
	assert_int_equal(json_parse(copy.data, copy.len, 10, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	assert_int_equal(contract_check(verb, v, &why), !*wrong);
	assert_string_equal(str_text(&why), wrong);
}

#define LOGS "\"logs\":{\"stdout\":\"/a\",\"stderr\":\"/b\",\"combined\":\"/c\"}"
#define PLACE "\"url\":\"http://localhost:1\",\"port\":1,\"pid\":2,\"startedAt\":\"2025-11-02T10:30:00Z\",\"message\":\"m\""

static void rules(void **state)
{
	expect_wrong(CONTRACT_START, "{\"status\":\"ready\"," PLACE "," LOGS "}", "");
	expect_wrong(CONTRACT_START, "{\"status\":\"already_running\"," PLACE "," LOGS ",\"more\":1}", "");
	expect_wrong(CONTRACT_START, "{\"status\":\"running\"," PLACE "," LOGS "}",
		     "status must be ready or already_running and is running");
	expect_wrong(CONTRACT_START, "{\"status\":\"ready\"," PLACE "}",
		     "logs is missing: an object whose stdout, stderr and combined are absolute paths");
	expect_wrong(CONTRACT_START,
		     "{\"status\":\"ready\"," PLACE ",\"logs\":{\"stdout\":\"a\",\"stderr\":\"/b\",\"combined\":\"/c\"}}",
		     "logs must be an object whose stdout, stderr and combined are absolute paths");
	expect_wrong(CONTRACT_RESTART, "{\"status\":\"restarted\"," PLACE ",\"previousPid\":1.5}",
		     "previousPid must be a process id");
	expect_wrong(CONTRACT_RESTART,
		     "{\"status\":\"started\",\"url\":\"ftp://x\",\"port\":0,\"pid\":-1,\"startedAt\":\"now\",\"message\":1}",
		     "url must be an http: or https: URL; port must be a whole number from 1 to 65535; pid must be a process id; "
		     "startedAt must be a time as in 2025-11-02T10:30:00Z; message must be text");
	expect_wrong(CONTRACT_STATUS, "{\"status\":\"stopped\",\"message\":\"m\"}", "");
	expect_wrong(CONTRACT_STATUS, "{\"status\":\"running\",\"message\":\"m\",\"pid\":null,\"uptime\":1.5,\"healthy\":true}",
		     "");
	expect_wrong(CONTRACT_STATUS, "{\"status\":\"unhealthy\",\"message\":\"m\",\"healthy\":1}",
		     "healthy must be true or false");
	expect_wrong(CONTRACT_SHUTDOWN,
		     "{\"status\":\"force_stopped\",\"message\":\"m\",\"stoppedAt\":\"2025-11-02T10:30:00.123+09:00\"}", "");
	expect_wrong(CONTRACT_SHUTDOWN, "{\"status\":\"ready\"}",
		     "status must be stopped, already_stopped or force_stopped and is ready; message is missing: text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_found),
		cmocka_unit_test(nothing_is_found),
		cmocka_unit_test(many_braces_take_no_time),
		cmocka_unit_test(rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
