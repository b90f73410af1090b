/* Resources and prompts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fixtures.h"

#define TIMEOUT (30 * USEC_PER_SEC)

/* ---- resources ---- */

static void list(struct str *out, uint64_t owner, void *data)
{
	str_json(out, "{uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain'}, "
		      "{uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png'}");
}

static int read_template(const char *uri, struct str *out)
{
	_cleanup_(str_done) struct str text = {}, about = {};
	char id[64];
	int end = 0;

	if (sscanf(uri, "test://template/%63[^/]/data%n", id, &end) != 1 || !end || uri[end])
		return -ENOENT;
	str_appendf(&about, "Data for ID: %s", id);
	str_json(&text, "{id: ?, templateTest: true, data: ?}", id, about.data);
	str_json(out, "{uri: ?, mimeType: 'application/json', text: ?}", uri, text.data);
	return 0;
}

static int read(struct task *t, void *data, uint64_t owner, const char *uri, struct str *out)
{
	if (!strcmp(uri, "test://static-text"))
		str_json(out, "{uri: ?, mimeType: 'text/plain', text: ?}", uri, "This is the content of the static text resource.");
	else if (!strcmp(uri, "test://static-binary"))
		str_json(out, "{uri: ?, mimeType: 'image/png', blob: ?}", uri, CONFORMANCE_PNG);
	else
		return read_template(uri, out);
	return 0;
}

const struct mcp_resources conformance_resources = {
	.list = list,
	.templates = "{\"uriTemplate\":\"test://template/{id}/data\",\"name\":\"template\",\"mimeType\":\"application/json\"}",
	.read = read,
};

/* ---- prompts ---- */

static void add_message(struct str *out, const char *content)
{
	str_json(out, "?{role: 'user', content: ?}", JSON_COMMA(out->len), JSON_RAW(content));
}

static void add_text(struct str *out, const char *text)
{
	_cleanup_(str_done) struct str content = {};

	str_json(&content, "{type: 'text', text: ?}", text);
	add_message(out, content.data);
}

static int simple(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out)
{
	add_text(out, "This is a simple prompt for testing.");
	return 0;
}

static int with_arguments(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out)
{
	const char *a = json_str(arguments, "arg1"), *b = json_str(arguments, "arg2");

	if (!a || !b)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Invalid params: arg1 and arg2 must be strings");
	add_text(out, arena_printf(task_arena(t), "Prompt with arguments: arg1='%s', arg2='%s'", a, b));
	return 0;
}

static int with_resource(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out)
{
	const char *uri = json_str(arguments, "resourceUri");
	_cleanup_(str_done) struct str content = {};

	if (!uri)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Invalid params: resourceUri must be a string");
	str_json(&content, "{type: 'resource', resource: {uri: ?, mimeType: 'text/plain', text: ?}}", uri,
		 "Embedded resource content for testing.");
	add_message(out, content.data);
	add_text(out, "Please process the embedded resource above.");
	return 0;
}

static int with_image(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out)
{
	add_message(out, "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" CONFORMANCE_PNG "\"}");
	add_text(out, "Please analyze the image above.");
	return 0;
}

static int with_question(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out)
{
	struct mcp_question question = {
		.key = "user_context",
		.feature = MCP_ELICITATION,
		.params = "{\"message\":\"What context should the prompt use?\",\"requestedSchema\":{\"type\":\"object\","
			  "\"properties\":{\"context\":{\"type\":\"string\"}},\"required\":[\"context\"]}}",
	};
	int r = mcp_call_ask(t, call, &question, 1, TIMEOUT);
	const char *context = r == 0 ? json_str(question.answer, "content.context") : NULL;

	if (r == 0)
		add_text(out, arena_printf(task_arena(t), "Context: %s", context ? context : "none"));
	return r;
}

#define ARGUMENT(name) "{\"name\":\"" name "\",\"required\":true}"

static const struct prompt {
	const char *name, *arguments; /* JSON elements */
	int (*get)(struct task *t, struct mcp_call *call, const struct json *arguments, struct str *out);
} prompt_table[] = {
	{ "test_simple_prompt", "", simple },
	{ "test_prompt_with_arguments", ARGUMENT("arg1") "," ARGUMENT("arg2"), with_arguments },
	{ "test_prompt_with_embedded_resource", ARGUMENT("resourceUri"), with_resource },
	{ "test_prompt_with_image", "", with_image },
	{ "test_input_required_result_prompt", "", with_question },
};

static void list_prompts(struct str *out, void *data)
{
	for (size_t i = 0; i < ARRAY_SIZE(prompt_table); i++)
		str_json(out, "?{name: ?, description: 'A prompt for testing', arguments: [?]}", JSON_COMMA(i),
			 prompt_table[i].name, JSON_RAW(prompt_table[i].arguments));
}

static int get(struct task *t, struct mcp_call *call, const char *name, const struct json *arguments, struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(prompt_table); i++)
		if (!strcmp(prompt_table[i].name, name))
			return prompt_table[i].get(t, call, arguments, out);
	return -ENOENT;
}

static void complete(struct mcp_completion *c, void *data)
{
	static const char *const values[] = { "paris", "park", "party", NULL };

	for (size_t i = 0; !strcmp(c->ref, "test_prompt_with_arguments") && values[i]; i++)
		mcp_completion_offer(c, values[i]);
}

const struct mcp_prompts conformance_prompts = { .list = list_prompts, .get = get, .complete = complete };
